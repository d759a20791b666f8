"""Notebook 04, stage 4: the weighted sum of the encoder states."""

import numpy as np

from utils.shapes import checks_shapes
from utils.stages.scores import dot_score, dot_score_backward
from utils.stages.softmax import masked_softmax, softmax, softmax_backward


@checks_shapes
def context_one(a, hs):
    """The context vector of one sentence.

    c = Σ_i a_i h_i

    Parameters
    ----------
    a : (T,) float
        Attention weights, used as given.
    hs : (T, H) float
        Encoder states.

    Returns
    -------
    (H,) float

    Source: Bahdanau, Cho and Bengio (2015), equation 5.
    """
    return a @ hs


@checks_shapes
def context(a, hs):
    """The context vectors of a batch.

    c_n = Σ_i a_{n,i} h_{n,i}

    Parameters
    ----------
    a : (N, T) float
        Attention weights, used as given.
    hs : (N, T, H) float
        Encoder states.

    Returns
    -------
    (N, H) float

    Source: Bahdanau, Cho and Bengio (2015), equation 5.
    """
    return (a[:, None, :] @ hs)[:, 0]


@checks_shapes
def attention(h_tilde, hs, keep):
    """Stages 2 to 4 in one: dot score, masked softmax, context.

    Parameters
    ----------
    h_tilde : (N, H) float
        Provisional states.
    hs : (N, T, H) float
        Encoder states.
    keep : (N, T) bool
        True (or 1) at real words, False (or 0) at padding.

    Returns
    -------
    c : (N, H) float
        Context vectors; 0 where nothing is kept.
    a : (N, T) float
        Attention weights.
    """
    e = dot_score(h_tilde, hs)  # (N, T)
    a = masked_softmax(e, keep)  # (N, T)
    c = context(a, hs)  # (N, H)
    return c, a


@checks_shapes
def context_backward(dc, a, hs):
    """The gradients of c_n = Σ_i a_{n,i} h_{n,i}.

    da_i = dcᵀ h_i,   dh_i = a_i dc

    Parameters
    ----------
    dc : (N, H) float
        The gradient that arrives at the context.
    a : (N, T) float
    hs : (N, T, H) float

    Returns
    -------
    da : (N, T) float
    dhs : (N, T, H) float
    """
    da = (hs @ dc[:, :, None])[:, :, 0]
    dhs = a[:, :, None] * dc[:, None, :]
    return da, dhs


@checks_shapes
def attention_backward(dC, H_tilde, hs):
    """The gradients of dot attention over all U decoder steps, without padding.

    At every step hs is reached by two paths, as what is summed (context) and as what is compared
    (score); dhs gathers both, from every step.

    Parameters
    ----------
    dC : (N, U, H) float
        The gradients that arrive at the context vectors.
    H_tilde : (N, U, H) float
        Provisional states.
    hs : (N, T, H) float
        Encoder states.

    Returns
    -------
    dH_tilde : (N, U, H) float
    dhs : (N, T, H) float
    """
    dH_tilde = []
    dhs = np.zeros(hs.shape)
    for t in range(dC.shape[1]):
        a = softmax(dot_score(H_tilde[:, t], hs))
        da, dhs_context = context_backward(dC[:, t], a, hs)
        de = softmax_backward(da, a)
        dh_tilde, dhs_score = dot_score_backward(de, H_tilde[:, t], hs)
        dH_tilde.append(dh_tilde)
        dhs = dhs + dhs_context + dhs_score
    return np.stack(dH_tilde, axis=1), dhs
