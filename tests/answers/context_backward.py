"""Right and wrong answers to `context_backward`."""

from tests.answers.register import *  # noqa: F403

ok, bad = answers("context_backward")


_da = lambda dc, hs: np.einsum('nh,nth->nt', dc, hs)
_dh = lambda dc, a: np.einsum('nt,nh->nth', a, dc)
@ok
def broadcast(dc, a, hs): return (dc[:, None] * hs).sum(-1), a[..., None] * dc[:, None]
@ok
def book_style(dc, a, hs):
    N, T, H = hs.shape; dt = dc.reshape(N, 1, H).repeat(T, axis=1); return np.sum(dt * hs, axis=2), dt * a.reshape(N, T, 1)
@ok
def matmul(dc, a, hs): return (hs @ dc[:, :, None])[..., 0], a[:, :, None] @ dc[:, None, :]
@ok
def outer_loop(dc, a, hs): return np.array([h @ g for h, g in zip(hs, dc)]), np.array([np.outer(w, g) for w, g in zip(a, dc)])
@ok
def per_time(dc, a, hs): return np.stack([(dc * hs[:, i]).sum(1) for i in range(hs.shape[1])], 1), np.stack([dc * a[:, i:i + 1] for i in range(hs.shape[1])], 1)
@bad('da not summed over the features.')
def da_no_sum(dc, a, hs): return dc[:, None] * hs, _dh(dc, a)
@bad('dhs = dc for every word: the weight a is missing (as in a plain sum).')
def dhs_no_weight(dc, a, hs): return _da(dc, hs), np.repeat(dc[:, None], hs.shape[1], 1) * 1.0
@bad('dhs = a without dc.')
def dhs_no_dc(dc, a, hs): return _da(dc, hs), np.repeat(a[:, :, None], hs.shape[2], 2) * 1.0
@bad('dhs = dc / T (as for a mean; right for uniform a).')
def dhs_mean(dc, a, hs): return _da(dc, hs), np.repeat(dc[:, None], hs.shape[1], 1) / hs.shape[1]
@bad('Results in the wrong order (dhs, da).')
def swapped(dc, a, hs): return _dh(dc, a), _da(dc, hs)
@bad('da missing: weights treated as constants, so the scores never learn.')
def da_zero(dc, a, hs): return np.zeros(a.shape), _dh(dc, a)
@bad('dc lined up with time: dc[:, :, None], runs only when T = H.')
def dc_wrong_axis(dc, a, hs): return (dc[:, :, None] * hs).sum(2), _dh(dc, a)
@bad('dhs multiplied by hs.')
def dhs_times_hs(dc, a, hs): return _da(dc, hs), _dh(dc, a) * hs
@bad('da kept a trailing axis.')
def da_keepdims(dc, a, hs): return (dc[:, None] * hs).sum(-1, keepdims=True), _dh(dc, a)
@bad('dhs reshaped from (N,H,T) instead of transposed.')
def dhs_reshaped(dc, a, hs): return _da(dc, hs), np.einsum('nt,nh->nht', a, dc).reshape(hs.shape)
@bad('hs multiplied in place while computing da.', policy=True)
def inplace(dc, a, hs):
    d = _dh(dc, a)
    if hs.dtype.kind != 'f': raise TypeError('Cannot cast ufunc output')
    hs *= dc[:, None].astype(hs.dtype); return hs.sum(-1), d
