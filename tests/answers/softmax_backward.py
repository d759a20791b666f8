"""Right and wrong answers to `softmax_backward`."""

from tests.answers.register import *  # noqa: F403

ok, bad = answers("softmax_backward")


@ok
def formula(da, a): return a * (da - (a * da).sum(axis=1, keepdims=True))
@ok
def einsum(da, a): return a * da - a * np.einsum('nt,nt->n', a, da)[:, None]
@ok
def jacobian_batch(da, a):
    J = np.einsum('ni,ij->nij', a, np.eye(a.shape[1])) - a[:, :, None] * a[:, None, :]; return np.einsum('nij,nj->ni', J, da)
@ok
def matmul(da, a): return a * (da - (a[:, None] @ da[:, :, None])[:, :, 0])
@ok
def diagonal_plus_offdiagonal(da, a):
    diag = a * (1 - a) * da; off = -a * ((a * da).sum(1, keepdims=True) - a * da); return diag + off
@ok
def per_row_dot(da, a): return np.stack([p * (g - p.dot(g)) for p, g in zip(a, da)])
@bad('Only the diagonal a(1-a): the influence on the other positions is missing.', 'deeplearning4j/libnd4j#440, Apiquet/DeepLearningFrameworkFromScratchCpp#1')
def diagonal_only(da, a): return a * (1 - a) * da
@bad('Gradient passed through unchanged.')
def identity(da, a): return da * 1.0
@bad('Sum over the whole batch instead of per row (right for N=1).')
def sum_all(da, a): return a * (da - (a * da).sum())
@bad('The cross-entropy shortcut (a - target) used where no cross-entropy follows.', 'hellobilllee/CNN_from_scratch softmax.py')
def ce_shortcut(da, a): return a - da
@bad('Subtracted the plain sum of da instead of the a-weighted sum.')
def unweighted_sum(da, a): return a * (da - da.sum(1, keepdims=True))
@bad('Subtracted the mean of da (right for uniform a).')
def mean_da(da, a): return a * (da - da.mean(1, keepdims=True))
@bad('The second term not multiplied by a: a*da - sum(a*da).')
def a_missing(da, a): return a * da - (a * da).sum(1, keepdims=True)
@bad('Factor 2.', 'markroxor/fromscratchtoml#65')
def factor2(da, a): return 2 * a * (da - (a * da).sum(1, keepdims=True))
@bad('Jacobian without the a_i a_j part, then a applied twice.')
def a_squared(da, a): return a * a * (da - (a * da).sum(1, keepdims=True))
@bad('da changed in place.', 'pytorch/pytorch#81417', policy=True)
def inplace(da, a):
    r = a * (da - (a * da).sum(1, keepdims=True)); da *= a.astype(da.dtype); return r
