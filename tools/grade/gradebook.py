"""Marks in nbgrader's own gradebook. What it, or a person, has given there for written questions stays."""

import os
import sys
import warnings
from pathlib import Path

import nbformat
from nbgrader.api import Comment, Grade, Gradebook, MissingEntry, SubmittedNotebook
from nbgrader.preprocessors import SaveCells
from sqlalchemy.exc import SAWarning, SQLAlchemyError

from tools import notebook
from tools.build import ROOT


def write(path, entries):
    """Set the automatic scores of all exercises in an nbgrader database; what isn't in it yet is added.

    Parameters
    ----------
    path : Path
        Such as gradebook.db.
    entries : iterable of dict
        As tools.grade.marks.Journal keeps them; those of no known notebook are left out.

    Raises OSError when the database can't be written.
    """
    url = f"sqlite:///{path}"
    # nbgrader calls a program of its environment, which need not be an activated one.
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    try:
        with Gradebook(url) as gradebook, warnings.catch_warnings():
            warnings.simplefilter("ignore", SAWarning)  # nbgrader's own
            entries = [_in_text(entry) for entry in entries if entry["marks"]]
            for assignment, name in sorted({(entry["assignment"], entry["notebook"]) for entry in entries}):
                _expect(gradebook, url, assignment, name)
            for entry in entries:
                _score(gradebook, entry)
            gradebook.db.commit()
    except SQLAlchemyError as error:
        raise OSError(f"the gradebook {path} can't be written ({error.args[0]})") from None


def _expect(gradebook, url, assignment, name):
    """See that an assignment has a notebook, as `nbgrader generate_assignment` enters it; one that it has stays."""
    gradebook.update_or_create_assignment(assignment)
    try:
        gradebook.find_notebook(name, assignment)
    except MissingEntry:
        source = nbformat.read(ROOT / f"solutions/{name}.ipynb", as_version=4)
        where = {"notebook": name, "assignment": assignment, "db_url": url}
        SaveCells().preprocess(notebook.student(source), {"nbgrader": where})
        gradebook.db.commit()  # so that it is seen here


def _in_text(entry):
    """An entry whose student and assignment a database can hold, also where a folder's name is no UTF-8."""
    names = {key: os.fsencode(entry[key]).decode("utf-8", "backslashreplace") for key in ("student", "assignment")}
    return entry | names


def _score(gradebook, entry):
    student, assignment, name = entry["student"], entry["assignment"], entry["notebook"]
    gradebook.update_or_create_student(student)
    submission = gradebook.update_or_create_submission(assignment, student)
    grades = {grade.name: grade for grade in _submitted(gradebook, submission, name).grades}
    for mark in entry["marks"]:
        grade = grades.get(f"check_{mark['exercise']}")
        if grade and mark["points"] is not None:
            grade.auto_score = grade.cell.max_score * mark["points"] / mark["max_points"]
            grade.needs_manual_grade = False


def _submitted(gradebook, submission, name):
    """A notebook of a submission, with a place for each grade: nbgrader adds none to a submission that it has."""
    released = next(one for one in submission.assignment.notebooks if one.name == name)
    submitted = next((one for one in submission.notebooks if one.name == name), None)
    if submitted is None:
        submitted = SubmittedNotebook(notebook=released, assignment=submission)
        gradebook.db.add(submitted)
    graded = {grade.cell_id for grade in submitted.grades}
    commented = {comment.cell_id for comment in submitted.comments}
    new = [Grade(cell_id=one.id, notebook=submitted) for one in released.grade_cells if one.id not in graded]
    new += [Comment(cell_id=one.id, notebook=submitted) for one in released.solution_cells if one.id not in commented]
    gradebook.db.add_all(new)
    gradebook.db.commit()
    return submitted
