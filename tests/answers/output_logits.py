"""Right and wrong answers to `output_logits`."""

from tests.answers.register import *  # noqa: F403

ok, bad = answers("output_logits")


@ok
def bias_as_row_of_weights(h, Wo, bo): return np.concatenate([h, np.ones((len(h), 1))], axis=1) @ np.vstack([Wo, bo])
@ok
def columns(h, Wo, bo): return (Wo.T @ h.T + bo.reshape(-1, 1)).T
@ok
def per_sentence(h, Wo, bo): return np.stack([np.dot(x, Wo) + bo for x in h])
@ok
def add_up_features(h, Wo, bo):
    z = np.tile(bo.astype(float), (h.shape[0], 1))
    for k in range(h.shape[1]): z += h[:, k:k + 1] * Wo[k]
    return z
@bad('Bias left out (right while bo is 0).')
def no_bias(h, Wo, bo): return (h @ Wo) * 1.0
@bad('Bias added twice.')
def bias_twice(h, Wo, bo): return h @ Wo + 2 * bo
@bad('h @ (Wo + bo): the bias is multiplied by the sum of h (right when h sums to 1).')
def bias_inside(h, Wo, bo): return h @ (Wo + bo)
@bad('Bias as a column bo[:, None]: lines up with the batch, silent when N=V.')
def bias_column(h, Wo, bo): return h @ Wo + bo[:, None]
@bad('Bias multiplied instead of added.')
def bias_times(h, Wo, bo): return (h @ Wo) * bo
@bad('Softmax already applied: these are probabilities, not logits.')
def softmaxed(h, Wo, bo): return sm(h @ Wo + bo)
@bad('tanh on the logits.')
def tanh_added(h, Wo, bo): return np.tanh(h @ Wo + bo)
@bad('tanh on h again: h already went through it.')
def tanh_again(h, Wo, bo): return np.tanh(h) @ Wo + bo
@bad('Wo transposed (runs only when H=V, right for a symmetric Wo).', 'symengine/symengine#2032 (square test matrix hid the transpose bug)')
def Wo_transposed(h, Wo, bo): return h @ Wo.T + bo
@bad('Mean over the features instead of the sum (right for H=1).')
def feature_mean(h, Wo, bo): return h @ Wo / h.shape[1] + bo
@bad('Last feature left out of the sum (range(H - 1)).')
def last_feature_missing(h, Wo, bo): return h[:, :-1] @ Wo[:-1] + bo
@bad('Buffer made with the dtype of h: an integer h cuts the logits to whole numbers.')
def dtype_of_h(h, Wo, bo): z = np.zeros((len(h), len(bo)), dtype=h.dtype); z[...] = h @ Wo + bo; return z
@bad('h gets tanh in place after use: the carried state changes.', policy=True)
def changes_h(h, Wo, bo):
    z = h @ Wo + bo; h[...] = np.tanh(h) if h.dtype.kind == 'f' else h + 1; return z
@bad('Logits added to those of the call before.', 'pgmpy/pgmpy#2754')
def accumulates(h, Wo, bo, store={}):
    k = (h.shape, bo.shape); store[k] = store.get(k, 0) + h @ Wo + bo; return store[k]
