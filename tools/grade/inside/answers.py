"""Find one answer among the statements of a notebook, and run it with just what it needs of the others."""

import __future__

import ast
import dis
import linecache
import re
import textwrap
import traceback
from dataclasses import dataclass, field
from types import CodeType

_CELL_MAGIC = re.compile(r"\s*%%(\w*).*")
_KEPT_MAGICS = ("time", "timeit", "capture", "prun")
_MOST_MAGICS = 100
_MAGIC_LINE = re.compile(r"(\s*)(?:%time\s+(.*)|[%!?].*|[\w, ]+=\s*[%!].*|[\w.]+\?+\s*|(?:pip|conda|cd|ls) .*)")
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_IMPORTS = (ast.Import, ast.ImportFrom)
# Type hints are not evaluated, so they need no imports.
_FLAGS = __future__.annotations.compiler_flag | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT


@dataclass(frozen=True, eq=False)
class Statement:
    """One statement at the top level of a cell.

    Attributes
    ----------
    place : int
        Its place among all statements of the notebook.
    cell : dict
    reads, binds : frozenset of str
        The global names that it reads (now, or when a function that it defines is called), and those that it gives
        a value.
    alters : frozenset of str
        The names whose value it changes from within, as in ``cache["x"] = 1``, or would in a function that it defines.
    calls : frozenset of str
        The names that it calls, or hands to a call, and so may change: ``cache.update(x=1)``, ``fill(cache)``.
    checks : frozenset of str
        The exercises that it checks, as in ``softmax = check("softmax")``.
    """

    place: int
    cell: dict
    node: ast.stmt = field(repr=False)
    code: CodeType = field(repr=False)
    reads: frozenset
    binds: frozenset
    alters: frozenset
    calls: frozenset
    checks: frozenset

    def defines(self, name):
        """Whether it gives a name its value, and not just what a check gives back."""
        return name in self.binds and name not in self.checks

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
                found = [_statement(cell, node, filename) for node in _apart(tree.body)]
            except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
                self.broken.append((cell, _why_no_python(error, cell["source"])))
                continue
            linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
            self.statements += [Statement(len(self.statements) + k, *parts) for k, parts in enumerate(found)]

    def answer(self, name):
        """The statements that define an exercise's function, in the order of the notebook; [] where none does.

        The last definition above the exercise's check counts, as when all cells are run; stubs don't count
        where there is anything else. Where the name is defined nowhere, the last function in the exercise's
        cell counts, under whatever name.
        """
        defining = [one for one in self.statements if one.defines(name)]
        above = [one for one in defining if one.place < self.check_of(name)]
        for group in ([one for one in above if not one.is_stub], [one for one in defining if not one.is_stub]):
            if group:
                last = group[-1]
                wraps_another = name in last.reads and not isinstance(last.node, _DEFINITIONS)
                return group if wraps_another else [last]
        in_its_cell = [
            one for one in self.statements if one.cell["id"] == name and isinstance(one.node, ast.FunctionDef)
        ]
        return (defining or in_its_cell)[-1:]

    def check_of(self, name):
        """The place of an exercise's last check, of one whose result is kept where there is any; else the end."""
        checks = [one for one in self.statements if name in one.checks and not isinstance(one.node, _DEFINITIONS)]
        keeping = [one for one in checks if name in one.binds]
        return max((one.place for one in keeping or checks), default=len(self.statements))

    def limit(self, answer, name):
        """Up to where the notebook counts for an answer: its check, or the end of its cell where no check follows."""
        cell, check = answer[-1].cell, self.check_of(name)
        if answer[-1].place < check < len(self.statements):
            return check
        return 1 + max(one.place for one in self.statements if one.cell is cell)

    def why_broken(self, name):
        """What Python says of the cell that was to define a function, or ""."""
        for cell, error in self.broken:
            if cell["id"] == name or re.search(rf"^[ \t]*def {name}\b", cell["source"], re.MULTILINE):
                return error
        return ""

    def giving(self, name, limit, exercises):
        """The statements that give a name its value as it is at some place, or below it where none does above."""
        definitions = [one for one in self.statements if isinstance(one.node, _DEFINITIONS)]
        setters = {one.node.name for one in definitions if name in one.alters} - {*exercises}
        called = {name, *setters}
        found = [one for one in self.statements if one.defines(name) or name in one.alters or one.calls & called]
        above = [one for one in found if one.place < limit]
        if any(one.defines(name) for one in above) or not any(one.defines(name) for one in found):
            found = above
        defining = self.answer(name) if name in exercises else [one for one in found if one.defines(name)]
        # Modules and functions are called all over a notebook, and stay what they are.
        may_change = defining and not any(isinstance(one.node, (*_IMPORTS, *_DEFINITIONS)) for one in defining)
        changing = [one for one in found if may_change or name in one.alters or setters & one.calls]
        return defining + [one for one in changing if not one.defines(name)]


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
        And what went wrong first among what it needs, or "".
    """
    answer, broken = student.answer(name), student.why_broken(name)
    if not answer or (answer[-1].is_stub and broken):
        return None, broken
    limit = student.limit(answer, name)
    after = [one for one in student.statements if name in one.alters and one not in answer]
    chosen, wanted, seen = {}, list(_reads([*answer, *after])), {name}
    while wanted:
        one = wanted.pop()
        if one in seen or (one in given and one in exercises):
            continue
        seen.add(one)
        theirs = student.giving(one, limit, exercises)
        if not any(statement.defines(one) for statement in theirs):
            theirs += course.giving(one, course.check_of(name), exercises)
        chosen |= {id(statement): statement for statement in theirs}
        wanted += _reads(theirs)
    stars = [one for one in student.statements if "*" in one.binds]
    # What the course provides comes first, as in its notebook; then the student's, in the order of theirs.
    needed = sorted(chosen.values(), key=lambda one: (one in student.statements, one.place))
    namespace = {"__name__": "__main__", "display": print} | given
    problems = [_run([*stars, *needed], namespace), _run([*answer, *after], namespace)]
    held = name if name in answer[-1].binds else answer[-1].node.name
    return namespace.get(held), problems[0] or problems[1]


def _reads(statements):
    return {read for one in statements for read in one.reads}


def _run(statements, namespace):
    """Run statements, and again those that failed: others may define what they need. Tells the first failure."""
    problem, failed = "", []
    for one in statements:
        try:
            exec(one.code, namespace)
        except (Exception, SystemExit) as error:
            problem = problem or _told(error)
            failed += [] if one.binds <= namespace.keys() else [one]
    return _run(failed, namespace) if 0 < len(failed) < len(statements) else problem


def _told(error):
    """An exception, and the line of the notebook that raised it."""
    lines = [frame.line for frame in traceback.extract_tb(error.__traceback__) if "cell" in frame.filename]
    return f"{type(error).__name__}: {error}" + (f", in the line: {lines[-1]}" if lines else "")


def _apart(statements):
    """A cell's statements; each module of an import apart, so that one that isn't here costs none of the others."""
    for node in statements:
        if isinstance(node, ast.Import):
            yield from (ast.copy_location(ast.Import([module]), node) for module in node.names)
        else:
            yield node


def _parsed(source):
    """A cell's source as Python, and its tree; what only IPython understands is taken out."""
    source = textwrap.dedent(re.sub(r"\r\n?", "\n", source))
    if magic := _CELL_MAGIC.match(source):
        source = magic[0].count("\n") * "\n" + source[magic.end() :] if magic[1] in _KEPT_MAGICS else ""
    lines = source.split("\n")
    for _ in range(_MOST_MAGICS):
        try:
            return "\n".join(lines), ast.parse("\n".join(lines))
        except SyntaxError as error:
            line = (error.lineno or 0) - 1
            magic = _MAGIC_LINE.fullmatch(lines[line]) if 0 <= line < len(lines) else None
            if magic is None:
                raise
            lines[line] = magic[1] + (magic[2] or "pass")
    raise ValueError(f"it has more than {_MOST_MAGICS} lines that only IPython understands")


def _why_no_python(error, source):
    """What is wrong with a cell, and its line."""
    lines = dict(enumerate(re.split(r"\r\n?|\n", source), start=1))
    line = lines.get(getattr(error, "lineno", None))
    where = f", in line {error.lineno}: {line.strip()}" if line else ""
    return f"its cell is no Python: {getattr(error, 'msg', error)}{where}"


def _statement(cell, node, filename):
    code = compile(ast.Module([node], []), filename, "exec", _FLAGS, dont_inherit=True)
    reads, binds, alters, changes, calls, checks = (set() for _ in range(6))
    for part in _codes(code):
        for instruction in dis.get_instructions(part):
            if instruction.opname in ("LOAD_NAME", "LOAD_GLOBAL", "LOAD_FROM_DICT_OR_GLOBALS"):
                reads.add(instruction.argval)
            elif instruction.opname == "STORE_NAME" and part is code:
                binds.add(instruction.argval)
            elif instruction.opname == "STORE_GLOBAL":
                (binds if part is code else alters).add(instruction.argval)
    for part in ast.walk(node):
        match part:
            case ast.ImportFrom(names=[ast.alias(name="*")]):
                binds.add("*")
            case (
                ast.Call(func=ast.Name(id="check"), args=[ast.Constant(value=str(name))])
                | ast.Call(func=ast.Name(id="check"), keywords=[ast.keyword(value=ast.Constant(value=str(name)))])
            ):
                checks.add(name)
            case ast.Call(func=function, args=given) if not isinstance(node, _DEFINITIONS):
                calls |= {_base(one) for one in [function, *given]}
            case ast.Attribute(ctx=ast.Store() | ast.Del()) | ast.Subscript(ctx=ast.Store() | ast.Del()):
                changes.add(_base(part))
    # What is no global name changes nothing outside.
    return cell, node, code, *map(frozenset, (reads | checks, binds, alters | changes & reads, calls & reads, checks))


def _codes(code):
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _base(part):
    """The name at the beginning of ``name.x[0].y``, or ""."""
    while isinstance(part, (ast.Attribute, ast.Subscript)):
        part = part.value
    return part.id if isinstance(part, ast.Name) else ""
