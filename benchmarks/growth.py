"""How a training step's time and its peak memory grow with each size of the model and of the batch."""

import tracemalloc

import numpy as np

from benchmarks.table import Row, median_seconds
from utils.data import EOS
from utils.model import Config, init_params, loss_and_grads

USUAL = {"N": 32, "T": 32, "U": 16, "H": 64}
SIZES = {
    "T": (16, 32, 64, 128, 256, 512),
    "U": (16, 32, 64, 128, 256, 512),
    "H": (32, 64, 128, 256, 512),
    "N": (16, 32, 64, 128, 256, 512),
}
WORDS = 40


def rows():
    """Yield a row for each size, for time and for memory."""
    for letter, sizes in SIZES.items():
        found = [time_and_memory(**{**USUAL, letter: size}) for size in sizes]
        others = ", ".join(f"{name} = {size}" for name, size in USUAL.items() if name != letter)
        for what, values, unit in zip(("time", "peak memory"), zip(*found), ("ms", "MB")):
            overall, large = (np.polyfit(np.log(sizes[n:]), np.log(values[n:]), 1)[0] for n in (0, -3))
            yield Row(
                f"{what} of a step, {letter} from {sizes[-3]} to {sizes[-1]}",
                f"{letter}^{large:.2f}",
                f"from {sizes[0]} on: {letter}^{overall:.2f}",
                f"{values[0]:.3g} to {values[-1]:.3g} {unit} ({others})",
            )


def time_and_memory(N, T, U, H):
    """The median milliseconds of a step with additive scores, and the most megabytes it holds beside its parameters."""
    config = Config(WORDS, WORDS, "additive", H=H)
    rng = np.random.RandomState(0)
    params = init_params(config, rng)
    source, target = (rng.randint(EOS + 1, WORDS, size=(N, length)) for length in (T, U))

    def step():
        loss_and_grads(params, config, source, target)

    time = median_seconds(step, times=7)
    tracemalloc.start()
    try:
        step()
        return 1e3 * time, tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()
