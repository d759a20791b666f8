"""Probes and oracles of notebook 00."""

import numpy as np

from utils.checks.exercise import Exercise


def _embed(ids, E):
    return np.array([[[E[i, d] for d in range(E.shape[1])] for i in row] for row in ids])


def _ids(rng, N, T, V):
    """Word numbers with a word twice in a row, the first word and the last."""
    ids = rng.randint(0, V, (N, T))
    ids[:, -1] = ids[:, 0]
    ids[0, 0], ids[-1, -1] = V - 1, 0
    return ids


EXERCISES = [
    Exercise(
        name="embed",
        sizes="NTVD",
        make=lambda rng, s: (_ids(rng, s.N, s.T, s.V), rng.randn(s.V, s.D)),
        oracle=_embed,
        returns=("X",),
        held="every word gets its own row of E, repeated words too.",
        special=lambda rng: {
            "whole numbers": (np.array([[0, 2], [1, 2]]), np.array([[10.0, 11], [20, 21], [30, 31]])),
            "a large vocabulary": (rng.randint(120, 300, (3, 5)), rng.randn(300, 2)),
            "large numbers": (np.array([[0, 2], [1, 2]]), np.array([[1e300, -1e-300], [0, 1e8], [-1e300, 3.5]])),
            "small numbers": (np.array([[1, 3, 2], [4, 2, 1]]), 1e-3 * rng.randn(6, 4) + 1e-5),
            "one-byte ids": (_ids(rng, 3, 5, 9).astype(np.uint8), rng.randn(9, 4)),
        },
    )
]
