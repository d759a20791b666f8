"""Right and wrong answers to `decoder_init`."""

from tests.answers.register import *  # noqa: F403

ok, bad = answers("decoder_init")


@ok
def slice_last(hs): return hs[:, -1]
@ok
def loop(hs): return np.array([s[-1] for s in hs])
@bad('hs[-1] on a batch is the last EXAMPLE, not the last word: shape (T,H), silent when N = T.')
def last_example(hs): return hs[-1]
@bad('First encoder state instead of the last.', 'datalogue/keras-attention models/custom_recurrents.py (s0 from inputs[:, 0])')
def first_state(hs): return hs[:, 0]
@bad('Starts from zeros instead of the encoder\'s last state.', 'stanfordmlgroup/nlc#14')
def zeros(hs): return np.zeros((hs.shape[0], hs.shape[2]))
@bad('Last state of example 0 for the whole batch.')
def first_example(hs): return np.repeat(hs[:1, -1], len(hs), 0)
@bad('Kept a time axis: (N,1,H).')
def time_axis_left(hs): return hs[:, -1:]
@bad('Read as (T,N,H) with reshape, then [-1].', 'rish-16/tokenlearner-pytorch#1')
def reshape_time_major(hs): return hs.reshape(hs.shape[1], hs.shape[0], hs.shape[2])[-1]
@bad('Second to last word (index -2).')
def second_last(hs): return hs[:, -2] if hs.shape[1] > 1 else hs[:, -1]
@bad('tanh applied to the state.')
def tanh_state(hs): return np.tanh(hs[:, -1])
