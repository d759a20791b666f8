"""What a learner calls: `check`, and `report` for the verdict as data."""

import contextlib
import difflib
import inspect
import sys

import numpy as np

from utils import progress, stages
from utils.checks import combine, context, provisional_state, scores, softmax, start_here, training
from utils.checks.judge import Verdict, judge
from utils.checks.run import run, undisturbed

EXERCISES = {
    exercise.name: exercise
    for module in (start_here, provisional_state, scores, softmax, context, combine, training)
    for exercise in module.EXERCISES
}

CALLS_THE_COURSE = "it calls the course's own version, which has it ready. What is missing is yours: write it without."

_NUMPY = {module: dict(vars(module)) for module in (np, np.linalg, np.random)}


def check(name):
    """Check the function of this name in the notebook, and say what was found.

    Parameters
    ----------
    name : str
        The exercise; the function is looked up by it where `check` is called.

    Returns
    -------
    function
        The learner's own when it passes, else the course's version, so that the cells below work.

    Raises
    ------
    AssertionError
        Under grading (NBGRADER_EXECUTION or COURSE_STRICT=1), when it does not pass.
    ValueError
        When there is no exercise of that name.
    """
    _exercise(name)
    function = sys._getframe(1).f_globals.get(name)
    course = getattr(stages, name)
    verdict = _verdict_by_name(name, function, course)
    if verdict.passed:
        print(verdict.message)
        progress.passed(name, function)
        return function
    if progress.under_grading():
        raise AssertionError(verdict.message)
    print(f"{verdict.message}\n  From here on the course's own {name} is used, until yours passes.")
    return course


def report(name, function):
    """The verdict on a function, as data. Prints nothing, raises nothing.

    Parameters
    ----------
    name : str
        The exercise.
    function : anything
        What is to be judged.

    Returns
    -------
    utils.checks.judge.Verdict
        With `passed`, `message`, `diagnosis` and `written`.
    """
    with _original_numpy() as numpy, undisturbed():
        try:
            exercise = _exercise(name)
        except ValueError as error:
            return Verdict(False, f"✗ {error}")
        if not callable(function):
            return Verdict(False, f"✗ {name}: this is a {type(function).__name__}, not a function.")
        probes, training_size = exercise.probes, exercise.training
        with numpy.as_the_learner_left_it():
            record = run(function, probes, training_size)
        verdict = judge(exercise, list(inspect.signature(getattr(stages, name)).parameters), record)
    if verdict.written and not verdict.passed and numpy.changed:
        note = f"Note: {numpy.changed} is not NumPy's own any more; restart the kernel to get it back."
        return Verdict(False, f"{verdict.message}\n  {note}", verdict.diagnosis)
    return verdict


def _verdict_by_name(name, function, course):
    if function is None:
        return Verdict(False, f"✗ {name}: no function has this name yet. Run the cell that defines it, then this one.")
    if function is course:
        held = "not written yet: the name holds the course's version. Run the cell with yours, then this one."
        return Verdict(False, f"○ {name}: {held}", written=False)
    if _uses(function, course, set()):
        return Verdict(False, f"✗ {name}: {CALLS_THE_COURSE}", "calls_the_course")
    return report(name, function)


def _uses(function, course, seen):
    """Whether a function of the notebook, or one that it calls, names the course's version."""
    if not inspect.isfunction(function) or function in seen:
        return False
    seen.add(function)
    named = function.__code__.co_names + function.__code__.co_freevars
    cells = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        with contextlib.suppress(ValueError):  # a name that has no value yet
            cells[name] = cell.cell_contents
    values = [(function.__globals__ | cells).get(name) for name in named]
    modules = [value for value in values if inspect.ismodule(value) and value.__name__.startswith("utils.stages")]
    return (
        any(value is course for value in values)
        or any(getattr(module, name, None) is course for module in modules for name in named)
        or any(_uses(value, course, seen) for value in values)
    )


def _exercise(name):
    if isinstance(name, str) and name in EXERCISES:
        return EXERCISES[name]
    close = difflib.get_close_matches(str(name), EXERCISES, n=1)
    raise ValueError(f"There is no exercise {name!r}." + (f" Do you mean {close[0]!r}?" if close else ""))


class _original_numpy:
    """Within it NumPy is as it was when the course was imported, whatever the learner has assigned to."""

    def __enter__(self):
        self._patched = [
            (module, name, vars(module).get(name), original)
            for module, names in _NUMPY.items()
            for name, original in names.items()
            if vars(module).get(name) is not original
        ]
        names = [f"{module.__name__.replace('numpy', 'np')}.{name}" for module, name, _, _ in self._patched]
        self.changed = ", ".join(names[:3]) + (" and more" if len(names) > 3 else "")
        self._put_original()
        return self

    def __exit__(self, *error):
        self._put_learners()

    @contextlib.contextmanager
    def as_the_learner_left_it(self):
        self._put_learners()
        try:
            yield
        finally:
            self._put_original()

    def _put_original(self):
        for module, name, _, original in self._patched:
            setattr(module, name, original)

    def _put_learners(self):
        for module, name, learners, _ in self._patched:
            setattr(module, name, learners)
