"""A clean notebook and a newer course, without losing what a learner wrote."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tools import BuildError, home, learner

ROOT = Path(__file__).parents[1]
NOTEBOOK = "notebooks/02_scores.ipynb"


def git(folder, *words):
    identity = ["-c", "user.name=a", "-c", "user.email=a@b.example", "-c", "core.autocrlf=false"]
    subprocess.run(["git", *identity, *words], cwd=folder, check=True, capture_output=True)


def commit(folder, **files):
    for name, text in files.items():
        (folder / name.replace("__", "/")).write_text(text, encoding="utf-8")
    git(folder, "add", "--all")
    git(folder, "commit", "--message", "change")


@pytest.fixture
def origin(tmp_path):
    """A small course with two notebooks, as a repository."""
    folder = tmp_path / "origin"
    (folder / "notebooks").mkdir(parents=True)
    git(folder, "init", "--initial-branch=main")
    commit(folder, notebooks__a="old a", notebooks__b="old b", code="old")
    return folder


@pytest.fixture
def clone(origin, tmp_path):
    git(tmp_path, "clone", str(origin), "my course")
    return tmp_path / "my course"


@pytest.fixture
def course(tmp_path):
    """A copy of what `fresh` needs."""
    for folder in ("solutions", "tools", "notebooks"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__", "progress*"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for page in ("README.md", "TEACHING.md"):
        shutil.copy(ROOT / page, tmp_path)
    learner.fresh(tmp_path, "02")
    for kept in tmp_path.glob("notebooks/*-yours-*"):
        kept.unlink()
    return tmp_path


def test_fresh_puts_back_a_clean_notebook_and_keeps_the_learners_beside_it(course, capsys):
    clean = (course / NOTEBOOK).read_bytes()
    (course / NOTEBOOK).write_bytes(b"my work")
    learner.fresh(course, "2")
    assert (course / NOTEBOOK).read_bytes() == clean
    assert (course / "notebooks/02_scores-yours-1.ipynb").read_bytes() == b"my work"
    assert "kept as 02_scores-yours-1.ipynb" in capsys.readouterr().out


def test_fresh_twice_keeps_both(course):
    for work in (b"first", b"second"):
        (course / NOTEBOOK).write_bytes(work)
        learner.fresh(course, "02")
    assert [path.read_bytes() for path in sorted(course.glob("notebooks/*-yours-*"))] == [b"first", b"second"]


@pytest.mark.parametrize("number", ["", "0", "x", "99", "2_scores"])
def test_fresh_without_a_known_number_says_which_there_are(tmp_path, number):
    (tmp_path / "solutions").mkdir()
    (tmp_path / "solutions/02_scores.py").touch()
    with pytest.raises(BuildError, match=f"no notebook '{number}'; there are 02"):
        learner.fresh(tmp_path, number)


def test_update_brings_what_is_new_and_leaves_other_work_alone(origin, clone):
    commit(origin, code="new")
    (clone / "notebooks/a").write_text("my work", encoding="utf-8")
    learner.update(clone)
    assert (clone / "code").read_text(encoding="utf-8") == "new"
    assert (clone / "notebooks/a").read_text(encoding="utf-8") == "my work"


def test_a_notebook_changed_on_both_sides_is_kept_beside_the_new_one(origin, clone, capsys):
    commit(origin, notebooks__a="new a")
    (clone / "notebooks/a").write_text("my work", encoding="utf-8")
    learner.update(clone)
    assert (clone / "notebooks/a").read_text(encoding="utf-8") == "new a"
    assert (clone / "notebooks/a-yours-1.ipynb").read_text(encoding="utf-8") == "my work"
    assert "kept as a-yours-1.ipynb" in capsys.readouterr().out


def test_a_file_of_the_learners_with_the_name_of_a_new_notebook_is_kept_too(origin, clone):
    commit(origin, notebooks__c="new c")
    (clone / "notebooks/c").write_text("my work", encoding="utf-8")
    learner.update(clone)
    assert (clone / "notebooks/c-yours-1.ipynb").read_text(encoding="utf-8") == "my work"


def test_code_changed_on_both_sides_stops_the_update_before_anything_is_touched(origin, clone):
    commit(origin, code="new", notebooks__a="new a")
    (clone / "code").write_text("mine", encoding="utf-8")
    (clone / "notebooks/a").write_text("my work", encoding="utf-8")
    with pytest.raises(BuildError, match="both changed code"):
        learner.update(clone)
    assert (clone / "notebooks/a").read_text(encoding="utf-8") == "my work"


def test_without_a_repository_one_sentence_says_what_to_do(tmp_path, capsys):
    assert learner.main(["update"], tmp_path) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "nothing has changed" in said


def test_a_new_home_is_written_wherever_the_address_stands(course):
    home.move(course, "https://github.com/someone/a-fork")
    for page in home.PAGES:
        text = (course / page).read_text(encoding="utf-8")
        assert "OWNER/" not in text and "someone/a-fork" in text


@pytest.mark.parametrize("address", ["", "somewhere", "https://github.com/someone", "https://example.org/a/b"])
def test_what_is_no_address_of_a_repository_is_refused(course, capsys, address):
    before = (course / "pyproject.toml").read_bytes()
    assert home.main([address], course) == 1
    assert capsys.readouterr().err.count("\n") == 1
    assert (course / "pyproject.toml").read_bytes() == before


def test_a_course_that_lives_elsewhere_is_not_moved_by_guessing(course):
    page = course / "pyproject.toml"
    page.write_text(page.read_text(encoding="utf-8").replace("https://github.com", "https://git.example"), "utf-8")
    with pytest.raises(BuildError, match=r"pyproject\.toml's address, .* is not on GitHub"):
        home.move(course, "https://github.com/someone/a-fork")
