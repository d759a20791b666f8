"""Right and wrong answers to `next_word_probs`."""

from tests.answers.register import *  # noqa: F403

ok, bad = answers("next_word_probs")


@ok
def max_subtracted(logits): z = np.exp(logits - logits.max(axis=1, keepdims=True)); return z / z.sum(axis=1, keepdims=True)
@ok
def python_scalars(logits):
    import math
    out = []
    for row in logits.tolist(): top = max(row); z = [math.exp(v - top) for v in row]; total = math.fsum(z); out.append([v / total for v in z])
    return out
@ok
def logaddexp(logits): x = logits.astype(np.float64); return np.exp(x - np.logaddexp.reduce(x, axis=1, keepdims=True))
@ok
def pairwise(logits):
    with np.errstate(over='ignore'): return 1.0 / np.exp(logits[:, None, :].astype(float) - logits[:, :, None]).sum(axis=2)
@ok
def own_buffer(logits): z = np.array(logits, dtype=float, copy=True); z -= z.max(1)[:, None]; np.exp(z, out=z); z /= z.sum(1)[:, None]; return z
@bad('No maximum subtracted: overflow for large logits, 0/0 for very negative ones.', 'apache/singa#540')
def no_max(logits):
    with np.errstate(all='ignore'): z = np.exp(logits); return z / z.sum(1, keepdims=True)
@bad('Overflow hidden with nan_to_num: large logits get probability 0.')
def nan_to_num(logits):
    with np.errstate(all='ignore'): z = np.exp(logits); return np.nan_to_num(z / z.sum(1, keepdims=True))
@bad('Overflow hidden by clipping the logits to +-50: [100, 200] become equal.')
def clipped_50(logits): return sm(np.clip(logits, -50, 50).astype(float))
@bad('One maximum for the whole batch: rows far below it underflow to 0/0.')
def batch_max(logits):
    with np.errstate(all='ignore'): z = np.exp(logits - logits.max()); return z / z.sum(1, keepdims=True)
@bad('First logit subtracted instead of the largest.')
def first_subtracted(logits):
    with np.errstate(all='ignore'): z = np.exp((logits - logits[:, :1]).astype(float)); return z / z.sum(1, keepdims=True)
@bad('Sigmoid per word: rows do not sum to 1.')
def sigmoid(logits):
    with np.errstate(all='ignore'): return 1 / (1 + np.exp(-logits.astype(float)))
@bad('Log-probabilities returned.')
def log_probs(logits): s = logits - logits.max(1, keepdims=True); return s - np.log(np.exp(s).sum(1, keepdims=True))
@bad('Softmax taken twice (right for equal logits).')
def twice(logits): return sm(sm(logits.astype(float)))
@bad('2**z instead of exp(z).')
def base_two(logits): return sm(logits * np.log(2))
@bad('All probability on the largest (argmax).')
def one_hot(logits): return np.eye(logits.shape[1])[logits.argmax(1)]
@bad('Smoothed: 1e-3 of the uniform distribution mixed in (right for equal logits).')
def smoothed(logits): return .999 * sm(logits.astype(float)) + .001 / logits.shape[1]
@bad('First row\'s probabilities for all (right for N=1).')
def first_row(logits): return np.repeat(sm(logits[:1].astype(float)), len(logits), 0)
@bad('Buffer made with empty_like(logits): integer logits give all 0.')
def dtype_of_logits(logits): p = np.empty_like(logits); p[...] = sm(logits.astype(float)); return p
@bad('Maximum subtracted in the caller\'s array.', 'jhcross/span-parser#2', policy=True)
def inplace(logits):
    p = sm(logits.astype(float)); logits -= logits.max(1, keepdims=True); return p
