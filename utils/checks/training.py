"""Probes and oracles of notebook 06: the loss, the whole step backwards, clipping and Adam."""

import math

import numpy as np

from utils.checks import inputs
from utils.checks.exercise import Exercise, gradients


def _surprise(logits, word):
    """−log softmax(logits)[word], also of complex numbers."""
    highest = logits.real.max()
    return highest + np.log(np.exp(logits - highest).sum()) - logits[word]


def _cross_entropy(logits, y):
    return sum(_surprise(row, word) for row, word in zip(logits, y)) / len(y)


def _masked_cross_entropy(logits, y, keep):
    kept = [(n, u) for n, u in np.ndindex(y.shape) if keep[n, u]]
    return sum(_surprise(logits[n, u], y[n, u]) for n, u in kept) / len(kept)


def _cross_entropy_backward(logits, y):
    return gradients(_cross_entropy, (logits, y), (0,), np.array(1.0))[0]


def _masked_cross_entropy_backward(logits, y, keep):
    dlogits = np.zeros(logits.shape)
    kept = keep != 0
    dlogits[kept] = _cross_entropy_backward(logits[kept], y[kept])
    return dlogits


def _decoder_step_backward(dlogits, dh_tilde, dh, *arguments):
    def step(x, carry, hs, keep, p):
        h_tilde = np.tanh(x @ p["Wx"] + carry @ p["Wh"] + p["b"][..., None, :])
        e = np.einsum(
            "...nta,...a->...nt",
            np.tanh((h_tilde @ p["W1"])[..., None, :] + hs @ p["W2"][..., None, :, :]),
            p["v"],
        )
        z = np.exp(e - e.real.max(axis=-1, keepdims=True)) * (keep != 0)
        total = z.sum(axis=-1, keepdims=True)
        c = np.einsum("...nt,...nth->...nh", z / np.where(total == 0, 1, total), hs)
        upper, lower = np.split(p["Wc"], 2, axis=-2)
        h = np.tanh(h_tilde @ upper + c @ lower)
        return h @ p["Wo"] + p["bo"][..., None, :], h_tilde, h

    return gradients(step, arguments, (0, 1, 2, 4), dlogits, dh_tilde, dh, stacked=True)


def _clip_by_norm(grads, max_norm):
    norm = math.sqrt(math.fsum(float(x) ** 2 for g in grads for x in np.ravel(g)))
    return [np.asarray(g, dtype=float) * min(1.0, max_norm / norm if norm else 1.0) for g in grads]


def _adam_step(theta, g, m, v, t, lr, b1, b2, eps):
    results = np.zeros((3, theta.size))
    for k, (th, grad, mean, square) in enumerate(zip(theta.ravel(), g.ravel(), m.ravel(), v.ravel())):
        mean = mean * b1 + grad * (1 - b1)
        square = square * b2 + grad * grad * (1 - b2)
        step = lr * (mean / (1 - b1**t)) / (math.sqrt(square / (1 - b2**t)) + eps)
        results[:, k] = th - step, mean, square
    return tuple(row.reshape(theta.shape) for row in results)


def _logits_and_words(rng, s):
    return rng.randn(s.N, s.V), rng.randint(0, s.V, s.N)


def _surprising(rng):
    return {
        "small logits": (np.array([[1.0, 2, 0], [0, 1, 3]]), np.array([0, 2])),
        "sure and wrong": (30 * np.eye(5)[[1, 2, 3]], np.array([0, 0, 0])),
        "very sure and wrong": (np.array([[0.0, 900, 0], [5, 1, 0]]), np.array([0, 2])),
        "logits around 1000": (np.array([[1000.0, 1001, 999], [-3, 2, 0]]), np.array([1, 0])),
        "logits around -1000": (np.array([[-1000.0, -1001, -999], [-2000, -3000, -1500]]), np.array([1, 2])),
        "the same word for all": (rng.randn(3, 5), np.array([2, 2, 2])),
    }


def _sentences(rng, s):
    return rng.randn(s.N, s.U, s.V), rng.randint(0, s.V, (s.N, s.U)), inputs.padded(s.N, s.U)


def _odd_sentences(rng):
    logits, y, keep = rng.randn(3, 4, 6), rng.randint(0, 6, (3, 4)), inputs.padded(3, 4)
    holes = np.array([[1, 0, 1, 1], [0, 1, 0, 0], [0, 0, 0, 0]], dtype=bool)
    return {
        "0 as a real word": (logits, np.array([[0, 3, 2, 5], [4, 0, 0, 0], [1, 0, 0, 0]]), keep),
        "holes, and a sentence without words": (logits, y, holes),
        "holes, 0/1": (logits, y, holes.astype(int)),
        "large logits": (800 * logits, y, keep),
        "huge logits at padding": (np.where(keep[:, :, None], logits, 1e4), y, keep),
        "one word in all": (logits, y, np.arange(12).reshape(3, 4) == 5),
    }


def _step_backward_inputs(rng, s):
    return rng.randn(s.N, s.V), rng.randn(s.N, s.H), rng.randn(s.N, s.H), *inputs.step_inputs(rng, s)


def _odd_steps_backward(rng):
    def upstream():
        return rng.randn(3, 9), rng.randn(3, 4), rng.randn(3, 4)

    return {name: (*upstream(), *arguments) for name, arguments in inputs.odd_steps(rng).items()}


_RATES = (1e-2, 0.9, 0.999, 1e-8)


def _moments(rng, shape):
    return rng.randn(*shape), rng.randn(*shape), rng.randn(*shape), rng.rand(*shape) + 0.01


def _adam_calls(rng):
    theta, g, m, v = _moments(rng, (4,))
    zero = np.zeros(4)
    return {
        "the first step": (theta, g, zero, zero, 1, *_RATES),
        "the second step": (theta, g, 0.1 * m, 0.01 * v, 2, *_RATES),
        "a late step": (theta, g, m, v, 200000, *_RATES),
        "tiny gradients": (theta, 1e-9 * g, zero, zero, 1, *_RATES),
        "gradients of 0": (theta, zero, zero, zero, 1, *_RATES),
        "a large eps": (theta, g, m, v, 3, 0.1, 0.8, 0.95, 0.1),
        "one number": (theta[:1], g[:1], m[:1], v[:1], 5, *_RATES),
        "a column": tuple(x[:, None] for x in (theta, g, m, v)) + (4, *_RATES),
    }


def _gradient_lists(rng):
    return {
        "below the limit": ([0.1 * rng.randn(3, 4), 0.1 * rng.randn(5)], 5.0),
        "below the limit, its square above": ([np.array([2.0, 1]), np.array([[2.0]])], 5.0),
        "exactly at the limit": ([np.array([3.0, 0]), np.array([[4.0]])], 5.0),
        "each below, together above": ([np.array([0.8, 0]), np.array([[0.8]])], 1.0),
        "one array": ([np.array([3.0, 4])], 2.0),
        "zeros": ([np.zeros((2, 2)), np.zeros(3)], 1.0),
        "whole numbers": ([np.array([3, 4]), np.array([[12]])], 1.0),
        "very large": ([1e6 * rng.randn(3, 4), 1e-3 * rng.randn(5)], 5.0),
    }


EXERCISES = [
    Exercise(
        name="cross_entropy",
        sizes="NV",
        make=_logits_and_words,
        oracle=_cross_entropy,
        returns=("loss",),
        held="the mean surprise in nats, logits of ±1000 stay finite.",
        special=_surprising,
    ),
    Exercise(
        name="masked_cross_entropy",
        sizes="NUV",
        make=_sentences,
        oracle=_masked_cross_entropy,
        returns=("loss",),
        held="the mean over all kept words of the batch; padding does not count.",
        special=_odd_sentences,
    ),
    Exercise(
        name="cross_entropy_backward",
        sizes="NV",
        make=_logits_and_words,
        oracle=_cross_entropy_backward,
        returns=("dlogits",),
        held="agrees with nudging every logit.",
        special=_surprising,
    ),
    Exercise(
        name="masked_cross_entropy_backward",
        sizes="NUV",
        make=_sentences,
        oracle=_masked_cross_entropy_backward,
        returns=("dlogits",),
        exact_zeros=True,
        held="agrees with nudging every logit, 0 at padding.",
        special=_odd_sentences,
    ),
    Exercise(
        name="decoder_step_backward",
        sizes="NTDHAV",
        make=_step_backward_inputs,
        oracle=_decoder_step_backward,
        returns=("dx", "dcarry", "dhs", "dp"),
        equal=("NT", "NH", "AH"),  # the stages' own exercises try the others; this oracle is slow
        held="every gradient agrees with nudging every number.",
        special=_odd_steps_backward,
    ),
    Exercise(
        name="clip_by_norm",
        optional=True,
        sizes="",
        make=lambda rng, s: ([3 * rng.randn(3, 4), rng.randn(5), 2 * rng.randn(2, 2)], 1.5),
        oracle=_clip_by_norm,
        returns=("grads",),
        held="one norm over all arrays, nothing changed below the limit.",
        new_arrays=True,
        timed=False,
        special=_gradient_lists,
    ),
    Exercise(
        name="adam_step",
        optional=True,
        sizes="",
        make=lambda rng, s: (*_moments(rng, (3, 4)), 7, *_RATES),
        oracle=_adam_step,
        returns=("theta", "m", "v"),
        held="both means, both corrections, eps outside the root; theta, m and v are new arrays.",
        timed=False,
        special=_adam_calls,
    ),
]
