"""Notebook 02, stage 2: how well does each encoder state match the provisional state?"""

import numpy as np

from utils.shapes import checks_shapes


@checks_shapes
def dot_score_one(h_tilde, hs):
    """Dot scores of one provisional state.

    e_i = h̃ᵀ h_i

    Parameters
    ----------
    h_tilde : (H,) float
        The provisional state.
    hs : (T, H) float
        The encoder states, one row per input word.

    Returns
    -------
    (T,) float
        One score per input word.

    Source: Luong, Pham and Manning (2015), section 3.1.
    """
    return hs @ h_tilde


@checks_shapes
def dot_score(h_tilde, hs):
    """Dot scores for a batch: every sentence has a provisional state of its own.

    e_{n,i} = h̃_nᵀ h_{n,i}

    Parameters
    ----------
    h_tilde : (N, H) float
        Provisional states.
    hs : (N, T, H) float
        Encoder states.

    Returns
    -------
    (N, T) float
        One score per input word.

    Source: Luong, Pham and Manning (2015), section 3.1.
    """
    return (h_tilde[:, None, :] * hs).sum(axis=2)


@checks_shapes
def additive_score_one(h_tilde, hs, W1, W2, v):
    """Additive scores of one provisional state.

    e_i = vᵀ tanh(W₁ h̃ + W₂ h_i)

    Parameters
    ----------
    h_tilde : (H,) float
        The provisional state.
    hs : (T, H) float
        The encoder states, one row per input word.
    W1 : (H, A) float
    W2 : (H, A) float
    v : (A,) float

    Returns
    -------
    (T,) float
        One score per input word.

    Source: Bahdanau, Cho and Bengio (2015), appendix A.1.2.
    """
    return np.tanh(h_tilde @ W1 + hs @ W2) @ v


@checks_shapes
def additive_score(h_tilde, hs, W1, W2, v):
    """Additive scores for a batch.

    e_{n,i} = vᵀ tanh(W₁ h̃_n + W₂ h_{n,i})

    Parameters
    ----------
    h_tilde : (N, H) float
        Provisional states.
    hs : (N, T, H) float
        Encoder states.
    W1 : (H, A) float
    W2 : (H, A) float
    v : (A,) float

    Returns
    -------
    (N, T) float
        One score per input word.

    Source: Bahdanau, Cho and Bengio (2015), appendix A.1.2.
    """
    query = (h_tilde @ W1)[:, None, :]  # (N, 1, A)
    keys = hs @ W2  # (N, T, A)
    return np.tanh(query + keys) @ v


@checks_shapes
def dot_score_backward(de, h_tilde, hs):
    """The gradients of e_{n,i} = h̃_nᵀ h_{n,i}.

    dh̃ = Σ_i de_i h_i,   dh_i = de_i h̃

    Parameters
    ----------
    de : (N, T) float
        The gradient that arrives at the scores.
    h_tilde : (N, H) float
    hs : (N, T, H) float

    Returns
    -------
    dh_tilde : (N, H) float
    dhs : (N, T, H) float
    """
    dh_tilde = (de[:, :, None] * hs).sum(axis=1)
    dhs = de[:, :, None] * h_tilde[:, None, :]
    return dh_tilde, dhs


@checks_shapes
def additive_score_backward(de, h_tilde, hs, W1, W2, v):
    """The gradients of e_{n,i} = vᵀ tanh(W₁ h̃_n + W₂ h_{n,i}).

    Rows, as in the code: z = h̃ W₁ + h_i W₂, s = tanh(z), dz = de_i v (1 − s²):
    dh̃ = Σ_i dz W₁ᵀ,   dh_i = dz W₂ᵀ,   dW₁ = Σ h̃ᵀ dz,   dW₂ = Σ h_iᵀ dz,   dv = Σ de_i s

    Parameters
    ----------
    de : (N, T) float
        The gradient that arrives at the scores.
    h_tilde : (N, H) float
    hs : (N, T, H) float
    W1 : (H, A) float
    W2 : (H, A) float
    v : (A,) float

    Returns
    -------
    dh_tilde : (N, H) float
    dhs : (N, T, H) float
    dW1 : (H, A) float
    dW2 : (H, A) float
    dv : (A,) float
    """
    s = np.tanh((h_tilde @ W1)[:, None, :] + hs @ W2)  # (N, T, A)
    dz = de[:, :, None] * v * (1 - s**2)  # (N, T, A)
    dquery = dz.sum(axis=1)  # (N, A)      h̃ served all T words
    dh_tilde = dquery @ W1.T
    dhs = dz @ W2.T
    dW1 = h_tilde.T @ dquery
    dW2 = hs.reshape(-1, len(W2)).T @ dz.reshape(-1, len(v))  # all words of all sentences as rows
    dv = de.ravel() @ s.reshape(-1, len(v))
    return dh_tilde, dhs, dW1, dW2, dv
