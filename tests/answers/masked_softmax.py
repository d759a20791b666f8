"""Right and wrong answers to `masked_softmax`."""

from tests.answers.register import *  # noqa: F403

ok, bad = answers("masked_softmax")


def reference(e, mask):
    a = np.zeros(e.shape)
    for n in range(len(e)):
        keep = np.asarray(mask[n]) != 0
        if keep.any():
            z = np.exp(e[n][keep].astype(float) - e[n][keep].max())
            a[n, keep] = z / z.sum()
    return a
@ok
def where_neg_inf(e, mask):
    keep = mask.astype(bool)
    x = np.where(keep, e, -np.inf)
    m = x.max(axis=1, keepdims=True); m = np.where(np.isfinite(m), m, 0.0)
    z = np.exp(x - m); s = z.sum(axis=1, keepdims=True)
    return z / np.where(s == 0, 1.0, s)
@ok
def finfo_min_then_zero(e, mask):
    k = mask != 0
    x = np.where(k, e.astype(float), np.finfo(float).min)
    z = np.exp(x - x.max(1, keepdims=True)) * k
    return z / np.maximum(z.sum(1, keepdims=True), 1e-300)
@ok
def masked_array(e, mask):
    x = np.ma.masked_array(e.astype(float), mask=(mask == 0))
    z = np.ma.exp(x - x.max(axis=1, keepdims=True))
    return np.ma.filled(z / z.sum(axis=1, keepdims=True), 0.0)
@ok
def softmax_on_copy(e, mask):
    x = e.astype(float).copy(); x[mask == 0] = -np.inf
    out = np.zeros_like(x)
    rows = (mask != 0).any(axis=1)
    out[rows] = sm(x[rows])
    return out
@ok
def renormalise_after(e, mask):
    k = (mask != 0)
    safe = np.where(k, e, np.where(k, e, -np.inf).max(1, keepdims=True))
    safe = np.where(np.isfinite(safe), safe, 0.0)
    a = sm(safe.astype(float)) * k
    s = a.sum(axis=1, keepdims=True)
    return np.where(s > 0, a / np.where(s > 0, s, 1), 0.0)
def _fill(e, mask, v): return sm(np.where(mask != 0, e, v).astype(float))
@bad('Scores multiplied by the mask: a padded score becomes 0, not minus infinity, and exp(0)=1.', 'georg-wolflein/good-features#1')
def multiply_scores(e, mask): return sm((e * mask).astype(float))
@bad('Mask inverted: padding kept, real words dropped.', 'lucidrains/memory-compressed-attention#2 (sign of infinity)')
def inverted(e, mask): return reference(e, (mask == 0))
@bad('Filled with plus infinity (sign slip).', 'lucidrains/memory-compressed-attention#2')
def plus_inf(e, mask):
    with np.errstate(all='ignore'): return _fill(e, mask, np.inf)
@bad('Filled with -1e4, which real scores of large models can fall below.', 'hyunwoongko/transformer#40')
def fill_minus_1e4(e, mask): return _fill(e, mask, -1e4) * (mask != 0).any(1)[:, None]
@bad('-inf with no guard: a row that is all padding becomes nan.', 'allenai/allennlp#890, tracel-ai/burn#4697, pytorch/pytorch#131060', policy=True)
def neg_inf_no_guard(e, mask):
    with np.errstate(invalid='ignore'): return _fill(e, mask, -np.inf)
@bad('Maximum taken over padded positions too: a huge padded score underflows the real ones to 0/0.')
def max_over_padding(e, mask):
    z = np.exp(e - e.max(1, keepdims=True).astype(float)) * (mask != 0)
    with np.errstate(invalid='ignore', divide='ignore'): r = z / z.sum(1, keepdims=True)
    return np.where((mask != 0).any(1)[:, None], r, 0)
@bad('No max subtraction inside the masked softmax.', 'datalogue/keras-attention')
def no_max(e, mask):
    z = np.exp(e) * (mask != 0)
    with np.errstate(invalid='ignore', divide='ignore'): return np.where((mask != 0).any(1)[:, None], z / z.sum(1, keepdims=True), 0)
@bad('Length off by one: the first padding word is kept.')
def one_too_many(e, mask):
    k = (mask != 0).copy()
    for n in range(len(k)):
        z = np.flatnonzero(~k[n])
        if len(z) and k[n].any(): k[n, z[0]] = True
    return reference(e, k)
@bad('Length off by one: the last real word is dropped.')
def one_too_few(e, mask):
    k = (mask != 0).copy()
    for n in range(len(k)):
        z = np.flatnonzero(k[n])
        if len(z) > 1: k[n, z[-1]] = False
    return reference(e, k)
@bad('Uniform weights over the real words.')
def uniform_over_real(e, mask):
    k = (mask != 0).astype(float); return k / np.maximum(k.sum(1, keepdims=True), 1)
@bad('Wrote -inf into the caller\'s scores.', policy=True)
def inplace(e, mask):
    if e.dtype.kind != 'f': raise TypeError
    e[mask == 0] = -1e300
    z = np.exp(e - e.max(1, keepdims=True)) * (mask != 0)
    return z / np.maximum(z.sum(1, keepdims=True), 1e-300)
