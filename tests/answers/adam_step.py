"""Right and wrong answers to `adam_step`."""

from tests.answers.register import *  # noqa: F403

ok, bad = answers("adam_step")


@ok
def incremental(th, g, m, v, t, lr, b1, b2, eps):
    m = m + (1 - b1) * (g - m); v = v + (1 - b2) * (np.square(g) - v); return th - lr / (1 - b1 ** t) * m / ((v / (1 - b2 ** t)) ** .5 + eps), m, v
@ok
def own_copies(th, g, m, v, t, lr, b1, b2, eps):
    th, m, v = np.array(th, float), np.array(m, float), np.array(v, float); m *= b1; m += (1 - b1) * g; v *= b2; v += (1 - b2) * g * g
    th -= lr * m / (1 - b1 ** t) / (np.sqrt(v / (1 - b2 ** t)) + eps); return th, m, v
def _mv(g, m, v, b1, b2): return b1 * m + (1 - b1) * g, b2 * v + (1 - b2) * g * g
def _b(name, sent, f, src='common knowledge', policy=False):
    def h(th, g, m, v, t, lr, b1, b2, eps): return f(th, g, m, v, t, lr, b1, b2, eps)
    h.__name__ = name; bad(sent, src, policy)(h)
def _up(m2, v2, th, t, lr, b1, b2, eps): return th - lr * (m2 / (1 - b1 ** t)) / (np.sqrt(v2 / (1 - b2 ** t)) + eps)
def A(f):
    def h(th, g, m, v, t, lr, b1, b2, eps):
        m2, v2 = _mv(g, m, v, b1, b2); return f(m2, v2, th, g, m, v, t, lr, b1, b2, eps)
    return h
_b('no_bias_correction', 'No bias correction: the first steps are far too small or too large.', A(lambda m2, v2, th, g, m, v, t, lr, b1, b2, e: (th - lr * m2 / (np.sqrt(v2) + e), m2, v2)), 'keras-team/keras#10129')
_b('only_m_corrected', 'Only m corrected.', A(lambda m2, v2, th, g, m, v, t, lr, b1, b2, e: (th - lr * m2 / (1 - b1 ** t) / (np.sqrt(v2) + e), m2, v2)))
_b('constant_correction', 'Divided by 1-b instead of 1-b^t: right on the very first step only.', A(lambda m2, v2, th, g, m, v, t, lr, b1, b2, e: (_up(m2, v2, th, 1, lr, b1, b2, e), m2, v2)), 'ufal/npfl114#79')
_b('t_from_zero', 'Counter starts at 0: division by zero on the first step (uses t-1).', A(lambda m2, v2, th, g, m, v, t, lr, b1, b2, e: (th - lr * (m2 / np.float64(1 - b1 ** (t - 1))) / (np.sqrt(v2 / np.float64(1 - b2 ** (t - 1))) + e), m2, v2)), 'keras-team/keras#10129 (review)')
_b('correction_times_t', 'b*t instead of b**t.', A(lambda m2, v2, th, g, m, v, t, lr, b1, b2, e: (th - lr * (m2 / (1 - b1 * t)) / (np.sqrt(np.abs(v2 / (1 - b2 * t))) + e), m2, v2)))
_b('stores_corrected', 'Bias-corrected m and v stored as the new state: theta right, every later step wrong.', A(lambda m2, v2, th, g, m, v, t, lr, b1, b2, e: (_up(m2, v2, th, t, lr, b1, b2, e), m2 / (1 - b1 ** t), v2 / (1 - b2 ** t))))
_b('state_not_updated', 'm and v computed but the old ones returned: theta right, state frozen.', A(lambda m2, v2, th, g, m, v, t, lr, b1, b2, e: (_up(m2, v2, th, t, lr, b1, b2, e), m * 1.0, v * 1.0)), 'raskr/rust-autograd#16')
_b('plus', 'Sign: moves uphill.', A(lambda m2, v2, th, g, m, v, t, lr, b1, b2, e: (2 * th - _up(m2, v2, th, t, lr, b1, b2, e), m2, v2)))
_b('no_sqrt', 'Square root forgotten.', A(lambda m2, v2, th, g, m, v, t, lr, b1, b2, e: (th - lr * (m2 / (1 - b1 ** t)) / (v2 / (1 - b2 ** t) + e), m2, v2)))
_b('eps_inside', 'eps under the root (visible for tiny gradients).', A(lambda m2, v2, th, g, m, v, t, lr, b1, b2, e: (th - lr * (m2 / (1 - b1 ** t)) / np.sqrt(v2 / (1 - b2 ** t) + e), m2, v2)))
_b('eps_unscaled', 'Folded learning rate with eps not scaled (book form): differs only for gradients near eps.', A(lambda m2, v2, th, g, m, v, t, lr, b1, b2, e: (th - lr * np.sqrt(1 - b2 ** t) / (1 - b1 ** t) * m2 / (np.sqrt(v2) + e), m2, v2)), 'WegraLee/deep-learning-from-scratch-2 common/optimizer.py', True)
_b('gradient_not_m', 'Uses g instead of m (no momentum).', A(lambda m2, v2, th, g, m, v, t, lr, b1, b2, e: (th - lr * g / (np.sqrt(v2 / (1 - b2 ** t)) + e), m2, v2)))
_b('betas_swapped', 'b1 and b2 swapped.', lambda th, g, m, v, t, lr, b1, b2, e: (lambda m2, v2: (_up(m2, v2, th, t, lr, b2, b1, e), m2, v2))(b2 * m + (1 - b2) * g, b1 * v + (1 - b1) * g * g))
_b('sum_not_average', 'm += g without (1-b1).', lambda th, g, m, v, t, lr, b1, b2, e: (lambda m2, v2: (_up(m2, v2, th, t, lr, b1, b2, e), m2, v2))(b1 * m + g, b2 * v + g * g))
_b('nesterov', 'Nesterov look-ahead added.', A(lambda m2, v2, th, g, m, v, t, lr, b1, b2, e: (_up(b1 * m2 + (1 - b1) * g, v2, th, t, lr, b1, b2, e), m2, v2)))
def _ip(th, g, m, v, t, lr, b1, b2, e):
    m *= b1; m += (1 - b1) * g; v *= b2; v += (1 - b2) * g * g; return _up(m, v, th, t, lr, b1, b2, e), m, v
_b('inplace_state', 'm and v changed in place.', _ip, policy=True)
def _shared(th, g, m, v, t, lr, b1, b2, e, keep={}):
    s = keep.setdefault(th.shape, [0.0 * m, 0.0 * v]); s[0], s[1] = _mv(g, s[0], s[1], b1, b2); return _up(s[0], s[1], th, t, lr, b1, b2, e), s[0], s[1]
_b('shared_state', 'State kept in a default argument: all parameters of one shape share m and v.', _shared, 'NM512/dreamerv3-torch#50')
