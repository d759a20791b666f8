"""Right and wrong answers to `shift_right`."""

from tests.answers.register import *  # noqa: F403

ok, bad = answers("shift_right")


@ok
def empty_like_fill(y, bos):
    o = np.empty_like(y); o[:, 0] = bos; o[:, 1:] = y[:, :-1]; return o
@ok
def flat_roll_then_set(y, bos):
    o = np.roll(y, 1); o[:, 0] = bos; return o
@ok
def column_loop(y, bos):
    cols = [np.full(len(y), bos)] + [y[:, t] for t in range(y.shape[1] - 1)]; return np.stack(cols, axis=1)
@bad('No shift: the decoder is fed the very word it must predict.', 'huggingface/transformers#16940')
def no_shift(y, bos): return y.copy()
@bad('First word replaced by bos instead of shifting.')
def replace_first(y, bos):
    o = y.copy(); o[:, 0] = bos; return o
@bad('np.roll without writing bos: the last token wraps to the front (right if padding id = bos).')
def roll_only(y, bos): return np.roll(y, 1, axis=1)
@bad('Rolled over the batch axis.')
def roll_axis0(y, bos):
    o = np.roll(y, 1, axis=0); o[:, 0] = bos; return o
@bad('Shifted by two.')
def shift_two(y, bos):
    o = np.full_like(y, bos); o[:, 2:] = y[:, :-2]; return o
@bad('Input cut to U-1 (y[:, :-1]): d2l slices like this when y already contains bos.', 'd2l-ai/d2l-en#2076 discussion; bentrevett/pytorch-seq2seq#46')
def cut_only(y, bos): return y[:, :-1]
@bad('bos taken from the data (y[0, 0]).')
def bos_from_data(y, bos):
    o = np.full_like(y, y[0, 0]); o[:, 1:] = y[:, :-1]; return o
@bad('Loop copies forwards over itself: the first word is smeared through the row.')
def smeared(y, bos):
    o = y.copy()
    for t in range(1, y.shape[1]): o[:, t] = o[:, t - 1]
    o[:, 0] = bos; return o
@bad('Reversed instead of shifted.')
def reversed_(y, bos): return y[:, ::-1].copy()
@bad('Last word dropped and bos appended at the end.')
def bos_at_end(y, bos): return np.concatenate([y[:, :-1], np.full((len(y), 1), bos)], 1)
