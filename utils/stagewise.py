"""The same loss and gradient as `utils.model`, through any functions that solve the exercises: the
learner's own, or the course's.

What is here is backpropagation through time around them: the loops over encoder and decoder steps, and
the adding up where something was used more than once. The decoder has two forms: `step_by_step` reads
as the exercises do, `all_steps` is faster. The model is the default one: additive scores,
concatenation; either carry.

Shapes: N batch, T source length, U target length, D embedding, H hidden, A attention, V vocabulary.
"""

import numpy as np

from utils import stages
from utils.data import BOS, PAD
from utils.model import flat, linear, longest_first

DECODER = ("Wx", "Wh", "b", "W1", "W2", "v", "Wc", "Wo", "bo")


def step_by_step(p, config, Y, hs, keep, target, stage, grads):
    """The decoder, one step after the other, and back.

    Y : (N, U, D), hs : (N, T, H), keep : (N, T), target : (N, U)
    → loss, dY (N, U, D), dhs (N, T, H), dcarry (N, H); adds to `grads`
    """
    kind, steps, real = hs.dtype, range(target.shape[1]), target != PAD
    decoder = {name: p[name] for name in DECODER}

    # forward, keeping what the way back needs
    carry = _as(kind, stage.decoder_init(hs))
    carries, logits = [], []
    for t in steps:
        carries.append(carry)
        step_logits, _, h_tilde, h = stage.decoder_step(Y[:, t], carry, hs, keep, decoder)
        logits.append(_as(kind, step_logits))
        carry = _as(kind, h_tilde if config.carry == "provisional" else h)
    logits = np.stack(logits, axis=1)  # (N, U, V)
    loss = float(stage.masked_cross_entropy(logits, target, real))

    # backward, last step first; every step also reaches hs and the parameters
    dlogits = _as(kind, stage.masked_cross_entropy_backward(logits, target, real))
    dY, dhs, none = np.zeros_like(Y), np.zeros_like(hs), np.zeros_like(carry)
    dcarry = none
    for t in reversed(steps):
        dh_tilde, dh = (dcarry, none) if config.carry == "provisional" else (none, dcarry)
        dY[:, t], dcarry, dhs_step, dp = stage.decoder_step_backward(
            dlogits[:, t], dh_tilde, dh, Y[:, t], carries[t], hs, keep, decoder
        )
        dcarry = _as(kind, dcarry)
        dhs += dhs_step
        for name in DECODER:
            grads[name] += dp[name]
    return loss, dY, dhs, dcarry


def all_steps(p, config, Y, hs, keep, target, stage, grads):
    """`step_by_step` in less time, for h̃ carried: no provisional state then depends on the attention.

    So all of them come first, then all looks, and the rest once, for N·U rows. It is faster because what
    the stages give is kept for the way back (`decoder_step_backward` computes the whole step again), W₂ h_i
    is formed once and not at every step, and there are fewer, larger products.

    Arguments and results as in `step_by_step`. Raises ValueError where h^final is carried.
    """
    if config.carry != "provisional":
        raise ValueError(f"all_steps needs a model that carries h̃, not {config.carry!r}: take step_by_step.")
    kind, in_steps, real = hs.dtype, (*target.shape, -1), target != PAD  # N·U rows as (N, U, …)

    # forward: provisional states, looks, combine, logits
    start = _as(kind, stage.decoder_init(hs))
    H_tilde = _as(kind, stage.provisional_states(hs, Y, p["Wx"], p["Wh"], p["b"]))  # (N, U, H)
    Q = linear(H_tilde, p["W1"])  # (N, U, A)
    C, parts = attend(p, Q, hs, keep, stage)  # (N, U, H)
    h = _as(kind, stage.combine_concat(flat(H_tilde), flat(C), p["Wc"]))  # (N·U, H)
    logits = _as(kind, stage.output_logits(h, p["Wo"], p["bo"])).reshape(in_steps)  # (N, U, V)
    loss = float(stage.masked_cross_entropy(logits, target, real))

    # backward, last stage first
    dlogits = flat(_as(kind, stage.masked_cross_entropy_backward(logits, target, real)))
    dh, dWo = stage.linear_backward(dlogits, h, p["Wo"])
    dh_tilde_combine, dC, dWc = stage.combine_concat_backward(_as(kind, dh), flat(H_tilde), flat(C), p["Wc"])
    dQ, dhs = attend_backward(p, _as(kind, dC).reshape(in_steps), Q, hs, parts, stage, grads)
    dh_tilde_score, dW1 = stage.linear_backward(flat(dQ), flat(H_tilde), p["W1"])
    for name, d in {"W1": dW1, "Wc": dWc, "Wo": dWo, "bo": dlogits.sum(axis=0)}.items():
        grads[name] += d
    dH_tilde = (_as(kind, dh_tilde_combine) + _as(kind, dh_tilde_score)).reshape(in_steps)
    read = np.full(target.shape[1], len(target))  # all of them, at every step
    dY, dcarry = rnn_backward(p, "", dH_tilde, np.zeros_like(start), Y, start, H_tilde, read, stage, grads)
    return loss, dY, dhs, dcarry


# ---- all looks, from q = W₁ h̃ and k = W₂ h_i: a score with the identity for W₁ and W₂ compares these as they are


def attend(p, Q, hs, keep, stage):
    """Stages 2 to 4 for U decoder steps of N sentences, the longest first.

    The short ones are done apart from the long ones: a function that solves an exercise takes as long for
    padding as for words.

    Q : (N, U, A), hs : (N, T, H), keep : (N, T) → C (N, U, H), parts (list): what the way back needs
    """
    kind, eye = hs.dtype, np.eye(len(p["v"]), dtype=hs.dtype)
    C, parts = np.empty((*Q.shape[:2], hs.shape[2]), kind), []
    half = (len(hs) + 1) // 2
    for first in range(0, len(hs), half):
        rows, T = slice(first, first + half), max(keep[first].sum(), 1)
        states, words = np.ascontiguousarray(hs[rows, :T]), keep[rows, :T]
        K = linear(states, p["W2"])  # (rows, T, A)
        weights = []
        for t in range(Q.shape[1]):
            e = _as(kind, stage.additive_score(Q[rows, t], K, eye, eye, p["v"]))
            weights.append(_as(kind, stage.masked_softmax(e, words)))
            C[rows, t] = stage.context(weights[t], states)
        parts.append((rows, states, K, weights))
    return C, parts


def attend_backward(p, dC, Q, hs, parts, stage, grads):
    """The gradients of `attend`. dC : (N, U, H) → dQ (N, U, A), dhs (N, T, H); adds to `grads`."""
    kind, eye = hs.dtype, np.eye(len(p["v"]), dtype=hs.dtype)
    dQ, dhs = np.empty_like(Q), np.zeros_like(hs)
    for rows, states, K, weights in parts:
        dhs_context, dK = np.zeros_like(states), np.zeros_like(K)
        for t, a in enumerate(weights):
            da, dhs_step = stage.context_backward(dC[rows, t], a, states)
            de = _as(kind, stage.softmax_backward(_as(kind, da), a))
            dQ[rows, t], dK_step, _, _, dv = stage.additive_score_backward(de, Q[rows, t], K, eye, eye, p["v"])
            dhs_context += dhs_step
            dK += dK_step
            grads["v"] += dv
        dhs_score, dW2 = stage.linear_backward(flat(dK), flat(states), p["W2"])
        dhs[rows, : states.shape[1]] = dhs_context + _as(kind, dhs_score).reshape(states.shape)
        grads["W2"] += dW2
    return dQ, dhs


def rnn_backward(p, side, dstates, dlast, X, start, states, read, stage, grads):
    """The way back through a recurrent network, last step first.

    side : how its parameters' names end, "_source" for the encoder, "" for the decoder
    dstates : (N, T, H), what arrives at the states where they are read; dlast : (N, H), at the last ones besides
    X : (N, T, D), start : (N, H), states : (N, T, H)
    read : (T,), how many sentences have a t-th word; the longest come first
    → dX (N, T, D), dstart (N, H); adds to `grads`
    """
    names = [f"Wx{side}", f"Wh{side}", f"b{side}"]
    before = np.concatenate([start[:, None], states[:, :-1]], axis=1)  # h_{t-1}
    dX, dh = np.zeros_like(X), dlast.copy()
    for t in reversed(range(X.shape[1])):
        n = read[t]  # the others have ended, and pass their gradient on
        dh[:n] += dstates[:n, t]
        dX[:n, t], dh[:n], *dweights = stage.rnn_step_backward(
            dh[:n], X[:n, t], before[:n, t], *(p[name] for name in names)
        )
        for name, dweight in zip(names, dweights):
            grads[name] += dweight
    return dX, dh


def loss_and_grads(p, config, source, target, stage=stages, decoder=step_by_step):
    """The next-word loss of a batch under teacher forcing, and its whole gradient.

    Parameters
    ----------
    p, config, source, target
        As for `utils.model.loss_and_grads`.
    stage : object
        Has a function for every exercise under its name: `utils.stages`, or what `own_stages` gives.
    decoder : function
        `step_by_step` or `all_steps`.

    Returns
    -------
    loss : float
        Mean over all real target words, in nats.
    grads : dict of str to array
        Named, shaped and typed like p.
    """
    order, _, read = longest_first(source != PAD)
    source, target = source[order], target[order]
    kind, keep = p["E"].dtype, source != PAD
    inputs = _as(target.dtype, stage.shift_right(target, BOS))
    grads = {name: np.zeros_like(array) for name, array in p.items()}

    X = _as(kind, stage.embed(source, p["E_source"]))  # (N, T, D)
    Y = _as(kind, stage.embed(inputs, p["E"]))  # (N, U, D)
    hs = _as(kind, stage.encode(X, keep, p["Wx_source"], p["Wh_source"], p["b_source"]))  # (N, T, H)
    loss, dY, dhs, dcarry = decoder(p, config, Y, hs, keep, target, stage, grads)
    # the encoder's last state also started the decoder
    dX, _ = rnn_backward(p, "_source", dhs, dcarry, X, np.zeros_like(dcarry), hs, read, stage, grads)
    grads["E"] += stage.embedding_backward(_doubles(dY), inputs, len(p["E"]))
    grads["E_source"] += stage.embedding_backward(_doubles(dX), source, len(p["E_source"]))
    return loss, grads


def _as(kind, result):
    """A learner's result as an array of the model's precision: one float64 would slow everything behind it.

    It is a copy, since the function may write over what it gave when it is called again.
    """
    return np.array(result, dtype=kind)


def _doubles(array):
    """What is going to be added up in an array that is most likely float64: np.add.at takes five times as long when
    it has to convert every number on the way."""
    return array.astype(float)
