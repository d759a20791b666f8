"""Known wrong answers of notebook 02: scores."""

import numpy as np

from utils.checks.mistakes.register import mistake, mistake_in_both


def _softmax(e, axis=-1):
    z = np.exp(e - e.max(axis=axis, keepdims=True))
    return z / z.sum(axis=axis, keepdims=True)


def _first_one(x):
    """The first sentence, repeated for the whole batch."""
    return np.broadcast_to(x[:1], x.shape)


def _without(x, word):
    """What stands at one word (the first or the last) set to 0."""
    x = np.array(x, dtype=float)
    x[..., word] = 0
    return x


def _tiled(h_tilde, hs):
    """h̃ for every word, as np.tile repeats it: all sentences, again and again."""
    return np.tile(h_tilde, (hs.shape[1], 1)).reshape(*hs.shape[:2], -1)


# ---- dot_score_one and dot_score: what both can do wrong


for_both_dots = mistake_in_both("dot_score_one", "dot_score")


def _dot(h_tilde, hs):
    return np.einsum("...h,...th->...t", h_tilde, hs)


_ANOTHER_STATE = (
    "one of the encoder's own states is compared with the others, and h̃ is not used. It is h̃ that asks, at every step."
)
_COMPARED_WITH_ITSELF = "hs is compared with itself, and h̃ is not used. Every h_i has to meet h̃."
_LENGTHS_DIVIDED = (
    "the scores are divided by lengths, so only the direction is left. In a dot score, length counts too."
)
_DISTANCES = "the scores tell how far h̃ is from each state. Multiply the two number by number, and add up."
_ROOT = "the scores are divided by the square root of H. The dot score here is the plain sum of products."
_ALREADY_WEIGHTS = "these are already weights: a softmax is applied. A score may be any number, also below 0."
_EXP = "exp is applied to the scores. They should stay as they are; it comes in the next notebook."
_LAST_WORD = "the last word's score is 0: it is left out. Does a loop end one too early?"
_FIRST_WORD = "the first word's score is 0: it is left out. Indices start at 0."
_PART_OF_H = "only some of the H products are added up. All numbers of a state count."
_SIGN_LOST = "signs are lost on the way (an absolute value). A state that points the other way gets a score below 0."
_ONE_WORD = "the score of a single word comes back. All T words need one."
_BENT = "the dot product is squashed afterwards. The dot score leaves it as it is."


@for_both_dots(_ANOTHER_STATE)
def last_state_asks(h_tilde, hs):
    return _dot(hs[..., -1, :], hs)


@for_both_dots(_COMPARED_WITH_ITSELF)
def each_state_with_itself(h_tilde, hs):
    return (hs * hs).sum(axis=-1)


@for_both_dots("h̃ is not used: the numbers of each state are added up as they are. Multiply by h̃ first.")
def h_tilde_not_used(h_tilde, hs):
    return hs.sum(axis=-1)


@for_both_dots(_LENGTHS_DIVIDED)
def cosine(h_tilde, hs):
    long = np.linalg.norm(hs, axis=-1) * np.linalg.norm(h_tilde, axis=-1)[..., None]
    return _dot(h_tilde, hs) / long


@for_both_dots(_LENGTHS_DIVIDED)
def cosine_of_zeros_too(h_tilde, hs):
    long = np.linalg.norm(hs, axis=-1) * np.linalg.norm(h_tilde, axis=-1)[..., None]
    return _dot(h_tilde, hs) / (long + 1e-9)


@for_both_dots(_DISTANCES)
def squared_distances(h_tilde, hs):
    return -((hs - h_tilde[..., None, :]) ** 2).sum(axis=-1)


@for_both_dots(_DISTANCES)
def distances(h_tilde, hs):
    return -np.linalg.norm(hs - h_tilde[..., None, :], axis=-1)


@for_both_dots("the largest score is subtracted from all of them. They should stay as they are.")
def largest_subtracted(h_tilde, hs):
    e = _dot(h_tilde, hs)
    return e - e.max(axis=-1, keepdims=True)


@for_both_dots("a state of zeros gets −∞, as if it were padding. Its score is 0; only keep says what is padding.")
def zeros_get_minus_infinity(h_tilde, hs):
    return np.where(hs.any(axis=-1), _dot(h_tilde, hs), -np.inf)


@for_both_dots("the scores are divided by the length of h̃. In a dot score, length counts.")
def divided_by_the_length_of_h_tilde(h_tilde, hs):
    return _dot(h_tilde, hs) / np.linalg.norm(h_tilde, axis=-1)[..., None]


@for_both_dots(_ROOT)
def divided_by_root_of_h(h_tilde, hs):
    return _dot(h_tilde, hs) / np.sqrt(hs.shape[-1])


@for_both_dots(_SIGN_LOST)
def absolute(h_tilde, hs):
    return np.abs(_dot(h_tilde, hs))


@for_both_dots(_SIGN_LOST)
def absolute_products(h_tilde, hs):
    return _dot(np.abs(h_tilde), np.abs(hs))


@for_both_dots("scores below 0 are cut off at 0. A score may be any number.")
def cut_off_at_0(h_tilde, hs):
    return np.maximum(_dot(h_tilde, hs), 0)


@for_both_dots("the scores are squared, so their sign is lost. A score may be below 0.")
def squared(h_tilde, hs):
    return _dot(h_tilde, hs) ** 2


@for_both_dots(_LAST_WORD)
def last_word_left_out(h_tilde, hs):
    return _without(_dot(h_tilde, hs), -1)


@for_both_dots(_FIRST_WORD)
def first_word_left_out(h_tilde, hs):
    return _without(_dot(h_tilde, hs), 0)


@for_both_dots(_PART_OF_H)
def last_number_left_out(h_tilde, hs):
    return _dot(h_tilde[..., :-1], hs[..., :-1])


@for_both_dots("only the last of the H products is left. Does a loop overwrite (=) where it should add (+=)?")
def overwritten(h_tilde, hs):
    return h_tilde[..., None, -1] * hs[..., -1]


@for_both_dots(_ALREADY_WEIGHTS)
def already_weights(h_tilde, hs):
    return _softmax(_dot(h_tilde, hs))


@for_both_dots(_EXP)
def exponentials(h_tilde, hs):
    return np.exp(_dot(h_tilde, hs))


@for_both_dots("the scores are divided by their sum. Turning scores into shares comes later, and takes a softmax.")
def divided_by_their_sum(h_tilde, hs):
    e = _dot(h_tilde, hs)
    return e / e.sum(axis=-1, keepdims=True)


@for_both_dots(_BENT)
def bent_by_tanh(h_tilde, hs):
    return np.tanh(_dot(h_tilde, hs))


@for_both_dots(_ONE_WORD)
def first_word_only(h_tilde, hs):
    return _dot(h_tilde, hs)[..., 0]


@for_both_dots("the scores of all words are added up. Each of the T words keeps its own.")
def added_up_over_words_too(h_tilde, hs):
    return _dot(h_tilde, hs).sum(axis=-1)


@mistake(
    "dot_score_one", "it adds up over the words, which runs only where T = H. For a score per word, add up over H."
)
def product_over_the_words(h_tilde, hs):
    return h_tilde @ hs


@mistake("dot_score_one", "h̃ is laid along the words (T), where it should be laid along the H numbers of each state.")
def laid_along_the_words(h_tilde, hs):
    return (h_tilde[:, None] * hs).sum(axis=1)


# ---- dot_score: what only a batch can do

_NO_AXIS = "h̃ has no axis for the words, so NumPy pairs sentences with words. Give it one of length 1, in the middle."
_MIXED = "every sentence is scored with the h̃ of every sentence. Each should meet its own h̃ only."
_TILED = "words meet the h̃ of other sentences: it was repeated in another order than that of the words."
_FIRST_H_TILDE = "every sentence is scored with the h̃ of the first one. Each has its own."
_FIRST_SENTENCE = "all sentences get the scores of the first one. Each has its own h̃ and hs."


@mistake("dot_score", _NO_AXIS)
def no_axis_for_the_words(h_tilde, hs):
    return (h_tilde * hs).sum(axis=2)


@mistake("dot_score", _TILED)
def h_tilde_tiled(h_tilde, hs):
    return (_tiled(h_tilde, hs) * hs).sum(axis=2)


@mistake(
    "dot_score", "h̃ is repeated number by number, so a state meets one number of h̃ again and again. Repeat whole rows."
)
def h_tilde_repeated_by_numbers(h_tilde, hs):
    return (np.repeat(h_tilde, hs.shape[1]).reshape(hs.shape) * hs).sum(axis=2)


@mistake("dot_score", _MIXED)
def all_questions_added(h_tilde, hs):
    return (hs @ h_tilde.T).sum(axis=2)


@mistake("dot_score", _FIRST_H_TILDE)
def first_h_tilde(h_tilde, hs):
    return _dot(_first_one(h_tilde), hs)


@mistake("dot_score", _FIRST_SENTENCE)
def first_sentence_for_all(h_tilde, hs):
    return _dot(_first_one(h_tilde), _first_one(hs))


@mistake("dot_score", "hs is only put into another shape where it has to be transposed, so numbers change words.")
def reshaped(h_tilde, hs):
    N, T, H = hs.shape
    return np.einsum("nh,nht->nt", h_tilde, hs.reshape(N, H, T))


@mistake("dot_score", "hs is put into another shape, so that words get into other sentences. Its axes are (N, T, H).")
def words_into_other_sentences(h_tilde, hs):
    N, T, H = hs.shape
    return np.einsum("nh,tnh->nt", h_tilde, hs.reshape(T, N, H))


# ---- additive_score_one and additive_score: what both can do wrong


for_both_additive = mistake_in_both("additive_score_one", "additive_score")


def _query(h_tilde, W1):
    return (h_tilde @ W1)[..., None, :]


def _bent(h_tilde, hs, W1, W2, v=None):
    return np.tanh(_query(h_tilde, W1) + hs @ W2)


def _additive(*arguments):
    return _bent(*arguments) @ arguments[-1]


_NO_TANH = "tanh is missing: without it, h̃ moves all scores of a sentence alike."
_TANH_PARTS = "tanh is applied before the two are added. Add first, then bend."
_TANH_OUTSIDE = "tanh comes last, after v. It belongs inside: bend first, then weigh with v."
_TANH_TWICE = "there is a tanh too many. One is enough: around the sum, before v."
_OTHER_BEND = "the sum is bent by another function than tanh."
_W1_FOR_BOTH = "W1 is used for both. W2 belongs to the encoder's states."
_W2_FOR_BOTH = "W2 is used for both. W1 belongs to h̃."
_W_TRANSPOSED = (
    "a weight matrix is turned round, which runs only where A = H. The product with (H, A) needs H in front."
)
_V_MISSING = "v is not used: the A numbers are added up as they are. Weigh them with v."
_NO_WEIGHTS = "W1 and W2 are not used. They bring h̃ and h_i into one space before the two are added."
_ONLY_A = "it adds up over the words, where the A numbers should disappear: one score for each word."


@for_both_additive(_NO_TANH)
def no_tanh(h_tilde, hs, W1, W2, v):
    return (_query(h_tilde, W1) + hs @ W2) @ v


@for_both_additive(_TANH_OUTSIDE)
def tanh_outside(h_tilde, hs, W1, W2, v):
    return np.tanh((_query(h_tilde, W1) + hs @ W2) @ v)


@for_both_additive("v is inside the tanh: bend the sum of the two first, then weigh with v.")
def v_inside_tanh(h_tilde, hs, W1, W2, v):
    return np.tanh((_query(h_tilde, W1) + hs @ W2) * v).sum(axis=-1)


@for_both_additive(_TANH_PARTS)
def tanh_on_each(h_tilde, hs, W1, W2, v):
    return (np.tanh(_query(h_tilde, W1)) + np.tanh(hs @ W2)) @ v


@for_both_additive(_TANH_PARTS)
def tanh_on_h_tilde_only(h_tilde, hs, W1, W2, v):
    return (np.tanh(_query(h_tilde, W1)) + hs @ W2) @ v


@for_both_additive(_TANH_TWICE)
def tanh_inside_and_outside(h_tilde, hs, W1, W2, v):
    return np.tanh(_additive(h_tilde, hs, W1, W2, v))


@for_both_additive(_OTHER_BEND)
def sigmoid(h_tilde, hs, W1, W2, v):
    return (0.5 * np.tanh(0.5 * (_query(h_tilde, W1) + hs @ W2)) + 0.5) @ v


@for_both_additive(_OTHER_BEND)
def cut_off_below_0(h_tilde, hs, W1, W2, v):
    return np.maximum(_query(h_tilde, W1) + hs @ W2, 0) @ v


@for_both_additive("the A numbers are turned into weights (a softmax) where tanh should bend them.")
def softmax_in_place_of_tanh(h_tilde, hs, W1, W2, v):
    return _softmax(_query(h_tilde, W1) + hs @ W2) @ v


@for_both_additive("the two are multiplied. Add them, then bend the sum.")
def multiplied(h_tilde, hs, W1, W2, v):
    return np.tanh(_query(h_tilde, W1) * (hs @ W2)) @ v


@for_both_additive("the states' part is subtracted from the part of h̃. Add the two.")
def subtracted(h_tilde, hs, W1, W2, v):
    return np.tanh(_query(h_tilde, W1) - hs @ W2) @ v


@for_both_additive("tanh is applied to the encoder's states before W2. Once is enough: around the sum, before v.")
def states_bent_first(h_tilde, hs, W1, W2, v):
    return np.tanh(_query(h_tilde, W1) + np.tanh(hs) @ W2) @ v


@for_both_additive("the scores are divided by the square root of A. They should stay as v gives them.")
def divided_by_root_of_a(h_tilde, hs, W1, W2, v):
    return _additive(h_tilde, hs, W1, W2, v) / np.sqrt(len(v))


@for_both_additive("h̃ and h_i both meet W1 *and* W2. W1 belongs to h̃ alone, W2 to the encoder's states alone.")
def both_through_both(h_tilde, hs, W1, W2, v):
    return np.tanh((h_tilde[..., None, :] + hs) @ (W1 + W2)) @ v


@for_both_additive("a state of zeros gets −1e9, as if it were padding. It is a state like any other.")
def zeros_get_a_large_negative(h_tilde, hs, W1, W2, v):
    return np.where(hs.any(axis=-1), _additive(h_tilde, hs, W1, W2, v), -1e9)


@for_both_additive("W1 and W2 have changed places: W1 belongs to h̃, W2 to the encoder's states.")
def weights_exchanged(h_tilde, hs, W1, W2, v):
    return _additive(h_tilde, hs, W2, W1, v)


@for_both_additive(_W1_FOR_BOTH)
def w1_for_both(h_tilde, hs, W1, W2, v):
    return _additive(h_tilde, hs, W1, W1, v)


@for_both_additive(_W2_FOR_BOTH)
def w2_for_both(h_tilde, hs, W1, W2, v):
    return _additive(h_tilde, hs, W2, W2, v)


@for_both_additive(_W_TRANSPOSED)
def w1_transposed(h_tilde, hs, W1, W2, v):
    return _additive(h_tilde, hs, W1.T, W2, v)


@for_both_additive(_W_TRANSPOSED)
def w2_transposed(h_tilde, hs, W1, W2, v):
    return _additive(h_tilde, hs, W1, W2.T, v)


@for_both_additive(_NO_WEIGHTS)
def no_weights(h_tilde, hs, W1, W2, v):
    return np.tanh(h_tilde[..., None, :] + hs) @ v


@for_both_additive(_V_MISSING)
def v_missing(h_tilde, hs, W1, W2, v):
    return _bent(h_tilde, hs, W1, W2).sum(axis=-1)


@for_both_additive("v is not used: the A numbers are averaged. Weigh them with v and add up.")
def v_missing_and_averaged(h_tilde, hs, W1, W2, v):
    return _bent(h_tilde, hs, W1, W2).mean(axis=-1)


@for_both_additive("v is not used: A numbers are left for each word. Weigh them with v into one.")
def v_missing_and_not_added(h_tilde, hs, W1, W2, v):
    return _bent(h_tilde, hs, W1, W2)


@for_both_additive("v and tanh are missing: the A numbers are added up as they are. Bend them, then weigh them with v.")
def v_and_tanh_missing(h_tilde, hs, W1, W2, v):
    return (_query(h_tilde, W1) + hs @ W2).sum(axis=-1)


@for_both_additive("the sum of the A numbers is multiplied by the sum of v. Multiply one by one, then add up.")
def sums_multiplied(h_tilde, hs, W1, W2, v):
    return _bent(h_tilde, hs, W1, W2).sum(axis=-1) * v.sum()


@for_both_additive(_ONLY_A)
def added_up_over_the_words(h_tilde, hs, W1, W2, v):
    return (_bent(h_tilde, hs, W1, W2) * v).sum(axis=-2)


@for_both_additive("h̃ is not used: the scores would be the same at every decoder step.")
def h_tilde_left_out(h_tilde, hs, W1, W2, v):
    return np.tanh(hs @ W2) @ v


@for_both_additive("the encoder's states are not used: every word gets the same score.")
def states_left_out(h_tilde, hs, W1, W2, v):
    return np.tanh(_query(h_tilde, W1) + 0 * (hs @ W2)) @ v


@for_both_additive("h̃ stands in both places, and the encoder's states are not used. W2 belongs to them.")
def h_tilde_in_both_places(h_tilde, hs, W1, W2, v):
    return np.tanh(_query(h_tilde, W1) + _query(h_tilde, W2) + 0 * (hs @ W2)) @ v


@for_both_additive("these are already weights: a softmax is applied. A score may be any number, also below 0.")
def softmax_applied(h_tilde, hs, W1, W2, v):
    return _softmax(_additive(h_tilde, hs, W1, W2, v))


@for_both_additive("every score is 1, as if a softmax over the A numbers were added up. A score has no softmax in it.")
def softmax_over_the_a_numbers(h_tilde, hs, W1, W2, v):
    return np.ones(hs.shape[:-1])


@mistake("additive_score_one", "the A numbers of h̃ are laid along the words. They belong along the A numbers of h_i.")
def query_as_a_column(h_tilde, hs, W1, W2, v):
    return np.tanh((h_tilde @ W1)[:, None] + hs @ W2) @ v


# ---- additive_score: what only a batch can do


@mistake("additive_score", _NO_AXIS)
def additive_no_axis_for_the_words(h_tilde, hs, W1, W2, v):
    return np.tanh(h_tilde @ W1 + hs @ W2) @ v


@mistake("additive_score", _FIRST_H_TILDE)
def additive_first_h_tilde(h_tilde, hs, W1, W2, v):
    return _additive(_first_one(h_tilde), hs, W1, W2, v)


@mistake("additive_score", _TILED)
def additive_h_tilde_tiled(h_tilde, hs, W1, W2, v):
    return np.tanh(_tiled(h_tilde, hs) @ W1 + hs @ W2) @ v


@mistake(
    "additive_score", "the encoder's states get into other sentences. Is an array reshaped with its axes exchanged?"
)
def states_into_other_sentences(h_tilde, hs, W1, W2, v):
    return _additive(h_tilde, hs.swapaxes(0, 1).reshape(hs.shape), W1, W2, v)


# ---- dot_score_backward


def _dh_tilde(de, hs):
    return np.einsum("nt,nth->nh", de, hs)


def _dhs(de, h_tilde):
    return de[:, :, None] * h_tilde[:, None, :]


_DE_IN_DH_TILDE = "dh_tilde is without de: every h_i has to be weighed by its de_i."
_H_TILDE_MISSING = "dhs is only de, without h̃. How far does a score move when h_i moves? By h̃."
_DE_MISSING = "dhs is only h̃, without de. Each word's own de_i has to multiply it."
_SWAPPED = "the results come in the other order: first dh_tilde, then dhs."
_ROOT_BACK = "the gradients are divided by the square root of H, but the scores are not."
_LAST_IN_DH_TILDE = "in dh_tilde only one word counts. h̃ was used for all T words: add up what they send back."
_MIXED_BACK = "dh_tilde mixes the sentences. Each has its own h̃, which gets back from its own words only."


@mistake("dot_score_backward", _DE_IN_DH_TILDE)
def dh_tilde_without_de(de, h_tilde, hs):
    return hs.sum(axis=1), _dhs(de, h_tilde)


@mistake("dot_score_backward", "dh_tilde is made of h̃ itself. How far does a score move when h̃ moves? By h_i.")
def dh_tilde_from_h_tilde(de, h_tilde, hs):
    return de.sum(axis=1, keepdims=True) * h_tilde, _dhs(de, h_tilde)


@mistake(
    "dot_score_backward", "dh_tilde multiplies the sum of de by the sum of the states. Multiply word by word first."
)
def dh_tilde_from_two_sums(de, h_tilde, hs):
    return de.sum(axis=1, keepdims=True) * hs.sum(axis=1), _dhs(de, h_tilde)


@mistake("dot_score_backward", "dh_tilde is only the sum of de, without hs. Each de_i has to multiply its own h_i.")
def dh_tilde_without_hs(de, h_tilde, hs):
    return de.sum(axis=1, keepdims=True) * np.ones(h_tilde.shape), _dhs(de, h_tilde)


@mistake("dot_score_backward", _LAST_IN_DH_TILDE)
def dh_tilde_from_the_last_word(de, h_tilde, hs):
    return de[:, -1:] * hs[:, -1], _dhs(de, h_tilde)


@mistake("dot_score_backward", "dh_tilde adds up over H. The words have to disappear: each number of h̃ has a gradient.")
def dh_tilde_over_the_numbers(de, h_tilde, hs):
    return (de[:, :, None] * hs).sum(axis=2), _dhs(de, h_tilde)


@mistake("dot_score_backward", _MIXED_BACK)
def dh_tilde_over_the_sentences(de, h_tilde, hs):
    return (de[:, :, None] * hs).sum(axis=0), _dhs(de, h_tilde)


@mistake("dot_score_backward", "dh_tilde takes the de of the first sentence for all of them. Each has its own.")
def dh_tilde_de_of_the_first(de, h_tilde, hs):
    return _dh_tilde(_first_one(de), hs), _dhs(de, h_tilde)


@mistake("dot_score_backward", "dh_tilde takes the states of the first sentence for all of them. Each has its own.")
def dh_tilde_states_of_the_first(de, h_tilde, hs):
    return _dh_tilde(de, _first_one(hs)), _dhs(de, h_tilde)


@mistake(
    "dot_score_backward", "de meets the H numbers in dh_tilde, which runs only where T = H. It belongs to the words."
)
def dh_tilde_de_on_the_numbers(de, h_tilde, hs):
    return (de[:, None, :] * hs).sum(axis=1), _dhs(de, h_tilde)


@mistake("dot_score_backward", _H_TILDE_MISSING)
def dhs_without_h_tilde(de, h_tilde, hs):
    return _dh_tilde(de, hs), np.broadcast_to(de[:, :, None], hs.shape)


@mistake("dot_score_backward", _DE_MISSING)
def dhs_without_de(de, h_tilde, hs):
    return _dh_tilde(de, hs), np.broadcast_to(h_tilde[:, None, :], hs.shape)


@mistake("dot_score_backward", "dhs is made of hs itself. How far does a score move when h_i moves? By h̃.")
def dhs_from_hs(de, h_tilde, hs):
    return _dh_tilde(de, hs), de[:, :, None] * hs


@mistake("dot_score_backward", "h̃ and hs have changed places: each gets the gradient times the *other*.")
def states_exchanged(de, h_tilde, hs):
    return de.sum(axis=1, keepdims=True) * h_tilde, de[:, :, None] * hs


@mistake("dot_score_backward", "dhs uses the h̃ of the first sentence for all. Each sentence has its own.")
def dhs_first_h_tilde(de, h_tilde, hs):
    return _dh_tilde(de, hs), _dhs(de, _first_one(h_tilde))


@mistake("dot_score_backward", "dhs gives all words the same, the sum of de times h̃. Each word has its own de_i.")
def dhs_same_for_all_words(de, h_tilde, hs):
    return _dh_tilde(de, hs), np.broadcast_to(_dhs(de, h_tilde).sum(axis=1, keepdims=True), hs.shape)


@mistake("dot_score_backward", "dhs hands dh_tilde to every word. dh_i is de_i times h̃.")
def dhs_is_dh_tilde(de, h_tilde, hs):
    dh_tilde = _dh_tilde(de, hs)
    return dh_tilde, np.broadcast_to(dh_tilde[:, None, :], hs.shape)


@mistake("dot_score_backward", "dhs is only put into another shape where two axes have to be exchanged.")
def dhs_reshaped(de, h_tilde, hs):
    return _dh_tilde(de, hs), (h_tilde[:, :, None] * de[:, None, :]).reshape(hs.shape)


@mistake("dot_score_backward", "de has no effect on either: every h_i, and h̃ at each word, has to be weighed by de_i.")
def without_de(de, h_tilde, hs):
    return hs.sum(axis=1), np.broadcast_to(h_tilde[:, None, :], hs.shape)


@mistake("dot_score_backward", "both are only de, without the other factor. In a product each gets the *other*.")
def only_de(de, h_tilde, hs):
    return np.broadcast_to(de.sum(axis=1, keepdims=True), h_tilde.shape), np.broadcast_to(de[:, :, None], hs.shape)


@mistake("dot_score_backward", "dhs is written into hs, and dh_tilde is then made of it. Leave hs as it is.")
def dhs_written_into_hs(de, h_tilde, hs):
    hs[:] = _dhs(de, h_tilde)
    return _dh_tilde(de, hs), hs


@mistake("dot_score_backward", "in dhs, words get the h̃ of other sentences: it was repeated in another order.")
def dhs_with_h_tilde_tiled(de, h_tilde, hs):
    return _dh_tilde(de, hs), de[:, :, None] * _tiled(h_tilde, hs)


@mistake("dot_score_backward", "dh_tilde is added to dhs. Each has its own gradient: dh_i is de_i times h̃.")
def dh_tilde_added_to_dhs(de, h_tilde, hs):
    dh_tilde = _dh_tilde(de, hs)
    return dh_tilde, _dhs(de, h_tilde) + dh_tilde[:, None, :]


@mistake("dot_score_backward", _SWAPPED)
def results_exchanged(de, h_tilde, hs):
    return _dhs(de, h_tilde), _dh_tilde(de, hs)


@mistake("dot_score_backward", _ROOT_BACK)
def both_divided_by_root_of_h(de, h_tilde, hs):
    root = np.sqrt(hs.shape[2])
    return _dh_tilde(de, hs) / root, _dhs(de, h_tilde) / root


# ---- additive_score_backward


def _additive_gradients(arguments, slope=lambda s, z: 1 - s**2, by_v=True, by_de=True, dz=None, **instead):
    """All five gradients by the right formulas, but for what is given instead."""
    de, h_tilde, hs, W1, W2, v = arguments
    z = _query(h_tilde, W1) + hs @ W2
    s = np.tanh(z)
    if dz is None:
        dz = slope(s, z) * (de[:, :, None] if by_de else 1) * (v if by_v else 1)
    right = {
        "dh_tilde": dz.sum(axis=1) @ W1.T,
        "dhs": dz @ W2.T,
        "dW1": h_tilde.T @ dz.sum(axis=1),
        "dW2": hs.reshape(-1, hs.shape[2]).T @ dz.reshape(-1, dz.shape[2]),
        "dv": de.ravel() @ s.reshape(-1, s.shape[2]),
    }
    return tuple((right | instead).values())


def _dz(de, h_tilde, hs, W1, W2, v):
    return de[:, :, None] * v * (1 - _bent(h_tilde, hs, W1, W2) ** 2)


def additive_backward(cause):
    """Enter a mistake in the gradients of the additive score."""
    return mistake("additive_score_backward", cause)


_SLOPE = "the slope of tanh is not 1 − s², with s what tanh gave. So dz is wrong, and all but dv with it."
_NO_SLOPE = "the slope of tanh is missing: dz needs the factor 1 − s²."
_DZ_V = "v is missing in dz: what arrives at s_i is de_i times v."
_DZ_DE = "de is missing in dz: what arrives at s_i is de_i times v."
_DW_TRANSPOSED = "the gradient of a weight matrix is transposed: it has the matrix's own shape, (H, A)."
_WORDS_IN_DW2 = "in dW2 only one word counts. W2 met every h_i: add up over all words."
_FORWARD = "s is not computed as in the score: both W₁ h̃ and W₂ h_i belong into the tanh."
_DW_ORDER = "dW1 and dW2 are exchanged: W1 met h̃, W2 met the h_i."


@additive_backward(_NO_SLOPE)
def slope_missing(*arguments):
    return _additive_gradients(arguments, lambda s, z: np.ones(s.shape))


@additive_backward("the slope of tanh is 1 − s²: the square is missing.")
def slope_without_square(*arguments):
    return _additive_gradients(arguments, lambda s, z: 1 - s)


@additive_backward("s (1 − s) is the slope of a sigmoid. The slope of tanh is 1 − s².")
def slope_of_a_sigmoid(*arguments):
    return _additive_gradients(arguments, lambda s, z: s * (1 - s))


@additive_backward("the slope is taken as 1 + s². The slope of tanh is 1 − s².")
def slope_plus(*arguments):
    return _additive_gradients(arguments, lambda s, z: 1 + s**2)


@additive_backward("the slope is taken as 1 − z², of what goes into tanh. It is 1 − s², of what comes out.")
def slope_of_z(*arguments):
    return _additive_gradients(arguments, lambda s, z: 1 - z**2)


@additive_backward("tanh is applied twice in the slope: s is its result already, so 1 − s² needs no other tanh.")
def slope_with_tanh_twice(*arguments):
    return _additive_gradients(arguments, lambda s, z: 1 - np.tanh(s) ** 2)


@additive_backward(_SLOPE)
def slope_is_the_square(*arguments):
    return _additive_gradients(arguments, lambda s, z: s**2)


@additive_backward(_SLOPE)
def slope_twice(*arguments):
    return _additive_gradients(arguments, lambda s, z: (1 - s**2) ** 2)


@additive_backward(_DZ_V)
def v_missing_in_dz(*arguments):
    return _additive_gradients(arguments, by_v=False)


@additive_backward(_DZ_DE)
def de_missing_in_dz(*arguments):
    return _additive_gradients(arguments, by_de=False)


@additive_backward("de is not used: what arrives at the scores has to multiply all five gradients.")
def de_not_used(de, h_tilde, hs, *weights):
    return _additive_gradients((np.ones(de.shape), h_tilde, hs, *weights))


@additive_backward(_FORWARD)
def s_without_h_tilde(de, h_tilde, hs, W1, W2, v):
    s = np.tanh(hs @ W2)
    dz = de[:, :, None] * v * (1 - s**2)
    return _additive_gradients((de, h_tilde, hs, W1, W2, v), dz=dz, dv=np.einsum("nt,nta->a", de, s))


@additive_backward("W1 and W2 have changed places throughout: W1 belongs to h̃, W2 to the states.")
def weights_exchanged_throughout(de, h_tilde, hs, W1, W2, v):
    return _additive_gradients((de, h_tilde, hs, W2, W1, v))


@additive_backward("W2 takes the gradient back to h̃, where W1 should: it was W1 that h̃ went through.")
def dh_tilde_through_w2(*arguments):
    return _additive_gradients(arguments, dh_tilde=_dz(*arguments).sum(axis=1) @ arguments[4].T)


@additive_backward("W1 takes the gradient back to hs, where W2 should: it was W2 that the states went through.")
def dhs_through_w1(*arguments):
    return _additive_gradients(arguments, dhs=_dz(*arguments) @ arguments[3].T)


@additive_backward("W1 and W2 have changed places on the way back: h̃ went through W1, the states through W2.")
def both_through_the_other(*arguments):
    dz, W1, W2 = _dz(*arguments), arguments[3], arguments[4]
    return _additive_gradients(arguments, dh_tilde=dz.sum(axis=1) @ W2.T, dhs=dz @ W1.T)


@additive_backward(_DW_TRANSPOSED)
def both_gradients_transposed(*arguments):
    right = _additive_gradients(arguments)
    return _additive_gradients(arguments, dW1=right[2].T, dW2=right[3].T)


@additive_backward(_DW_ORDER)
def weight_gradients_exchanged(*arguments):
    right = _additive_gradients(arguments)
    return _additive_gradients(arguments, dW1=right[3], dW2=right[2])


@additive_backward(_WORDS_IN_DW2)
def dw2_last_word(*arguments):
    return _additive_gradients(arguments, dW2=arguments[2][:, -1].T @ _dz(*arguments)[:, -1])


@additive_backward("dv is made of what goes into tanh. v met what comes out of it, s.")
def dv_before_tanh(*arguments):
    de, h_tilde, hs, W1, W2, _ = arguments
    return _additive_gradients(arguments, dv=np.einsum("nt,nta->a", de, _query(h_tilde, W1) + hs @ W2))


@additive_backward("dv is without de: every s_i has to be weighed by its de_i.")
def dv_without_de(*arguments):
    return _additive_gradients(arguments, dv=_bent(*arguments[1:]).sum(axis=(0, 1)))


@additive_backward("dv is the sum of dz. v met s: weigh every s_i by its de_i, and add up.")
def dv_from_dz(*arguments):
    return _additive_gradients(arguments, dv=_dz(*arguments).sum(axis=(0, 1)))


@additive_backward("dv is made of s². v met s itself. Is s squared in place, or the slope's square used again?")
def dv_from_the_square(*arguments):
    return _additive_gradients(arguments, dv=np.einsum("nt,nta->a", arguments[0], _bent(*arguments[1:]) ** 2))


_DV_SUMS = "dv multiplies sums of de by sums of s. Multiply word by word first, then add up."


@additive_backward(_DV_SUMS)
def dv_from_two_sums(*arguments):
    return _additive_gradients(arguments, dv=arguments[0].sum() * _bent(*arguments[1:]).sum(axis=(0, 1)))


@additive_backward(_DV_SUMS)
def dv_from_sums_over_the_words(*arguments):
    return _additive_gradients(arguments, dv=arguments[0].sum(axis=1) @ _bent(*arguments[1:]).sum(axis=1))


@additive_backward("dv is made of dz. v met s: weigh every s_i by its de_i, and add up.")
def dv_from_dz_weighed(*arguments):
    return _additive_gradients(arguments, dv=np.einsum("nt,nta->a", arguments[0], _dz(*arguments)))


@additive_backward("dv is multiplied by v. In a product each gets the *other*: here s, weighed by de.")
def dv_times_v(*arguments):
    return _additive_gradients(arguments, dv=arguments[5] * _additive_gradients(arguments)[4])


@additive_backward("dv mixes the sentences: `@` takes de for one matrix. Weigh every s_i by its own de_i.")
def dv_over_all_sentences(*arguments):
    return _additive_gradients(arguments, dv=(arguments[0] @ _bent(*arguments[1:])).sum(axis=(0, 1)))


@additive_backward("in dW2, hs is only put into another shape where two axes have to be exchanged.")
def dw2_reshaped(*arguments):
    hs, dz = arguments[2], _dz(*arguments)
    return _additive_gradients(arguments, dW2=hs.reshape(hs.shape[2], -1) @ dz.reshape(-1, dz.shape[2]))


@additive_backward("dW1 is made of the encoder's states. It was h̃ that met W1.")
def dw1_from_the_states(*arguments):
    return _additive_gradients(arguments, dW1=np.einsum("nth,nta->ha", arguments[2], _dz(*arguments)))


@additive_backward("dW2 is made of h̃. It was the encoder's states that met W2.")
def dw2_from_h_tilde(*arguments):
    return _additive_gradients(arguments, dW2=arguments[1].T @ _dz(*arguments).sum(axis=1))
