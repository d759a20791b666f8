"""One source, two notebooks: the executed solution and the learner's own.

The source is a jupytext script without cell metadata. What nbgrader needs to know, and ids that stay the
same from build to build, are derived from the cells' text.
"""

import copy
import hashlib
import os
import re
import tempfile
from collections import Counter

import jupytext
import nbformat
from ipykernel.kernelspec import RESOURCES, get_kernel_dict
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellControlSignal, DeadKernelError
from nbgrader.preprocessors import CheckCellMetadata, ClearOutput, ClearSolutions, ComputeChecksums, LockCells

from tools import QUESTION, UNANSWERED, BuildError
from utils.checks.check import EXERCISES

MARK = "### BEGIN SOLUTION"
ANSWER = "**A good answer.**"
POINTS = {"forward": 3, "full": 2, "optional": 1, "written": 3}
STUBS = {"code_stub": {"python": "..."}, "text_stub": UNANSWERED}
CHECK = re.compile(r'^(\w+) = check\("\1"\)\s*\Z', re.MULTILINE)
METADATA = {
    "kernelspec": {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"},
    "language_info": {"name": "python"},
}
# One BLAS thread, as everywhere in the course; the checks raise, and leave a learner's progress alone.
ENVIRONMENT = {"COURSE_STRICT": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
SECONDS_PER_CELL = 120


def read(source, setup):
    """The notebook that a source describes, with ids, nbgrader's metadata and the set-up cell.

    Parameters
    ----------
    source : str
        In jupytext's percent format. It starts with the title, a Markdown cell.
    setup : str
        The set-up cell's code; it comes second.

    Returns
    -------
    NotebookNode
        Not executed, solutions included.
    """
    notebook = jupytext.reads(source, fmt="py:percent")
    if not notebook.cells or notebook.cells[0].cell_type != "markdown":
        raise BuildError("The first cell must be the title, in Markdown.")
    notebook.cells.insert(1, nbformat.v4.new_code_cell(setup))
    notebook.metadata = nbformat.from_dict(METADATA)
    seen = Counter()
    for before, cell in zip([None, *notebook.cells], notebook.cells):
        cell.metadata.pop("lines_to_next_cell", None)
        cell.metadata |= _grading(cell, before)
        cell.id = _id(cell, seen)
    _expect_pairs(notebook)
    return notebook


def student(notebook):
    """The learner's version: stubs in place of solutions, and what nbgrader expects of a released notebook."""
    notebook, resources = copy.deepcopy(notebook), {}
    stub = ClearSolutions(**STUBS)
    try:
        for step in (LockCells(), stub, ClearOutput(), CheckCellMetadata(), ComputeChecksums()):
            notebook, resources = step.preprocess(notebook, resources)
    except RuntimeError as error:
        raise BuildError(f"nbgrader cannot clear the solutions: {error}") from None
    return notebook


def execute(notebook, folder):
    """The executed version: every cell run in a fresh kernel of this Python, with its outputs.

    Parameters
    ----------
    notebook : NotebookNode
        As `read` returns it.
    folder : Path
        The working directory.

    Returns
    -------
    NotebookNode
        Without anything that differs from run to run. BuildError when a cell fails or writes to stderr.
    """
    notebook, begun = copy.deepcopy(notebook), []
    client = _client(notebook, folder, on_cell_start=lambda cell, cell_index: begun.append(cell))
    with tempfile.TemporaryDirectory() as profile:  # the author's own start-up files stay out
        try:
            client.execute(cleanup_kc=True, env={**os.environ, **ENVIRONMENT, "IPYTHONDIR": profile})
        except (CellControlSignal, DeadKernelError) as error:
            raise BuildError(f"{_name(begun[-1])} failed: {_reason(error)}") from None
    _clean(notebook)
    return notebook


def text(notebook):
    """The notebook as the text of its file."""
    nbformat.validate(notebook)
    return nbformat.writes(notebook) + "\n"


# ---- what the cells' text says


def _grading(cell, before):
    """nbgrader's metadata: an exercise is a solution, its check is graded, a written answer is both."""
    if cell.cell_type == "code" and MARK in cell.source:
        return {"nbgrader": _nbgrader(_defined(cell), solution=True)}
    if cell.cell_type == "code" and (check := CHECK.search(cell.source)):
        points = POINTS[EXERCISES[check[1]].track if check[1] in EXERCISES else "forward"]
        return {"nbgrader": _nbgrader(f"check_{check[1]}", grade=True, locked=True, points=points)}
    if cell.cell_type == "markdown" and cell.source.startswith(ANSWER):
        if not (question := QUESTION.match(before.source)):
            raise BuildError(f"{_name(cell)} answers a question, so the cell above must start with '### Question'.")
        points = POINTS["written"]
        return {"nbgrader": _nbgrader(f"question_{question[1]}", grade=True, solution=True, points=points)}
    return {}


def _nbgrader(grade_id, **what):
    neither = {"grade": False, "solution": False, "locked": False, "task": False}
    return nbformat.from_dict({"schema_version": 3, "grade_id": grade_id, **neither, **what})


def _defined(cell):
    """The function that an exercise cell defines: the exercise's name."""
    functions = re.findall(r"^def (\w+)", cell.source, re.MULTILINE)
    if len(functions) != 1:
        raise BuildError(f"{_name(cell)} has a solution, so it must define one function, not {len(functions)}.")
    return functions[0]


def _id(cell, seen):
    """The exercise's or check's name, else a hash of the cell; a counter tells equal cells apart."""
    if "nbgrader" in cell.metadata:
        return cell.metadata.nbgrader.grade_id
    name = hashlib.sha256(f"{cell.cell_type}\n{cell.source}".encode()).hexdigest()[:12]
    seen[name] += 1
    return name if seen[name] == 1 else f"{name}-{seen[name]}"


def _expect_pairs(notebook):
    """Exercises and checks must alternate, no name twice."""
    found = [cell.id for cell in notebook.cells if cell.cell_type == "code" and "nbgrader" in cell.metadata]
    exercises = dict.fromkeys(name for name in found if not name.startswith("check_"))
    if found != [name for exercise in exercises for name in (exercise, f"check_{exercise}")]:
        raise BuildError(
            "Every exercise needs one cell below it, before the next exercise, that ends with the line"
            f' name = check("name"); found, in this order: {", ".join(found)}.'
        )


# ---- executing


def _client(notebook, folder, **hooks):
    return NotebookClient(
        notebook,
        km=AsyncKernelManager(kernel_name="python3", kernel_spec_manager=_ThisPython()),
        extra_arguments=["--log-level=40"],
        resources={"metadata": {"path": str(folder)}},
        timeout=SECONDS_PER_CELL,
        record_timing=False,
        coalesce_streams=True,
        **hooks,
    )


class _ThisPython(KernelSpecManager):
    """Starts the Python that runs the build, whatever kernels are installed under the name python3."""

    def get_kernel_spec(self, kernel_name):
        return KernelSpec(resource_dir=RESOURCES, **get_kernel_dict())


def _clean(notebook):
    """Refuse what nbgrader would punish, drop what is random: widget ids, and what the kernel said of itself."""
    notebook.metadata = nbformat.from_dict(METADATA)
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if output.get("name") == "stderr":
                raise BuildError(f"{_name(cell)} writes to stderr: {output.text.strip()}")
            output.get("data", {}).pop("application/vnd.jupyter.widget-view+json", None)


def _name(cell):
    return f"The cell that starts with '{cell.source.partition(chr(10))[0]}'"


def _reason(error):
    return f"{error.ename}: {error.evalue}" if hasattr(error, "ename") else str(error).partition("\n")[0]
