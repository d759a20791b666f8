"""Probes and oracles of notebook 02: scores."""

import numpy as np

from utils.checks.exercise import Exercise, gradients


def _dot_score_one(h_tilde, hs):
    return np.array([sum(q * k for q, k in zip(h_tilde, h)) for h in hs])


def dot_score(h_tilde, hs):
    return np.array([_dot_score_one(q, memory) for q, memory in zip(h_tilde, hs)])


def _additive_score_one(h_tilde, hs, W1, W2, v):
    return np.array([np.tanh(W1.T @ h_tilde + W2.T @ h) @ v for h in hs])


def additive_score(h_tilde, hs, W1, W2, v):
    return np.array([_additive_score_one(q, memory, W1, W2, v) for q, memory in zip(h_tilde, hs)])


def _dot_score_backward(de, h_tilde, hs):
    return gradients(dot_score, (h_tilde, hs), (0, 1), de)


def _additive_score_backward(de, *arguments):
    def scores(h_tilde, hs, W1, W2, v):
        return np.tanh((h_tilde @ W1)[:, None] + hs @ W2) @ v

    return gradients(scores, arguments, (0, 1, 2, 3, 4), de)


def _states(rng, s):
    return rng.randn(s.N, s.H), rng.randn(s.N, s.T, s.H)


def _weights(rng, s):
    return 0.6 * rng.randn(s.H, s.A), 0.6 * rng.randn(s.H, s.A), rng.randn(s.A)


def _lengths(rng):
    """States of very different lengths, and opposite ones: cosines and absolute values do not pass."""
    hs = rng.randn(2, 5, 3) * np.array([0.1, 1, 10, 100, 1])[:, None]
    return {
        "very different lengths": (rng.randn(2, 3), hs),
        "opposite states": (np.ones((2, 3)), -np.abs(hs)),
        "a state of 0": (rng.randn(2, 3), hs * np.array([1, 0, 1, 1, 0])[:, None]),
    }


def _large_states(rng):
    """States that saturate every tanh, one of them 0, and weights."""
    h_tilde, hs = 900 * rng.randn(2, 4), 900 * rng.randn(2, 5, 4) * np.array([1, 1, 0, 1, 1])[:, None]
    return h_tilde, hs, rng.randn(4, 6), rng.randn(4, 6), rng.randn(6)


EXERCISES = [
    Exercise(
        name="dot_score_one",
        sizes="TH",
        make=lambda rng, s: (rng.randn(s.H), rng.randn(s.T, s.H)),
        oracle=_dot_score_one,
        returns=("e",),
        held="one score per word, direction and length both count.",
        special=lambda rng: {name: (q[0], hs[0]) for name, (q, hs) in _lengths(rng).items()},
    ),
    Exercise(
        name="dot_score",
        sizes="NTH",
        make=_states,
        oracle=dot_score,
        returns=("e",),
        held="each sentence is scored with its own h̃.",
        special=_lengths,
    ),
    Exercise(
        name="additive_score_one",
        sizes="THA",
        make=lambda rng, s: (rng.randn(s.H), rng.randn(s.T, s.H), *_weights(rng, s)),
        oracle=_additive_score_one,
        returns=("e",),
        held="W1 meets h̃, W2 meets every h_i, v sums up.",
        special=lambda rng: {
            "large states": (900 * rng.randn(4), 900 * rng.randn(5, 4), rng.randn(4, 6), rng.randn(4, 6), rng.randn(6)),
            "a state of 0": (rng.randn(4), np.eye(5, 4), rng.randn(4, 6), rng.randn(4, 6), rng.randn(6)),
        },
    ),
    Exercise(
        name="additive_score",
        sizes="NTHA",
        make=lambda rng, s: (*_states(rng, s), *_weights(rng, s)),
        oracle=additive_score,
        returns=("e",),
        held="each sentence is scored with its own h̃, by the same W1, W2 and v.",
        special=lambda rng: {"large states": _large_states(rng)},
    ),
    Exercise(
        name="dot_score_backward",
        sizes="NTH",
        make=lambda rng, s: (rng.randn(s.N, s.T), *_states(rng, s)),
        oracle=_dot_score_backward,
        returns=("dh_tilde", "dhs"),
        held="both gradients agree with nudging every number.",
    ),
    Exercise(
        name="additive_score_backward",
        sizes="NTHA",
        make=lambda rng, s: (rng.randn(s.N, s.T), *_states(rng, s), *_weights(rng, s)),
        oracle=_additive_score_backward,
        returns=("dh_tilde", "dhs", "dW1", "dW2", "dv"),
        held="all five gradients agree with nudging every number.",
        special=lambda rng: {"large states": (rng.randn(2, 5), *(np.abs(x) for x in _large_states(rng)))},
    ),
]
