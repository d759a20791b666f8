"""Whether a function is not written yet, which is no mistake: it has an empty body, or a gap left in it."""

import ast
import dis
import inspect
import textwrap


def is_empty(function):
    """Whether a function's body is empty: a docstring, `...`, `pass`, or `return None`."""
    if not inspect.isfunction(function):
        return False
    steps = [step for step in dis.get_instructions(function) if step.opname not in ("RESUME", "NOP")]
    return all(
        step.opname == "RETURN_VALUE" or (step.opname in ("LOAD_CONST", "RETURN_CONST") and step.argval is None)
        for step in steps
    )


def why_unfinished(function, first):
    """What says that a function is not finished: its first call (a utils.checks.run.Call), and a gap in its source.

    Returns
    -------
    str
        Words that follow "not written yet"; "" where nothing says so.
    """
    if first.error.startswith("NotImplementedError"):
        return " (it raises NotImplementedError)"
    gave_nothing = first.outcome == "returned" and (
        first.result is None or "ellipsis" in getattr(first.result, "kind", "")  # of an Unusable
    )
    failed_like_a_gap = (
        gave_nothing or first.error.startswith(("NameError", "UnboundLocalError")) or "ellipsis" in first.error.lower()
    )
    return ": there is still a `...` in it" if failed_like_a_gap and _has_gap(function) else ""


def _has_gap(function):
    """Whether a `...` is left in a function's source, other than as an index."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, ValueError, SyntaxError):
        return False
    indices = {part for node in ast.walk(tree) if isinstance(node, ast.Subscript) for part in ast.walk(node.slice)}
    return any(isinstance(node, ast.Constant) and node.value is ... and node not in indices for node in ast.walk(tree))
