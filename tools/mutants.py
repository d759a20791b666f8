"""Mutate the course's own functions, one small change at a time, and see whether the checks notice (`make mutants`).

A mutant that a check lets pass is a hole in the probes, unless it computes the same: then it survives on many random
inputs of other sizes and values too, and is listed as equivalent.
"""

import argparse
import ast
import copy
import inspect
import sys
import textwrap
from concurrent.futures import ProcessPoolExecutor
from types import SimpleNamespace

import numpy as np

from utils import stages
from utils.checks import report
from utils.checks.check import EXERCISES
from utils.checks.compare import labelled, near
from utils.checks.exercise import SIZES
from utils.checks.run import Probe, run

TRIES = 100
"""Random inputs on which a survivor has to agree with the original to count as equivalent."""

OPERATORS = {
    ast.Add: [ast.Sub], ast.Sub: [ast.Add], ast.Mult: [ast.Add, ast.Div], ast.Div: [ast.Mult], ast.Pow: [ast.Mult],
    ast.Lt: [ast.LtE, ast.Gt], ast.LtE: [ast.Lt], ast.Gt: [ast.GtE, ast.Lt], ast.GtE: [ast.Gt], ast.Eq: [ast.NotEq],
    ast.NotEq: [ast.Eq],
}  # fmt: skip
NAMES = {
    "sum": ["mean", "max"], "mean": ["sum"], "max": ["min"], "argmax": ["argmin"], "exp": ["expm1", "exp2"],
    "tanh": ["sin"], "log": ["log1p"], "sqrt": ["abs"], "zeros": ["ones"], "zeros_like": ["ones_like"],
    "add": ["subtract"], "concatenate": ["stack"],
}  # fmt: skip


def mutants(function):
    """All mutants of a function: one small change each.

    Yields
    ------
    what : str
        The change, as "line: before → after".
    function
    """
    source = textwrap.dedent(inspect.getsource(inspect.unwrap(function)))
    tree = ast.parse(source)
    definition = tree.body[0]
    definition.decorator_list = []
    if ast.get_docstring(definition):
        del definition.body[0]
    nodes = list(ast.walk(definition))
    seen = {ast.unparse(definition)}
    for position, node in enumerate(nodes):
        for change in _changes(node):
            mutated = copy.deepcopy(definition)
            twin = list(ast.walk(mutated))[position]
            before = ast.unparse(twin)
            replacement = change(twin)
            if replacement is not twin:
                _replace(mutated, twin, replacement)
            code = ast.unparse(ast.fix_missing_locations(mutated))
            if code in seen:
                continue
            seen.add(code)
            names = dict(vars(sys.modules[function.__module__]))
            try:
                exec(compile(code, f"<{function.__name__}>", "exec"), names)
            except SyntaxError:
                continue
            yield f"{before} → {ast.unparse(replacement)}", names[function.__name__]


def _changes(node):
    """Functions that change a node of this kind in place, or give another one for it."""
    if isinstance(node, ast.BinOp):
        for other in OPERATORS.get(type(node.op), []):
            yield lambda twin, other=other: _set(twin, "op", other())
        yield lambda twin: _set(twin, "left", twin.right, "right", twin.left)
        if isinstance(node.op, (ast.Add, ast.Sub, ast.Mult, ast.MatMult, ast.Div)):
            yield lambda twin: twin.left
            yield lambda twin: twin.right
        if isinstance(node.op, ast.MatMult):
            for side in ("left", "right"):
                yield lambda twin, side=side: _set(twin, side, ast.Attribute(getattr(twin, side), "T", ast.Load()))
    elif isinstance(node, ast.AugAssign):
        for other in OPERATORS.get(type(node.op), []):
            yield lambda twin, other=other: _set(twin, "op", other())
        yield lambda twin: ast.Assign([twin.target], twin.value)
        yield lambda twin: ast.Pass()
    elif isinstance(node, ast.Compare):
        for other in OPERATORS.get(type(node.ops[0]), []):
            yield lambda twin, other=other: _set(twin, "ops", [other()])
    elif isinstance(node, ast.UnaryOp):
        yield lambda twin: twin.operand
    elif isinstance(node, ast.Constant) and not isinstance(node.value, str):
        for value in _other_values(node.value):
            yield lambda twin, value=value: ast.Constant(value)
    elif isinstance(node, ast.Attribute):
        if node.attr == "T":
            yield lambda twin: twin.value
        for other in NAMES.get(node.attr, []):
            yield lambda twin, other=other: _set(twin, "attr", other)
    elif isinstance(node, ast.Call):
        if len(node.args) > 1:
            yield lambda twin: _set(twin, "args", [twin.args[1], twin.args[0], *twin.args[2:]])
        for k in range(len(node.keywords)):
            yield lambda twin, k=k: _set(twin, "keywords", [*twin.keywords[:k], *twin.keywords[k + 1 :]])
        if len(node.args) == 1 and not node.keywords:
            yield lambda twin: twin.args[0]
    elif isinstance(node, ast.Tuple) and len(node.elts) > 1 and isinstance(node.ctx, ast.Load):
        yield lambda twin: _set(twin, "elts", [twin.elts[1], twin.elts[0], *twin.elts[2:]])
    elif isinstance(node, ast.Slice):
        for part in ("lower", "upper", "step"):
            if getattr(node, part) is not None:
                yield lambda twin, part=part: _set(twin, part, None)
    elif isinstance(node, ast.If):
        yield lambda twin: _set(twin, "test", ast.Constant(True))
        yield lambda twin: _set(twin, "test", ast.Constant(False))


def _other_values(value):
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value - 1]
    if isinstance(value, float):
        return [value + 1, value * 2, 0.0]
    return []


def _set(node, *names_and_values):
    """Change fields of a node, all at once; gives the node."""
    for name, value in zip(names_and_values[::2], names_and_values[1::2]):
        setattr(node, name, value)
    return node


def _replace(tree, old, new):
    """Put one node in the place of another."""
    for parent in ast.walk(tree):
        for name, value in ast.iter_fields(parent):
            if value is old:
                setattr(parent, name, new)
            elif isinstance(value, list):
                setattr(parent, name, [new if item is old else item for item in value])


def survivors(name):
    """The mutants of one exercise that its check lets pass.

    Returns
    -------
    tried : int
    survived : list of (str, bool)
        The change, and whether the mutant is equivalent on random inputs.
    """
    function, tried, survived = getattr(stages, name), 0, []
    for what, mutant in mutants(function):
        tried += 1
        if report(name, mutant).passed:
            survived.append((what, equivalent(EXERCISES[name], mutant)))
    return tried, survived


def equivalent(exercise, mutant):
    """Whether a mutant agrees with the oracle on random inputs of random sizes, most of them larger than the probes."""
    rng = np.random.RandomState(0)
    for _ in range(TRIES):
        sizes = SimpleNamespace(**{letter: rng.randint(1, 12) for letter in SIZES})
        probe = Probe("random", exercise.make(rng, sizes))
        answer = exercise.oracle(*probe.args)
        answers = answer if len(exercise.returns) > 1 else (answer,)
        (call,) = run(mutant, [probe]).calls
        results = labelled(exercise, call.result, answers) if call.outcome == "returned" else "an error"
        if isinstance(results, str) or not all(near(right, given, probe) for _, right, given in results):
            return False
    return True


def main(arguments=None):
    """The command line. Returns 0, or 1 when more than 2 per cent of all mutants survive unexplained."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", help="exercises; all of them when none is named")
    names = parser.parse_args(arguments).names or stages.__all__
    tried = unexplained = 0
    with ProcessPoolExecutor() as pool:
        for name, (count, survived) in zip(names, pool.map(survivors, names)):
            tried += count
            holes = [what for what, same in survived if not same]
            unexplained += len(holes)
            print(f"{name:30} {count:3} mutants, {len(survived) - len(holes):2} equivalent, {len(holes):2} unexplained")
            for what, same in survived:
                print(f"    {'equivalent' if same else 'SURVIVES  '}  {what}")
    print(f"{tried} mutants, {unexplained} survive unexplained ({unexplained / max(tried, 1):.1%})")
    return int(unexplained > 0.02 * tried)


if __name__ == "__main__":
    sys.exit(main())
