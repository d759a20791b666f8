"""How long a check of a right answer takes: the course's version, the slowest of all right answers, and the first check
of an exercise in a kernel, which also computes what the oracle says."""

import statistics

from benchmarks.table import Row, median_seconds, seconds_in_python
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


def rows():
    """Yield a row for each of the three."""
    names = stages.__all__
    yield row("a check of the course's version", {name: again(name, getattr(stages, name)) for name in names})
    right = {name: [function for function, wrong in ANSWERS[name].values() if not wrong] for name in names}
    slowest = {name: max(again(name, function) for function in right[name]) for name in names}
    yield row("a check of the slowest right answer", slowest)
    yield row("the first check of an exercise", {name: seconds_in_python(FIRST, name) for name in names})


def again(name, function, times=3):
    """The median seconds of a check that is not the first."""
    return median_seconds(lambda: report(name, function), times)


def row(what, times):
    """The median over all exercises, and the longest."""
    name, longest = max(times.items(), key=lambda item: item[1])
    middle = statistics.median(times.values())
    return Row(
        what,
        f"{1e3 * middle:.0f} ms",
        f"at most {1e3 * longest:.0f} ms",
        f"{len(times)} exercises; the longest: {name}",
    )
