"""Comparing what a function gave with what it should have given, array by array."""

import numpy as np

from utils.checks.run import Unusable, arrays_in


def labelled(exercise, result, expected):
    """What a call returned, as arrays with their names.

    Parameters
    ----------
    exercise : utils.checks.exercise.Exercise
    result : plain data
        As `run` recorded it.
    expected : tuple
        The oracle's results for the same call.

    Returns
    -------
    list of (str, array, array or str) or str
        Name, expected array and the given one (or what it is instead); the entries of a dict or a list each on their
        own, as dp['Wx']. A str says what was returned in place of as many values as there should be.
    """
    if len(expected) > 1:
        if isinstance(result, np.ndarray) and result.ndim and len(result) == len(expected):
            result = list(result)
        if not isinstance(result, list) or len(result) != len(expected):
            return f"{len(result)} values" if isinstance(result, list) else f"only {kind(result)}"
    else:
        result = [result]
    found = []
    for name, right, given in zip(exercise.returns, expected, result):
        if isinstance(right, (dict, list)):
            entries = right if isinstance(right, dict) else dict(enumerate(right))
            own = given if isinstance(given, dict) else dict(enumerate(given)) if isinstance(given, list) else {}
            found += [
                (f"{name}[{key!r}]", np.asarray(entries[key]), _array(own[key]) if key in own else "no entry")
                for key in entries
            ]
            found += [(f"{name}[{key!r}]", np.zeros(0), "an entry too many") for key in own if key not in entries]
        else:
            found.append((name, np.asarray(right), _array(given)))
    return found


def tolerance(probe):
    """How far a result may be off, relative and absolute: single precision is coarser."""
    single = any(x.dtype == np.float32 for x in arrays_in(probe.args))
    return (2e-3, 2e-4) if single else (1e-6, 1e-8)


def near(one, other, probe):
    """Whether two arrays of numbers are the same, up to rounding; nan is like nan."""
    if one.shape != other.shape or one.dtype.kind not in "biuf" or other.dtype.kind not in "biuf":
        return False
    relative, absolute = tolerance(probe)
    return bool(np.allclose(one, other, rtol=relative, atol=absolute, equal_nan=True))


def kind(given):
    """What something is that should have been an array."""
    if isinstance(given, Unusable):
        return given.kind
    if isinstance(given, np.ndarray):
        return f"an array of shape {given.shape}"
    return "None" if given is None else f"a {type(given).__name__}"


def _array(given):
    """A recorded result as an array, or what it is instead."""
    if isinstance(given, (np.ndarray, bool, int, float)):
        return np.asarray(given)
    if isinstance(given, list):
        try:
            return np.array(given, dtype=None if given else float)
        except (ValueError, TypeError, OverflowError):
            return "a list whose rows have different lengths"
    return kind(given)
