"""Right and wrong answers to `provisional_states`."""

from tests.answers.register import *  # noqa: F403

ok, bad = answers("provisional_states", weights=(2, 3))


def _st(x, h, Wx, Wh, b): return np.tanh(x @ Wx.T + h @ Wh.T + b)
@ok
def preallocated(hs, X, Wx, Wh, b):
    o = np.empty(X.shape[:2] + (hs.shape[2],)); h = hs[:, -1]
    for t in range(X.shape[1]): o[:, t] = h = _st(X[:, t], h, Wx, Wh, b)
    return o
@ok
def read_back(hs, X, Wx, Wh, b):
    o = np.zeros(X.shape[:2] + (hs.shape[2],))
    for t in range(X.shape[1]): o[:, t] = _st(X[:, t], hs[:, -1] if t == 0 else o[:, t - 1], Wx, Wh, b)
    return o
@ok
def recursion(hs, X, Wx, Wh, b):
    def go(t, h): return [] if t == X.shape[1] else (lambda k: [k] + go(t + 1, k))(_st(X[:, t], h, Wx, Wh, b))
    return np.stack(go(0, hs[:, -1]), 1)
def _un(hs, X, W, h0, step=None):
    h, o = h0, []
    for t in range(X.shape[1]): h = _st(X[:, t], h, *W); o.append(h)
    return np.stack(o, 1)
@bad('Starts from zeros instead of the encoder\'s last state.', 'stanfordmlgroup/nlc#14')
def zero_start(hs, X, *W): return _un(hs, X, W, np.zeros_like(hs[:, 0]))
@bad('Starts from the first encoder state.')
def first_start(hs, X, *W): return _un(hs, X, W, hs[:, 0])
@bad('Uses encoder state i as the previous state of step i.')
def encoder_as_prev(hs, X, *W): return np.stack([_st(X[:, t], hs[:, t % hs.shape[1]], *W) for t in range(X.shape[1])], 1)
@bad('Feeds the first word at every step.', 'jumerckx/flux-seq2seq#1, Currie32/Text-Summarization-with-Amazon-Reviews#3')
def same_word(hs, X, *W): return _un(hs, np.repeat(X[:, :1], X.shape[1], 1), W, hs[:, -1])
@bad('Appends the same buffer: after the loop every entry shows the last step.')
def aliased_buffer(hs, X, *W):
    h = np.array(hs[:, -1], float); o = []
    for t in range(X.shape[1]): h[...] = _st(X[:, t], h, *W); o.append(h)
    return np.stack(o, 1)
@bad('Stores the state before the step instead of after it (off by one).')
def stores_previous(hs, X, *W):
    o = _un(hs, X, W, hs[:, -1]); return np.concatenate([hs[:, -1:], o[:, :-1]], 1)
@bad('Recurrence dropped: h never updated inside the loop after step 1.')
def never_updated(hs, X, *W):
    h = _st(X[:, 0], hs[:, -1], *W); return np.stack([h if t == 0 else _st(X[:, t], h, *W) for t in range(X.shape[1])], 1)
@bad('Runs through the target backwards.')
def backwards(hs, X, *W): return _un(hs, X[:, ::-1], W, hs[:, -1])[:, ::-1]
@bad('Result left time-major (U,N,H).')
def time_major(hs, X, *W): return _un(hs, X, W, hs[:, -1]).transpose(1, 0, 2)
@bad('Only the last state returned for every step.')
def only_last(hs, X, *W): return np.repeat(_un(hs, X, W, hs[:, -1])[:, -1:], X.shape[1], 1)
@bad('One step short: the last word is skipped.', 'bentrevett/pytorch-seq2seq#46 (loop bound)')
def one_short(hs, X, *W):
    o = np.zeros(X.shape[:2] + (hs.shape[2],)); k = X.shape[1] - 1
    if k: o[:, :k] = _un(hs, X[:, :k], W, hs[:, -1])
    return o
@bad('hs[-1] taken as start on a batch (last example instead of last word).')
def wrong_minus_one(hs, X, *W): return _un(hs, X, W, hs[-1])
