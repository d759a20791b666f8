"""The notebooks: as a learner opens them, as they are when solved, and what must never be in them."""

import ast
import copy
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from tools import build, notebook
from utils import stages

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "solutions").glob("[0-9][0-9]_*.py"))
NAMES = [source.stem for source in SOURCES]


@pytest.fixture(scope="module", params=SOURCES, ids=NAMES)
def solved(request):
    """A notebook with its solutions, not executed, made from its source."""
    return notebook.read(request.param.read_text(encoding="utf-8"), build.setup_cell(ROOT))


@pytest.fixture(scope="module")
def untouched(solved):
    """What a learner gets: whatever stands in notebooks/ by now, this is made afresh."""
    return notebook.student(solved)


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A copy of the course, with a progress file of its own, in a folder with a space."""
    root = tmp_path_factory.mktemp("my course")
    shutil.copytree(ROOT / "utils", root / "utils", ignore=shutil.ignore_patterns("__pycache__"))
    (root / "notebooks").mkdir()
    return root


def run(cells, folder):
    """Execute a copy of a notebook in a folder, as Run All does; returns it with its outputs."""
    executed = copy.deepcopy(cells)
    environment = {
        name: value for name, value in os.environ.items() if name not in ("COURSE_STRICT", "NBGRADER_EXECUTION")
    }
    NotebookClient(executed, timeout=120, resources={"metadata": {"path": str(folder)}}).execute(env=environment)
    return executed


def printed(cell):
    return "".join(output.get("text", "") for output in cell.outputs)


def exercises(cells):
    return [cell.id for cell in cells.cells if cell.id in stages.__all__]


def functions(code):
    """Every function of a piece of code by its name, without decorators, comments and layout."""
    found = {node.name: node for node in ast.parse(code).body if isinstance(node, ast.FunctionDef)}
    for node in found.values():
        node.decorator_list = []
    return {name: ast.unparse(node) for name, node in found.items()}


def test_untouched_it_runs_to_the_last_cell_and_every_exercise_is_not_written_yet(untouched, course):
    executed = run(untouched, course / "notebooks")
    assert all(cell.execution_count for cell in executed.cells if cell.cell_type == "code")
    checks = [cell for cell in executed.cells if cell.id.startswith("check_")]
    assert len(checks) == len(exercises(untouched)) > 0
    for cell in checks:
        assert printed(cell).startswith(f"○ {cell.id.removeprefix('check_')}: not written yet")


def test_with_solutions_pasted_in_every_check_passes_and_is_remembered(untouched, solved, course):
    pasted = copy.deepcopy(untouched)
    answers = {cell.id: cell.source for cell in solved.cells}
    for cell in pasted.cells:
        cell.source = answers[cell.id]
    executed = run(pasted, course / "notebooks")
    for cell in executed.cells:
        if cell.id.startswith("check_"):
            assert printed(cell).startswith(f"✓ {cell.id.removeprefix('check_')}")
    record = json.loads((course / "notebooks/progress.json").read_text(encoding="utf-8"))
    assert set(exercises(solved)) <= set(record)


def test_a_solution_cell_is_the_courses_own_version(solved):
    for cell in solved.cells:
        if cell.id in stages.__all__:
            stage = Path(sys.modules[getattr(stages, cell.id).__module__].__file__)
            assert functions(cell.source)[cell.id] == functions(stage.read_text(encoding="utf-8"))[cell.id]


def test_all_exercises_of_its_stage_are_in_the_notebook(solved):
    modules = {getattr(stages, name).__module__ for name in exercises(solved)}
    assert len(modules) == 1
    assert exercises(solved) == [name for name in stages.__all__ if getattr(stages, name).__module__ in modules]


def test_no_solution_text_is_in_what_a_learner_opens(untouched, solved):
    student = nbformat.writes(untouched)
    for cell in solved.cells:
        for solution in re.findall(r"### BEGIN SOLUTION\n(.*?)### END SOLUTION", cell.source, re.DOTALL):
            lines = [line.strip() for line in solution.splitlines()]
            for line in lines:
                assert len(line) < 12 or json.dumps(line, ensure_ascii=False)[1:-1] not in student
    assert "SOLUTION" not in student
    assert not any(cell.get("outputs") or cell.get("attachments") for cell in untouched.cells)


@pytest.mark.parametrize("name", NAMES)
def test_every_picture_has_its_description_as_alt_text(name):
    for cell in nbformat.read(ROOT / f"solutions/{name}.ipynb", as_version=4).cells:
        for output in cell.get("outputs", []):
            if "image/png" in output.get("data", {}):
                assert output.metadata["image/png"]["alt"] == output.data["text/plain"]
                assert len(output.data["text/plain"]) > 40


def test_every_exercise_has_three_hints_and_a_link_to_its_solution(solved):
    for before, cell in zip(solved.cells, solved.cells[1:]):
        if cell.id in stages.__all__:
            assert f"### Exercise: `{cell.id}`" in before.source
            assert re.findall(r"<summary>Hint (\d)", before.source) == ["1", "2", "3"]
            assert "](../solutions/" in before.source


def test_headings_go_down_one_level_at_a_time(solved):
    prose = "\n".join(cell.source for cell in solved.cells if cell.cell_type == "markdown")
    levels = [len(marks) for marks in re.findall(r"^(#+) ", prose, re.MULTILINE)]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(below <= above + 1 for above, below in zip(levels, levels[1:]))


def test_every_folded_part_is_closed(solved):
    for cell in solved.cells:
        assert cell.source.count("<details>") == cell.source.count("</details>") == cell.source.count("<summary>")


@pytest.mark.parametrize("place", [".", "notebooks"])
def test_the_first_cell_finds_the_course_from_the_root_and_from_the_notebooks_folder(course, place):
    (course / "notebooks/utils.py").write_text("raise ImportError('a file of the learner')", encoding="utf-8")
    program = build.setup_cell(ROOT) + "\nimport utils.checks\nprint(utils.__file__)"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=course / place, capture_output=True, text=True, encoding="utf-8"
    )
    assert Path(done.stdout.strip()).parents[1] == course.resolve(), done.stderr
