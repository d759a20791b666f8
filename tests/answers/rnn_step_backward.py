"""Right and wrong answers to `rnn_step_backward`."""

from tests.answers.register import *  # noqa: F403

ok, bad = answers("rnn_step_backward", weights=(3, 4), gradients=(2, 3))


def _t(x, hp, Wx, Wh, b): return np.tanh(x @ Wx.T + hp @ Wh.T + b)
def _go(dp, x, hp, Wx, Wh): return [dp @ Wx, dp @ Wh, dp.T @ x, dp.T @ hp, dp.sum(0)]
@ok
def matmul(dh, x, hp, Wx, Wh, b): return tuple(_go(dh * (1 - _t(x, hp, Wx, Wh, b) ** 2), x, hp, Wx, Wh))
@ok
def concat(dh, x, hp, Wx, Wh, b):
    z = np.hstack([x, hp, np.ones((len(x), 1))]); W = np.hstack([Wx, Wh, b[:, None]]); dp = dh * (1 - np.tanh(z @ W.T) ** 2); dz, dW = dp @ W, dp.T @ z; D, H = x.shape[1], hp.shape[1]
    return dz[:, :D], dz[:, D:D + H], dW[:, :D], dW[:, D:D + H], dW[:, -1]
@ok
def cosh_form(dh, x, hp, Wx, Wh, b): dp = dh / np.cosh(x @ Wx.T + hp @ Wh.T + b) ** 2; return [np.dot(dp, Wx), np.dot(dp, Wh), np.dot(dp.T, x), np.dot(dp.T, hp), np.sum(dp, axis=0)]
def _mut(name, sent, fn, src='common knowledge', policy=False):
    def f(*a): return fn(*a)
    f.__name__ = name; bad(sent, src, policy)(f)
def _dp(*a): return a[0] * (1 - _t(*a[1:]) ** 2)
def _w(k, val):
    def g(*a):
        r = _go(_dp(*a), *a[1:5]); r[k] = val(r, _dp(*a), *a); return tuple(r)
    return g
_mut('uses_h_prev', "tanh' taken from h_prev instead of the new state.", lambda *a: tuple(_go(a[0] * (1 - a[2] ** 2), *a[1:5])))
_mut('db_first', "Bias gradient of example 0 only.", _w(4, lambda r, dp, *a: dp[0]))
_mut('dWx_last', "dWx of the last example only (= instead of +=).", _w(2, lambda r, dp, *a: np.outer(dp[-1], a[1][-1])), 'mratsim/Arraymancer#237')
_mut('dWh_transposed', "dWh transposed: always square, no shape error.", _w(3, lambda r, dp, *a: r[3].T), 'symengine/symengine#2032')
_mut('dWx_transposed', "dWx transposed (silent when D = H).", _w(2, lambda r, dp, *a: r[2].T))
_mut('dh_prev_zero', "Nothing flows to h_prev: backpropagation through time is cut.", _w(1, lambda r, dp, *a: 0 * r[1]))
_mut('dh_prev_passthrough', "dh handed to h_prev unchanged.", _w(1, lambda r, dp, *a: a[0] * 1.0))
_mut('dWx_mean', "dWx divided by N again.", _w(2, lambda r, dp, *a: r[2] / len(dp)))
def _ip(*a):
    d = a[0]; d *= (1 - _t(*a[1:]) ** 2).astype(d.dtype); return tuple(_go(d, *a[1:5]))
_mut('inplace', "dh changed in place.", _ip, 'pytorch/pytorch#81417', True)
