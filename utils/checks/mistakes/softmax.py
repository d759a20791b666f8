"""Known wrong answers of notebook 03: softmax."""

import numpy as np

from utils.checks.mistakes.register import mistake, mistake_in_both


def _softmax(e, axis=-1):
    z = np.exp(e - e.max(axis=axis, keepdims=True))
    return z / z.sum(axis=axis, keepdims=True)


# ---- softmax_one and softmax: what both can do wrong


for_both = mistake_in_both("softmax_one", "softmax")


@for_both("the scores themselves are divided by their sum: exp is missing, so shares can be negative.")
def without_exp(e):
    return e / e.sum(axis=-1, keepdims=True)


@for_both("exp is there, but nothing is divided by the sum: the weights of a sentence have to sum to 1.")
def not_normalised(e):
    return np.exp(e - e.max(axis=-1, keepdims=True))


@for_both("exp is there, but nothing is divided by the sum: the weights of a sentence have to sum to 1.")
def not_normalised_and_not_shifted(e):
    return np.exp(e)


@for_both("every score is squashed on its own (a sigmoid): the weights of a sentence have to share one sum of 1.")
def sigmoid(e):
    return 0.5 * np.tanh(0.5 * e) + 0.5


@for_both("the largest exponential is subtracted after exp. Subtract the largest *score*, before exp.")
def largest_subtracted_after_exp(e):
    z = np.exp(e)
    z = z - z.max(axis=-1, keepdims=True)
    return z / z.sum(axis=-1, keepdims=True)


@for_both(
    "the weights are divided by the root of the sum of squares. Divide by their plain sum, so that they sum to 1."
)
def euclidean_norm(e):
    return e / np.sqrt((e**2).sum(axis=-1, keepdims=True))


@for_both(
    "the weights are divided by the root of the sum of squares. Divide by their plain sum, so that they sum to 1."
)
def euclidean_norm_of_exponentials(e):
    z = np.exp(e - e.max(axis=-1, keepdims=True))
    return z / np.sqrt((z**2).sum(axis=-1, keepdims=True))


@for_both("only the winner gets a weight. Softmax leaves every word a share, the larger the higher its score.")
def only_the_winner(e):
    return np.eye(e.shape[-1])[e.argmax(axis=-1)]


@for_both("all words get the same share, whatever their scores are.")
def all_alike(e):
    return np.full(e.shape, 1 / e.shape[-1])


@for_both("softmax is applied twice. Once is enough: its result already sums to 1.")
def twice(e):
    return _softmax(_softmax(e))


@for_both("the sign is turned round: the word with the lowest score gets the largest weight.")
def negated(e):
    return _softmax(-e)


@for_both("the scores are squared before exp, so a very negative score counts like a very positive one.")
def squared(e):
    return _softmax(e**2)


@for_both("the size of the scores counts and their sign is lost (an absolute value).")
def absolute(e):
    return _softmax(np.abs(e))


@for_both("this is the logarithm of the weights. The weights themselves are wanted.")
def logarithm(e):
    return np.log(_softmax(e))


@for_both("2 is raised to the scores in place of e. Softmax uses np.exp.")
def powers_of_two(e):
    z = 2.0 ** (e - e.max(axis=-1, keepdims=True))
    return z / z.sum(axis=-1, keepdims=True)


@for_both("the scores are divided by the root of their number. Softmax takes them as they are.")
def divided_by_root_of_length(e):
    return _softmax(e / np.sqrt(e.shape[-1]))


@for_both("the scores are brought to mean 0 and spread 1 first. Softmax takes them as they are.")
def standardised(e):
    return _softmax((e - e.mean(axis=-1, keepdims=True)) / e.std(axis=-1, keepdims=True))


@for_both("the scores are divided by the largest one. Subtract it instead: only differences count.")
def divided_by_the_largest_score(e):
    return _softmax(e / e.max(axis=-1, keepdims=True))


@for_both("the lowest score is subtracted, so the largest can still overflow. Subtract the largest.")
def lowest_subtracted(e):
    z = np.exp(e - e.min(axis=-1, keepdims=True))
    return z / z.sum(axis=-1, keepdims=True)


@for_both("the mean is subtracted, so the largest score can still overflow. Subtract the largest.")
def mean_subtracted(e):
    z = np.exp(e - e.mean(axis=-1, keepdims=True))
    return z / z.sum(axis=-1, keepdims=True)


@for_both("large scores are cut off before exp, so two large scores that differ get the same weight.")
def clipped(e):
    return _softmax(np.clip(e, -50, 50))


@for_both("what overflows is hidden: inf / inf becomes 0, just where the largest score is.")
def overflow_hidden(e):
    z = np.exp(e)
    return np.nan_to_num(z / z.sum(axis=-1, keepdims=True))


@for_both("2 is raised to the scores in place of e. Softmax uses np.exp.")
def powers_of_a_whole_two(e):
    z = 2 ** (e - e.max(axis=-1, keepdims=True))  # stops where the scores are whole numbers
    return z / z.sum(axis=-1, keepdims=True)


@for_both("the base is only nearly e: rounded, it gives other weights. np.exp knows all its digits.")
def powers_of_a_rounded_e(e):
    z = 2.718 ** (e - e.max(axis=-1, keepdims=True))
    return z / z.sum(axis=-1, keepdims=True)


_NOT_THE_SAME = (
    "the largest score is subtracted above the line or below it only. Divide by the sum of the same numbers."
)


@for_both(_NOT_THE_SAME)
def sum_not_shifted(e):
    return not_normalised(e) / np.exp(e).sum(axis=-1, keepdims=True)


@for_both(_NOT_THE_SAME)
def only_the_sum_shifted(e):
    return np.exp(e) / not_normalised(e).sum(axis=-1, keepdims=True)


_NO_DECIMALS = "the scores lose their decimals before exp: 0.1 and 0.4 get the same weight."


@for_both(_NO_DECIMALS)
def decimals_cut_off(e):
    return _softmax(np.trunc(e))


@for_both(_NO_DECIMALS)
def decimals_rounded(e):
    return _softmax(np.round(e))


@mistake(
    "softmax", "it is a softmax over the batch: the columns sum to 1, and the rows should. Which axis are the words on?"
)
def over_the_batch(e):
    return _softmax(e, axis=0)


@mistake(
    "softmax", "it is a softmax over the batch: the columns sum to 1, and the rows should. Which axis are the words on?"
)
def over_the_batch_not_shifted(e):
    z = np.exp(e)
    return z / z.sum(axis=0)


@mistake("softmax", "all numbers together sum to 1. Each row is a sentence of its own, and has to sum to 1.")
def over_everything(e):
    z = np.exp(e - e.max())
    return z / z.sum()


@mistake(
    "softmax", "the largest score of each *column* is subtracted. Within a row only one and the same number may be."
)
def largest_of_the_column(e):
    z = np.exp(e - e.max(axis=0))
    return z / z.sum(axis=1, keepdims=True)


@mistake(
    "softmax",
    "one and the same number is subtracted in every row, so rows far below it become 0 / 0. Each has its own largest.",
)
def largest_of_all(e):
    z = np.exp(e - e.max())
    return z / z.sum(axis=1, keepdims=True)


@mistake(
    "softmax",
    "the sums of the rows are laid along the columns: keep the axis (keepdims=True), so that each row meets its own.",
)
def sums_along_the_wrong_axis(e):
    z = np.exp(e - e.max(axis=1, keepdims=True))
    return z / z.sum(axis=1)


@mistake(
    "softmax",
    "the largest scores are laid along the columns: keep the axis (keepdims=True), so that each row meets its own.",
)
def largest_along_the_wrong_axis(e):
    z = np.exp(e - e.max(axis=1))
    return z / z.sum(axis=1, keepdims=True)


@mistake("softmax", "the columns sum to 1, and the rows should. Which axis does the sum go along?")
def sum_down_the_columns(e):
    z = np.exp(e - e.max(axis=1, keepdims=True))
    return z / z.sum(axis=0)


@mistake("softmax", "every row is divided by the sum of the first row.")
def sum_of_the_first_row(e):
    z = np.exp(e - e.max(axis=1, keepdims=True))
    return z / z[0].sum()


# ---- masked_softmax


def _masked(e, keep, fill):
    return _softmax(np.where(np.asarray(keep).astype(bool), e, fill))


@mistake("masked_softmax", "keep is not used: padding gets weights as if it were words.")
def keep_not_used(e, keep):
    return _softmax(e)


@mistake("masked_softmax", "keep is turned round: it is True at real words, and here padding is kept.")
def keep_turned_round(e, keep):
    keep = ~np.asarray(keep).astype(bool)
    z = np.where(keep, np.exp(e - np.where(keep, e, -np.inf).max(axis=1, keepdims=True, initial=-1e300)), 0)
    total = z.sum(axis=1, keepdims=True)
    return np.divide(z, total, out=np.zeros(z.shape), where=total > 0)


@mistake(
    "masked_softmax",
    "the padding is zeroed after normalising, so the rows no longer sum to 1. Zero it before dividing.",
)
def zeroed_after_normalising(e, keep):
    return _softmax(e) * keep


@mistake("masked_softmax", "padding gets the score 0, and exp(0) is 1: that is a share like any other.")
def score_of_zero_at_padding(e, keep):
    return _softmax(e * keep)


@mistake(
    "masked_softmax", "padding is filled with a score that is not low enough: far below -10000 there are real ones too."
)
def filled_with_minus_10000(e, keep):
    return _masked(e, keep, -1e4)


@mistake("masked_softmax", "padding is filled with a score that is not low enough: there can be real ones below it.")
def filled_with_minus_a_billion(e, keep):
    return _masked(e, keep, -1e9)


@mistake("masked_softmax", "padding is filled with a score that is not low enough: its weight is small, and not 0.")
def filled_with_minus_a_hundred(e, keep):
    return _masked(e, keep, -100.0)


@mistake("masked_softmax", "a row with nothing to keep becomes nan (not a number). Its weights should be 0.")
def nothing_kept_gives_nan(e, keep):
    return _masked(e, keep, -np.inf)


@mistake("masked_softmax", "a row with nothing to keep gets weights at padding all the same. They should be 0.")
def nothing_kept_gives_even_shares(e, keep):
    keep = np.asarray(keep).astype(bool)
    a = _masked(e, np.where(keep.any(axis=1, keepdims=True), keep, True), -np.inf)
    return np.where(keep.any(axis=1, keepdims=True), a, 1 / e.shape[1])


@mistake("masked_softmax", "plus infinity is filled in at padding. It takes *minus* infinity for a weight of 0.")
def filled_with_plus_infinity(e, keep):
    return _masked(e, keep, np.inf)


@mistake("masked_softmax", "where a sentence has several real words, the last gets nothing: one word too few is kept.")
def one_word_too_few(e, keep):
    keep = np.asarray(keep).astype(bool)
    fewer = np.arange(e.shape[1]) < keep.sum(axis=1, keepdims=True) - 1
    return np.nan_to_num(_masked(e, fewer, -np.inf))


@mistake("masked_softmax", "all real words get the same share, whatever their scores are.")
def real_words_all_alike(e, keep):
    keep = np.asarray(keep).astype(float)
    return keep / np.maximum(keep.sum(axis=1, keepdims=True), 1)


@mistake("masked_softmax", "it is a softmax over the batch: the columns sum to 1, and the rows should.")
def masked_over_the_batch(e, keep):
    return np.nan_to_num(_softmax(np.where(np.asarray(keep).astype(bool), e, -np.inf), axis=0))


@mistake("masked_softmax", "all real words of the batch share one sum of 1. Each sentence has to have its own.")
def masked_over_everything(e, keep):
    keep = np.asarray(keep).astype(bool)
    z = np.where(keep, np.exp(e - e[keep].max()), 0)
    return z / z.sum()


@mistake("masked_softmax", "nothing is divided by the sum: the weights of a sentence have to sum to 1.")
def masked_not_normalised(e, keep):
    keep = np.asarray(keep).astype(bool)
    return np.where(keep, np.exp(e - np.where(keep, e, -np.inf).max(axis=1, keepdims=True, initial=-1e300)), 0)


@mistake("masked_softmax", "the mask is added to the scores: that raises a real word by 1, and keeps nothing out.")
def mask_added(e, keep):
    return _softmax(e + keep)


@mistake("masked_softmax", "the mask of the first sentence is used for all of them.")
def mask_of_the_first_sentence(e, keep):
    return np.nan_to_num(_masked(e, np.broadcast_to(np.asarray(keep)[:1], e.shape), -np.inf))


@mistake(
    "masked_softmax", "padding is filled with a score that is not low enough: far below -10000 there are real ones too."
)
def filled_with_minus_10000_nothing_kept_gives_0(e, keep):
    return _masked(e, keep, -1e4) * np.any(keep, axis=1, keepdims=True)


@mistake(
    "masked_softmax",
    "padding is only pushed down by a fixed number: it has weights beside far lower scores, and where nothing is kept.",
)
def pushed_down(e, keep):
    return _softmax(e - 10000.0 * (1 - np.asarray(keep).astype(int)))


@mistake(
    "masked_softmax",
    "padding is taken out too late: where its score is far above all others, the real words have shrunk to 0 before.",
)
def taken_out_after_exp(e, keep):
    z = np.exp(e - e.max(axis=1, keepdims=True)) * keep
    total = z.sum(axis=1, keepdims=True)
    return z / np.where(total == 0, 1, total)


_NOT_SHIFTED = (
    "exp meets scores that are too large or too low for it. Subtract the largest *kept* score of the row first."
)


@mistake("masked_softmax", _NOT_SHIFTED)
def masked_not_shifted(e, keep):
    z = np.exp(e) * keep
    total = z.sum(axis=1, keepdims=True)
    return z / np.where(total == 0, 1, total)


@mistake("masked_softmax", _NOT_SHIFTED)
def masked_overflow_hidden(e, keep):
    z = np.where(keep, np.exp(e), 0)
    return np.nan_to_num(z / z.sum(axis=1, keepdims=True))


def _lengths(keep):
    return np.asarray(keep).astype(int).sum(axis=1, keepdims=True)


@mistake(
    "masked_softmax",
    "keep is taken for a number of words: so many from the left count. Take the words where it is True, wherever.",
)
def keep_as_a_length(e, keep):
    fewer = np.arange(e.shape[1]) < _lengths(keep)
    return np.nan_to_num(_masked(e, fewer, -np.inf))


@mistake("masked_softmax", "one place too many is kept: a padding gets a weight.")
def one_word_too_many(e, keep):
    return _masked(e, np.arange(e.shape[1]) <= _lengths(keep), -np.inf)


@mistake("masked_softmax", "a row with nothing to keep gets weights at padding all the same. They should be 0.")
def nothing_kept_gives_the_first_word(e, keep):
    keep = np.array(keep).astype(bool)
    keep[~keep.any(axis=1), 0] = True
    return _masked(e, keep, -np.inf)


# ---- softmax_backward


@mistake(
    "softmax_backward",
    "only a word's effect on its own weight is there. Raising one score also lowers all other weights.",
)
def diagonal_only(da, a):
    return a * (1 - a) * da


@mistake("softmax_backward", "the gradient is handed on as it came, as if weights were scores.")
def handed_on(da, a):
    return da * 1.0


@mistake("softmax_backward", "the gradient is only multiplied by a: what all weights take from each other is missing.")
def only_times_a(da, a):
    return a * da


@mistake("softmax_backward", "the sum goes over the whole batch. Each sentence has its own.")
def sum_over_the_batch(da, a):
    return a * (da - (a * da).sum())


@mistake("softmax_backward", "the sum goes over the sentences. It should go over the words of one sentence.")
def sum_over_the_sentences(da, a):
    return a * (da - (a * da).sum(axis=0))


@mistake(
    "softmax_backward",
    "a minus something is the shortcut for softmax *with* cross-entropy. Here no cross-entropy follows.",
)
def cross_entropy_shortcut(da, a):
    return a - da


@mistake("softmax_backward", "the plain sum of da is subtracted. It has to be the sum weighted by a.")
def unweighted_sum(da, a):
    return a * (da - da.sum(axis=1, keepdims=True))


@mistake("softmax_backward", "the plain mean of da is subtracted. It has to be the mean weighted by a.")
def unweighted_mean(da, a):
    return a * (da - da.mean(axis=1, keepdims=True))


@mistake("softmax_backward", "the weighted mean is subtracted without the factor a in front of it.")
def mean_without_a(da, a):
    return a * da - (a * da).sum(axis=1, keepdims=True)


@mistake("softmax_backward", "the factor a in front is missing: a word with a small weight moves little.")
def a_missing_in_front(da, a):
    return da - (a * da).sum(axis=1, keepdims=True)


@mistake("softmax_backward", "a stands in front twice.")
def a_twice(da, a):
    return a * a * (da - (a * da).sum(axis=1, keepdims=True))


@mistake("softmax_backward", "the two terms are added. What the other weights lose has to be subtracted.")
def added(da, a):
    return a * (da + (a * da).sum(axis=1, keepdims=True))


@mistake("softmax_backward", "softmax is applied to a again. What arrives as a is its result already.")
def softmax_again(da, a):
    a = _softmax(a)
    return a * (da - (a * da).sum(axis=1, keepdims=True))


@mistake("softmax_backward", "a and da have changed places: the gradient comes first.")
def arguments_exchanged(da, a):
    return da * (a - (a * da).sum(axis=1, keepdims=True))


@mistake("softmax_backward", "only what a word loses to all the others is there: its own a times da is missing.")
def own_effect_missing(da, a):
    return -a * (a * da).sum(axis=1, keepdims=True)


@mistake("softmax_backward", "the products of a and da are averaged. Add them up: with weights, the sum is the mean.")
def averaged_over_the_words(da, a):
    return a * (da - (a * da).mean(axis=1, keepdims=True))


@mistake(
    "softmax_backward", "this is the gradient of the weights' logarithm. That of the weights themselves is wanted."
)
def of_the_logarithm(da, a):
    return da - a * da.sum(axis=1, keepdims=True)


@mistake("softmax_backward", "the factor 1 − a is too many. What the other weights take is in the sum already.")
def slope_twice(da, a):
    return a * (1 - a) * (da - (a * da).sum(axis=1, keepdims=True))
