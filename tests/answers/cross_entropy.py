"""Right and wrong answers to `cross_entropy`."""

from tests.answers.register import *  # noqa: F403

ok, bad = answers("cross_entropy")


def reference(z, y):
    z = z.astype(float); tot = 0.0
    for n in range(len(z)):
        m = z[n].max(); tot += m + np.log(np.exp(z[n] - m).sum()) - z[n, y[n]]
    return tot / len(z)
def lsm(z):
    s = z - z.max(1, keepdims=True); return s - np.log(np.exp(s).sum(1, keepdims=True))
@ok
def take_along(z, y): return -np.mean(np.take_along_axis(lsm(z), y[:, None], axis=1))
@ok
def list_comprehension(z, y): return sum(-lsm(z)[n, y[n]] for n in range(len(y))) / len(y)
@ok
def einsum(z, y): return -np.einsum('nv,nv->', np.equal(np.arange(z.shape[1])[None], y[:, None]).astype(float), lsm(z)) / z.shape[0]
_i = lambda y: np.arange(len(y))
@bad('Mean over all N*V entries.')
def mean_all(z, y): return -(np.eye(z.shape[1])[y] * lsm(z)).mean()
@bad('Divided by V instead of N (silent when V = N).')
def divide_V(z, y): return -lsm(z)[_i(y), y].sum() / z.shape[1]
@bad('p[:, y] picks an (N,N) table: every target against every row (right for N=1).')
def fancy_index(z, y): return -lsm(z)[:, y].mean()
@bad('Indices swapped: p[y, arange] (silent when N = V).')
def swapped_index(z, y): return -lsm(z)[y, _i(y)].mean()
@bad('log of an unshifted softmax: overflow for large logits.', 'apache/singa#540')
def unstable(z, y):
    with np.errstate(all='ignore'):
        p = np.exp(z) / np.exp(z).sum(1, keepdims=True); return -np.log(p[_i(y), y]).mean()
@bad('log(softmax): the target\'s probability underflows to 0 and the loss becomes inf.')
def log_of_zero(z, y):
    with np.errstate(all='ignore'): return -np.log(sm(z.astype(float))[_i(y), y]).mean()
@bad('log(p + 1e-7) caps the loss at about 16.1, so a badly wrong answer looks fine.', 'oreilly-japan/deep-learning-from-scratch-2 common/functions.py cross_entropy_error', policy=True)
def eps_1e7(z, y): return -np.log(sm(z.astype(float))[_i(y), y] + 1e-7).mean()
@bad('Probabilities clipped at 1e-3.')
def clipped(z, y): return -np.log(np.clip(sm(z.astype(float)), 1e-3, 1))[_i(y), y].mean()
@bad('log base 2.')
def log2(z, y): return -lsm(z)[_i(y), y].mean() / np.log(2)
@bad('Softmax applied twice (probabilities handed to a function that applies softmax again).')
def double_softmax(z, y): return -lsm(sm(z.astype(float)))[_i(y), y].mean()
@bad('Average of p first, log afterwards.')
def log_of_mean(z, y): return -np.log(sm(z.astype(float))[_i(y), y].mean() + 1e-300)
@bad('Target ids off by one.')
def off_by_one(z, y): return -lsm(z)[_i(y), y - 1].mean()
@bad('Penalty on the other classes added (binary cross-entropy).')
def binary_ce(z, y):
    p = np.clip(sm(z.astype(float)), 1e-15, 1 - 1e-15); t = np.eye(z.shape[1])[y]; return -(t * np.log(p) + (1 - t) * np.log(1 - p)).sum() / len(y)
@bad('Perplexity (exp of the loss) returned.')
def perplexity(z, y):
    with np.errstate(over='ignore'): return np.exp(-lsm(z)[_i(y), y].mean())
@bad('Entropy of the prediction: the target is never used.')
def entropy(z, y):
    p = sm(z.astype(float)); return -(p * lsm(z)).sum(1).mean()
@bad('Only the first example.')
def first_only(z, y): return -lsm(z)[0, y[0]]
@bad('Uses the predicted class instead of the target.')
def argmax_target(z, y): return -lsm(z).max(1).mean()
@bad('Logits shifted in place.', 'jhcross/span-parser#2', policy=True)
def inplace(z, y):
    r = reference(z, y)
    if z.dtype.kind == 'f': z -= z.max(1, keepdims=True)
    return r
