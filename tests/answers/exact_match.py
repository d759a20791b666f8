"""Right and wrong answers to `exact_match`."""

from tests.answers.register import *  # noqa: F403

ok, bad = answers("exact_match")


def _cut(r, eos):
    r = [int(x) for x in r]; return r[:r.index(eos) + 1] if eos in r else r
def reference(pred, gold, eos): return sum(_cut(p, eos) == _cut(g, eos) for p, g in zip(pred, gold)) / len(gold)
@ok
def masks(p, g, e):
    def keep(x): h = np.cumsum(x == e, axis=1); return (h == 0) | ((h == 1) & (x == e))
    a, b = keep(p), keep(g); return ((np.where(a, p, -1) == np.where(b, g, -1)).all(axis=1)).mean()
@ok
def gold_mask(p, g, e):
    def ln(x): return np.where((x == e).any(1), (x == e).argmax(1), x.shape[1] - 1)
    k = np.arange(g.shape[1])[None] <= ln(g)[:, None]; return (((p == g) | ~k).all(1) & (ln(p) == ln(g))).sum() / len(g)
@ok
def loops(p, g, e):
    hit = 0
    for n in range(len(g)):
        good = True
        for a, b in zip(p[n], g[n]):
            if a != b: good = False; break
            if b == e: break
        hit += good
    return hit / len(g)
@ok
def fill_after_eos(p, g, e):
    p, g = p.copy(), g.copy()
    for x in (p, g):
        for r in x:
            w = np.flatnonzero(r == e)
            if len(w): r[w[0]:] = e
    return float((p == g).all(1).mean())
@bad('Only the first word.')
def first_word(p, g, e): return (p[:, 0] == g[:, 0]).mean()
@bad('Order ignored (sets).')
def as_sets(p, g, e): return np.mean([set(_cut(a, e)) == set(_cut(b, e)) for a, b in zip(p, g)])
@bad('Order ignored (sorted).')
def as_sorted(p, g, e): return np.mean([sorted(_cut(a, e)) == sorted(_cut(b, e)) for a, b in zip(p, g)])
@bad('Only the length compared.')
def length_only(p, g, e): return np.mean([len(_cut(a, e)) == len(_cut(b, e)) for a, b in zip(p, g)])
@bad('Count instead of share.')
def count(p, g, e): return float(sum(_cut(a, e) == _cut(b, e) for a, b in zip(p, g)))
@bad('Percent (0-100) instead of a share.')
def percent(p, g, e): return 100.0 * reference(p, g, e)
@bad('Divided by the number of words.')
def divide_words(p, g, e): return sum(_cut(a, e) == _cut(b, e) for a, b in zip(p, g)) / g.size
@bad('All rows or nothing: (p == g).all() over the whole batch.')
def whole_batch(p, g, e): return float(np.array_equal([_cut(a, e) for a in p] and np.array([str(_cut(a, e)) for a in p]), np.array([str(_cut(b, e)) for b in g])))
@bad('Missing eos forgiven: an answer that never ends counts as right.')
def missing_eos(p, g, e):
    def c(r): r = [int(x) for x in r]; return r[:r.index(e)] if e in r else r
    return np.mean([c(b) == c(a)[:len(c(b))] and (len(c(a)) == len(c(b)) or e not in list(a)) for a, b in zip(p, g)])
@bad('Everything compared with the first prediction.')
def first_prediction(p, g, e): return np.mean([_cut(p[0], e) == _cut(b, e) for b in g])
