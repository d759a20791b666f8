"""Notebook 05, stage 5: provisional state and context make the next word."""

import numpy as np

from utils.shapes import checks_shapes
from utils.stages.context import context
from utils.stages.provisional_state import rnn_step
from utils.stages.scores import additive_score
from utils.stages.softmax import masked_softmax, softmax


@checks_shapes
def combine_concat_one(h_tilde, c, Wc):
    """The final hidden state of one sentence, by concatenation.

    h^final = tanh(W_c [h̃ ; c])

    Parameters
    ----------
    h_tilde : (H,) float
        The provisional state.
    c : (H,) float
        The context vector.
    Wc : (2H, O) float
        In the model O = H.

    Returns
    -------
    (O,) float

    Source: Luong, Pham and Manning (2015), equation 5 (there c comes first).
    """
    return np.tanh(np.concatenate([h_tilde, c]) @ Wc)


@checks_shapes
def combine_concat(h_tilde, c, Wc):
    """The final hidden states of a batch, by concatenation.

    h^final = tanh(W_c [h̃ ; c])

    Parameters
    ----------
    h_tilde : (N, H) float
        Provisional states.
    c : (N, H) float
        Context vectors.
    Wc : (2H, O) float
        In the model O = H.

    Returns
    -------
    (N, O) float

    Source: Luong, Pham and Manning (2015), equation 5 (there c comes first).
    """
    return np.tanh(np.concatenate([h_tilde, c], axis=1) @ Wc)


@checks_shapes
def combine_weighted_sum(h_tilde, c, alpha):
    """The final hidden states of a batch, by a weighted sum.

    h^final = α h̃ + (1 − α) c

    Parameters
    ----------
    h_tilde : (N, H) float
        Provisional states.
    c : (N, H) float
        Context vectors.
    alpha : float, or (N, 1) float for one per sentence

    Returns
    -------
    (N, H) float
    """
    return alpha * h_tilde + (1 - alpha) * c


@checks_shapes
def output_logits(h, Wo, bo):
    """A score for every word of the vocabulary.

    logits = h Wo + bo

    Parameters
    ----------
    h : (N, H) float
        Final hidden states.
    Wo : (H, V) float
    bo : (V,) float

    Returns
    -------
    (N, V) float
    """
    return h @ Wo + bo


@checks_shapes
def next_word_probs(logits):
    """The second softmax: this one is over the words of the vocabulary.

    p_w = exp(logits_w) / Σ_j exp(logits_j)

    Parameters
    ----------
    logits : (N, V) float

    Returns
    -------
    (N, V) float
        Rows sum to 1.
    """
    return softmax(logits)


@checks_shapes
def next_word(logits):
    """The likeliest word; the first of equals.

    Parameters
    ----------
    logits : (N, V) float

    Returns
    -------
    (N,) int
    """
    return logits.argmax(axis=1)


@checks_shapes
def decoder_step(x, carry, hs, keep, p):
    """One whole step of the decoder: all stages in order, additive scores, concatenation.

    Parameters
    ----------
    x : (N, D) float
        The embedded previous word.
    carry : (N, H) float
        The previous hidden state. Which one that is, h̃ or h^final, is the caller's choice.
    hs : (N, T, H) float
        Encoder states.
    keep : (N, T) bool
        True (or 1) at real words, False (or 0) at padding.
    p : dict of Wx (D, H), Wh (H, H), b (H,), W1 (H, A), W2 (H, A), v (A,), Wc (2H, H), Wo (H, V), bo (V,)
        The decoder's parameters.

    Returns
    -------
    logits : (N, V) float
    a : (N, T) float
        Attention weights.
    h_tilde : (N, H) float
        The provisional state.
    h : (N, H) float
        The final hidden state.

    Source: the order of the stages is that of Saitoh (2018), chapter 8;
    the score is Bahdanau et al.'s (2015), W_c Luong et al.'s (2015).
    """
    h_tilde = rnn_step(x, carry, p["Wx"], p["Wh"], p["b"])  # (N, H)
    e = additive_score(h_tilde, hs, p["W1"], p["W2"], p["v"])  # (N, T)
    a = masked_softmax(e, keep)  # (N, T)
    c = context(a, hs)  # (N, H)
    h = combine_concat(h_tilde, c, p["Wc"])  # (N, H)
    logits = output_logits(h, p["Wo"], p["bo"])  # (N, V)
    return logits, a, h_tilde, h


@checks_shapes
def greedy_decode(step, state, bos, eos, max_len):
    """Write a sentence by always taking the likeliest next word.

    Parameters
    ----------
    step : function
        ``step(word, state)`` gives ``logits (V,), state``.
    state
        Whatever `step` starts from.
    bos : int
        The word that opens the sentence; it is not part of the result.
    eos : int
        The word that ends it; it is part of the result when it was chosen.
    max_len : int
        At most so many words.

    Returns
    -------
    (length,) int
    """
    ids = []
    word = bos
    while len(ids) < max_len:
        logits, state = step(word, state)
        word = int(np.argmax(logits))
        ids.append(word)
        if word == eos:
            break
    return np.array(ids, dtype=int)


@checks_shapes
def exact_match(pred, gold, eos):
    """The share of sentences that are right to the last word.

    Compared up to and including the first eos; what stands after it is ignored. A prediction that
    does not end where the answer ends is wrong.

    Parameters
    ----------
    pred : (N, U) int
        What the decoder wrote.
    gold : (N, U) int
        The right answers.
    eos : int
        The word that ends a sentence.

    Returns
    -------
    float
        From 0 to 1.
    """
    ends = gold == eos
    ignored = ends.cumsum(axis=1) - ends > 0  # (N, U)      after the answer's first eos
    return float(((pred == gold) | ignored).all(axis=1).mean())


@checks_shapes
def combine_weighted_sum_backward(dh, h_tilde, c, alpha):
    """The gradients of h = α h̃ + (1 − α) c.

    dh̃ = α dh,   dc = (1 − α) dh,   dα = Σ dh (h̃ − c)

    Parameters
    ----------
    dh : (N, H) float
        The gradient that arrives at h.
    h_tilde : (N, H) float
    c : (N, H) float
    alpha : float, or (N, 1) float for one per sentence

    Returns
    -------
    dh_tilde : (N, H) float
    dc : (N, H) float
    dalpha : shaped like alpha
    """
    dh_tilde = alpha * dh
    dc = (1 - alpha) * dh
    dalpha = dh * (h_tilde - c)  # (N, H)
    dalpha = dalpha.sum() if np.ndim(alpha) == 0 else dalpha.sum(axis=1, keepdims=True)
    return dh_tilde, dc, dalpha


@checks_shapes
def combine_concat_backward(dh, h_tilde, c, Wc):
    """The gradients of h = tanh(W_c [h̃ ; c]).

    Parameters
    ----------
    dh : (N, O) float
        The gradient that arrives at h.
    h_tilde : (N, H) float
    c : (N, H) float
    Wc : (2H, O) float

    Returns
    -------
    dh_tilde : (N, H) float
    dc : (N, H) float
    dWc : (2H, O) float
    """
    both = np.concatenate([h_tilde, c], axis=1)  # (N, 2H)
    dz = dh * (1 - np.tanh(both @ Wc) ** 2)  # (N, O)
    dboth = dz @ Wc.T  # (N, 2H)
    dWc = both.T @ dz
    dh_tilde, dc = np.split(dboth, 2, axis=1)
    return dh_tilde, dc, dWc
