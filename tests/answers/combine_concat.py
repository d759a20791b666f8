"""Right and wrong answers to `combine_concat`."""

from tests.answers.register import *  # noqa: F403

ok, bad = answers("combine_concat", weights=(2,))


@ok
def einsum(h, c, Wc): return np.tanh(np.einsum('oj,nj->no', Wc, np.c_[h, c]))
@ok
def columns(h, c, Wc): return np.tanh(Wc @ np.vstack([h.T, c.T])).T
@ok
def swapped_both(h, c, Wc):
    H = h.shape[1]; return np.tanh(np.concatenate([c, h], 1) @ np.concatenate([Wc[:, H:], Wc[:, :H]], 1).T)
def _cat(h, c): return np.concatenate([h, c], 1)
@bad('Order swapped: [c; h~] instead of [h~; c].')
def swapped_order(h, c, Wc): return np.tanh(_cat(c, h) @ Wc.T)
@bad('tanh left out.', 'tensorflow/nmt#257')
def no_tanh(h, c, Wc): return _cat(h, c) @ Wc.T
@bad('Stacked and interleaved h~ and c feature by feature instead of one after the other.')
def interleaved(h, c, Wc): return np.tanh(np.stack([h, c], axis=2).reshape(len(h), -1) @ Wc.T)
@bad('Context ignored: h~ used twice.')
def context_ignored(h, c, Wc): return np.tanh(_cat(h, h) @ Wc.T)
@bad('h~ and c added before the matrix; one half of Wc for both.')
def added(h, c, Wc): return np.tanh((h + c) @ Wc[:, :h.shape[1]].T)
@bad('Wc not transposed (runs only when O = 2H).')
def untransposed(h, c, Wc): return np.tanh(_cat(h, c) @ Wc)
@bad('Wc reshaped to (2H,O) instead of transposed.')
def reshaped_W(h, c, Wc): return np.tanh(_cat(h, c) @ Wc.reshape(Wc.shape[1], Wc.shape[0]))
@bad('relu instead of tanh.', 'keon/seq2seq#28')
def relu(h, c, Wc): return np.maximum(0, _cat(h, c) @ Wc.T)
@bad('tanh before the matrix instead of after it.')
def tanh_inside(h, c, Wc): return np.tanh(_cat(h, c)) @ Wc.T
@bad('tanh applied to the two parts separately.')
def tanh_each(h, c, Wc):
    H = h.shape[1]; return np.tanh(h @ Wc[:, :H].T) + np.tanh(c @ Wc[:, H:].T)
@bad('tanh applied twice.')
def tanh_twice(h, c, Wc): return np.tanh(np.tanh(_cat(h, c) @ Wc.T))
@bad('Result left transposed (O,N).')
def transposed_out(h, c, Wc): return np.tanh(Wc @ _cat(h, c).T)
@bad('h~ overwritten in place with h~ + c; later steps see a changed state.', policy=True)
def inplace_state(h, c, Wc):
    o = np.tanh(_cat(h, c) @ Wc.T); h += c.astype(h.dtype); return o
