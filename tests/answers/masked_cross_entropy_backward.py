"""Right and wrong answers to `masked_cross_entropy_backward`."""

from tests.answers.register import *  # noqa: F403

ok, bad = answers("masked_cross_entropy_backward")


def _p(logits): return sm(logits.astype(float))
def _hot(y, V): return np.eye(V)[y]
def _k(keep): return (np.asarray(keep) != 0).astype(float)
def _d(logits, y): return _p(logits) - _hot(y, logits.shape[2])
@ok
def take_off_one(logits, y, keep):
    N, U, V = logits.shape; z = np.exp(logits - logits.max(axis=2)[..., None]); d = z / z.sum(axis=2)[..., None]
    d[np.arange(N)[:, None], np.arange(U), y] -= 1; d[keep == 0] = 0; d /= np.count_nonzero(keep); return d
@ok
def put_along(logits, y, keep):
    d = np.zeros(logits.shape); np.put_along_axis(d, y[..., None], -1.0, axis=2); s = logits - logits.max(2, keepdims=True); d += np.exp(s - np.log(np.exp(s).sum(2, keepdims=True)))
    return np.einsum('nuv,nu->nuv', d, keep.astype(float)) / float(keep.sum())
@ok
def word_by_word(logits, y, keep):
    count, d = np.sum(keep != 0), np.zeros_like(logits, dtype=float)
    for n, t in np.argwhere(keep): e = np.exp(logits[n, t] - np.max(logits[n, t])); d[n, t] = e / e.sum() / count; d[n, t, y[n, t]] -= 1 / count
    return d
@ok
def python_scalars(logits, y, keep):
    import math
    count = sum(bool(k) for row in keep.tolist() for k in row); out = []
    for rows, targets, real in zip(logits.tolist(), y.tolist(), keep.tolist()):
        sentence = []
        for row, w, k in zip(rows, targets, real):
            top = max(row); e = [math.exp(v - top) for v in row]; s = math.fsum(e); sentence.append([(v / s - (i == w)) / count if k else 0.0 for i, v in enumerate(e)])
        out.append(sentence)
    return np.array(out)
@bad('Divided by the number of kept words, but the padding keeps its gradient.')
def padding_not_zeroed(logits, y, keep): return _d(logits, y) / _k(keep).sum()
@bad('Padding zeroed, but divided by all N*U positions.', 'd2l-ai/d2l-en#2076, dmlc/gluon-nlp#238, IBM/pytorch-seq2seq#125')
def divided_by_all(logits, y, keep): return _d(logits, y) * _k(keep)[..., None] / y.size
@bad('Divided by the number of steps U.')
def divided_by_U(logits, y, keep): return _d(logits, y) * _k(keep)[..., None] / y.shape[1]
@bad('Not divided at all: the gradient of the sum (right with one kept word).')
def not_divided(logits, y, keep): return _d(logits, y) * _k(keep)[..., None]
@bad('Mean inside each sentence, then over the sentences: short ones weigh more (right for equal lengths).')
def sentence_means(logits, y, keep): k = _k(keep); return _d(logits, y) * (k / np.maximum(k.sum(1, keepdims=True), 1))[..., None] / len(y)
@bad('Mean per sentence, added up over the sentences.')
def sentence_means_added(logits, y, keep): k = _k(keep); return _d(logits, y) * (k / np.maximum(k.sum(1, keepdims=True), 1))[..., None]
@bad('A sentence without any kept word is counted as one word long.')
def empty_counts_as_one(logits, y, keep): k = _k(keep); n = np.maximum(k.sum(1), 1).sum(); return _d(logits, y) * k[..., None] / n
@bad('keep of the first sentence for all (right for equal lengths).')
def first_keep(logits, y, keep): k = np.repeat(_k(keep)[:1], len(y), 0); return _d(logits, y) * k[..., None] / max(k.sum(), 1)
@bad('Padding guessed from y == 0, although 0 can be a real word.', 'lucidrains/DALLE-pytorch#58')
def guessed_padding(logits, y, keep): k = (y != 0) * 1.0; return _d(logits, y) * k[..., None] / max(k.sum(), 1)
@bad('First word left out (taken for bos).', 'bentrevett/pytorch-seq2seq#45')
def first_dropped(logits, y, keep): k = _k(keep).copy(); k[:, 0] = 0; return _d(logits, y) * k[..., None] / max(k.sum(), 1)
@bad('Target ids off by one.')
def ids_off_by_one(logits, y, keep): return _d(logits, y - 1) * _k(keep)[..., None] / _k(keep).sum()
@bad('Logits multiplied by keep instead of the gradient: padding gets (1/V - onehot).')
def logits_masked(logits, y, keep): return _d(logits * _k(keep)[..., None], y) / _k(keep).sum()
@bad('1 not subtracted at the target.')
def no_one_hot(logits, y, keep): return _p(logits) * _k(keep)[..., None] / _k(keep).sum()
@bad('No maximum subtracted: nan for large logits.', 'apache/singa#540')
def unstable(logits, y, keep):
    with np.errstate(all='ignore'): z = np.exp(logits); p = z / z.sum(-1, keepdims=True); return np.where(_k(keep)[..., None] > 0, (p - _hot(y, logits.shape[2])) / _k(keep).sum(), 0)
@bad('Last step only (the loop overwrites; right for U=1).')
def last_step(logits, y, keep): d = _d(logits, y) * _k(keep)[..., None] / _k(keep).sum(); d[:, :-1] = 0; return d
@bad('Result left flat (N*U,V).')
def left_flat(logits, y, keep): return (_d(logits, y) * _k(keep)[..., None] / _k(keep).sum()).reshape(-1, logits.shape[2])
@bad('Only the kept rows returned.')
def kept_only(logits, y, keep): return _d(logits, y)[_k(keep) != 0] / _k(keep).sum()
