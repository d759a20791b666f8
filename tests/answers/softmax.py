"""Right and wrong answers to `softmax`."""

from tests.answers.register import *  # noqa: F403

ok, bad = answers("softmax")


@ok
def transpose_trick(e):
    z = np.exp((e.T - e.max(axis=1))); return (z / z.sum(axis=0)).T
@ok
def python_math(e):
    import math
    out = []
    for row in e.tolist():
        m = max(row); z = [math.exp(x - m) for x in row]; s = sum(z)
        out.append([x / s for x in z])
    return np.array(out)
@ok
def log_sum_exp(e):
    e = e - e.max(1, keepdims=True)
    return np.exp(e - np.log(np.exp(e).sum(1, keepdims=True)))
@ok
def eps_denominator(e):
    z = np.exp(e - e.max(axis=1, keepdims=True)); return z / (z.sum(axis=1, keepdims=True) + 1e-8)
@bad('Normalised over the batch (axis 0) instead of over the encoder positions.', 'PetrochukM/PyTorch-NLP#2, ssw-nlp-study-group/nlp_study#2, labmlai/annotated_deep_learning_paper_implementations#146')
def axis0(e): return sm(e, 0)
@bad('No max subtraction: large scores overflow to inf/inf = nan.', 'datalogue/keras-attention models/custom_recurrents.py (K.exp(et)), apache/singa#540, deeplearning4j/deeplearning4j#6039')
def no_max(e):
    z = np.exp(e); return z / z.sum(1, keepdims=True)
@bad('Neither max nor sum keeps its axis.')
def none_keepdims(e):
    z = np.exp(e - e.max(axis=1)); return z / z.sum(axis=1)
@bad('Subtracted the column maximum, which is not constant inside a row and changes the result.')
def column_max(e):
    z = np.exp(e - e.max(axis=0, keepdims=True)); return z / z.sum(1, keepdims=True)
@bad('Subtracted the minimum: overflows as soon as the range exceeds about 709.')
def min_shift(e):
    z = np.exp(e - e.min(1, keepdims=True)); return z / z.sum(1, keepdims=True)
@bad('Clipped the scores to avoid overflow, which makes all large scores equal.', 'peterdsharpe/NeuralFoil#4 (clamp as overflow fix)')
def clip_scores(e):
    z = np.exp(np.clip(e, -50, 50)); return z / z.sum(1, keepdims=True)
@bad('Hid the overflow with nan_to_num; the largest score then gets weight 0.', 'open-edge-platform/geti#1507')
def nan_to_num(e):
    z = np.exp(e)
    with np.errstate(invalid='ignore'): return np.nan_to_num(z / z.sum(1, keepdims=True))
@bad('Sigmoid: every weight is squashed on its own and the row does not sum to 1.')
def sigmoid(e): return 1 / (1 + np.exp(-e))
@bad('Hard attention: 1 at the largest score (looks right when one score dominates).')
def hard_argmax(e): return np.eye(e.shape[1])[e.argmax(1)]
@bad('Uniform weights 1/T (looks right when all scores are equal).')
def uniform(e): return np.full(e.shape, 1.0 / e.shape[1])
@bad('Softmax applied twice.')
def twice(e): return sm(sm(e.astype(float)))
@bad('Overwrote the scores in place.', 'jhcross/span-parser#2 (x -= x.max() on the argument)', policy=True)
def inplace(e):
    e -= e.max(axis=1, keepdims=True)
    z = np.exp(e); return z / z.sum(axis=1, keepdims=True)
@bad('Sign flipped: softmax(-e) favours the worst match.')
def negated(e): return sm(-e.astype(float))
@bad('Squared scores before exp (right when all scores are 0 or 1).')
def squared(e): return sm(e.astype(float) ** 2)
