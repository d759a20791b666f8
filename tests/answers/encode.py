"""Right and wrong answers to `encode`."""

from tests.answers.register import *  # noqa: F403

ok, bad = answers("encode")


def reference(X, keep, Wx, Wh, b):
    N, T, D = X.shape; H = len(b); hs = np.zeros((N, T, H))
    for n in range(N):
        h = np.zeros(H)
        for t in range(T):
            if keep[n, t]: h = np.tanh(X[n, t].astype(float) @ Wx.astype(float) + h @ Wh.astype(float) + b)
            hs[n, t] = h
    return hs
def _h0(X, b): return np.zeros((len(X), len(b)))
def _step(x, h, Wx, Wh, b): return np.tanh(x @ Wx + h @ Wh + b)
@ok
def where(X, keep, Wx, Wh, b):
    h = np.zeros((X.shape[0], Wh.shape[0])); hs = []
    for t in range(X.shape[1]):
        h = np.where(keep[:, t, None] != 0, np.tanh(X[:, t] @ Wx + h @ Wh + b), h); hs.append(h)
    return np.stack(hs, axis=1)
@ok
def blend(X, keep, Wx, Wh, b):
    N, T, _ = X.shape; hs = np.zeros((N, T, len(b))); h = np.zeros((N, len(b))); k = keep.astype(float)
    for t in range(T):
        m = k[:, t:t + 1]; h = m * np.tanh(X[:, t] @ Wx + h @ Wh + b) + (1 - m) * h; hs[:, t] = h
    return hs
@ok
def precomputed_inputs(X, keep, Wx, Wh, b):
    P = np.einsum('ntd,dh->nth', X, Wx) + b; hs = np.zeros(P.shape); h = np.zeros(P[:, 0].shape)
    for t in range(P.shape[1]):
        hs[:, t] = h = np.where(np.asarray(keep, bool)[:, t][:, None], np.tanh(P[:, t] + h @ Wh), h)
    return hs
@ok
def update_real_rows(X, keep, Wx, Wh, b):
    hs = np.zeros(X.shape[:2] + b.shape); h = np.zeros((len(X), len(b)))
    for t in range(X.shape[1]):
        r = np.flatnonzero(keep[:, t]); h[r] = np.tanh(X[r, t].dot(Wx) + h[r].dot(Wh) + b); hs[:, t] = h
    return hs
@ok
def real_words_only_then_spread(X, keep, Wx, Wh, b):
    N, T, _ = X.shape; out = np.zeros((N, T, len(b)))
    for n in range(N):
        real = np.asarray(keep[n]).astype(bool); states = [np.zeros(len(b))]
        for x in X[n][real]: states.append(np.tanh(x @ Wx + states[-1] @ Wh + b))
        out[n] = np.array(states)[np.cumsum(real)]
    return out
@bad('keep ignored: the RNN runs on over the padding.', 'tensorflow/tensorflow#512, MaximumEntropy/Seq2Seq-PyTorch#6')
def keep_ignored(X, keep, Wx, Wh, b): return reference(X, np.ones(keep.shape, bool), Wx, Wh, b)
@bad('The output is carried, but the recurrence goes on from the padding\'s step: wrong after padding in the middle.')
def only_output_carried(X, keep, Wx, Wh, b):
    h, hs = _h0(X, b), [_h0(X, b)]
    for t in range(X.shape[1]): h = _step(X[:, t], h, Wx, Wh, b); hs.append(np.where(keep[:, t, None] != 0, h, hs[-1]))
    return np.stack(hs[1:], 1)
@bad('Stops at the first padding and never goes on (wrong with padding in the middle).')
def stops_at_first_padding(X, keep, Wx, Wh, b): return reference(X, np.logical_and.accumulate(keep != 0, axis=1), Wx, Wh, b)
@bad('Only the padding after the last real word is skipped; padding before it is read as words.')
def trailing_padding_only(X, keep, Wx, Wh, b): return reference(X, np.logical_or.accumulate((keep != 0)[:, ::-1], axis=1)[:, ::-1], Wx, Wh, b)
@bad('keep of the first sentence used for all (right for equal lengths).')
def first_keep(X, keep, Wx, Wh, b): return reference(X, np.repeat(keep[:1], len(X), 0), Wx, Wh, b)
@bad('keep read the wrong way round: padding is read, words are skipped.')
def inverted(X, keep, Wx, Wh, b): return reference(X, keep == 0, Wx, Wh, b)
@bad('~keep on a 0/1 array gives -1/-2, both true: nothing is ever padding or everything is.')
def tilde_on_int(X, keep, Wx, Wh, b):
    h, hs = _h0(X, b), []
    for t in range(X.shape[1]):
        pad = ~keep[:, t] if keep.dtype.kind in 'biu' else keep[:, t] == 0; h = np.where(pad[:, None], h, _step(X[:, t], h, Wx, Wh, b)); hs.append(h)
    return np.stack(hs, 1)
@bad('keep tested with "is True": a 0/1 array counts as all padding.')
def only_true_bools(X, keep, Wx, Wh, b):
    real = np.array([[k is True for k in row] for row in keep.tolist()]); return reference(X, real, Wx, Wh, b)
@bad('keep transposed (silent when N=T).')
def keep_transposed(X, keep, Wx, Wh, b):
    if keep.T.shape != keep.shape: raise ValueError('boolean index did not match')
    return reference(X, keep.T, Wx, Wh, b)
@bad('Padding guessed from all-zero vectors instead of keep (right while padded vectors are 0 and real ones are not).')
def guessed_from_zeros(X, keep, Wx, Wh, b): return reference(X, (X != 0).any(-1), Wx, Wh, b)
@bad('Only the input is masked: the state still moves on over the padding.')
def input_masked_only(X, keep, Wx, Wh, b): return reference(X * (keep != 0)[..., None], np.ones(keep.shape, bool), Wx, Wh, b)
@bad('Off by one: word t is skipped when word t+1 is padding, so the last real word is lost.')
def keep_shifted(X, keep, Wx, Wh, b):
    k = keep != 0; return reference(X, k & np.concatenate([k[:, 1:], k[:, -1:]], 1), Wx, Wh, b)
@bad('First padding position still read (length + 1).')
def one_too_many(X, keep, Wx, Wh, b):
    k = (keep != 0).copy()
    for n in range(len(k)):
        z = np.flatnonzero(~k[n])
        if len(z) and k[n].any(): k[n, z[0]] = True
    return reference(X, k, Wx, Wh, b)
@bad('First word without the bias (right while b is 0).')
def first_without_bias(X, keep, Wx, Wh, b):
    h, hs = _h0(X, b), []
    for t in range(X.shape[1]): h = np.where(keep[:, t, None] != 0, np.tanh(X[:, t] @ Wx + (h @ Wh + b if t else 0)), h); hs.append(h)
    return np.stack(hs, 1)
@bad('First state is the bare input x_1 Wx, without tanh.')
def first_without_tanh(X, keep, Wx, Wh, b):
    h, hs = _h0(X, b), []
    for t in range(X.shape[1]): z = X[:, t] @ Wx + h @ Wh + b; h = np.where(keep[:, t, None] != 0, np.tanh(z) if t else z, h); hs.append(h)
    return np.stack(hs, 1)
@bad('First word always read, even if it is padding (h_1 computed before the loop).')
def first_always_read(X, keep, Wx, Wh, b): k = (keep != 0).copy(); k[:, 0] = True; return reference(X, k, Wx, Wh, b)
@bad('State kept between calls: the second call starts from the first one\'s last state, not from 0.', 'pgmpy/pgmpy#2754')
def state_between_calls(X, keep, Wx, Wh, b, store={}):
    k = (X.shape, b.shape); h, hs = store.get(k, _h0(X, b)), []
    for t in range(X.shape[1]): h = np.where(keep[:, t, None] != 0, _step(X[:, t], h, Wx, Wh, b), h); hs.append(h)
    store[k] = h; return np.stack(hs, 1)
@bad('Recurrence left out: each word on its own (right for T=1).')
def no_recurrence(X, keep, Wx, Wh, b):
    h, hs = _h0(X, b), []
    for t in range(X.shape[1]): h = np.where(keep[:, t, None] != 0, np.tanh(X[:, t] @ Wx + b), h); hs.append(h)
    return np.stack(hs, 1)
@bad('Wh transposed: Wh is square, so no shape error ever appears.', 'symengine/symengine#2032 (square test matrix hid the transpose bug)')
def Wh_transposed(X, keep, Wx, Wh, b): return reference(X, keep, Wx, Wh.T, b)
@bad('Wx transposed (runs only when D=H).')
def Wx_transposed(X, keep, Wx, Wh, b): return reference(X, keep, Wx.T, Wh, b)
@bad('Wx and Wh exchanged (runs only when D=H).')
def W_swapped(X, keep, Wx, Wh, b): return reference(X, keep, Wh, Wx, b)
@bad('Bias added after tanh.')
def bias_outside(X, keep, Wx, Wh, b):
    h, hs = _h0(X, b), []
    for t in range(X.shape[1]): h = np.where(keep[:, t, None] != 0, np.tanh(X[:, t] @ Wx + h @ Wh) + b, h); hs.append(h)
    return np.stack(hs, 1)
@bad('tanh left out.')
def no_tanh(X, keep, Wx, Wh, b):
    h, hs = _h0(X, b), []
    for t in range(X.shape[1]): h = np.where(keep[:, t, None] != 0, X[:, t] @ Wx + h @ Wh + b, h); hs.append(h)
    return np.stack(hs, 1)
@bad('Each hs[:, t] is the state before word t: shifted by one, the last word is missing.')
def shifted(X, keep, Wx, Wh, b): hs = reference(X, keep, Wx, Wh, b); return np.concatenate([0 * hs[:, :1], hs[:, :-1]], 1)
@bad('One buffer appended again and again: all T states are the last one (right for T=1).')
def aliased_buffer(X, keep, Wx, Wh, b):
    h, hs = _h0(X, b), []
    for t in range(X.shape[1]): h[...] = np.where(keep[:, t, None] != 0, _step(X[:, t], h, Wx, Wh, b), h); hs.append(h)
    return np.stack(hs, 1)
@bad('X brought to time-major with reshape instead of transpose: sentences mixed (right for N=1).', 'rish-16/tokenlearner-pytorch#1')
def time_major_reshape(X, keep, Wx, Wh, b):
    N, T, D = X.shape; return reference(X.reshape(T, N, D).transpose(1, 0, 2), keep, Wx, Wh, b)
