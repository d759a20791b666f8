"""The build, in a small course of its own with one notebook; at the end, the real one."""

import difflib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tools import BuildError, build

ROOT = Path(__file__).parents[1]

SOURCE = '''\
# %% [markdown]
# # Tiny

# %%
from utils.checks import check

# %% [markdown]
# Write twice x.

# %%
def double(x):
    """Twice x."""
    # 1. add x to itself
    ### BEGIN SOLUTION
    secret = x
    return x + secret
    ### END SOLUTION


# %%
double = check("double")

# %%
double(21)

# %% tags=["nbval-ignore-output"]
import ipywidgets

ipywidgets.FloatSlider()

# %%
double(21)
'''

CHECKS = """
import inspect

def check(name):
    return inspect.currentframe().f_back.f_globals[name]
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A small course, built once; tests look at it and leave it as it is."""
    root = tmp_path_factory.mktemp("a course")
    for folder in ("solutions", "tools", "utils/stages"):
        (root / folder).mkdir(parents=True)
    shutil.copy(ROOT / "tools/setup_cell.py", root / "tools")
    shutil.copy(ROOT / "pyproject.toml", root)
    for package in ("utils", "utils/stages"):
        (root / package / "__init__.py").touch()
    (root / "utils/checks.py").write_text(CHECKS, encoding="utf-8")
    (root / "solutions/02_tiny.py").write_text(SOURCE, encoding="utf-8")
    build.build(root)
    return root


@pytest.fixture
def course(built, tmp_path):
    """A copy of the built course, to be changed."""
    return Path(shutil.copytree(built, tmp_path / "a copy", ignore=shutil.ignore_patterns("__pycache__")))


@pytest.fixture
def notebook():
    """The module that makes notebooks; slow to import."""
    from tools import notebook

    return notebook


def replace(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def contents(root):
    return {path: path.read_bytes() for path in [*root.glob("solutions/*"), *root.glob("notebooks/*")]}


def loaded(path):
    import nbformat

    return nbformat.read(path, as_version=4)


# ---- ids


def test_exercises_and_their_checks_have_their_names_as_ids(notebook):
    ids = [cell.id for cell in notebook.read(SOURCE, "pass").cells]
    assert ids[4:6] == ["double", "check_double"]


def test_equal_cells_have_different_ids(notebook):
    ids = [cell.id for cell in notebook.read(SOURCE, "pass").cells]
    assert ids[8] == f"{ids[6]}-2"
    assert len(set(ids)) == len(ids)


def test_ids_are_such_as_the_notebook_format_allows(notebook):
    assert all(re.fullmatch("[a-zA-Z0-9-_]{1,64}", cell.id) for cell in notebook.read(SOURCE, "pass").cells)


def test_an_edit_changes_only_its_cell(notebook):
    before = notebook.text(notebook.read(SOURCE, "pass")).splitlines()
    after = notebook.text(notebook.read(SOURCE.replace("Write twice", "Compute twice"), "pass")).splitlines()
    changed = [line for line in difflib.ndiff(before, after) if line[0] in "+-"]
    assert [line.split()[1] for line in changed] == ['"id":', '"id":', '"Write', '"Compute']


# ---- what is built


def test_a_second_build_changes_no_byte_even_with_an_empty_home_and_another_kernel_called_python3(
    course, tmp_path, monkeypatch
):
    kernel = tmp_path / "jupyter/kernels/python3/kernel.json"
    kernel.parent.mkdir(parents=True)
    kernel.write_text('{"argv": ["no-such-python"], "display_name": "Other", "language": "python"}', encoding="utf-8")
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "jupyter"))
    monkeypatch.setenv("JUPYTER_PREFER_ENV_PATH", "0")
    for home in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(home, str(tmp_path / "home"))
    before = contents(course)
    build.build(course)
    assert contents(course) == before


def test_the_solution_is_executed(built):
    cells = loaded(built / "solutions/02_tiny.ipynb").cells
    assert [cell.execution_count for cell in cells if cell.cell_type == "code"] == [1, 2, 3, 4, 5, 6, 7]
    assert cells[6].outputs[0].data == {"text/plain": "42"}


def test_no_widget_id_is_stored(built):
    assert "widget-view" not in (built / "solutions/02_tiny.ipynb").read_text(encoding="utf-8")


def test_tags_are_kept(built):
    for folder in ("solutions", "notebooks"):
        assert loaded(built / folder / "02_tiny.ipynb").cells[7].metadata == {"tags": ["nbval-ignore-output"]}


def test_files_end_with_a_newline_and_have_no_other_line_ends(built):
    for path, data in contents(built).items():
        assert data.endswith(b"\n") and b"\r" not in data, path


def test_a_student_notebook_has_the_stub_where_the_solution_was_and_all_that_is_around_it(built):
    cell = loaded(built / "notebooks/02_tiny.ipynb").cells[4]
    assert cell.source == 'def double(x):\n    """Twice x."""\n    # 1. add x to itself\n    ...'


def test_a_student_notebook_holds_no_text_of_a_solution(built):
    text = (built / "notebooks/02_tiny.ipynb").read_text(encoding="utf-8")
    assert "secret" not in text and "SOLUTION" not in text


def test_a_student_notebook_has_no_outputs(built):
    cells = [cell for cell in loaded(built / "notebooks/02_tiny.ipynb").cells if cell.cell_type == "code"]
    assert all(cell.outputs == [] and cell.execution_count is None for cell in cells)


def test_nbgrader_grades_the_check_and_nothing_else(built):
    cells = loaded(built / "notebooks/02_tiny.ipynb").cells
    marks = {cell.id: cell.metadata.nbgrader for cell in cells if "nbgrader" in cell.metadata}
    assert [(name, mark.grade, mark.solution, mark.locked) for name, mark in marks.items()] == [
        ("double", False, True, False),
        ("check_double", True, False, True),
    ]
    assert marks["check_double"].points == 3


def test_the_notebooks_of_a_source_that_is_gone_are_removed(course):
    (course / "solutions/02_tiny.py").unlink()
    build.build(course)
    assert [path.name for path in contents(course)] == ["manifest.json"]


# ---- what is refused


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1 / 0", "02_tiny.py: The cell that starts with '1 / 0' failed: ZeroDivisionError: division by zero"),
        ("import sys; sys.stderr.write('oh')", "starts with 'import sys; sys.stderr.write('oh')' writes to stderr: oh"),
    ],
)
def test_a_cell_that_fails_or_warns_is_named_and_leaves_all_files_as_they_were(course, line, message):
    replace(course / "solutions/02_tiny.py", "# %% tags", f"# %%\n{line}\n\n# %% tags")
    before = contents(course)
    with pytest.raises(BuildError, match=re.escape(message)):
        build.build(course)
    assert contents(course) == before


def test_a_file_that_cannot_be_written_is_left_as_it_was_and_nothing_beside_it(tmp_path, monkeypatch):
    def full(part, path):
        raise OSError

    (tmp_path / "a").write_bytes(b"old")
    monkeypatch.setattr(build.os, "replace", full)
    with pytest.raises(OSError):
        build.write(tmp_path / "a", "new")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("a", b"old")]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('double = check("double")', 'double = check("treble")', 'ends with the line name = check("name")'),
        ('double = check("double")', 'double = check("double")\nprint(1)', 'ends with the line name = check("name")'),
        ("def double(x):", "double = lambda x:", "must define one function, not 0"),
        ("    ### END SOLUTION\n", "", "no end solution statement found"),
        ("# %% [markdown]\n# # Tiny\n", "", "The first cell must be the title, in Markdown"),
    ],
)
def test_a_source_that_makes_no_notebook_is_refused_with_a_sentence(notebook, old, new, message):
    with pytest.raises(BuildError, match=re.escape(message)):
        notebook.student(notebook.read(SOURCE.replace(old, new), "pass"))


# ---- --check


def test_after_a_build_nothing_is_stale(built):
    assert build.main(["--check"], built) == 0


@pytest.mark.parametrize("path", ["solutions/02_tiny.py", "solutions/02_tiny.ipynb", "notebooks/02_tiny.ipynb"])
def test_a_changed_file_is_named_with_the_command_that_mends_it(course, path):
    replace(course / path, "Write twice", "Compute twice")
    assert build.stale(course) == [f"{path}: changed since the last build; `make build` mends it"]


def test_an_edit_of_utils_is_one_line(course):
    replace(course / "utils/checks.py", "def", "# a comment\ndef")
    assert build.stale(course) == ["utils/: changed since the last build; `make build` mends it"]


def test_another_address_makes_the_set_up_cell_stale(course):
    replace(course / "pyproject.toml", "OWNER", "someone")
    assert build.stale(course) == ["tools/setup_cell.py: changed since the last build; `make build` mends it"]


def test_a_missing_and_a_new_file_are_named_as_such(course):
    (course / "notebooks/02_tiny.ipynb").unlink()
    (course / "solutions/03_new.py").touch()
    assert [line.partition(" since")[0] for line in build.stale(course)] == [
        "notebooks/02_tiny.ipynb: missing",
        "solutions/03_new.py: new",
    ]


def test_line_ends_as_git_writes_them_on_windows_are_not_a_change(course):
    for path in [*contents(course), course / "utils/checks.py"]:
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert build.stale(course) == []


def test_a_check_writes_nothing_and_fails_when_something_is_stale(course, capsys):
    replace(course / "solutions/02_tiny.py", "Write twice", "Compute twice")
    before = contents(course)
    assert build.main(["--check"], course) == 1
    assert capsys.readouterr().err.startswith("solutions/02_tiny.py: changed")
    assert contents(course) == before


# ---- the set-up cell


def run_setup(built, folder, after="", before="", **environment):
    """Run the set-up cell in IPython, as a notebook does, with lines before and after it."""
    return subprocess.run(
        [sys.executable, "-m", "IPython", "--colors=NoColor", "-c", f"{before}\n{build.setup_cell(built)}\n{after}"],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        encoding="utf-8",
    )


def test_the_courses_utils_wins_over_a_learners_own_even_when_that_is_imported_already(course):
    (course / "notebooks/utils.py").touch()
    done = run_setup(course, course / "notebooks", "import utils.stages; print(utils.__file__)", "import utils")
    assert done.stdout.strip() == str(course / "utils/__init__.py"), done.stderr


def test_running_the_set_up_cell_twice_changes_nothing(built):
    first = "import utils, sys; kept = utils, list(sys.path)"
    second = f"{build.setup_cell(built)}\nimport utils; print(kept == (utils, sys.path))"
    assert run_setup(built, built / "notebooks", f"{first}\n{second}").stdout.strip() == "True"


@pytest.fixture
def repository(course):
    """The course as a repository."""
    git = ["git", "-C", str(course), "-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "a"]):
        subprocess.run([*git, *command], check=True)
    return course


def test_where_there_is_no_course_the_set_up_cell_clones_it_and_finds_it_again(repository, tmp_path):
    alone = tmp_path / "a folder"
    alone.mkdir()
    for address in (repository, "nowhere"):
        done = run_setup(repository, alone, "import utils.stages; print(utils.__file__)", COURSE_REPO=str(address))
        assert done.stdout.strip() == str(alone / "attention-stage-by-stage/utils/__init__.py"), done.stderr
    assert [path.name for path in alone.iterdir()] == ["attention-stage-by-stage"]


UNREACHABLE = ["no such repository", "file:///no/such/repository", "https://localhost:1/course"]


@pytest.mark.parametrize("environment", [{"PATH": ""}, *({"COURSE_REPO": address} for address in UNREACHABLE)])
def test_without_git_or_network_one_line_says_what_to_do_each_time(built, tmp_path, environment):
    for _ in range(2):
        done = run_setup(built, tmp_path, **environment)
        (line,) = (done.stdout + done.stderr).strip().splitlines()
        assert line.startswith("UsageError: The course's code is not here") and "as a ZIP from" in line
        assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="a shell script stands in for git")
@pytest.mark.parametrize("killed", ["$$", "$PPID"], ids=["git", "the kernel"])
def test_a_copy_that_was_cut_short_is_not_taken_for_the_course_and_does_not_stop_the_next(repository, tmp_path, killed):
    alone, tools = tmp_path / "alone", tmp_path / "tools"
    alone.mkdir()
    tools.mkdir()
    # git leaves a part of the course and is killed, before it can clean up, or its kernel is
    script = f'#!/bin/sh\nfor to; do :; done; mkdir -p "$to/utils/stages"; kill -9 {killed}'
    (tools / "git").write_text(script, encoding="utf-8")
    (tools / "git").chmod(0o755)
    done = run_setup(repository, alone, PATH=f"{tools}{os.pathsep}{os.environ['PATH']}")
    assert done.returncode and "Traceback" not in done.stdout + done.stderr
    done = run_setup(repository, alone, "import utils.checks; print(utils.__file__)", COURSE_REPO=str(repository))
    assert done.stdout.strip() == str(alone / "attention-stage-by-stage/utils/__init__.py"), done.stderr


def test_a_folder_of_the_courses_name_that_is_something_else_is_named_and_left_alone(built, tmp_path):
    mine = tmp_path / "attention-stage-by-stage/mine.txt"
    mine.parent.mkdir()
    mine.touch()
    done = run_setup(built, tmp_path)
    (line,) = (done.stdout + done.stderr).strip().splitlines()
    assert line.startswith("UsageError: What is named attention-stage-by-stage here is not the course")
    assert list(mine.parent.iterdir()) == [mine]


def test_a_file_of_the_courses_name_is_not_called_a_folder_and_left_alone(built, tmp_path):
    mine = tmp_path / "attention-stage-by-stage"
    mine.write_text("mine", encoding="utf-8")
    done = run_setup(built, tmp_path)
    (line,) = (done.stdout + done.stderr).strip().splitlines()
    assert line.startswith("UsageError: What is named attention-stage-by-stage here") and "folder" not in line
    assert mine.read_text(encoding="utf-8") == "mine"


def test_in_a_folder_that_cannot_be_written_the_set_up_cell_says_so(built, tmp_path):
    # who is root can write into every folder, so the refusal is put in by hand
    refuse = "def refuse(*_): raise PermissionError(13, 'Permission denied')"
    done = run_setup(built, tmp_path, before=f"import tempfile\n{refuse}\ntempfile.mkdtemp = refuse")
    (line,) = (done.stdout + done.stderr).strip().splitlines()
    assert "this folder cannot be written (Permission denied)" in line and "git" not in line


# ---- the real course


def test_sources_solutions_and_manifest_agree():
    # notebooks/ is where a learner works: `make check` looks at it, a test must not
    assert [line for line in build.stale(ROOT) if not line.startswith("notebooks/")] == []


@pytest.mark.parametrize("source", build.sources(ROOT))
def test_a_student_notebook_built_afresh_is_the_one_in_the_manifest(source, notebook):
    whole = notebook.read((ROOT / source).read_text(encoding="utf-8"), build.setup_cell(ROOT))
    text = notebook.text(notebook.student(whole))
    assert build.digest(text.encode()) == build.recorded(ROOT)[build.built_from(source)[1]]
