"""Known wrong answers of notebook 06: the loss, the whole step backwards, clipping and Adam."""

import functools
import math
from types import SimpleNamespace

import numpy as np

from utils.checks.mistakes.register import mistake


def _softmax(logits, axis=-1):
    z = np.exp(logits - logits.max(axis=axis, keepdims=True))
    return z / z.sum(axis=axis, keepdims=True)


def _log_p(logits, axis=-1):
    z = logits - logits.max(axis=axis, keepdims=True)
    return z - np.log(np.exp(z).sum(axis=axis, keepdims=True))


def _picked(table, y):
    """The number of the right word from each row."""
    return np.take_along_axis(table, y[..., None], axis=-1)[..., 0]


def _surprise(logits, y):
    return -_picked(_log_p(logits), y)


def _onehot(logits, y):
    return np.eye(logits.shape[-1])[y]


# ---- cross_entropy and masked_cross_entropy: what goes wrong with single words


def for_both(cause, masked_cause=None):
    """Enter a mistake that gives one number for each word, for a list of words as for sentences."""

    def enter(surprises):
        @functools.wraps(surprises)
        def masked_loss(logits, y, keep):
            keep = keep != 0
            return np.mean(surprises(logits[keep], y[keep]))

        mistake("masked_cross_entropy", masked_cause or cause)(masked_loss)
        return for_words(cause)(surprises)

    return enter


def for_words(cause):
    """Enter a mistake that gives one number for each word, for a list of words alone."""

    def enter(surprises):
        @functools.wraps(surprises)
        def loss(logits, y):
            return np.mean(surprises(logits, y))

        mistake("cross_entropy", cause)(loss)
        return surprises

    return enter


_LARGE = (
    "large logits give inf or nan on the way. Subtract each row's largest logit, and never take the logarithm of a p."
)


@for_both("the right word's p can round to 0, and log 0 is −∞. Work with log p all the way, and never with p.", _LARGE)
def logarithm_of_softmax(logits, y):
    return -np.log(_picked(_softmax(logits), y))


@for_both("exp of a large logit is too large for a float. Subtract each row's largest logit first.", _LARGE)
def not_shifted(logits, y):
    z = np.exp(logits)
    return -np.log(_picked(z / z.sum(axis=1, keepdims=True), y))


@for_both(
    "one and the same number is subtracted in every row, so a row far below it becomes log 0. Each needs its own.",
    _LARGE,
)
def largest_of_all(logits, y):
    z = logits - logits.max()
    return np.log(np.exp(z).sum(axis=1)) - _picked(z, y)


def _with_floor(make, exponents=(3, 5, 6, 7, 8, 9, 10, 12, 15, 16)):
    """Enter what a small number does that should save the logarithm: all usual sizes of it."""
    for exponent in exponents:
        for_words("a floor under p keeps the surprise of a badly wrong answer too small. It has to go on growing.")(
            functools.wraps(make)(functools.partial(make, eps=10.0**-exponent))
        )


@_with_floor
def small_number_added(logits, y, eps):
    return -np.log(_picked(_softmax(logits), y) + eps)


@functools.partial(_with_floor, exponents=(3, 5, 6, 7, 9, 10, 12, 15, 16))
def p_clipped_below(logits, y, eps):
    return -np.log(np.maximum(_picked(_softmax(logits), y), eps))


@functools.partial(_with_floor, exponents=(3, 5, 6, 7, 8))
def p_kept_from_both_ends(logits, y, eps):
    return -np.log(np.clip(_picked(_softmax(logits), y), eps, 1 - eps))


def logits_cut_off(logits, y, size):
    return _surprise(np.clip(logits, -size, size), y)


for _size in (10, 20, 30, 50, 80, 100, 200, 500, 600, 700):
    for_words("large logits are cut off first, so the surprise of a badly wrong answer stays too small.")(
        functools.wraps(logits_cut_off)(functools.partial(logits_cut_off, size=_size))
    )


@for_both("the logarithm has base 2 (bits). A surprise in nats takes the natural logarithm.")
def base_2(logits, y):
    return _surprise(logits, y) / np.log(2)


@for_both("the logarithm has base 10. A surprise in nats takes the natural logarithm.")
def base_10(logits, y):
    return _surprise(logits, y) / np.log(10)


@for_both("softmax is applied twice. Logits go in, and one softmax makes them probabilities.")
def softmax_twice(logits, y):
    return _surprise(_softmax(logits), y)


@for_both("the word before the right one is picked: words count from 0, so y can be used as it is.")
def word_one_too_low(logits, y):
    return -_log_p(logits)[np.arange(len(y)), y - 1]


@for_both("the word after the right one is picked: words count from 0, so y can be used as it is.")
def word_one_too_high(logits, y):
    return -_log_p(logits)[np.arange(len(y)), y + 1]


@for_both("the other words' 1 − p count as well. Only the right word's p makes the surprise.")
def other_words_count(logits, y):
    p, right = _softmax(logits), _onehot(logits, y) == 1
    return _surprise(logits, y) - np.where(right, 0, np.log(np.where(right, 1, 1 - p))).sum(axis=1)


@for_both("this is how unsure the model is, Σ −p log p. How surprised it is depends on the right word alone.")
def entropy(logits, y):
    return -(_softmax(logits) * _log_p(logits)).sum(axis=1)


@for_both("the likeliest word's surprise is taken. It should be the right word's.")
def likeliest_word(logits, y):
    return -_log_p(logits).max(axis=1)


@for_both("the surprise of word 0 is taken in every row. It should be the right word's.")
def word_0(logits, y):
    return -_log_p(logits)[:, 0]


@for_both("the surprises of all words are averaged, whichever is right. Pick the right word's from each row.")
def mean_over_all_words(logits, y):
    return -_log_p(logits)


@for_both("the surprises of all words are added up, whichever is right. Pick the right word's from each row.")
def sum_over_all_words(logits, y):
    return -_log_p(logits).sum(axis=1)


@for_both("every row is asked for every right word. Each row has one right word of its own.")
def every_row_with_every_word(logits, y):
    return -_log_p(logits)[:, y]


@for_words("the two indices have changed places: the row comes first, then the right word.")
def indices_exchanged(logits, y):
    return -_log_p(logits)[y, np.arange(len(y))]


@for_both("the logarithm is missing: this is −p of the right word. Its surprise is −log p.")
def no_logarithm(logits, y):
    return -_picked(_softmax(logits), y)


@for_both("p is taken over the batch: the columns sum to 1. Which axis are the words of the vocabulary on?")
def over_the_batch(logits, y):
    return -_picked(_log_p(logits, axis=0), y)


@for_both("the largest logit of each *column* is subtracted. Within a row only one and the same number may be.")
def largest_of_the_column(logits, y):
    return _surprise(logits - logits.max(axis=0), y)


@for_both("only the first word counts. The loss is the mean over all words that had to be written.")
def first_word_only(logits, y):
    return _surprise(logits, y)[0]


@for_both("the mean of p is taken before the logarithm. First each word's surprise, then the mean.")
def logarithm_of_the_mean(logits, y):
    return -np.log(np.mean(_picked(_softmax(logits), y)))


@for_both("exp of the loss is given (the perplexity). The loss itself is wanted.")
def exp_of_the_loss(logits, y):
    return np.exp(np.mean(_surprise(logits, y)))


@for_both(
    "the surprises are divided by V, the size of the vocabulary. The mean divides by the number of words written."
)
def sum_divided_by_vocabulary(logits, y):
    return _surprise(logits, y).sum() / logits.shape[-1]


@for_both("the loss is divided by V as well. The mean goes over the words that had to be written.")
def divided_by_words_and_vocabulary(logits, y):
    return _surprise(logits, y) / logits.shape[-1]


# ---- masked_cross_entropy


def _masked(cause):
    return mistake("masked_cross_entropy", cause)


@_masked("keep is not used: padding counts as if it were words.")
def keep_not_used(logits, y, keep):
    return _surprise(logits, y).mean()


@_masked(
    "the sum is divided by N · U: padding counts as words predicted perfectly. Divide by the number of kept words."
)
def divided_by_all_places(logits, y, keep):
    return (_surprise(logits, y) * (keep != 0)).mean()


@_masked("the sum is divided by N, the number of sentences. Divide by the number of kept words.")
def divided_by_sentences(logits, y, keep):
    return (_surprise(logits, y) * (keep != 0)).sum() / len(y)


@_masked("the sum is divided by U, the number of places in a sentence. Divide by the number of kept words.")
def divided_by_places(logits, y, keep):
    return (_surprise(logits, y) * (keep != 0)).sum() / y.shape[1]


@_masked("the surprises are added up and not divided. The loss is their mean over the kept words.")
def not_divided(logits, y, keep):
    return (_surprise(logits, y) * (keep != 0)).sum()


@_masked("one is added to the number of kept words before dividing.")
def one_word_too_many(logits, y, keep):
    return not_divided(logits, y, keep) / ((keep != 0).sum() + 1)


@_masked("padding counts and the real words don't: keep is True at real words.")
def keep_turned_round(logits, y, keep):
    padding = keep == 0
    return np.nan_to_num((_surprise(logits, y) * padding).sum() / padding.sum())


@_masked("padding is guessed from y being 0. Word 0 can be a real word: keep says where the padding is.")
def padding_guessed_none_as_zero(logits, y, keep):
    return not_divided(logits, y, y != 0) / max((y != 0).sum(), 1)


@_masked("the mask of the first sentence is used for all of them.")
def mask_of_the_first_sentence(logits, y, keep):
    return _mean_of_kept(logits, y, np.broadcast_to(keep[:1], keep.shape))


def _mean_of_kept(logits, y, keep):
    keep = keep != 0
    return _surprise(logits[keep], y[keep]).mean()


@_masked("only the first sentence counts. All kept words of the batch should.")
def first_sentence_only(logits, y, keep):
    return _mean_of_kept(logits[:1], y[:1], keep[:1])


@_masked("only the last sentence counts. All kept words of the batch should.")
def last_sentence_only(logits, y, keep):
    return _mean_of_kept(logits[-1:], y[-1:], keep[-1:])


@_masked("the last kept word of each sentence is left out. All kept words count.")
def last_word_left_out(logits, y, keep):
    keep = np.arange(y.shape[1]) < (keep != 0).sum(axis=1, keepdims=True) - 1
    return _mean_of_kept(logits, y, keep)


def _means(logits, y, keep):
    """The sum of the sentences' means, of those that have words, and how many these are."""
    counts = (keep != 0).sum(axis=1)
    sums = (_surprise(logits, y) * (keep != 0)).sum(axis=1)
    return (sums / np.maximum(counts, 1)).sum(), (counts > 0).sum()


_MEAN_OF_MEANS = "the mean of the sentences' means is taken. The loss is one mean over all kept words of the batch."


@_masked(_MEAN_OF_MEANS)
def mean_of_means(logits, y, keep):
    return np.divide(*_means(logits, y, keep))


@_masked(_MEAN_OF_MEANS)
def mean_of_means_empty_as_zero(logits, y, keep):
    return _means(logits, y, keep)[0] / len(y)


@_masked(_MEAN_OF_MEANS)
def mean_of_means_empty_as_nan(logits, y, keep):
    keep = keep != 0
    return np.mean((_surprise(logits, y) * keep).sum(axis=1) / keep.sum(axis=1))


@_masked("the sentences' means are added up. The loss is one mean over all kept words of the batch.")
def added_means(logits, y, keep):
    return _means(logits, y, keep)[0]


_LOGITS_ZEROED = "the logits at padding are set to 0, which is a guess like any other. Leave padding out of the mean."


@_masked(_LOGITS_ZEROED)
def zeroed_logits(logits, y, keep):
    return _surprise(logits * (keep != 0)[:, :, None], y).mean()


@_masked(_LOGITS_ZEROED)
def zeroed_logits_by_kept(logits, y, keep):
    return _surprise(logits * (keep != 0)[:, :, None], y).sum() / (keep != 0).sum()


_LENGTHS = "only the number of kept words in a sentence is used, and not where they are: there can be padding in front."


@_masked(_LENGTHS)
def masked_keep_as_lengths(logits, y, keep):
    return _mean_of_kept(logits, y, np.arange(y.shape[1]) < (keep != 0).sum(axis=1, keepdims=True))


@_masked(_LARGE)
def zero_times_inf_not_shifted(logits, y, keep):
    z = np.exp(logits)
    return -(np.log(_picked(z / z.sum(axis=2, keepdims=True), y)) * (keep != 0)).sum() / (keep != 0).sum()


# ---- cross_entropy_backward and masked_cross_entropy_backward: what goes wrong with single words


def for_both_backwards(cause):
    """Enter a mistake in the gradient of the *sum* of surprises, for a list of words as for sentences."""

    def enter(slopes):
        @functools.wraps(slopes)
        def masked_backward(logits, y, keep):
            keep = keep != 0
            dlogits = np.zeros(logits.shape)
            dlogits[keep] = slopes(logits[keep], y[keep]) / keep.sum()
            return dlogits

        mistake("masked_cross_entropy_backward", cause)(masked_backward)
        return for_words_backwards(cause)(slopes)

    return enter


def for_words_backwards(cause):
    """Enter a mistake in the gradient of the *sum* of surprises, for a list of words alone."""

    def enter(slopes):
        @functools.wraps(slopes)
        def backward(logits, y):
            return slopes(logits, y) / len(y)

        mistake("cross_entropy_backward", cause)(backward)
        return slopes

    return enter


def _slopes(logits, y):
    return _softmax(logits) - _onehot(logits, y)


@for_both_backwards("exp of a large logit is too large for a float. Subtract each row's largest logit first.")
def p_not_shifted(logits, y):
    z = np.exp(logits)
    return z / z.sum(axis=1, keepdims=True) - _onehot(logits, y)


@for_both_backwards(
    "one and the same number is subtracted in every row, so a row far below it becomes 0 / 0. Each needs its own."
)
def p_with_largest_of_all(logits, y):
    z = np.exp(logits - logits.max())
    return z / z.sum(axis=1, keepdims=True) - _onehot(logits, y)


@for_both_backwards("every right word is lowered in every row. Each row has one right word of its own: index rows too.")
def all_right_words_in_every_row(logits, y):
    p = _softmax(logits)
    p[:, y] -= 1
    return p


@for_words_backwards("the two indices have changed places: the row comes first, then the right word.")
def rows_and_words_exchanged(logits, y):
    p = _softmax(logits)
    p[y, np.arange(len(y))] -= 1
    return p


@for_both_backwards("the sign is turned round: it is p − onehot, so that the right word's logit has a negative slope.")
def sign_turned_round(logits, y):
    return -_slopes(logits, y)


@for_both_backwards("p is taken over the batch: the columns sum to 1. Which axis are the words of the vocabulary on?")
def p_over_the_batch(logits, y):
    return _softmax(logits, axis=0) - _onehot(logits, y)


@for_both_backwards("all numbers of p together sum to 1. Each row has to.")
def p_over_everything(logits, y):
    z = np.exp(logits - logits.max())
    return z / z.sum() - _onehot(logits, y)


@for_both_backwards("p is not normalised: exp is there, but nothing is divided by the sum.")
def p_not_normalised(logits, y):
    return np.exp(logits - logits.max(axis=1, keepdims=True)) - _onehot(logits, y)


@for_both_backwards("these are the logits minus onehot: softmax is missing. It is p − onehot.")
def logits_in_place_of_p(logits, y):
    return logits - _onehot(logits, y)


@for_both_backwards("this is log p − onehot. It is p itself, minus onehot.")
def log_p_in_place_of_p(logits, y):
    return _log_p(logits) - _onehot(logits, y)


@for_both_backwards("softmax is applied twice. Logits go in, and one softmax makes them probabilities.")
def p_of_two_softmaxes(logits, y):
    return _softmax(_softmax(logits)) - _onehot(logits, y)


@for_both_backwards("only p is there: at the right word, 1 has to be subtracted from it.")
def onehot_missing(logits, y):
    return _softmax(logits)


@for_both_backwards("1 is subtracted after dividing by the number of words. All of p − onehot is divided.")
def onehot_not_divided(logits, y):
    return _softmax(logits) - len(y) * _onehot(logits, y)


@for_both_backwards("p is not divided by the number of words, and onehot is. All of p − onehot is divided.")
def p_not_divided(logits, y):
    return len(y) * _softmax(logits) - _onehot(logits, y)


@for_both_backwards("this is −1/p, the slope with respect to p. Go on through the softmax to the logits.")
def slope_by_p(logits, y):
    return -_onehot(logits, y) / _softmax(logits)


@for_both_backwards("the gradient is twice as large as it should be, as if something were squared.")
def factor_of_two(logits, y):
    return 2 * _slopes(logits, y)


@for_both_backwards("the likeliest word is lowered. It should be the right word.")
def likeliest_word_lowered(logits, y):
    return _slopes(logits, logits.argmax(axis=1))


@for_both_backwards("the word before the right one is picked: words count from 0, so y can be used as it is.")
def place_one_too_low(logits, y):
    return _slopes(logits, y - 1)


@for_both_backwards("only the last word gets a gradient. Every word that counted in the loss has one.")
def last_word_has_one_only(logits, y):
    return _slopes(logits, y) * (np.arange(len(y)) == len(y) - 1)[:, None]


@for_both_backwards("p of the right word is replaced by −1. It should be lowered *by* 1.")
def replaced_by_minus_1(logits, y):
    return np.where(_onehot(logits, y) == 1, -1, _softmax(logits))


@for_both_backwards("only the right word gets a gradient. The others' logits have one too: their p.")
def right_word_only(logits, y):
    return _slopes(logits, y) * _onehot(logits, y)


@for_both_backwards("p − onehot is multiplied by p (1 − p). It has been through the softmax already.")
def times_slope_of_sigmoid(logits, y):
    p = _softmax(logits)
    return _slopes(logits, y) * p * (1 - p)


@for_both_backwards("p − onehot is sent through the softmax again. It has been there already.")
def through_softmax_again(logits, y):
    p, d = _softmax(logits), _slopes(logits, y)
    return p * (d - (p * d).sum(axis=1, keepdims=True))


@mistake("cross_entropy_backward", "it is divided by V. The loss is a mean over the N words that had to be written.")
def divided_by_vocabulary(logits, y):
    return _slopes(logits, y) / logits.shape[1]


# ---- masked_cross_entropy_backward


def _masked_back(cause):
    return mistake("masked_cross_entropy_backward", cause)


def _kept_slopes(logits, y, keep):
    return np.where((keep != 0)[:, :, None], _slopes(logits, y), 0)


@_masked_back("it is divided by the number of kept words, but padding still has a gradient. It should be exactly 0.")
def gradient_at_padding(logits, y, keep):
    return _slopes(logits, y) / (keep != 0).sum()


@_masked_back("nothing is divided: that is the gradient of the sum. The loss is the mean over the kept words.")
def masked_gradient_of_the_sum(logits, y, keep):
    return _kept_slopes(logits, y, keep)


@_masked_back("it is divided by N · U, padding included. Divide by the number of kept words.")
def gradient_divided_by_all_places(logits, y, keep):
    return _kept_slopes(logits, y, keep) / y.size


@_masked_back("it is divided by N, the number of sentences. Divide by the number of kept words.")
def gradient_divided_by_sentences(logits, y, keep):
    return _kept_slopes(logits, y, keep) / len(y)


@_masked_back(
    "padding is left out of p alone: at padding, −1 still stands at y. The gradient there should be exactly 0."
)
def onehot_at_padding(logits, y, keep):
    keep = keep != 0
    return (_softmax(logits) * keep[:, :, None] - _onehot(logits, y)) / keep.sum()


@_masked_back(_LENGTHS)
def gradient_keep_as_lengths(logits, y, keep):
    keep = np.arange(y.shape[1]) < (keep != 0).sum(axis=1, keepdims=True)
    return _kept_slopes(logits, y, keep) / keep.sum()


@_masked_back("it is divided by U, the number of places in a sentence. Divide by the number of kept words.")
def gradient_divided_by_places(logits, y, keep):
    return _kept_slopes(logits, y, keep) / y.shape[1]


@_masked_back(
    "this belongs to the mean of the sentences' means. The loss is one mean over all kept words of the batch."
)
def gradient_of_mean_of_means_empty_as_one(logits, y, keep):
    counts = np.maximum((keep != 0).sum(axis=1), 1)[:, None, None]
    return _kept_slopes(logits, y, keep) / counts / len(y)


@_masked_back("each sentence is divided by its own number of words. Divide by the number of kept words of the batch.")
def gradient_of_added_means_empty_as_one(logits, y, keep):
    return _kept_slopes(logits, y, keep) / np.maximum((keep != 0).sum(axis=1), 1)[:, None, None]


@_masked_back("a sentence without words adds one to the number of words. Divide by the number of kept words.")
def empty_counts_as_one_backwards(logits, y, keep):
    return _kept_slopes(logits, y, keep) / np.maximum((keep != 0).sum(axis=1), 1).sum()


@_masked_back("padding is guessed from y being 0. Word 0 can be a real word: keep says where the padding is.")
def gradient_padding_guessed_none_as_zero(logits, y, keep):
    return _kept_slopes(logits, y, y != 0) / max((y != 0).sum(), 1)


@_masked_back("the mask of the first sentence is used for all of them.")
def gradient_with_first_mask(logits, y, keep):
    keep = np.broadcast_to(keep[:1] != 0, keep.shape)
    return _kept_slopes(logits, y, keep) / keep.sum()


def _at(keep, chosen):
    """The kept words at the chosen places of each sentence."""
    return (keep != 0) & chosen(np.arange(keep.shape[1]), (keep != 0).sum(axis=1, keepdims=True), keep.shape[1])


def _for_places(cause, chosen, name):
    """Enter a gradient at chosen places only: divided by all kept words, and by those chosen."""

    def by_kept(logits, y, keep):
        return _kept_slopes(logits, y, _at(keep, chosen)) / (keep != 0).sum()

    def by_chosen(logits, y, keep):
        some = _at(keep, chosen)
        return _kept_slopes(logits, y, some) / some.sum()

    def by_chosen_or_one(logits, y, keep):
        some = _at(keep, chosen)
        return _kept_slopes(logits, y, some) / max(some.sum(), 1)

    for function, end in ((by_kept, ""), (by_chosen, "_and_counted"), (by_chosen_or_one, "_and_counted_or_one")):
        function.__name__ = name + end
        _masked_back(cause)(function)


_for_places(
    "the first place of each sentence gets no gradient. Every kept word has one.",
    lambda place, count, U: place > 0,
    "gradient_first_place_left_out",
)
_for_places(
    "the last place of each sentence gets no gradient. Every kept word has one.",
    lambda place, count, U: place < U - 1,
    "gradient_last_place_left_out",
)
_for_places(
    "the last kept word of each sentence gets no gradient. Every kept word has one.",
    lambda place, count, U: place < count - 1,
    "gradient_last_word_left_out",
)
_for_places(
    "only the first place of each sentence gets a gradient. Every kept word has one.",
    lambda place, count, U: place == 0,
    "gradient_first_place_only",
)
_for_places(
    "only the last place of each sentence gets a gradient. Every kept word has one.",
    lambda place, count, U: place == U - 1,
    "gradient_last_place_only",
)


@_masked_back("the logits at padding are set to 0, which is a guess like any other. Set their *gradient* to 0.")
def gradient_of_zeroed_logits(logits, y, keep):
    return _slopes(logits * (keep != 0)[:, :, None], y) / (keep != 0).sum()


@_masked_back("sentences and places are left in one long axis. The result has the shape (N, U, V) of the logits.")
def left_flat(logits, y, keep):
    return _kept_slopes(logits, y, keep).reshape(-1, logits.shape[2]) / (keep != 0).sum()


@_masked_back("only the kept words' rows are given. The result has a place for every word, with 0 at padding.")
def kept_rows_only(logits, y, keep):
    return _slopes(logits, y)[keep != 0] / (keep != 0).sum()


# ---- decoder_step_backward: a chain of rules, of which a mistake replaces one or more


def _by_rules(rules, values, slips):
    """Work out all rules in order, the slips in place of the rules they replace."""
    for name, rule in rules.items():
        setattr(values, name, slips.get(name, rule)(values))
    return values


def _attention(s, e):
    """Masked softmax; 0 where nothing is kept."""
    z = np.where(s.keep, np.exp(e - np.where(s.keep, e, -np.inf).max(axis=1, keepdims=True, initial=-1e300)), 0)
    total = z.sum(axis=1, keepdims=True)
    return z / np.where(total == 0, 1, total)


def _scored(s, query):
    return np.tanh((query @ s.W1)[:, None] + s.hs @ s.W2)


_STEP = {
    "h_tilde": lambda s: np.tanh(s.x @ s.Wx + s.carry @ s.Wh + s.b),
    "query": lambda s: s.h_tilde,
    "match": lambda s: _scored(s, s.query),
    "e": lambda s: s.match @ s.v,
    "a": lambda s: _attention(s, s.e),
    "c": lambda s: (s.a[:, :, None] * s.hs).sum(axis=1),
    "both": lambda s: np.concatenate([s.h_tilde, s.c], axis=1),
    "h": lambda s: np.tanh(s.both @ s.Wc),
    # and back
    "dbo": lambda s: s.dlogits.sum(axis=0),
    "dWo": lambda s: s.h.T @ s.dlogits,
    "from_logits": lambda s: s.dlogits @ s.Wo.T,
    "at_h": lambda s: s.from_logits + s.dh,
    "combine_slope": lambda s: 1 - s.h**2,
    "dz_combine": lambda s: s.at_h * s.combine_slope,
    "dWc": lambda s: s.both.T @ s.dz_combine,
    "dboth": lambda s: s.dz_combine @ s.Wc.T,
    "first": lambda s: s.dboth[:, : s.h_tilde.shape[1]],
    "dc": lambda s: s.dboth[:, s.h_tilde.shape[1] :],
    "da": lambda s: (s.dc[:, None] * s.hs).sum(axis=2),
    "summed": lambda s: s.a[:, :, None] * s.dc[:, None],
    "de": lambda s: s.a * (s.da - (s.a * s.da).sum(axis=1, keepdims=True)),
    "query_back": lambda s: s.query,
    "match_back": lambda s: s.match if s.query_back is s.query else _scored(s, s.query_back),
    "score_slope": lambda s: 1 - s.match_back**2,
    "dz_score": lambda s: s.de[:, :, None] * s.v * s.score_slope,
    "dv": lambda s: (s.de[:, :, None] * s.match_back).sum(axis=(0, 1)),
    "dW1": lambda s: s.query_back.T @ s.dz_score.sum(axis=1),
    "dW2": lambda s: np.einsum("nth,nta->ha", s.hs, s.dz_score),
    "second": lambda s: s.dz_score.sum(axis=1) @ s.W1.T,
    "compared": lambda s: s.dz_score @ s.W2.T,
    "dhs": lambda s: s.summed + s.compared,
    "at_h_tilde": lambda s: s.first + s.second + s.dh_tilde,
    "state_slope": lambda s: 1 - s.h_tilde**2,
    "dz": lambda s: s.at_h_tilde * s.state_slope,
    "dx": lambda s: s.dz @ s.Wx.T,
    "dcarry": lambda s: s.dz @ s.Wh.T,
    "dWx": lambda s: s.x.T @ s.dz,
    "dWh": lambda s: s.carry.T @ s.dz,
    "db": lambda s: s.dz.sum(axis=0),
}
"""One decoder step, forwards and back, as it should be."""


def _step(dlogits, dh_tilde, dh, x, carry, hs, keep, p, **slips):
    given = {"dlogits": dlogits, "dh_tilde": dh_tilde, "dh": dh, "x": x, "carry": carry, "hs": hs, "keep": keep != 0}
    s = _by_rules(_STEP, SimpleNamespace(**p, **given), slips)
    return s.dx, s.dcarry, s.dhs, {name: getattr(s, f"d{name}") for name in p}


def slip(cause, **rules):
    """Enter a mistake in the decoder step; the decorated function holds nothing but its name."""

    def enter(named):
        @functools.wraps(named)
        def wrong(dlogits, dh_tilde, dh, x, carry, hs, keep, p):
            return _step(dlogits, dh_tilde, dh, x, carry, hs, keep, p, **rules)

        return mistake("decoder_step_backward", cause)(wrong)

    return enter


_ALL = ("bo", "Wo", "Wc", "W1", "W2", "v", "Wx", "Wh", "b")


def _changed(names, change):
    """The rules for the gradients of these parameters, with something done to each result."""
    return {f"d{name}": lambda s, rule=_STEP[f"d{name}"]: change(s, rule(s)) for name in names}


@slip(
    "what the next step sends back is not used: add dh at h^final, and dh_tilde at h̃.",
    at_h=lambda s: s.from_logits,
    at_h_tilde=lambda s: s.first + s.second,
)
def next_step_forgotten(): ...


@slip(
    "dh_tilde is added at h^final. It belongs to h̃, past the combine.",
    at_h=lambda s: s.from_logits + s.dh + s.dh_tilde,
    at_h_tilde=lambda s: s.first + s.second,
)
def both_added_at_h(): ...


@slip(
    "dh is added behind the combine's tanh. It arrives at h^final, before the way back through tanh.",
    dz_combine=lambda s: s.from_logits * s.combine_slope + s.dh,
)
def dh_behind_tanh(): ...


@slip(
    "dh_tilde is handed on to carry as well. It arrives at h̃, and reaches carry through the recurrent step only.",
    dcarry=lambda s: s.dz @ s.Wh.T + s.dh_tilde,
)
def dh_tilde_handed_on(): ...


@slip(
    "dhs has one of its two paths only: being summed. The path of being compared, through the scores, is missing.",
    dhs=lambda s: s.summed,
)
def hs_summed_only(): ...


@slip(
    "dhs has one of its two paths only: being compared. The path of being summed, into the context, is missing.",
    dhs=lambda s: s.compared,
)
def hs_compared_only(): ...


@slip(
    "the path through the scores is missing at h̃: it asked every word, so something comes back from there too.",
    at_h_tilde=lambda s: s.first + s.dh_tilde,
)
def second_missing(): ...


@slip(
    "the path through the combine is missing at h̃.",
    at_h_tilde=lambda s: s.second + s.dh_tilde,
)
def first_missing(): ...


@slip(
    "dh_tilde is not used: at h̃, it is added to what comes back from the combine and the scores.",
    at_h_tilde=lambda s: s.first + s.second,
)
def dh_tilde_forgotten(): ...


@slip(
    "dh is not used: at h^final, add it to what comes back from the logits.",
    at_h=lambda s: s.from_logits,
)
def dh_forgotten(): ...


@slip(
    "on the way back the softmax is left out: the gradient at the weights is used as that at the scores.",
    de=lambda s: s.da,
)
def softmax_left_out(): ...


@slip(
    "softmax's gradient is a (1 − a) da: what the weights take from each other is missing.",
    de=lambda s: s.a * (1 - s.a) * s.da,
)
def softmax_diagonal_only(): ...


@slip(
    "keep is not used: padding gets weights like words.",
    a=lambda s: _softmax(s.e),
)
def step_keep_not_used(): ...


@slip(
    "dhs is added up over the sentences. Each sentence has encoder states of its own.",
    dhs=lambda s: np.broadcast_to((s.summed + s.compared).sum(axis=0), s.hs.shape) * 1.0,
)
def hs_summed_over_batch(): ...


@slip(
    "the path through the combine counts twice at h̃. Each of the three counts once.",
    at_h_tilde=lambda s: 2 * s.first + s.second + s.dh_tilde,
)
def first_twice(): ...


@slip(
    "the mean of the three paths to h̃ is taken. Gradients that meet are added.",
    at_h_tilde=lambda s: (s.first + s.second + s.dh_tilde) / 3,
)
def paths_averaged(): ...


@slip(
    "the score's gradients to h̃ are averaged over the words. h̃ asked every word: add them up.",
    second=lambda s: s.dz_score.mean(axis=1) @ s.W1.T,
)
def second_averaged(): ...


@slip(
    "softmax's gradient is a times da only: what all weights take from each other is missing.",
    de=lambda s: s.a * s.da,
)
def softmax_only_times_a(): ...


@slip(
    "in softmax's gradient the plain mean of da is subtracted. It has to be the sum weighted by a.",
    de=lambda s: s.a * (s.da - (s.keep * s.da).sum(axis=1, keepdims=True) / np.maximum(s.keep.sum(axis=1), 1)[:, None]),
)
def softmax_plain_mean_of_kept(): ...


@slip(
    "in softmax's gradient the sum goes over the whole batch. Each sentence has its own.",
    de=lambda s: s.a * (s.da - (s.a * s.da).sum()),
)
def softmax_whole_batch(): ...


@slip(
    "only the number of kept words in a sentence is used, and not where they are: there can be padding in front.",
    a=lambda s: _attention(SimpleNamespace(keep=np.arange(s.keep.shape[1]) < s.keep.sum(axis=1, keepdims=True)), s.e),
)
def step_keep_as_lengths(): ...


@slip(
    "the padding is zeroed after the softmax, so the weights no longer sum to 1.",
    a=lambda s: _softmax(s.e) * s.keep,
)
def keep_late(): ...


@slip(
    "the scores are asked by carry. It is the new h̃ that asks.",
    query=lambda s: s.carry,
)
def carry_asks(): ...


@slip(
    "the scores are asked by carry. It is the new h̃ that asks.",
    query=lambda s: s.carry,
    query_back=lambda s: s.h_tilde,
)
def carry_asks_forwards_only(): ...


@slip(
    "h̃ is computed without b.",
    h_tilde=lambda s: np.tanh(s.x @ s.Wx + s.carry @ s.Wh),
)
def without_b(): ...


@slip(
    "what the combine hands on has changed places: the first half is h̃'s, the second the context's.",
    first=lambda s: s.dboth[:, s.h_tilde.shape[1] :],
    dc=lambda s: s.dboth[:, : s.h_tilde.shape[1]],
)
def halves_exchanged(): ...


@slip(
    "dp['Wc'] has its halves exchanged: h̃ comes first, then c.",
    dWc=lambda s: np.concatenate([s.c, s.h_tilde], axis=1).T @ s.dz_combine,
)
def Wc_halves_exchanged(): ...


@slip(
    "the slope of the combine's tanh is missing on the way back.",
    combine_slope=lambda s: np.ones(s.h.shape),
)
def no_slope_of_combine(): ...


@slip(
    "the slope of the tanh of h̃ is missing on the way back.",
    state_slope=lambda s: np.ones(s.h_tilde.shape),
)
def no_slope_of_state(): ...


@slip(
    "the slope of the tanh of h̃ is worked out with h^final. It takes h̃.",
    state_slope=lambda s: 1 - s.h**2,
)
def state_slope_of_h(): ...


@slip(
    "dp['W1'] and dp['W2'] are exchanged.",
    dW1=lambda s: np.einsum("nth,nta->ha", s.hs, s.dz_score),
    dW2=lambda s: s.query_back.T @ s.dz_score.sum(axis=1),
)
def dW1_dW2_exchanged(): ...


@slip(
    "dp['W2'] is the product of two sums over the words. For each word multiply first, then add up.",
    dW2=lambda s: s.hs.sum(axis=1).T @ s.dz_score.sum(axis=1),
)
def dW2_of_sums(): ...


@slip(
    "dp['v'] is weighted by a. The gradient at the scores is de.",
    dv=lambda s: (s.a[:, :, None] * s.match).sum(axis=(0, 1)),
)
def dv_weighted_by_a(): ...


@slip(
    "dp['b'] is added up over the wrong axis: b was used for all N sentences, so add up over them.",
    db=lambda s: s.dz.sum(axis=1),
)
def db_over_features(): ...


@slip(
    "dp['bo'] is the mean over the sentences. bo was used for each of them: add up.",
    dbo=lambda s: s.dlogits.mean(axis=0),
)
def dbo_averaged(): ...


@slip(
    "dcarry goes through Wh the wrong way: on the way back, Wh has to be transposed.",
    dcarry=lambda s: s.dz @ s.Wh,
)
def Wh_not_transposed(): ...


@slip(
    "dcarry is not sent back through Wh.",
    dcarry=lambda s: s.dz * 1.0,
)
def Wh_missing(): ...


@slip(
    "dx and dcarry have changed places: dx comes first.",
    dx=lambda s: s.dz @ s.Wh.T,
    dcarry=lambda s: s.dz @ s.Wx.T,
)
def dx_dcarry_exchanged(): ...


@slip(
    "on the way back through the scores the factor v is missing.",
    dz_score=lambda s: s.de[:, :, None] * s.score_slope,
)
def v_missing(): ...


@slip(
    "the gradients of all parameters are means over the sentences. Each was used for every one of them: add up.",
    **_changed(_ALL, lambda s, d: d / len(s.x)),
)
def all_parameters_averaged(): ...


@mistake(
    "decoder_step_backward",
    "dlogits is sent through the second softmax. It arrives at the logits, so it has been there already.",
)
def dlogits_through_softmax(dlogits, dh_tilde, dh, x, carry, hs, keep, p):
    values = []
    _step(dlogits, dh_tilde, dh, x, carry, hs, keep, p, dbo=lambda s: values.append(s.h @ p["Wo"] + p["bo"]))
    q = _softmax(values[0])
    dlogits = q * (dlogits - (q * dlogits).sum(axis=1, keepdims=True))
    return _step(dlogits, dh_tilde, dh, x, carry, hs, keep, p)


# ---- clip_by_norm


def _clip(cause):
    return mistake("clip_by_norm", cause)


def _norm(grads):
    return math.sqrt(sum((np.asarray(g, dtype=float) ** 2).sum() for g in grads))


def _scaled(grads, norm, max_norm):
    factor = max_norm / norm if norm > max_norm else 1.0
    return [g * factor for g in grads]


@_clip("every number is cut off on its own, which turns the direction. Shorten all of them by one common factor.")
def each_number_cut(grads, max_norm):
    return [np.clip(g, -max_norm, max_norm) for g in grads]


@_clip("every number is cut off above only, which turns the direction. Shorten all of them by one common factor.")
def each_number_cut_above(grads, max_norm):
    return [np.minimum(g, max_norm) for g in grads]


@_clip("every array is shortened by its own norm. One norm over all arrays decides, so that the direction stays.")
def each_array_on_its_own(grads, max_norm):
    return [_scaled([g], _norm([g]), max_norm)[0] for g in grads]


@_clip("each array is scaled to max_norm by itself. One norm over all arrays decides, and short gradients stay.")
def each_array_always(grads, max_norm):
    return [g * (max_norm / np.sqrt(np.square(g, dtype=float).sum())) for g in grads]


@_clip("every row is shortened by its own norm. One norm over all arrays decides, so that the direction stays.")
def each_row_on_its_own(grads, max_norm):
    rows = [np.sqrt(np.square(g, dtype=float).sum(axis=-1, keepdims=True)) for g in grads]
    return [g * np.where(norm > max_norm, max_norm / norm, 1) for g, norm in zip(grads, rows)]


@_clip("a gradient shorter than max_norm is stretched up to it. Below the limit nothing should change.")
def always_scaled_zeros_kept(grads, max_norm):
    return [g * (max_norm / (_norm(grads) or 1.0)) for g in grads]


@_clip("the condition is turned round: short gradients are stretched, and long ones stay. Only long ones change.")
def short_ones_scaled(grads, max_norm):
    norm = np.float64(_norm(grads))
    return [g * (max_norm / norm if norm < max_norm else 1.0) for g in grads]


@_clip("the gradient is never shortened.")
def never_scaled(grads, max_norm):
    return [g * 1.0 for g in grads]


@_clip("the factor is upside down: it should be the largest norm allowed, divided by the norm.")
def factor_upside_down(grads, max_norm):
    norm = _norm(grads)
    return [g * (norm / max_norm if norm > max_norm else 1.0) for g in grads]


@_clip("a long gradient gets the norm 1, whatever max_norm is. It should get the norm max_norm.")
def norm_one(grads, max_norm):
    norm = _norm(grads)
    return [g / norm if norm > max_norm else g * 1.0 for g in grads]


@_clip("every gradient gets the norm 1, whatever max_norm is. Only a long one changes, to the norm max_norm.")
def norm_one_always(grads, max_norm):
    norm = np.float64(_norm(grads))
    return [g / norm for g in grads]


@_clip("a long gradient is divided by max_norm alone. The factor is max_norm / norm.")
def divided_by_max_norm(grads, max_norm):
    return [g / max_norm if _norm(grads) > max_norm else g * 1.0 for g in grads]


@_clip("a long gradient is multiplied by max_norm alone. The factor is max_norm / norm.")
def times_max_norm(grads, max_norm):
    return [g * max_norm if _norm(grads) > max_norm else g * 1.0 for g in grads]


@_clip("a long gradient becomes 0. It should only be shortened, to the norm max_norm.")
def long_ones_dropped(grads, max_norm):
    return [g * 0.0 if _norm(grads) > max_norm else g * 1.0 for g in grads]


@_clip("every number of a long gradient becomes max_norm. The numbers should keep their proportions.")
def filled_with_max_norm(grads, max_norm):
    return [np.full(g.shape, max_norm) if _norm(grads) > max_norm else g * 1.0 for g in grads]


@_clip("the excess is subtracted from each number, which turns the direction. Multiply by one common factor.")
def excess_subtracted(grads, max_norm):
    return [g - max(0.0, _norm(grads) - max_norm) for g in grads]


@_clip("the largest number takes the place of the norm. The norm is the root of the sum of all squares.")
def largest_number(grads, max_norm):
    return _scaled(grads, max(np.abs(g).max() for g in grads), max_norm)


@_clip("the largest of the arrays' norms decides. Add up the squares of all arrays, then take one root.")
def largest_norm(grads, max_norm):
    return _scaled(grads, max(_norm([g]) for g in grads), max_norm)


@_clip(
    "the sum of the arrays' norms takes the place of the norm. Add up the squares of all arrays, then take one root."
)
def sum_of_norms(grads, max_norm):
    return _scaled(grads, sum(_norm([g]) for g in grads), max_norm)


@_clip("the root is missing: this is the sum of the squares, and the norm is its root.")
def clip_no_root(grads, max_norm):
    return _scaled(grads, _norm(grads) ** 2, max_norm)


@_clip("the sum of the squares decides which gradient is long. Compare its root with max_norm.")
def squares_compared(grads, max_norm):
    norm = _norm(grads)
    return [g * (max_norm / norm if norm**2 > max_norm else 1.0) for g in grads]


@_clip("a long gradient is divided by the sum of the squares. Divide by its root, the norm.")
def divided_by_squares(grads, max_norm):
    norm = _norm(grads)
    return [g * (max_norm / norm**2 if norm > max_norm else 1.0) for g in grads]


@_clip("the squares are averaged. For the norm they are added up.")
def root_mean_square(grads, max_norm):
    return _scaled(grads, _norm(grads) / math.sqrt(sum(np.size(g) for g in grads)), max_norm)


@_clip("the sum of the absolute values takes the place of the norm. The norm is the root of the sum of all squares.")
def sum_of_absolute_values(grads, max_norm):
    return _scaled(grads, sum(np.abs(g).sum() for g in grads), max_norm)


@_clip("only the first array is shortened. All arrays get the same factor.")
def first_array_only(grads, max_norm):
    return _scaled(grads, _norm(grads), max_norm)[:1] + [g * 1.0 for g in grads[1:]]


# ---- adam_step: again a chain of rules

_ADAM = {
    "new_m": lambda s: s.b1 * s.m + (1 - s.b1) * s.g,
    "new_v": lambda s: s.b2 * s.v + (1 - s.b2) * s.g**2,
    "m_hat": lambda s: s.new_m / (1 - s.b1**s.t),
    "v_hat": lambda s: s.new_v / (1 - s.b2**s.t),
    "below": lambda s: np.sqrt(s.v_hat) + s.eps,
    "step": lambda s: s.lr * s.m_hat / s.below,
    "new_theta": lambda s: s.theta - s.step,
    "results": lambda s: (s.new_theta, s.new_m, s.new_v),
}
"""One step of Adam, as it should be."""


def adam_slip(cause, **rules):
    """Enter a mistake in Adam; the decorated function holds nothing but its name."""

    def enter(named):
        @functools.wraps(named)
        def wrong(theta, g, m, v, t, lr, b1, b2, eps):
            # a power of 0 or a late step may divide by 0, which NumPy's numbers do without an error
            b1, b2 = np.float64(b1), np.float64(b2)
            s = SimpleNamespace(theta=theta, g=g, m=m, v=v, t=t, lr=lr, b1=b1, b2=b2, eps=eps)
            return _by_rules(_ADAM, s, rules).results

        return mistake("adam_step", cause)(wrong)

    return enter


@adam_slip(
    "neither mean is corrected for its start at 0: m̂ and v̂ are missing from the step.",
    m_hat=lambda s: s.new_m,
    v_hat=lambda s: s.new_v,
)
def no_correction(): ...


@adam_slip(
    "v is not corrected for its start at 0: the step takes v̂ = v / (1 − b2ᵗ).",
    v_hat=lambda s: s.new_v,
)
def m_corrected_only(): ...


@adam_slip(
    "m is not corrected for its start at 0: the step takes m̂ = m / (1 − b1ᵗ).",
    m_hat=lambda s: s.new_m,
)
def v_corrected_only(): ...


@adam_slip(
    "the corrections divide by 1 − b1 and 1 − b2. The powers are missing: b1ᵗ and b2ᵗ fade with the steps.",
    m_hat=lambda s: s.new_m / (1 - s.b1),
    v_hat=lambda s: s.new_v / (1 - s.b2),
)
def correction_without_power(): ...


@adam_slip(
    "the correction of m divides by 1 − b1. It is 1 − b1ᵗ.",
    m_hat=lambda s: s.new_m / (1 - s.b1),
)
def m_correction_without_power(): ...


@adam_slip(
    "the correction of v divides by 1 − b2. It is 1 − b2ᵗ.",
    v_hat=lambda s: s.new_v / (1 - s.b2),
)
def v_correction_without_power(): ...


@adam_slip(
    "the powers are one too low. t counts from 1, so use it as it is.",
    m_hat=lambda s: s.new_m / (1 - s.b1 ** (s.t - 1)),
    v_hat=lambda s: s.new_v / (1 - s.b2 ** (s.t - 1)),
)
def t_one_too_low(): ...


@adam_slip(
    "the powers are one too high. t counts from 1, so use it as it is.",
    m_hat=lambda s: s.new_m / (1 - s.b1 ** (s.t + 1)),
    v_hat=lambda s: s.new_v / (1 - s.b2 ** (s.t + 1)),
)
def t_one_too_high(): ...


@adam_slip(
    "b1 and b2 are multiplied by t. In the corrections they are raised to the power of t.",
    m_hat=lambda s: s.new_m / (1 - s.b1 * s.t),
    v_hat=lambda s: np.abs(s.new_v / (1 - s.b2 * s.t)),
)
def times_t_absolute(): ...


@adam_slip(
    "1 − b1 and 1 − b2 are raised to the power of t as a whole. Only b1 and b2 are.",
    m_hat=lambda s: s.new_m / (1 - s.b1) ** s.t,
    v_hat=lambda s: s.new_v / (1 - s.b2) ** s.t,
)
def one_minus_b_to_the_t(): ...


@adam_slip(
    "the corrected m̂ and v̂ are returned. What is kept for the next step is m and v without correction.",
    results=lambda s: (s.new_theta, s.m_hat, s.v_hat),
)
def corrected_means_returned(): ...


@adam_slip(
    "m and v come back as they went in. Return the new ones, or every step forgets the last.",
    results=lambda s: (s.new_theta, s.m * 1.0, s.v * 1.0),
)
def old_means_returned(): ...


@adam_slip(
    "it goes up with the gradient. A step *against* it makes the loss smaller: subtract.",
    new_theta=lambda s: s.theta + s.step,
)
def uphill(): ...


@adam_slip(
    "the root of v̂ is missing.",
    below=lambda s: s.v_hat + s.eps,
)
def adam_no_root(): ...


@adam_slip(
    "eps stands under the root. It is added outside: √v̂ + eps.",
    below=lambda s: np.sqrt(s.v_hat + s.eps),
)
def eps_inside(): ...


@adam_slip(
    "eps is added to the root of the uncorrected v. It is √v̂ + eps, with v̂ corrected first.",
    below=lambda s: (np.sqrt(s.new_v) + s.eps) / np.sqrt(1 - s.b2**s.t),
)
def eps_before_correction(): ...


@adam_slip(
    "the step takes the gradient itself. It takes its running mean, m̂.",
    m_hat=lambda s: s.g,
)
def gradient_in_place_of_m(): ...


@adam_slip(
    "b1 and b2 have changed places: b1 belongs to m, and b2 to v.",
    new_m=lambda s: s.b2 * s.m + (1 - s.b2) * s.g,
    new_v=lambda s: s.b1 * s.v + (1 - s.b1) * s.g**2,
    m_hat=lambda s: s.new_m / (1 - s.b2**s.t),
    v_hat=lambda s: s.new_v / (1 - s.b1**s.t),
)
def betas_exchanged(): ...


@adam_slip(
    "the shares have changed places: b1 and b2 belong to the old means, 1 − b1 and 1 − b2 to what is new.",
    new_m=lambda s: (1 - s.b1) * s.m + s.b1 * s.g,
    new_v=lambda s: (1 - s.b2) * s.v + s.b2 * s.g**2,
)
def shares_exchanged(): ...


@adam_slip(
    "what is new has no factor, so these are sums and no means: 1 − b1 and 1 − b2 are missing.",
    new_m=lambda s: s.b1 * s.m + s.g,
    new_v=lambda s: s.b2 * s.v + s.g**2,
)
def new_without_factor(): ...


@adam_slip(
    "the step mixes the new gradient into m̂ once more. Adam's step takes m̂ alone.",
    m_hat=lambda s: s.b1 * s.new_m / (1 - s.b1**s.t) + (1 - s.b1) * s.g / (1 - s.b1**s.t),
)
def look_ahead(): ...


@adam_slip(
    "b1 and b2 are multiplied by t. In the corrections they are raised to the power of t.",
    m_hat=lambda s: s.new_m / (1 - s.b1 * s.t),
    v_hat=lambda s: s.new_v / (1 - s.b2 * s.t),
)
def times_t(): ...


@adam_slip(
    "v is the running mean of m². It takes the squares of the gradient itself, g².",
    new_v=lambda s: s.b2 * s.v + (1 - s.b2) * s.new_m**2,
)
def v_of_m(): ...


@adam_slip(
    "eps is not used: it keeps a gradient that was always 0 from being divided by 0.",
    below=lambda s: np.sqrt(s.v_hat),
)
def eps_missing(): ...


@adam_slip(
    "the step takes the old m. It takes the new one, in which g is mixed.",
    m_hat=lambda s: s.m / (1 - s.b1**s.t),
)
def step_with_old_m(): ...


@adam_slip(
    "the step takes the old v. It takes the new one, in which g² is mixed.",
    v_hat=lambda s: s.v / (1 - s.b2**s.t),
)
def step_with_old_v(): ...


@adam_slip(
    "the step takes the old m and v. It takes the new ones.",
    m_hat=lambda s: s.m / (1 - s.b1**s.t),
    v_hat=lambda s: s.v / (1 - s.b2**s.t),
)
def step_with_old_means(): ...


@adam_slip(
    "all numbers share one v, from the sum of all squares. Each number has its own.",
    new_v=lambda s: s.b2 * s.v + (1 - s.b2) * (s.g**2).sum(),
)
def one_v_for_all(): ...
