"""Right and wrong answers to `next_word`."""

from tests.answers.register import *  # noqa: F403

ok, bad = answers("next_word")


@ok
def list_index(logits): return [row.index(max(row)) for row in logits.tolist()]
@ok
def equal_to_max(logits): return (logits == logits.max(axis=1, keepdims=True)).argmax(axis=1)
@bad('>= in the loop: the last of equals.')
def last_of_equals(logits):
    V = logits.shape[1]; return V - 1 - logits[:, ::-1].argmax(1)
@bad('argsort(...)[:, -1]: among equals not the first.')
def argsort_last(logits): return np.argsort(logits, axis=1, kind='stable')[:, -1]
@bad('Dictionary from value to id: among equals the last one written.')
def dictionary(logits): return np.array([(lambda d: d[max(d)])({v: i for i, v in enumerate(r)}) for r in logits.tolist()])
@bad('np.where(z == max)[1]: more than one id per row when two are equal.')
def where_all(logits): return np.where(logits == logits.max(1, keepdims=True))[1]
@bad('Nearly equal counts as equal (np.isclose): the first of them wins.')
def isclose(logits): return np.isclose(logits, logits.max(1, keepdims=True), rtol=1e-5, atol=1e-5).argmax(1)
@bad('Compared after int(): differences behind the point are lost.')
def truncated(logits): return np.trunc(logits).argmax(1)
@bad('argmax of the flattened array.')
def flattened(logits): return np.array(logits.argmax())
@bad('Compared with the maximum of the whole batch: rows without it give 0 (right for N=1).')
def batch_maximum(logits): return (logits == logits.max()).argmax(1)
@bad('best not set back between rows: later rows must beat earlier ones (right for N=1).')
def best_not_reset(logits):
    out, best = [], -np.inf
    for row in logits.tolist():
        k = 0
        for w, v in enumerate(row):
            if v > best: best, k = v, w
        out.append(k)
    return np.array(out)
@bad('Word 0 never predicted ("it is padding").')
def never_word_0(logits): return logits[:, 1:].argmax(1) + 1 if logits.shape[1] > 1 else logits.argmax(1)
@bad('Second best word.')
def second_best(logits): return np.argsort(-logits.astype(float), axis=1, kind='stable')[:, min(1, logits.shape[1] - 1)]
@bad('Softmax without its maximum: nan for large logits, and argmax then points at the nan.', 'apache/singa#540')
def unstable_softmax(logits):
    with np.errstate(all='ignore'): z = np.exp(logits); return (z / z.sum(1, keepdims=True)).argmax(1)
@bad('sigmoid or tanh before comparing: large logits all become 1.')
def after_tanh(logits): return np.tanh(logits).argmax(1)
@bad('Drawn at random from the probabilities (sampling, not the largest).')
def sampled(logits):
    r, p = R(0), sm(logits.astype(float)); return np.array([r.choice(p.shape[1], p=q) for q in p])
@bad('First row\'s word for all (right for N=1).')
def first_row(logits): return np.full(len(logits), logits[0].argmax())
@bad('Most frequent winner of the batch for all.')
def majority(logits): k = logits.argmax(1); return np.full(len(k), np.bincount(k).argmax())
@bad('The winner is set to minus infinity in the caller\'s array (left over from beam search).', policy=True)
def crosses_out(logits):
    k = logits.argmax(1); logits[np.arange(len(k)), k] = -np.inf if logits.dtype.kind == 'f' else np.iinfo(logits.dtype).min; return k
