"""Right and wrong answers to `dot_score`."""

from tests.answers.register import *  # noqa: F403

ok, bad = answers("dot_score")


@ok
def broadcast_sum(h, hs): return (hs * h[:, None, :]).sum(axis=2)
@ok
def matmul_column(h, hs): return np.matmul(hs, h[:, :, None])[..., 0]
@ok
def stack_over_time(h, hs): return np.stack([(h * hs[:, i]).sum(1) for i in range(hs.shape[1])], axis=1)
@ok
def feature_accumulate_reversed(h, hs):
    e = np.zeros(hs.shape[:2])
    for k in reversed(range(hs.shape[2])):
        e += h[:, k][:, None] * hs[:, :, k]
    return e
@ok
def repeat_query(h, hs): return np.sum(np.repeat(h[:, None], hs.shape[1], axis=1) * hs, axis=-1)
@bad('Multiplied (N,T,H) by (N,H) without a time axis: NumPy lines N up with T, right only when N is 1.', 'j-min/MoChA-pytorch#3')
def no_time_axis(h, hs): return (hs * h).sum(axis=-1)
@bad('np.dot(hs, h~.T) mixes every example with every query; taking [..., 0] uses example 0\'s query for all.', 'spro/practical-pytorch#51')
def np_dot_first_query(h, hs): return np.dot(hs, h.T)[..., 0]
@bad('einsum gave the query its own batch letter, so the queries of all examples are summed.')
def einsum_query_letter(h, hs): return np.einsum('mh,nth->nt', h, hs)
@bad('Averaged over the features instead of summing.')
def feature_mean(h, hs): return (hs * h[:, None]).mean(axis=2)
@bad('Cosine similarity: divided by the norms (right on unit or one-hot vectors).')
def cosine(h, hs):
    return np.einsum('nh,nth->nt', h, hs) / (np.linalg.norm(h, axis=1)[:, None] * np.linalg.norm(hs, axis=2) + 1e-12)
@bad('Took absolute values, so opposite vectors look similar (right on positive data).')
def absolute(h, hs): return np.abs(hs * h[:, None]).sum(-1)
@bad('Kept the feature axis: the result is (N,T,1), which breaks softmax over the last axis later.', 'DEEP-PolyU/KEQA_WSDM19#2')
def keepdims_left(h, hs): return (hs * h[:, None]).sum(axis=2, keepdims=True)
@bad('Returned attention weights (already softmaxed) instead of raw scores.')
def softmaxed(h, hs): return sm(np.einsum('nh,nth->nt', h, hs))
@bad('Scored the encoder states against themselves.')
def self_score(h, hs): return (hs * hs).sum(-1)
@bad('Time axis reversed.')
def reversed_time(h, hs): return np.einsum('nh,nth->nt', h, hs)[:, ::-1]
@bad('Multiplied hs in place: the encoder states are destroyed for the next decoder step.', policy=True)
def inplace_hs(h, hs):
    hs *= h[:, None, :]
    return hs.sum(axis=2)
@bad('Only example 0 is scored and copied to the whole batch (right for N=1).')
def first_example(h, hs): return np.tile(hs[0] @ h[0], (len(h), 1))
