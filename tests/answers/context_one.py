"""Right and wrong answers to `context_one`."""

from tests.answers.register import *  # noqa: F403

ok, bad = answers("context_one")


@ok
def dot_t(a, hs): return np.dot(hs.T, a)
@ok
def einsum(a, hs): return np.einsum('t,th->h', a, hs)
@bad('hs @ a: runs only when T = H.')
def hs_at_a(a, hs): return hs @ a
@bad('a * hs without a column: weights land on the features, runs only when T = H.')
def no_column(a, hs): return (a * hs).sum(0)
@bad('Sum forgotten: weighted states, not yet a context vector.')
def no_sum(a, hs): return a[:, None] * hs
@bad('Mean after weighting.')
def mean_after(a, hs): return (a[:, None] * hs).mean(0)
@bad('Weights on the last state.')
def on_last(a, hs): return a.sum() * hs[-1]
@bad('Overwritten in the loop.')
def overwritten(a, hs):
    for w, h in zip(a, hs): c = w * h
    return c
@bad('Reversed weights.')
def reversed_(a, hs): return a[::-1] @ hs
@bad('Integer result array cuts the decimals.')
def int_buffer(a, hs):
    c = np.zeros_like(hs[0])
    c[...] = a @ hs; return c
