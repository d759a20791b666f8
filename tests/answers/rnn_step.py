"""Right and wrong answers to `rnn_step`."""

from tests.answers.register import *  # noqa: F403

ok, bad = answers("rnn_step", weights=(2, 3))


@ok
def matmul(x, hp, Wx, Wh, b): return np.tanh(x @ Wx.T + hp @ Wh.T + b)
@ok
def columns(x, hp, Wx, Wh, b): return np.tanh(Wx @ x.T + Wh @ hp.T + b[:, None]).T
@ok
def exp_form(x, hp, Wx, Wh, b):
    z = b + hp @ Wh.T + x @ Wx.T; return np.sign(z) * (1 - np.exp(-2 * np.abs(z))) / (1 + np.exp(-2 * np.abs(z)))
@bad('tanh left out.')
def no_tanh(x, hp, Wx, Wh, b): return x @ Wx.T + hp @ Wh.T + b
@bad('Bias left out (right while b is 0).')
def no_bias(x, hp, Wx, Wh, b): return np.tanh(x @ Wx.T + hp @ Wh.T)
@bad('Wx used un-transposed (runs only when D = H).')
def Wx_untransposed(x, hp, Wx, Wh, b): return np.tanh(x @ Wx + hp @ Wh.T + b)
@bad('Word embedding ignored.', 'clab/dynet#189')
def no_input(x, hp, Wx, Wh, b): return np.tanh(hp @ Wh.T + b)
@bad('Bias as a column (b[:, None]): lines up with the batch, silent when N = H.')
def bias_column(x, hp, Wx, Wh, b): return np.tanh(x @ Wx.T + hp @ Wh.T + b[:, None])
@bad('sigmoid instead of tanh.')
def sigmoid(x, hp, Wx, Wh, b): return 1 / (1 + np.exp(-(x @ Wx.T + hp @ Wh.T + b)))
@bad('Terms multiplied instead of added.')
def product(x, hp, Wx, Wh, b): return np.tanh((x @ Wx.T) * (hp @ Wh.T) + b)
@bad('Averaged the pre-activation over the batch.')
def batch_mean(x, hp, Wx, Wh, b):
    z = x @ Wx.T + hp @ Wh.T + b; return np.tanh(np.repeat(z.mean(0, keepdims=True), len(z), 0))
@bad('Weights changed in place by += b.', policy=True)
def inplace_weights(x, hp, Wx, Wh, b):
    out = np.tanh(x @ Wx.T + hp @ Wh.T + b); Wh += 0.01; return out
@bad('Result left transposed (H,N).')
def transposed_out(x, hp, Wx, Wh, b): return np.tanh(Wx @ x.T + Wh @ hp.T + b[:, None])
