"""Right and wrong answers to `combine_concat_backward`."""

from tests.answers.register import *  # noqa: F403

ok, bad = answers("combine_concat_backward", weights=(3,), gradients=(2,))


_x = lambda h, c: np.concatenate([h, c], 1)
@ok
def split(dout, h, c, Wc):
    x = np.hstack((h, c)); o = np.tanh(np.dot(x, Wc.T)); dp = dout - dout * o * o; dh, dc = np.split(np.dot(dp, Wc), 2, axis=1); return dh, dc, np.dot(dp.T, x)
@ok
def einsum(dout, h, c, Wc):
    x = np.c_[h, c]; dp = np.einsum('no,no->no', dout, 1 - np.tanh(np.einsum('oj,nj->no', Wc, x)) ** 2); dx = np.einsum('no,oj->nj', dp, Wc)
    return dx[:, :h.shape[1]], dx[:, h.shape[1]:], np.einsum('no,nj->oj', dp, x)
@ok
def columns(dout, h, c, Wc):
    x = np.vstack([h.T, c.T]); dp = dout.T * (1 - np.tanh(Wc @ x) ** 2); d = (Wc.T @ dp).T; return [d[:, :h.shape[1]], d[:, h.shape[1]:], dp @ x.T]
def _go(dp, h, c, Wc):
    d = dp @ Wc; H = h.shape[1]; return d[:, :H], d[:, H:], dp.T @ _x(h, c)
def _dp(dout, h, c, Wc): return dout * (1 - np.tanh(_x(h, c) @ Wc.T) ** 2)
@bad("1 - z^2 with the pre-activation z instead of tanh(z).")
def pre_activation(dout, h, c, Wc): return _go(dout * (1 - (_x(h, c) @ Wc.T) ** 2), h, c, Wc)
@bad("Sigmoid derivative used.")
def sigmoid_grad(dout, h, c, Wc): o = np.tanh(_x(h, c) @ Wc.T); return _go(dout * o * (1 - o), h, c, Wc)
@bad("dh~ and dc swapped.")
def swapped(dout, h, c, Wc): a, b, w = _go(_dp(dout, h, c, Wc), h, c, Wc); return b, a, w
@bad("Wc.T in place of Wc in the gradient of the input (silent when O = 2H).")
def W_untransposed(dout, h, c, Wc): dp = _dp(dout, h, c, Wc); d = dp @ Wc.T; H = h.shape[1]; return d[:, :H], d[:, H:], dp.T @ _x(h, c)
@bad("dc missing: nothing flows back into the attention.")
def dc_zero(dout, h, c, Wc): a, b, w = _go(_dp(dout, h, c, Wc), h, c, Wc); return a, 0 * b, w
@bad("dh~ missing.")
def dh_zero(dout, h, c, Wc): a, b, w = _go(_dp(dout, h, c, Wc), h, c, Wc); return 0 * a, b, w
