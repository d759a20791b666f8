"""Right and wrong answers to `context`."""

from tests.answers.register import *  # noqa: F403

ok, bad = answers("context")


@ok
def einsum(a, hs): return np.einsum('nt,nth->nh', a, hs)
@ok
def broadcast_sum(a, hs): return (a[:, :, None] * hs).sum(axis=1)
@ok
def matmul_row(a, hs): return (a[:, None, :] @ hs)[:, 0]
@ok
def matmul_transposed(a, hs): return np.matmul(hs.transpose(0, 2, 1), a[..., None]).squeeze(-1)
@ok
def per_example_dot(a, hs): return np.array([w @ h for w, h in zip(a, hs)])
@ok
def accumulate(a, hs):
    c = 0.0
    for i in range(hs.shape[1]): c = c + a[:, i:i + 1] * hs[:, i]
    return c
@ok
def own_buffer(a, hs):
    t = np.array(hs, dtype=np.float64); t *= a.reshape(a.shape + (1,))
    return t.sum(1)
@ok
def tensordot_diagonal(a, hs):
    f = np.tensordot(a, hs, axes=([1], [1])); i = np.arange(len(a)); return f[i, i]
@ok
def reversed_order(a, hs): return sum(a[:, i][:, None] * hs[:, i] for i in reversed(range(hs.shape[1])))
@bad('Unweighted mean of the encoder states (right for uniform weights).')
def plain_mean(a, hs): return hs.mean(axis=1)
@bad('Weights multiplied onto one state (the last one / h~) instead of onto all encoder states.', 'microsoft/CNTK#2083, ematvey/hierarchical-attention-networks#2')
def weights_on_last(a, hs): return (a[:, :, None] * hs[:, -1:, :]).sum(1)
@bad('Summed over the batch.')
def sum_batch(a, hs): return (a[:, :, None] * hs).sum(axis=0)
@bad('a[:, None, :] puts the weights on the feature axis; runs only when T equals H.')
def weights_on_features(a, hs): return (a[:, None, :] * hs).sum(axis=1)
@bad('a @ hs on batches mixes all examples with all others; [:, 0] keeps the wrong ones (right for N=1).')
def batched_at(a, hs): return (a @ hs)[:, 0]
@bad('Averaged after weighting: divided by T although the weights already sum to 1.')
def mean_after(a, hs): return (a[:, :, None] * hs).mean(axis=1)
@bad('Weights in reversed order.')
def reversed_weights(a, hs): return np.einsum('nt,nth->nh', a[:, ::-1], hs)
@bad('reshape where transpose was needed.', 'jsbaan/transformer-from-scratch#6, ajhalthor/Transformer-Neural-Network#4')
def reshape_not_transpose(a, hs):
    N, T, H = hs.shape; return (hs.reshape(N, H, T) @ a[:, :, None])[..., 0]
@bad('Read hs as (T,N,H) by reshape.')
def time_major_reshape(a, hs):
    N, T, H = hs.shape; return np.einsum('nt,tnh->nh', a, hs.reshape(T, N, H))
@bad('Integer result array cuts the context to whole numbers.')
def int_buffer(a, hs):
    c = np.zeros_like(hs[:, 0])
    for n in range(len(hs)): c[n] = (a[n][:, None] * hs[n]).sum(0)
    return c
@bad('Returned (N,1,H) instead of (N,H).')
def extra_axis(a, hs): return a[:, None, :] @ hs
@bad('First word left out (started the loop at 1).')
def first_left_out(a, hs): return np.einsum('nt,nth->nh', a[:, 1:], hs[:, 1:])
@bad('Loop overwrites instead of adding: only the last word remains.')
def overwritten(a, hs):
    for i in range(hs.shape[1]): c = a[:, i:i + 1] * hs[:, i]
    return c
@bad('hs *= a destroys the encoder states: step 1 is right, every later step is wrong.', policy=True)
def inplace_hs(a, hs):
    hs *= a[:, :, None]; return hs.sum(1)
@bad('Accumulator shared between calls (created once as a default argument).', 'pgmpy/pgmpy#2754, NM512/dreamerv3-torch#50')
def shared_default(a, hs, acc={}):
    k = hs.shape; acc.setdefault(k, np.zeros((k[0], k[2])))
    acc[k] += np.einsum('nt,nth->nh', a, hs); return acc[k].copy()
