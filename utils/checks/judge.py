"""The second half of a check: compare what a function did with the oracle's results, and say it in words.

Never calls the learner's code.
"""

from dataclasses import dataclass

import numpy as np

from utils.checks.run import Unusable


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

    probe, problem, expected, call = min(failed, key=lambda case: _size(case[0].args))
    lines = [f"✗ {exercise.name}: {problem.cause}"]
    if len(expected) > 1 and call.outcome == "returned":
        lines.append("  " + _each_result(exercise, judged))
    lines.append(f"  {_shown_call(exercise.name, arguments, probe)} {problem.detail}")
    if len(failed) < len(judged):
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
        where = f" in your line\n      {call.line}" if call.line else ""
        return _Problem("it stopped with an error.", f"stopped with {call.error}{where}")
    if call.result is None:
        return _Problem("it returned None.", "returned None: is a `return` missing?")
    mismatch = _first_mismatch(exercise.returns, expected, call.result, probe)
    if mismatch:
        return mismatch
    if call.changed:
        names = " and ".join(arguments[k] for k in call.changed)
        return _Problem(
            f"it changed its argument {names}; work on a copy.", f"left {names} with other values than before."
        )
    again = _first_mismatch(exercise.returns, expected, call.again, probe)
    if again:
        return _Problem(
            "it is right when called once, and wrong when called again.", f"at the second call {again.detail}"
        )
    return None


def _first_mismatch(returns, expected, result, probe):
    """The first result that differs from the expected one, or None."""
    if len(expected) > 1:
        if isinstance(result, np.ndarray) and result.ndim:
            result = list(result)
        if not isinstance(result, list) or len(result) != len(expected):
            found = f"{len(result)} values" if isinstance(result, list) else f"only {_kind(result)}"
            return _Problem(f"it should return {len(expected)} values: {', '.join(returns)}.", f"returned {found}.")
    else:
        result = [result]
    for label, right, given in _labelled(returns, expected, result):
        problem = _compare(label, right, given, _tolerance(probe))
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


def _compare(label, right, given, tolerance):
    """One array against the expected one: a _Problem or None."""
    right = np.asarray(right)
    given, kind = _as_array(given)
    if given is None:
        return _Problem(f"{label} should be an array of numbers.", f"gave {kind} as {label}.")
    if given.shape != right.shape:
        return _Problem(
            f"{label} has the wrong shape.", f"gave {label} of shape {given.shape}; expected {right.shape}."
        )
    if right.dtype.kind in "iu":
        if given.dtype.kind not in "iub":
            return _Problem(f"{label} should hold whole numbers.", f"gave {label} of type {given.dtype.name}.")
        wrong = given != right
    else:
        if given.dtype.kind not in "iubf" or given.dtype == np.float16:
            return _Problem(
                f"{label} has the wrong type.", f"gave {label} of type {given.dtype.name}; expected float64."
            )
        rtol, atol = tolerance
        finite = np.isfinite(given)
        if not finite.all():
            found = "nan" if np.isnan(given).any() else "inf"
            return _Problem(
                f"{label} is {found} where it should be a number.", _difference(label, given, right, ~finite)
            )
        wrong = ~np.isclose(given, right, rtol=rtol, atol=atol)
    if wrong.any():
        return _Problem(f"{label} has wrong values.", _difference(label, given, right, wrong))
    return None


def _difference(label, given, right, wrong):
    """What came and what was expected: all of it when that is short, else the first wrong number."""
    if given.size <= 8:
        return f"gave {label} = {shown(given)}; expected {shown(right)}."
    index = tuple(np.argwhere(wrong)[0])
    at = ", ".join(map(str, index))
    return f"gave {label}[{at}] = {shown(given[index])}; expected {shown(right[index])}."


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
            ok = call.outcome == "returned" and _compare(label, wanted, given, _tolerance(probe)) is None
            right[label] = right.get(label, True) and ok
    return "   ".join(f"{label} {'✓' if ok else '✗'}" for label, ok in right.items())


def _tolerance(probe):
    """How far a result may be off, relative and absolute: single precision is coarser."""
    single = any(x.dtype == np.float32 for x in _arrays(probe.args))
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
    """The call with small arguments written out and the shapes of others."""
    parts = []
    for argument, value in zip(arguments, probe.args):
        if isinstance(value, np.ndarray):
            parts.append(f"{argument} = {shown(value)}" if value.size <= 6 else f"{argument} {value.shape}")
        elif isinstance(value, (bool, int, float)):
            parts.append(f"{argument} = {shown(value)}")
        else:
            parts.append(argument)
    return f"{name}({', '.join(parts)})"


def shown(x):
    """Numbers as a learner writes them: four digits, no types."""
    x = np.asarray(x)
    if x.ndim:
        return "[" + " ".join(shown(row) for row in x) + "]"
    return str(x.item()) if x.dtype.kind in "iub" else f"{x.item():.4g}"


def _arrays(value):
    if isinstance(value, np.ndarray):
        return [value]
    if isinstance(value, dict):
        value = value.values()
    return (
        [x for item in value for x in _arrays(item)]
        if not isinstance(value, (str, bool, int, float)) and hasattr(value, "__iter__")
        else []
    )


def _size(args):
    return sum(x.size for x in _arrays(args))
