"""Right and wrong answers to `combine_concat_one`."""

from tests.answers.register import *  # noqa: F403

ok, bad = answers("combine_concat_one", weights=(2,))


@ok
def hstack(h, c, Wc): return np.tanh(np.hstack([h, c]) @ Wc.T)
@ok
def halves(h, c, Wc): return np.tanh(Wc[:, :len(h)] @ h + Wc[:, len(h):] @ c)
@ok
def list_loop(h, c, Wc):
    z = list(h) + list(c); return np.array([np.tanh(sum(w * x for w, x in zip(r, z))) for r in Wc])
@ok
def append(h, c, Wc): return np.tanh(np.dot(Wc, np.append(h, c)))
@ok
def reshape(h, c, Wc): return np.tanh(Wc @ np.stack([h, c]).reshape(-1))
@bad('Order swapped: [c; h~] instead of [h~; c].')
def swapped(h, c, Wc): return np.tanh(Wc @ np.concatenate([c, h]))
@bad('h + c treated as list concatenation: adds the arrays.')
def plus(h, c, Wc): return np.tanh(Wc[:, :len(h)] @ (h + c))
@bad('tanh left out.', 'tensorflow/nmt#257')
def no_tanh(h, c, Wc): return Wc @ np.concatenate([h, c])
@bad('tanh before the matrix instead of after it.')
def tanh_inside(h, c, Wc): return Wc @ np.tanh(np.concatenate([h, c]))
@bad('np.stack gives (2,H): Wc cannot be applied.')
def stacked(h, c, Wc): return np.tanh(np.stack([h, c]) @ Wc.T)
@bad('Context ignored: h~ joined with itself.')
def h_twice(h, c, Wc): return np.tanh(Wc @ np.concatenate([h, h]))
@bad('h~ ignored: c joined with itself.')
def c_twice(h, c, Wc): return np.tanh(Wc @ np.concatenate([c, c]))
@bad('sigmoid instead of tanh.')
def sigmoid(h, c, Wc): return 1 / (1 + np.exp(-(Wc @ np.concatenate([h, c]))))
@bad('tanh of each half added.')
def tanh_each(h, c, Wc): return np.tanh(Wc[:, :len(h)] @ h) + np.tanh(Wc[:, len(h):] @ c)
