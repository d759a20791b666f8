"""Right and wrong answers to `embedding_backward`."""

from tests.answers.register import *  # noqa: F403

ok, bad = answers("embedding_backward")


def reference(dX, idx, V):
    d = np.zeros((V, dX.shape[2]))
    for n in range(idx.shape[0]):
        for t in range(idx.shape[1]): d[idx[n, t]] += dX[n, t]
    return d
@ok
def bincount(dX, idx, V): return np.stack([np.bincount(idx.ravel(), weights=dX[..., k].ravel(), minlength=V) for k in range(dX.shape[-1])], 1)
@ok
def per_id(dX, idx, V): return np.array([dX[idx == v].sum(0) for v in range(V)])
@bad('dE[idx] = dX: the last occurrence overwrites the others.')
def overwrite(dX, idx, V): d = np.zeros((V, dX.shape[-1])); d[idx] = dX; return d
@bad('Averaged over repeated ids.')
def mean_ids(dX, idx, V): r = reference(dX, idx, V); return r / np.maximum(np.bincount(idx.ravel(), minlength=V), 1)[:, None]
@bad('Only the first example.')
def first_example(dX, idx, V): return reference(dX[:1], idx[:1], V)
@bad('Integer result array.')
def int_buffer(dX, idx, V): d = np.zeros((V, dX.shape[-1]), dtype=idx.dtype); d[...] = reference(dX, idx, V); return d
@bad('Divided by N.')
def divided(dX, idx, V): return reference(dX, idx, V) / len(idx)
@bad('V guessed from the largest id in the batch.')
def guessed_V(dX, idx, V): return reference(dX, idx, int(idx.max()) + 1)
@bad('idx transposed against dX: gradients land on other words.')
def idx_transposed(dX, idx, V): return reference(dX, idx.T.reshape(idx.shape), V)
