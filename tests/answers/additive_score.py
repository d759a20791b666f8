"""Right and wrong answers to `additive_score`."""

from tests.answers.register import *  # noqa: F403

ok, bad = answers("additive_score", weights=(2, 3))


@ok
def broadcast(h, hs, W1, W2, v): return np.tanh((h @ W1.T)[:, None, :] + hs @ W2.T) @ v
@ok
def einsum(h, hs, W1, W2, v):
    return np.einsum('a,nta->nt', v, np.tanh(np.einsum('ah,nh->na', W1, h)[:, None] + np.einsum('ah,nth->nta', W2, hs)))
@ok
def per_time(h, hs, W1, W2, v):
    q = np.matmul(h, np.transpose(W1))
    return np.stack([(np.tanh(q + np.matmul(hs[:, i], W2.T)) * v).sum(-1) for i in range(hs.shape[1])], axis=-1)
@ok
def concat_single_matrix(h, hs, W1, W2, v):
    T = hs.shape[1]
    z = np.concatenate([np.repeat(h[:, None], T, 1), hs], axis=2)
    return np.tanh(z @ np.concatenate([W1, W2], axis=1).T).dot(v)
@ok
def exp_tanh(h, hs, W1, W2, v):
    z = (h @ W1.T)[:, None] + hs @ W2.T
    return ((1 - 2 / (np.exp(2 * z) + 1)) * v).sum(2)
def _z(h, hs, W1, W2): return (h @ W1.T)[:, None] + hs @ W2.T
@bad('tanh covers only the first term, not the whole sum.', 'lmjohns3/theanets#109')
def tanh_first_term(h, hs, W1, W2, v): return (np.tanh(h @ W1.T)[:, None] + hs @ W2.T) @ v
@bad('tanh applied to each term before adding them.')
def tanh_each(h, hs, W1, W2, v): return (np.tanh(h @ W1.T)[:, None] + np.tanh(hs @ W2.T)) @ v
@bad('v applied before tanh: tanh(v^T(...)) is one tanh on a scalar.')
def tanh_outside(h, hs, W1, W2, v): return np.tanh(_z(h, hs, W1, W2) @ v)
@bad('W1 and W2 swapped: W1 belongs to h~, W2 to the encoder states.')
def swapped_W(h, hs, W1, W2, v): return np.tanh(_z(h, hs, W2, W1)) @ v
@bad('sigmoid instead of tanh.')
def sigmoid(h, hs, W1, W2, v): return (1 / (1 + np.exp(-_z(h, hs, W1, W2)))) @ v
@bad('Query not given a time axis: (N,A) is lined up with (T,A); right for N=1, silently wrong for N=T.', 'sooftware/attentions#2')
def no_time_axis(h, hs, W1, W2, v): return np.tanh(h @ W1.T + hs @ W2.T) @ v
@bad('Encoder term left out: every position gets the same score.')
def no_keys(h, hs, W1, W2, v): return np.tile(np.tanh(h @ W1.T) @ v, (hs.shape[1], 1)).T
@bad('Returned weights (softmaxed) instead of scores.')
def softmaxed(h, hs, W1, W2, v): return sm(np.tanh(_z(h, hs, W1, W2)) @ v)
@bad('Softmax over the hidden units instead of multiplying with v, so every score becomes 1.', 'DEEP-PolyU/KEQA_WSDM19#2')
def softmax_units(h, hs, W1, W2, v): return (sm(np.tanh(_z(h, hs, W1, W2)) * v)).sum(-1)
@bad('One shared matrix: W1 used for both terms.')
def shared_W(h, hs, W1, W2, v): return np.tanh(_z(h, hs, W1, W1)) @ v
@bad('Scores kept with a trailing axis (N,T,1).')
def trailing_axis(h, hs, W1, W2, v): return np.tanh(_z(h, hs, W1, W2)) @ v[:, None]
@bad('Only example 0\'s query is used for the whole batch.')
def first_query(h, hs, W1, W2, v): return np.tanh((W1 @ h[0]) + hs @ W2.T) @ v
