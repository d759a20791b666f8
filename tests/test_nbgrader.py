"""The real nbgrader takes the student notebooks as they are, and our grader's marks into its gradebook."""

import copy
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook

from tools import build, notebook
from tools.grade import course, gradebook
from tools.grade.__main__ import main

ROOT = Path(__file__).parents[1]
NAME = "02_scores"
CODE, WRITTEN = 16, 9
QUESTIONS = ["question_1", "question_2", "question_3"]
CONFIG = """
c = get_config()
c.CourseDirectory.course_id = "attention"
c.ClearSolutions.code_stub = {"python": "..."}
c.ClearSolutions.text_stub = "*Write your answer here.*"
"""
NOISE = """
    import sys, warnings
    warnings.warn("an old function")
    np.log(np.zeros(1))
    print("halfway", file=sys.stderr)
    ### BEGIN SOLUTION
"""


@pytest.fixture(scope="module")
def classroom(tmp_path_factory):
    """A class inside a copy of the course: nothing written; all of it, with warnings; and a `check` that lies."""
    course = tmp_path_factory.mktemp("course")
    shutil.copytree(ROOT / "utils", course / "utils", ignore=shutil.ignore_patterns("__pycache__"))
    room = course / "class"
    solved = notebook.read((ROOT / f"solutions/{NAME}.py").read_text(encoding="utf-8"), build.setup_cell(ROOT))
    untouched = notebook.student(solved)
    pasted, lying = copy.deepcopy(untouched), copy.deepcopy(untouched)
    for cell, answer in zip(pasted.cells, solved.cells):
        cell.source = answer.source.replace("    ### BEGIN SOLUTION\n", NOISE.lstrip("\n"))
    next(cell for cell in lying.cells if cell.id == "dot_score_one").source += "\n\ncheck = print"
    versions = {"none": untouched, "all": pasted, "lying": lying}
    for folder, version in {"source": solved, **{f"submitted/{who}": one for who, one in versions.items()}}.items():
        (room / folder / "scores").mkdir(parents=True)
        (room / folder / f"scores/{NAME}.ipynb").write_text(notebook.text(version), encoding="utf-8")
    (room / "nbgrader_config.py").write_text(CONFIG, encoding="utf-8")
    nbgrader(room, "generate_assignment", "scores")
    nbgrader(room, "autograde", "scores")
    return room


@pytest.fixture(scope="module")
def graded_again(classroom):
    """The same class, after a person has read one answer and our grader has written its marks into the gradebook."""
    if not hasattr(os, "fork"):
        pytest.skip("our grader needs fork")
    room = classroom.with_name("graded_again")
    shutil.copytree(classroom, room)
    with Gradebook(f"sqlite:///{room / 'gradebook.db'}") as gradebook:
        grade = gradebook.find_grade("question_1", NAME, "scores", "all")
        grade.manual_score, grade.needs_manual_grade = 2, False
        gradebook.db.commit()
    ours(room, "gradebook.db")
    return room


@pytest.fixture(scope="module")
def fed_back(graded_again):
    """The same, after nbgrader has made its feedback and its table of scores from that gradebook."""
    nbgrader(graded_again, "generate_feedback", "scores", "--student", "all")
    nbgrader(graded_again, "export")
    return graded_again


def nbgrader(room, *words):
    """Run nbgrader, which looks for other programs of its environment on the PATH; gives what it said."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    command = [sys.executable, "-m", "nbgrader", *words]
    done = subprocess.run(command, cwd=room, env={**os.environ, "PATH": path}, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def ours(room, gradebook):
    """Grade a class with our grader, into a gradebook."""
    words = [room / "submitted", "--out", room / "marks.csv", "--jobs", 2, "--gradebook", room / gradebook]
    assert main([str(word) for word in words]) == 0


def score(room, student, gradebook="gradebook.db"):
    with Gradebook(f"sqlite:///{room / gradebook}") as gradebook:
        submission = gradebook.find_submission("scores", student)
        return submission.score, submission.max_score


def points(room, student):
    """The points for code, by cell."""
    with Gradebook(f"sqlite:///{room / 'gradebook.db'}") as gradebook:
        grades = gradebook.find_submission_notebook(NAME, "scores", student).grades
        return {grade.name: grade.auto_score for grade in grades if grade.name not in QUESTIONS}


def waiting(room, student, gradebook="gradebook.db"):
    """The cells of a student that wait for a person."""
    with Gradebook(f"sqlite:///{room / gradebook}") as gradebook:
        grades = gradebook.find_submission_notebook(NAME, "scores", student).grades
        return sorted(grade.name for grade in grades if grade.needs_manual_grade)


# ---- points


@pytest.mark.parametrize("name", course.notebooks())
def test_the_forward_track_alone_with_its_questions_earns_at_least_half_of_the_points(name):
    items = course.notebooks()[name].items
    forward = sum(item.points for item in items if item.track in ("forward", "written"))
    assert forward >= sum(item.points for item in items) / 2


@pytest.mark.parametrize("path", sorted((ROOT / "solutions").glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_asks_three_questions_that_a_person_grades(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    graded = [cell["metadata"]["nbgrader"] for cell in cells if cell["metadata"].get("nbgrader", {}).get("grade")]
    questions = [one for one in graded if one["solution"]]  # nbgrader leaves a cell that is both to a person
    assert [(one["grade_id"], one["points"]) for one in questions] == [(question, 3) for question in QUESTIONS]


@pytest.mark.parametrize("track, points", [("forward", 3), ("full", 2), ("optional", 1)])
def test_an_exercise_has_the_points_of_its_track(track, points):
    items = [item for one in course.notebooks().values() for item in one.items if item.track == track]
    assert {item.points for item in items} == {points}


# ---- nbgrader's own grading


def test_its_release_version_is_our_student_notebook(classroom):
    release = nbformat.read(classroom / f"release/scores/{NAME}.ipynb", as_version=4)
    ours = nbformat.read(classroom / f"submitted/none/scores/{NAME}.ipynb", as_version=4)
    assert [(cell.id, cell.source) for cell in release.cells] == [(cell.id, cell.source) for cell in ours.cells]


def test_autograde_gives_all_points_for_code_to_solutions_that_warn_and_write_to_stderr(classroom):
    assert score(classroom, "all") == (CODE, CODE + WRITTEN)


def test_autograde_gives_none_to_an_untouched_notebook(classroom):
    assert score(classroom, "none") == (0, CODE + WRITTEN)


def test_an_untouched_notebook_leaves_nothing_for_a_person_to_grade(classroom):
    assert waiting(classroom, "none") == []


def test_a_written_answer_waits_for_a_person(classroom):
    assert waiting(classroom, "all") == QUESTIONS


@pytest.mark.slow
def test_validate_tells_a_solved_notebook_from_an_untouched_one(classroom):
    said = nbgrader(classroom, "validate", *(f"submitted/{who}/scores/{NAME}.ipynb" for who in ("none", "all")))
    assert said.index("FAILED") < said.index("Success")


def test_grading_leaves_no_progress_file(classroom):
    assert not list(classroom.parent.rglob("progress.json"))


# ---- our marks in its gradebook


def test_our_marks_are_those_of_nbgrader_where_those_are_right(classroom, graded_again):
    assert points(graded_again, "none") == points(classroom, "none")
    assert points(graded_again, "all") == points(classroom, "all")


def test_our_mark_takes_the_place_of_one_that_nbgrader_was_fooled_into(classroom, graded_again):
    assert score(classroom, "lying")[0] > 0
    assert score(graded_again, "lying")[0] == 0


def test_what_a_person_gave_for_a_written_question_stays(graded_again):
    assert score(graded_again, "all") == (CODE + 2, CODE + WRITTEN)


def test_what_waits_for_a_person_is_left_as_it_is(graded_again):
    assert waiting(graded_again, "all") == QUESTIONS[1:]
    assert waiting(graded_again, "none") == []


@pytest.mark.slow
def test_nbgraders_feedback_shows_our_scores(fed_back):
    page = (fed_back / f"feedback/all/scores/{NAME}.html").read_text(encoding="utf-8")
    assert f"Score: {CODE + 2}.0 / {CODE + WRITTEN}.0" in page


@pytest.mark.slow
def test_nbgraders_export_shows_our_scores(fed_back):
    header, *rows = (fed_back / "grades.csv").read_text(encoding="utf-8").splitlines()
    column = header.split(",").index("score")
    assert sorted(float(row.split(",")[column]) for row in rows) == [0, 0, CODE + 2]


def test_a_new_gradebook_gets_the_same_scores(graded_again):
    ours(graded_again, "new.db")
    assert score(graded_again, "all", "new.db") == (CODE, CODE + WRITTEN)
    assert waiting(graded_again, "none", "new.db") == QUESTIONS


def _entry(name, share):
    """A journal's entry with this share of every exercise's points."""
    items = course.notebooks()[name].items
    taken = [{"exercise": one.name, "track": one.track, "points": share * one.points} for one in items]
    taken = [one | {"max_points": item.points} for one, item in zip(taken, items) if item.track != "written"]
    return {"student": "kim", "assignment": "week 1", "notebook": name, "marks": taken}


def test_a_notebook_that_is_handed_in_later_finds_its_place_in_the_submission(tmp_path):
    first, second = _entry("02_scores", 1), _entry("03_softmax", 1)
    gradebook.write(tmp_path / "gradebook.db", [first])
    gradebook.write(tmp_path / "gradebook.db", [first, second])
    with Gradebook(f"sqlite:///{tmp_path / 'gradebook.db'}") as written:
        assert written.find_submission_notebook("02_scores", "week 1", "kim").score == 16
        assert written.find_submission_notebook("03_softmax", "week 1", "kim").score == 11


def test_points_that_a_teacher_has_set_in_the_gradebook_stay(tmp_path):
    gradebook.write(tmp_path / "gradebook.db", [_entry("03_softmax", 0)])
    with Gradebook(f"sqlite:///{tmp_path / 'gradebook.db'}") as written:
        written.find_grade_cell("check_softmax", "03_softmax", "week 1").max_score = 10
        written.db.commit()
    gradebook.write(tmp_path / "gradebook.db", [_entry("03_softmax", 1)])
    with Gradebook(f"sqlite:///{tmp_path / 'gradebook.db'}") as written:
        grade = written.find_grade("check_softmax", "03_softmax", "week 1", "kim")
        assert (grade.auto_score, grade.max_score) == (10, 10)
