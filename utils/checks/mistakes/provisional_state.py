"""Known wrong answers of notebook 01: the encoder's states, the provisional state, and the first gradients."""

import numpy as np

from utils.checks.mistakes.register import mistake


def _step(x, h, Wx, Wh, b):
    return np.tanh(x @ Wx + h @ Wh + b)


def _read(X, keep, h, step):
    """All states (N, T, H) from the start state h on; step(t, h) gives the next, and padding carries the old one."""
    hs = []
    for t in range(X.shape[1]):
        h = np.where(np.asarray(keep)[:, t, None] != 0, step(t, h), h)
        hs.append(h)
    return np.stack(hs, axis=1)


def _encode(X, keep, Wx, Wh, b):
    return _read(X, keep, np.zeros((len(X), len(b))), lambda t, h: _step(X[:, t], h, Wx, Wh, b))


def _unroll(h, Y, *weights):
    return _read(Y, np.ones(Y.shape[:2]), h, lambda t, h: _step(Y[:, t], h, *weights))


# ---- rnn_step, encode and provisional_states: a step that is wrong


def for_steps(cause):
    """Enter a wrong step, for one step as for a loop of them."""

    def enter(step):
        def encode(X, keep, *weights):
            start = np.zeros((len(X), len(weights[2])))
            return _read(X, keep, start, lambda t, h: step(X[:, t], h, *weights))

        def provisional_states(hs, Y, *weights):
            return _read(Y, np.ones(Y.shape[:2]), hs[:, -1], lambda t, h: step(Y[:, t], h, *weights))

        encode.__name__ = provisional_states.__name__ = step.__name__
        mistake("encode", cause)(encode)
        mistake("provisional_states", cause)(provisional_states)
        return mistake("rnn_step", cause)(step)

    return enter


@for_steps("tanh is missing: it bends the sum of both products and the bias into the range from −1 to 1.")
def tanh_missing(x, h, Wx, Wh, b):
    return x @ Wx + h @ Wh + b


@for_steps("the bias has no effect. It is the third part of the sum, beside the two products.")
def bias_missing(x, h, Wx, Wh, b):
    return np.tanh(x @ Wx + h @ Wh)


@for_steps("the word has no effect. The new state is made of two things, the word and the old state.")
def word_missing(x, h, Wx, Wh, b):
    return np.tanh(h @ Wh + b)


@for_steps("the old state has no effect: every word is read as if nothing came before it.")
def old_state_missing(x, h, Wx, Wh, b):
    return np.tanh(x @ Wx + b)


@for_steps("Wh has no effect: the old state is added as it is. It has to go through Wh first.")
def Wh_missing(x, h, Wx, Wh, b):
    return np.tanh(x @ Wx + h + b)


@for_steps(
    "Wh is transposed. It is square, so no shape complains; vectors are rows, and W stands on their right as it is."
)
def Wh_transposed(x, h, Wx, Wh, b):
    return np.tanh(x @ Wx + h @ Wh.T + b)


@for_steps("a matrix product does not fit: Wx is transposed. Vectors are rows, and Wx stands on their right as it is.")
def Wx_transposed(x, h, Wx, Wh, b):
    return np.tanh(x @ Wx.T + h @ Wh + b)


@for_steps("the word meets Wh and the old state meets Wx. Wx is the word's matrix (D, H), and Wh the state's (H, H).")
def matrices_exchanged(x, h, Wx, Wh, b):
    return np.tanh(x @ Wh + h @ Wx + b)


@mistake(
    "rnn_step",
    "the word meets rows of Wh and the old state meets rows of Wx: they are joined in another order than the matrices.",
)
def joined_in_another_order(x, h, Wx, Wh, b):
    return np.tanh(np.concatenate([h, x], axis=1) @ np.concatenate([Wx, Wh]) + b)


@for_steps("the bias is added after tanh. It belongs inside, to the sum.")
def bias_outside(x, h, Wx, Wh, b):
    return np.tanh(x @ Wx + h @ Wh) + b


_TOO_EARLY = "tanh is taken too early, of parts of the sum. Add up both products and the bias first, then bend."


@for_steps(_TOO_EARLY)
def only_the_word_bent(x, h, Wx, Wh, b):
    return np.tanh(x @ Wx) + h @ Wh + b


@mistake(
    "rnn_step", "tanh is taken too early, and there is no bias. Add up both products and the bias first, then bend."
)
def each_part_bent_without_the_bias(x, h, Wx, Wh, b):
    return np.tanh(x @ Wx) + np.tanh(h @ Wh)


@mistake("rnn_step", "tanh is taken of the old state on its way in as well. Once is enough, of the whole sum.")
def old_state_bent(x, h, Wx, Wh, b):
    return np.tanh(x @ Wx + np.tanh(h) @ Wh + b)


@for_steps("tanh is applied twice. Once is enough.")
def tanh_twice(x, h, Wx, Wh, b):
    return np.tanh(_step(x, h, Wx, Wh, b))


@for_steps("another curve stands in place of tanh: this one goes from 0 to 1 (a sigmoid), tanh from −1 to 1.")
def sigmoid(x, h, Wx, Wh, b):
    return 0.5 * np.tanh(0.5 * (x @ Wx + h @ Wh + b)) + 0.5


@for_steps("negative numbers are cut off to 0, and positive ones are left as they are. tanh should bend both.")
def cut_off_below_0(x, h, Wx, Wh, b):
    return np.maximum(x @ Wx + h @ Wh + b, 0)


@for_steps("the word's part and the old state's part are multiplied. Add them.")
def parts_multiplied(x, h, Wx, Wh, b):
    return np.tanh((x @ Wx) * (h @ Wh) + b)


@mistake("rnn_step", "the bias is subtracted. Add it.")
def bias_subtracted(x, h, Wx, Wh, b):
    return np.tanh(x @ Wx + h @ Wh - b)


@mistake("rnn_step", "the bias counts twice. It is added once, and not once for each product.")
def bias_twice(x, h, Wx, Wh, b):
    return np.tanh(x @ Wx + h @ Wh + 2 * b)


@for_steps("half of the old state is left in the new one. tanh of the sum is the whole new state.")
def half_of_the_old_state_left(x, h, Wx, Wh, b):
    return (_step(x, h, Wx, Wh, b) + h) / 2


@mistake("rnn_step", "the old state is added once more after tanh. It has its effect through Wh alone.")
def old_state_added_after_tanh(x, h, Wx, Wh, b):
    return _step(x, h, Wx, Wh, b) + h


@mistake("rnn_step", "the sum is cut off at −1 and 1, and left as it is in between. tanh should bend all of it.")
def cut_off_at_both_ends(x, h, Wx, Wh, b):
    return np.clip(x @ Wx + h @ Wh + b, -1, 1)


@mistake(
    "rnn_step",
    "only the diagonal of Wh has an effect. h_prev and Wh meet in a matrix product: each number meets a row.",
)
def diagonal_of_Wh(x, h, Wx, Wh, b):
    return np.tanh(x @ Wx + h * np.diag(Wh) + b)


@mistake(
    "rnn_step", "numbers of the new state are used to make its other numbers. All are made from the old state alone."
)
def new_numbers_used_at_once(x, h, Wx, Wh, b):
    state = np.array(h, dtype=float)
    for k in range(len(b)):
        state[:, k] = np.tanh(x @ Wx[:, k] + state @ Wh[:, k] + b[k])
    return state


@for_steps("the sentences are averaged. Each row is a sentence of its own and keeps its own state.")
def averaged_over_the_batch(x, h, Wx, Wh, b):
    z = x @ Wx + h @ Wh + b
    return np.tanh(np.broadcast_to(z.mean(axis=0), z.shape))


@for_steps(
    "the bias stands as a column, one number for each sentence. It is a row: one number for each number of the state."
)
def bias_as_a_column(x, h, Wx, Wh, b):
    return np.tanh(x @ Wx + h @ Wh + b[:, None])


@mistake("rnn_step", "the result is transposed: sentences are rows, so the state is (N, H).")
def result_transposed(x, h, Wx, Wh, b):
    return _step(x, h, Wx, Wh, b).T


# ---- encode: keep


def _with_keep(cause):
    """Enter a mistake that is a wrong `keep`: the function makes it from X and the right one."""

    def enter(wrong_keep):
        def encode(X, keep, *weights):
            return _encode(X, wrong_keep(X, np.asarray(keep)), *weights)

        encode.__name__ = wrong_keep.__name__
        return mistake("encode", cause)(encode)

    return enter


@_with_keep("padding is read like words. keep says where no word stands, and there the state is carried.")
def keep_not_used(X, keep):
    return np.ones(keep.shape)


@_with_keep("keep is turned round: padding is read, and real words are skipped.")
def keep_turned_round(X, keep):
    return keep == 0


@_with_keep(
    "padding is guessed from vectors of zeros. A real word may have such a vector, and padding another: ask keep."
)
def padding_guessed_from_zeros(X, keep):
    return (X != 0).any(axis=-1)


@_with_keep("reading stops for good at the first padding. A real word behind it has to be read too.")
def stops_at_the_first_padding(X, keep):
    return np.logical_and.accumulate(keep != 0, axis=1)


@_with_keep("padding in front of a real word is read like a word. It has to be skipped wherever it stands.")
def padding_skipped_at_the_end_only(X, keep):
    return np.logical_or.accumulate((keep != 0)[:, ::-1], axis=1)[:, ::-1]


@_with_keep("keep of the first sentence decides for all of them. Each sentence has its own.")
def keep_of_the_first_sentence(X, keep):
    return np.broadcast_to(keep[:1], keep.shape)


@_with_keep("a place is read only if *all* sentences have a word there. Each sentence has its own keep.")
def read_where_all_have_a_word(X, keep):
    return np.broadcast_to((keep != 0).all(axis=0), keep.shape)


@_with_keep("the first place's keep decides for the whole sentence. Each place has its own.")
def keep_of_the_first_place(X, keep):
    return np.broadcast_to(keep[:, :1], keep.shape)


@_with_keep("the right *number* of places is read, counted from the first one on, but padding may stand there too.")
def as_many_places_as_words(X, keep):
    return np.arange(keep.shape[1]) < (keep != 0).sum(axis=1, keepdims=True)


@_with_keep("a word is skipped if padding comes after it, so the last real word gets lost.")
def last_word_lost(X, keep):
    keep = keep != 0
    return keep & np.concatenate([keep[:, 1:], np.ones((len(keep), 1), bool)], axis=1)


@_with_keep("the first padding in a sentence's row is read like a word: one place too many.")
def one_place_too_many_once(X, keep):
    found = (keep != 0).copy()
    for row in found:
        if row.any() and not row.all():
            row[row.argmin()] = True
    return found


@_with_keep("the first place is always read, and even there padding may stand. keep decides at every place.")
def first_place_always_read(X, keep):
    return np.concatenate([np.ones((len(keep), 1)), keep[:, 1:]], axis=1)


@_with_keep("only True counts as a real word, and 1 does not. keep may also hold 1 and 0.")
def only_true(X, keep):
    return keep if keep.dtype == bool else np.zeros(keep.shape)


_KEEP_TRANSPOSED = "keep is used transposed: its rows are sentences and its columns places, as in X."


@mistake("encode", _KEEP_TRANSPOSED)
def keep_transposed_as_a_whole(X, keep, Wx, Wh, b):
    turned = np.empty(keep.shape, keep.dtype)
    np.copyto(turned, keep.T)
    return _encode(X, turned, Wx, Wh, b)


# ---- encode: what happens at padding


@mistake("encode", "padding counts as a word of zeros, and the step is still taken: bias and Wh change the state.")
def padding_as_a_word_of_zeros(X, keep, Wx, Wh, b):
    return _encode(X * (keep != 0)[..., None], np.ones(keep.shape), Wx, Wh, b)


@mistake(
    "encode", "hs shows the old state at padding, but the loop goes on from the step taken there. Carry what is shown."
)
def goes_on_from_padding(X, keep, Wx, Wh, b):
    every, real = _encode(X, np.ones(keep.shape), Wx, Wh, b), keep != 0
    hs, shown = [], np.zeros((len(X), len(b)))
    for t in range(X.shape[1]):
        shown = np.where(real[:, t, None], every[:, t], shown)
        hs.append(shown)
    return np.stack(hs, axis=1)


@mistake("encode", "the state is 0 at padding, and what was read before is lost. Carry the old state there.")
def state_lost_at_padding(X, keep, Wx, Wh, b):
    h, hs = np.zeros((len(X), len(b))), []
    for t in range(X.shape[1]):
        h = _step(X[:, t], h, Wx, Wh, b) * (keep[:, t, None] != 0)
        hs.append(h)
    return np.stack(hs, axis=1)


@mistake("encode", "hs holds 0 at padding. The state that is carried there belongs into hs, too.")
def zeros_stored_at_padding(X, keep, Wx, Wh, b):
    return _encode(X, keep, Wx, Wh, b) * (keep != 0)[..., None]


# ---- encode: the start, the order and the result


def _first_step(cause):
    """Enter an encoder whose first step is another one."""

    def enter(first):
        def encode(X, keep, *weights):
            start = np.zeros((len(X), len(weights[2])))
            return _read(X, keep, start, lambda t, h: (_step if t else first)(X[:, t], h, *weights))

        encode.__name__ = first.__name__
        return mistake("encode", cause)(encode)

    return enter


@_first_step("the first step has no bias. The first word is read like all others, from a state of zeros.")
def first_step_without_bias(x, h, Wx, Wh, b):
    return np.tanh(x @ Wx)


@_first_step("the first step has no tanh. The first word is read like all others, from a state of zeros.")
def first_step_without_tanh(x, h, Wx, Wh, b):
    return x @ Wx + b


@mistake("encode", "the state starts from ones. It should start from zeros: nothing has been read.")
def starts_from_ones(X, keep, Wx, Wh, b):
    return _read(X, keep, np.ones((len(X), len(b))), lambda t, h: _step(X[:, t], h, Wx, Wh, b))


@mistake(
    "encode", "hs[:, t] holds the state *before* word t, so the last one is missing. Keep the state after the step."
)
def state_before_the_word(X, keep, Wx, Wh, b):
    hs = _encode(X, keep, Wx, Wh, b)
    return np.concatenate([0 * hs[:, :1], hs[:, :-1]], axis=1)


@mistake(
    "encode", "all T states are the last one. Keep the state after every word, and make a new array at every step."
)
def last_state_everywhere(X, keep, Wx, Wh, b):
    hs = _encode(X, keep, Wx, Wh, b)
    return np.repeat(hs[:, -1:], hs.shape[1], axis=1)


_MIXED = "sentences are mixed: reshaping cuts the numbers up anew and doesn't exchange axes."


@mistake("encode", _MIXED)
def words_reshaped(X, keep, Wx, Wh, b):
    return _encode(X.reshape(X.shape[1], X.shape[0], -1).swapaxes(0, 1), keep, Wx, Wh, b)


# ---- decoder_init


_LAST_SENTENCE = (
    "this is the last *sentence*, with all its words. In a batch, axis 0 counts sentences and axis 1 words."
)


@mistake("decoder_init", _LAST_SENTENCE)
def last_sentence(hs):
    return hs[-1]


@mistake(
    "decoder_init",
    "this is the first *sentence*, with all its words. In a batch, axis 0 counts sentences and axis 1 words.",
)
def first_sentence(hs):
    return hs[0]


@mistake("decoder_init", "this is the second word's state of each sentence. The last one has read the whole sentence.")
def second_state(hs):
    return hs[:, 1]


@mistake("decoder_init", "this is the first word's state of each sentence. The last one has read the whole sentence.")
def first_state(hs):
    return hs[:, 0]


@mistake(
    "decoder_init",
    "the state is 0 everywhere. The *encoder* starts at zeros; the decoder starts from the encoder's last state.",
)
def zeros(hs):
    return np.zeros(hs[:, -1].shape)


@mistake("decoder_init", "all sentences get the last state of the first one. Each has its own.")
def last_state_of_the_first_sentence(hs):
    return np.repeat(hs[:1, -1], len(hs), axis=0)


@mistake("decoder_init", "all sentences get the last state of the last one. Each has its own.")
def last_state_of_the_last_sentence(hs):
    return np.repeat(hs[-1:, -1], len(hs), axis=0)


@mistake("decoder_init", "only one sentence's state comes out. Each sentence has its own last state: (N, H).")
def only_of_the_last_sentence(hs):
    return hs[-1, -1]


@mistake(
    "decoder_init",
    "the axis of the words is left over with length 1. A slice keeps an axis, a single index removes it.",
)
def axis_left(hs):
    return hs[:, -1:]


@mistake("decoder_init", "all states but the last come out. Only the last is wanted: -1, without a colon beside it.")
def all_but_the_last(hs):
    return hs[:, :-1]


@mistake("decoder_init", "all states come out. Only each sentence's last one is wanted.")
def all_states(hs):
    return hs * 1.0


@mistake("decoder_init", "sentences are mixed: reshaping cuts the numbers up anew and doesn't exchange axes.")
def reshaped(hs):
    return hs.reshape(hs.shape[1], hs.shape[0], -1)[-1]


@mistake("decoder_init", "this is the last but one state. The last has the index -1.")
def last_but_one_if_there_is_one(hs):
    return hs[:, max(hs.shape[1] - 2, 0)]


@mistake(
    "decoder_init",
    "this is the last number of every state. The index -1 belongs on the axis of the words, the middle one.",
)
def last_number_of_every_state(hs):
    return hs[:, :, -1]


@mistake("decoder_init", "tanh is applied to the state. It has been through tanh already; hand it over as it is.")
def bent_again(hs):
    return np.tanh(hs[:, -1])


@mistake("decoder_init", "the states are averaged. The last one alone has read the whole sentence.")
def averaged(hs):
    return hs.mean(axis=1)


@mistake("decoder_init", "the states are summed. The last one alone has read the whole sentence.")
def summed(hs):
    return hs.sum(axis=1)


@mistake("decoder_init", "the largest numbers of all states are picked. The last state as it is, is wanted.")
def largest(hs):
    return hs.max(axis=1)


@mistake("decoder_init", "the result is transposed: sentences are rows, so the state is (N, H).")
def state_transposed(hs):
    return hs[:, -1].T


@mistake("decoder_init", "the place is counted by the number of sentences. The words run along axis 1.")
def place_by_number_of_sentences(hs):
    return hs[:, len(hs) - 1]


@mistake("decoder_init", "the place is counted by the numbers of a state. The words run along axis 1.")
def place_by_numbers_of_a_state(hs):
    return hs[:, hs.shape[2] - 1]


# ---- shift_right


@mistake("shift_right", "nothing is moved: the decoder would be fed the very word that it has to write.")
def not_shifted(y, bos):
    return y.copy()


@mistake(
    "shift_right",
    "bos replaces the first target, and the others stay in place. They should move one place to the right.",
)
def first_replaced(y, bos):
    shifted = y.copy()
    shifted[:, 0] = bos
    return shifted


@mistake("shift_right", "bos is missing: the last target stands in front. It should drop out.")
def last_in_front(y, bos):
    return np.roll(y, 1, axis=1)


@mistake("shift_right", "bos is missing: another sentence's last target stands in front.")
def rolled_over_everything(y, bos):
    return np.roll(y, 1)


@mistake("shift_right", "bos is missing: each sentence's first target stands in front, twice in a row.")
def first_twice(y, bos):
    return np.concatenate([y[:, :1], y[:, :-1]], axis=1)


@mistake("shift_right", "the first target of the first sentence stands in front of all of them. Put bos there.")
def first_of_the_first_sentence_in_front(y, bos):
    return np.concatenate([np.full((len(y), 1), y[0, 0]), y[:, :-1]], axis=1)


def _another_bos(word):
    @mistake("shift_right", "a fixed word stands in front, whatever bos is. Put the bos there that is handed in.")
    def fixed_word_in_front(y, bos):
        return np.concatenate([np.full((len(y), 1), word), y[:, :-1]], axis=1)


for _word in (0, 1, 2):
    _another_bos(_word)


@mistake(
    "shift_right", "the targets move to the *left*, with bos at the end. They should move right, with bos in front."
)
def shifted_left(y, bos):
    return np.concatenate([y[:, 1:], np.full((len(y), 1), bos)], axis=1)


@mistake("shift_right", "the targets move to the *left*. They should move one place to the right.")
def rolled_left(y, bos):
    return np.roll(y, -1, axis=1)


@mistake(
    "shift_right",
    "bos stands at the end, in place of the last target. It belongs in front, and the targets move right.",
)
def bos_at_the_end(y, bos):
    return np.concatenate([y[:, :-1], np.full((len(y), 1), bos)], axis=1)


@mistake("shift_right", "the targets come in reverse order. They keep their order, one place to the right.")
def in_reverse(y, bos):
    return y[:, ::-1].copy()


@mistake("shift_right", "sentences change places: the words should move within each row, along axis 1.")
def sentences_moved_and_bos(y, bos):
    shifted = np.roll(y, 1, axis=0)
    shifted[:, 0] = bos
    return shifted


@mistake(
    "shift_right",
    "bos fills the first *sentence*, and the others move down. Words should move within each row, along axis 1.",
)
def bos_as_the_first_sentence(y, bos):
    return np.concatenate([np.full((1, y.shape[1]), bos), y[:-1]])


@mistake("shift_right", "the targets move two places. One is enough.")
def two_places(y, bos):
    shifted = np.full(y.shape, bos)
    shifted[:, 2:] = y[:, :-2]
    return shifted


@mistake("shift_right", "the last target is dropped, but bos is missing in front: each row has to keep its length.")
def last_dropped_only(y, bos):
    return y[:, :-1]


@mistake(
    "shift_right",
    "bos is in front, but the last target is still there: it should drop out, for each row to keep its length.",
)
def last_not_dropped(y, bos):
    return np.concatenate([np.full((len(y), 1), bos), y], axis=1)


@mistake(
    "shift_right",
    "the first target fills every place behind bos. Does a loop overwrite what it needs next?",
)
def first_everywhere(y, bos):
    shifted = np.repeat(y[:, :1], y.shape[1], axis=1)
    shifted[:, 0] = bos
    return shifted


@mistake("shift_right", "bos stands everywhere. It is the first word only; the targets but the last follow.")
def bos_everywhere(y, bos):
    return np.full(y.shape, bos)


@mistake(
    "shift_right", "the last target that is not 0 is taken out. What drops out is the last of the row, whatever it is."
)
def last_but_zeros_dropped(y, bos):
    shifted = np.zeros_like(y)
    for row, words in zip(shifted, y):
        kept = [*words]
        last = max(np.flatnonzero(words), default=len(words) - 1)
        del kept[last]
        row[:] = [bos, *kept]
    return shifted


@mistake("shift_right", "0 stays in place and is not moved. All targets move one place, whatever their numbers are.")
def zeros_stay(y, bos):
    shifted = np.roll(y, 1, axis=1)
    shifted[:, 0] = bos
    return np.where(y == 0, 0, shifted)


# ---- provisional_states: where h̃ starts


def _from(cause):
    """Enter a wrong start state of the decoder: the function makes it from hs."""

    def enter(start):
        def provisional_states(hs, Y, *weights):
            return _unroll(start(hs), Y, *weights)

        provisional_states.__name__ = start.__name__
        return mistake("provisional_states", cause)(provisional_states)

    return enter


@_from("h̃ starts from zeros. It should start from the encoder's last state, which has read the sentence.")
def starts_from_zeros(hs):
    return np.zeros(hs[:, -1].shape)


@_from("h̃ starts from the encoder's *first* state. The last one has read the whole sentence.")
def starts_from_the_first_state(hs):
    return hs[:, 0]


@_from("h̃ starts from the mean of the encoder's states. It should start from the last, which has read the sentence.")
def starts_from_the_mean(hs):
    return hs.mean(axis=1)


@_from("h̃ starts from hs[-1] of the batch: the last *sentence*, not each one's last state. Axis 1 counts the words.")
def starts_from_the_last_sentence(hs):
    return hs[-1]


# ---- provisional_states: what each step reads


_ENCODER_STATE = (
    "step t starts from encoder state t. Only the first step starts from hs, from its last; then h̃ is carried."
)


@mistake("provisional_states", _ENCODER_STATE)
def from_encoder_states_over_again(hs, Y, *weights):
    return np.stack([_step(Y[:, t], hs[:, t % hs.shape[1]], *weights) for t in range(Y.shape[1])], axis=1)


@mistake("provisional_states", _ENCODER_STATE)
def from_encoder_states_and_the_last(hs, Y, *weights):
    last = hs.shape[1] - 1
    return np.stack([_step(Y[:, t], hs[:, min(t, last)], *weights) for t in range(Y.shape[1])], axis=1)


@mistake("provisional_states", _ENCODER_STATE)
def from_encoder_states(hs, Y, *weights):
    return np.stack([_step(Y[:, t], hs[:, t], *weights) for t in range(Y.shape[1])], axis=1)


@mistake(
    "provisional_states",
    "no step is taken where a word's vector is all zeros. Every word is read, whatever its numbers.",
)
def zeros_skipped(hs, Y, *weights):
    return _read(Y, (Y != 0).any(axis=-1), hs[:, -1], lambda t, h: _step(Y[:, t], h, *weights))


@mistake("provisional_states", "every step after the first starts from the first h̃: h̃ is not carried on from there.")
def first_carried_only(hs, Y, *weights):
    first = _step(Y[:, 0], hs[:, -1], *weights)
    return np.stack([first] + [_step(Y[:, t], first, *weights) for t in range(1, Y.shape[1])], axis=1)


def _reading(cause):
    """Enter a decoder that reads other words: the function makes them from Y."""

    def enter(words):
        def provisional_states(hs, Y, *weights):
            return _unroll(hs[:, -1], words(Y), *weights)

        provisional_states.__name__ = words.__name__
        return mistake("provisional_states", cause)(provisional_states)

    return enter


@_reading("every step reads the first word. Step t reads word t of Y.")
def reads_the_first_word(Y):
    return np.broadcast_to(Y[:, :1], Y.shape)


def _steps(cause, count):
    """Enter a decoder that takes another number of steps."""

    @mistake("provisional_states", cause)
    def number_of_steps(hs, Y, *weights):
        h, states = hs[:, -1], []
        for t in range(count(hs)):
            h = _step(Y[:, t], h, *weights)
            states.append(h)
        return np.stack(states, axis=1)


_steps("the number of steps is not U. The loop goes over the words of Y, along axis 1.", lambda hs: hs.shape[1])
_steps("the number of steps is not U. The loop goes over the words of Y, along axis 1.", len)


# ---- provisional_states: what is stored


def _storing(cause):
    """Enter a decoder that goes right and stores wrongly: the function gets hs and the right states."""

    def enter(stored):
        def provisional_states(hs, Y, *weights):
            return stored(hs, _unroll(hs[:, -1], Y, *weights))

        provisional_states.__name__ = stored.__name__
        return mistake("provisional_states", cause)(provisional_states)

    return enter


@mistake("provisional_states", "the words are read from the end of Y to its start. Go from left to right.")
def in_reverse_and_turned_back(hs, Y, *weights):
    return _unroll(hs[:, -1], Y[:, ::-1], *weights)[:, ::-1]


@_storing(
    "the state *before* each step is stored, so the start comes first and the last h̃ is missing. Store afterwards."
)
def stored_before_the_step(hs, H_tilde):
    return np.concatenate([hs[:, -1:], H_tilde[:, :-1]], axis=1)


@_storing("all states are the last one. Store h̃ after every step, and make a new array at every step.")
def last_stored_everywhere(hs, H_tilde):
    return np.repeat(H_tilde[:, -1:], H_tilde.shape[1], axis=1)


@_storing("words are the first axis and sentences the second. Stack the states along axis 1, to get (N, U, H).")
def words_are_axis_0(hs, H_tilde):
    return H_tilde.swapaxes(0, 1)


@_storing("the last word is not read: the loop ends one step too early.")
def last_step_missing(hs, H_tilde):
    return np.concatenate([H_tilde[:, :-1], 0 * H_tilde[:, -1:]], axis=1)


# ---- linear_backward


_CUT_AT_5 = "gradients are cut off at −5 and 5. They are wanted as they are, however large."


@mistake("linear_backward", "a product does not fit: W is not transposed in dx. Each number of dx takes a *row* of W.")
def W_as_it_is(dy, x, W):
    return dy @ W, x.T @ dy


def _with_dx(cause):
    """Enter a wrong dx beside a right dW."""

    def enter(wrong):
        def linear_backward(dy, x, W):
            return wrong(dy, x, W), x.T @ dy

        linear_backward.__name__ = wrong.__name__
        return mistake("linear_backward", cause)(linear_backward)

    return enter


def _with_dW(cause):
    """Enter a wrong dW beside a right dx."""

    def enter(wrong):
        def linear_backward(dy, x, W):
            return dy @ W.T, wrong(dy, x, W)

        linear_backward.__name__ = wrong.__name__
        return mistake("linear_backward", cause)(linear_backward)

    return enter


@_with_dx(
    "W is reshaped for dx: that gives the right shape and wrong numbers. Exchange rows and columns with .T instead."
)
def W_reshaped(dy, x, W):
    return dy @ W.reshape(W.shape[::-1])


@_with_dx("dx is reshaped: that gives the right shape and wrong numbers. Exchange rows and columns with .T instead.")
def dx_reshaped(dy, x, W):
    return (W @ dy.T).reshape(x.shape)


@_with_dx("dx is transposed: x is (N, I), and its gradient has the same shape.")
def dx_transposed(dy, x, W):
    return W @ dy.T


@_with_dx("dy has no effect on dx: the numbers in each row of W are just added up. Multiply each by its dy.")
def dy_missing_in_dx(dy, x, W):
    return np.ones(dy.shape) @ W.T


@_with_dx("all rows of dx are the first sentence's. Each sentence has its own dy.")
def dx_of_the_first_sentence(dy, x, W):
    return np.repeat(dy[:1] @ W.T, len(dy), axis=0)


@_with_dx("dx is averaged over the batch. Each sentence keeps its own: only W is shared by all.")
def dx_averaged(dy, x, W):
    return np.broadcast_to((dy @ W.T).mean(axis=0), x.shape)


@_with_dx("dx is summed over the batch. Each sentence keeps its own: only W is shared by all.")
def dx_summed(dy, x, W):
    return np.broadcast_to((dy @ W.T).sum(axis=0), x.shape)


@_with_dx("dx has x as a factor. In a product each gets the *other*: dx needs dy and W only.")
def dx_times_x(dy, x, W):
    return dy @ W.T * x


@_with_dx("W is inverted for dx. Going back takes W transposed.")
def W_inverted(dy, x, W):
    return dy @ np.linalg.pinv(W)


@_with_dW("dW is transposed: W is (I, O), and its gradient has the same shape.")
def dW_transposed(dy, x, W):
    return dy.T @ x


@_with_dW("dW is reshaped: that gives the right shape and wrong numbers. Exchange rows and columns with .T instead.")
def dW_reshaped(dy, x, W):
    return (dy.T @ x).reshape(W.shape)


@_with_dW(
    "x is reshaped for dW: that gives the right shape and wrong numbers. Exchange rows and columns with .T instead."
)
def x_reshaped(dy, x, W):
    return x.reshape(x.shape[::-1]) @ dy


@_with_dW("a product does not fit: x is not transposed in dW. Each number of dW adds up over the sentences.")
def x_as_it_is(dy, x, W):
    return x @ dy


@_with_dW("dW is the last sentence's alone. W is shared by all: their shares add up.")
def dW_of_the_last_sentence(dy, x, W):
    return np.outer(x[-1], dy[-1])


@_with_dW("dW is the first sentence's alone. W is shared by all: their shares add up.")
def dW_of_the_first_sentence(dy, x, W):
    return np.outer(x[0], dy[0])


@_with_dW(
    "x and dy are summed or averaged over the batch before they meet. Multiply within each sentence, then add up."
)
def dW_of_the_mean_sentence(dy, x, W):
    return np.outer(x.mean(axis=0), dy.sum(axis=0))


@_with_dW("in dW, x of one sentence meets dy of another. Both have to come from the same sentence.")
def wrong_pairs(dy, x, W):
    return x[::-1].T @ dy


@_with_dW("dy has no effect on dW: x is just added up. Each of its numbers should be multiplied by its dy.")
def dy_missing_in_dW(dy, x, W):
    return x.T @ np.ones(dy.shape)


@_with_dW("x has no effect on dW: dy is just added up. In a product each gets the other, so dW needs x.")
def x_missing_in_dW(dy, x, W):
    return np.ones(x.shape).T @ dy


@mistake("linear_backward", _CUT_AT_5)
def cut_off_at_5(dy, x, W):
    return np.clip(dy @ W.T, -5, 5), np.clip(x.T @ dy, -5, 5)


@mistake("linear_backward", "dx and dW have changed places: dx comes first, and it has the shape of x.")
def results_exchanged(dy, x, W):
    return x.T @ dy, dy @ W.T


# ---- rnn_step_backward: dz


def _through(dz, x, h_prev, Wx, Wh):
    """All five gradients from dz on."""
    return dz @ Wx.T, dz @ Wh.T, x.T @ dz, h_prev.T @ dz, dz.sum(axis=0)


def _with_dz(cause):
    """Enter a wrong dz: the function makes it from dh, the right h, z, x and the other arguments."""

    def enter(wrong):
        def rnn_step_backward(dh, x, h_prev, Wx, Wh, b):
            z = x @ Wx + h_prev @ Wh + b
            return _through(wrong(dh, np.tanh(z), z, x, h_prev, Wx, Wh, b), x, h_prev, Wx, Wh)

        rnn_step_backward.__name__ = wrong.__name__
        return mistake("rnn_step_backward", cause)(rnn_step_backward)

    return enter


_NEW_STATE = "the slope is taken from h_prev. It is told from the *new* state h: compute that first."


@_with_dz(_NEW_STATE)
def slope_from_h_prev(dh, h, z, x, h_prev, Wx, Wh, b):
    return dh * (1 - h_prev**2)


@_with_dz("the slope of tanh is missing: dh goes through as it came. First comes dz = dh (1 − h²).")
def slope_missing(dh, h, z, x, h_prev, Wx, Wh, b):
    return dh


@_with_dz("in 1 − h² the sum z stands in place of h = tanh(z).")
def slope_from_z(dh, h, z, x, h_prev, Wx, Wh, b):
    return dh * (1 - z**2)


@_with_dz("tanh is taken of h once more. In 1 − h², h is the result of tanh already.")
def slope_with_tanh_twice(dh, h, z, x, h_prev, Wx, Wh, b):
    return dh * (1 - np.tanh(h) ** 2)


@_with_dz("the square is missing: the slope of tanh is 1 − h², and here it is 1 − h.")
def slope_not_squared(dh, h, z, x, h_prev, Wx, Wh, b):
    return dh * (1 - h)


@_with_dz("the square is at the wrong place: the slope of tanh is 1 − h², and here it is (1 − h)².")
def slope_squared_as_a_whole(dh, h, z, x, h_prev, Wx, Wh, b):
    return dh * (1 - h) ** 2


@_with_dz("the sign in the slope is wrong: it is 1 − h², and here it is 1 + h².")
def slope_with_plus(dh, h, z, x, h_prev, Wx, Wh, b):
    return dh * (1 + h**2)


@_with_dz("h (1 − h) is the slope of another curve, the sigmoid. That of tanh is 1 − h².")
def slope_of_sigmoid(dh, h, z, x, h_prev, Wx, Wh, b):
    return dh * h * (1 - h)


@_with_dz("the slope of the sigmoid stands in place of that of tanh, which is 1 − h².")
def slope_of_sigmoid_at_z(dh, h, z, x, h_prev, Wx, Wh, b):
    half = 0.5 * np.tanh(0.5 * z) + 0.5
    return dh * half * (1 - half)


@_with_dz("dh is multiplied by h². The slope of tanh is 1 − h².")
def slope_without_1(dh, h, z, x, h_prev, Wx, Wh, b):
    return dh * h**2


@_with_dz("dh is multiplied by h. The slope of tanh is 1 − h².")
def times_h(dh, h, z, x, h_prev, Wx, Wh, b):
    return dh * h


@_with_dz("h² is subtracted from dh itself. Subtract it from 1 first, then multiply by dh.")
def brackets_missing(dh, h, z, x, h_prev, Wx, Wh, b):
    return dh - h**2


@_with_dz("1 − dh² stands for the slope. It is told from the state h, and dh is a factor.")
def slope_from_dh(dh, h, z, x, h_prev, Wx, Wh, b):
    return 1 - dh**2


@_with_dz("dh has no effect: the slope alone is handed on. It has to be multiplied by what arrives.")
def dh_missing(dh, h, z, x, h_prev, Wx, Wh, b):
    return 1 - h**2


@_with_dz("the slope is taken from a state without the bias. h is tanh of the whole sum, as in the step.")
def slope_without_bias(dh, h, z, x, h_prev, Wx, Wh, b):
    return dh * (1 - np.tanh(z - b) ** 2)


@mistake("rnn_step_backward", _CUT_AT_5)
def all_cut_off_at_5(dh, x, h_prev, Wx, Wh, b):
    dz = dh * (1 - _step(x, h_prev, Wx, Wh, b) ** 2)
    return tuple(np.clip(gradient, -5, 5) for gradient in _through(dz, x, h_prev, Wx, Wh))


@mistake("rnn_step_backward", "dWx and dWh are made from dh. The slope of tanh comes before the products: use dz.")
def dWx_and_dWh_from_dh(dh, x, h_prev, Wx, Wh, b):
    dz = dh * (1 - _step(x, h_prev, Wx, Wh, b) ** 2)
    return dz @ Wx.T, dz @ Wh.T, x.T @ dh, h_prev.T @ dh, dz.sum(axis=0)


# ---- rnn_step_backward: one of the five, or their order


def _with_one(name, cause):
    """Enter one wrong gradient beside four right ones: the function makes it from dz and all arguments."""

    def enter(wrong):
        def rnn_step_backward(dh, x, h_prev, Wx, Wh, b):
            h = _step(x, h_prev, Wx, Wh, b)
            dz = dh * (1 - h**2)
            found = list(_through(dz, x, h_prev, Wx, Wh))
            found["dx dh_prev dWx dWh db".split().index(name)] = wrong(dz, dh, h, x, h_prev, Wx, Wh)
            return tuple(found)

        rnn_step_backward.__name__ = wrong.__name__
        return mistake("rnn_step_backward", cause)(rnn_step_backward)

    return enter


@_with_one("dh_prev", "dh_prev is dh as it came. It has to go back through tanh and through Wh.")
def dh_prev_is_dh(dz, dh, h, x, h_prev, Wx, Wh):
    return dh


@_with_one("dh_prev", "dh_prev is 0: nothing flows back to the step before. It goes through h_prev Wh.")
def dh_prev_zero(dz, dh, h, x, h_prev, Wx, Wh):
    return np.zeros(h_prev.shape)


@_with_one("dh_prev", "Wh is not transposed in dh_prev. It is square, so no shape complains: going back takes Wh.T.")
def dh_prev_through_Wh_as_it_is(dz, dh, h, x, h_prev, Wx, Wh):
    return dz @ Wh


@_with_one(
    "dh_prev", "dh is added to dh_prev. h_prev had its effect through Wh alone, so what goes back is dz through Wh."
)
def dh_prev_with_dh_added(dz, dh, h, x, h_prev, Wx, Wh):
    return dz @ Wh.T + dh


@_with_one("dx", "dx has x as a factor. In a product each gets the *other*: dx needs dz and Wx only.")
def dx_times_its_x(dz, dh, h, x, h_prev, Wx, Wh):
    return dz @ Wx.T * x


@_with_one("dWh", "dWh is made from the new state h. It was h_prev that met Wh.")
def dWh_from_the_new_state(dz, dh, h, x, h_prev, Wx, Wh):
    return h.T @ dz


@_with_one("db", "db is made from dh. The slope of tanh comes first, for the bias is inside: add up dz.")
def db_from_dh(dz, dh, h, x, h_prev, Wx, Wh):
    return dh.sum(axis=0)


def _for_weights(what):
    """Enter what can go wrong alike in dWx (made with x) and in dWh (made with h_prev)."""

    def enter(make):
        for name in ("dWx", "dWh"):
            source = "x" if name == "dWx" else "h_prev"

            def wrong(dz, dh, h, x, h_prev, Wx, Wh, source=source):
                return make(dz, dh, x if source == "x" else h_prev)

            wrong.__name__ = f"{name}_{make.__name__}"
            _with_one(name, what.format(name=name, source=source, W=name[1:]))(wrong)

    return enter


@_for_weights("{name} is made from dh. The slope of tanh comes before the product: use dz.")
def from_dh(dz, dh, source):
    return source.T @ dh


@_for_weights("{name} is the last sentence's alone. {W} is shared by all: their shares add up.")
def of_the_last_sentence(dz, dh, source):
    return np.outer(source[-1], dz[-1])


@_for_weights("{name} is the first sentence's alone. {W} is shared by all: their shares add up.")
def of_the_first_sentence(dz, dh, source):
    return np.outer(source[0], dz[0])


@_for_weights(
    "{name} is transposed: it has the shape of {W}, with {source} on the left of the product and dz on the right."
)
def transposed(dz, dh, source):
    return dz.T @ source


@_for_weights("{source} has no effect on {name}: dz is just added up. In a product each gets the other.")
def without_its_input(dz, dh, source):
    return np.ones(source.shape).T @ dz


@_for_weights("for {name}, sentences are summed or averaged before the product. Multiply within each one, then add up.")
def of_the_sums(dz, dh, source):
    return np.outer(source.sum(axis=0), dz.sum(axis=0))


@_for_weights("for {name}, sentences are summed or averaged before the product. Multiply within each one, then add up.")
def of_the_means(dz, dh, source):
    return np.outer(source.mean(axis=0), dz.sum(axis=0))


@_with_one("db", "db is the first sentence's alone. b was added to every sentence: their dz add up.")
def db_of_the_first_sentence(dz, dh, h, x, h_prev, Wx, Wh):
    return dz[0]


def _in_order(*order):
    """Enter the right gradients in a wrong order."""

    @mistake(
        "rnn_step_backward",
        "the gradients come in another order. It is that of the arguments: dx, dh_prev, dWx, dWh, db.",
    )
    def another_order(dh, x, h_prev, Wx, Wh, b):
        found = _through(dh * (1 - _step(x, h_prev, Wx, Wh, b) ** 2), x, h_prev, Wx, Wh)
        return tuple(found[k] for k in order)


_in_order(0, 2, 1, 3, 4)
_in_order(1, 0, 2, 3, 4)
_in_order(0, 1, 3, 2, 4)
_in_order(2, 3, 4, 0, 1)
_in_order(2, 3, 0, 1, 4)
_in_order(2, 0, 3, 1, 4)


# ---- embedding_backward


_OVERWRITTEN = "a word that occurs more than once keeps one of its gradients only. All of them should add up."


def _places(dX, ids, V, last=True):
    dE = np.zeros((V, dX.shape[2]))
    places = list(np.ndindex(ids.shape))
    for n, t in places if last else reversed(places):
        dE[ids[n, t]] = dX[n, t]
    return dE


@mistake("embedding_backward", _OVERWRITTEN)
def overwritten(dX, ids, V):
    return _places(dX, ids, V)


@mistake(
    "embedding_backward",
    "a word that occurs twice in a sentence gets only the last of its gradients there. Every place should add its own.",
)
def repeats_in_a_sentence_lost(dX, ids, V):
    dE = np.zeros((V, dX.shape[2]))
    for row, words in zip(dX, ids):
        dE[words] += row
    return dE


@mistake(
    "embedding_backward",
    "a word at the same place in two sentences gets only one of its gradients there. Every place should add its own.",
)
def repeats_at_a_place_lost(dX, ids, V):
    dE = np.zeros((V, dX.shape[2]))
    for t in range(ids.shape[1]):
        dE[ids[:, t]] += dX[:, t]
    return dE


def _added(dX, ids, V):
    dE = np.zeros((V, dX.shape[2]))
    np.add.at(dE, ids, dX)
    return dE


@mistake(
    "embedding_backward",
    "a word that stands in several sentences keeps what one of them gives it. All sentences should add up.",
)
def last_sentence_of_a_word(dX, ids, V):
    dE = np.zeros((V, dX.shape[2]))
    for n, words in enumerate(ids):
        dE[words] = _added(dX[n : n + 1], ids[n : n + 1], V)[words]
    return dE


_DECIMALS = "the decimals are lost: dE holds whole numbers only. Fill an array that can hold decimals."


@mistake("embedding_backward", _DECIMALS)
def decimals_lost_at_every_place(dX, ids, V):
    dE = np.zeros((V, dX.shape[2]), dtype=int)
    for n, t in np.ndindex(ids.shape):
        dE[ids[n, t]] = dE[ids[n, t]] + dX[n, t]
    return dE


@mistake("embedding_backward", _DECIMALS)
def decimals_lost_at_the_end(dX, ids, V):
    return _added(dX, ids, V).astype(int)


@mistake("embedding_backward", "a repeated word keeps the largest numbers of its gradients. They should add up.")
def largest_kept(dX, ids, V):
    dE = np.full((V, dX.shape[2]), -np.inf)
    np.maximum.at(dE, ids, dX)
    return np.where(_counts(ids, V), dE, 0)


@mistake("embedding_backward", "only numbers above 0 count, and a repeated word keeps the largest. All should add up.")
def largest_above_0_kept(dX, ids, V):
    dE = np.zeros((V, dX.shape[2]))
    np.maximum.at(dE, ids, dX)
    return dE


def _counts(ids, V):
    return np.bincount(np.ravel(ids), minlength=V)[:V, None]


@mistake("embedding_backward", "the gradients of a repeated word are averaged. They should add up.")
def averaged_over_repeats(dX, ids, V):
    return _added(dX, ids, V) / np.maximum(_counts(ids, V), 1)


@mistake("embedding_backward", "only how often each word occurs is counted. What arrives, dX, should be added up.")
def only_counted(dX, ids, V):
    return np.repeat(_counts(ids, V), dX.shape[2], axis=1) * 1.0


@mistake("embedding_backward", "only the first sentence is used. Every place of every sentence adds its gradient.")
def first_sentence_only(dX, ids, V):
    return _added(dX[:1], ids[:1], V)


@mistake("embedding_backward", "only the last sentence is used. Every place of every sentence adds its gradient.")
def last_sentence_only(dX, ids, V):
    return _added(dX[-1:], ids[-1:], V)


@mistake("embedding_backward", "only the first word of each sentence is used. Every place adds its gradient.")
def first_words_only(dX, ids, V):
    return _added(dX[:, :1], ids[:, :1], V)


@mistake("embedding_backward", "the last word of each sentence is left out. Every place adds its gradient.")
def last_words_left_out(dX, ids, V):
    return _added(dX[:, :-1], ids[:, :-1], V)


@mistake("embedding_backward", "the first word of each sentence is left out. Every place adds its gradient.")
def first_words_left_out(dX, ids, V):
    return _added(dX[:, 1:], ids[:, 1:], V)


@mistake("embedding_backward", "the word with the id 0 gets nothing. Its gradients add up like all others.")
def id_0_left_out(dX, ids, V):
    return _added(dX * (ids != 0)[..., None], ids, V)


@mistake(
    "embedding_backward",
    "a place's gradient goes to the row of its *position*. It belongs to the row of its word, by its id.",
)
def added_by_position(dX, ids, V):
    dE = np.zeros((V, dX.shape[2]))
    for t in range(dX.shape[1]):
        dE[t] += dX[:, t].sum(axis=0)
    return dE


@mistake(
    "embedding_backward", "dE has as many rows as the largest id needs. It needs V, also for words that don't occur."
)
def rows_by_the_largest_id(dX, ids, V):
    return _added(dX, ids, ids.max() + 1)


@mistake("embedding_backward", "dE has as many rows as words occur. It needs V, also for words that don't occur.")
def rows_by_the_words_that_occur(dX, ids, V):
    words, numbers = np.unique(ids, return_inverse=True)
    return _added(dX, numbers.reshape(ids.shape), len(words))


_OTHER_WORDS = "gradients land on other words: ids and dX are not gone through in the same order."


@mistake("embedding_backward", _OTHER_WORDS)
def ids_transposed(dX, ids, V):
    return _added(dX, ids.T.reshape(ids.shape), V)


@mistake("embedding_backward", "every word gets the gradients of its whole sentence. A place adds only its own.")
def sum_of_the_sentence(dX, ids, V):
    return _added(np.broadcast_to(dX.sum(axis=1, keepdims=True), dX.shape), ids, V)


@mistake("embedding_backward", "dE is transposed: words are rows, as in E, so it is (V, D).")
def dE_transposed(dX, ids, V):
    return _added(dX, ids, V).T


@mistake("embedding_backward", "dE is divided by the number of places. The gradients add up, undivided.")
def divided_by_places(dX, ids, V):
    return _added(dX, ids, V) / ids.size


@mistake(
    "embedding_backward",
    "dE is looked up with ids. Going back, the place's gradient is *added* to its word's row: (V, D).",
)
def looked_up_again(dX, ids, V):
    return _added(dX, ids, V)[ids]
