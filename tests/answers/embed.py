"""Right and wrong answers to `embed`."""

from tests.answers.register import *  # noqa: F403

ok, bad = answers("embed")


@ok
def fancy_index(ids, E): return E[ids]
@ok
def einsum_compare(ids, E): return np.einsum('ntv,vd->ntd', (ids[:, :, None] == np.arange(E.shape[0])).astype(float), E)
@ok
def stacked_columns(ids, E): return np.stack([E[ids[:, t]] for t in range(ids.shape[1])], axis=1)
@bad('Id 0 taken for padding and set to zero (right while the check has no id 0).')
def zero_is_padding(ids, E): return E[ids] * (ids != 0)[..., None]
@bad('Position found with list.index: a repeated word is filled in only where it first stands.')
def first_occurrence(ids, E):
    X = np.zeros(ids.shape + E.shape[1:])
    for n, row in enumerate(ids.tolist()):
        for w in row: X[n, row.index(w)] = E[w]
    return X
@bad('Looks up the position, not the word (right for ids 0, 1, 2, ...).')
def position_lookup(ids, E):
    N, T = ids.shape; return np.repeat(E[np.arange(T) % len(E)][None], N, axis=0)
@bad('First sentence used for all (right for N=1).')
def first_sentence(ids, E): return np.repeat(E[ids[:1]], len(ids), axis=0)
@bad('Transposed ids reshaped back to (N,T): numbers scrambled (right for N=1 or T=1).')
def reshaped_transpose(ids, E): return E[ids.T.reshape(ids.shape)]
@bad('np.take without axis picks single numbers from the flattened table.')
def take_no_axis(ids, E): return np.take(E, ids)
@bad('Features in front: (D,N,T).')
def features_first(ids, E): return E.T[:, ids]
@bad('Returns the one-hot vectors and never multiplies by E (right for E = identity).')
def one_hot_only(ids, E): return np.eye(len(E))[ids]
@bad('One-hot times E.T: runs only when V=D (right for a symmetric E).')
def one_hot_transposed(ids, E): return np.eye(len(E))[ids] @ E.T
@bad('Result array takes the integer type of ids: every number cut to a whole one.')
def integer_buffer(ids, E):
    X = np.zeros(ids.shape + E.shape[1:], dtype=ids.dtype)
    for n in range(ids.shape[0]):
        for t in range(ids.shape[1]): X[n, t] = E[ids[n, t]]
    return X
@bad('Ids stored in one byte: ids above 127 become other words (right for small vocabularies).')
def one_byte_ids(ids, E): return E[ids.astype(np.int8)]
@bad('tanh applied to the embeddings: there is no non-linearity here.')
def tanh_added(ids, E): return np.tanh(E[ids])
@bad('Rounded to three digits.')
def rounded(ids, E): return np.round(E[ids] * 1.0, 3)
@bad('Row 0 of the caller\'s table set to zero ("padding").', policy=True)
def zeroes_row_0(ids, E): E[0] = 0; return E[ids]
@bad('Shifts the caller\'s ids in place: the result is right, the ids are destroyed.', policy=True)
def shifts_ids(ids, E): X = E[ids]; ids += 1; return X
@bad('Adds to a buffer created once as a default argument: right only at the first call.', 'pgmpy/pgmpy#2754, NM512/dreamerv3-torch#50')
def shared_buffer(ids, E, store={}):
    k = ids.shape + E.shape; store.setdefault(k, np.zeros(ids.shape + E.shape[1:]))
    store[k] += E[ids]; return store[k].copy()
