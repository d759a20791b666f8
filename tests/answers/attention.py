"""Right and wrong answers to `attention`."""

from tests.answers.register import *  # noqa: F403

ok, bad = answers("attention")


def reference(h, hs, keep):
    N, T, H = hs.shape; c, a = np.zeros((N, H)), np.zeros((N, T))
    for n in range(N):
        real = [i for i in range(T) if keep[n, i]]
        if not real: continue
        e = {i: sum(float(h[n, k]) * float(hs[n, i, k]) for k in range(H)) for i in real}
        top = max(e.values()); z = {i: np.exp(e[i] - top) for i in real}; total = sum(z.values())
        for i in real: a[n, i] = z[i] / total; c[n] += a[n, i] * hs[n, i]
    return c, a
def _dot(h, hs): return np.einsum('nh,nth->nt', h, hs).astype(float)
def _soft(e, k):
    m = np.where(k, e, -np.inf).max(1, keepdims=True); z = np.where(k, np.exp(np.where(k, e, 0) - np.where(np.isfinite(m), m, 0)), 0)
    s = z.sum(1, keepdims=True); return z / np.where(s > 0, s, 1)
def _sum(a, hs): return np.einsum('nt,nth->nh', a, hs)
def _k(keep): return np.asarray(keep) != 0
@ok
def einsum_where(h_tilde, hs, keep):
    e = np.where(keep.astype(bool), np.einsum('nh,nth->nt', h_tilde, hs), -np.inf); m = e.max(1, keepdims=True); m = np.where(m == -np.inf, 0, m)
    z = np.exp(e - m); s = z.sum(1, keepdims=True); a = z / np.where(s == 0, 1, s); return np.einsum('nt,nth->nh', a, hs), a
@ok
def per_sentence(h_tilde, hs, keep):
    N, T, H = hs.shape; c, a = np.zeros((N, H)), np.zeros((N, T))
    for n in range(N):
        real = np.flatnonzero(keep[n])
        if real.size:
            e = hs[n, real] @ h_tilde[n]; z = np.exp(e - e.max()); a[n, real] = z / z.sum(); c[n] = a[n] @ hs[n]
    return c, a
@ok
def python_scalars(h_tilde, hs, keep):
    import math
    cs, weights = [], []
    for q, states, real in zip(h_tilde.tolist(), hs.tolist(), keep.tolist()):
        e = [sum(x * y for x, y in zip(q, s)) for s in states]; top = max([v for v, k in zip(e, real) if k], default=0.0)
        z = [math.exp(v - top) if k else 0.0 for v, k in zip(e, real)]; total = sum(z) or 1.0; a = [v / total for v in z]
        weights.append(a); cs.append([sum(w * s[j] for w, s in zip(a, states)) for j in range(len(q))])
    return np.array(cs, float), np.array(weights, float)
@ok
def broadcast_log_keep(h_tilde, hs, keep):
    with np.errstate(divide='ignore', invalid='ignore'):
        e = (h_tilde[:, None] * hs).sum(-1) + np.log((keep != 0).astype(float)); m = e.max(-1, keepdims=True)
        z = np.exp(e - np.where(np.isneginf(m), 0, m)); s = z.sum(-1, keepdims=True); a = np.where(s > 0, z / s, 0)
    return (a[..., None] * hs).sum(axis=1), a
@ok
def masked_array(h_tilde, hs, keep):
    e = np.ma.masked_array(np.einsum('nth,nh->nt', hs, h_tilde).astype(float), mask=(keep == 0)); z = np.ma.exp(e - e.max(axis=1, keepdims=True))
    a = np.ma.filled(z / z.sum(axis=1, keepdims=True), 0.0); return [np.matmul(hs.transpose(0, 2, 1), a[..., None]).squeeze(-1), a]
@bad('Returned (a, c) instead of (c, a).')
def swapped_results(h_tilde, hs, keep): c, a = reference(h_tilde, hs, keep); return a, c
@bad('Padded weights zeroed after the softmax, not renormalised.', 'abisee/pointer-generator#88, qhfan/RMT#21')
def masked_after(h_tilde, hs, keep): a = sm(_dot(h_tilde, hs)) * _k(keep); return _sum(a, hs), a
@bad('Padded scores set to -100: not low enough once real scores are far below.', 'hyunwoongko/transformer#40 (-10000 hides bugs)')
def fill_minus_100(h_tilde, hs, keep): k = _k(keep); a = sm(np.where(k, _dot(h_tilde, hs), -100.)) * k.any(1)[:, None]; return _sum(a, hs), a
@bad('Padded scores set to -1e4, which real scores can fall below.', 'hyunwoongko/transformer#40')
def fill_minus_1e4(h_tilde, hs, keep): k = _k(keep); a = sm(np.where(k, _dot(h_tilde, hs), -1e4)) * k.any(1)[:, None]; return _sum(a, hs), a
@bad('-1e9 at padding: with nothing to keep, a is uniform and c the mean.', 'lsdefine/attention-is-all-you-need-keras#16', policy=True)
def fill_minus_1e9(h_tilde, hs, keep): a = sm(np.where(_k(keep), _dot(h_tilde, hs), -1e9)); return _sum(a, hs), a
@bad('-inf at padding without a guard: with nothing to keep, nan.', 'allenai/allennlp#890, tracel-ai/burn#4697, pytorch/pytorch#131060', policy=True)
def minus_inf_no_guard(h_tilde, hs, keep):
    with np.errstate(all='ignore'): a = sm(np.where(_k(keep), _dot(h_tilde, hs), -np.inf)); return _sum(a, hs), a
@bad('With nothing to keep, c falls back to the last hidden state.', policy=True)
def falls_back_to_last(h_tilde, hs, keep): c, a = reference(h_tilde, hs, keep); return np.where(_k(keep).any(1)[:, None], c, hs[:, -1]), a
@bad('With nothing to keep, c falls back to h_tilde.', policy=True)
def falls_back_to_query(h_tilde, hs, keep): c, a = reference(h_tilde, hs, keep); return np.where(_k(keep).any(1)[:, None], c, h_tilde), a
@bad('No maximum subtracted: overflow for large scores.', 'datalogue/keras-attention')
def no_max(h_tilde, hs, keep):
    with np.errstate(all='ignore'): z = np.exp(_dot(h_tilde, hs)) * _k(keep); s = z.sum(1, keepdims=True); a = np.where(_k(keep).any(1)[:, None], z / s, 0)
    return _sum(a, hs), a
@bad('Scores clipped to +-50 against overflow: large scores become equal.')
def clipped_scores(h_tilde, hs, keep): a = _soft(np.clip(_dot(h_tilde, hs), -50, 50), _k(keep)); return _sum(a, hs), a
@bad('Cosine instead of dot: lengths divided away.')
def cosine(h_tilde, hs, keep):
    u = h_tilde / (np.linalg.norm(h_tilde, axis=-1, keepdims=True) + 1e-12); w = hs / (np.linalg.norm(hs, axis=-1, keepdims=True) + 1e-12)
    a = _soft(_dot(u, w), _k(keep)); return _sum(a, hs), a
@bad('The encoder\'s last state asks instead of h_tilde.')
def last_state_asks(h_tilde, hs, keep): a = _soft(_dot(hs[:, -1], hs), _k(keep)); return _sum(a, hs), a
@bad('The first sentence\'s query asks for everyone (right for N=1).')
def first_query(h_tilde, hs, keep): a = _soft(np.einsum('h,nth->nt', h_tilde[0], hs).astype(float), _k(keep)); return _sum(a, hs), a
@bad('One softmax over all words of all sentences (right for N=1).')
def softmax_over_all(h_tilde, hs, keep): e = _dot(h_tilde, hs); a = _soft(e.reshape(1, -1), _k(keep).reshape(1, -1)).reshape(e.shape); return _sum(a, hs), a
@bad('Uniform weights over the kept words.')
def uniform(h_tilde, hs, keep): k = _k(keep) * 1.0; a = k / np.maximum(k.sum(1, keepdims=True), 1); return _sum(a, hs), a
@bad('keep of the first sentence for all (right for equal lengths).')
def first_keep(h_tilde, hs, keep): return reference(h_tilde, hs, np.repeat(keep[:1], len(hs), 0))
@bad('keep turned into a length: the first words count, whichever are kept (wrong with padding in the middle).')
def lengths_only(h_tilde, hs, keep): return reference(h_tilde, hs, np.arange(hs.shape[1])[None] < _k(keep).sum(1)[:, None])
@bad('Weights of the kept words written into the first places instead of their own (wrong with padding in the middle).')
def packed_to_front(h_tilde, hs, keep):
    c, a = reference(h_tilde, hs, keep); p = 0 * a
    for n in range(len(a)): w = a[n][_k(keep)[n]]; p[n, :len(w)] = w
    return c, p
@bad('Last kept word left out.')
def one_too_few(h_tilde, hs, keep):
    k = _k(keep).copy()
    for n in range(len(k)):
        z = np.flatnonzero(k[n])
        if len(z) > 1: k[n, z[-1]] = False
    return reference(h_tilde, hs, k)
@bad('~keep on a 0/1 array gives -1/-2, both true: everything counts as padding.')
def tilde_on_int(h_tilde, hs, keep):
    e = _dot(h_tilde, hs); pad = ~keep if keep.dtype.kind in 'biu' else keep == 0; a = sm(np.where(pad, -1e30, e)) * _k(keep).any(1)[:, None]; return _sum(a, hs), a
@bad('hs reshaped to (N,H,T) where a transpose was needed.', 'jsbaan/transformer-from-scratch#6, ajhalthor/Transformer-Neural-Network#4')
def reshape_not_transpose(h_tilde, hs, keep):
    N, T, H = hs.shape; a = _soft((h_tilde[:, None] @ hs.reshape(N, H, T))[:, 0].astype(float), _k(keep)); return _sum(a, hs), a
@bad('Sets the caller\'s padded states to 0.', policy=True)
def zeroes_states(h_tilde, hs, keep): r = reference(h_tilde, hs, keep); hs[~_k(keep)] = 0; return r
