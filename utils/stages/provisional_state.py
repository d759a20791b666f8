"""Notebook 01, stage 1: the encoder's states and the decoder's provisional state."""

import numpy as np

from utils.shapes import checks_shapes


@checks_shapes
def rnn_step(x, h_prev, Wx, Wh, b):
    """One step of the recurrent network.

    h = tanh(x Wx + h_prev Wh + b)

    Parameters
    ----------
    x : (N, D) float
        The embedded word.
    h_prev : (N, H) float
        The state before the word.
    Wx : (D, H) float
    Wh : (H, H) float
    b : (H,) float

    Returns
    -------
    (N, H) float
        The state after the word.

    Source: Elman (1990).
    """
    return np.tanh(x @ Wx + h_prev @ Wh + b)


@checks_shapes
def encode(X, keep, Wx, Wh, b):
    """Read a batch of sentences, word by word.

    h_0 = 0, and h_t = tanh(x_t Wx + h_{t-1} Wh + b) at a real word; at padding h_t = h_{t-1}.

    Parameters
    ----------
    X : (N, T, D) float
        The embedded words.
    keep : (N, T) bool
        True (or 1) at real words, False (or 0) at padding.
    Wx : (D, H) float
    Wh : (H, H) float
    b : (H,) float

    Returns
    -------
    (N, T, H) float
        hs: the state after every word. hs[:, -1] is the state after each sentence's last real word.

    Source: Sutskever, Vinyals and Le (2014), section 2.
    """
    N, T, D = X.shape
    h = np.zeros((N, len(b)), X.dtype)
    hs = []
    for t in range(T):
        real = keep[:, t, None] != 0  # (N, 1)
        h = np.where(real, rnn_step(X[:, t], h, Wx, Wh, b), h)
        hs.append(h)
    return np.stack(hs, axis=1)


@checks_shapes
def decoder_init(hs):
    """The state that the decoder starts from: the encoder's last one.

    Parameters
    ----------
    hs : (N, T, H) float
        Encoder states.

    Returns
    -------
    (N, H) float

    Source: Sutskever, Vinyals and Le (2014), section 2.
    """
    return hs[:, -1]


@checks_shapes
def shift_right(y, bos):
    """What the decoder reads while it is trained: bos, then the targets but the last.

    Parameters
    ----------
    y : (N, U) int
        Target words.
    bos : int
        The word that opens every sentence.

    Returns
    -------
    (N, U) int
    """
    shifted = np.empty_like(y)
    shifted[:, 0] = bos
    shifted[:, 1:] = y[:, :-1]
    return shifted


@checks_shapes
def provisional_states(hs, Y, Wx, Wh, b):
    """The decoder's provisional states for all target words (teacher forcing).

    h̃_0 = hs[-1], and h̃_t = tanh(y_t Wx + h̃_{t-1} Wh + b)

    Parameters
    ----------
    hs : (N, T, H) float
        Encoder states.
    Y : (N, U, D) float
        The embedded decoder inputs: bos, then the targets but the last.
    Wx : (D, H) float
    Wh : (H, H) float
    b : (H,) float

    Returns
    -------
    (N, U, H) float

    Source: Saitoh (2018), chapter 8; the h of Luong, Pham and Manning (2015).
    """
    h_tilde = decoder_init(hs)
    states = []
    for t in range(Y.shape[1]):
        h_tilde = rnn_step(Y[:, t], h_tilde, Wx, Wh, b)
        states.append(h_tilde)
    return np.stack(states, axis=1)


@checks_shapes
def linear_backward(dy, x, W):
    """The gradients of y = x W: a brick of many others.

    dx_{n,i} = Σ_o dy_{n,o} W_{i,o},   dW_{i,o} = Σ_n x_{n,i} dy_{n,o}

    Parameters
    ----------
    dy : (N, O) float
        The gradient that arrives at y.
    x : (N, I) float
    W : (I, O) float

    Returns
    -------
    dx : (N, I) float
    dW : (I, O) float
        Summed over the batch.
    """
    dx = dy @ W.T
    dW = x.T @ dy
    return dx, dW


@checks_shapes
def rnn_step_backward(dh, x, h_prev, Wx, Wh, b):
    """The gradients of h = tanh(x Wx + h_prev Wh + b).

    dz = dh (1 − h²); then each product is a linear layer, and b was used once per sentence.

    Parameters
    ----------
    dh : (N, H) float
        The gradient that arrives at h.
    x : (N, D) float
    h_prev : (N, H) float
    Wx : (D, H) float
    Wh : (H, H) float
    b : (H,) float

    Returns
    -------
    dx : (N, D) float
    dh_prev : (N, H) float
    dWx : (D, H) float
    dWh : (H, H) float
    db : (H,) float

    Source: Rumelhart, Hinton and Williams (1986).
    """
    h = rnn_step(x, h_prev, Wx, Wh, b)
    dz = dh * (1 - h**2)  # (N, H)
    dx, dWx = linear_backward(dz, x, Wx)
    dh_prev, dWh = linear_backward(dz, h_prev, Wh)
    db = dz.sum(axis=0)
    return dx, dh_prev, dWx, dWh, db


@checks_shapes
def embedding_backward(dX, ids, V):
    """The gradient of X = E[ids]: a word's row collects from every place where the word stands.

    dE_v = Σ dX_{n,t} over all n, t with ids_{n,t} = v

    Parameters
    ----------
    dX : (N, T, D) float
        The gradient that arrives at X.
    ids : (N, T) int
    V : int
        The number of words in the vocabulary.

    Returns
    -------
    (V, D) float
        dE; rows of words that do not occur are 0.
    """
    dE = np.zeros((V, dX.shape[2]))
    np.add.at(dE, ids, dX)
    return dE
