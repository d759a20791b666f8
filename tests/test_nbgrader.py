"""The real nbgrader takes the student notebooks as they are."""

import copy
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook

from tools import build, notebook

ROOT = Path(__file__).parents[1]
NAME = "02_scores"
CONFIG = """
c = get_config()
c.CourseDirectory.course_id = "attention"
c.ClearSolutions.code_stub = {"python": "..."}
"""


@pytest.fixture(scope="module")
def classroom(tmp_path_factory):
    """A class with two students, one who wrote nothing and one who wrote all, inside a copy of the course."""
    course = tmp_path_factory.mktemp("course")
    shutil.copytree(ROOT / "utils", course / "utils", ignore=shutil.ignore_patterns("__pycache__"))
    room = course / "class"
    solved = notebook.read((ROOT / f"solutions/{NAME}.py").read_text(encoding="utf-8"), build.setup_cell(ROOT))
    untouched = notebook.student(solved)
    pasted = copy.deepcopy(untouched)
    for cell, answer in zip(pasted.cells, solved.cells):
        cell.source = answer.source
    versions = {"source/scores": solved, "submitted/none/scores": untouched, "submitted/all/scores": pasted}
    for folder, version in versions.items():
        (room / folder).mkdir(parents=True)
        (room / folder / f"{NAME}.ipynb").write_text(notebook.text(version), encoding="utf-8")
    (room / "nbgrader_config.py").write_text(CONFIG, encoding="utf-8")
    nbgrader(room, "generate_assignment", "scores")
    nbgrader(room, "autograde", "scores")
    return room


def nbgrader(room, *words):
    """Run nbgrader, which looks for other programs of its environment on the PATH; gives what it said."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    command = [sys.executable, "-m", "nbgrader", *words]
    done = subprocess.run(command, cwd=room, env={**os.environ, "PATH": path}, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def score(room, student):
    with Gradebook(f"sqlite:///{room / 'gradebook.db'}") as gradebook:
        submission = gradebook.find_submission("scores", student)
        return submission.score, submission.max_score


def test_its_release_version_is_our_student_notebook(classroom):
    release = nbformat.read(classroom / f"release/scores/{NAME}.ipynb", as_version=4)
    ours = nbformat.read(classroom / f"submitted/none/scores/{NAME}.ipynb", as_version=4)
    assert [(cell.id, cell.source) for cell in release.cells] == [(cell.id, cell.source) for cell in ours.cells]


def test_autograde_gives_full_marks_to_the_solutions_and_none_to_an_untouched_notebook(classroom):
    assert score(classroom, "all") == (6, 6)
    assert score(classroom, "none") == (0, 6)


def test_validate_tells_a_solved_notebook_from_an_untouched_one(classroom):
    assert "Success" in nbgrader(classroom, "validate", f"submitted/all/scores/{NAME}.ipynb")
    assert "FAILED" in nbgrader(classroom, "validate", f"submitted/none/scores/{NAME}.ipynb")


def test_grading_leaves_no_progress_file(classroom):
    assert not list(classroom.parent.rglob("progress.json"))
