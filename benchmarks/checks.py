"""How long a check of a right answer takes (`make bench`): the course's version, and the slowest of all right answers.

The first check of an exercise in a session also computes the oracle's answers; it is measured in a process of its own.
"""

import statistics
import subprocess
import sys
import time

from tests.answers import ANSWERS
from utils import stages
from utils.checks import report

FIRST = """
import sys, time
from utils import stages
from utils.checks import report
name = sys.argv[1]
began = time.perf_counter()
report(name, getattr(stages, name))
print(time.perf_counter() - began)
"""


def seconds(name, function, times=3):
    """The median time of a check that is not the first."""
    report(name, function)
    found = []
    for _ in range(times):
        began = time.perf_counter()
        report(name, function)
        found.append(time.perf_counter() - began)
    return statistics.median(found)


def main():
    """Print a line for every exercise, and the medians and maxima."""
    columns = {"first": [], "course": [], "slowest": []}
    print(f"{'exercise':32}{'first ms':>10}{'course ms':>11}{'slowest right ms':>18}")
    for name in stages.__all__:
        first = float(subprocess.run([sys.executable, "-c", FIRST, name], capture_output=True, check=True).stdout)
        right = [function for function, wrong in ANSWERS[name].values() if not wrong]
        times = {"first": first, "course": seconds(name, getattr(stages, name))}
        times["slowest"] = max(seconds(name, function) for function in right)
        for column, value in times.items():
            columns[column].append(value)
        print(f"{name:32}{1e3 * times['first']:10.0f}{1e3 * times['course']:11.0f}{1e3 * times['slowest']:18.0f}")
    for word, of in (("median", statistics.median), ("maximum", max)):
        print(f"{word:32}{1e3 * of(columns['first']):10.0f}{1e3 * of(columns['course']):11.0f}"
              f"{1e3 * of(columns['slowest']):18.0f}")  # fmt: skip


if __name__ == "__main__":
    main()
