"""Right and wrong answers to `dot_score_one`."""

from tests.answers.register import *  # noqa: F403

ok, bad = answers("dot_score_one")


@ok
def vecmat(h, hs): return h @ hs.T
@ok
def einsum(h, hs): return np.einsum('h,th->t', h, hs)
@ok
def broadcast(h, hs): return (h * hs).sum(axis=1)
@ok
def loop_list(h, hs): return np.array([np.dot(h, x) for x in hs])
@ok
def column(h, hs): return (hs @ h[:, None]).ravel()
@bad('hs.T @ h: runs only when T = H.')
def transposed(h, hs): return hs.T @ h
@bad('h[:, None] * hs: the query is lined up with time, runs only when T = H.')
def query_on_time(h, hs): return (h[:, None] * hs).sum(axis=1)
@bad('Everything summed to one number.')
def scalar(h, hs): return (h * hs).sum()
@bad('(1,T) instead of (T,).')
def row_matrix(h, hs): return h[None] @ hs.T
@bad('Last encoder state instead of h~ (right on the first step).', 'tensorflow/tensorflow#33828')
def last_state(h, hs): return hs @ hs[-1]
@bad('Divided by sqrt(H).')
def scaled(h, hs): return hs @ h / np.sqrt(len(h))
@bad('Divided by H (mean).')
def mean(h, hs): return (h * hs).mean(1)
@bad('Absolute value.')
def absolute(h, hs): return np.abs(hs @ h)
@bad('Last word left out.')
def one_short(h, hs):
    e = np.zeros(len(hs))
    for i in range(len(hs) - 1): e[i] = hs[i] @ h
    return e
@bad('Already softmaxed.')
def softmaxed(h, hs): return sm(hs @ h)
@bad('hs changed in place.', policy=True)
def inplace(h, hs): hs *= h; return hs.sum(1)
