"""Marks in nbgrader's own gradebook. What a person has given there for written questions stays."""

from contextlib import closing

from nbgrader.api import Gradebook

from tools.grade import course


def write(path, entries):
    """Set the automatic scores of all exercises in an nbgrader database; what isn't in it yet is added.

    Parameters
    ----------
    path : Path
        Such as gradebook.db.
    entries : iterable of dict
        As tools.grade.marks.Journal keeps them; those of no known notebook are left out.
    """
    with closing(Gradebook(f"sqlite:///{path}")) as gradebook:
        entries = [entry for entry in entries if entry["marks"]]
        for assignment, name in sorted({(entry["assignment"], entry["notebook"]) for entry in entries}):
            _expect(gradebook, assignment, course.notebooks()[name])
        for entry in entries:
            _score(gradebook, entry)
        gradebook.db.commit()


def _expect(gradebook, assignment, notebook):
    """See that an assignment has a notebook, and the notebook its cells."""
    gradebook.update_or_create_assignment(assignment)
    gradebook.update_or_create_notebook(notebook.name, assignment)
    for item in notebook.items:
        written = item.track == "written"
        cell = item.name if written else f"check_{item.name}"
        where = cell, notebook.name, assignment
        kind = "markdown" if written else "code"
        gradebook.update_or_create_grade_cell(*where, max_score=item.points, cell_type=kind)
        if written:
            gradebook.update_or_create_solution_cell(*where)


def _score(gradebook, entry):
    student, assignment, notebook = entry["student"], entry["assignment"], entry["notebook"]
    gradebook.update_or_create_student(student)
    gradebook.update_or_create_submission(assignment, student)
    for mark in entry["marks"]:
        if mark["points"] is None:
            cell = mark["exercise"]
        else:
            cell = f"check_{mark['exercise']}"
        grade = gradebook.find_grade(cell, notebook, assignment, student)
        if mark["points"] is None:
            grade.needs_manual_grade = grade.manual_score is None
        else:
            grade.auto_score, grade.needs_manual_grade = mark["points"], False
