"""Right and wrong answers to `cross_entropy_backward`."""

from tests.answers.register import *  # noqa: F403

ok, bad = answers("cross_entropy_backward")


S = lambda z, ax=1: sm(z.astype(float), ax)
@ok
def index(z, y): d = S(z); d[np.arange(len(y)), y] -= 1; d /= len(y); return d
@ok
def compare(z, y): return (S(z) - (np.arange(z.shape[1]) == y[:, None])) / len(z)
@ok
def add_at(z, y): d = S(z); np.add.at(d, (range(len(y)), y), -1.0); return d / len(d)
@bad('p[:, y] -= 1 subtracts in every row at every target column.')
def fancy(z, y): d = S(z); d[:, y] -= 1; return d / len(y)
@bad('Sign flipped: target minus prediction.')
def sign(z, y): return (np.eye(z.shape[1])[y] - S(z)) / len(y)
@bad('Softmax over the batch axis.')
def axis0(z, y): return (S(z, 0) - np.eye(z.shape[1])[y]) / len(y)
@bad('Divided by V instead of N.')
def divide_V(z, y): return (S(z) - np.eye(z.shape[1])[y]) / z.shape[1]
@bad('Gradient only at the target: -1/p.')
def only_target(z, y): d = np.zeros(z.shape); i = np.arange(len(y)); d[i, y] = -1 / (S(z)[i, y] + 1e-12); return d / len(y)
@bad('Target column off by one.')
def off_by_one(z, y): return (S(z) - np.eye(z.shape[1])[y - 1]) / len(y)
@bad('Factor 2 (as in squared error).', 'markroxor/fromscratchtoml#65')
def factor2(z, y): return 2 * (S(z) - np.eye(z.shape[1])[y]) / len(y)
@bad('Last row only gets a gradient.')
def last_only(z, y): d = np.zeros(z.shape); d[-1] = (S(z)[-1] - np.eye(z.shape[1])[y[-1]]) / len(y); return d
@bad('Predicted class used as the target.')
def argmax_target(z, y): return (S(z) - np.eye(z.shape[1])[z.argmax(1)]) / len(y)
