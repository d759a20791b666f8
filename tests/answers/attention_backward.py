"""Right and wrong answers to `attention_backward`."""

from tests.answers.register import *  # noqa: F403

ok, bad = answers("attention_backward")


def _step(dc, h, hs):
    a = sm(np.einsum('nh,nth->nt', h, hs)); da = np.einsum('nh,nth->nt', dc, hs); d1 = np.einsum('nt,nh->nth', a, dc)
    de = a * (da - (a * da).sum(1, keepdims=True)); return np.einsum('nt,nth->nh', de, hs), d1, np.einsum('nt,nh->nth', de, h)
def reference(dC, Ht, hs):
    dH, dhs = np.zeros(Ht.shape), np.zeros(hs.shape)
    for t in range(Ht.shape[1]):
        dh, d1, d2 = _step(dC[:, t].astype(float), Ht[:, t].astype(float), hs.astype(float)); dH[:, t] = dh; dhs += d1 + d2
    return dH, dhs
@ok
def zero_start(dC, Ht, hs):
    dhs = 0; o = []
    for t in range(Ht.shape[1]): dh, d1, d2 = _step(dC[:, t], Ht[:, t], hs); o.append(dh); dhs = dhs + d1 + d2
    return np.stack(o, 1), dhs
@ok
def backwards_in_time(dC, Ht, hs):
    r = [_step(dC[:, t], Ht[:, t], hs) for t in reversed(range(Ht.shape[1]))]; return np.stack([q[0] for q in r][::-1], 1), sum(q[1] for q in r) + sum(q[2] for q in r)
@ok
def per_example(dC, Ht, hs):
    r = [reference(dC[n:n + 1], Ht[n:n + 1], hs[n:n + 1]) for n in range(len(hs))]; return np.concatenate([q[0] for q in r]), np.concatenate([q[1] for q in r])
def _r(dC, Ht, hs): return [_step(dC[:, t], Ht[:, t], hs) for t in range(Ht.shape[1])]
_H = lambda r: np.stack([q[0] for q in r], 1)
@bad('= instead of += over the steps: only the last step reaches the encoder (right for U=1).', 'mratsim/Arraymancer#237')
def last_step_only(*A): r = _r(*A); return _H(r), r[-1][1] + r[-1][2]
@bad('Only the first step reaches the encoder.')
def first_step_only(*A): r = _r(*A); return _H(r), r[0][1] + r[0][2]
@bad('Averaged over the steps.')
def mean_steps(*A): r = _r(*A); return _H(r), sum(q[1] + q[2] for q in r) / len(r)
@bad('dHt: gradient through the scores forgotten (zeros).')
def dH_zero(*A): r = _r(*A); return 0 * _H(r), sum(q[1] + q[2] for q in r)
@bad('dHt in reversed step order.')
def dH_reversed(*A): r = _r(*A); return _H(r)[:, ::-1], sum(q[1] + q[2] for q in r)
