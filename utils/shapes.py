"""Shape checks that read a function's own docstring, so that the shapes are written once."""

import functools
import inspect
import re

import numpy as np

_PARAMETER = re.compile(r"^(\w+) : (\(.*?\)|dict of\b)", re.M)
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
    blocks = re.split(r"\n(?=\w+ : )", text)
    shapes = {}
    for block in blocks:
        match = _PARAMETER.match(block)
        if match and match[2].startswith("("):
            shapes[match[1]] = _dimensions(match[2])
        elif match:
            shapes[match[1]] = {name: _dimensions(shape) for name, shape in _ENTRY.findall(block)}
    return shapes


def checks_shapes(function):
    """Make a function refuse arguments whose shapes are not those of its docstring.

    Raises ValueError with one sentence that names the argument, its shape and the shape needed;
    KeyError when a dict parameter lacks an entry.
    """
    documented = documented_shapes(function)
    signature = inspect.signature(function)

    @functools.wraps(function)
    def checked(*args, **kwargs):
        sizes = {}
        for name, value in signature.bind(*args, **kwargs).arguments.items():
            expected = documented.get(name)
            if isinstance(expected, dict):
                for key, dimensions in expected.items():
                    if key not in value:
                        raise KeyError(f"{function.__name__}: {name} has no entry {key!r}.")
                    _check(function, f"{name}[{key!r}]", value[key], dimensions, sizes)
            elif expected is not None:
                _check(function, name, value, expected, sizes)
        return function(*args, **kwargs)

    return checked


def _check(function, name, value, dimensions, sizes):
    """Compare one argument's shape with its dimensions; remember in `sizes` what each letter stands for."""
    shape = np.shape(value)
    wanted = f"({', '.join(dimensions)}{',' if len(dimensions) == 1 else ''})"
    problem = f"{function.__name__}: {name} has shape {shape}, but needs {wanted}"
    if len(shape) != len(dimensions):
        raise ValueError(f"{problem}.")
    for size, dimension in zip(shape, dimensions):
        factor, letter = _DIMENSION.match(dimension).groups()
        factor = int(factor or 1)
        if not letter:
            known, owner = factor, None
        else:
            known, owner = sizes.setdefault(letter, (size // factor, name))
        if size != (known * factor if letter else known):
            reason = f"{letter} is {known} in {owner}" if letter else f"this size must be {known}"
            raise ValueError(f"{problem}, and {reason}.")


def _dimensions(shape):
    return tuple(part.strip() for part in shape.strip("()").split(",") if part.strip())
