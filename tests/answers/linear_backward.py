"""Right and wrong answers to `linear_backward`."""

from tests.answers.register import *  # noqa: F403

ok, bad = answers("linear_backward")


@ok
def matmul(dy, x, W): return dy @ W.T, x.T @ dy
@ok
def broadcast(dy, x, W): return (dy[:, None, :] * W[None]).sum(axis=2), (x[:, :, None] * dy[:, None, :]).sum(axis=0)
@ok
def columns(dy, x, W): return np.dot(W, dy.T).T, np.dot(dy.T, x).T
@ok
def inner(dy, x, W): return np.inner(dy, W), np.inner(x.T, dy.T)
@ok
def python_lists(dy, x, W):
    G, X, M = dy.tolist(), x.tolist(), W.tolist()
    return ([[sum(g * w for g, w in zip(row, line)) for line in M] for row in G],
            [[sum(X[n][i] * G[n][o] for n in range(len(G))) for o in range(len(M[0]))] for i in range(len(M))])
@ok
def one_difference_per_entry(dy, x, W):            # y is linear in x and in W, so a difference of step 1 is exact
    y = lambda a, M: np.matmul(a.astype(float), M.astype(float)); L = lambda a, M: (dy * y(a, M)).sum()
    dx, dW = np.zeros(x.shape), np.zeros(W.shape)
    for at in np.ndindex(x.shape): e = np.zeros(x.shape); e[at] = 1; dx[at] = L(e, W)
    for at in np.ndindex(W.shape): e = np.zeros(W.shape); e[at] = 1; dW[at] = L(x, e)
    return dx, dW
@bad('W.reshape(O, I) in place of W.T: right shape, wrong numbers (right when I=1 or O=1).')
def W_reshaped(dy, x, W): return dy @ W.reshape(W.shape[::-1]), x.T @ dy
@bad('dW transposed by reshape to make the shape fit.')
def dW_forced_shape(dy, x, W): return dy @ W.T, (dy.T @ x).reshape(W.shape)
@bad('x.reshape(I, N) in place of x.T (right for N=1).')
def x_reshaped(dy, x, W): return dy @ W.T, x.reshape(x.shape[::-1]) @ dy
@bad('= instead of +=: dW holds the last example only.', 'mratsim/Arraymancer#237')
def dW_last(dy, x, W): return dy @ W.T, np.outer(x[-1], dy[-1])
@bad('Outer product of the mean input with the summed dy (right when all inputs are equal).')
def dW_mean_input(dy, x, W): return dy @ W.T, np.outer(x.mean(0), dy.sum(0))
@bad('Inputs paired with the gradients of other examples (batch order reversed).')
def dW_wrong_pairs(dy, x, W): return dy @ W.T, x[::-1].T @ dy
@bad('dx and dW returned in the wrong order.')
def swapped(dy, x, W): return x.T @ dy, dy @ W.T
@bad('dy ignored in dx: row sums of W (right when dy is all ones).')
def dx_ignores_dy(dy, x, W): return np.ones(dy.shape) @ W.T, x.T @ dy
@bad('dx of the first example for all (right for N=1).')
def dx_first(dy, x, W): return np.repeat(dy[:1] @ W.T, len(x), 0), x.T @ dy
@bad('Sign flipped in dW (the update\'s minus moved into the gradient).')
def dW_minus(dy, x, W): return dy @ W.T, -(x.T @ dy)
@bad('dW buffer made with zeros_like(W): an integer W cuts the gradient to whole numbers.')
def dtype_of_W(dy, x, W): dW = np.zeros_like(W); dW[...] = x.T @ dy; return dy @ W.T, dW
@bad('dx buffer made with zeros_like(x): an integer x cuts the gradient to whole numbers.')
def dtype_of_x(dy, x, W): dx = np.zeros_like(x); dx[...] = dy @ W.T; return dx, x.T @ dy
@bad('dx comes from W after the update: W is changed first.', policy=True)
def updates_W(dy, x, W):
    dW = x.T @ dy
    if W.dtype.kind == 'f': W -= 0.01 * dW.astype(W.dtype)
    return dy @ W.T, dW
@bad('dy divided by N in place.', policy=True)
def inplace_dy(dy, x, W):
    r = dy @ W.T, x.T @ dy
    if dy.dtype.kind == 'f': dy /= 1 + len(dy)
    return r
