"""Probes and oracles of notebook 03: softmax."""

import math

import numpy as np

from utils.checks.exercise import Exercise
from utils.checks.provisional_state import _padded


def _softmax_one(e):
    highest = max(e)
    z = [math.exp(score - highest) for score in e]
    return np.array(z) / math.fsum(z)


def _softmax(e):
    return np.array([_softmax_one(row) for row in e])


def _masked_softmax(e, keep):
    a = np.zeros(e.shape)
    for weights, scores, real in zip(a, e, keep):
        kept = [i for i, is_word in enumerate(real) if is_word]
        if kept:
            weights[kept] = _softmax_one(scores[kept])
    return a


def _softmax_backward(da, a):
    """Through the whole Jacobian, ∂a_j/∂e_i = a_j ((i = j) − a_i)."""
    return np.array([(np.diag(weights) - np.outer(weights, weights)) @ slope for slope, weights in zip(da, a)])


def _extreme(rng):
    return {
        "scores around 1000": np.array([[1000.0, 1001, 999], [-3, 2, 0]]),
        "scores around -1000": np.array([[-1000.0, -1001, -999], [-2000, -3000, -1500]]),
        "scores far apart": np.array([[0.0, 1e6, -1e6], [5, -800, 800]]),
        "rows of different height": np.array([[1.0, 2, 3], [101, 102, 103], [-900, -901, -899]]),
        "equal scores": np.zeros((2, 4)),
    }


def _odd_masks(rng):
    e = rng.randn(3, 5)
    holes = np.array([[1, 0, 1, 1, 0], [0, 1, 1, 0, 1], [0, 0, 0, 1, 0]], dtype=bool)
    nothing = np.array([[1, 1, 1, 1, 0], [0, 0, 0, 0, 0], [1, 1, 0, 0, 0]], dtype=bool)
    high = np.where(holes, e, 9000)
    return {
        "padding in the middle and in front": (e, holes),
        "padding in the middle, 0/1": (e, holes.astype(int)),
        "a row with nothing to keep": (e, nothing),
        "a row with nothing to keep, 0/1": (e, nothing.astype(int)),
        "huge scores at padding": (high, holes),
        "huge negative scores at padding": (np.where(holes, e, -9000), holes),
        "kept scores around -30000": (e - 30000, holes),
        "kept scores around -1e9": (np.where(holes, -1e9, 3.0), holes),
        "scores around 1000": (e + 1000, nothing),
        "kept scores of 0": (np.where(holes, 0.0, e), holes),
        "rows of different height": (e + np.array([[0.0], [900], [-900]]), holes),
    }


EXERCISES = [
    Exercise(
        name="softmax_one",
        sizes="T",
        make=lambda rng, s: (rng.randn(s.T),),
        oracle=_softmax_one,
        returns=("a",),
        held="weights sum to 1, scores of ±1000 and beyond stay finite.",
        special=lambda rng: {name: (e[0],) for name, e in _extreme(rng).items()},
    ),
    Exercise(
        name="softmax",
        sizes="NT",
        make=lambda rng, s: (rng.randn(s.N, s.T),),
        oracle=_softmax,
        returns=("a",),
        held="rows sum to 1, scores of ±1000 and beyond stay finite.",
        special=lambda rng: {name: (e,) for name, e in _extreme(rng).items()},
    ),
    Exercise(
        name="masked_softmax",
        sizes="NT",
        make=lambda rng, s: (rng.randn(s.N, s.T), _padded(s.N, s.T)),
        oracle=_masked_softmax,
        returns=("a",),
        held="rows sum to 1, padding exactly 0, scores of ±1000 stay finite.",
        special=_odd_masks,
    ),
    Exercise(
        name="softmax_backward",
        sizes="NT",
        make=lambda rng, s: (rng.randn(s.N, s.T), _softmax(rng.randn(s.N, s.T))),
        oracle=_softmax_backward,
        returns=("de",),
        held="agrees with the whole Jacobian, row by row.",
        whole_numbers=False,
        special=lambda rng: {
            "weights with padding": (rng.randn(3, 5), _masked_softmax(rng.randn(3, 5), _padded(3, 5))),
            "weights of 0 and 1": (rng.randn(2, 3), np.eye(3)[[1, 0]]),
            "whole numbers": (np.array([[1, -2, 3], [0, 4, 1]]), _softmax(rng.randn(2, 3))),
        },
    ),
]
