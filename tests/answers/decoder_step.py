"""Right and wrong answers to `decoder_step`."""

from tests.answers.register import *  # noqa: F403

ok, bad = answers("decoder_step")


from types import SimpleNamespace
def _soft(e, k):
    m = np.where(k, e, -np.inf).max(1, keepdims=True); z = np.where(k, np.exp(np.where(k, e, 0) - np.where(np.isfinite(m), m, 0)), 0)
    s = z.sum(1, keepdims=True); return z / np.where(s > 0, s, 1)
def _score(q, hs, s): return np.tanh((q @ s.W1)[:, None] + hs @ s.W2) @ s.v
def _sum(a, hs): return np.einsum('nt,nth->nh', a, hs)
_STAGES = (('ht', lambda s: np.tanh(s.x @ s.Wx + s.carry @ s.Wh + s.b)), ('e', lambda s: _score(s.ht, s.hs, s)), ('a', lambda s: _soft(s.e, s.k)), ('c', lambda s: _sum(s.a, s.hs)),
           ('h', lambda s: np.tanh(np.concatenate([s.ht, s.c], 1) @ s.Wc)), ('logits', lambda s: s.h @ s.Wo + s.bo), ('out', lambda s: (s.logits, s.a, s.ht, s.h)))
def _with(args, **other):
    """The step, stage by stage; a stage given by name replaces the right one.  s holds arguments, parameters, k (bool keep) and the stages so far."""
    x, carry, hs, keep, p = args; s = SimpleNamespace(x=x, carry=carry, hs=hs, k=np.asarray(keep) != 0, keep=keep, **p)
    for name, stage in _STAGES: setattr(s, name, other.get(name, stage)(s))
    return s.out
@ok
def in_one_breath(x, carry, hs, keep, p):
    h_tilde = np.tanh(x @ p['Wx'] + carry @ p['Wh'] + p['b']); e = np.tanh((h_tilde @ p['W1'])[:, None, :] + hs @ p['W2']) @ p['v']
    e = np.where(keep.astype(bool), e, -np.inf); m = e.max(axis=1, keepdims=True); z = np.exp(e - np.where(np.isinf(m), 0, m)); total = z.sum(axis=1, keepdims=True); a = z / np.where(total == 0, 1, total)
    h = np.tanh(np.concatenate([h_tilde, (a[:, None, :] @ hs)[:, 0]], axis=1) @ p['Wc']); return h @ p['Wo'] + p['bo'], a, h_tilde, h
@ok
def einsum(x, carry, hs, keep, p):
    h_tilde = np.tanh(np.einsum('nd,dh->nh', x, p['Wx']) + np.einsum('nk,kh->nh', carry, p['Wh']) + p['b'][None])
    e = np.einsum('nta,a->nt', np.tanh(np.einsum('nh,ha->na', h_tilde, p['W1'])[:, None] + np.einsum('nth,ha->nta', hs, p['W2'])), p['v'])
    k = keep.astype(float); z = np.exp(np.minimum(e - np.max(np.where(k > 0, e, -1e300), axis=1, keepdims=True), 0)) * k; a = z / np.maximum(z.sum(1, keepdims=True), 1e-300)
    H = hs.shape[2]; h = np.tanh(np.einsum('nh,hk->nk', h_tilde, p['Wc'][:H]) + np.einsum('nt,nth,hk->nk', a, hs, p['Wc'][H:])); return np.einsum('nh,hv->nv', h, p['Wo']) + p['bo'], a, h_tilde, h
@ok
def small_functions(x, carry, hs, keep, p):
    rnn = lambda: np.tanh(np.hstack([x, carry]) @ np.vstack([p['Wx'], p['Wh']]) + p['b'])
    score = lambda q: np.stack([np.tanh(q @ p['W1'] + hs[:, i] @ p['W2']) @ p['v'] for i in range(hs.shape[1])], axis=1)
    def soft(e):
        with np.errstate(invalid='ignore'): e = np.where(keep != 0, e, -np.inf); z = np.exp(e - e.max(1, keepdims=True)); return np.nan_to_num(z / z.sum(1, keepdims=True))
    q = rnn(); a = soft(score(q)); c = (a[:, :, None] * hs).sum(axis=1); h = np.tanh(np.c_[q, c] @ p['Wc']); return [h @ p['Wo'] + p['bo'], a, q, h]
@ok
def only_rows_with_words(x, carry, hs, keep, p):
    k = np.asarray(keep, dtype=bool); some = k.any(axis=1); q = np.tanh(x @ p['Wx'] + (carry @ p['Wh'] + p['b'])); a, c = np.zeros(k.shape), np.zeros(q.shape)
    e = (np.tanh((q[some] @ p['W1'])[:, np.newaxis] + hs[some] @ p['W2']) * p['v']).sum(-1); e = np.where(k[some], e, -np.inf); z = np.exp(e - e.max(1)[:, None])
    a[some] = z / z.sum(1)[:, None]; c[some] = np.einsum('nth,nt->nh', hs[some], a[some]); both = np.concatenate((q, c), axis=-1); h = np.tanh(both @ p['Wc']); return np.add(h @ p['Wo'], p['bo']), a, q, h
@ok
def columns(x, carry, hs, keep, p):
    q = np.tanh(p['Wx'].T @ x.T + p['Wh'].T @ carry.T + p['b'][:, None]); t = np.tanh(np.moveaxis(hs @ p['W2'], 2, 0) + (p['W1'].T @ q)[:, :, None]); e = np.tensordot(p['v'], t, axes=1)
    z = np.zeros(e.shape); k = keep != 0
    for n in range(len(e)):
        if k[n].any(): z[n, k[n]] = np.exp(e[n, k[n]] - e[n, k[n]].max()); z[n] /= z[n].sum()
    c = sum(z[:, i] * hs[:, i].T for i in range(hs.shape[1])); h = np.tanh(p['Wc'].T @ np.vstack([q, c])); return (p['Wo'].T @ h + p['bo'].reshape(-1, 1)).T, z, q.T, h.T
@bad('h returned twice: the provisional state is lost.')
def h_twice(x, carry, hs, keep, p): return _with((x, carry, hs, keep, p), out=lambda s: (s.logits, s.a, s.h, s.h))
@bad('h_tilde returned twice: the combined state is lost.')
def h_tilde_twice(x, carry, hs, keep, p): return _with((x, carry, hs, keep, p), out=lambda s: (s.logits, s.a, s.ht, s.ht))
@bad('Probabilities returned in place of the logits.')
def returns_probabilities(x, carry, hs, keep, p): return _with((x, carry, hs, keep, p), logits=lambda s: sm(s.h @ s.Wo + s.bo))
@bad('Logits read from h_tilde: the attention never reaches the word.')
def logits_from_h_tilde(x, carry, hs, keep, p): return _with((x, carry, hs, keep, p), logits=lambda s: s.ht @ s.Wo + s.bo)
@bad('Output bias as a column: silent when N=V.')
def bo_column(x, carry, hs, keep, p): return _with((x, carry, hs, keep, p), logits=lambda s: s.h @ s.Wo + s.bo[:, None])
@bad('The embedded word asks (runs only when D=H).')
def word_asks(x, carry, hs, keep, p): return _with((x, carry, hs, keep, p), e=lambda s: _score(s.x, s.hs, s))
@bad('W1 and W2 exchanged: same shapes, no error.')
def W1_W2_swapped(x, carry, hs, keep, p): return _with((x, carry, hs, keep, p), e=lambda s: np.tanh((s.ht @ s.W2)[:, None] + s.hs @ s.W1) @ s.v)
@bad('W1 used for both (right when W1 = W2).')
def W1_for_both(x, carry, hs, keep, p): return _with((x, carry, hs, keep, p), e=lambda s: np.tanh((s.ht @ s.W1)[:, None] + s.hs @ s.W1) @ s.v)
@bad('h~ missing in the score: every step attends in the same way.')
def score_without_query(x, carry, hs, keep, p): return _with((x, carry, hs, keep, p), e=lambda s: np.tanh(s.hs @ s.W2) @ s.v)
@bad('Dot score instead of the additive one.')
def dot_score(x, carry, hs, keep, p): return _with((x, carry, hs, keep, p), e=lambda s: np.einsum('nh,nth->nt', s.ht, s.hs))
@bad('Scores divided by sqrt(H) or sqrt(A), as in Transformers (right for A=1).')
def score_scaled(x, carry, hs, keep, p): return _with((x, carry, hs, keep, p), e=lambda s: _score(s.ht, s.hs, s) / np.sqrt(len(s.v)))
@bad('keep ignored.', 'tensorflow/tensorflow#512, MaximumEntropy/Seq2Seq-PyTorch#6')
def keep_ignored(x, carry, hs, keep, p): return _with((x, carry, hs, keep, p), a=lambda s: sm(s.e))
@bad('Padded scores set to 0.', 'georg-wolflein/good-features#1')
def scores_times_keep(x, carry, hs, keep, p): return _with((x, carry, hs, keep, p), a=lambda s: sm(s.e * s.k))
@bad('keep of the first sentence for all (right for equal lengths).')
def first_keep(x, carry, hs, keep, p): return _with((x, carry, hs, keep, p), a=lambda s: _soft(s.e, np.repeat(s.k[:1], len(s.k), 0)))
@bad('keep transposed (silent when N=T).')
def keep_transposed(x, carry, hs, keep, p):
    if keep.T.shape != keep.shape: raise ValueError('operands could not be broadcast together')
    return _with((x, carry, hs, keep, p), a=lambda s: _soft(s.e, s.k.T))
@bad('~keep on a 0/1 array: -1/-2 are both true.')
def tilde_on_int(x, carry, hs, keep, p):
    return _with((x, carry, hs, keep, p), a=lambda s: sm(np.where(~s.keep if s.keep.dtype.kind in 'biu' else ~s.k, -1e30, s.e)) * s.k.any(1)[:, None])
@bad('-inf at padding without a guard: with nothing to keep, nan everywhere behind it.', 'allenai/allennlp#890, tracel-ai/burn#4697', policy=True)
def minus_inf_no_guard(x, carry, hs, keep, p):
    with np.errstate(all='ignore'): return _with((x, carry, hs, keep, p), a=lambda s: sm(np.where(s.k, s.e, -np.inf)))
@bad('No maximum subtracted in the softmax: overflow when v is large.')
def no_max(x, carry, hs, keep, p):
    with np.errstate(all='ignore'): return _with((x, carry, hs, keep, p), a=lambda s: np.where(s.k.any(1)[:, None], np.exp(s.e) * s.k / (np.exp(s.e) * s.k).sum(1, keepdims=True), 0))
@bad('Context divided by T again (right for T=1).')
def c_divided(x, carry, hs, keep, p): return _with((x, carry, hs, keep, p), c=lambda s: _sum(s.a, s.hs) / s.hs.shape[1])
@bad('Context summed over the encoder projections hs W2 (runs only when A=H).')
def c_from_projection(x, carry, hs, keep, p): return _with((x, carry, hs, keep, p), c=lambda s: _sum(s.a, s.hs @ s.W2))
@bad('c left out of the combine.')
def combine_without_c(x, carry, hs, keep, p): return _with((x, carry, hs, keep, p), h=lambda s: np.tanh(s.ht @ s.Wc[:s.c.shape[1]]))
@bad('Wh transposed: it is square, so no error ever appears.', 'symengine/symengine#2032 (square test matrix hid the transpose bug)')
def Wh_transposed(x, carry, hs, keep, p): return _with((x, carry, hs, keep, p), ht=lambda s: np.tanh(s.x @ s.Wx + s.carry @ s.Wh.T + s.b))
@bad('Wx and Wh exchanged (runs only when D=H).')
def Wx_Wh_swapped(x, carry, hs, keep, p): return _with((x, carry, hs, keep, p), ht=lambda s: np.tanh(s.x @ s.Wh + s.carry @ s.Wx + s.b))
@bad('Starts from the encoder\'s last state at every step instead of carry.')
def restarts(x, carry, hs, keep, p): return _with((x, carry, hs, keep, p), ht=lambda s: np.tanh(s.x @ s.Wx + s.hs[:, -1] @ s.Wh + s.b))
@bad('Residual: carry added to h~.')
def residual(x, carry, hs, keep, p): return _with((x, carry, hs, keep, p), ht=lambda s: s.carry + np.tanh(s.x @ s.Wx + s.carry @ s.Wh + s.b))
@bad('The step is written into the caller\'s carry.', policy=True)
def inplace_carry(x, carry, hs, keep, p): r = _with((x, carry, hs, keep, p)); carry[...] = r[2]; return r
@bad('Parameters taken out of the dict with pop: the next call fails.', policy=True)
def pops_parameters(x, carry, hs, keep, p): r = _with((x, carry, hs, keep, p)); p.pop('bo'); return r
@bad('Zeroes the caller\'s padded encoder states.', policy=True)
def zeroes_states(x, carry, hs, keep, p): r = _with((x, carry, hs, keep, p)); hs[np.asarray(keep) == 0] = 0; return r
@bad('State kept between calls instead of the carry that is passed in.', 'pgmpy/pgmpy#2754')
def own_state(x, carry, hs, keep, p, store={}):
    k = (x.shape, carry.shape); c = store.get(k, carry); r = _with((x, c, hs, keep, p)); store[k] = r[2]; return r
