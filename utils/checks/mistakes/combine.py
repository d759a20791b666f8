"""Known wrong answers of notebook 05: combine, next word, the whole decoder step, decoding.

In the one-line formulas q stands for h̃, s for α, g for dh, and e for the logits.
"""

from functools import partial

import numpy as np

from utils.checks.mistakes import softmax
from utils.checks.mistakes.register import mistake


def enter(exercise, name, cause, function):
    """Enter a function without a name of its own as a known wrong answer."""
    function.__name__ = name
    mistake(exercise, cause)(function)


def _softmax(e):
    z = np.exp(e - e.max(axis=-1, keepdims=True))
    return z / z.sum(axis=-1, keepdims=True)


def _side_by_side(h_tilde, c):
    return np.concatenate([h_tilde, c], axis=-1)


def _alternating(h_tilde, c):
    both = np.stack([h_tilde, c], axis=-1)
    return both.reshape(*both.shape[:-2], -1)


def _upper(Wc):
    return Wc[: len(Wc) // 2]


def _lower(Wc):
    return Wc[len(Wc) // 2 :]


# ---- combine_concat_one and combine_concat: what both can do wrong

_C_NOT_USED = "c has no say in the result: what was found never reaches h^final. Lay h̃ and c side by side."


def for_both(name, cause, function):
    """Enter a mistake that works on the last axis, for one sentence as for a batch."""
    for exercise in ("combine_concat_one", "combine_concat"):
        enter(exercise, name, cause, function)


def _concat(name, cause, both=_side_by_side, bend=np.tanh):
    for_both(name, cause, lambda q, c, W: bend(both(q, c) @ W))


_concat(
    "c_first",
    "c stands first. h̃ comes first: the upper H rows of Wc are made for h̃, the lower ones for c.",
    both=lambda q, c: _side_by_side(c, q),
)
_concat(
    "h_tilde_in_both_places",
    "h̃ stands in both places, so c is not used. Lay h̃ and c side by side.",
    both=lambda q, c: _side_by_side(q, q),
)
_concat(
    "c_in_both_places",
    "c stands in both places, so h̃ is not used. Lay h̃ and c side by side.",
    both=lambda q, c: _side_by_side(c, c),
)
_concat("alternating", "the numbers of h̃ and c alternate. All of h̃ comes first, then all of c.", both=_alternating)
_concat("without_tanh", "the tanh is missing: these are the sums that go into it.", bend=lambda z: z)
_concat("tanh_twice", "tanh is applied twice. Once is enough.", bend=lambda z: np.tanh(np.tanh(z)))
_concat(
    "sigmoid_for_tanh",
    "it ends with a sigmoid, so nothing can become negative. The sum should be bent by tanh.",
    bend=lambda z: 0.5 * np.tanh(0.5 * z) + 0.5,
)
_concat(
    "relu_for_tanh",
    "negative sums are set to 0 and the others stay as they are. The sum should be bent by tanh.",
    bend=lambda z: np.maximum(z, 0),
)
for_both(
    "tanh_inside",
    "tanh bends h̃ and c, before Wc. It belongs outside, around the product.",
    lambda q, c, W: np.tanh(_side_by_side(q, c)) @ W,
)
for_both(
    "tanh_of_each",
    "h̃ and c each get a tanh of their own. Add first, then bend the sum once.",
    lambda q, c, W: np.tanh(q @ _upper(W)) + np.tanh(c @ _lower(W)),
)
for_both(
    "added",
    "h̃ and c are added up and meet the same half of Wc. Each of the two has a half of its own.",
    lambda q, c, W: np.tanh((q + c) @ _upper(W)),
)
for_both("c_left_out", _C_NOT_USED, lambda q, c, W: np.tanh(q @ _upper(W)))
_concat(
    "h_tilde_left_out",
    "h̃ has no say in the result: only what was found reaches h^final. Lay h̃ and c side by side.",
    both=lambda q, c: _side_by_side(0 * q, c),
)
_concat(
    "c_subtracted",
    "c's part is subtracted. The two parts are added up.",
    both=lambda q, c: _side_by_side(q, -c),
)
_concat(
    "sum_halved", "tanh bends only half of the sum: nothing should be halved before.", bend=lambda z: np.tanh(z / 2)
)
_concat(
    "cut_off_for_tanh",
    "sums beyond ±1 are cut off, and the others stay as they are. The sum should be bent by tanh.",
    bend=lambda z: np.clip(z, -1, 1),
)
for_both(
    "multiplied",
    "h̃ and c are multiplied number by number. Lay them side by side: each has a half of Wc of its own.",
    lambda q, c, W: np.tanh((q * c) @ _upper(W)),
)
for_both(
    "reshaped_for_transposed",
    "the numbers of Wc are in the wrong order: reshape doesn't exchange rows and columns.",
    lambda q, c, W: np.tanh(_side_by_side(q, c) @ W.T.reshape(W.shape)),
)
enter(
    "combine_concat",
    "transposed",
    "h is transposed: each row should be a sentence.",
    lambda q, c, W: np.tanh(_side_by_side(q, c) @ W).T,
)


# ---- combine_weighted_sum


def _shares(name, cause, shares):
    """A sum with other shares of h̃ and c."""

    def weighted(h_tilde, c, alpha):
        of_h_tilde, of_c = shares(alpha)
        return of_h_tilde * h_tilde + of_c * c

    enter("combine_weighted_sum", name, cause, weighted)


_shares("shares_exchanged", "α and 1 − α have changed places: α is h̃'s share.", lambda s: (1 - s, s))
_shares("plain_sum", "α is not used: h̃ and c are added up in full.", lambda s: (1, 1))
_shares("plain_mean", "α is not used: h̃ and c always get the same share, a half.", lambda s: (0.5, 0.5))
_shares("same_share_for_both", "h̃ and c both get the share α. c gets the rest.", lambda s: (s, s))
_shares("share_of_c_negative", "c's share has the wrong sign: it is α − 1, not 1 − α.", lambda s: (s, s - 1))
_shares(
    "sigmoid_of_alpha",
    "α goes through a sigmoid first. It is the share already.",
    lambda s: (1 / (1 + np.exp(-s)), 1 / (1 + np.exp(s))),
)
_shares("alpha_squared", "α is squared first. It is the share as it comes.", lambda s: (s**2, 1 - s**2))
_shares(
    "mean_of_alpha",
    "the mean of all α is used for every sentence. Each sentence has its own.",
    lambda s: (np.mean(s), 1 - np.mean(s)),
)
_shares("only_h_tilde", "c is not used: the result is h̃'s share alone.", lambda s: (s, 0))
_shares("only_c", "h̃ is not used: the result is c's share alone.", lambda s: (0, 1 - s))
_shares("h_tilde_in_full", "h̃ counts in full, without its α.", lambda s: (1, 1 - s))
_shares("c_in_full", "c counts in full. It gets what α leaves over.", lambda s: (s, 1))
_shares(
    "alpha_cut_off",
    "an α below 0 counts as 0, and one above 1 as 1. Take α as it comes.",
    lambda s: (np.clip(s, 0, 1), 1 - np.clip(s, 0, 1)),
)
_shares(
    "first_alpha_for_all",
    "the first sentence's α is used for every sentence. Each sentence has its own.",
    lambda s: (np.ravel(s)[0], 1 - np.ravel(s)[0]),
)
_shares("c_alone", "h̃ and α don't count: the result is c.", lambda s: (0, 1))
_shares("h_tilde_alone", "c and α don't count: the result is h̃.", lambda s: (1, 0))
_shares("alpha_without_decimals", "α loses its decimals, and 0.3 becomes 0.", lambda s: (np.trunc(s), 1 - np.trunc(s)))
_shares(
    "one_or_the_other",
    "the result is all of h̃ or all of c. α mixes the two.",
    lambda s: (1 * np.greater(s, 0.5), 1 - np.greater(s, 0.5)),
)
_shares(
    "alpha_with_an_axis_more",
    "α gets an axis too many. One α per sentence, of shape (N, 1), fits as it is.",
    lambda s: (np.asarray(s)[..., None], 1 - np.asarray(s)[..., None]),
)
enter(
    "combine_weighted_sum",
    "without_brackets",
    "brackets are missing: a 1 is added, and only α is multiplied by c.",
    lambda q, c, s: s * q + 1 - s * c,
)
enter(
    "combine_weighted_sum",
    "bent",
    "a tanh is applied at the end. The weighted sum has none.",
    lambda q, c, s: np.tanh(s * q + (1 - s) * c),
)


# ---- output_logits

_logits = partial(enter, "output_logits")


def _afterwards(name, cause, change):
    _logits(name, cause, lambda h, Wo, bo: change(h @ Wo + bo))


_logits("without_bias", "the bias bo is missing.", lambda h, Wo, bo: h @ Wo)
_logits("bias_twice", "the bias counts twice.", lambda h, Wo, bo: h @ Wo + 2 * bo)
_logits("bias_subtracted", "the bias is subtracted. It should be added.", lambda h, Wo, bo: h @ Wo - bo)
_logits(
    "bias_inside",
    "the bias gets multiplied by the numbers of h as well. It is added once, after the product.",
    lambda h, Wo, bo: h @ (Wo + bo),
)
_logits("bias_multiplied", "the bias is multiplied. It should be added.", lambda h, Wo, bo: h @ Wo * bo)
_logits("tanh_of_h", "tanh is applied to h first. Take h as it comes.", lambda h, Wo, bo: np.tanh(h) @ Wo + bo)
_logits("mean_for_sum", "the product is divided by H. It should not be.", lambda h, Wo, bo: h @ Wo / h.shape[1] + bo)
_logits(
    "last_number_left_out",
    "the last number of the state is left out of the sum.",
    lambda h, Wo, bo: h[:, :-1] @ Wo[:-1] + bo,
)
_afterwards(
    "softmaxed", "these are probabilities: a softmax has been applied. The logits come before it.", change=_softmax
)
_afterwards("tanh_of_logits", "a tanh bends the logits, so none can pass 1. A logit may be any number.", change=np.tanh)
_afterwards(
    "relu_of_logits", "negative logits are set to 0. A logit may be any number.", change=lambda z: np.maximum(z, 0)
)
_afterwards(
    "log_probabilities",
    "these are the logarithms of the probabilities. The logits come before any softmax.",
    change=lambda z: np.log(_softmax(z)),
)
_afterwards(
    "log_probabilities_without_log",
    "these are the logarithms of the probabilities. The logits come before any softmax.",
    change=lambda z: (
        z - z.max(axis=1, keepdims=True) - np.log(np.exp(z - z.max(axis=1, keepdims=True)).sum(1))[:, None]
    ),
)
_afterwards(
    "shifted",
    "each row's largest logit is subtracted, which softmax will do. Give the logits as they are.",
    change=lambda z: z - z.max(axis=1, keepdims=True),
)
_afterwards(
    "sigmoid_of_logits",
    "a sigmoid squashes the logits, so all lie between 0 and 1. A logit may be any number.",
    change=lambda z: 0.5 * np.tanh(0.5 * z) + 0.5,
)
_afterwards(
    "last_word_left_out",
    "the last word of the vocabulary gets 0. Every word has a logit.",
    change=lambda z: z * (np.arange(z.shape[1]) < z.shape[1] - 1),
)
_logits("one_bias_for_all", "all words get the bias of word 0. Each has its own.", lambda h, Wo, bo: h @ Wo + bo[0])
_logits(
    "divided_by_the_root",
    "the product is divided by √H. It should not be.",
    lambda h, Wo, bo: h @ Wo / np.sqrt(h.shape[1]) + bo,
)


# ---- next_word_probs: the mistakes of notebook 03, in this notebook's words

_NOT_DIVIDED = "exp is there, but nothing is divided by the sum: the probabilities of a row have to sum to 1."

for function, cause in {
    softmax.over_the_batch: "it is a softmax over the batch: the columns sum to 1. Which axis are the V words on?",
    softmax.over_everything: "all numbers together sum to 1. Each row has to, as each chooses a word of its own.",
    softmax.not_normalised: _NOT_DIVIDED,
    softmax.not_normalised_and_not_shifted: _NOT_DIVIDED,
    softmax.without_exp: "the logits themselves are divided by their sum: exp is missing.",
    softmax.sigmoid: "every logit is squashed on its own (a sigmoid). All words have to share one sum of 1.",
    softmax.logarithm: "this is the logarithm of the probabilities. The probabilities themselves are wanted.",
    softmax.twice: "softmax is applied twice. Once is enough: its result already sums to 1.",
    softmax.powers_of_two: "2 is raised to the logits in place of e. Softmax uses np.exp.",
    softmax.only_the_winner: "only the likeliest word gets anything. Every word keeps a chance.",
    softmax.overflow_hidden: "what overflows is hidden: inf / inf becomes 0, just where the largest logit is.",
    softmax.clipped: "large logits are cut off before exp, so two large ones that differ come out alike.",
    softmax.negated: "the sign is turned round: the word with the lowest logit comes out as the likeliest.",
    softmax.largest_of_all: "one and the same number is subtracted in every row, so a row far below it becomes 0 / 0.",
}.items():
    mistake("next_word_probs", cause)(function)

_probs = partial(enter, "next_word_probs")
_TOO_SMALL = "something is added to the sum before dividing, so the probabilities of a row sum to less than 1."
_FLOOR = "small probabilities are raised to a floor, so the rows no longer sum to 1."
_CUT = "large logits are cut off before exp, so two large ones that differ come out alike."


def _divided(e, extra):
    z = np.exp(e - e.max(axis=1, keepdims=True))
    return z / (z.sum(axis=1, keepdims=True) + extra)


def _only(e, chosen):
    """A softmax over the chosen words; the others get 0."""
    z = np.where(chosen, np.exp(e - np.where(chosen, e, -1e300).max(axis=1, keepdims=True)), 0)
    return z / np.maximum(z.sum(axis=1, keepdims=True), 1e-300)


for _size in (1, 0.1, 1e-2, 1e-3, 1e-4, 1e-5):
    _probs("something_added_to_the_sum", _TOO_SMALL, lambda e, size=_size: _divided(e, size))
for _size in (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7):
    _probs("floor_under_p", _FLOOR, lambda e, size=_size: np.maximum(_softmax(e), size))
for _size in (1e-2, 1e-3, 1e-4, 1e-5):
    _probs("p_kept_from_both_ends", _FLOOR, lambda e, size=_size: np.clip(_softmax(e), size, 1 - size))
for _size in (200, 500, 600, 700):
    _probs("logits_cut_off", _CUT, lambda e, size=_size: _softmax(np.clip(e, -size, size)))
for _size in (50, 100, 200, 500, 600, 700):
    _probs("logits_cut_off_above", _CUT, lambda e, size=_size: _softmax(np.minimum(e, size)))
_probs(
    "word_0_excluded",
    "word 0 gets the probability 0. It is a word like any other here.",
    lambda e: _only(e, np.arange(e.shape[1]) > 0),
)
_probs(
    "logit_0_excluded",
    "a logit of 0 counts as padding. It is a number like any other: exp(0) is 1.",
    lambda e: _only(e, e != 0),
)
_probs(
    "logits_divided_by_root",
    "the logits are divided by √V first. Take them as they come.",
    lambda e: _softmax(e / np.sqrt(e.shape[1])),
)
_probs(
    "first_row_for_all",
    "every row gets the first row's probabilities. Each has its own.",
    lambda e: np.repeat(_softmax(e)[:1], len(e), axis=0),
)
_probs(
    "three_likeliest",
    "only the three likeliest words get anything. Every word keeps a chance.",
    lambda e: _only(e, e >= np.sort(e, axis=1)[:, -min(3, e.shape[1])][:, None]),
)


# ---- next_word

_word = partial(enter, "next_word")

_word("lowest", "it takes the word with the lowest logit. The likeliest has the highest.", lambda e: e.argmin(axis=1))
_word(
    "last_of_equals",
    "among equal logits it takes the last one. The first of equals is wanted.",
    lambda e: e.shape[1] - 1 - e[:, ::-1].argmax(axis=1),
)
_word(
    "decimals_cut_off",
    "it compares without the decimals, so logits that differ behind the point count as equal.",
    lambda e: e.astype(int).argmax(axis=1),
)
_word(
    "highest_of_the_batch",
    "it looks for the highest logit of the whole batch. Each row has a highest one of its own.",
    lambda e: (e == e.max()).argmax(axis=1),
)
_word(
    "never_word_0",
    "word 0 is never chosen. It is a word like any other here.",
    lambda e: e[:, 1:].argmax(axis=1) + 1 if e.shape[1] > 1 else e.argmax(axis=1),
)
_word("second_best", "it takes the second best word.", lambda e: np.argsort(e, axis=1)[:, -2:][:, 0])
_word(
    "after_exp",
    "extreme logits are lost in an exp that overflows or becomes 0. Compare the logits themselves.",
    lambda e: (np.exp(e) / np.exp(e).sum(axis=1, keepdims=True)).argmax(axis=1),
)
_word(
    "after_tanh",
    "large logits come out alike: something squashes them first. Compare the logits themselves.",
    lambda e: np.tanh(e).argmax(axis=1),
)
_word(
    "best_starts_from_0",
    "where all logits are negative it gives word 0: the best one so far must not start from 0.",
    lambda e: np.maximum(e, 0).argmax(axis=1),
)
_word("counted_from_1", "the words are counted from 1. Python counts from 0.", lambda e: e.argmax(axis=1) + 1)
_word(
    "along_the_batch",
    "it compares the sentences for each word. It should compare the words for each sentence.",
    lambda e: e.argmax(axis=0),
)
_word(
    "the_logit_itself",
    "this is the highest logit itself. Its place in the row is wanted: the number of the word.",
    lambda e: e.max(axis=1),
)
_word(
    "most_frequent_winner",
    "all sentences get the same word, the one that wins most often.",
    lambda e: np.full(len(e), np.bincount(e.argmax(axis=1)).argmax()),
)
_word(
    "by_absolute_value",
    "it compares without the sign, so a very unlikely word can win. The highest logit wins.",
    lambda e: np.abs(e).argmax(axis=1),
)
_word(
    "all_of_equals",
    "among equal logits every one's place is given. Only the first of equals is wanted.",
    lambda e: np.where(e == e.max(axis=1, keepdims=True))[1],
)
_word(
    "first_row_for_all",
    "all sentences get the first sentence's word. Each has its own.",
    lambda e: np.full(len(e), e[0].argmax()),
)


@mistake("next_word", "the best logit so far is carried on into the next row. Each row starts anew.")
def best_not_reset(e):
    best, words = -np.inf, []
    for row in e:
        word = 0
        for k, logit in enumerate(row):
            if logit > best:
                best, word = logit, k
        words.append(word)
    return np.array(words)


# ---- decoder_step


def _scores(asking, hs, p, W1="W1", W2="W2"):
    return np.tanh((asking @ p[W1])[:, None] + hs @ p[W2]) @ p["v"]


def _weights(e, keep):
    keep = np.asarray(keep).astype(bool)
    z = np.where(keep, np.exp(e - np.where(keep, e, -np.inf).max(axis=1, keepdims=True, initial=-1e300)), 0)
    total = z.sum(axis=1, keepdims=True)
    return z / np.where(total > 0, total, 1)


def _step(name, cause, carried=None, scores=None, weights=_weights, both=_side_by_side, returned=None):
    """A step with one stage exchanged."""

    def step(x, carry, hs, keep, p):
        before = carried(hs) if carried else carry
        h_tilde = np.tanh(x @ p["Wx"] + before @ p["Wh"] + p["b"])
        a = weights(scores(h_tilde, carry, hs, p) if scores else _scores(h_tilde, hs, p), keep)
        h = np.tanh(both(h_tilde, np.einsum("nt,nth->nh", a, hs)) @ p["Wc"])
        logits = h @ p["Wo"] + p["bo"]
        return returned(logits, a, h_tilde, h, p) if returned else (logits, a, h_tilde, h)

    enter("decoder_step", name, cause, step)


_step(
    "states_exchanged",
    "the two states are returned in the wrong order: h̃ comes before h^final.",
    returned=lambda logits, a, h_tilde, h, p: (logits, a, h, h_tilde),
)
_step(
    "h_returned_twice",
    "h^final is returned in both places. The caller needs h̃ as well.",
    returned=lambda logits, a, h_tilde, h, p: (logits, a, h, h),
)
_step(
    "h_tilde_returned_twice",
    "h̃ is returned in both places. The caller needs h^final as well.",
    returned=lambda logits, a, h_tilde, h, p: (logits, a, h_tilde, h_tilde),
)
_step(
    "probabilities_returned",
    "the first result is probabilities. The step returns the logits, from before that softmax.",
    returned=lambda logits, *others: (_softmax(logits), *others[:-1]),
)
_step(
    "logits_from_h_tilde",
    "the logits are made from h̃, so the attention never reaches the word. Make them from h^final.",
    returned=lambda logits, a, h_tilde, h, p: (h_tilde @ p["Wo"] + p["bo"], a, h_tilde, h),
)
_step(
    "W1_and_W2_exchanged",
    "W1 and W2 have changed places: W1 goes with h̃, W2 with the encoder's states.",
    scores=lambda h_tilde, carry, hs, p: _scores(h_tilde, hs, p, "W2", "W1"),
)
_step(
    "W1_for_both",
    "W1 is used for the encoder's states as well. They have a matrix of their own, W2.",
    scores=lambda h_tilde, carry, hs, p: _scores(h_tilde, hs, p, "W1", "W1"),
)
_step(
    "dot_products",
    "the scores are dot products. Here the score is additive, with W1, W2 and v.",
    scores=lambda h_tilde, carry, hs, p: np.einsum("nh,nth->nt", h_tilde, hs),
)
_step(
    "carry_asks",
    "the scores are asked for with carry, the old state. h̃ should ask: it knows the last word.",
    scores=lambda h_tilde, carry, hs, p: _scores(carry, hs, p),
)
_step("keep_not_used", "keep is not used: padding gets weights like words.", weights=lambda e, keep: _softmax(e))
_step(
    "score_of_0_at_padding",
    "padding gets the score 0, and exp(0) is 1: that is a share like any other.",
    weights=lambda e, keep: _softmax(e * keep),
)
_step("c_not_combined", _C_NOT_USED, both=lambda h_tilde, c: _side_by_side(h_tilde, 0 * c))
_step(
    "c_combined_first",
    "c stands first when the two are combined. h̃ comes first.",
    both=lambda h_tilde, c: _side_by_side(c, h_tilde),
)
_step(
    "starts_from_the_encoder",
    "it starts from the encoder's last state. It should start from the state it is given, carry.",
    carried=lambda hs: hs[:, -1],
)
_step(
    "keep_late",
    "the padding is zeroed after the softmax, so the weights no longer sum to 1.",
    weights=lambda e, keep: _softmax(e) * keep,
)


# ---- greedy_decode


def _loop(name, cause, choose=None, fed=None, kept=True, more=0, ends=None, written=None):
    """A loop with one part exchanged."""

    def decode(step, state, bos, eos, max_len):
        ids, word = [], bos
        for _ in range(max_len + more):
            logits, following = step(bos if fed == "bos" else word, state)
            state = following if kept else state
            word = int(choose(logits, bos) if choose else np.argmax(logits))
            ids.append(word)
            if word == (eos if ends is None else bos if ends == "bos" else ends):
                break
        return np.array(written(ids, bos, eos, max_len) if written else ids, dtype=int)

    enter("greedy_decode", name, cause, decode)


_loop("state_not_kept", "every step starts from the first state. Keep the one that the step gives back.", kept=False)
_loop("always_fed_bos", "every step is fed bos. After the first, feed the word that was just chosen.", fed="bos")
_loop("goes_on_after_eos", "it goes on after eos. The sentence ends there.", ends=-1)
_loop("ends_at_bos", "it stops when bos is chosen. The word that ends a sentence is eos.", ends="bos")
_loop("ends_at_0", "it stops at word 0. The word that ends a sentence is eos, and 0 can be a word.", ends=0)
_loop("eos_is_always_2", "it stops at word 2, whatever eos is. Compare with the eos that is given.", ends=2)
_loop("one_word_too_few", "it stops a word too early when no eos comes: max_len words are allowed.", more=-1)
_loop("one_word_too_many", "it writes one word more than max_len when no eos comes.", more=1)
_loop(
    "unlikeliest_word",
    "it takes the word with the lowest logit. The likeliest has the highest.",
    choose=lambda logits, bos: logits.argmin(),
)
_loop(
    "bos_forbidden",
    "bos is never chosen. It is unusual, but when it is the likeliest word, greedy takes it.",
    choose=lambda logits, bos: np.where(np.arange(len(logits)) == bos, -np.inf, logits).argmax(),
)
_loop(
    "bos_in_the_result",
    "the result begins with bos. That word is only fed; it is not part of what gets written.",
    written=lambda ids, bos, eos, max_len: [bos, *ids],
)
_loop(
    "eos_left_out",
    "eos is missing from the result. When it is chosen, it is written down too.",
    written=lambda ids, bos, eos, max_len: [word for word in ids if word != eos],
)
for _name, _fill in {"filled_up_with_eos": 0, "filled_up_with_0": 1}.items():
    _loop(
        _name,
        "the result is filled up to max_len. It should end with the last word that was chosen.",
        written=lambda ids, bos, eos, max_len, fill=_fill: ids + [0 if fill else eos] * (max_len - len(ids)),
    )


# ---- exact_match

_matched = partial(enter, "exact_match")


def _lengths(ids, eos):
    """How many words of each row count: up to the first eos, which is one of them."""
    return np.where((ids == eos).any(axis=1), (ids == eos).argmax(axis=1) + 1, ids.shape[1])


def _counting(gold, eos):
    return np.arange(gold.shape[1]) < _lengths(gold, eos)[:, None]


def _right(pred, gold, eos):
    return ((pred == gold) | ~_counting(gold, eos)).all(axis=1)


_matched(
    "share_of_words",
    "this is the share of right words, with what stands after eos. A sentence counts as a whole.",
    lambda pred, gold, eos: (pred == gold).mean(),
)
_matched(
    "share_of_words_up_to_eos",
    "this is the share of right words. A sentence counts as a whole.",
    lambda pred, gold, eos: (pred == gold)[_counting(gold, eos)].mean(),
)
_matched(
    "share_of_places",
    "this is the share of *places* that are right in all sentences. The share of right sentences is wanted.",
    lambda pred, gold, eos: ((pred == gold) | ~_counting(gold, eos)).all(axis=0).mean(),
)
_matched(
    "eos_counted_on_and_on",
    "what was found of eos runs on from one sentence into the next. Each sentence starts anew.",
    lambda pred, gold, eos: (
        ((pred == gold) | ((gold == eos).cumsum().reshape(gold.shape) - (gold == eos) > 0)).all(axis=1).mean()
    ),
)
_matched(
    "zeros_ignored",
    "places where the answer is 0 are ignored. It is those after the answer's eos that should be.",
    lambda pred, gold, eos: ((pred == gold) | (gold == 0)).all(axis=1).mean(),
)
_matched(
    "nothing_ignored",
    "what stands after the answer's eos counts too. It should be ignored.",
    lambda pred, gold, eos: (pred == gold).all(axis=1).mean(),
)
_matched(
    "first_word_only",
    "only the first word is compared. All words have to be right, up to eos.",
    lambda pred, gold, eos: (pred[:, 0] == gold[:, 0]).mean(),
)
_matched(
    "lengths_only",
    "only the lengths are compared. The words have to be right as well.",
    lambda pred, gold, eos: (_lengths(pred, eos) == _lengths(gold, eos)).mean(),
)
_matched(
    "number_of_sentences",
    "this is the number of right sentences. Their share is wanted, from 0 to 1.",
    lambda pred, gold, eos: _right(pred, gold, eos).sum(),
)
_matched(
    "divided_by_all_words",
    "the right sentences are divided by the number of words. Divide by the number of sentences.",
    lambda pred, gold, eos: _right(pred, gold, eos).sum() / gold.size,
)
_matched(
    "first_prediction_for_all",
    "every answer is compared with the first prediction. Each has a prediction of its own.",
    lambda pred, gold, eos: _right(pred[:1], gold, eos).mean(),
)
_matched(
    "all_or_nothing",
    "it is all or nothing for the whole batch. The share of right sentences is wanted.",
    lambda pred, gold, eos: float(_right(pred, gold, eos).all()),
)
_matched(
    "eos_not_compared",
    "eos itself isn't compared: a prediction that goes on where the answer ends counts as right.",
    lambda pred, gold, eos: ((pred == gold) | ~_counting(gold, eos) | (gold == eos)).all(axis=1).mean(),
)


@mistake("exact_match", "the order of the words doesn't count. Each word has to be right in its place.")
def order_ignored(pred, gold, eos):
    pairs = zip(pred, gold, _lengths(pred, eos), _lengths(gold, eos))
    return np.mean([sorted(p[:end]) == sorted(g[:last]) for p, g, end, last in pairs])


# ---- combine_weighted_sum_backward


def _dalpha(products, alpha):
    return products.sum() if np.ndim(alpha) == 0 else products.sum(axis=1, keepdims=True)


def _sum_back(name, cause, dq=lambda g, s: s * g, dc=lambda g, s: (1 - s) * g, each=None, added=None, order=(0, 1, 2)):
    """The gradients of the weighted sum with one part exchanged."""

    def backward(dh, h_tilde, c, alpha):
        products = each(dh, h_tilde, c, alpha) if each else dh * (h_tilde - c)
        dalpha = (added or partial(_dalpha, alpha=alpha))(products)
        results = dq(dh, alpha), dc(dh, alpha), dalpha
        return tuple(results[k] for k in order)

    enter("combine_weighted_sum_backward", name, cause, backward)


_sum_back("factors_exchanged", "α and 1 − α have changed places: dh̃ gets the factor α, dc the rest.", order=(1, 0, 2))
_sum_back(
    "dh_tilde_in_full",
    "dh̃ lacks its factor: h̃ went in with the share α, so it gets that share back.",
    dq=lambda g, s: 1.0 * g,
)
_sum_back(
    "dc_in_full", "dc lacks its factor: c went in with the share 1 − α, so it gets that back.", dc=lambda g, s: 1.0 * g
)
_sum_back(
    "both_in_full",
    "dh̃ and dc lack their factors: each gets back the share it went in with.",
    dq=lambda g, s: 1.0 * g,
    dc=lambda g, s: 1.0 * g,
)
_sum_back("dalpha_without_c", "dα leaves out c. A larger α takes c away.", each=lambda g, q, c, s: g * q)
_sum_back(
    "dalpha_of_a_sigmoid",
    "dα has a factor α (1 − α), as if α came out of a sigmoid. Here it is the share.",
    each=lambda g, q, c, s: s * (1 - s) * g * (q - c),
)
_sum_back("dalpha_times_alpha", "dα has a factor α too many.", each=lambda g, q, c, s: s * g * (q - c))
_sum_back(
    "dc_without_brackets",
    "in dc brackets are missing: only α is multiplied by dh, and not the whole rest.",
    dc=lambda g, s: 1 - s * g,
)
_sum_back("dalpha_first", "dα comes first. The order is dh̃, dc, dα.", order=(2, 0, 1))
_sum_back(
    "dalpha_per_sentence",
    "dα is one number per sentence. One α for the whole batch gets one number, from all of them.",
    added=lambda products: products.sum(axis=1, keepdims=True),
)
_sum_back("dalpha_not_added_up", "the products for dα are not added up.", added=lambda products: products)
_sum_back(
    "dalpha_one_number",
    "dα is always one number for the whole batch. An α per sentence gets one each.",
    added=lambda products: products.sum(),
)


def _averaged(products, alpha):
    return products.mean() if np.ndim(alpha) == 0 else products.mean(axis=1, keepdims=True)


def _over_the_sentences(products, alpha):
    return products.sum() if np.ndim(alpha) == 0 else products.sum(axis=0, keepdims=True)


for _name, _cause, _added in (
    ("dalpha_averaged", "the products for dα are averaged. Add them up.", _averaged),
    (
        "dalpha_over_the_sentences",
        "an α per sentence gets sums over the sentences. Add up the numbers of each sentence.",
        _over_the_sentences,
    ),
):
    enter(
        "combine_weighted_sum_backward",
        _name,
        _cause,
        lambda dh, q, c, s, added=_added: (s * dh, (1 - s) * dh, added(dh * (q - c), s)),
    )
_sum_back("dalpha_without_dh", "dα leaves out dh.", each=lambda g, q, c, s: q - c)
_sum_back("dc_times_missing", "dc is dh − α: α has to be a factor, 1 − α.", dc=lambda g, s: g - s)
_sum_back("dalpha_without_sign", "dα takes h̃ − c without its sign.", each=lambda g, q, c, s: g * np.abs(q - c))
enter(
    "combine_weighted_sum_backward",
    "times_h_tilde_and_c",
    "dh̃ and dc are multiplied by h̃ and c themselves. Each gets dh times its share.",
    lambda dh, q, c, s: (s * dh * q, (1 - s) * dh * c, _dalpha(dh * (q - c), s)),
)
enter(
    "combine_weighted_sum_backward",
    "back_with_first_alpha",
    "dh̃ and dc take the first sentence's α for every sentence. Each sentence has its own.",
    lambda dh, q, c, s: (np.ravel(s)[0] * dh, (1 - np.ravel(s)[0]) * dh, _dalpha(dh * (q - c), s)),
)


@mistake("combine_weighted_sum_backward", "the slope of a tanh is multiplied in. The weighted sum has none.")
def slope_of_tanh(dh, h_tilde, c, alpha):
    dh = dh * (1 - np.tanh(alpha * h_tilde + (1 - alpha) * c) ** 2)
    return alpha * dh, (1 - alpha) * dh, _dalpha(dh * (h_tilde - c), alpha)


# ---- combine_concat_backward


def _slope_of(z):
    return 1 - np.tanh(z) ** 2


def _concat_back(name, cause, slope=_slope_of, returned=None):
    """The gradients of the concatenation with one part exchanged."""

    def backward(dh, h_tilde, c, Wc):
        both = _side_by_side(h_tilde, c)
        dz = dh * slope(both @ Wc)
        dh_tilde, dc = np.split(dz @ Wc.T, 2, axis=1)
        dWc = both.T @ dz
        return returned(dh_tilde, dc, dWc) if returned else (dh_tilde, dc, dWc)

    enter("combine_concat_backward", name, cause, backward)


_concat_back("slope_missing", "the slope of tanh is missing: dh has to go through the tanh first.", slope=lambda z: 1)
_concat_back(
    "slope_of_z", "the slope is 1 − z². What is squared has to be the tanh of z, which is h.", slope=lambda z: 1 - z**2
)
_concat_back(
    "slope_for_a_sigmoid",
    "the slope is h (1 − h), which would fit a sigmoid. That of tanh is 1 − h².",
    slope=lambda z: np.tanh(z) * (1 - np.tanh(z)),
)
_concat_back("slope_not_squared", "the slope is 1 − h, without the square.", slope=lambda z: 1 - np.tanh(z))
_concat_back("slope_twice", "the slope of tanh is there twice.", slope=lambda z: _slope_of(z) ** 2)
_concat_back(
    "halves_exchanged",
    "dh̃ and dc have changed places: the first half belongs to h̃, the second to c.",
    returned=lambda dq, dc, dWc: (dc, dq, dWc),
)


@mistake(
    "combine_concat_backward", "c stands first when the two are laid side by side. h̃ comes first, as in the forward."
)
def c_laid_first(dh, h_tilde, c, Wc):
    both = _side_by_side(c, h_tilde)
    dz = dh * _slope_of(both @ Wc)
    dc, dh_tilde = np.split(dz @ Wc.T, 2, axis=1)
    return dh_tilde, dc, both.T @ dz


@mistake(
    "combine_concat_backward", "c stands first when the two are laid side by side. h̃ comes first, as in the forward."
)
def c_laid_first_only(dh, h_tilde, c, Wc):
    both = _side_by_side(c, h_tilde)
    dz = dh * _slope_of(both @ Wc)
    return *np.split(dz @ Wc.T, 2, axis=1), both.T @ dz


_concat_back(
    "dWc_transposed",
    "dWc is transposed. It has the shape of Wc.",
    returned=lambda dq, dc, dWc: (dq, dc, dWc.T),
)


@mistake("combine_concat_backward", "the slope is 1 − dh². What is squared has to be h, the tanh.")
def slope_of_dh(dh, h_tilde, c, Wc):
    both = _side_by_side(h_tilde, c)
    dz = dh * (1 - dh**2)
    return *np.split(dz @ Wc.T, 2, axis=1), both.T @ dz
