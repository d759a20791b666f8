"""Every notebook as Colab runs it: its packages, an empty folder, the course fetched by the first cell."""

import ast

import nbformat
import pytest
from nbclient.exceptions import CellExecutionError

from tests.elsewhere import ROOT, environment, faults, interpreter, printed, repository, run, unrun, verdicts
from utils import widgets

pytestmark = pytest.mark.slow

NAMES = sorted(source.stem for source in (ROOT / "solutions").glob("[0-9][0-9]_*.py"))
PYTHON = "3.13"
PINS = ["numpy==2.1.3", "matplotlib==3.10.0", "ipywidgets==7.7.1", "ipython==7.34.0", "ipykernel==6.17.1"]
ALSO_THERE = ["tqdm", "threadpoolctl"]

# Runs behind a cell that shows an explorer: moves one control after the other, and says what the picture did.
MOVE_THE_CONTROLS = """
import ipywidgets


def inside(widget):
    return [widget, *(part for child in getattr(widget, "children", ()) for part in inside(child))]


def another(control):
    if isinstance(control.value, bool):
        return not control.value
    if hasattr(control, "options"):
        values = [option[1] if isinstance(option, tuple) else option for option in control.options]
        return next(value for value in values if value != control.value)
    if isinstance(control.value, str):
        return control.value[:-1] or "1"
    return control.max if control.value != control.max else control.min


parts = [part for part in inside(Out[max(Out)].widget()) if hasattr(part, "value")]
pictures = [part for part in parts if isinstance(part, ipywidgets.HTML)]
for control in parts:
    if control not in pictures:
        before = [picture.value for picture in pictures]
        control.value = another(control)
        after = [picture.value for picture in pictures]
        failed = any("Nothing to draw" in value for value in after)
        print(f"{control.description}:", "failed" if failed else "stayed" if after == before else "moved")
"""


@pytest.fixture(scope="session")
def colab(tmp_path_factory):
    """The Python of an environment with Colab's packages."""
    return environment(tmp_path_factory.mktemp("colab") / "env", interpreter(PYTHON), *PINS, *ALSO_THERE)


@pytest.fixture(scope="session")
def address(tmp_path_factory):
    """Of a repository of the course as it stands now."""
    return repository(tmp_path_factory.mktemp("origin") / "course").as_uri()


@pytest.fixture(scope="module", params=NAMES)
def solved(request, colab, address, tmp_path_factory):
    """A solved notebook, executed, with a cell behind each explorer that moves its controls."""
    cells = unrun(request.param, "solved")
    for place, cell in reversed([*enumerate(cells.cells)]):
        if shows_an_explorer(cell):
            cells.cells.insert(place + 1, nbformat.v4.new_code_cell(MOVE_THE_CONTROLS, id=f"move_{place}"))
    folder = tmp_path_factory.mktemp("content")
    return run(cells, folder, colab, COURSE_REPO=address)


def shows_an_explorer(cell):
    """Whether a cell's last line calls one of the course's explorers."""
    if cell.cell_type != "code":
        return False
    *_, last = ast.parse(cell.source).body
    return isinstance(last, ast.Expr) and ast.unparse(last).partition("(")[0] in widgets.__all__


@pytest.mark.parametrize("name", NAMES)
def test_untouched_it_runs_to_the_last_cell_from_an_empty_folder(name, colab, address, tmp_path):
    executed = run(unrun(name, "untouched"), tmp_path, colab, COURSE_REPO=address)
    assert faults(executed) == []
    assert set(verdicts(executed)) == {"○"}
    assert [path.name for path in tmp_path.iterdir()] == ["attention-stage-by-stage"]


def test_solved_every_cell_runs_and_every_check_passes(solved):
    assert faults(solved) == []
    assert set(verdicts(solved)) == {"✓"}


def test_every_explorer_is_a_widget_whose_picture_follows_its_controls(solved):
    moved = [place for place, cell in enumerate(solved.cells) if cell.id.startswith("move_")]
    assert moved
    for place in moved:
        (output,) = solved.cells[place - 1].outputs
        assert {"application/vnd.jupyter.widget-view+json", "image/svg+xml"} <= output.data.keys()
        lines = printed(solved.cells[place]).splitlines()
        assert any(line.endswith(": moved") for line in lines), lines
        assert not any(line.endswith(": failed") for line in lines), lines


def test_without_git_the_first_cell_is_one_line(colab, address, tmp_path):
    cells = unrun("00_start_here", "untouched")
    cells.cells = cells.cells[:2]
    with pytest.raises(CellExecutionError) as error:
        run(cells, tmp_path, colab, COURSE_REPO=address, PATH="")
    (line,) = str(error.value).partition("----- stderr -----\n")[2].strip("-\n").splitlines()
    assert line.startswith("UsageError: The course's code is not here")
