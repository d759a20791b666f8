"""Probes and oracles of notebook 03: softmax."""

import math

import numpy as np

from utils.checks import inputs
from utils.checks.exercise import Exercise


def _softmax_one(e):
    highest = max(e)
    z = [math.exp(score - highest) for score in e]
    return np.array(z) / math.fsum(z)


def softmax(e):
    return np.array([_softmax_one(row) for row in e])


def masked_softmax(e, keep):
    a = np.zeros(e.shape)
    for weights, scores, real in zip(a, e, keep):
        kept = [i for i, is_word in enumerate(real) if is_word]
        if kept:
            weights[kept] = _softmax_one(scores[kept])
    return a


def _softmax_backward(da, a):
    """Through the whole Jacobian, ∂a_j/∂e_i = a_j ((i = j) − a_i)."""
    return np.array([(np.diag(weights) - np.outer(weights, weights)) @ slope for slope, weights in zip(da, a)])


def _masked(rng):
    e, holes, nothing = rng.randn(3, 5), inputs.holes(), inputs.nothing()
    return {name: (e, keep) for name, keep in inputs.odd_masks().items()} | {
        "padding in the middle and in front": (e, holes),
        "huge scores at padding": (np.where(holes, e, 9000), holes),
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
        special=lambda rng: {name: (e[0],) for name, e in inputs.score_rows().items()},
    ),
    Exercise(
        name="softmax",
        sizes="NT",
        make=lambda rng, s: (rng.randn(s.N, s.T),),
        oracle=softmax,
        returns=("a",),
        held="rows sum to 1, scores of ±1000 and beyond stay finite.",
        special=lambda rng: {name: (e,) for name, e in inputs.score_rows().items()},
    ),
    Exercise(
        name="masked_softmax",
        sizes="NT",
        make=lambda rng, s: (rng.randn(s.N, s.T), inputs.padded(s.N, s.T)),
        oracle=masked_softmax,
        returns=("a",),
        exact_zeros=True,
        held="rows sum to 1, padding exactly 0, scores of ±1000 stay finite.",
        special=_masked,
    ),
    Exercise(
        name="softmax_backward",
        sizes="NT",
        make=lambda rng, s: (rng.randn(s.N, s.T), softmax(rng.randn(s.N, s.T))),
        oracle=_softmax_backward,
        returns=("de",),
        held="agrees with the whole Jacobian, row by row.",
        whole_numbers=False,
        special=lambda rng: {
            "weights with padding": (rng.randn(3, 5), masked_softmax(rng.randn(3, 5), inputs.padded(3, 5))),
            "weights of 0 where nothing is kept": (rng.randn(2, 3), np.array([[0.0, 0, 0], [0.5, 0.2, 0.3]])),
            "weights of 0 and 1": (rng.randn(2, 3), np.eye(3)[[1, 0]]),
            "whole numbers": (np.array([[1, -2, 3], [0, 4, 1]]), softmax(rng.randn(2, 3))),
        },
    ),
]
