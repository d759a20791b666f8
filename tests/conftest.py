"""What tests share."""

import linecache
import os

import numpy as np
import pytest

from utils import progress
from utils.checks import check

# The grader needs fork, which Windows has not; its command line says so.
collect_ignore = [] if hasattr(os, "fork") else ["test_attacks.py", "test_grade.py", "test_grade_answers.py"]


@pytest.fixture(autouse=True)
def no_progress_and_no_grading(monkeypatch, tmp_path):
    """Keep the progress of whoever runs the tests out of reach, and what an earlier test has passed."""
    monkeypatch.setattr(progress, "FILE", tmp_path / "progress.json")
    monkeypatch.setattr(progress, "_this_session", {})
    for variable in ("NBGRADER_EXECUTION", "COURSE_STRICT"):
        monkeypatch.delenv(variable, raising=False)


@pytest.fixture
def run_cells():
    """Run cells one after another, as a notebook does; gives the notebook's names."""
    cells = []

    def run(*sources, names=None):
        names = {"__name__": "__main__", "np": np, "check": check} if names is None else names
        for source in sources:
            cells.append(f"<cell {len(cells) + 1}>")
            linecache.cache[cells[-1]] = len(source), None, source.splitlines(keepends=True), cells[-1]
            exec(compile(source, cells[-1], "exec"), names)
        return names

    yield run
    for cell in cells:
        del linecache.cache[cell]


@pytest.fixture(scope="module")  # not longer: while it is there, no other event loop runs
def chromium():
    """A headless Chromium, as Playwright's Browser."""
    from tests import browser  # Playwright is for few tests

    with browser.chromium() as running:
        yield running


@pytest.fixture
def agree_with_nudging():
    """Whether gradients are what central differences of ``loss(*args)`` give: of arrays, numbers, dicts of arrays."""

    def slopes(loss, x):
        if isinstance(x, dict):
            return {key: slopes(lambda nudged, key=key: loss({**x, key: nudged}), x[key]) for key in x}
        x = np.asarray(x, dtype=float)
        result = np.zeros(x.shape)
        for index in np.ndindex(x.shape):
            nudge = np.zeros(x.shape)
            nudge[index] = 1e-6
            result[index] = (loss(x + nudge) - loss(x - nudge)) / 2e-6
        return result

    def agree(gradients, loss, *args):
        for k, (gradient, arg) in enumerate(zip(gradients, args, strict=True)):
            expected = slopes(lambda x, k=k: loss(*args[:k], x, *args[k + 1 :]), arg)
            if isinstance(expected, dict):
                assert gradient.keys() == expected.keys()
            else:
                gradient, expected = {k: gradient}, {k: expected}
            for key in expected:
                assert np.shape(gradient[key]) == expected[key].shape, key
                np.testing.assert_allclose(gradient[key], expected[key], rtol=1e-6, atol=1e-7, err_msg=str(key))

    return agree
