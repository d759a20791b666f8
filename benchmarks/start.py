"""How long a notebook's first cells take to import what they need."""

import statistics
import subprocess
import sys

from benchmarks.table import Row

TIMES = 9
WATCH = """
import sys, time
began = time.perf_counter()
import {}
print(time.perf_counter() - began)
"""


def rows():
    """Yield a row for NumPy alone and for what the notebooks import, NumPy included; each in a Python of its own."""
    for what in ("numpy", "utils.checks", "utils.checks, utils.plots, utils.widgets", "utils.train"):
        times = []
        for _ in range(TIMES):
            run = subprocess.run([sys.executable, "-c", WATCH.format(what)], capture_output=True, check=True)
            times.append(1e3 * float(run.stdout))
        low, middle, high = statistics.quantiles(times, n=4)
        yield Row(f"import {what}", f"{middle:.0f} ms", f"{low:.0f} to {high:.0f} ms", f"{TIMES} times")
