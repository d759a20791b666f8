"""The table that `make bench` prints: its rows, and how contenders are timed beside each other."""

import statistics
import time
from typing import NamedTuple


class Row(NamedTuple):
    """One line: what was measured, its figure, how far it spread, and what it comes from."""

    what: str
    figure: str
    spread: str
    details: str

    def __str__(self):
        return f"| {' | '.join(self)} |"


HEAD = f"{Row('measured', 'figure', 'spread', 'from')}\n|---|---|---|---|"


def together(contenders, rounds=15, times=5):
    """Time functions by turns, so that a slow moment of the machine meets them all.

    Parameters
    ----------
    contenders : dict of str to function
        Functions without arguments.
    rounds, times : int
        In each round each function is called once to warm up, then `times` times.

    Returns
    -------
    dict of str to list of float
        Each round's median time of a call, in seconds.
    """
    found = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, function in contenders.items():
            function()
            found[name].append(statistics.median(seconds(function) for _ in range(times)))
    return found


def seconds(function):
    """How long one call takes."""
    began = time.perf_counter()
    function()
    return time.perf_counter() - began


def ratio_row(what, ours, theirs):
    """A row of two contenders' times in the same rounds: the median ratio and its quartiles."""
    ratios = [our / their for our, their in zip(ours, theirs)]
    low, middle, high = statistics.quantiles(ratios, n=4)
    details = " against ".join(f"{1e3 * statistics.median(times):.3g} ms" for times in (ours, theirs))
    return Row(what, f"{middle:.2f} ×", f"{low:.2f} to {high:.2f}", details)
