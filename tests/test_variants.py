"""Notebooks 00 and 02 with other packages, in other places, under other names."""

import sys

import nbformat
import pytest
from packaging.requirements import Requirement

from tests.elsewhere import ROOT, environment, faults, interpreter, repository, run, shown, unrun, verdicts

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    import tomli as tomllib

pytestmark = pytest.mark.slow

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
OLDEST_PYTHON = PROJECT["requires-python"].removeprefix(">=")
# What a kernel needs of the learner's packages; the others bring JupyterLab and test the solutions.
PACKAGES = {
    name: line for line in PROJECT["dependencies"] if (name := Requirement(line).name) not in ("jupyterlab", "nbval")
}
SIGN = {"untouched": "○", "solved": "✓"}
NO_COURSE = "file:///there/is/no/course/here"


@pytest.fixture(scope="module", params=["00_start_here", "02_scores"])
def name(request):
    return request.param


@pytest.fixture(scope="module", params=SIGN)
def kind(request):
    return request.param


@pytest.fixture(scope="module")
def cells(name, kind):
    return unrun(name, kind)


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """A copy of the course, as a repository."""
    return repository(tmp_path_factory.mktemp("variants") / "course")


@pytest.fixture(scope="module")
def oldest(tmp_path_factory):
    """The Python of an environment with the oldest packages that will do."""
    python = interpreter(OLDEST_PYTHON)
    return environment(
        tmp_path_factory.mktemp("oldest") / "env", python, "--resolution=lowest-direct", *PACKAGES.values()
    )


def without(package, folder):
    """The Python of an environment with the learner's pins, except one package."""
    others = [line for name, line in PACKAGES.items() if name != package]
    pins = f"--constraints={ROOT / 'requirements.txt'}"
    return environment(folder / "env", sys.executable, pins, *others, "ipykernel")


@pytest.fixture(scope="module")
def without_ipywidgets(tmp_path_factory):
    return without("ipywidgets", tmp_path_factory.mktemp("no ipywidgets"))


@pytest.fixture(scope="module")
def without_matplotlib(tmp_path_factory):
    return without("matplotlib", tmp_path_factory.mktemp("no matplotlib"))


def expect_whole(executed, kind):
    """Every cell was run without a fault, and every check gave its verdict."""
    assert faults(executed) == []
    assert set(verdicts(executed)) == {SIGN[kind]}


# ---- other packages


def test_with_the_oldest_packages_it_runs_to_the_last_cell(cells, kind, shared, oldest):
    expect_whole(run(cells, shared / "notebooks", oldest, COURSE_REPO=NO_COURSE), kind)


def test_without_ipywidgets_every_explorer_is_a_still_picture_that_says_what_it_needs(
    cells, kind, shared, without_ipywidgets
):
    executed = run(cells, shared / "notebooks", without_ipywidgets, COURSE_REPO=NO_COURSE)
    expect_whole(executed, kind)
    explorers = [data for data in shown(executed) if "image/svg+xml" in data]
    assert explorers
    for data in explorers:
        assert "application/vnd.jupyter.widget-view+json" not in data
        assert "need ipywidgets: python -m pip install ipywidgets" in data["text/plain"]


def test_without_matplotlib_the_checks_run_and_every_picture_is_its_description(
    cells, kind, shared, without_matplotlib
):
    executed = run(cells, shared / "notebooks", without_matplotlib, COURSE_REPO=NO_COURSE)
    expect_whole(executed, kind)
    texts = [data["text/plain"] for data in shown(executed)]
    described = [
        text.partition("\n(Drawing a picture needs matplotlib, which is not installed here.") for text in texts
    ]
    assert any(sentence and len(words) > 40 for words, sentence, _ in described)
    assert not any("image/png" in data for data in shown(executed))


# ---- other places and names


@pytest.mark.parametrize("place", [".", "notebooks"], ids=["the root", "its folder"])
def test_it_runs_from(place, cells, kind, shared):
    expect_whole(run(cells, shared / place, COURSE_REPO=NO_COURSE), kind)


def test_alone_in_a_folder_with_spaces_and_hangul_it_fetches_the_course(cells, kind, shared, tmp_path):
    folder = tmp_path / "나의 첫 수업"
    folder.mkdir()
    expect_whole(run(cells, folder, COURSE_REPO=shared.as_uri()), kind)
    assert (folder / "attention-stage-by-stage/utils").is_dir()


def test_with_the_course_in_a_folder_of_hangul_it_runs_and_keeps_its_progress_there(cells, kind, tmp_path):
    course = repository(tmp_path / "나의 첫 수업")
    expect_whole(run(cells, course / "notebooks", COURSE_REPO=NO_COURSE), kind)
    assert (course / "notebooks/progress.json").exists() == (kind == "solved")


@pytest.mark.parametrize("renamed", ["{}-Copy1.ipynb", "나의 숙제 (2).ipynb"], ids=["a copy", "renamed"])
def test_under_another_name_it_runs(renamed, cells, name, kind, shared):
    file = shared / "notebooks" / renamed.format(name)
    nbformat.write(cells, file)
    # JupyterLab tells a kernel its notebook's path in this way
    executed = run(nbformat.read(file, as_version=4), file.parent, COURSE_REPO=NO_COURSE, JPY_SESSION_NAME=str(file))
    expect_whole(executed, kind)


def test_another_utils_beside_it_is_not_taken_for_the_courses(cells, kind, shared):
    mine = shared / "notebooks/utils.py"
    mine.write_text("raise ImportError('a file of the learner')", encoding="utf-8")
    try:
        expect_whole(run(cells, mine.parent, COURSE_REPO=NO_COURSE), kind)
    finally:
        mine.unlink()
