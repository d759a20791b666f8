"""The table that `make bench` prints: its rows, and how contenders are timed beside each other."""

import statistics
import subprocess
import sys
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
            found[name].append(median_seconds(function, times))
    return found


def median_seconds(function, times):
    """How long a call takes, the median of some, after one to warm up."""
    function()
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        function()
        taken.append(time.perf_counter() - began)
    return statistics.median(taken)


def seconds_in_python(code, *arguments):
    """How long a piece of code takes in a Python of its own, in seconds: the code prints it."""
    run = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, check=True, encoding="utf-8")
    return float(run.stdout)


def ratio_row(what, ours, theirs):
    """A row of two contenders' times in the same rounds: the median of their ratios, its quartiles, both medians."""
    ratios = [our / their for our, their in zip(ours, theirs)]
    low, middle, high = statistics.quantiles(ratios, n=4)
    details = " / ".join(f"{1e3 * statistics.median(times):.3g} ms" for times in (ours, theirs))
    return Row(what, f"{middle:.2f} ×", f"{low:.2f} to {high:.2f}", details)
