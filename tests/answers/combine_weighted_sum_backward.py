"""Right and wrong answers to `combine_weighted_sum_backward`."""

from tests.answers.register import *  # noqa: F403

ok, bad = answers("combine_weighted_sum_backward")


def _da(d, alpha): return float(d.sum()) if np.ndim(alpha) == 0 else d.sum(axis=1, keepdims=True)
@ok
def ndim(dh, h_tilde, c, alpha):
    d = dh * (h_tilde - c); return alpha * dh, (1 - alpha) * dh, (d.sum() if np.ndim(alpha) == 0 else d.sum(axis=1, keepdims=True))
@ok
def isinstance_array(dh, h_tilde, c, alpha):
    per_example = np.einsum('nh,nh->n', dh, h_tilde - c)
    return alpha * dh, dh - alpha * dh, per_example[:, None] if isinstance(alpha, np.ndarray) and alpha.ndim else float(np.sum(per_example))
@ok
def unbroadcast(dh, h_tilde, c, alpha):
    a = np.asarray(alpha); full = np.multiply(dh, h_tilde) - np.multiply(dh, c)
    while full.ndim > a.ndim: full = full.sum(axis=0)
    for axis, size in enumerate(a.shape):
        if size == 1: full = full.sum(axis=axis, keepdims=True)
    return np.multiply(a, dh), np.multiply(1 - a, dh), full
@ok
def loops(dh, h_tilde, c, alpha):
    N, H = dh.shape; scalar = np.ndim(alpha) == 0; dht, dc, total, each = np.empty((N, H)), np.empty((N, H)), 0.0, np.zeros((N, 1))
    for n in range(N):
        al = float(alpha) if scalar else float(alpha[n, 0])
        for k in range(H):
            dht[n, k], dc[n, k] = dh[n, k] * al, dh[n, k] * (1 - al); s = float(dh[n, k]) * (float(h_tilde[n, k]) - float(c[n, k])); total += s; each[n, 0] += s
    return dht, dc, total if scalar else each
@bad('The -c of d(1 - alpha) forgotten: dalpha = sum dh h_tilde (right while c is 0).')
def dalpha_without_c(dh, h_tilde, c, alpha): return alpha * dh, (1 - alpha) * dh, _da(dh * h_tilde, alpha)
@bad('Always one number for the whole batch, also for an alpha per sentence.')
def dalpha_always_scalar(dh, h_tilde, c, alpha): return alpha * dh, (1 - alpha) * dh, float((dh * (h_tilde - c)).sum())
@bad('"One number" recognised by size instead of shape: for N=1 an alpha of shape (1,1) gets a float back.')
def scalar_by_size(dh, h_tilde, c, alpha): d = dh * (h_tilde - c); return alpha * dh, (1 - alpha) * dh, (float(d.sum()) if np.size(alpha) == 1 else d.sum(axis=1, keepdims=True))
@bad('alpha taken for a logit: extra alpha (1 - alpha).')
def dalpha_sigmoid(dh, h_tilde, c, alpha): return alpha * dh, (1 - alpha) * dh, _da(dh * (h_tilde - c), alpha) * alpha * (1 - alpha)
@bad('alpha multiplied into dalpha (right for alpha = 1).')
def dalpha_times_alpha(dh, h_tilde, c, alpha): return alpha * dh, (1 - alpha) * dh, _da(dh * (h_tilde - c), alpha) * alpha
@bad('dalpha is zero: alpha can never be learned.')
def dalpha_zero(dh, h_tilde, c, alpha): return alpha * dh, (1 - alpha) * dh, 0.0 * _da(dh * h_tilde, alpha)
@bad('Absolute difference in dalpha.')
def dalpha_abs(dh, h_tilde, c, alpha): return alpha * dh, (1 - alpha) * dh, _da(dh * abs(h_tilde - c), alpha)
@bad('dc = (alpha - 1) dh: sign slip (right for alpha = 1).')
def dc_sign(dh, h_tilde, c, alpha): return alpha * dh, (alpha - 1) * dh, _da(dh * (h_tilde - c), alpha)
@bad('dc = dh: the 1 - alpha forgotten (right for alpha = 0).')
def dc_full(dh, h_tilde, c, alpha): return alpha * dh, 1.0 * dh, _da(dh * (h_tilde - c), alpha)
@bad('dh_tilde = dh: the alpha forgotten (right for alpha = 1).')
def dh_full(dh, h_tilde, c, alpha): return 1.0 * dh, (1 - alpha) * dh, _da(dh * (h_tilde - c), alpha)
@bad('dc missing: nothing flows back into the attention (right for alpha = 1).')
def dc_zero(dh, h_tilde, c, alpha): return alpha * dh, 0.0 * dh, _da(dh * (h_tilde - c), alpha)
@bad("tanh' multiplied in: the weighted sum has no tanh.")
def tanh_grad(dh, h_tilde, c, alpha): d = dh * (1 - np.tanh(alpha * h_tilde + (1 - alpha) * c) ** 2); return alpha * d, (1 - alpha) * d, _da(d * (h_tilde - c), alpha)
@bad('Operator order: 1 - alpha * dh without brackets.')
def missing_brackets(dh, h_tilde, c, alpha): return alpha * dh, 1 - alpha * dh, _da(dh * (h_tilde - c), alpha)
@bad('alpha flattened to (N,): lines up with the features, silent when N=H.')
def alpha_flattened(dh, h_tilde, c, alpha): a = np.ravel(alpha); return a * dh, (1 - a) * dh, _da(dh * (h_tilde - c), alpha)
@bad('The first sentence\'s alpha for all (right for a single number).')
def first_alpha(dh, h_tilde, c, alpha): a = np.ravel(alpha)[0]; return a * dh, (1 - a) * dh, _da(dh * (h_tilde - c), alpha)
@bad('Mean of alpha for all (right for a single number).')
def mean_alpha(dh, h_tilde, c, alpha): a = np.mean(alpha); return a * dh, (1 - a) * dh, _da(dh * (h_tilde - c), alpha)
@bad('dalpha returned first.')
def wrong_order(dh, h_tilde, c, alpha): return _da(dh * (h_tilde - c), alpha), alpha * dh, (1 - alpha) * dh
@bad('h_tilde -= c to save memory: the caller\'s state is destroyed.', policy=True)
def inplace_h_tilde(dh, h_tilde, c, alpha):
    r = alpha * dh, (1 - alpha) * dh, _da(dh * (h_tilde - c), alpha); h_tilde -= c.astype(h_tilde.dtype); return r
@bad('dalpha added up over calls.', 'pgmpy/pgmpy#2754')
def accumulates(dh, h_tilde, c, alpha, store={}):
    k = (dh.shape, np.shape(alpha)); store[k] = store.get(k, 0) + _da(dh * (h_tilde - c), alpha); return alpha * dh, (1 - alpha) * dh, store[k]
