"""The course's notebooks as the grader sees them: exercises, questions, points, and the cells that are given."""

import functools
import json
from dataclasses import dataclass

from tools import QUESTION, UNANSWERED
from tools.build import ROOT
from utils.checks.check import EXERCISES


@dataclass(frozen=True)
class Item:
    """What there are points for: an exercise or a written question."""

    name: str
    track: str
    points: int


@dataclass(frozen=True)
class CourseNotebook:
    """One notebook of the course.

    Attributes
    ----------
    name : str
        Such as "03_softmax".
    items : list of Item
        In its order.
    cells : list of dict
        Its code cells without the solutions, as tools.grade.inside.answers takes them.
    """

    name: str
    items: list
    cells: list

    @property
    def exercises(self):
        return [item.name for item in self.items if item.name in EXERCISES]


@functools.cache
def notebooks():
    """The course's notebooks by name, in its order."""
    found = {}
    for path in sorted((ROOT / "solutions").glob("[0-9][0-9]_*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        items = [_item(cell["metadata"]["nbgrader"]) for cell in cells if _nbgrader(cell).get("grade")]
        given = [cell for cell in cells if not _nbgrader(cell).get("solution")]
        found[path.stem] = CourseNotebook(path.stem, items, code_cells(given))
    return found


def code_cells(cells):
    """The code cells of a notebook: nbgrader's id, or "", and the source. ValueError where they are no cells.

    An exercise's cell is one whatever its type has been changed to.
    """
    found = []
    for cell in cells:
        if not isinstance(cell, dict) or not isinstance(cell.get("cell_type"), str):
            raise ValueError("one of its cells is none")
        grade_id = _grade_id(cell)
        if cell["cell_type"] == "code" or grade_id in EXERCISES:
            found.append({"id": grade_id, "source": _source(cell)})
    return found


def written_answers(cells):
    """What students wrote in the places for written answers; "" for what was left as it was.

    A place is known by its grade id, else by the question's heading in the cell above.
    """
    answers = {}
    for before, cell in zip(["", *map(_source, cells)], cells):
        name = _grade_id(cell)
        if not name and (question := QUESTION.match(before)):
            name = f"question_{question[1]}"
        if name.startswith("question_"):
            answer = _source(cell).strip()
            answers[name] = "" if answer == UNANSWERED else answer
    return answers


def _source(cell):
    source = cell.get("source", "")
    source = "".join(source) if isinstance(source, list) and all(isinstance(line, str) for line in source) else source
    if not isinstance(source, str):
        raise ValueError("one of its cells has no text")
    return source


def _nbgrader(cell):
    """What nbgrader has noted of a cell; {} where that is nothing, or no dict."""
    metadata = cell.get("metadata")
    nbgrader = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    return nbgrader if isinstance(nbgrader, dict) else {}


def _grade_id(cell):
    grade_id = _nbgrader(cell).get("grade_id")
    return grade_id if isinstance(grade_id, str) else ""


def _item(nbgrader):
    name = nbgrader["grade_id"].removeprefix("check_")
    track = EXERCISES[name].track if name in EXERCISES else "written"
    return Item(name, track, nbgrader["points"])


def earlier(name):
    """The exercises before one, in the course's order: those whose functions its answer may use."""
    order = [exercise for notebook in notebooks().values() for exercise in notebook.exercises]
    return order[: order.index(name)]
