"""`make handout`: the course without its solutions, and it works."""

import os
import re
import shutil
import subprocess
import sys

import nbformat
import pytest

from tools import handout, notebook
from tools.build import ROOT, address, setup_cell, sources

SOLUTION = re.compile(r"### BEGIN SOLUTION\n(.*?)\n *### END SOLUTION", re.DOTALL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The hand-out, made from a copy of the course in which a teacher has worked."""
    course = tmp_path_factory.mktemp("the course")
    for name in ("solutions", "utils", "tools"):
        shutil.copytree(ROOT / name, course / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in (*handout.KEPT, "pyproject.toml"):
        shutil.copy(ROOT / name, course / name)
    (course / "notebooks").mkdir()
    shutil.copy(ROOT / "solutions/03_softmax.ipynb", course / "notebooks/03_softmax.ipynb")
    (course / "notebooks/progress.json").write_text("{}", encoding="utf-8")
    assert handout.main(course / "handout", course) == 0
    return course / "handout"


def files(folder):
    """Every text in it, by path."""
    paths = [path for path in folder.rglob("*") if path.is_file() and path.suffix not in (".npz", ".pyc")]
    return {path: path.read_text(encoding="utf-8") for path in paths}


def run(folder, code):
    """Run Python in the hand-out as a learner would, with nothing of the course elsewhere in reach."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, encoding="utf-8")


def test_no_line_of_a_solution_can_be_read_in_it(folder):
    given = "\n".join(cell.source for path in folder.glob("notebooks/*") for cell in nbformat.read(path, 4).cells)
    lines = {
        line.strip()
        for source in sources(ROOT)
        for body in SOLUTION.findall((ROOT / source).read_text(encoding="utf-8"))
        for line in body.splitlines()
        if len(line.strip()) > 30 and line.strip() not in given  # some lines are shown to learners elsewhere
    }
    assert len(lines) > 50
    found = [(path.name, line) for path, text in files(folder).items() for line in lines if line in text]
    assert not found


def test_no_model_answer_to_a_written_question_is_in_it(folder):
    assert not [path for path, text in files(folder).items() if notebook.ANSWER in text]


def test_nothing_links_to_the_solutions(folder):
    assert not [path for path, text in files(folder).items() if "solutions/" in text and path.suffix == ".ipynb"]


def test_what_the_teacher_has_worked_on_stays_out_of_it(folder):
    names = sorted(path.name for path in (folder / "notebooks").iterdir())
    assert names == [f"{source[len('solutions/') : -len('.py')]}.ipynb" for source in sources(ROOT)]
    softmax = nbformat.read(folder / "notebooks/03_softmax.ipynb", as_version=4)
    assert next(cell for cell in softmax.cells if cell.id == "softmax").source.endswith("    ...")


def test_nothing_leads_to_the_course_s_home(folder):
    """A notebook that was taken out of its folder must not fetch the solutions."""
    assert not [path for path, text in files(folder).items() if address(ROOT) in text]


def test_it_is_written_anew_and_what_else_is_there_stays(folder):
    (folder / ".git").mkdir()
    (folder / "notebooks/old.ipynb").touch()
    assert handout.main(folder, folder.parent) == 0
    assert (folder / ".git").exists() and not (folder / "notebooks/old.ipynb").exists()


def test_its_notebooks_are_the_learners_own_but_for_the_links(folder):
    for source in sources(ROOT):
        whole = notebook.read((ROOT / source).read_text(encoding="utf-8"), setup_cell(ROOT, ""))
        ours = notebook.student(whole).cells
        theirs = nbformat.read(folder / "notebooks" / f"{source[len('solutions/') : -len('.py')]}.ipynb", 4).cells
        assert [handout.LINKS.sub("", cell.source) for cell in ours] == [cell.source for cell in theirs]


def test_its_checks_tell_right_from_wrong_and_name_the_mistake(folder):
    done = run(
        folder,
        "import numpy as np\n"
        "from utils import stages\n"
        "from utils.checks import report\n"
        "z = lambda e: np.exp(e - e.max(axis=0))\n"
        "wrong = report('softmax', lambda e: z(e) / z(e).sum(axis=0))\n"
        "print(report('softmax', stages.softmax).passed, wrong.passed, wrong.diagnosis)\n",
    )
    assert done.stdout.split() == ["True", "False", "over_the_batch"], done.stderr


def test_its_model_trains(folder):
    done = run(folder, "from utils.train import main; main(['--steps', '2'])")
    assert done.returncode == 0, done.stderr


def test_the_source_of_a_function_shows_no_answer(folder):
    done = run(folder, "import inspect; from utils import stages; print(inspect.getsource(stages.softmax))")
    assert "exp(" not in done.stdout


def test_a_folder_with_something_in_it_is_left_alone(tmp_path, capsys):
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    assert handout.main(tmp_path) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
    assert capsys.readouterr().err.startswith("handout: There is something in")
