"""Right and wrong answers to `dot_score_backward`."""

from tests.answers.register import *  # noqa: F403

ok, bad = answers("dot_score_backward")


_a = lambda de, hs: np.einsum('nt,nth->nh', de, hs)
_b = lambda de, h: np.einsum('nt,nh->nth', de, h)
@ok
def einsum(de, h, hs): return _a(de, hs), _b(de, h)
@ok
def book_style(de, h, hs):
    N, T, H = hs.shape; dt = de.reshape(N, T, 1).repeat(H, axis=2); hr = h.reshape(N, 1, H); return np.sum(dt * hs, axis=1), dt * hr
@ok
def accumulate(de, h, hs):
    dh = np.zeros(h.shape); dhs = np.empty(hs.shape)
    for i in range(hs.shape[1]): dh += de[:, [i]] * hs[:, i]; dhs[:, i] = de[:, [i]] * h
    return dh, dhs
@ok
def outer(de, h, hs): return np.array([g @ s for g, s in zip(de, hs)]), np.array([np.outer(g, q) for g, q in zip(de, h)])
@ok
def lists(de, h, hs): return [np.array([[sum(de[n, i] * hs[n, i, k] for i in range(hs.shape[1])) for k in range(hs.shape[2])] for n in range(len(hs))]), np.multiply(np.expand_dims(de, 2), np.expand_dims(h, 1))]
@bad('dh~ not summed over the words: h~ is used T times.')
def dh_no_sum(de, h, hs): return de[:, :, None] * hs, _b(de, h)
@bad('dhs lacks h~: only de copied.')
def dhs_no_h(de, h, hs): return _a(de, hs), np.repeat(de[:, :, None], hs.shape[2], 2) * 1.0
@bad('dhs multiplied by hs instead of h~.')
def dhs_times_hs(de, h, hs): return _a(de, hs), de[:, :, None] * hs
@bad('dh~ multiplied by h~ instead of hs.')
def dh_times_h(de, h, hs): return de.sum(1, keepdims=True) * h, _b(de, h)
@bad('Results in the wrong order (dhs, dh~).')
def swapped(de, h, hs): return _b(de, h), _a(de, hs)
@bad('Example 0\'s h~ for the whole batch.')
def first_h(de, h, hs): return _a(de, hs), np.einsum('nt,h->nth', de, h[0])
@bad('Scaled by 1/sqrt(H) although the forward pass is not.')
def scaled(de, h, hs): s = np.sqrt(hs.shape[2]); return _a(de, hs) / s, _b(de, h) / s
@bad('Sign flipped.')
def sign(de, h, hs): return -_a(de, hs), -_b(de, h)
@bad('dhs missing: encoder only learns through the context.')
def dhs_zero(de, h, hs): return _a(de, hs), np.zeros(hs.shape)
@bad('dhs reshaped instead of transposed.')
def dhs_reshaped(de, h, hs): return _a(de, hs), np.einsum('nt,nh->nht', de, h).reshape(hs.shape)
