"""Inputs that the exercises of several notebooks are tried with."""

from types import SimpleNamespace

import numpy as np

from utils.checks.exercise import SIZES


def padded(N, T):
    """Real words on the left, lengths from T down, of every parity; transposing it is never the same."""
    lengths = [max(1, T - 2 * ((n + 1) % N)) for n in range(N)]
    return np.arange(T) < np.array(lengths)[:, None]


def holes():
    """A mask with padding in the middle and in front, as no sentence has it."""
    return np.array([[1, 0, 1, 1, 0], [0, 1, 1, 0, 1], [0, 0, 0, 1, 0]], dtype=bool)


def nothing():
    """A mask whose second row has nothing to keep."""
    return np.array([[1, 1, 1, 1, 0], [0, 0, 0, 0, 0], [1, 1, 0, 0, 0]], dtype=bool)


def odd_masks():
    """Masks for every exercise that takes one, by name: 0 and 1 in place of False and True, nothing to keep."""
    return {
        "padding in the middle, 0/1": holes().astype(int),
        "a row with nothing to keep": nothing(),
        "a row with nothing to keep, 0/1": nothing().astype(int),
    }


def score_rows():
    """Rows of scores or logits, by name: small ones to show, then extreme ones."""
    return {
        "small scores": np.array([[1.0, 2, 0], [0, 0, 3]]),
        "scores around 1000": np.array([[1000.0, 1001, 999], [-3, 2, 0]]),
        "scores around -1000": np.array([[-1000.0, -1001, -999], [-2000, -3000, -1500]]),
        "scores far apart": np.array([[0.0, 1e6, -1e6], [5, -800, 800]]),
        "rows of different height": np.array([[1.0, 2, 3], [101, 102, 103], [-900, -901, -899]]),
        "equal scores": np.zeros((2, 4)),
    }


def rnn_weights(rng, s):
    """Wx, Wh and b."""
    return rng.randn(s.D, s.H), 0.7 * rng.randn(s.H, s.H), rng.randn(s.H)


def step_inputs(rng, s, keep=None):
    """x, carry, hs, keep and p for one decoder step."""
    keep = padded(s.N, s.T) if keep is None else keep
    states = rng.randn(s.N, s.D), np.tanh(rng.randn(s.N, s.H)), np.tanh(rng.randn(s.N, s.T, s.H))
    return *states, keep, _parameters(rng, s)


def odd_steps(rng):
    """Calls of one decoder step with odd masks, by name."""
    return {name: step_inputs(rng, SimpleNamespace(**SIZES), keep) for name, keep in odd_masks().items()}


def _parameters(rng, s):
    shapes = {
        "Wx": (s.D, s.H), "Wh": (s.H, s.H), "b": (s.H,), "W1": (s.H, s.A), "W2": (s.H, s.A), "v": (s.A,),
        "Wc": (2 * s.H, s.H), "Wo": (s.H, s.V), "bo": (s.V,),
    }  # fmt: skip
    return {name: 0.6 * rng.randn(*shape) for name, shape in shapes.items()}
