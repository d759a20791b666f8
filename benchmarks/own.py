"""The same training through a learner's own functions, beside the course's: vectorised, and with plain loops."""

import ast
import statistics
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from benchmarks import loops
from benchmarks.table import Row, median_seconds, ratio_row, together
from utils import stages, stagewise
from utils.dates import date_task
from utils.model import Config
from utils.train import training_steps

SOLUTIONS = Path(__file__).parents[1] / "solutions"


def rows():
    """Yield a row for each kind of functions."""
    task = date_task()
    config = Config(len(task.source_vocabulary), len(task.target_vocabulary))
    course = training_steps(task, config, steps=10**6)
    vectorised = training_steps(task, config, steps=10**6, gradient=through(solved()))
    looping = training_steps(task, config, steps=10**6, gradient=through(solved(vars(loops))))
    times = together({"course": lambda: next(course), "vectorised": lambda: next(vectorised)})
    yield ratio_row(
        "a step, additive, H = 64: a learner's vectorised functions / the course", times["vectorised"], times["course"]
    )
    slow = median_seconds(lambda: next(looping), times=3)
    ours = statistics.median(times["course"])
    yield Row(
        "a step, additive, H = 64: plain loops / the course",
        f"{slow / ours:.0f} ×",
        "",
        f"{slow:.2g} s / {1e3 * ours:.3g} ms",
    )


def through(stage):
    """The gradient through these functions as notebook 06 takes it, to be given to `training_steps`."""
    return partial(stagewise.loss_and_grads, stage=stage, decoder=stagewise.all_steps)


def solved(others=None):
    """The functions of the solved notebooks, without the course's checks of shapes, as a learner's are.

    Parameters
    ----------
    others : dict, optional
        Functions by name which take the place of the notebooks', also where these call each other.

    Returns
    -------
    SimpleNamespace
        A function for every exercise under its name.
    """
    names = {"np": np}
    for source in sorted(SOLUTIONS.glob("[0-9][0-9]_*.py")):
        text = source.read_text(encoding="utf-8")
        for node in ast.parse(text).body:
            if isinstance(node, ast.FunctionDef) and node.name in stages.__all__:
                exec(compile(ast.Module([node], []), source, "exec"), names)
    names |= {name: function for name, function in (others or {}).items() if name in stages.__all__}
    return SimpleNamespace(**{name: names[name] for name in stages.__all__})
