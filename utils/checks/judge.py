"""The second half of a check: compare what a function did with the oracle's results, and say it in words.

Never calls the learner's code.
"""

from dataclasses import dataclass

import numpy as np

from utils.checks.run import Unusable, arrays_in

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
    lines = [f"✗ {exercise.name}: {problem.cause}"]
    if len(expected) > 1 and call.outcome == "returned":
        lines.append("  " + _each_result(exercise, judged))
    call_shown = _shown_call(exercise.name, arguments, probe)
    lines.append(f"  {call_shown}{' ' if len(call_shown + problem.detail) < 140 else _NEW_LINE}{problem.detail}")
    if not in_general:
        lines.append(
            f"  Right for {len(judged) - len(failed)} of {len(judged)} inputs; not for this one: {probe.name}."
        )
    return Verdict(False, "\n".join(lines))


@dataclass(frozen=True)
class _Problem:
    cause: str
    detail: str


def _problem(exercise, arguments, probe, expected, call):
    """What is wrong with one call, or None."""
    if call.outcome == "time up":
        return _Problem("it did not come to an end and was stopped.", "ran too long: does a loop ever stop?")
    if call.outcome == "raised":
        where = f" in your line{_NEW_LINE}{call.line[:120]}" if call.line else ""
        return _Problem("it stopped with an error.", f"stopped with {call.error}{where}")
    if call.result is None:
        return _Problem("it returned None.", "returned None: is a `return` missing?")
    mismatch = _first_mismatch(exercise, expected, call.result, probe)
    if mismatch:
        return mismatch
    if call.changed:
        names = " and ".join(arguments[k] for k in call.changed)
        return _Problem(
            f"it changed its argument {names}; work on a copy.", f"left {names} with other values than before."
        )
    if call.reused:
        return _Problem(
            "it gives out the same array at every call; make a new one each time.", "gave the array of the call before."
        )
    again = _first_mismatch(exercise, expected, call.again, probe)
    if again:
        return _Problem(
            "it is right when called once, and wrong when called again.", f"at the second call {again.detail}"
        )
    return None


def _first_mismatch(exercise, expected, result, probe):
    """The first result that differs from the expected one, or None."""
    returns = exercise.returns
    if len(expected) > 1:
        if isinstance(result, np.ndarray) and result.ndim:
            result = list(result)
        if not isinstance(result, list) or len(result) != len(expected):
            found = f"{len(result)} values" if isinstance(result, list) else f"only {_kind(result)}"
            return _Problem(f"it should return {len(expected)} values: {', '.join(returns)}.", f"returned {found}.")
    else:
        result = [result]
    for label, right, given in _labelled(returns, expected, result):
        problem = _compare(label, right, given, _tolerance(probe), exercise.exact_zeros)
        if problem:
            return problem
    return None


def _labelled(returns, expected, result):
    """Pairs of arrays with the name of each; the entries of a dict or a list on their own, as dp['Wx']."""
    for name, right, given in zip(returns, expected, result):
        if not isinstance(right, (dict, list)):
            yield name, right, given
            continue
        entries = right if isinstance(right, dict) else dict(enumerate(right))
        found = given if isinstance(given, dict) else dict(enumerate(given)) if isinstance(given, list) else {}
        for key in entries:
            yield f"{name}[{key!r}]", entries[key], found.get(key)


def _compare(label, right, given, tolerance, exact_zeros):
    """One array against the expected one: a _Problem or None."""
    right = np.asarray(right)
    given, kind = _as_array(given)
    if given is None:
        return _Problem(f"{label} should be an array of numbers.", f"gave {kind} as {label}.")
    ids = right.dtype.kind in "iu"
    if ids and given.size and given.dtype.kind not in "iub":
        return _Problem(f"{label} should hold whole numbers.", f"gave {label} of type {given.dtype.name}.")
    if given.dtype.kind not in "iubf" or given.dtype == np.float16:
        return _Problem(f"{label} has the wrong type.", f"gave {label} of type {given.dtype.name}; expected float64.")
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
        wrong = ~np.isclose(given, right, rtol=tolerance[0], atol=tolerance[1])
    if not wrong.any() and exact_zeros and (wrong := (right == 0) & (np.abs(given) > 1e-100)).any():
        cause = f"{label} is nearly 0 where it should be exactly 0."
        return _Problem(cause, _difference(label, given, right, wrong))
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
        result = (
            call.result
            if isinstance(call.result, list) and len(call.result) == len(expected)
            else [None] * len(expected)
        )
        for label, wanted, given in _labelled(exercise.returns, expected, result):
            ok = (
                call.outcome == "returned"
                and _compare(label, wanted, given, _tolerance(probe), exercise.exact_zeros) is None
            )
            right[label] = right.get(label, True) and ok
    return "   ".join(f"{label} {'✓' if ok else '✗'}" for label, ok in right.items())


def _tolerance(probe):
    """How far a result may be off, relative and absolute: single precision is coarser."""
    single = any(x.dtype == np.float32 for x in arrays_in(probe.args))
    return (2e-3, 2e-4) if single else (1e-6, 1e-8)


def _as_array(given):
    """A recorded result as an array and None, or None and what it is instead."""
    if isinstance(given, (np.ndarray, bool, int, float)):
        return np.asarray(given), None
    if isinstance(given, list):
        try:
            return np.array(given, dtype=None if given else float), None
        except ValueError:
            return None, "a list whose rows have different lengths"
    return None, _kind(given)


def _kind(given):
    if isinstance(given, Unusable):
        return given.kind
    if isinstance(given, np.ndarray):
        return f"an array of shape {given.shape}"
    return "None" if given is None else f"a {type(given).__name__}"


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
        return f"{argument} = {shown(value)}" if value.size <= largest else f"{argument} {value.shape}"
    return f"{argument} = {shown(value)}" if isinstance(value, (bool, int, float)) else argument


def shown(x, digits=4):
    """Numbers as a learner writes them: few digits, no types, True and False as 1 and 0."""
    x = np.asarray(x)
    x = x.astype(int) if x.dtype == bool and x.ndim else x
    if x.ndim:
        return "[" + " ".join(shown(row, digits) for row in x) + "]"
    return str(x.item()) if x.dtype.kind in "iub" else f"{float(x):.{digits}g}"
