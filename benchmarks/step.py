"""A training step (forward, backward, clip, Adam) of the course's model beside the same step in PyTorch, beside a
textbook's in float64, and beside its matrix products alone.

The course draws a new batch at every step, which counts; its rivals take turns at 20 that are there already.
"""

import itertools

import numpy as np

from benchmarks import textbook
from benchmarks.table import ratio_row, together
from benchmarks.torch_model import TorchModel, torch_step
from utils.data import PAD
from utils.dates import date_task
from utils.model import Config, init_params, loss_and_grads
from utils.stages import adam_step, clip_by_norm
from utils.train import BATCH, MAX_NORM, training_steps

SIZES = (32, 64, 128, 256)
SCORES = ("additive", "dot")
RATE = 1e-3


def rows():
    """Yield a row for every rival, score and size."""
    task = date_task()
    sources, targets = task.sources["train"], task.targets["train"]
    rng = np.random.RandomState(0)
    batches = [(sources[drawn], targets[drawn]) for drawn in rng.randint(len(sources), size=(20, BATCH))]
    for score, H in itertools.product(SCORES, SIZES):
        config = Config(len(task.source_vocabulary), len(task.target_vocabulary), score, H=H)
        params = init_params(config, np.random.RandomState(0))
        network = TorchModel(params, config)
        same_gradients(params, config, network, *batches[0])
        course = training_steps(task, config, steps=10**6)
        times = together(
            {
                "the course": lambda course=course: next(course),
                "PyTorch": torch_step(network, batches, RATE),
                "a textbook": textbook_step(params, config, batches),
                "its matrix products": products(config, *batches[0]),
            }
        )
        ours = times.pop("the course")
        for rival, theirs in times.items():
            yield ratio_row(f"a step, {score}, H = {H}: the course / {rival}", ours, theirs)


def same_gradients(params, config, network, source, target):
    """Raise AssertionError when the rivals' losses or gradients are not the course's."""
    loss, grads = loss_and_grads(params, config, source, target)
    double = {name: array.astype(float) for name, array in params.items()}
    for other_loss, others in (
        network.loss_and_grads(source, target),
        textbook.loss_and_grads(double, config, source, target),
    ):
        np.testing.assert_allclose(other_loss, loss, rtol=1e-5)
        for name, gradient in grads.items():
            np.testing.assert_allclose(others[name], gradient, rtol=0, atol=1e-4 * np.abs(gradient).max(), err_msg=name)


def textbook_step(params, config, batches):
    """A function that takes one step in float64, an array of parameters at a time."""
    p = {name: array.astype(float) for name, array in params.items()}
    moments = {name: (np.zeros_like(array), np.zeros_like(array)) for name, array in p.items()}
    turns = enumerate(itertools.cycle(batches), start=1)

    def step():
        t, batch = next(turns)
        _, grads = textbook.loss_and_grads(p, config, *batch)
        for name, g in zip(grads, clip_by_norm([*grads.values()], MAX_NORM)):
            p[name], *moments[name] = adam_step(p[name], g, *moments[name], t, RATE, 0.9, 0.999, 1e-8)

    return step


def products(config, source, target):
    """A function that multiplies what a step of the course's model has to multiply, and nothing else."""
    (N, T), U = source.shape, target.shape[1]
    D, H, A, V = config.D, config.H, config.A, config.target_words
    read = (source != PAD).sum(axis=0)  # sentences that have a t-th word
    pairs = []

    def product(left, right, times=1):
        pairs.extend([(np.ones(left, np.float32), np.ones(right, np.float32))] * times)

    def both_ways(rows, inputs, outputs):
        product((rows, inputs), (inputs, outputs))
        product((rows, outputs), (outputs, inputs))
        product((inputs, rows), (rows, outputs))

    for words, lengths in ((config.source_words, read), (V, [N] * U)):  # encoder and decoder
        both_ways(words, D, H)  # E Wx
        for n in lengths:
            product((n, H), (H, H), times=2)  # h Wh, and back
        product((H, sum(lengths)), (sum(lengths), H))  # dWh
        product((words, sum(lengths)), (sum(lengths), H))  # repeated words added up
    if config.score == "additive":
        both_ways(N * T, H, A)  # W2 h_i
        both_ways(N * U, H, A)  # W1 h̃
        product((N * T, A), (A, 1), times=U)  # v · tanh
        product((1, N * T), (N * T, A), times=U)  # dv
    else:
        product((N, U, H), (N, H, T))  # scores
        product((N, U, T), (N, T, H))
        product((N, T, U), (N, U, H))
    product((N, U, T), (N, T, H))  # contexts
    product((N, U, H), (N, H, T))
    product((N, T, U), (N, U, H))
    both_ways(N * U, 2 * H, H)  # Wc
    both_ways(N * U, H, V)  # logits
    results = [np.empty(np.matmul(left, right).shape, np.float32) for left, right in pairs]

    def multiply():
        for (left, right), result in zip(pairs, results):
            np.matmul(left, right, out=result)

    return multiply
