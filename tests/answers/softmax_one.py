"""Right and wrong answers to `softmax_one`."""

from tests.answers.register import *  # noqa: F403

ok, bad = answers("softmax_one")


@ok
def two_lines(e): z = np.exp(e - np.max(e)); return z / np.sum(z)
@ok
def own_buffer(e): z = e.astype(float); z -= z.max(); np.exp(z, z); z /= z.sum(); return z
@ok
def math_list(e):
    import math
    m = max(e.tolist()); z = [math.exp(x - m) for x in e.tolist()]; return np.array([x / sum(z) for x in z])
@ok
def log_form(e): s = e - e.max(); return np.exp(s - np.log(np.exp(s).sum()))
@bad('Divided the raw scores by their sum, without exp.')
def no_exp(e): return e / e.sum()
@bad('Subtracted max(0, max): very negative scores underflow to nan.', 'FluxML/NNlib.jl#43')
def max_zero(e): z = np.exp(e - max(0, e.max())); return z / z.sum()
@bad('Sigmoid of each score: does not sum to 1.')
def sigmoid(e): return 1 / (1 + np.exp(-e))
@bad('Subtracted the max after exp.')
def max_after(e):
    z = np.exp(e); z = z - z.max(); return z / z.sum()
@bad('nan_to_num over the overflow.')
def nan_to_num(e): z = np.exp(e); return np.nan_to_num(z / z.sum())
@bad('Normalised by the Euclidean norm.')
def l2(e): z = np.exp(e - e.max()); return z / np.linalg.norm(z)
