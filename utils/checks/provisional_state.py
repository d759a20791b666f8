"""Probes and oracles of notebook 01: the encoder's states and the provisional state."""

import numpy as np

from utils.checks import inputs
from utils.checks.exercise import Exercise, gradients


def rnn_step(x, h_prev, Wx, Wh, b):
    return np.array([np.tanh(row @ Wx + state @ Wh + b) for row, state in zip(x, h_prev)])


def _encode(X, keep, Wx, Wh, b):
    hs = []
    for sentence, real in zip(X, keep):
        h, states = np.zeros(len(b)), []
        for x, is_word in zip(sentence, real):
            if is_word:
                h = np.tanh(x @ Wx + h @ Wh + b)
            states.append(h)
        hs.append(states)
    return np.array(hs)


def _decoder_init(hs):
    return np.array([sentence[len(sentence) - 1] for sentence in hs])


def _shift_right(y, bos):
    return np.array([[bos, *row[: len(row) - 1]] for row in y.tolist()])


def _provisional_states(hs, Y, Wx, Wh, b):
    all_states = []
    for memory, words in zip(hs, Y):
        h, states = memory[-1], []
        for y in words:
            h = np.tanh(y @ Wx + h @ Wh + b)
            states.append(h)
        all_states.append(states)
    return np.array(all_states)


def _linear_backward(dy, x, W):
    return gradients(lambda x, W: x @ W, (x, W), (0, 1), dy)


def _rnn_step_backward(dh, *arguments):
    return gradients(rnn_step, arguments, (0, 1, 2, 3, 4), dh)


def _embedding_backward(dX, ids, V):
    dE = np.zeros((V, dX.shape[2]))
    for row, word_ids in zip(dX, ids):
        for gradient, i in zip(row, word_ids):
            dE[i] += gradient
    return dE


def _sentences(rng, s):
    """Embedded words, `keep`, and the weights of an encoder."""
    return rng.randn(s.N, s.T, s.D), inputs.padded(s.N, s.T), *inputs.rnn_weights(rng, s)


def _weights_of(rng, D, H):
    return rng.randn(D, H), rng.randn(H, H), rng.randn(H)


def _odd_padding(rng):
    holes = np.array([[1, 0, 1, 1, 0], [0, 1, 1, 0, 1], [1, 1, 0, 0, 0]], dtype=bool)
    nothing = np.array([[1, 1, 1, 1, 1], [0, 0, 0, 0, 0], [1, 1, 0, 0, 0]], dtype=bool)
    weights = (rng.randn(2, 4), 0.7 * rng.randn(4, 4), rng.randn(4))
    X, zero_words = rng.randn(3, 5, 2), rng.randn(3, 5, 2)
    zero_words[:, 1] = 0
    return {
        "padding in the middle and in front": (X, holes, *weights),
        "padding in the middle, 0/1": (X, holes.astype(int), *weights),
        "a sentence of padding only": (X, nothing, *weights),
        "a word whose vector is zero": (zero_words, inputs.padded(3, 5), *weights),
        "large numbers": (2000 * X, inputs.padded(3, 5), *weights),
    }


EXERCISES = [
    Exercise(
        name="rnn_step",
        sizes="NDH",
        make=lambda rng, s: (rng.randn(s.N, s.D), rng.randn(s.N, s.H), *inputs.rnn_weights(rng, s)),
        oracle=rnn_step,
        returns=("h",),
        held="both products, the bias and tanh are in place, each sentence on its own.",
        special=lambda rng: {
            "large numbers": (500 * rng.randn(3, 2), rng.randn(3, 4), rng.randn(2, 4), rng.randn(4, 4), rng.randn(4))
        },
    ),
    Exercise(
        name="encode",
        sizes="NTDH",
        make=_sentences,
        oracle=_encode,
        returns=("hs",),
        held="starts at 0, carries the state over padding wherever it stands.",
        special=_odd_padding,
    ),
    Exercise(
        name="decoder_init",
        sizes="NTH",
        make=lambda rng, s: (rng.randn(s.N, s.T, s.H),),
        oracle=_decoder_init,
        returns=("state",),
        held="each sentence's own last state.",
        special=lambda rng: {"a last state of 0": (np.concatenate([rng.randn(3, 4, 2), np.zeros((3, 1, 2))], axis=1),)},
        whole_numbers=False,
    ),
    Exercise(
        name="shift_right",
        sizes="NU",
        make=lambda rng, s: (rng.randint(0, 9, (s.N, s.U)), 1),
        oracle=_shift_right,
        returns=("inputs",),
        held="bos first, then the targets but the last.",
        gives_ids=True,
        timed=False,
        special=lambda rng: {
            "another bos": (rng.randint(0, 9, (2, 4)), 7),
            "bos among the words": (np.array([[1, 5, 1], [2, 1, 1]]), 1),
            "large word numbers": (np.array([[300, 70000, 5], [131, 2, 40000]]), 1),
            "bos is 0": (rng.randint(1, 9, (2, 4)), 0),
            "zeros among the words": (np.array([[4, 0, 0, 2], [0, 3, 0, 0]]), 1),
        },
    ),
    Exercise(
        name="provisional_states",
        sizes="NTUDH",
        make=lambda rng, s: (rng.randn(s.N, s.T, s.H), rng.randn(s.N, s.U, s.D), *inputs.rnn_weights(rng, s)),
        oracle=_provisional_states,
        returns=("H_tilde",),
        held="starts at hs[-1], one step a word, h̃ carried from step to step.",
    ),
    Exercise(
        name="linear_backward",
        sizes="NIO",
        make=lambda rng, s: (rng.randn(s.N, s.O), rng.randn(s.N, s.I), rng.randn(s.I, s.O)),
        oracle=_linear_backward,
        returns=("dx", "dW"),
        held="both gradients agree with nudging every number.",
    ),
    Exercise(
        name="rnn_step_backward",
        sizes="NDH",
        make=lambda rng, s: (
            rng.randn(s.N, s.H), rng.randn(s.N, s.D), rng.randn(s.N, s.H), *inputs.rnn_weights(rng, s)
        ),
        oracle=_rnn_step_backward,
        returns=("dx", "dh_prev", "dWx", "dWh", "db"),
        held="all five gradients agree with nudging every number.",
        special=lambda rng: {
            "large numbers": (rng.randn(3, 4), 900 * rng.randn(3, 2), rng.randn(3, 4), *_weights_of(rng, 2, 4)),
        },
    ),
    Exercise(
        name="embedding_backward",
        sizes="NTD",
        make=lambda rng, s: (rng.randn(s.N, s.T, s.D), rng.randint(0, 6, (s.N, s.T)), 9),
        oracle=_embedding_backward,
        returns=("dE",),
        held="repeated words add up, absent words get 0.",
        special=lambda rng: {
            "one word again and again": (rng.randn(2, 3, 4), np.full((2, 3), 1), 3),
            "the last words are absent": (rng.randn(2, 3, 4), np.array([[0, 1, 1], [1, 0, 2]]), 8),
            "a large vocabulary": (rng.randn(2, 2, 3), np.array([[299, 131], [255, 299]]), 300),
            "the same sentence three times": (rng.randn(3, 3, 4), np.tile([1, 2, 4], (3, 1)), 6),
        },
    ),
]  # fmt: skip
