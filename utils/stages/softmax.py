"""Notebook 03, stage 3: scores become attention weights."""

import numpy as np

from utils.shapes import checks_shapes


@checks_shapes
def softmax_one(e):
    """Attention weights from the scores of one sentence.

    a_i = exp(e_i) / Σ_j exp(e_j)

    Parameters
    ----------
    e : (T,) float
        Scores.

    Returns
    -------
    (T,) float
        Positive, sum 1; finite however large the scores are.
    """
    z = np.exp(e - np.max(e))
    return z / z.sum()


@checks_shapes
def softmax(e):
    """Attention weights from the scores of a batch.

    a_{n,i} = exp(e_{n,i}) / Σ_j exp(e_{n,j})

    Parameters
    ----------
    e : (N, T) float
        Scores.

    Returns
    -------
    (N, T) float
        Rows sum to 1; finite however large the scores are.
    """
    z = np.exp(e - e.max(axis=-1, keepdims=True))
    return z / z.sum(axis=-1, keepdims=True)


@checks_shapes
def masked_softmax(e, keep):
    """Turn scores into attention weights, leaving padding out.

    a_i = exp(e_i) / Σ_j exp(e_j), over the words that are kept.

    Parameters
    ----------
    e : (N, T) float
        Scores.
    keep : (N, T) bool
        True (or 1) at real words, False (or 0) at padding.

    Returns
    -------
    (N, T) float
        Rows sum to 1; exactly 0 at padding; a row with nothing to keep is all 0.

    Source: Bahdanau, Cho and Bengio (2015), equation 6; the mask belongs to batches.
    """
    e = np.where(keep, e, -np.inf)  # exp(-inf) is exactly 0
    highest = e.max(axis=-1, keepdims=True)
    highest = np.where(np.isfinite(highest), highest, 0)  # a row with nothing to keep
    z = np.exp(e - highest)
    total = z.sum(axis=-1, keepdims=True)
    return z / np.where(total == 0, 1, total)


@checks_shapes
def softmax_backward(da, a):
    """The gradient of the softmax, from its own result.

    de_i = a_i (da_i − Σ_j a_j da_j)

    Parameters
    ----------
    da : (N, T) float
        The gradient that arrives at the weights.
    a : (N, T) float
        The attention weights. Where they are 0 (padding), so is the gradient.

    Returns
    -------
    (N, T) float
        de: rows sum to 0.
    """
    mean = (a * da).sum(axis=-1, keepdims=True)  # (N, 1)
    return a * (da - mean)
