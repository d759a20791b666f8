"""Right and wrong answers to `combine_weighted_sum`."""

from tests.answers.register import *  # noqa: F403

ok, bad = answers("combine_weighted_sum")


def _al(alpha, N): return np.broadcast_to(np.asarray(alpha, float).reshape(-1, 1), (N, 1))
@ok
def interpolation(h, c, alpha): return c + alpha * (h - c)
@ok
def loops(h, c, alpha):
    a = _al(alpha, len(h))
    return np.array([[float(a[n, 0]) * float(x) + (1 - float(a[n, 0])) * float(y) for x, y in zip(h[n], c[n])] for n in range(len(h))])
@ok
def own_buffer(h, c, alpha):
    o = np.array(h, dtype=float); o *= alpha; o += (1 - np.asarray(alpha, float)) * c; return o
@bad('Plain sum without weights.')
def plain_sum(h, c, alpha): return h + c + 0.0
@bad('alpha used for both parts.')
def alpha_both(h, c, alpha): return alpha * h + alpha * c
@bad('Sign slip: alpha - 1 instead of 1 - alpha.')
def sign_slip(h, c, alpha): return alpha * h + (alpha - 1) * c
@bad('alpha treated as a logit.')
def sigmoid_alpha(h, c, alpha):
    s = 1 / (1 + np.exp(-np.asarray(alpha, float))); return s * h + (1 - s) * c
@bad('alpha squared.')
def squared(h, c, alpha): return alpha ** 2 * h + (1 - alpha ** 2) * c
@bad('Geometric mean instead of a weighted sum.')
def geometric(h, c, alpha): return np.sign(h) * np.abs(h) ** alpha * np.abs(c) ** (1 - alpha)
@bad('alpha flattened: (N,) lines up with the features, silent when N = H.')
def flattened(h, c, alpha):
    a = np.ravel(alpha); return a * h + (1 - a) * c
@bad('Mean of alpha used for the whole batch.')
def mean_alpha(h, c, alpha):
    a = np.mean(alpha); return a * h + (1 - a) * c
@bad('Divided by 2 again after weighting.')
def halved(h, c, alpha): return (alpha * h + (1 - alpha) * c) / 2
@bad('h~ changed in place.', policy=True)
def inplace(h, c, alpha):
    if h.dtype.kind != 'f': h = h.astype(float)
    h *= alpha; h += (1 - alpha) * c; return h
@bad('Result array takes integer dtype.')
def int_buffer(h, c, alpha):
    o = np.empty_like(c); o[...] = alpha * h + (1 - alpha) * c; return o
@bad('c ignored.')
def c_ignored(h, c, alpha): return alpha * h
