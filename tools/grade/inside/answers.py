"""Find one answer among the statements of a notebook, and run it with just what it needs of the others."""

import ast
import dis
import linecache
import re
import textwrap
from dataclasses import dataclass, field
from types import CodeType

_KEPT_MAGICS = ("time", "timeit", "capture", "prun")
_MAGIC_LINE = re.compile(r"^([ \t]*)(?:[%!].*|\??\??[\w.]+\?\??)$", re.MULTILINE)


@dataclass(frozen=True)
class Statement:
    """One statement at the top level of a cell.

    Attributes
    ----------
    place : int
        Its place among all statements of the notebook.
    cell : str
        The cell's id.
    reads, binds, alters : frozenset of str
        The global names that it reads (now, or when a function that it defines is called), that it gives
        a value, and whose value it changes from within, as in ``cache["x"] = 1``.
    """

    place: int
    cell: str
    node: ast.stmt = field(repr=False)
    code: CodeType = field(repr=False)
    reads: frozenset
    binds: frozenset
    alters: frozenset

    @property
    def checks(self):
        """The exercise whose check this is, as in ``softmax = check("softmax")``; else None."""
        match self.node:
            case ast.Assign(
                targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id="check"), args=[ast.Constant(value=said)])
            ) if name == said:
                return name
        return None

    @property
    def is_stub(self):
        """Whether it defines a function with nothing in it."""
        return isinstance(self.node, (ast.FunctionDef, ast.AsyncFunctionDef)) and all(
            isinstance(part, ast.Pass) or isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant)
            for part in self.node.body
        )


class Notebook:
    """The statements of a notebook's code cells.

    Parameters
    ----------
    cells : list of dict
        With `id` (nbgrader's grade id, or "") and `source`.
    label : str
        Names the cells in tracebacks.

    Attributes
    ----------
    statements : list of Statement
    broken : list of (dict, str)
        The cells that are no Python, each with what Python says.
    """

    def __init__(self, cells, label):
        self.statements, self.broken = [], []
        for number, cell in enumerate(cells, start=1):
            filename = f"<{label} {number}>"
            try:
                source, tree = _parsed(cell["source"])
                found = [_statement(cell["id"], node, filename) for node in tree.body]
            except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
                self.broken.append((cell, f"{type(error).__name__}: {error}"))
                continue
            linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
            self.statements += [Statement(len(self.statements) + k, *parts) for k, parts in enumerate(found)]

    def answer(self, name):
        """The statements that define an exercise's function, in the order of the notebook; [] where none does.

        The last definition above the exercise's check counts, as when all cells are run; stubs don't count
        where there is anything else. Where the name is defined nowhere, the one function in the exercise's
        cell counts, under whatever name.
        """
        defining = [one for one in self.statements if name in one.binds and one.checks is None]
        above = [one for one in defining if one.place < self.limit(name)]
        for group in ([one for one in above if not one.is_stub], [one for one in defining if not one.is_stub]):
            if group:
                last = group[-1]
                wraps_another = name in last.reads and not isinstance(last.node, ast.FunctionDef)
                return group if wraps_another else [last]
        in_its_cell = [one for one in self.statements if one.cell == name and isinstance(one.node, ast.FunctionDef)]
        if not defining and len(in_its_cell) == 1:
            return in_its_cell
        return defining[-1:]

    def limit(self, name):
        """The place of an exercise's check; the end where there is none."""
        return max((one.place for one in self.statements if one.checks == name), default=len(self.statements))

    def why_broken(self, name):
        """What Python says of the cell that was to define a function, or ""."""
        for cell, error in self.broken:
            if cell["id"] == name or re.search(rf"^[ \t]*def {name}\b", cell["source"], re.MULTILINE):
                return error
        return ""


def load(name, student, course, given, exercises):
    """The function that answers an exercise, made from the student's cells.

    Parameters
    ----------
    name : str
        The exercise.
    student, course : Notebook
        The student's cells, and the course's without its solutions, for what the student has deleted.
    given : dict of str to function
        Stand-ins for the course's versions. They go before what the student defines under these names, for
        `exercises`; under other names they are what is left when nobody defines them.
    exercises : collection of str
        The exercises of this notebook.

    Returns
    -------
    (function or None, str)
        And what went wrong where there is none.
    """
    answer = student.answer(name)
    if not answer:
        return None, student.why_broken(name)
    chosen, wanted, seen = {}, list(_reads(answer)), {name}
    while wanted:
        one = wanted.pop()
        if one in seen or (one in given and one in exercises):
            continue
        seen.add(one)
        for statement in _defining(one, student, name, exercises) or _defining(one, course, name, exercises):
            chosen[id(statement)] = statement
            wanted += statement.reads
    stars = [one for one in student.statements if "*" in one.binds]
    theirs = {id(one) for one in student.statements}
    # What the course provides comes first, as in its notebook; then the student's, in the order of theirs.
    in_order = sorted(chosen.values(), key=lambda one: (id(one) in theirs, one.place))
    after = [one for one in student.statements if name in one.alters and one not in answer]
    namespace, problem = {"__name__": "__main__"} | given, ""
    for statement in [*stars, *in_order, *answer, *after]:
        try:
            exec(statement.code, namespace)
        except (Exception, SystemExit) as error:
            if statement in answer:
                problem = f"{type(error).__name__}: {error}"
    held = name if name in namespace or not isinstance(answer[0].node, ast.FunctionDef) else answer[0].node.name
    return namespace.get(held), problem


def _reads(statements):
    return {read for one in statements for read in one.reads}


def _defining(one, notebook, name, exercises):
    """The statements of a notebook that give a name its value, as it is when an exercise is checked."""
    if one in exercises:
        return notebook.answer(one)
    binding = [other for other in notebook.statements if one in other.binds and other.checks is None]
    above = [other for other in binding if other.place < notebook.limit(name)]
    found = above or binding
    altering = [other for other in notebook.statements if one in other.alters and other.checks is None]
    imported = any(isinstance(other.node, (ast.Import, ast.ImportFrom)) for other in binding)
    return found + [other for other in altering if not (imported and isinstance(other.node, ast.Expr))]


def _parsed(source):
    """A cell's source as Python, and its tree; what only IPython understands is taken out."""
    try:
        return source, ast.parse(source)
    except SyntaxError:
        bare = textwrap.dedent(source)
        if bare.lstrip().startswith("%%"):
            magic, _, bare = bare.lstrip().partition("\n")
            bare = "\n" + bare if magic.split()[0][2:] in _KEPT_MAGICS else ""
        bare = _MAGIC_LINE.sub(r"\1pass", bare)
        return bare, ast.parse(bare)


def _statement(cell, node, filename):
    code = compile(ast.Module([node], []), filename, "exec", dont_inherit=True)
    reads, binds = set(), set()
    for instruction in dis.get_instructions(code):
        if instruction.opname == "STORE_NAME":
            binds.add(instruction.argval)
    for part in _codes(code):
        for instruction in dis.get_instructions(part):
            if instruction.opname in ("LOAD_NAME", "LOAD_GLOBAL", "LOAD_FROM_DICT_OR_GLOBALS"):
                reads.add(instruction.argval)
            elif instruction.opname == "STORE_GLOBAL":
                binds.add(instruction.argval)
    if isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names):
        binds.add("*")
    return cell, node, code, frozenset(reads), frozenset(binds), frozenset(_altered(node))


def _codes(code):
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _altered(node):
    """The names whose values a statement changes from within: by an item, an attribute or a method."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        parts = [node.value.func]
    else:
        parts = [part for part in ast.walk(node) if isinstance(getattr(part, "ctx", None), (ast.Store, ast.Del))]
    for part in parts:
        base = part
        while isinstance(base, (ast.Attribute, ast.Subscript)):
            base = base.value
        if base is not part and isinstance(base, ast.Name):
            yield base.id
