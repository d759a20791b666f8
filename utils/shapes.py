"""Shape checks that read a function's own docstring, so that the shapes are written once."""

import functools
import inspect
import re

import numpy as np

_PARAMETER = re.compile(r"^(\w+) : (\(.*?\)|dict of\b)", re.M)
_NUMBER_OR = re.compile(r"^(\w+) : float, or (\(.*?\))", re.M)
_LIKE = re.compile(r"^(\w+) : array shaped like (\w+)", re.M)
_ENTRY = re.compile(r"(\w+) (\([^)]*\))")
_DIMENSION = re.compile(r"(\d*)([A-Z]?)$")


def documented_shapes(function):
    """The shapes that a numpydoc docstring promises for a function's parameters.

    Returns
    -------
    dict
        Parameter name to a tuple of dimensions such as ("N", "T") or ("2H", "O"), or to a dict of
        such tuples for a parameter documented as ``dict of Wx (D, H), …``. Parameters without a
        single shape (numbers, lists, functions) are left out.
    """
    text = inspect.getdoc(function).partition("\nReturns\n")[0]
    shapes = {}
    for block in re.split(r"\n(?=\w+ : )", text):
        if match := _PARAMETER.match(block):
            name, shape = match.groups()
            entries = {entry: _dimensions(size) for entry, size in _ENTRY.findall(block)}
            shapes[name] = _dimensions(shape) if shape.startswith("(") else entries
    return shapes


def checks_shapes(function):
    """Make a function refuse arguments whose shapes are not those of its docstring.

    Raises ValueError with one sentence: it names the argument, its shape and the shape needed, or the
    entry that a dict lacks.
    """
    text = inspect.getdoc(function)
    documented = documented_shapes(function)
    number_or = {name: _dimensions(shape) for name, shape in _NUMBER_OR.findall(text)}
    like = dict(_LIKE.findall(text))
    signature = inspect.signature(function)
    names = list(signature.parameters)

    @functools.wraps(function)
    def checked(*args, **kwargs):
        usual = not kwargs and len(args) == len(names)  # then it goes without `bind`, which takes its time
        bound = None if usual else signature.bind(*args, **kwargs)
        arguments, sizes = dict(zip(names, args)) if usual else bound.arguments, {}
        for name, value in arguments.items():
            expected = documented.get(name)
            if isinstance(value, (list, tuple)) and isinstance(expected, tuple):
                arguments[name] = value = np.asarray(value)  # a learner may have returned a list
            if name in number_or and np.ndim(value):
                expected = number_or[name]
            if name in like:
                expected = tuple(map(str, np.shape(arguments[like[name]])))
            if isinstance(expected, dict):
                for key, dimensions in expected.items():
                    if key not in value:
                        raise ValueError(f"{function.__name__}: {name} has no entry {key!r}.")
                    _check(function, f"{name}[{key!r}]", value[key], dimensions, sizes)
            elif expected is not None:
                _check(function, name, value, expected, sizes)
        return function(*arguments.values()) if usual else function(*bound.args, **bound.kwargs)

    return checked


def _check(function, name, value, dimensions, sizes):
    """Compare one argument's shape with its dimensions; remember in `sizes` what each letter stands for."""
    shape = np.shape(value)
    if len(shape) != len(dimensions):
        raise ValueError(f"{_problem(function, name, shape, dimensions)}.")
    for size, dimension in zip(shape, dimensions):
        factor, letter = _parsed(dimension)
        if letter and size % factor:
            even = "even" if factor == 2 else f"a multiple of {factor}"
            raise ValueError(f"{_problem(function, name, shape, dimensions)}, and {dimension} must be {even}.")
        known, owner = sizes.setdefault(letter, (size // factor, name)) if letter else (1, None)
        if size != factor * known:
            reason = f"{letter} is {known} in {owner}" if letter else f"this size must be {factor}"
            raise ValueError(f"{_problem(function, name, shape, dimensions)}, and {reason}.")


def _problem(function, name, shape, dimensions):
    wanted = f"({', '.join(dimensions)}{',' if len(dimensions) == 1 else ''})"
    return f"{function.__name__}: {name} has shape {shape}, but needs {wanted}"


@functools.cache
def _parsed(dimension):
    """The factor and the letter of a dimension: "2H" is (2, "H"), "N" is (1, "N"), "3" is (3, "")."""
    factor, letter = _DIMENSION.match(dimension).groups()
    return int(factor or 1), letter


def _dimensions(shape):
    return tuple(part.strip() for part in shape.strip("()").split(",") if part.strip())
