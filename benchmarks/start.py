"""How long a notebook's first cells take to import what they need."""

import statistics

from benchmarks.table import Row, seconds_in_python

TIMES = 9
IMPORT = """
import time
began = time.perf_counter()
import {}
print(time.perf_counter() - began)
"""


def rows():
    """Yield a row for NumPy alone and for what the notebooks import, NumPy included; each in a Python of its own."""
    for what in ("numpy", "utils.checks", "utils.checks, utils.plots, utils.widgets", "utils.train"):
        times = [1e3 * seconds_in_python(IMPORT.format(what)) for _ in range(TIMES)]
        low, middle, high = statistics.quantiles(times, n=4)
        yield Row(f"import {what}", f"{middle:.0f} ms", f"{low:.0f} to {high:.0f} ms", f"{TIMES} times")
