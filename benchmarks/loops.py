"""The exercises with plain loops over sentences and words, as one may well write them: right, and slow.

The stages by the same names. What is not here (`provisional_states` and so on) loops as little in any form.
"""

import numpy as np


def embed(ids, E):
    X = np.zeros((*ids.shape, E.shape[1]))
    for n in range(len(ids)):
        for t in range(ids.shape[1]):
            X[n, t] = E[ids[n, t]]
    return X


def rnn_step(x, h_prev, Wx, Wh, b):
    h = np.zeros(h_prev.shape)
    for n in range(len(x)):
        h[n] = np.tanh(x[n] @ Wx + h_prev[n] @ Wh + b)
    return h


def encode(X, keep, Wx, Wh, b):
    hs = np.zeros((*X.shape[:2], len(b)))
    for n in range(len(X)):
        h = np.zeros(len(b))
        for t in range(X.shape[1]):
            if keep[n, t]:
                h = np.tanh(X[n, t] @ Wx + h @ Wh + b)
            hs[n, t] = h
    return hs


def linear_backward(dy, x, W):
    dx, dW = np.zeros(x.shape), np.zeros(W.shape)
    for n in range(len(x)):
        dx[n] = W @ dy[n]
        dW += np.outer(x[n], dy[n])
    return dx, dW


def rnn_step_backward(dh, x, h_prev, Wx, Wh, b):
    dx, dh_prev = np.zeros(x.shape), np.zeros(h_prev.shape)
    dWx, dWh, db = np.zeros(Wx.shape), np.zeros(Wh.shape), np.zeros(b.shape)
    for n in range(len(x)):
        h = np.tanh(x[n] @ Wx + h_prev[n] @ Wh + b)
        dz = dh[n] * (1 - h**2)
        dx[n], dh_prev[n] = Wx @ dz, Wh @ dz
        dWx += np.outer(x[n], dz)
        dWh += np.outer(h_prev[n], dz)
        db += dz
    return dx, dh_prev, dWx, dWh, db


def embedding_backward(dX, ids, V):
    dE = np.zeros((V, dX.shape[2]))
    for n in range(len(ids)):
        for t in range(ids.shape[1]):
            dE[ids[n, t]] += dX[n, t]
    return dE


def additive_score(h_tilde, hs, W1, W2, v):
    e = np.zeros(hs.shape[:2])
    for n in range(len(hs)):
        for i in range(hs.shape[1]):
            e[n, i] = v @ np.tanh(h_tilde[n] @ W1 + hs[n, i] @ W2)
    return e


def additive_score_backward(de, h_tilde, hs, W1, W2, v):
    dh_tilde, dhs = np.zeros(h_tilde.shape), np.zeros(hs.shape)
    dW1, dW2, dv = np.zeros(W1.shape), np.zeros(W2.shape), np.zeros(v.shape)
    for n in range(len(hs)):
        for i in range(hs.shape[1]):
            s = np.tanh(h_tilde[n] @ W1 + hs[n, i] @ W2)
            dz = de[n, i] * v * (1 - s**2)
            dv += de[n, i] * s
            dW1 += np.outer(h_tilde[n], dz)
            dW2 += np.outer(hs[n, i], dz)
            dh_tilde[n] += W1 @ dz
            dhs[n, i] = W2 @ dz
    return dh_tilde, dhs, dW1, dW2, dv


def masked_softmax(e, keep):
    a = np.zeros(e.shape)
    for n in range(len(e)):
        kept = np.flatnonzero(keep[n])
        if len(kept) > 0:
            z = np.exp(e[n, kept] - e[n, kept].max())
            a[n, kept] = z / z.sum()
    return a


def softmax_backward(da, a):
    de = np.zeros(a.shape)
    for n in range(len(a)):
        de[n] = a[n] * (da[n] - a[n] @ da[n])
    return de


def context(a, hs):
    c = np.zeros((len(hs), hs.shape[2]))
    for n in range(len(hs)):
        for i in range(hs.shape[1]):
            c[n] += a[n, i] * hs[n, i]
    return c


def context_backward(dc, a, hs):
    da, dhs = np.zeros(a.shape), np.zeros(hs.shape)
    for n in range(len(hs)):
        for i in range(hs.shape[1]):
            da[n, i] = dc[n] @ hs[n, i]
            dhs[n, i] = a[n, i] * dc[n]
    return da, dhs


def combine_concat(h_tilde, c, Wc):
    h = np.zeros((len(h_tilde), Wc.shape[1]))
    for n in range(len(h)):
        h[n] = np.tanh(np.concatenate([h_tilde[n], c[n]]) @ Wc)
    return h


def combine_concat_backward(dh, h_tilde, c, Wc):
    dh_tilde, dc, dWc = np.zeros(h_tilde.shape), np.zeros(c.shape), np.zeros(Wc.shape)
    for n in range(len(h_tilde)):
        both = np.concatenate([h_tilde[n], c[n]])
        dz = dh[n] * (1 - np.tanh(both @ Wc) ** 2)
        dWc += np.outer(both, dz)
        dh_tilde[n], dc[n] = np.split(Wc @ dz, 2)
    return dh_tilde, dc, dWc


def cross_entropy(logits, y):
    loss = 0.0
    for row, word in zip(logits, y):
        z = row - row.max()
        loss += np.log(np.exp(z).sum()) - z[word]
    return loss / len(y)


def cross_entropy_backward(logits, y):
    dlogits = np.zeros(logits.shape)
    for n in range(len(y)):
        z = np.exp(logits[n] - logits[n].max())
        dlogits[n] = z / z.sum()
        dlogits[n, y[n]] -= 1
    return dlogits / len(y)
