"""Right and wrong answers to `clip_by_norm`."""

from tests.answers.register import *  # noqa: F403

ok, bad = answers("clip_by_norm")


_n = lambda gs: np.sqrt(sum(float((np.asarray(g, float) ** 2).sum()) for g in gs))
@ok
def if_larger(gs, m): n = _n(gs); return [g * (m / n) for g in gs] if n > m else [g * 1.0 for g in gs]
@ok
def eps_1e6(gs, m):                                  # book and PyTorch write max_norm / (norm + 1e-6)
    r = m / (_n(gs) + 1e-6); return [g * r for g in gs] if r < 1 else [g.astype(float) for g in gs]
@ok
def concatenated(gs, m): n = np.linalg.norm(np.concatenate([np.ravel(g) for g in gs]).astype(float)); return [g / max(1.0, n / m) for g in gs]
@ok
def norm_of_norms(gs, m): n = np.linalg.norm([np.linalg.norm(g) for g in gs]); return [np.multiply(g, m / max(n, m)) for g in gs]
@ok
def vdot(gs, m): n = sum(float(np.vdot(np.asarray(g, float), np.asarray(g, float))) for g in gs) ** .5; return tuple(g * (1 if n <= m else m / n) for g in gs)
@bad('Every entry clipped on its own to [-max, max].')
def elementwise(gs, m): return [np.clip(g, -m, m) * 1.0 for g in gs]
@bad('Every array clipped to its own norm (right for a single array).', 'huggingface/transformers#581, carpedm20/MemN2N-tensorflow#19, huggingface/transformers#614')
def per_array(gs, m): return [np.asarray(g, float) * min(1, m / (np.linalg.norm(g) + 1e-12)) for g in gs]
@bad('Always rescaled to max_norm, also when the norm is smaller: small gradients are blown up.')
def always(gs, m): n = _n(gs); return [g * (m / (n + 1e-300)) for g in gs]
@bad('Largest entry instead of the norm.')
def linf(gs, m): n = max(np.abs(g).max() for g in gs); return [g * min(1, m / (n + 1e-300)) for g in gs]
@bad('Largest array norm instead of the norm of everything.')
def largest_array(gs, m): n = max(np.linalg.norm(g) for g in gs); return [g * min(1, m / (n + 1e-300)) for g in gs]
@bad('Divided by the norm: unit norm whatever max_norm is (right for max_norm = 1).')
def unit(gs, m): n = _n(gs); return [g / n if n > m else g * 1.0 for g in gs]
@bad('Only the first array is rescaled.')
def first_only(gs, m): n = _n(gs); return [g * min(1, m / (n + 1e-300)) if k == 0 else g * 1.0 for k, g in enumerate(gs)]
@bad('Rescaled in place (as the book does): the caller\'s gradients change.', 'WegraLee/deep-learning-from-scratch-2 common/util.py clip_grads', policy=True)
def inplace(gs, m):
    n = _n(gs)
    if n > m:
        for g in gs:
            if g.dtype.kind == 'f': g *= g.dtype.type(m / n)
            else: g[...] = g * (m / n)
    return [g.astype(float) for g in gs]
