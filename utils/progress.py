"""What a learner has passed, remembered between sessions in a file beside the notebooks."""

import ast
import inspect
import json
import os
import textwrap
from pathlib import Path

import numpy as np

from utils import stages
from utils.files import set_aside, whole_file

COURSE = "0.1.0"
FILE = Path(__file__).resolve().parents[1] / "notebooks" / "progress.json"

_this_session = {}


def under_grading():
    """Whether this runs under grading (nbgrader, or COURSE_STRICT=1): then no progress is read or written."""
    return bool(os.environ.get("NBGRADER_EXECUTION")) or os.environ.get("COURSE_STRICT") == "1"


def progress():
    """Show which exercises have been passed, notebook by notebook."""
    passed = _this_session.keys() | (_read() or {}).keys()
    for notebook, names in _notebooks().items():
        marks = "  ".join(f"{'✓' if name in passed else '○'} {name}" for name in names)
        print(f"{notebook}: {sum(name in passed for name in names)} of {len(names)}\n    {marks}")


def passed(name, function):
    """Remember that a function passed, with its source. Says so in one line when that is not possible."""
    _this_session[name] = function
    record = _read()
    if record is None or under_grading():
        return
    record[name] = {"source": source_of(function), "course": COURSE}
    try:
        with whole_file(FILE) as part:
            part.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as error:
        print(f"  (Your progress could not be saved in {FILE}: {error.strerror}. The course goes on without it.)")


def passed_functions():
    """All functions that passed, this session or before.

    Returns
    -------
    dict of str to function
        By the exercise's name. Those of earlier sessions are made from their sources, each in a namespace
        of its own with NumPy, the course's stages and the learner's other functions; one whose source
        does not run is left out.
    """
    functions, namespaces = {}, []
    for name, entry in (_read() or {}).items():
        namespace = {"np": np, "numpy": np} | {stage: getattr(stages, stage) for stage in stages.__all__}
        try:
            exec(compile(entry["source"], f"<your {name}>", "exec"), namespace)
        except (KeyboardInterrupt, GeneratorExit):
            raise
        except BaseException:  # whatever an old source does, the course goes on
            continue
        if namespace.get(name) is not getattr(stages, name, None):
            functions[name] = namespace[name]
            namespaces.append(namespace)
    functions |= _this_session
    for namespace in namespaces:
        namespace.update(functions)
    return functions


def source_of(function):
    """A function's source, with what it uses of its notebook: functions, modules, numbers and texts. "" without one."""
    parts, seen = [], {function.__name__} if inspect.isfunction(function) else set()

    def add(function):
        try:
            source = textwrap.dedent(inspect.getsource(function))
        except (OSError, TypeError, ValueError):  # ValueError: it claims to wrap itself
            return
        for name in sorted(_names_used(source) - seen - set(stages.__all__)):
            seen.add(name)
            value = function.__globals__.get(name)
            if inspect.ismodule(value):
                parts.append(f"import {value.__name__} as {name}\n")
            elif inspect.isfunction(value) and value.__module__ == function.__module__:
                add(value)
            elif isinstance(value, (bool, int, str)):
                parts.append(f"{name} = {value!r}\n")
            elif isinstance(value, float):
                parts.append(f"{name} = float({str(float(value))!r})\n")  # also inf and nan
            elif getattr(value, "__module__", None) and getattr(value, "__name__", None):
                parts.append(f"from {value.__module__} import {value.__name__} as {name}\n")
        parts.append(source)

    if inspect.isfunction(function):
        add(function)
    return "\n".join(parts)


def _names_used(source):
    """The names that a piece of code reads and does not set itself."""
    try:
        names = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)]
    except SyntaxError:  # a lambda's source may be half a line
        return set()
    read = {node.id for node in names if isinstance(node.ctx, ast.Load)}
    return read - {node.id for node in names if isinstance(node.ctx, ast.Store)}


def _read():
    """The record of earlier sessions, or None when it cannot be read; a broken file is set aside, not lost."""
    if under_grading():
        return {}
    try:
        record = json.loads(FILE.read_text(encoding="utf-8"))
        if not isinstance(record, dict):
            raise ValueError
        return record
    except FileNotFoundError:
        return {}
    except OSError as error:
        print(f"  (Your progress in {FILE} could not be read: {error.strerror}. The course goes on without it.)")
        return None
    except (ValueError, RecursionError):
        return _set_aside()


def _set_aside():
    try:
        aside = set_aside(FILE)
        print(f"  (Your progress file could not be understood. It is kept as {aside.name}, and a new one is begun.)")
    except OSError as error:
        print(f"  (Your progress file {FILE} could not be understood, nor set aside: {error.strerror}.)")
        return None
    return {}


def _notebooks():
    """Exercises by the stage whose notebook they are in, in order."""
    notebooks = {}
    for name in stages.__all__:
        stage = getattr(stages, name).__module__.rpartition(".")[2]
        notebooks.setdefault(stage, []).append(name)
    return notebooks
