"""Probes and oracles of notebook 05: combine, next word, the whole decoder step, decoding."""

from types import SimpleNamespace

import numpy as np

from utils.checks import context, inputs, provisional_state, scores, softmax
from utils.checks.exercise import SIZES, Exercise, gradients
from utils.checks.run import StepTable


def _combine_concat_one(h_tilde, c, Wc):
    H = len(h_tilde)
    return np.tanh(h_tilde @ Wc[:H] + c @ Wc[H:])


def _combine_concat(h_tilde, c, Wc):
    return np.array([_combine_concat_one(q, vector, Wc) for q, vector in zip(h_tilde, c)])


def _combine_weighted_sum(h_tilde, c, alpha):
    alphas = np.zeros(len(h_tilde), dtype=np.result_type(alpha, float)) + np.ravel(alpha)
    return np.array([weight * q + (1 - weight) * vector for weight, q, vector in zip(alphas, h_tilde, c)])


def _output_logits(h, Wo, bo):
    return np.array([[state @ column + bias for column, bias in zip(Wo.T, bo)] for state in h])


def _next_word(logits):
    return np.array([row.index(max(row)) for row in logits.tolist()])


def _decoder_step(x, carry, hs, keep, p):
    h_tilde = provisional_state.rnn_step(x, carry, p["Wx"], p["Wh"], p["b"])
    a = softmax.masked_softmax(scores.additive_score(h_tilde, hs, p["W1"], p["W2"], p["v"]), keep)
    h = _combine_concat(h_tilde, context.context(a, hs), p["Wc"])
    return _output_logits(h, p["Wo"], p["bo"]), a, h_tilde, h


def _greedy_decode(step, state, bos, eos, max_len):
    ids, word = [], bos
    for _ in range(max_len):
        logits, state = step(word, state)
        word = logits.tolist().index(max(logits.tolist()))
        ids.append(word)
        if word == eos:
            break
    return np.array(ids, dtype=int)


def _exact_match(pred, gold, eos):
    def sentence(row):
        row = row.tolist()
        return row[: row.index(eos) + 1] if eos in row else row

    return sum(sentence(p) == sentence(g) for p, g in zip(pred, gold)) / len(gold)


def _combine_weighted_sum_backward(dh, h_tilde, c, alpha):
    return gradients(_combine_weighted_sum, (h_tilde, c, alpha), (0, 1, 2), dh)


def _combine_concat_backward(dh, h_tilde, c, Wc):
    return gradients(_combine_concat, (h_tilde, c, Wc), (0, 1, 2), dh)


def _two_states(rng, s):
    return rng.randn(s.N, s.H), rng.randn(s.N, s.H)


def _alphas(rng, upstream=False):
    """Calls with α per sentence, at its ends, and of shape (1, 1)."""

    def call(N, H, alpha):
        return tuple(rng.randn(N, H) for _ in range(3 if upstream else 2)) + (alpha,)

    each = np.array([[0.1], [0.6], [0.9]])
    return {
        "alpha per sentence": call(3, 4, each),
        "alpha per sentence, N = H": call(3, 3, each),
        "alpha of shape (1, 1)": call(1, 4, np.array([[0.3]])),
        "alpha = 0": call(3, 4, 0.0),
        "alpha = 1": call(3, 4, 1.0),
        "alpha = 1 in whole numbers": call(2, 4, 1),
        "alpha = 0.8": call(2, 4, 0.8),
        "alpha = -1": call(2, 4, -1.0),
        "alpha = 2": call(2, 4, 2.0),
    }


def _odd_steps(rng):
    x, carry, hs, keep, p = inputs.step_inputs(rng, SimpleNamespace(**SIZES))
    steep = {**p, "v": 2000 * p["v"]}
    attractive = np.where(keep[:, :, None], hs, 4 * np.sign(p["W2"] @ p["v"]))
    return inputs.odd_steps(rng) | {
        "a large v": (x, carry, hs, keep, steep),
        "padding with the highest scores": (x, carry, attractive, keep, {**p, "v": 300 * p["v"]}),
        "large x": (400 * x, carry, hs, keep, p),
    }


def _tables(rng):
    """Decoders as tables: chains of words, words that depend on the position, ties, no end, bos as a word."""

    def chain(**follows):
        by_word = np.zeros((7, 7))
        for word, following in follows.items():
            by_word[int(word[1:]), following] = 5
        return StepTable(by_word, np.zeros((1, 7)))

    def by_position(*words):
        return StepTable(0.1 * rng.randn(7, 7), 4 * np.eye(7)[list(words)])

    ties = StepTable(np.zeros((7, 7)), 3 * (np.eye(7)[[3, 4, 2]] + np.eye(7)[[5, 6, 2]]))
    low = chain(w1=3, w3=4, w4=5, w5=2)
    return {
        "a chain of words": (chain(w1=3, w3=4, w4=5, w5=2), 0, 1, 2, 10),
        "words by position": (by_position(3, 5, 4, 6, 3, 2), 0, 1, 2, 10),
        "words by both": (StepTable(rng.randn(7, 7), 1.5 * rng.randn(9, 7)), 0, 1, 2, 6),
        "no end": (chain(w1=3, w3=4, w4=3), 0, 1, 2, 4),
        "ends at once": (chain(w1=2, w2=3, w3=4), 0, 1, 2, 5),
        "a word twice in a row": (by_position(3, 3, 4, 2), 0, 1, 2, 8),
        "word 0, other bos and eos": (chain(w5=2, w2=1, w1=0, w0=3, w3=6), 0, 5, 6, 9),
        "bos as a word": (by_position(3, 1, 4, 2), 0, 1, 2, 8),
        "negative logits": (StepTable(low.by_word - 20, low.by_position), 0, 1, 2, 10),
        "equal logits": (ties, 0, 1, 2, 8),
        "words above 9": (StepTable(0.1 * rng.randn(13, 13), 4 * np.eye(13)[[11, 12, 10, 2]]), 0, 1, 2, 8),
        "bos and eos are the same word": (chain(w2=3, w3=4, w4=2), 0, 2, 2, 8),
        "no word allowed": (chain(w1=3, w3=4), 0, 1, 2, 0),
        "one word allowed": (chain(w1=3, w3=4), 0, 1, 2, 1),
        "ends with the last word allowed": (by_position(3, 4, 2), 0, 1, 2, 3),
        "starts from a later state": (by_position(3, 4, 5, 6, 2), 2, 1, 2, 9),
    }


def _logit_rows(rng):
    return {
        "the first of equals": (np.array([[1.0, 3, 3, 2], [2, 0, 1, 2], [-1, -1, -1, -1], [0, 5, 1, 5]]),),
        "negative logits": (np.array([[-3.0, -1, -2], [-0.5, -0.7, -0.2]]),),
        "logits around -1000": (np.array([[-3000.0, -1000, -2000], [-900, -800, -700]]),),
        "logits around 1000": (np.array([[1000.0, 1001, 999], [800, 2000, 3000]]),),
        "logits far below": (np.array([[-9.0, 1, 3], [2, -5, 1]]),),
        "almost equal": (np.array([[1000, 1000.00001, 999], [0.3, 0.1, 0.300001], [5.2, 5.4, 5.1]]),),
        "falling rows": (np.array([[1.0, 9, 2], [0, 1, 5], [3, 2, 0.5]]),),
        "a large vocabulary": (np.eye(300)[[299, 130, 5]] + 0.01 * rng.randn(3, 300),),
        "equals in a large vocabulary": (np.isin(np.arange(300), [17, 250]) * 1.0 + np.zeros((2, 1)),),
        "every word once": (np.eye(5)[[0, 4, 2, 1, 3]] + 0.1 * rng.randn(5, 5),),
        "forbidden words": (np.array([[-np.inf, 1, 2], [0, -np.inf, -5], [-np.inf, -np.inf, -7]]),),
        "whole numbers": (np.array([[1, 2, 2], [4, -1, 0], [0, 0, 3]]),),
    }


_GOLD = np.array([[5, 6, 7, 2, 0], [8, 2, 0, 0, 0], [9, 4, 3, 5, 2], [6, 2, 0, 0, 0]])


def _predictions(rng):
    predictions = {
        "one wrong": [[5, 6, 7, 2, 0], [8, 5, 2, 0, 0], [9, 4, 3, 5, 2], [6, 2, 0, 0, 0]],
        "anything after eos": [[5, 6, 7, 2, 9], [8, 2, 8, 2, 5], [9, 4, 3, 5, 2], [7, 2, 0, 0, 0]],
        "wrong order": [[6, 5, 7, 2, 0], [8, 2, 0, 0, 0], [9, 3, 4, 5, 2], [6, 2, 0, 0, 0]],
        "last word wrong": [[5, 6, 9, 2, 0], [8, 2, 0, 0, 0], [9, 4, 3, 6, 2], [6, 2, 0, 0, 0]],
        "no eos": [[5, 6, 7, 7, 7], [8, 2, 0, 0, 0], [9, 4, 3, 5, 5], [6, 2, 0, 0, 0]],
        "too short": [[5, 6, 2, 0, 0], [8, 2, 0, 0, 0], [9, 2, 0, 0, 0], [6, 2, 0, 0, 0]],
        "all right": _GOLD.tolist(),
        "all wrong": np.full((4, 5), 1).tolist(),
    }
    return {name: (np.array(pred), _GOLD, 2) for name, pred in predictions.items()} | {
        "0 is a word": (np.array([[5, 0, 2], [0, 5, 2], [4, 2, 0]]), np.array([[5, 0, 2], [5, 0, 2], [4, 2, 0]]), 2),
        "eos again after the end": (np.array([[5, 2, 9, 9], [4, 2, 0, 0]]), np.array([[5, 2, 7, 2], [4, 3, 2, 0]]), 2),
        "another eos": (np.array([[5, 2, 7], [8, 7, 0]]), np.array([[5, 2, 7], [8, 7, 1]]), 7),
        "words above 9": (np.array([[1, 12, 99], [3, 4, 99]]), np.array([[11, 2, 99], [3, 4, 99]]), 99),
        "an answer without eos": (np.array([[5, 2, 7], [8, 4, 3]]), np.array([[5, 6, 7], [8, 4, 3]]), 2),
    }


EXERCISES = [
    Exercise(
        name="combine_concat_one",
        sizes="HO",
        make=lambda rng, s: (rng.randn(s.H), rng.randn(s.H), 0.6 * rng.randn(2 * s.H, s.O)),
        oracle=_combine_concat_one,
        returns=("h",),
        held="h̃ first, then c, through W_c and tanh.",
        special=lambda rng: {"large numbers": (900 * rng.randn(4), 900 * rng.randn(4), rng.randn(8, 5))},
    ),
    Exercise(
        name="combine_concat",
        sizes="NHO",
        make=lambda rng, s: (*_two_states(rng, s), 0.6 * rng.randn(2 * s.H, s.O)),
        oracle=_combine_concat,
        returns=("h",),
        held="h̃ first, then c, through W_c and tanh, each sentence on its own.",
        special=lambda rng: {"large numbers": (900 * rng.randn(3, 4), 900 * rng.randn(3, 4), rng.randn(8, 5))},
    ),
    Exercise(
        name="combine_weighted_sum",
        sizes="NH",
        make=lambda rng, s: (*_two_states(rng, s), 0.3),
        oracle=_combine_weighted_sum,
        returns=("h",),
        held="alpha weighs h̃, the rest weighs c; one alpha for all or one per sentence.",
        special=_alphas,
    ),
    Exercise(
        name="output_logits",
        sizes="NHV",
        make=lambda rng, s: (rng.randn(s.N, s.H), rng.randn(s.H, s.V), rng.randn(s.V)),
        oracle=_output_logits,
        returns=("logits",),
        held="one plain number per word of the vocabulary.",
        special=lambda rng: {"large numbers": (300 * rng.randn(3, 4), rng.randn(4, 9), rng.randn(9))},
    ),
    Exercise(
        name="next_word_probs",
        sizes="NV",
        make=lambda rng, s: (rng.randn(s.N, s.V),),
        oracle=softmax.softmax,
        returns=("p",),
        held="rows sum to 1 over the words, logits of ±1000 stay finite.",
        special=lambda rng: {name: (logits,) for name, logits in inputs.score_rows().items()},
    ),
    Exercise(
        name="next_word",
        sizes="NV",
        make=lambda rng, s: (rng.randn(s.N, s.V),),
        oracle=_next_word,
        returns=("word",),
        held="the likeliest word of each row, the first of equals.",
        gives_ids=True,
        whole_numbers=False,
        special=_logit_rows,
    ),
    Exercise(
        name="decoder_step",
        sizes="NTDHAV",
        make=inputs.step_inputs,
        oracle=_decoder_step,
        returns=("logits", "a", "h_tilde", "h"),
        exact_zeros=True,
        held="all stages in order, both states returned.",
        order=(
            ("h_tilde", "the provisional state, from x and carry"),
            ("a", "the scores and the softmax"),
            ("h", "the context and the combination"),
            ("logits", "the output layer"),
        ),
        special=_odd_steps,
    ),
    Exercise(
        name="greedy_decode",
        sizes="",
        make=lambda rng, s: (StepTable(rng.randn(7, 7), 1.5 * rng.randn(9, 7)), 0, 1, 2, 6),
        oracle=_greedy_decode,
        returns=("ids",),
        held="feeds back its own words, ends with eos or after max_len.",
        gives_ids=True,
        timed=False,
        special=_tables,
    ),
    Exercise(
        name="exact_match",
        sizes="",
        make=lambda rng, s: (np.array([[5, 2, 7, 1], [8, 4, 2, 0]]), np.array([[5, 2, 0, 0], [8, 2, 0, 0]]), 2),
        oracle=_exact_match,
        returns=("share",),
        held="right to the last word, eos included, nothing after it.",
        timed=False,
        special=_predictions,
    ),
    Exercise(
        name="combine_weighted_sum_backward",
        sizes="NH",
        make=lambda rng, s: (rng.randn(s.N, s.H), *_two_states(rng, s), 0.3),
        oracle=_combine_weighted_sum_backward,
        returns=("dh_tilde", "dc", "dalpha"),
        held="all gradients agree with nudging every number, dalpha shaped like alpha.",
        special=lambda rng: _alphas(rng, upstream=True),
    ),
    Exercise(
        name="combine_concat_backward",
        sizes="NHO",
        make=lambda rng, s: (rng.randn(s.N, s.O), *_two_states(rng, s), 0.6 * rng.randn(2 * s.H, s.O)),
        oracle=_combine_concat_backward,
        returns=("dh_tilde", "dc", "dWc"),
        held="all gradients agree with nudging every number.",
        special=lambda rng: {
            "large numbers": (
                rng.randn(3, 5),
                *(900 * np.abs(x) for x in _two_states(rng, SimpleNamespace(**SIZES))),
                rng.rand(8, 5),
            )
        },  # fmt: skip
    ),
]
