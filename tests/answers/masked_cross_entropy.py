"""Right and wrong answers to `masked_cross_entropy`."""

from tests.answers.register import *  # noqa: F403

ok, bad = answers("masked_cross_entropy")


def nll(z, y):
    s = z - z.max(-1, keepdims=True); l = s - np.log(np.exp(s).sum(-1, keepdims=True))
    return -np.take_along_axis(l, y[..., None], -1)[..., 0]
@ok
def boolean_index(z, y, mask): return nll(z, y)[mask.astype(bool)].mean()
@ok
def flatten(z, y, mask):
    k = mask.reshape(-1) != 0; return nll(z.reshape(-1, z.shape[-1])[k], y.reshape(-1)[k]).mean()
@ok
def average_weights(z, y, mask): return np.average(nll(z, y), weights=mask.astype(float))
@ok
def per_step(z, y, mask):
    a = b = 0.0
    for t in range(z.shape[1]): a += float((nll(z[:, t], y[:, t]) * mask[:, t]).sum()); b += float(mask[:, t].sum())
    return a / b
@bad('Padding counted in the loss.', 'lucidrains/DALLE-pytorch#57, 01-ai/Yi#110')
def padding_included(z, y, mask): return nll(z, y).mean()
@bad('Padding zeroed, but divided by all N*U positions.', 'd2l-ai/d2l-en#2076, dmlc/gluon-nlp#238, IBM/pytorch-seq2seq#125')
def divide_all(z, y, mask): return (nll(z, y) * mask).mean()
@bad('Divided by the number of sentences N.')
def divide_N(z, y, mask): return (nll(z, y) * mask).sum() / len(y)
@bad('Mask inverted.')
def inverted(z, y, mask): return (nll(z, y) * (mask == 0)).sum() / max((mask == 0).sum(), 1)
@bad('Padding guessed from y == 0 although 0 can be a real word.', 'lucidrains/DALLE-pytorch#58')
def guess_pad(z, y, mask):
    k = y != 0; return nll(z, y)[k].mean() if k.any() else 0.0
@bad('Mask of sentence 0 for all (right for equal lengths).')
def first_mask(z, y, mask):
    m = np.repeat(mask[:1], len(y), 0); return (nll(z, y) * m).sum() / m.sum()
@bad('0 * inf = nan when a padded logit is infinite.', policy=True)
def zero_times_inf(z, y, mask):
    with np.errstate(all='ignore'):
        p = np.exp(z.astype(float)); p = p / p.sum(-1, keepdims=True); return (-np.log(np.take_along_axis(p, y[..., None], -1)[..., 0]) * mask).sum() / mask.sum()
