"""Right and wrong answers to `decoder_step_backward`."""

from tests.answers.register import *  # noqa: F403

ok, bad = answers("decoder_step_backward")


from types import SimpleNamespace
def _soft(e, k):
    m = np.where(k, e, -np.inf).max(1, keepdims=True); z = np.where(k, np.exp(np.where(k, e, 0) - np.where(np.isfinite(m), m, 0)), 0)
    s = z.sum(1, keepdims=True); return z / np.where(s > 0, s, 1)
_NAMES = 'Wx Wh b W1 W2 v Wc Wo bo'.split()
_cat = lambda a, b: np.concatenate([a, b], 1)
_outer = lambda a, g: np.einsum('nti,nto->io', a, g)
_STAGES = (                                          # forward again, then back; s.g_... are gradients
    ('ht', lambda s: np.tanh(s.x @ s.Wx + s.carry @ s.Wh + s.b)), ('t', lambda s: np.tanh((s.ht @ s.W1)[:, None] + s.hs @ s.W2)), ('a', lambda s: _soft(s.t @ s.v, s.k)),
    ('c', lambda s: np.einsum('nt,nth->nh', s.a, s.hs)), ('h', lambda s: np.tanh(_cat(s.ht, s.c) @ s.Wc)),
    ('g_Wo', lambda s: s.h.T @ s.dlogits), ('g_bo', lambda s: s.dlogits.sum(0)), ('g_h', lambda s: s.dlogits @ s.Wo.T + s.dh), ('g_z', lambda s: s.g_h * (1 - s.h ** 2)),
    ('g_Wc', lambda s: _cat(s.ht, s.c).T @ s.g_z), ('g_q', lambda s: s.g_z @ s.Wc.T), ('g_ht_combine', lambda s: s.g_q[:, :s.H]), ('g_c', lambda s: s.g_q[:, s.H:]),
    ('g_a', lambda s: np.einsum('nh,nth->nt', s.g_c, s.hs)), ('g_hs_context', lambda s: s.a[..., None] * s.g_c[:, None]), ('g_e', lambda s: s.a * (s.g_a - (s.a * s.g_a).sum(1, keepdims=True))),
    ('g_v', lambda s: np.einsum('nt,nta->a', s.g_e, s.t)), ('g_u', lambda s: s.g_e[..., None] * s.v * (1 - s.t ** 2)), ('g_W1', lambda s: s.ht.T @ s.g_u.sum(1)), ('g_W2', lambda s: _outer(s.hs, s.g_u)),
    ('g_ht_score', lambda s: s.g_u.sum(1) @ s.W1.T), ('g_hs_score', lambda s: s.g_u @ s.W2.T), ('g_ht', lambda s: s.g_ht_combine + s.g_ht_score + s.dh_tilde), ('g_hs', lambda s: s.g_hs_context + s.g_hs_score),
    ('g_r', lambda s: s.g_ht * (1 - s.ht ** 2)), ('g_Wx', lambda s: s.x.T @ s.g_r), ('g_Wh', lambda s: s.carry.T @ s.g_r), ('g_b', lambda s: s.g_r.sum(0)), ('g_x', lambda s: s.g_r @ s.Wx.T), ('g_carry', lambda s: s.g_r @ s.Wh.T),
    ('out', lambda s: (s.g_x, s.g_carry, s.g_hs, {n: getattr(s, 'g_' + n) for n in _NAMES})))
def _with(args, **other):
    """The right backward, stage by stage; a stage given by name replaces the right one.  s holds arguments, parameters, k (bool keep), H and the stages so far."""
    dlogits, dh_tilde, dh, x, carry, hs, keep, p = args; s = SimpleNamespace(dlogits=dlogits, dh_tilde=dh_tilde, dh=dh, x=x, carry=carry, hs=hs, k=np.asarray(keep) != 0, H=hs.shape[2], **p)
    for name, stage in _STAGES: setattr(s, name, other.get(name, stage)(s))
    return s.out
@ok
def straight_line(dlogits, dh_tilde, dh, x, carry, hs, keep, p):
    H = hs.shape[2]; ht = np.tanh(x @ p['Wx'] + carry @ p['Wh'] + p['b']); t = np.tanh((ht @ p['W1'])[:, None] + hs @ p['W2']); e = np.where(keep != 0, t @ p['v'], -np.inf)
    m = e.max(1, keepdims=True); z = np.exp(e - np.where(np.isinf(m), 0, m)); total = z.sum(1, keepdims=True); a = z / np.where(total == 0, 1, total); c = (a[:, None] @ hs)[:, 0]; q = np.hstack([ht, c]); h = np.tanh(q @ p['Wc'])
    dz = (dlogits @ p['Wo'].T + dh) * (1 - h * h); dq = dz @ p['Wc'].T; dc = dq[:, H:]; da = (hs @ dc[:, :, None])[..., 0]; de = a * (da - (a * da).sum(1, keepdims=True)); du = de[:, :, None] * p['v'] * (1 - t * t); du1 = du.sum(1)
    dr = (dq[:, :H] + dh_tilde + du1 @ p['W1'].T) * (1 - ht * ht)
    return dr @ p['Wx'].T, dr @ p['Wh'].T, a[:, :, None] * dc[:, None] + du @ p['W2'].T, dict(Wx=x.T @ dr, Wh=carry.T @ dr, b=dr.sum(0), W1=ht.T @ du1, W2=np.tensordot(hs, du, ((0, 1), (0, 1))), v=np.tensordot(de, t, 2), Wc=q.T @ dz, Wo=h.T @ dlogits, bo=dlogits.sum(0))
@ok
def chained_stages(dlogits, dh_tilde, dh, x, carry, hs, keep, p):
    linear_back = lambda dy, v, W: (np.einsum('no,io->ni', dy, W), np.einsum('ni,no->io', v, dy)); dp = {}
    pre = x @ p['Wx'] + carry @ p['Wh'] + p['b']; ht = np.tanh(pre); t = np.tanh((ht @ p['W1'])[:, np.newaxis, :] + np.einsum('nth,ha->nta', hs, p['W2'])); e = np.einsum('nta,a->nt', t, p['v']); k = keep.astype(float)
    z = np.exp(np.minimum(e - np.where(k > 0, e, -1e300).max(1, keepdims=True), 0)) * k; a = z / np.maximum(z.sum(1, keepdims=True), 1e-300); c = np.einsum('nt,nth->nh', a, hs); q = np.concatenate([ht, c], axis=1); h = np.tanh(q @ p['Wc'])
    g, dp['Wo'] = linear_back(dlogits, h, p['Wo']); dp['bo'] = np.einsum('nv->v', dlogits)
    g, dp['Wc'] = linear_back((g + dh) * (1 - np.square(h)), q, p['Wc']); dht, dc = np.split(g, 2, axis=1)
    da, dhs = np.einsum('nh,nth->nt', dc, hs), np.einsum('nt,nh->nth', a, dc)
    de = a * da - a * np.einsum('nt,nt->n', a, da)[:, None]
    du = np.einsum('nt,a,nta->nta', de, p['v'], 1 - t ** 2); dp['v'] = np.einsum('nt,nta->a', de, t); dp['W2'] = np.einsum('nth,nta->ha', hs, du); dhs = dhs + np.einsum('nta,ha->nth', du, p['W2'])
    more, dp['W1'] = linear_back(du.sum(axis=1), ht, p['W1']); dht = dht + more + dh_tilde
    dpre = dht / np.cosh(np.clip(pre, -300, 300)) ** 2; dx, dp['Wx'] = linear_back(dpre, x, p['Wx']); dcarry, dp['Wh'] = linear_back(dpre, carry, p['Wh']); dp['b'] = dpre.sum(axis=0); return dx, dcarry, dhs, {name: dp[name] for name in p}
@ok
def sentence_by_sentence(dlogits, dh_tilde, dh, x, carry, hs, keep, p):
    dp = {k: np.zeros(w.shape) for k, w in p.items()}; dx, dcarry, dhs, H = np.zeros(x.shape), np.zeros(carry.shape), np.zeros(hs.shape), hs.shape[2]
    for n in range(len(x)):
        ht = np.tanh(p['Wx'].T @ x[n] + p['Wh'].T @ carry[n] + p['b']); r = np.flatnonzero(keep[n]); S = hs[n, r]; t = np.tanh(ht @ p['W1'] + S @ p['W2']); e = t @ p['v']
        a = np.exp(e - e.max()) / np.exp(e - e.max()).sum() if len(r) else np.zeros(0)
        q = np.append(ht, a @ S); h = np.tanh(q @ p['Wc']); dp['Wo'] += np.outer(h, dlogits[n]); dp['bo'] += dlogits[n]; dz = (p['Wo'] @ dlogits[n] + dh[n]) * (1 - h ** 2); dp['Wc'] += np.outer(q, dz); dq = p['Wc'] @ dz
        J = np.diag(a) - np.outer(a, a); de = J @ (S @ dq[H:]); du = np.outer(de, p['v']) * (1 - t ** 2); dp['v'] += de @ t; dp['W1'] += np.outer(ht, du.sum(0)); dp['W2'] += S.T @ du
        dhs[n, r] = np.outer(a, dq[H:]) + du @ p['W2'].T; dr = (dq[:H] + dh_tilde[n] + p['W1'] @ du.sum(0)) * (1 - ht ** 2)
        dp['Wx'] += np.outer(x[n], dr); dp['Wh'] += np.outer(carry[n], dr); dp['b'] += dr; dx[n], dcarry[n] = p['Wx'] @ dr, p['Wh'] @ dr
    return dx, dcarry, dhs, dp
@ok
def jacobian_of_softmax(dlogits, dh_tilde, dh, x, carry, hs, keep, p):
    N, T, H = hs.shape; k = np.asarray(keep, bool); xh = np.hstack([x, carry, np.ones((N, 1))]); W = np.vstack([p['Wx'], p['Wh'], p['b']]); ht = np.tanh(xh @ W); t = np.tanh(np.expand_dims(ht @ p['W1'], 1) + hs @ p['W2']); e = t @ p['v']; a = np.zeros((N, T)); some = k.any(1)
    z = np.where(k[some], e[some], -np.inf); z = np.exp(z - z.max(1)[:, None]); a[some] = z / z.sum(1)[:, None]; q = np.c_[ht, np.einsum('nt,nth->nh', a, hs)]; h1 = np.c_[np.tanh(q @ p['Wc']), np.ones(N)]; h = h1[:, :-1]
    dWo = h1.T @ dlogits; dz = (dlogits @ p['Wo'].T + dh) * (1 - h) * (1 + h); dq = dz @ p['Wc'].T; J = a[:, :, None] * np.eye(T) - a[:, :, None] * a[:, None, :]; de = np.einsum('nij,nj->ni', J, np.einsum('nh,nth->nt', dq[:, H:], hs))
    du = de[..., None] * (p['v'] * (1 - t) * (1 + t)); flat = du.reshape(N * T, -1); dhs = a[..., None] * dq[:, None, H:] + (flat @ p['W2'].T).reshape(hs.shape); dr = (dq[:, :H] + dh_tilde + np.repeat(p['W1'][None], N, 0).__matmul__(du.sum(1)[:, :, None])[..., 0]) * (1 - ht) * (1 + ht)
    dxh, dW, D = dr @ W.T, xh.T @ dr, x.shape[1]
    return dxh[:, :D], dxh[:, D:D + H], dhs, {'Wx': dW[:D], 'Wh': dW[D:-1], 'b': dW[-1], 'W1': ht.T @ du.sum(1), 'W2': hs.reshape(N * T, H).T @ flat, 'v': de.ravel() @ t.reshape(N * T, -1), 'Wc': q.T @ dz, 'Wo': dWo[:-1], 'bo': dWo[-1]}
@bad('Both gradients from the next step forgotten.')
def next_step_ignored(dlogits, dh_tilde, dh, x, carry, hs, keep, p): return _with((dlogits, 0.0 * dh_tilde, 0.0 * dh, x, carry, hs, keep, p))
@bad('Both arriving gradients added at h.')
def both_at_h(dlogits, dh_tilde, dh, x, carry, hs, keep, p): return _with((dlogits, 0.0 * dh_tilde, dh + dh_tilde, x, carry, hs, keep, p))
@bad('dh added behind the tanh of the combine (to its pre-activation).')
def dh_behind_tanh(dlogits, dh_tilde, dh, x, carry, hs, keep, p): return _with((dlogits, dh_tilde, dh, x, carry, hs, keep, p), g_z=lambda s: s.dlogits @ s.Wo.T * (1 - s.h ** 2) + s.dh)
@bad('dh_tilde handed on unchanged as part of dcarry as well.')
def dh_tilde_passed_on(dlogits, dh_tilde, dh, x, carry, hs, keep, p): return _with((dlogits, dh_tilde, dh, x, carry, hs, keep, p), g_carry=lambda s: s.g_r @ s.Wh.T + s.dh_tilde)
@bad('dhs from the weighted sum only: the path through the scores is missing.')
def dhs_without_score(dlogits, dh_tilde, dh, x, carry, hs, keep, p): return _with((dlogits, dh_tilde, dh, x, carry, hs, keep, p), g_hs=lambda s: s.g_hs_context)
@bad('Softmax backward without the mean: a da.')
def softmax_without_mean(dlogits, dh_tilde, dh, x, carry, hs, keep, p): return _with((dlogits, dh_tilde, dh, x, carry, hs, keep, p), g_e=lambda s: s.a * s.g_a)
@bad('Softmax backward with the plain mean of da instead of the weighted one (right for uniform weights).')
def softmax_plain_mean(dlogits, dh_tilde, dh, x, carry, hs, keep, p): return _with((dlogits, dh_tilde, dh, x, carry, hs, keep, p), g_e=lambda s: s.a * (s.g_a - (s.g_a * s.k).sum(1, keepdims=True) / np.maximum(s.k.sum(1, keepdims=True), 1)))
@bad('Softmax backward with the weighted sum over the whole batch (right for N=1).')
def softmax_whole_batch(dlogits, dh_tilde, dh, x, carry, hs, keep, p): return _with((dlogits, dh_tilde, dh, x, carry, hs, keep, p), g_e=lambda s: s.a * (s.g_a - (s.a * s.g_a).sum()))
@bad('a computed again with the mask after the softmax, not renormalised.')
def masked_after(dlogits, dh_tilde, dh, x, carry, hs, keep, p): return _with((dlogits, dh_tilde, dh, x, carry, hs, keep, p), a=lambda s: sm(s.t @ s.v) * s.k)
@bad('keep turned into lengths (wrong with padding in the middle).')
def lengths_only(dlogits, dh_tilde, dh, x, carry, hs, keep, p): return _with((dlogits, dh_tilde, dh, x, carry, hs, np.arange(hs.shape[1])[None] < (np.asarray(keep) != 0).sum(1)[:, None], p))
@bad('tanh\' of the combine forgotten.')
def no_tanh_combine(dlogits, dh_tilde, dh, x, carry, hs, keep, p): return _with((dlogits, dh_tilde, dh, x, carry, hs, keep, p), g_z=lambda s: s.g_h)
@bad('tanh\' of h~ forgotten.')
def no_tanh_state(dlogits, dh_tilde, dh, x, carry, hs, keep, p): return _with((dlogits, dh_tilde, dh, x, carry, hs, keep, p), g_r=lambda s: s.g_ht)
@bad('tanh\' of h~ taken from h: wrong state in the cache.')
def tanh_grad_of_h(dlogits, dh_tilde, dh, x, carry, hs, keep, p): return _with((dlogits, dh_tilde, dh, x, carry, hs, keep, p), g_r=lambda s: s.g_ht * (1 - s.h ** 2))
@bad('Score gradient to h~ averaged over the words (right for T=1).')
def score_mean(dlogits, dh_tilde, dh, x, carry, hs, keep, p): return _with((dlogits, dh_tilde, dh, x, carry, hs, keep, p), g_ht_score=lambda s: s.g_u.mean(1) @ s.W1.T)
@bad('dW1 and dW2 exchanged: same shapes, no error.')
def dW1_dW2_swapped(dlogits, dh_tilde, dh, x, carry, hs, keep, p): return _with((dlogits, dh_tilde, dh, x, carry, hs, keep, p), g_W1=lambda s: _outer(s.hs, s.g_u), g_W2=lambda s: s.ht.T @ s.g_u.sum(1))
@bad('dW2 from summed states times summed gradients (right for T=1 and N=1).')
def dW2_sums(dlogits, dh_tilde, dh, x, carry, hs, keep, p): return _with((dlogits, dh_tilde, dh, x, carry, hs, keep, p), g_W2=lambda s: s.hs.sum(1).T @ s.g_u.sum(1))
@bad('dv weighted with a instead of de.')
def dv_from_a(dlogits, dh_tilde, dh, x, carry, hs, keep, p): return _with((dlogits, dh_tilde, dh, x, carry, hs, keep, p), g_v=lambda s: np.einsum('nt,nta->a', s.a, s.t))
@bad('Wc split the wrong way round: the first half taken for c.')
def Wc_halves_swapped(dlogits, dh_tilde, dh, x, carry, hs, keep, p): return _with((dlogits, dh_tilde, dh, x, carry, hs, keep, p), g_ht_combine=lambda s: s.g_q[:, s.H:], g_c=lambda s: s.g_q[:, :s.H])
@bad('dWc built with [c ; h~].')
def dWc_order(dlogits, dh_tilde, dh, x, carry, hs, keep, p): return _with((dlogits, dh_tilde, dh, x, carry, hs, keep, p), g_Wc=lambda s: _cat(s.c, s.ht).T @ s.g_z)
@bad('Wo not transposed (runs only when H=V).')
def Wo_not_transposed(dlogits, dh_tilde, dh, x, carry, hs, keep, p): return _with((dlogits, dh_tilde, dh, x, carry, hs, keep, p), g_h=lambda s: s.dlogits @ s.Wo + s.dh)
@bad('Softmax derivative applied to dlogits, which already is behind it.')
def softmax_on_dlogits(dlogits, dh_tilde, dh, x, carry, hs, keep, p):
    def g(s): q = sm(s.h @ s.Wo + s.bo); return q * (s.dlogits - (q * s.dlogits).sum(1, keepdims=True))
    return _with((dlogits, dh_tilde, dh, x, carry, hs, keep, p), g_Wo=lambda s: s.h.T @ g(s), g_bo=lambda s: g(s).sum(0), g_h=lambda s: g(s) @ s.Wo.T + s.dh)
@bad('dbo averaged over the batch instead of summed (right for N=1).')
def dbo_mean(dlogits, dh_tilde, dh, x, carry, hs, keep, p): return _with((dlogits, dh_tilde, dh, x, carry, hs, keep, p), g_bo=lambda s: s.dlogits.mean(0))
@bad('All parameter gradients averaged over the batch (right for N=1).')
def parameters_mean(dlogits, dh_tilde, dh, x, carry, hs, keep, p): dx, dc, dhs, dp = _with((dlogits, dh_tilde, dh, x, carry, hs, keep, p)); return dx, dc, dhs, {k: g / len(x) for k, g in dp.items()}
@bad('db summed over the features: a number per sentence (shape right when N=H).')
def db_wrong_axis(dlogits, dh_tilde, dh, x, carry, hs, keep, p): return _with((dlogits, dh_tilde, dh, x, carry, hs, keep, p), g_b=lambda s: s.g_r.sum(1))
@bad('Wh not transposed in dcarry: square, so no error ever appears.', 'symengine/symengine#2032 (square test matrix hid the transpose bug)')
def Wh_not_transposed(dlogits, dh_tilde, dh, x, carry, hs, keep, p): return _with((dlogits, dh_tilde, dh, x, carry, hs, keep, p), g_carry=lambda s: s.g_r @ s.Wh)
@bad('dcarry is the gradient of the pre-activation: Wh forgotten (right for Wh = identity).')
def dcarry_without_Wh(dlogits, dh_tilde, dh, x, carry, hs, keep, p): return _with((dlogits, dh_tilde, dh, x, carry, hs, keep, p), g_carry=lambda s: s.g_r)
@bad('dcarry missing (zeros): the chain through time is cut.')
def dcarry_zero(dlogits, dh_tilde, dh, x, carry, hs, keep, p): return _with((dlogits, dh_tilde, dh, x, carry, hs, keep, p), g_carry=lambda s: 0.0 * s.g_r)
@bad('dx and dcarry exchanged (silent when D=H).')
def dx_dcarry_swapped(dlogits, dh_tilde, dh, x, carry, hs, keep, p): dx, dc, dhs, dp = _with((dlogits, dh_tilde, dh, x, carry, hs, keep, p)); return dc, dx, dhs, dp
@bad('b forgotten when h~ is computed again (right while b is 0).')
def forward_without_b(dlogits, dh_tilde, dh, x, carry, hs, keep, p): return _with((dlogits, dh_tilde, dh, x, carry, hs, keep, p), ht=lambda s: np.tanh(s.x @ s.Wx + s.carry @ s.Wh))
@bad('dhs summed over the batch and given to all (right for N=1).')
def dhs_shared(dlogits, dh_tilde, dh, x, carry, hs, keep, p): return _with((dlogits, dh_tilde, dh, x, carry, hs, keep, p), g_hs=lambda s: np.repeat((s.g_hs_context + s.g_hs_score).sum(0, keepdims=True), len(s.hs), 0))
@bad('bo left out of dp (it is "only a bias").')
def bo_missing(dlogits, dh_tilde, dh, x, carry, hs, keep, p): dx, dc, dhs, dp = _with((dlogits, dh_tilde, dh, x, carry, hs, keep, p)); return dx, dc, dhs, {k: g for k, g in dp.items() if k != 'bo'}
@bad('dp as a list instead of a dict.')
def dp_as_list(dlogits, dh_tilde, dh, x, carry, hs, keep, p): dx, dc, dhs, dp = _with((dlogits, dh_tilde, dh, x, carry, hs, keep, p)); return dx, dc, dhs, list(dp.values())
@bad('dhs buffer made with zeros_like(hs): integer states cut the gradient to whole numbers.')
def dtype_of_hs(dlogits, dh_tilde, dh, x, carry, hs, keep, p): dx, dc, dhs, dp = _with((dlogits, dh_tilde, dh, x, carry, hs, keep, p)); z = np.zeros_like(hs); z[...] = dhs; return dx, dc, z, dp
@bad('dh += dlogits Wo^T in place: the caller\'s gradient changes.', policy=True)
def inplace_dh(dlogits, dh_tilde, dh, x, carry, hs, keep, p):
    r = _with((dlogits, dh_tilde, dh, x, carry, hs, keep, p)); dh += (dlogits @ p['Wo'].T).astype(dh.dtype); return r
@bad('dh_tilde += ... in place: the caller\'s gradient changes.', policy=True)
def inplace_dh_tilde(dlogits, dh_tilde, dh, x, carry, hs, keep, p):
    r = _with((dlogits, dh_tilde, dh, x, carry, hs, keep, p)); dh_tilde += (r[1] + 1).astype(dh_tilde.dtype); return r
