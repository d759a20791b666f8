"""Notebook 06, stage 6: the loss, the whole decoder step backwards, and the optimiser."""

import numpy as np

from utils.shapes import checks_shapes
from utils.stages.combine import combine_concat, combine_concat_backward
from utils.stages.context import context, context_backward
from utils.stages.provisional_state import linear_backward, rnn_step, rnn_step_backward
from utils.stages.scores import additive_score, additive_score_backward
from utils.stages.softmax import masked_softmax, softmax, softmax_backward


@checks_shapes
def cross_entropy(logits, y):
    """The next-word loss: how surprised the model is by the right words.

    loss = mean over n of −log p_n[y_n],   p = softmax(logits)

    Parameters
    ----------
    logits : (N, V) float
    y : (N,) int
        The right words.

    Returns
    -------
    float
        In nats; finite for logits of any size.
    """
    z = logits - logits.max(axis=1, keepdims=True)
    log_p = z - np.log(np.exp(z).sum(axis=1, keepdims=True))
    return -log_p[np.arange(len(y)), y].mean()


@checks_shapes
def masked_cross_entropy(logits, y, keep):
    """The next-word loss over a batch of sentences, leaving padding out.

    Parameters
    ----------
    logits : (N, U, V) float
    y : (N, U) int
        The right words; what stands at padding does not matter.
    keep : (N, U) bool
        True (or 1) at real words, False (or 0) at padding; at least one word is kept.

    Returns
    -------
    float
        Mean over all kept words of the batch, in nats.
    """
    keep = keep != 0
    return cross_entropy(logits[keep], y[keep])


@checks_shapes
def cross_entropy_backward(logits, y):
    """The gradient of the next-word loss.

    dlogits = (p − onehot(y)) / N

    Parameters
    ----------
    logits : (N, V) float
    y : (N,) int

    Returns
    -------
    (N, V) float
    """
    p = softmax(logits)
    p[np.arange(len(y)), y] -= 1
    return p / len(y)


@checks_shapes
def masked_cross_entropy_backward(logits, y, keep):
    """The gradient of the next-word loss over a batch of sentences; 0 at padding.

    Parameters
    ----------
    logits : (N, U, V) float
    y : (N, U) int
    keep : (N, U) bool
        True (or 1) at real words, False (or 0) at padding; at least one word is kept.

    Returns
    -------
    (N, U, V) float
    """
    keep = keep != 0
    dlogits = np.zeros(logits.shape)
    dlogits[keep] = cross_entropy_backward(logits[keep], y[keep])
    return dlogits


@checks_shapes
def decoder_step_backward(dlogits, dh_tilde, dh, x, carry, hs, keep, p):
    """The gradients of one whole decoder step: the stages' gradients, chained from last to first.

    Parameters
    ----------
    dlogits : (N, V) float
        The gradient that arrives at the logits.
    dh_tilde : (N, H) float
        What the next step sends back to the provisional state (0 where it carries h^final).
    dh : (N, H) float
        What the next step sends back to the final state (0 where it carries h̃).
    x : (N, D) float
    carry : (N, H) float
    hs : (N, T, H) float
    keep : (N, T) bool
        True (or 1) at real words, False (or 0) at padding.
    p : dict of Wx (D, H), Wh (H, H), b (H,), W1 (H, A), W2 (H, A), v (A,), Wc (2H, H), Wo (H, V), bo (V,)
        The decoder's parameters.

    Returns
    -------
    dx : (N, D) float
    dcarry : (N, H) float
    dhs : (N, T, H) float
    dp : dict
        Named and shaped like p.
    """
    # forward again, for the values in between
    h_tilde = rnn_step(x, carry, p["Wx"], p["Wh"], p["b"])
    a = masked_softmax(additive_score(h_tilde, hs, p["W1"], p["W2"], p["v"]), keep)
    c = context(a, hs)
    h = combine_concat(h_tilde, c, p["Wc"])

    # the output layer, then the combine
    dp = {"bo": dlogits.sum(axis=0)}
    dh_out, dp["Wo"] = linear_backward(dlogits, h, p["Wo"])
    dh_tilde_combine, dc, dp["Wc"] = combine_concat_backward(dh + dh_out, h_tilde, c, p["Wc"])

    # context, softmax, scores: hs is reached by two paths
    da, dhs_context = context_backward(dc, a, hs)
    de = softmax_backward(da, a)
    dh_tilde_score, dhs_score, dp["W1"], dp["W2"], dp["v"] = additive_score_backward(
        de, h_tilde, hs, p["W1"], p["W2"], p["v"]
    )
    dhs = dhs_context + dhs_score

    # the provisional state: three paths meet
    dh_tilde = dh_tilde + dh_tilde_combine + dh_tilde_score
    dx, dcarry, dp["Wx"], dp["Wh"], dp["b"] = rnn_step_backward(dh_tilde, x, carry, p["Wx"], p["Wh"], p["b"])
    return dx, dcarry, dhs, dp


@checks_shapes
def clip_by_norm(grads, max_norm):
    """Shorten the whole gradient when it is too long; its direction stays.

    Parameters
    ----------
    grads : list of arrays
    max_norm : float
        The largest norm allowed, taken over all arrays together.

    Returns
    -------
    list of arrays
        New arrays; the same values when the norm is at most `max_norm`.

    Source: Pascanu, Mikolov and Bengio (2013), algorithm 1.
    """
    norm = float(np.sqrt(sum(np.square(g, dtype=float).sum() for g in grads)))
    scale = max_norm / norm if norm > max_norm else 1.0
    return [g * scale for g in grads]


@checks_shapes
def adam_step(theta, g, m, v, t, lr, b1, b2, eps):
    """One step of Adam for one array of parameters.

    m ← b1 m + (1 − b1) g,   v ← b2 v + (1 − b2) g²,
    θ ← θ − lr m̂ / (√v̂ + eps),   m̂ = m / (1 − b1ᵗ),   v̂ = v / (1 − b2ᵗ)

    Parameters
    ----------
    theta : array of any shape
    g : array shaped like theta
        The gradient.
    m : array shaped like theta
    v : array shaped like theta
        Running means of g and g².
    t : int
        The number of this step, counted from 1.
    lr : float
        The learning rate.
    b1 : float
    b2 : float
    eps : float
        Added outside the root.

    Returns
    -------
    theta, m, v : new arrays

    Source: Kingma and Ba (2015), algorithm 1.
    """
    m = b1 * m + (1 - b1) * g
    v = b2 * v + (1 - b2) * g**2
    m_hat = m / (1 - b1**t)
    v_hat = v / (1 - b2**t)
    theta = theta - lr * m_hat / (np.sqrt(v_hat) + eps)
    return theta, m, v
