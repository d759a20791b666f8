"""Known wrong answers of notebook 04: the context vector."""

import numpy as np

from utils.checks.mistakes.register import mistake, mistake_in_both


def _softmax(e, axis=-1):
    z = np.exp(e - e.max(axis=axis, keepdims=True))
    return z / z.sum(axis=axis, keepdims=True)


def _first_one(x):
    """The first sentence, repeated for the whole batch."""
    return np.broadcast_to(x[:1], x.shape)


# ---- context_one and context: what both can do wrong


for_both = mistake_in_both("context_one", "context")


def _sum(a, hs):
    return np.einsum("...t,...th->...h", a, hs)


_ONE_STATE = "only one of the states is taken, whatever the weights are. Every state contributes by its weight."
_ONE_LEFT_OUT = "one word is left out. All T states contribute, from the first to the last."
_ONE_OFF = "the weights meet the states one place off: weight i belongs to state i."
_ON_ONE_STATE = "all weights are laid on one and the same state. Weight i belongs to state i."
_NO_ROOM = "the weights are laid along the H numbers of a state. They belong along the T words: one weight a state."
_BENT = "the context vector is changed afterwards. It is the weighted sum and nothing more."


@for_both("the weights are not used: it is the plain mean of the states.")
def plain_mean(a, hs):
    return hs.mean(axis=-2)


@for_both("the weights are not used: the states are added up as they are.")
def plain_sum(a, hs):
    return hs.sum(axis=-2)


@for_both(_ONE_STATE)
def last_state(a, hs):
    return hs[..., -1, :]


@for_both(_ONE_STATE)
def first_state(a, hs):
    return hs[..., 0, :]


@for_both(_ON_ONE_STATE)
def weights_on_the_last_state(a, hs):
    return a.sum(axis=-1, keepdims=True) * hs[..., -1, :]


@for_both("only the last word is left in c. Does a loop overwrite (=) where it should add (+=)?")
def overwritten(a, hs):
    return a[..., -1:] * hs[..., -1, :]


@for_both("only the first word is in c. All T states contribute: does a loop end too early?")
def first_word_only(a, hs):
    return a[..., :1] * hs[..., 0, :]


@for_both(_ONE_LEFT_OUT)
def first_left_out(a, hs):
    return _sum(a[..., 1:], hs[..., 1:, :])


@for_both(_ONE_LEFT_OUT)
def last_left_out(a, hs):
    return _sum(a[..., :-1], hs[..., :-1, :])


@for_both("of the weighted states, only the largest numbers are taken. Add up all of them.")
def largest_numbers(a, hs):
    return (a[..., None] * hs).max(axis=-2)


@for_both("only the state with the largest weight is taken. The others contribute too, by their weights.")
def winner_only(a, hs):
    place = a.argmax(axis=-1)[..., None, None]
    return np.take_along_axis(hs, place, axis=-2)[..., 0, :]


@for_both("only the state with the largest weight contributes. The others do too, by their weights.")
def winner_by_its_weight(a, hs):
    return a.max(axis=-1, keepdims=True) * winner_only(a, hs)


@for_both("the weights are in reverse order: the first weight belongs to the first state.")
def weights_in_reverse(a, hs):
    return _sum(a[..., ::-1], hs)


@for_both(_ONE_OFF)
def weights_one_place_late(a, hs):
    return _sum(np.roll(a, 1, axis=-1), hs)


@for_both("the weights are divided by their sum once more. Use them as they are given.")
def weights_normalised_again(a, hs):
    return _sum(a / a.sum(axis=-1, keepdims=True), hs)


@for_both("softmax is applied to the weights, as if they were scores. Use them as they are given.")
def softmax_of_the_weights(a, hs):
    return _sum(_softmax(a), hs)


@for_both("the weights are squared. Each is used once.")
def weights_squared(a, hs):
    return _sum(a**2, hs)


@for_both("the weights are turned round (1 − a): the least relevant word gets the most.")
def weights_turned_round(a, hs):
    return _sum(1 - a, hs)


@for_both("exp is applied to the weights, as if they were scores. Use them as they are given.")
def exp_of_the_weights(a, hs):
    return _sum(np.exp(a), hs)


@for_both("the weights are added to the states. Multiply each state by its weight.")
def weights_added(a, hs):
    return (a[..., None] + hs).sum(axis=-2)


@for_both("the sum of the weights is multiplied by the sum of the states. Multiply one by one, then add up.")
def sums_multiplied(a, hs):
    return a.sum(axis=-1, keepdims=True) * hs.sum(axis=-2)


@for_both(_BENT)
def bent_by_tanh(a, hs):
    return np.tanh(_sum(a, hs))


@for_both("c is divided by the square root of a length. It is the weighted sum as it is.")
def divided_by_root_of_h(a, hs):
    return _sum(a, hs) / np.sqrt(hs.shape[-1])


@mistake("context_one", "the weights meet the H numbers, which runs only where T = H. They have to meet the T words.")
def product_over_the_numbers(a, hs):
    return hs @ a


@mistake("context_one", _NO_ROOM)
def weights_along_the_numbers(a, hs):
    return (a * hs).sum(axis=0)


# ---- context: what only a batch can do

_FIRST_WEIGHTS = "the weights of the first sentence are used for all of them. Each has its own."
_OVER_SENTENCES = "the sentences of the batch are added up. Each has a context vector of its own."


@mistake(
    "context",
    "the weights are laid along the H numbers of a state. `[:, None, :]` goes with `@`, `[:, :, None]` with `*`.",
)
def axis_in_the_middle(a, hs):
    return (a[:, None, :] * hs).sum(axis=1)


_ALL_WITH_ALL = "everybody's weights meet every sentence's states, as in `a @ hs`. Pair each sentence's with its own."


@mistake("context", _ALL_WITH_ALL)
def everybodys_weights(a, hs):
    return a @ hs


@mistake("context", _ALL_WITH_ALL)
def everybodys_weights_added_up(a, hs):
    return (a @ hs).sum(axis=1)


@mistake("context", _ALL_WITH_ALL)
def everybodys_states_added_up(a, hs):
    return (a @ hs).sum(axis=0)


@mistake("context", "the states of the first sentence are used for all of them. Each has its own.")
def states_of_the_first(a, hs):
    return (a @ hs)[0]


@mistake("context", "`dot` pairs every sentence's weights with every sentence's states. Stacks are multiplied by `@`.")
def dot_in_place_of_a_stack(a, hs):
    return np.dot(a, hs)


@mistake("context", _FIRST_WEIGHTS)
def weights_of_the_first(a, hs):
    return _sum(_first_one(a), hs)


@mistake("context", "all sentences get the context vector of the first one. Each has its own weights and states.")
def first_sentence_for_all(a, hs):
    return _sum(_first_one(a), _first_one(hs))


@mistake("context", _OVER_SENTENCES)
def added_up_over_the_sentences(a, hs):
    return (a[:, :, None] * hs).sum(axis=0)


@mistake("context", "hs is only put into another shape where two axes have to be exchanged.")
def reshaped(a, hs):
    N, T, H = hs.shape
    return np.einsum("nt,nht->nh", a, hs.reshape(N, H, T))


@mistake("context", "hs is put into another shape, so that words get into other sentences. Its axes are (N, T, H).")
def words_into_other_sentences(a, hs):
    N, T, H = hs.shape
    return np.einsum("nt,tnh->nh", a, hs.reshape(T, N, H))


_RESHAPED = "an array is only put into another shape where two axes have to be exchanged, or none."


@mistake("context", _RESHAPED)
def weighted_states_reshaped(a, hs):
    N, T, H = hs.shape
    return (a[:, :, None] * hs).reshape(N, H, T).sum(axis=2)


@mistake("context", _RESHAPED)
def weights_reshaped(a, hs):
    return _sum(a.reshape(a.shape[::-1]).T, hs)


# ---- attention


def _dot(h_tilde, hs):
    return np.einsum("nh,nth->nt", h_tilde, hs)


def _where_kept(keep, x, fill):
    return np.where(np.asarray(keep).astype(bool), x, fill)


def _weights(e, keep):
    """The right weights: 0 at padding, and where nothing is kept."""
    e = _where_kept(keep, e, -np.inf)
    largest = e.max(axis=1, keepdims=True)
    z = np.exp(e - np.where(np.isfinite(largest), largest, 0))
    total = z.sum(axis=1, keepdims=True)
    return z / np.where(total == 0, 1, total)


def _filled(h_tilde, hs, keep, fill):
    a = _softmax(_where_kept(keep, _dot(h_tilde, hs), fill))
    return _sum(a, hs), a


def _nothing_gives_0(results, keep):
    c, a = results
    some = np.any(keep, axis=1)[:, None]
    return np.where(some, c, 0), np.where(some, a, 0)


_NOT_LOW_ENOUGH = "padding is filled with a score that is not low enough: real ones can be below it. Use −inf."
_NOTHING = "where nothing is kept, there are still weights. There a and c should be 0."
_NOTHING_C = "where nothing is kept, a state is handed out as c. There c should be 0."
_NO_QUESTION = "h̃ is not used: one of the encoder's own states asks. It is h̃ that asks, at every step."
_KEEP_AS_LENGTH = (
    "keep is taken for a number of words: so many from the left count. Take the words where it is True, wherever."
)
_KEPT_NOT_SHARED = "the weights are not divided by their sum, so they do not sum to 1."
_FIRST_KEEP = "keep of the first sentence is used for all of them. Each has its own words and padding."


@mistake("attention", "the results come in the other order: first c, then a.")
def results_exchanged(h_tilde, hs, keep):
    a = _weights(_dot(h_tilde, hs), keep)
    return a, _sum(a, hs)


@mistake("attention", "keep is not used: padding gets weights as if it were words.")
def keep_not_used(h_tilde, hs, keep):
    return _filled(h_tilde, hs, np.ones(keep.shape), 0)


@mistake("attention", "keep is turned round: it is True at real words, and here padding is kept.")
def keep_turned_round(h_tilde, hs, keep):
    a = _weights(_dot(h_tilde, hs), ~np.asarray(keep).astype(bool))
    return _sum(a, hs), a


@mistake("attention", "the padding is zeroed after the softmax, so the weights no longer sum to 1.")
def zeroed_after_softmax(h_tilde, hs, keep):
    a = _softmax(_dot(h_tilde, hs)) * keep
    return _sum(a, hs), a


@mistake("attention", _NOT_LOW_ENOUGH)
def filled_with_minus_a_hundred(h_tilde, hs, keep):
    return _filled(h_tilde, hs, keep, -100.0)


@mistake("attention", _NOT_LOW_ENOUGH)
def filled_with_minus_10000(h_tilde, hs, keep):
    return _filled(h_tilde, hs, keep, -1e4)


@mistake("attention", _NOT_LOW_ENOUGH)
def filled_with_minus_a_hundred_nothing_gives_0(h_tilde, hs, keep):
    return _nothing_gives_0(_filled(h_tilde, hs, keep, -100.0), keep)


@mistake("attention", _NOT_LOW_ENOUGH)
def filled_with_minus_10000_nothing_gives_0(h_tilde, hs, keep):
    return _nothing_gives_0(_filled(h_tilde, hs, keep, -1e4), keep)


@mistake("attention", _NOTHING)
def filled_with_minus_a_billion(h_tilde, hs, keep):
    return _filled(h_tilde, hs, keep, -1e9)


@mistake("attention", "a row with nothing to keep becomes nan (not a number). There a and c should be 0.")
def nothing_kept_gives_nan(h_tilde, hs, keep):
    return _filled(h_tilde, hs, keep, -np.inf)


@mistake("attention", _NOTHING_C)
def nothing_kept_gives_the_last_state(h_tilde, hs, keep):
    a = _weights(_dot(h_tilde, hs), keep)
    return np.where(np.any(keep, axis=1)[:, None], _sum(a, hs), hs[:, -1]), a


@mistake("attention", "where nothing is kept, h̃ is handed out as c. There c should be 0.")
def nothing_kept_gives_h_tilde(h_tilde, hs, keep):
    a = _weights(_dot(h_tilde, hs), keep)
    return np.where(np.any(keep, axis=1)[:, None], _sum(a, hs), h_tilde), a


@mistake("attention", "large scores are cut off before exp, so two that differ get the same weight.")
def scores_cut_off(h_tilde, hs, keep):
    a = _weights(np.clip(_dot(h_tilde, hs), -50, 50), keep)
    return _sum(a, hs), a


@mistake(
    "attention", "the scores are divided by lengths, so only the direction is left. In a dot score, length counts too."
)
def cosine(h_tilde, hs, keep):
    long = np.linalg.norm(hs, axis=2) * np.linalg.norm(h_tilde, axis=1, keepdims=True)
    a = _weights(_dot(h_tilde, hs) / long, keep)
    return _sum(a, hs), a


@mistake("attention", _NO_QUESTION)
def last_state_asks(h_tilde, hs, keep):
    a = _weights(_dot(hs[:, -1], hs), keep)
    return _sum(a, hs), a


@mistake("attention", "each state is compared with itself, and h̃ is not used. It is h̃ that asks.")
def each_state_with_itself(h_tilde, hs, keep):
    a = _weights((hs * hs).sum(axis=2), keep)
    return _sum(a, hs), a


@mistake("attention", "the h̃ of the first sentence asks for all of them. Each sentence has its own.")
def first_h_tilde(h_tilde, hs, keep):
    a = _weights(_dot(_first_one(h_tilde), hs), keep)
    return _sum(a, hs), a


@mistake("attention", "all sentences together share one sum of 1. The weights of each should sum to 1.")
def softmax_over_everything(h_tilde, hs, keep):
    e = _where_kept(keep, _dot(h_tilde, hs), -np.inf)
    z = np.exp(e - e.max())
    a = z / z.sum()
    return _sum(a, hs), a


@mistake("attention", "all real words get the same weight, whatever their scores are.")
def real_words_all_alike(h_tilde, hs, keep):
    a = _weights(np.zeros(keep.shape), keep)
    return _sum(a, hs), a


@mistake("attention", _FIRST_KEEP)
def keep_of_the_first(h_tilde, hs, keep):
    a = _weights(_dot(h_tilde, hs), _first_one(np.asarray(keep)))
    return _sum(a, hs), a


@mistake("attention", _KEEP_AS_LENGTH)
def keep_as_a_length(h_tilde, hs, keep):
    T = hs.shape[1]
    a = _weights(_dot(h_tilde, hs), np.arange(T) < np.asarray(keep).astype(int).sum(axis=1, keepdims=True))
    return _sum(a, hs), a


@mistake("attention", "the weights are pushed together on the left. Each has to stay at its own word.")
def weights_pushed_to_the_left(h_tilde, hs, keep):
    right = _weights(_dot(h_tilde, hs), keep)
    order = np.argsort(~np.asarray(keep).astype(bool), axis=1, kind="stable")
    return _sum(right, hs), np.take_along_axis(right, order, axis=1)


@mistake("attention", "where a sentence has several real words, the last gets nothing: one word too few is kept.")
def one_word_too_few(h_tilde, hs, keep):
    keep = np.asarray(keep).astype(int)
    at = np.cumsum(keep, axis=1)
    a = _weights(_dot(h_tilde, hs), keep * (at < at[:, -1:]))
    return _sum(a, hs), a


@mistake("attention", "where a sentence has several real words, the last gets nothing: one word too few is kept.")
def one_word_too_few_of_several(h_tilde, hs, keep):
    keep = np.asarray(keep).astype(int)
    at = np.cumsum(keep, axis=1)
    a = _weights(_dot(h_tilde, hs), keep * ((at < at[:, -1:]) | (at[:, -1:] == 1)))
    return _sum(a, hs), a


@mistake("attention", _KEPT_NOT_SHARED)
def not_normalised(h_tilde, hs, keep):
    a = np.exp(_where_kept(keep, _dot(h_tilde, hs), -np.inf))
    return _sum(a, hs), a


@mistake(
    "attention", "every score is squashed on its own (a sigmoid): the weights of a sentence have to share one sum of 1."
)
def sigmoid(h_tilde, hs, keep):
    a = _where_kept(keep, 0.5 * np.tanh(0.5 * _dot(h_tilde, hs)) + 0.5, 0)
    return _sum(a, hs), a


@mistake("attention", "softmax is applied twice. Once is enough: its result already sums to 1.")
def softmax_twice(h_tilde, hs, keep):
    a = _weights(_weights(_dot(h_tilde, hs), keep), keep)
    return _sum(a, hs), a


@mistake("attention", "hs is only put into another shape where two axes have to be exchanged.")
def attention_reshaped(h_tilde, hs, keep):
    N, T, H = hs.shape
    a = _weights(np.einsum("nh,nht->nt", h_tilde, hs.reshape(N, H, T)), keep)
    return _sum(a, hs), a


@mistake("attention", "plus infinity is filled in at padding. It takes *minus* infinity for a weight of 0.")
def filled_with_plus_infinity(h_tilde, hs, keep):
    return _filled(h_tilde, hs, keep, np.inf)


@mistake("attention", "the scores are divided by the square root of H. A dot score is taken as it is.")
def scores_divided_by_root_of_h(h_tilde, hs, keep):
    a = _weights(_dot(h_tilde, hs) / np.sqrt(hs.shape[2]), keep)
    return _sum(a, hs), a


_SCORE_OF_0 = "padding gets the score 0, and exp(0) is 1: that is a share like any other."


@mistake("attention", _SCORE_OF_0)
def score_of_zero_at_padding(h_tilde, hs, keep):
    a = _softmax(_dot(h_tilde, hs) * keep)
    return _sum(a, hs), a


@mistake("attention", _SCORE_OF_0)
def states_of_zero_at_padding(h_tilde, hs, keep):
    return keep_not_used(h_tilde, hs * np.asarray(keep)[:, :, None], keep)


@mistake("attention", "the scores are handed out in place of the weights; c is right.")
def scores_handed_out(h_tilde, hs, keep):
    e = _dot(h_tilde, hs)
    return _sum(_weights(e, keep), hs), e


@mistake("attention", "c is summed with the scores. It should be summed with the weights, which are right.")
def summed_with_the_scores(h_tilde, hs, keep):
    e = _dot(h_tilde, hs)
    return _sum(e, hs), _weights(e, keep)


@mistake("attention", "c is right, but the weights that are handed out are those without keep.")
def handed_out_without_keep(h_tilde, hs, keep):
    e = _dot(h_tilde, hs)
    return _sum(_weights(e, keep), hs), _softmax(e)


@mistake("attention", "the weights are right, but c is summed with others, in which padding has its share.")
def summed_without_keep(h_tilde, hs, keep):
    e = _dot(h_tilde, hs)
    return _sum(_softmax(e), hs), _weights(e, keep)


@mistake("attention", "the softmax is over the batch. The weights of each sentence should sum to 1 over its words.")
def softmax_over_the_batch(h_tilde, hs, keep):
    a = _weights(_dot(h_tilde, hs).T, np.asarray(keep).T).T
    return _sum(a, hs), a


# ---- context_backward


def _da(dc, hs):
    return np.einsum("nh,nth->nt", dc, hs)


def _dhs(dc, a):
    return a[:, :, None] * dc[:, None, :]


_THROUGH_SOFTMAX = (
    "da goes back through the softmax as well. That is softmax_backward's work; here a is simply a number."
)
_DA_WITHOUT_DC = "da is without dc. How far does the loss move with a weight? By dcᵀ h_i."
_DA_MIXED = "da mixes the sentences. Each has its own dc and its own states."


@mistake("context_backward", "da is not summed over H: it is a dot product of dc and h_i, one number per word.")
def da_not_added(dc, a, hs):
    return dc[:, None, :] * hs, _dhs(dc, a)


@mistake("context_backward", "da is without the states. It is a dot product of dc and h_i.")
def da_without_hs(dc, a, hs):
    return np.broadcast_to(dc.sum(axis=1, keepdims=True), a.shape), _dhs(dc, a)


@mistake("context_backward", _DA_WITHOUT_DC)
def da_without_dc(dc, a, hs):
    return hs.sum(axis=2), _dhs(dc, a)


@mistake(
    "context_backward", "da is multiplied by a. How far does c move with a weight? By h_i, whatever the weight is."
)
def da_times_a(dc, a, hs):
    return a * _da(dc, hs), _dhs(dc, a)


@mistake("context_backward", _THROUGH_SOFTMAX)
def da_through_softmax(dc, a, hs):
    da = _da(dc, hs)
    return a * (da - (a * da).sum(axis=1, keepdims=True)), _dhs(dc, a)


@mistake("context_backward", "da uses c in place of the states: it is a dot product of dc and each h_i.")
def da_from_c(dc, a, hs):
    return np.broadcast_to((dc * _sum(a, hs)).sum(axis=1, keepdims=True), a.shape), _dhs(dc, a)


@mistake("context_backward", "da adds up over the words. It should add up over H: one number per word is left.")
def da_over_the_words(dc, a, hs):
    return (dc[:, None, :] * hs).sum(axis=1), _dhs(dc, a)


@mistake("context_backward", _DA_MIXED)
def da_all_with_all(dc, a, hs):
    return hs @ dc.T, _dhs(dc, a)


@mistake("context_backward", _DA_MIXED)
def da_of_one_matrix(dc, a, hs):
    return dc @ hs.transpose(0, 2, 1), _dhs(dc, a)


@mistake("context_backward", "dc of the first sentence is used for all of them in da. Each has its own.")
def da_first_dc(dc, a, hs):
    return hs @ dc[0], _dhs(dc, a)


@mistake("context_backward", "dc is lined up with the words in da. It has as many numbers as a state: H.")
def da_dc_along_the_words(dc, a, hs):
    return (dc[:, :, None] * hs).sum(axis=2), _dhs(dc, a)


@mistake("context_backward", "dc has no axis for the words in da, so NumPy pairs sentences with words.")
def da_without_an_axis(dc, a, hs):
    return (dc * hs).sum(axis=2), _dhs(dc, a)


@mistake("context_backward", "each word gets dc as it is in dhs. It should get it by its weight.")
def dhs_without_a(dc, a, hs):
    return _da(dc, hs), np.broadcast_to(dc[:, None, :], hs.shape)


@mistake("context_backward", "the weights are divided by their sum once more in dhs. Use them as they are given.")
def dhs_normalised_again(dc, a, hs):
    return _da(dc, hs), _dhs(dc, a / a.sum(axis=1, keepdims=True))


@mistake("context_backward", "softmax is applied to the weights in dhs, as if they were scores.")
def dhs_softmax_again(dc, a, hs):
    return _da(dc, hs), _dhs(dc, _softmax(a))


@mistake("context_backward", "dhs is only the weights, without dc: dh_i is a_i times dc.")
def dhs_without_dc(dc, a, hs):
    return _da(dc, hs), np.broadcast_to(a[:, :, None], hs.shape)


@mistake("context_backward", "dhs gives each word an equal share of dc, as for a plain mean. It should give a_i of it.")
def dhs_as_for_a_mean(dc, a, hs):
    return _da(dc, hs), np.broadcast_to(dc[:, None, :] / a.shape[1], hs.shape)


@mistake("context_backward", "dhs is made of hs itself. How far does c move with h_i? By a_i, so dh_i is a_i times dc.")
def dhs_from_hs(dc, a, hs):
    return _da(dc, hs), a[:, :, None] * hs


@mistake("context_backward", "dhs has the factor hs too many: dh_i is a_i times dc.")
def dhs_times_hs(dc, a, hs):
    return _da(dc, hs), _dhs(dc, a) * hs


@mistake("context_backward", "dhs is made of dc and hs, where the weights belong: dh_i is a_i times dc.")
def dhs_from_dc_and_hs(dc, a, hs):
    return _da(dc, hs), dc[:, None, :] * hs


@mistake("context_backward", "dhs uses da in place of a: dh_i is a_i times dc.")
def dhs_from_da(dc, a, hs):
    da = _da(dc, hs)
    return da, _dhs(dc, da)


@mistake("context_backward", "dhs is only put into another shape where two axes have to be exchanged.")
def dhs_reshaped(dc, a, hs):
    return _da(dc, hs), (dc[:, :, None] * a[:, None, :]).reshape(hs.shape)


@mistake("context_backward", "the results come in the other order: first da, then dhs.")
def backward_results_exchanged(dc, a, hs):
    return _dhs(dc, a), _da(dc, hs)


# ---- attention_backward


def _steps(dC, H_tilde, hs, weights=_softmax, slope=None, by_context=1.0, by_score=1.0, steps=slice(None), asking=None):
    """dH_tilde and dhs by the right formulas, but for what is given instead: all steps at once, (N, U, T)."""
    slope = slope or (lambda da, a: a * (da - (a * da).sum(axis=2, keepdims=True)))
    a = weights(H_tilde @ hs.transpose(0, 2, 1))
    de = slope(dC @ hs.transpose(0, 2, 1), a)
    asking = H_tilde if asking is None else asking
    by_context = by_context * a.transpose(0, 2, 1)[:, :, steps] @ dC[:, steps]
    by_score = by_score * de.transpose(0, 2, 1)[:, :, steps] @ asking[:, steps]
    return de @ hs, by_context + by_score


def attention_back(cause):
    """Enter a mistake in the gradients of attention."""
    return mistake("attention_backward", cause)


_ONE_STEP = "dhs holds one step only. hs is used at every step: add up what all of them send."
_STEP_LEFT_OUT = "one step is missing in dhs. Every step asks the same hs: add up all of them."
_ONE_PATH_ONE_STEP = "only one of the two paths in dhs is added up over the steps; the other holds one step only."
_PATH_SCORE = "the path through the score is missing in dhs: hs is compared as well as summed."
_PATH_CONTEXT = "the path through the context is missing in dhs: hs is summed as well as compared."
_PATH_TWICE = "one of the two paths is in dhs twice. Each belongs there once, at every step."
_SOFTMAX_BACK = "what the weights take from each other is missing: the gradient has to go back through the softmax."


@attention_back(_ONE_STEP)
def last_step_only(dC, H_tilde, hs):
    return _steps(dC, H_tilde, hs, steps=slice(-1, None))


@attention_back(_ONE_STEP)
def first_step_only(dC, H_tilde, hs):
    return _steps(dC, H_tilde, hs, steps=slice(1))


@attention_back(_STEP_LEFT_OUT)
def first_step_left_out(dC, H_tilde, hs):
    return _steps(dC, H_tilde, hs, steps=slice(1, None))


@attention_back(_PATH_SCORE)
def score_path_missing(dC, H_tilde, hs):
    return _steps(dC, H_tilde, hs, by_score=0.0)


@attention_back(_PATH_CONTEXT)
def context_path_missing(dC, H_tilde, hs):
    return _steps(dC, H_tilde, hs, by_context=0.0)


@attention_back(_ONE_PATH_ONE_STEP)
def score_path_first_step_only(dC, H_tilde, hs):
    first = _steps(dC, H_tilde, hs, by_context=0.0, steps=slice(1))[1]
    dH_tilde, dhs = _steps(dC, H_tilde, hs, by_score=0.0)
    return dH_tilde, dhs + first


@attention_back(_ONE_PATH_ONE_STEP)
def score_path_last_step_only(dC, H_tilde, hs):
    last = _steps(dC, H_tilde, hs, by_context=0.0, steps=slice(-1, None))[1]
    dH_tilde, dhs = _steps(dC, H_tilde, hs, by_score=0.0)
    return dH_tilde, dhs + last


@attention_back("one path is subtracted from the other in dhs. What both send back adds up.")
def score_path_subtracted(dC, H_tilde, hs):
    return _steps(dC, H_tilde, hs, by_score=-1.0)


@attention_back(_PATH_TWICE)
def score_path_twice(dC, H_tilde, hs):
    return _steps(dC, H_tilde, hs, by_score=2.0)


@attention_back(_PATH_TWICE)
def context_path_twice(dC, H_tilde, hs):
    return _steps(dC, H_tilde, hs, by_context=2.0)


@attention_back("the two paths are multiplied in dhs. What both send back adds up.")
def paths_multiplied(dC, H_tilde, hs):
    dH_tilde, _ = _steps(dC, H_tilde, hs)
    parts = [_steps(dC[:, [t]], H_tilde[:, [t]], hs, by_score=0.0)[1] for t in range(dC.shape[1])]
    others = [_steps(dC[:, [t]], H_tilde[:, [t]], hs, by_context=0.0)[1] for t in range(dC.shape[1])]
    return dH_tilde, sum(one * other for one, other in zip(parts, others))


@attention_back("the weights a are sent back through the score in place of de, the gradient of the scores.")
def weights_in_place_of_de(dC, H_tilde, hs):
    return _steps(dC, H_tilde, hs, slope=lambda da, a: a)


@attention_back("the two paths are averaged in dhs. They add up.")
def paths_averaged(dC, H_tilde, hs):
    return _steps(dC, H_tilde, hs, by_context=0.5, by_score=0.5)


@attention_back("the way back through the softmax is missing: da is not yet the gradient of the scores.")
def softmax_backward_missing(dC, H_tilde, hs):
    return _steps(dC, H_tilde, hs, slope=lambda da, a: da)


@attention_back(_SOFTMAX_BACK)
def only_times_a(dC, H_tilde, hs):
    return _steps(dC, H_tilde, hs, slope=lambda da, a: a * da)


@attention_back(_SOFTMAX_BACK)
def diagonal_only(dC, H_tilde, hs):
    return _steps(dC, H_tilde, hs, slope=lambda da, a: a * (1 - a) * da)


@attention_back("in the softmax's backward, a and da have changed places: the gradient comes first.")
def softmax_arguments_exchanged(dC, H_tilde, hs):
    return _steps(dC, H_tilde, hs, slope=lambda da, a: da * (a - (a * da).sum(axis=2, keepdims=True)))


@attention_back("in the softmax's backward, the sum goes over the sentences. It should go over the words of one.")
def softmax_backward_over_the_batch(dC, H_tilde, hs):
    return _steps(dC, H_tilde, hs, slope=lambda da, a: a * (da - (a * da).sum(axis=0)))


@attention_back("the factor a in front is missing on the way back through the softmax.")
def a_missing_in_front(dC, H_tilde, hs):
    return _steps(dC, H_tilde, hs, slope=lambda da, a: da - (a * da).sum(axis=2, keepdims=True))


@attention_back("the weights are a softmax over the batch. Those of each sentence should sum to 1 over its words.")
def softmax_over_the_batch_at_each_step(dC, H_tilde, hs):
    return _steps(dC, H_tilde, hs, weights=lambda e: _softmax(e, axis=0))


@attention_back("the softmax is missing: the scores themselves are used as weights.")
def scores_used_as_weights(dC, H_tilde, hs):
    return _steps(dC, H_tilde, hs, weights=lambda e: e)


@attention_back("all words get the same weight. The weights have to be computed from h̃ again, at every step.")
def all_weights_alike(dC, H_tilde, hs):
    return _steps(dC, H_tilde, hs, weights=lambda e: np.full(e.shape, 1 / e.shape[2]))


@attention_back("the scores are divided by the square root of H. The weights are those of plain dot scores.")
def weights_of_smaller_scores(dC, H_tilde, hs):
    root = np.sqrt(hs.shape[2])
    return _steps(dC, H_tilde, hs, weights=lambda e: _softmax(e / root))


@attention_back("the first step gets nothing, and gives nothing to dhs: all U steps count.")
def first_step_not_done(dC, H_tilde, hs):
    dH_tilde, dhs = _steps(dC, H_tilde, hs, steps=slice(1, None))
    dH_tilde[:, 0] = 0
    return dH_tilde, dhs


@attention_back("the states themselves are in dhs too: start it from 0, and only gradients add up in it.")
def starts_from_the_states(dC, H_tilde, hs):
    dH_tilde, dhs = _steps(dC, H_tilde, hs)
    return dH_tilde, dhs + hs


@attention_back("dC is added to dH_tilde. h̃ is no part of the context: it moves it only by way of the scores.")
def dc_added(dC, H_tilde, hs):
    dH_tilde, dhs = _steps(dC, H_tilde, hs)
    return dH_tilde + dC, dhs


@attention_back("dH_tilde is dC as it came. It has to go back by way of the weights and the scores.")
def dc_handed_on(dC, H_tilde, hs):
    return dC * 1.0, _steps(dC, H_tilde, hs)[1]


@attention_back("dH_tilde adds up over the steps. Only hs is shared by all steps; each h̃ has a gradient of its own.")
def dh_tilde_added_up(dC, H_tilde, hs):
    dH_tilde, dhs = _steps(dC, H_tilde, hs)
    return np.broadcast_to(dH_tilde.sum(axis=1, keepdims=True), H_tilde.shape), dhs


@attention_back("the softmax goes over the decoder's steps. At each step, it should go over the words.")
def softmax_over_the_steps(dC, H_tilde, hs):
    def slope(da, a):
        return a * (da - (a * da).sum(axis=1, keepdims=True))

    return _steps(dC, H_tilde, hs, weights=lambda e: _softmax(e, axis=1), slope=slope)
