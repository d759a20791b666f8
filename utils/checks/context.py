"""Probes and oracles of notebook 04: the context vector."""

import numpy as np

from utils.checks import inputs, scores, softmax
from utils.checks.exercise import Exercise, gradients


def _context_one(a, hs):
    return sum(weight * h for weight, h in zip(a, hs))


def context(a, hs):
    return np.array([_context_one(weights, memory) for weights, memory in zip(a, hs)])


def _attention(h_tilde, hs, keep):
    a = softmax.masked_softmax(scores.dot_score(h_tilde, hs), keep)
    return context(a, hs), a


def _context_backward(dc, a, hs):
    return gradients(context, (a, hs), (0, 1), dc)


def _attend_all(H_tilde, hs):
    """The context vectors of all steps; works on complex numbers."""
    C = []
    for queries, memory in zip(H_tilde, hs):
        e = queries @ memory.T  # (U, T)
        z = np.exp(e - e.real.max(axis=1, keepdims=True))
        C.append(z / z.sum(axis=1, keepdims=True) @ memory)
    return np.array(C)


def _attention_backward(dC, H_tilde, hs):
    return gradients(_attend_all, (H_tilde, hs), (0, 1), dC)


def _odd_attention(rng):
    h_tilde, hs = rng.randn(3, 4), rng.randn(3, 5, 4)
    keep = inputs.padded(3, 5)
    huge = np.where(keep[:, :, None], hs, 500 * np.sign(h_tilde)[:, None])
    low = np.where(keep[:, :, None], -np.sign(h_tilde)[:, None] * (1 + 0.001 * np.abs(hs)), hs)
    return {name: (h_tilde, hs, odd) for name, odd in inputs.odd_masks().items()} | {
        "huge padded states": (h_tilde, huge, keep),
        "large scores": (40 * h_tilde, 40 * hs, keep),
        "kept scores far below 0": (30000 * np.sign(h_tilde), low, keep),
    }


EXERCISES = [
    Exercise(
        name="context_one",
        sizes="TH",
        make=lambda rng, s: (softmax.softmax(rng.randn(1, s.T))[0], rng.randn(s.T, s.H)),
        oracle=_context_one,
        returns=("c",),
        held="every position contributes by its weight.",
        special=lambda rng: {"weights that do not sum to 1": (rng.randn(5), rng.randn(5, 4))},
    ),
    Exercise(
        name="context",
        sizes="NTH",
        make=lambda rng, s: (softmax.softmax(rng.randn(s.N, s.T)), rng.randn(s.N, s.T, s.H)),
        oracle=context,
        returns=("c",),
        held="every position contributes by its weight, each sentence on its own.",
        special=lambda rng: {"weights that do not sum to 1": (rng.randn(3, 5), rng.randn(3, 5, 4))},
    ),
    Exercise(
        name="attention",
        sizes="NTH",
        make=lambda rng, s: (rng.randn(s.N, s.H), rng.randn(s.N, s.T, s.H), inputs.padded(s.N, s.T)),
        oracle=_attention,
        returns=("c", "a"),
        exact_zeros=True,
        held="padding gets weight 0, nothing to keep gives c = 0.",
        special=_odd_attention,
    ),
    Exercise(
        name="context_backward",
        sizes="NTH",
        make=lambda rng, s: (rng.randn(s.N, s.H), softmax.softmax(rng.randn(s.N, s.T)), rng.randn(s.N, s.T, s.H)),
        oracle=_context_backward,
        returns=("da", "dhs"),
        held="both gradients agree with nudging every number.",
    ),
    Exercise(
        name="attention_backward",
        sizes="NTUH",
        make=lambda rng, s: (
            rng.randn(s.N, s.U, s.H), rng.randn(s.N, s.U, s.H), rng.randn(s.N, s.T, s.H)
        ),
        oracle=_attention_backward,
        returns=("dH_tilde", "dhs"),
        held="dhs gathers both paths of every step.",
        special=lambda rng: {"large scores": (rng.randn(2, 3, 4), 30 * rng.randn(2, 3, 4), 30 * rng.randn(2, 5, 4))},
    ),
]  # fmt: skip
