"""The second half of a check: compare what a function did with the oracle's results, and say it in words.

Never calls the learner's code.
"""

import textwrap
from dataclasses import dataclass

import numpy as np

from utils.checks.compare import labelled, tolerance
from utils.checks.diagnose import Diagnosis, cannot_cast, known, reasoned
from utils.checks.run import arrays_in

_NEW_LINE = "\n      "


@dataclass(frozen=True)
class Verdict:
    """What a check found.

    Attributes
    ----------
    passed : bool
    message : str
        For the learner: one line when passed, else the likeliest cause and the smallest call that shows it.
    diagnosis : str or None
        A short name of the recognised misconception.
    written : bool
        False while the exercise is not written yet.
    """

    passed: bool
    message: str
    diagnosis: str | None = None
    written: bool = True


def judge(exercise, arguments, record):
    """Give the verdict on a record.

    Parameters
    ----------
    exercise : utils.checks.exercise.Exercise
    arguments : list of str
        The names of the function's arguments.
    record : utils.checks.run.Record

    Returns
    -------
    Verdict
    """
    if record.unwritten is not None:
        return Verdict(False, f"○ {exercise.name}: not written yet{record.unwritten}.", written=False)
    judged = [
        (probe, _problem(exercise, arguments, probe, expected, call), expected, call)
        for probe, expected, call in zip(exercise.probes, exercise.expected, record.calls)
    ]
    failed = [case for case in judged if case[1]]
    if not failed:
        message = f"✓ {exercise.name}: {len(record.calls)} inputs; {exercise.held}"
        if record.slow:
            message += (
                "\n  Right, but slow for arrays of the size that training needs:"
                " whole arrays in place of a loop make it faster."
            )
        return Verdict(True, message)

    in_general = judged[0][1] is not None  # the first probe is an ordinary one
    probe, problem, expected, call = min(
        failed, key=lambda case: (not in_general and not case[0].special, sum(x.size for x in arrays_in(case[0].args)))
    )
    found = known(exercise, record, wrong := [case[1] is not None for case in judged])
    if found is None and problem.name:
        found = Diagnosis(problem.name, problem.cause)
    found = found or reasoned(exercise, record, wrong)
    if found and found.probe is not None:
        probe, problem, expected, call = judged[found.probe]
    lines = [f"✗ {exercise.name}: {found.cause if found else problem.cause}"]
    if len(expected) > 1 and call.outcome == "returned":
        lines.append("  " + _each_result(exercise, judged))
    call_shown = _shown_call(exercise.name, arguments, probe)
    lines.append(f"  {call_shown}{' ' if len(call_shown + problem.detail) < 140 else _NEW_LINE}{problem.detail}")
    if not in_general:
        lines.append(
            f"  Right for {len(judged) - len(failed)} of {len(judged)} inputs; not for this one: {probe.name}."
        )
    return Verdict(False, "\n".join(lines), found.name if found else None)


@dataclass(frozen=True)
class _Problem:
    """What is wrong with one call; the name is that of a cause that needs no further search."""

    cause: str
    detail: str
    name: str | None = None


def _problem(exercise, arguments, probe, expected, call):
    """What is wrong with one call, or None."""
    if call.outcome == "time up":
        return _Problem("it did not come to an end and was stopped.", "ran too long: does a loop ever stop?", "endless")
    if call.outcome == "raised" and "whole numbers" in probe.name and cannot_cast(call.error):
        return None  # an array of whole numbers refuses decimals aloud; that is a fault of the input
    if call.outcome == "raised":
        where = f" in your line{_NEW_LINE}{call.line[:120]}" if call.line else ""
        told = textwrap.shorten(call.error, 120, placeholder=" …")
        return _Problem("it stopped with an error.", f"stopped with {told}{where}")
    if call.result is None:
        return _Problem("it returned None.", "returned None: is a `return` missing?", "returns_nothing")
    mismatch = _first_mismatch(exercise, expected, call.result, probe)
    if mismatch:
        return mismatch
    if call.changed:
        names = " and ".join(arguments[k] for k in call.changed)
        return _Problem(
            f"it changed its argument {names}; work on a copy.",
            f"left {names} with other values than before.",
            "changes_its_argument",
        )
    if call.handed_back and exercise.new_arrays:
        return _Problem(
            "it gives back an array that it was given; the result has to be a new one.",
            "gave back its own argument.",
            "hands_back_its_argument",
        )
    if call.reused:
        return _Problem(
            "it gives out the same array at every call; make a new one each time.",
            "gave the array of the call before.",
            "reuses_its_result",
        )
    again = _first_mismatch(exercise, expected, call.again, probe)
    if again:
        return _Problem(
            "it is right when called once, and wrong when called again.",
            f"at the second call {again.detail}",
            "right_once",
        )
    return None


def _first_mismatch(exercise, expected, result, probe):
    """The first result that differs from the expected one, or None."""
    results = labelled(exercise, result, expected)
    if isinstance(results, str):
        names = ", ".join(exercise.returns)
        return _Problem(
            f"it should return {len(expected)} values: {names}.", f"returned {results}.", "number_of_results"
        )
    in_order = [label for label, _ in exercise.order]
    if in_order:  # the first that was computed is the cause of the others
        results.sort(key=lambda one: in_order.index(one[0]))
    return next(filter(None, (_compare(*one, tolerance(probe), exercise.exact_zeros) for one in results)), None)


def _compare(label, right, given, allowed, exact_zeros):
    """One array against the expected one: a _Problem or None."""
    if isinstance(given, str) and given == "no entry":
        return _Problem(f"there is no {label}.", f"gave no {label}.", "entry_missing")
    if isinstance(given, str):
        return _Problem(f"{label} should be an array of numbers.", f"gave {given} as {label}.", "no_array")
    ids = right.dtype.kind in "iu"
    if ids and given.size and given.dtype.kind not in "iub":
        return _Problem(
            f"{label} should hold whole numbers.", f"gave {label} of type {given.dtype.name}.", "no_whole_numbers"
        )
    if given.dtype.kind not in "iubf" or given.dtype == np.float16:
        return _Problem(
            f"{label} has the wrong type.", f"gave {label} of type {given.dtype.name}; expected float64.", "wrong_type"
        )
    if given.shape != right.shape:
        return _Problem(
            f"{label} has the wrong shape.", f"gave {label} of shape {given.shape}; expected {right.shape}."
        )
    if ids:
        wrong = given != right
    else:
        unlike = ~np.isfinite(given) & np.isfinite(right)
        if unlike.any():
            found = "nan" if np.isnan(given).any() else "inf"
            cause = f"{label} is {found} where it should be a number."
            return _Problem(cause, _difference(label, given, right, unlike))
        wrong = ~np.isclose(given, right, rtol=allowed[0], atol=allowed[1])
    if not wrong.any() and exact_zeros and (wrong := (right == 0) & (np.abs(given) > 1e-100)).any():
        cause = f"{label} is nearly 0 where it should be exactly 0, as at padding."
        return _Problem(cause, _difference(label, given, right, wrong), "nearly_zero")
    if wrong.any():
        return _Problem(f"{label} has wrong values.", _difference(label, given, right, wrong))
    return None


def _difference(label, given, right, wrong):
    """What came and what was expected: all of it when that is short, else the first wrong number."""
    if given.size > 6:
        index = tuple(np.argwhere(wrong)[0])
        label, given, right = f"{label}[{', '.join(map(str, index))}]", given[index], right[index]
    digits = next((n for n in (4, 6, 9) if shown(given, n) != shown(right, n)), 17)
    return f"gave {label} = {shown(given, digits)}; expected {shown(right, digits)}."


def _each_result(exercise, judged):
    """One mark for every result: right on all inputs, or not."""
    right = {}
    for probe, _, expected, call in judged:
        results = labelled(exercise, call.result, expected)
        if isinstance(results, str):
            results = labelled(exercise, [None] * len(expected), expected)
        for one in results:
            ok = call.outcome == "returned" and _compare(*one, tolerance(probe), exercise.exact_zeros) is None
            right[one[0]] = right.get(one[0], True) and ok
    return "   ".join(f"{label} {'✓' if ok else '✗'}" for label, ok in right.items())


def _shown_call(name, arguments, probe):
    """The call, with its arguments' values where that is short, else with their shapes."""
    for largest in (12, 6, 1, 0):
        parts = [_shown_argument(argument, value, largest) for argument, value in zip(arguments, probe.args)]
        call = f"{name}({', '.join(parts)})"
        if len(call) < 140:
            break
    return call


def _shown_argument(argument, value, largest):
    if isinstance(value, np.ndarray):
        short = value.size <= (20 if value.dtype == bool and largest else largest)  # a mask says where to look
        return f"{argument} = {shown(value)}" if short else f"{argument} {value.shape}"
    return f"{argument} = {shown(value)}" if isinstance(value, (bool, int, float)) else argument


def shown(x, digits=4):
    """Numbers as a learner writes them: few digits, no types, True and False as 1 and 0."""
    x = np.asarray(x)
    x = x.astype(int) if x.dtype == bool and x.ndim else x
    if x.ndim:
        return "[" + " ".join(shown(row, digits) for row in x) + "]"
    return str(x.item()) if x.dtype.kind in "iub" else f"{float(x):.{digits}g}"
