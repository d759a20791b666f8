"""Progress: what a learner has passed is remembered, and no trouble with the file stops the course."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from utils import progress, stages
from utils.checks import report

ROOT = Path(__file__).resolve().parents[1]
STAGES = ["start_here", "provisional_state", "scores", "softmax", "context", "combine", "training"]

SOLVED = "def dot_score(h_tilde, hs):\n    return (h_tilde[:, None] * hs).sum(axis=2)\n"
CHECK = 'result = check("dot_score")'


def next_session(monkeypatch):
    monkeypatch.setattr(progress, "_this_session", {})


def folder():
    return sorted(path.name for path in progress.FILE.parent.iterdir())


def stored():
    return json.loads(progress.FILE.read_text(encoding="utf-8"))


def shown(capsys):
    """The lines that progress() prints, and the exercises with a mark in them."""
    capsys.readouterr()
    progress.progress()
    lines = capsys.readouterr().out.splitlines()
    words = " ".join(lines).split()
    return lines, {word for mark, word in zip(words, words[1:]) if mark == "✓"}


# ---- remembering


def test_what_was_passed_is_shown_in_the_next_session(run_cells, monkeypatch, capsys):
    run_cells(SOLVED, CHECK)
    next_session(monkeypatch)
    assert shown(capsys)[1] == {"dot_score"}


def test_what_was_not_passed_is_not_remembered(run_cells, capsys):
    run_cells("def dot_score(h_tilde, hs): ...", CHECK, "def softmax(e): return e", 'check("softmax")')
    assert shown(capsys)[1] == set() and folder() == []


def test_the_file_holds_the_source_in_any_alphabet_and_the_courses_version(run_cells):
    run_cells(SOLVED + "    # 점수 h̃\n", CHECK)
    (entry,) = stored().values()
    assert entry["source"].startswith(SOLVED) and entry["course"] == progress.COURSE


def test_the_courses_version_is_that_of_the_project():
    assert f'version = "{progress.COURSE}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_what_was_passed_before_stays(run_cells, monkeypatch, capsys):
    run_cells("def embed(ids, E):\n    return E[ids]\n", 'check("embed")')
    next_session(monkeypatch)
    run_cells(SOLVED, CHECK)
    next_session(monkeypatch)
    assert shown(capsys)[1] == {"embed", "dot_score"}


def test_progress_shows_every_exercise_once_stage_by_stage_and_in_order(capsys):
    progress.passed("dot_score", len)
    lines, _ = shown(capsys)
    assert [line.split(":")[0] for line in lines[::2]] == STAGES
    assert [word for line in lines[1::2] for word in line.split() if word not in "✓○"] == stages.__all__
    assert lines[4] == "scores: 1 of 6" and lines[6] == "softmax: 0 of 4"


# ---- functions of earlier sessions


@pytest.mark.parametrize(
    "cells",
    [
        [SOLVED],
        ["dot_score = lambda h_tilde, hs: np.einsum('nh,nth->nt', h_tilde, hs)"],
        ["SPEC = 'nh,nth->nt'", "def dot_score(h_tilde, hs):\n    return np.einsum(SPEC, h_tilde, hs)\n"],
        ["AXIS = 2", "def dot_score(q, hs, axis=AXIS):\n    return (q[:, None] * hs).sum(axis)\n"],
        [
            "BOUND = float('inf')",
            "def dot_score(q, hs):\n    return np.einsum('nh,nth->nt', q, hs).clip(-BOUND, BOUND)\n",
        ],
        ["def add(x):\n    return x.sum(axis=2)\n", "def dot_score(q, hs):\n    return add(q[:, None] * hs)\n"],
        ["import math", "def dot_score(q, hs):\n    return [[math.fsum(a * k) for k in m] for a, m in zip(q, hs)]\n"],
        ["from numpy import einsum", "def dot_score(h_tilde, hs):\n    return einsum('nh,nth->nt', h_tilde, hs)\n"],
        ["def same(f):\n    return f\n", "@same\n" + SOLVED],
    ],
    ids=["plain", "lambda", "constant", "default", "infinity", "helper", "import", "from import", "decorator"],
)
def test_a_learners_function_works_in_the_next_session(cells, run_cells, monkeypatch):
    run_cells(*cells, CHECK)
    next_session(monkeypatch)
    functions = progress.passed_functions()
    assert list(functions) == ["dot_score"] and functions["dot_score"] is not stages.dot_score
    assert report("dot_score", functions["dot_score"]).passed


def test_helpers_of_the_same_name_in_two_notebooks_do_not_meet(run_cells, monkeypatch):
    run_cells(
        "def add(x):\n    return x.sum(axis=2)\n", "def dot_score(q, hs):\n    return add(q[:, None] * hs)\n", CHECK
    )
    softmax_one = "def softmax_one(e):\n    e = np.exp(e - max(e))\n    return e / add(e)\n"
    run_cells("def add(x):\n    return x.sum()\n", softmax_one, 'check("softmax_one")')
    next_session(monkeypatch)
    functions = progress.passed_functions()
    assert [report(name, functions[name]).passed for name in ("dot_score", "softmax_one")] == [True, True]


@pytest.mark.parametrize(
    "cell",
    [
        "def mine(h_tilde, hs):\n    return np.einsum('nh,nth->nt', h_tilde, hs)\ndot_score = mine\n",
        "import functools\ndot_score = functools.partial(np.einsum, 'nh,nth->nt')\n",
        SOLVED + "dot_score.__wrapped__ = dot_score\n",
    ],
    ids=["another name", "no source", "claims to wrap itself"],
)
def test_the_courses_function_is_never_passed_off_as_the_learners(cell, run_cells, monkeypatch):
    run_cells(cell, CHECK)
    next_session(monkeypatch)
    assert progress.passed_functions().get("dot_score") is not stages.dot_score


@pytest.mark.parametrize("source", ["1 / 0", "def dot_score(:", "raise SystemExit", "", None, 3])
def test_an_old_source_that_does_not_run_is_left_out(source):
    entries = {"dot_score": {"source": source}, "embed": {"source": "def embed(ids, E):\n    return E[ids]\n"}}
    progress.FILE.write_text(json.dumps(entries), encoding="utf-8")
    assert list(progress.passed_functions()) == ["embed"]


def test_the_function_of_this_session_comes_before_that_of_an_earlier_one(run_cells, monkeypatch):
    run_cells(SOLVED, CHECK)
    next_session(monkeypatch)
    names = run_cells(SOLVED.replace("h_tilde", "q"), CHECK)
    assert progress.passed_functions() == {"dot_score": names["dot_score"]}


# ---- a file in trouble


@pytest.mark.parametrize(
    "content",
    [b"", b'{"dot_score": {"sou', b"[1, 2]", b"null", b"\xff\xfe\x00\x01", b"[" * 100_000],
    ids=["empty", "half-written", "list", "null", "not UTF-8", "deep"],
)
def test_a_broken_file_is_set_aside_with_one_sentence_and_a_new_one_begun(content, run_cells, capsys):
    progress.FILE.write_bytes(content)
    run_cells(SOLVED, CHECK)
    passed, sentence = capsys.readouterr().out.splitlines()
    assert "progress.broken-1.json" in sentence
    assert folder() == ["progress.broken-1.json", "progress.json"] and list(stored()) == ["dot_score"]
    assert progress.FILE.with_name("progress.broken-1.json").read_bytes() == content


def test_a_second_broken_file_does_not_replace_the_first():
    for content in ("first", "second"):
        progress.FILE.write_text(content, encoding="utf-8")
        progress.passed("dot_score", len)
    kept = [progress.FILE.with_name(f"progress.broken-{k}.json").read_text(encoding="utf-8") for k in (1, 2)]
    assert kept == ["first", "second"]


def test_entries_that_this_version_of_the_course_does_not_know_are_kept(capsys):
    progress.FILE.write_text('{"a_later_exercise": [1], "embed": null}', encoding="utf-8")
    progress.passed("dot_score", len)
    assert shown(capsys)[1] == {"embed", "dot_score"} and "a_later_exercise" in stored()


def denied(*args, **kwargs):
    raise PermissionError(13, "Permission denied")


@pytest.mark.parametrize("step", ["write_text", "replace"])
def test_where_nothing_can_be_written_one_sentence_says_so_and_the_file_is_as_before(
    step, run_cells, monkeypatch, capsys
):
    progress.FILE.write_text("{}", encoding="utf-8")
    with monkeypatch.context() as readonly:
        readonly.setattr(Path, step, denied)
        names = run_cells(SOLVED, CHECK)
    passed, sentence = capsys.readouterr().out.splitlines()
    assert passed.startswith("✓") and "could not be saved" in sentence and "Permission denied" in sentence
    assert names["result"] is names["dot_score"]
    assert folder() == ["progress.json"] and stored() == {}


@pytest.mark.parametrize("steps", [["read_text"], ["exists", "read_text"]], ids=["the file", "its folder"])
def test_what_cannot_be_read_gets_one_sentence_and_is_left_as_it_is(steps, run_cells, monkeypatch, capsys):
    progress.FILE.write_text('{"embed": {}}', encoding="utf-8")
    with monkeypatch.context() as unreadable:
        for step in steps:
            unreadable.setattr(Path, step, denied)
        run_cells(SOLVED, CHECK)
    passed, sentence = capsys.readouterr().out.splitlines()
    assert "could not be read" in sentence
    assert folder() == ["progress.json"] and stored() == {"embed": {}}


def test_without_a_folder_progress_still_shows_this_session(monkeypatch, capsys):
    monkeypatch.setattr(progress, "FILE", progress.FILE.parent / "no such folder" / "progress.json")
    progress.passed("dot_score", len)
    assert shown(capsys)[1] == {"dot_score"}


def test_two_notebooks_that_write_at_the_same_time_leave_a_whole_file(tmp_path):
    code = (
        "import sys; from pathlib import Path; from utils import progress\n"
        "progress.FILE = Path(sys.argv[1])\n"
        "for k in range(60): progress.passed(f'{sys.argv[2]}{k}', len)\n"
    )
    command = [sys.executable, "-c", code, str(progress.FILE)]
    writers = [subprocess.Popen([*command, name], cwd=ROOT, stdout=-1, stderr=-1) for name in "ab"]
    assert [writer.communicate() for writer in writers] == [(b"", b"")] * 2
    assert stored().keys() & {"a59", "b59"}
    assert folder() == ["progress.json"]


# ---- grading


@pytest.mark.parametrize("grading", [("COURSE_STRICT", "1"), ("NBGRADER_EXECUTION", "autograde")])
def test_under_grading_progress_is_neither_read_nor_written(grading, run_cells, monkeypatch, capsys):
    progress.FILE.write_text('{"embed": {}}', encoding="utf-8")
    monkeypatch.setenv(*grading)
    monkeypatch.setattr(Path, "read_text", denied)
    run_cells(SOLVED, CHECK)
    assert len(capsys.readouterr().out.splitlines()) == 1
    lines, passed = shown(capsys)
    assert passed == {"dot_score"} and len(lines) == 2 * len(STAGES)
    assert progress.FILE.read_bytes() == b'{"embed": {}}' and folder() == ["progress.json"]


@pytest.mark.parametrize("off", [("COURSE_STRICT", "0"), ("COURSE_STRICT", ""), ("NBGRADER_EXECUTION", "")])
def test_a_variable_that_is_off_is_no_grading(off, monkeypatch):
    monkeypatch.setenv(*off)
    progress.passed("dot_score", np.dot)
    assert folder() == ["progress.json"]


def test_a_learners_file_lies_beside_the_notebooks_where_git_does_not_look():
    code = "from utils import progress; print(progress.FILE)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, encoding="utf-8", check=True)
    assert Path(done.stdout.strip()) == ROOT / "notebooks/progress.json"
    assert "/notebooks/progress*.json" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
