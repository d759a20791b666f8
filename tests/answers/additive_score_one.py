"""Right and wrong answers to `additive_score_one`."""

from tests.answers.register import *  # noqa: F403

ok, bad = answers("additive_score_one", weights=(2, 3))


@ok
def columns(h, hs, W1, W2, v): return v @ np.tanh((W1 @ h)[:, None] + W2 @ hs.T)
@ok
def loop(h, hs, W1, W2, v): return np.array([np.dot(v, np.tanh(np.dot(W1, h) + np.dot(W2, hs[i]))) for i in range(len(hs))])
@ok
def einsum(h, hs, W1, W2, v): return np.einsum('a,ta->t', v, np.tanh(np.einsum('ah,h->a', W1, h) + np.einsum('ah,th->ta', W2, hs)))
@ok
def concat(h, hs, W1, W2, v): return np.tanh(np.concatenate([np.tile(h, (len(hs), 1)), hs], 1) @ np.concatenate([W1, W2], 1).T).dot(v)
@ok
def triple_loop(h, hs, W1, W2, v):
    import math
    e = []
    for x in hs.tolist():
        s = 0.0
        for a in range(len(v)): s += float(v[a]) * math.tanh(sum(float(W1[a, k]) * float(h[k]) + float(W2[a, k]) * x[k] for k in range(len(x))))
        e.append(s)
    return np.array(e)
_z = lambda h, hs, W1, W2: W1 @ h + hs @ W2.T
@bad('tanh left out.', 'AuCson/PyTorch-Batch-Attention-Seq2seq#3')
def no_tanh(h, hs, W1, W2, v): return _z(h, hs, W1, W2) @ v
@bad('tanh outside v.')
def tanh_outside(h, hs, W1, W2, v): return np.tanh(_z(h, hs, W1, W2) @ v)
@bad('tanh on each term.')
def tanh_each(h, hs, W1, W2, v): return (np.tanh(W1 @ h) + np.tanh(hs @ W2.T)) @ v
@bad('W1 and W2 swapped.')
def swapped(h, hs, W1, W2, v): return np.tanh(W2 @ h + hs @ W1.T) @ v
@bad('W un-transposed on the encoder side (runs only when A = H).')
def untransposed(h, hs, W1, W2, v): return np.tanh(W1 @ h + hs @ W2) @ v
@bad('Projected query as a column: lines up with time (silent when A = T).')
def query_column(h, hs, W1, W2, v): return np.tanh((W1 @ h)[:, None] + hs @ W2.T) @ v
@bad('v replaced by a sum.', 'tensorflow/tensorflow#43471')
def no_v(h, hs, W1, W2, v): return np.tanh(_z(h, hs, W1, W2)).sum(1)
@bad('v summed over time.')
def wrong_axis(h, hs, W1, W2, v): return (np.tanh(_z(h, hs, W1, W2)) * v).sum(0)
@bad('Query left out: scores do not depend on the decoder.')
def no_query(h, hs, W1, W2, v): return np.tanh(hs @ W2.T) @ v
@bad('One shared matrix W1 for both terms.')
def shared(h, hs, W1, W2, v): return np.tanh(_z(h, hs, W1, W1)) @ v
