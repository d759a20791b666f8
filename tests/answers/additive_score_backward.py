"""Right and wrong answers to `additive_score_backward`."""

from tests.answers.register import *  # noqa: F403

ok, bad = answers("additive_score_backward", weights=(3, 4), gradients=(2, 3))


def T_(h, hs, W1, W2): return np.tanh((h @ W1.T)[:, None] + hs @ W2.T)
def _fin(dp, t, de, h, hs, W1, W2):
    q = dp.sum(1); return [q @ W1, dp @ W2, q.T @ h, np.einsum('nta,nth->ah', dp, hs), np.einsum('nt,nta->a', de, t)]
def _dp(de, t, v): return de[..., None] * v * (1 - t * t)
@ok
def einsum(de, h, hs, W1, W2, v):
    t = T_(h, hs, W1, W2); dp = np.einsum('nt,a,nta->nta', de, v, 1 - t ** 2)
    return np.einsum('nta,ah->nh', dp, W1), np.einsum('nta,ah->nth', dp, W2), np.einsum('nta,nh->ah', dp, h), np.einsum('nta,nth->ah', dp, hs), np.einsum('nt,nta->a', de, t)
@ok
def per_time(de, h, hs, W1, W2, v):
    r = [0, [], 0, 0, 0]
    for i in range(hs.shape[1]):
        t = np.tanh(h @ W1.T + hs[:, i] @ W2.T); dp = de[:, i:i + 1] * v * (1 - t ** 2)
        r[0] = r[0] + dp @ W1; r[1].append(dp @ W2); r[2] = r[2] + dp.T @ h; r[3] = r[3] + dp.T @ hs[:, i]; r[4] = r[4] + de[:, i] @ t
    r[1] = np.stack(r[1], 1); return tuple(r)
@ok
def numerical(de, h, hs, W1, W2, v):                 # five-point differences, accurate to about 1e-9 in float64
    P = [x.astype(float).copy() for x in (h, hs, W1, W2, v)]; G = []
    f = lambda: (de * (T_(*P[:4]) @ P[4])).sum()
    for p in P:
        g = np.zeros(p.shape)
        for ix in np.ndindex(p.shape):
            o = p[ix]; st = 2e-3; val = []
            for k in (-2, -1, 1, 2): p[ix] = o + k * st; val.append(f())
            p[ix] = o; g[ix] = (val[0] - 8 * val[1] + 8 * val[2] - val[3]) / (12 * st)
        G.append(g)
    return tuple(G)
def _mut(name, sent, fn, src='common knowledge'):
    def f(de, h, hs, W1, W2, v): return fn(de, h, hs, W1, W2, v)
    f.__name__ = name; bad(sent, src)(f)
def _base(de, h, hs, W1, W2, v, dp=None):
    t = T_(h, hs, W1, W2); return _fin(_dp(de, t, v) if dp is None else dp(t), t, de, h, hs, W1, W2)
def _with(k, val):
    def g(*a):
        r = _base(*a); r[k] = val(r, *a); return tuple(r)
    return g
_mut('no_tanh_grad', "tanh' = 1 - tanh^2 forgotten.", lambda *a: tuple(_base(*a, dp=lambda t: a[0][..., None] * a[5] * np.ones_like(t))))
_mut('one_minus_t', "tanh' written as 1 - tanh (square forgotten).", lambda *a: tuple(_base(*a, dp=lambda t: a[0][..., None] * a[5] * (1 - t))))
_mut('sigmoid_grad', "Derivative of the sigmoid, t(1-t), used for tanh.", lambda *a: tuple(_base(*a, dp=lambda t: a[0][..., None] * a[5] * t * (1 - t))))
_mut('dW_transposed', "dW1 and dW2 transposed (silent when A = H).", lambda *a: (lambda r: (r[0], r[1], r[2].T, r[3].T, r[4]))(_base(*a)))
_mut('dW2_last_word', "dW2 from the last word only.", _with(3, lambda r, de, h, hs, W1, W2, v: _dp(de, T_(h, hs, W1, W2), v)[:, -1].T @ hs[:, -1]))
_mut('dv_pre_activation', "dv built with the pre-activation instead of its tanh.", _with(4, lambda r, de, h, hs, W1, W2, v: np.einsum('nt,nta->a', de, (h @ W1.T)[:, None] + hs @ W2.T)))
_mut('dv_no_de', "dv without de.", _with(4, lambda r, de, h, hs, W1, W2, v: T_(h, hs, W1, W2).sum((0, 1))))
_mut('swapped_W_grads', "dW1 and dW2 returned in the wrong order.", lambda *a: (lambda r: (r[0], r[1], r[3], r[2], r[4]))(_base(*a)))
_mut('dhs_zero', "dhs missing.", _with(1, lambda r, *a: 0 * r[1]))
