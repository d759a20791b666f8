"""The grader: it finds submissions in any folder, loses no mark, and gives the same ones however it is run."""

import contextlib
import csv
import errno
import functools
import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor
from pathlib import Path
from urllib.parse import unquote_to_bytes

import pytest

from tools.grade import marks, pool, submissions
from tools.grade.__main__ import main

ROOT = Path(__file__).parents[1]
EMBED = "def embed(ids, E):\n    return E[ids]"
SOFTMAX_ONE = "def softmax_one(e):\n    a = np.exp(e - np.max(e))\n    return a / a.sum()"


def notebook(*sources):
    """A submitted notebook's file, with these code cells."""
    cells = [{"cell_type": "code", "metadata": {}, "source": source, "outputs": []} for source in sources]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def hand_in(folder, name, *sources):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(notebook(*sources), encoding="utf-8")
    return path


def grade(folder, out, *words):
    """Call the grader in this process; gives what it returns."""
    return main([str(word) for word in (folder, "--out", out, "--jobs", 1, *words)])


def table(out):
    with out.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def points(out, exercise="embed"):
    """Each student's points for an exercise."""
    return {row["student"]: row["points"] for row in table(out) if row["exercise"] == exercise}


def journal(out):
    """The lines of a journal."""
    return [json.loads(line) for line in out.with_suffix(".journal").read_bytes().splitlines()]


def found(folder):
    return {(one.student, one.assignment, one.notebook) for one in submissions.find(folder)}


# ---- which file is whose, and which notebook it is


@pytest.mark.parametrize(
    "file, student, assignment",
    [
        ("kim/week 3/03_softmax.ipynb", "kim", "week 3"),
        ("김 민지/03_softmax.ipynb", "김 민지", "03_softmax"),
        ("김 민지_03_softmax.ipynb", "김 민지", "03_softmax"),
        ("03_softmax_김 민지.ipynb", "김 민지", "03_softmax"),
        ("kim_03_final (2).ipynb", "kim", "03_softmax"),
        ("Kim Minji_12345_assignsubmission_file_03_softmax.ipynb", "Kim Minji_12345", "03_softmax"),
        ("Kim Minji_12345_assignsubmission_file_my own.ipynb", "Kim Minji_12345", "03_softmax"),
        ("Kim Minji_12345_assignsubmission_file_/03_softmax.ipynb", "Kim Minji_12345", "03_softmax"),
        ("kimminji_LATE_123_456_03_softmax-1.ipynb", "kimminji_LATE_123_456", "03_softmax"),
        ("lee/new folder/deeper/Untitled7.ipynb", "lee", "new folder"),
    ],
)
def test_a_file_is_known_by_its_place_and_what_is_in_it(tmp_path, file, student, assignment):
    hand_in(tmp_path, file, SOFTMAX_ONE)
    assert found(tmp_path) == {(student, assignment, "03_softmax")}


def test_two_files_of_one_student_in_a_flat_folder_are_one_students_though_macos_takes_hangul_apart(tmp_path):
    hand_in(tmp_path, "\u1100\u1175\u11b7_00_start_here.ipynb", EMBED)
    hand_in(tmp_path, "\uae40_03_softmax.ipynb", SOFTMAX_ONE)
    assert {student for student, _, _ in found(tmp_path)} == {"\uae40"}


def test_what_is_in_a_file_counts_for_more_than_its_name(tmp_path):
    hand_in(tmp_path, "kim/03_softmax.ipynb", EMBED, 'embed = check("embed")')
    assert found(tmp_path) == {("kim", "00_start_here", "00_start_here")}


def test_a_notebook_of_as_many_exercises_of_two_notebooks_is_the_one_that_it_is_called(tmp_path):
    hand_in(tmp_path, "kim/00_start_here.ipynb", EMBED, SOFTMAX_ONE)
    hand_in(tmp_path, "lee/03_softmax.ipynb", EMBED, SOFTMAX_ONE)
    assert {(student, name) for student, _, name in found(tmp_path)} == {
        ("kim", "00_start_here"),
        ("lee", "03_softmax"),
    }


def test_hidden_files_and_checkpoints_are_passed_over(tmp_path):
    for name in ("kim/.ipynb_checkpoints/00_start_here-checkpoint.ipynb", "kim/._00_start_here.ipynb"):
        hand_in(tmp_path, name, EMBED)
    assert {name for _, _, name in found(tmp_path)} == {""}


def test_of_several_files_of_a_notebook_the_one_with_its_own_name_counts(tmp_path):
    hand_in(tmp_path, "kim/00_start_here.ipynb", EMBED)
    copy = hand_in(tmp_path, "kim/copy of 00.ipynb", EMBED)
    os.utime(copy, (2**31, 2**31))
    [one] = submissions.find(tmp_path)
    assert one.path.name == "00_start_here.ipynb" and one.remark == "counts, and not copy of 00.ipynb"


def test_of_several_files_with_other_names_the_newest_counts(tmp_path):
    for when, name in enumerate(["b.ipynb", "c.ipynb", "a.ipynb"]):
        os.utime(hand_in(tmp_path, f"kim/{name}", EMBED), (when, when))
    [one] = submissions.find(tmp_path)
    assert one.path.name == "a.ipynb"


def test_a_symbolic_link_counts_for_less_than_a_file(tmp_path):
    file = hand_in(tmp_path, "kim/mine.ipynb", EMBED)
    (tmp_path / "kim/00_start_here.ipynb").symlink_to(file)
    [one] = submissions.find(tmp_path)
    assert one.path == file


# ---- a whole class, graded once


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """A class of right, wrong, unlucky and hostile ones; gives the folder and marks.csv."""
    folder = tmp_path_factory.mktemp("class") / "submitted"
    hand_in(folder, "right/week 0/00_start_here.ipynb", EMBED, 'embed = check("embed")')
    hand_in(folder, "wrong/00_start_here.ipynb", EMBED.replace("E[ids]", "E[ids] + 1"))
    hand_in(folder, "untouched/00_start_here.ipynb", EMBED.replace("return E[ids]", "..."))
    hand_in(folder, "김 민지_00_start_here.ipynb", EMBED)
    hand_in(folder, "=cmd|'calc'!A1_00_start_here.ipynb", EMBED)
    hand_in(
        folder, "<img src=x onerror=alert(1)>/00_start_here.ipynb", "def embed(ids, E):\n    raise ValueError('<b>')"
    )
    hand_in(folder, f"{'n' * 250}/00_start_here.ipynb", EMBED)
    with contextlib.suppress(OSError):  # macOS has no such names
        hand_in(folder, os.fsdecode(b"\xb1\xe8/00_start_here.ipynb"), EMBED)
    hand_in(folder, "unknown/notes.ipynb", "print('my notes')")
    (folder / "broken").mkdir()
    (folder / "broken/00_start_here.ipynb").write_bytes(b'{"cells": [')
    (folder / "linked").mkdir()
    (folder / "linked/00_start_here.ipynb").symlink_to(folder / "right/week 0/00_start_here.ipynb")
    (folder / "linked-folder").symlink_to(folder / "right")
    (folder / "pipe").mkdir()
    os.mkfifo(folder / "pipe/00_start_here.ipynb")
    out = folder.with_name("marks.csv")
    assert grade(folder, out, "--jobs", 2) == 0
    return folder, out


@pytest.mark.parametrize(
    "student, expected",
    [
        ("right", "3"),
        ("wrong", "0"),
        ("untouched", "0"),
        ("김 민지", "3"),
        ("n" * 250, "3"),
        ("broken", "0"),
        ("linked", "0"),
        ("pipe", "0"),
    ],
)
def test_each_submission_has_its_mark(graded, student, expected):
    assert points(graded[1])[student] == expected


def test_a_student_who_handed_in_no_notebook_is_named(tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "zipped").mkdir()
    (tmp_path / "zipped/03_softmax.zip").touch()
    hand_in(tmp_path, "kim/data/notes/00_start_here.ipynb", EMBED)
    assert {student for student, _, _ in found(tmp_path)} == {"empty", "zipped", "kim"}


def test_an_ending_that_a_browser_added_does_no_harm(tmp_path):
    hand_in(tmp_path, "kim_00_start_here.ipynb.txt", EMBED)
    hand_in(tmp_path, "lee_00_start_here.IPYNB", EMBED)
    assert found(tmp_path) == {(name, "00_start_here", "00_start_here") for name in ("kim", "lee")}


@pytest.fixture
def answered(tmp_path):
    """A class of one who has answered a written question, and where the marks go."""
    path = hand_in(tmp_path / "submitted", "kim/00_start_here.ipynb", EMBED)
    content = json.loads(path.read_text(encoding="utf-8"))
    for number, text in enumerate(["I <b>think</b> so.", "*Write your answer here.*"], start=1):
        for source in (f"### Question {number}\n\nWhy?", text):
            content["cells"].append({"cell_type": "markdown", "metadata": {}, "source": source})
    path.write_text(json.dumps(content), encoding="utf-8")
    grade(tmp_path / "submitted", tmp_path / "marks.csv")
    return tmp_path / "submitted", tmp_path / "marks.csv"


def test_a_written_answer_has_no_points_until_a_person_gives_them_and_none_at_all_has_0(answered):
    rows = [row for row in table(answered[1]) if row["track"] == "written"]
    assert [(row["points"], row["verdict"]) for row in rows] == [
        ("", "to be read"),
        ("0", "not written"),
        ("0", "missing"),
    ]


def test_all_answers_to_a_question_stand_on_one_page(answered):
    page = answered[1].with_suffix("") / "questions/00_start_here_question_1.html"
    assert "I &lt;b&gt;think&lt;/b&gt; so." in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("delimiter", [",", ";"])
def test_points_that_a_person_entered_stay_though_all_is_graded_again(answered, delimiter):
    folder, out = answered
    rows = [row | {"points": "2"} if row["verdict"] == "to be read" else row for row in table(out)]
    with out.open("w", encoding="utf-8-sig", newline="") as file:  # as spreadsheets save it
        writer = csv.DictWriter(file, rows[0], delimiter=delimiter)
        writer.writeheader()
        writer.writerows(rows)
    grade(folder, out, "--only", "kim")
    assert points(out, "question_1") == {"kim": "2"}


def test_points_that_a_person_entered_survive_a_run_on_another_folder(answered, tmp_path, capsys):
    folder, out = answered
    entered = out.read_text(encoding="utf-8").replace("question_1,written,,", "question_1,written,2,")
    out.write_text(entered, encoding="utf-8")
    hand_in(tmp_path / "another", "lee/00_start_here.ipynb", EMBED)
    grade(tmp_path / "another", out)
    assert points(out.with_name("marks.broken-1.csv"), "question_1") == {"kim": "2"}
    assert "marks.broken-1.csv" in capsys.readouterr().err and points(out) == {"lee": "3"}


def test_a_table_that_is_not_the_graders_is_kept_under_another_name(answered, capsys):
    folder, out = answered
    out.write_bytes("name,points\nkím,2\n".encode("latin-1"))
    grade(folder, out)
    assert b"points" in out.with_name("marks.broken-1.csv").read_bytes()
    assert "marks.broken-1.csv" in capsys.readouterr().err and points(out) == {"kim": "3"}


def test_the_totals_have_a_line_for_each_notebook(answered):
    with (answered[1].with_suffix("") / "totals.csv").open(encoding="utf-8-sig", newline="") as file:
        (row,) = csv.DictReader(file)
    assert (row["student"], row["forward"], row["code"]) == ("kim", "3", "3")


@pytest.mark.parametrize(
    "student, remark",
    [
        ("unknown", "none of the course's notebooks"),
        ("linked", submissions.LINK),
        ("linked-folder", submissions.LINK),
        ("pipe", "no file"),
    ],
)
def test_what_is_not_read_is_remarked_upon_in_the_summary(graded, student, remark):
    summary = (graded[1].with_suffix("") / "summary.html").read_text(encoding="utf-8")
    row = summary[summary.index("To look at") :].partition(f"<td>{student}</td>")[2].partition("</tr>")[0]
    assert remark.replace("'", "&#39;") in row


def test_no_cell_of_the_marks_is_a_formula(graded):
    cells = [cell for row in table(graded[1]) for cell in row.values()]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
    assert "'=cmd|'calc'!A1" in points(graded[1])


def test_names_and_messages_are_text_on_the_pages(graded):
    folder = graded[1].with_suffix("")
    for page in [folder / "summary.html", *(folder / "students").glob("*img*.html")]:
        text = page.read_text(encoding="utf-8")
        assert "<img" not in text and "<b>" not in text and "&lt;img" in text


def test_the_summary_links_to_a_page_for_every_student(graded, chromium):
    folder = graded[1].with_suffix("")
    page = chromium.new_page()
    page.goto((folder / "summary.html").as_uri())
    links = page.eval_on_selector_all("a", "links => links.map(link => link.href)")
    page.close()
    there = {os.fsencode(path) for path in (folder / "students").iterdir()}
    assert {unquote_to_bytes(link.removeprefix("file://")) for link in links} == there


def test_a_students_page_shows_what_the_check_says(graded):
    page = (graded[1].with_suffix("") / "students/wrong.html").read_text(encoding="utf-8")
    row = next(row for row in table(graded[1]) if row["student"] == "wrong" and row["exercise"] == "embed")
    assert row["message"].splitlines()[0].replace("'", "&#39;") in page


def test_graded_again_nothing_is_graded_twice(graded):
    folder, out = graded
    before = journal(out), out.read_bytes()
    assert grade(folder, out) == 0
    assert (journal(out), out.read_bytes()) == before


# ---- what is kept


@pytest.fixture
def room(tmp_path, monkeypatch):
    """A folder of two submissions, with the grading itself in this process; gives folder, marks and what was graded."""
    calls = []

    def here(function, tasks, read, jobs, scheduler=None):
        for task in tasks:
            calls.append(task.student)
            yield task, function(*read(task))

    monkeypatch.setattr(pool, "run", here)
    monkeypatch.setattr("tools.grade.grading.grade", lambda content, name: _as_said(content))
    folder = tmp_path / "submitted"
    for student in ("kim", "lee"):
        hand_in(folder, f"{student}/00_start_here.ipynb", EMBED)
    return folder, tmp_path / "marks.csv", calls


def _as_said(content):
    """Marks that need no sandbox: passed where the exercise is written."""
    passed = b"return" in content
    mark = {"exercise": "embed", "track": "forward", "points": 3 * passed, "max_points": 3}
    return [mark | {"verdict": "passed" if passed else "failed", "diagnosis": "", "message": "✓ embed"}]


def test_a_changed_submission_is_graded_again_and_no_other(room):
    folder, out, calls = room
    grade(folder, out)
    hand_in(folder, "lee/00_start_here.ipynb", "def embed(ids, E): ...")
    calls.clear()
    assert grade(folder, out) == 0
    assert calls == ["lee"] and points(out) == {"kim": "3", "lee": "0"}


def test_only_grades_one_student_again_and_keeps_the_others(room):
    folder, out, calls = room
    grade(folder, out)
    calls.clear()
    assert grade(folder, out, "--only", "kim") == 0
    assert calls == ["kim"] and points(out) == {"kim": "3", "lee": "3"}


def test_a_renamed_submission_is_neither_graded_again_nor_listed_twice(room):
    folder, out, calls = room
    grade(folder, out)
    (folder / "kim/00_start_here.ipynb").rename(folder / "kim/renamed.ipynb")
    calls.clear()
    grade(folder, out)
    assert calls == [] and [row["file"] for row in table(out)] == ["kim/renamed.ipynb", "lee/00_start_here.ipynb"]


def test_only_what_the_folder_holds_is_in_the_marks_and_the_pages(room):
    folder, out, calls = room
    grade(folder, out)
    (folder / "kim").rename(folder.parent / "kim")
    grade(folder, out)
    assert points(out) == {"lee": "3"}
    assert [page.name for page in (out.with_suffix("") / "students").iterdir()] == ["lee.html"]
    (folder.parent / "kim").rename(folder / "kim")
    calls.clear()
    grade(folder, out)
    assert calls == [] and points(out) == {"kim": "3", "lee": "3"}


def test_nbgraders_own_folder_is_not_taken_for_a_class(room, capsys):
    folder, out, _ = room
    (folder / "source").mkdir()
    assert grade(folder, out) == 2
    assert "name its submitted/ instead" in capsys.readouterr().err


def test_a_last_line_that_was_cut_short_is_graded_again(room):
    folder, out, calls = room
    grade(folder, out)
    whole = out.with_suffix(".journal").read_bytes()
    out.with_suffix(".journal").write_bytes(whole[:-20])
    calls.clear()
    grade(folder, out)
    assert calls == ["lee"] and out.with_suffix(".journal").read_bytes() == whole


def test_a_changed_check_has_everything_graded_again(room, monkeypatch):
    folder, out, calls = room
    grade(folder, out)
    monkeypatch.setattr(marks, "_graders_own", lambda: b"another")
    calls.clear()
    grade(folder, out)
    assert calls == ["kim", "lee"]


def test_a_second_grader_of_the_same_marks_says_so(room, capsys):
    folder, out, calls = room
    with marks.Journal(out.with_suffix(".journal")):
        assert grade(folder, out) == 2
    assert calls == [] and capsys.readouterr().err == f"Another grader is writing {out} just now.\n"


def test_interrupted_it_keeps_what_was_graded_and_goes_on_from_there(room, monkeypatch):
    folder, out, calls = room
    with monkeypatch.context() as patched:
        through = pool.run

        def interrupted(*arguments):
            yield next(through(*arguments))
            raise KeyboardInterrupt

        patched.setattr(pool, "run", interrupted)
        assert grade(folder, out) == 130
    assert points(out) == {"kim": "3"}
    assert grade(folder, out) == 0
    assert calls == ["kim", "lee"] and points(out) == {"kim": "3", "lee": "3"}


def _full(*arguments, **more):
    raise OSError(errno.ENOSPC, "No space left on device")


def test_on_a_full_disk_the_old_marks_stay(room, monkeypatch, capsys):
    folder, out, _ = room
    grade(folder, out)
    before = out.read_bytes()
    hand_in(folder, "new/00_start_here.ipynb", EMBED)
    monkeypatch.setattr("csv.DictWriter.writerows", _full)
    capsys.readouterr()
    assert grade(folder, out) == 2
    assert out.read_bytes() == before and not list(out.parent.glob("*.part"))
    assert "No space left on device" in capsys.readouterr().err


def test_on_a_full_disk_no_mark_is_lost(room, monkeypatch):
    folder, out, calls = room
    with monkeypatch.context() as patched:
        patched.setattr("csv.DictWriter.writerows", _full)
        assert grade(folder, out) == 2
    assert grade(folder, out) == 0
    assert calls == ["kim", "lee"] and points(out) == {"kim": "3", "lee": "3"}


@pytest.mark.parametrize(
    "words, said",
    [
        (["no such folder"], "There is no folder no such folder."),
        (["submitted", "--out", "marks.txt"], "--out names a .csv file in a folder that exists, not marks.txt."),
        (["submitted", "--out", "no/marks.csv"], "--out names a .csv file in a folder that exists, not no/marks.csv."),
        (["submitted", "--gradebook", "no/g.db"], "--gradebook names a file in a folder that exists, not no/g.db."),
        (["submitted", "--only", "nobody"], "There is nothing by nobody in submitted."),
        (["empty"], "There are no notebooks in empty."),
        (["submitted", "--scheduler", "nowhere"], "there is no Dask scheduler at nowhere"),
        (["submitted", "--gradebook", "a file"], "the gradebook a file can't be written"),
    ],
)
def test_a_call_that_cannot_be_carried_out_is_told_in_one_line(tmp_path, monkeypatch, capsys, words, said):
    hand_in(tmp_path, "submitted/notes.ipynb", "1")
    if "--scheduler" in words:  # which is asked for only when there is something to grade
        hand_in(tmp_path, "submitted/kim/00_start_here.ipynb", EMBED)
    (tmp_path / "empty").mkdir()
    (tmp_path / "a file").write_text("no database", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1


@pytest.mark.parametrize("jobs", ["0", "-1", "many"])
def test_a_number_of_jobs_that_is_none_is_refused(tmp_path, capsys, jobs):
    with pytest.raises(SystemExit) as end:
        main([str(tmp_path), "--jobs", jobs])
    assert end.value.code == 2 and f"{jobs} is no number of jobs" in capsys.readouterr().err


# ---- many at once, and workers that die


def _twice(number, path):
    """Twice the number; where `path` names a file that isn't there, the task 4 makes it and ends its worker."""
    if number == 4 and path and not path.exists():
        path.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return 2 * number


def _ends_at_4(number):
    if number == 4:
        os.kill(os.getpid(), signal.SIGKILL)
    return 2 * number


def test_a_worker_that_is_killed_loses_nothing(tmp_path):
    results = list(pool.run(_twice, range(9), lambda number: (number, tmp_path / "killed"), 2))
    assert sorted(results) == [(number, 2 * number) for number in range(9)]


def test_a_task_that_always_ends_its_worker_takes_no_other_with_it():
    results = dict(pool.run(_ends_at_4, range(9), lambda number: (number,), 2))
    assert isinstance(results.pop(4), BrokenExecutor)
    assert results == {number: 2 * number for number in range(9) if number != 4}


def test_a_file_that_vanishes_takes_no_other_with_it():
    def read(number):
        if number == 4:
            raise FileNotFoundError
        return number, None

    results = dict(pool.run(_twice, range(6), read, 1))
    assert isinstance(results.pop(4), FileNotFoundError)
    assert results == {number: 2 * number for number in range(6) if number != 4}


@pytest.fixture(scope="module")
def alike(tmp_path_factory):
    """A class of twelve with three kinds of answers, and marks.csv as one job gives it."""
    folder = tmp_path_factory.mktemp("class") / "submitted"
    for number in range(12):
        answer = EMBED if number % 3 else EMBED.replace("E[ids]", f"E[ids] + {number}")
        hand_in(folder, f"student {number}/00_start_here.ipynb", answer, 'embed = check("embed")')
    out = folder.with_name("one job.csv")
    assert grade(folder, out) == 0
    return folder, out


def expect_the_same(out, alike):
    """Expect the marks of one job, and each submission graded once."""
    assert out.read_bytes() == alike[1].read_bytes()
    assert sorted(line["student"] for line in journal(out)) == sorted(line["student"] for line in journal(alike[1]))


def test_eight_jobs_give_the_same_marks(alike, tmp_path):
    assert grade(alike[0], tmp_path / "marks.csv", "--jobs", 8) == 0
    expect_the_same(tmp_path / "marks.csv", alike)


@pytest.mark.filterwarnings("ignore")  # Dask's own
def test_a_dask_cluster_of_three_gives_the_same_marks_though_one_is_killed_meanwhile(alike, tmp_path, monkeypatch):
    distributed = pytest.importorskip("distributed")
    workers, add = [], marks.Journal.add

    def kill_one(self, entry):
        add(self, entry)
        if len(self.entries) == 2:
            os.kill(workers.pop(), signal.SIGKILL)

    with distributed.LocalCluster(n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            workers += client.run(os.getpid).values()
        monkeypatch.setattr(marks.Journal, "add", kill_one)
        assert grade(alike[0], tmp_path / "marks.csv", "--scheduler", cluster.scheduler_address) == 0
    assert len(workers) == 2
    expect_the_same(tmp_path / "marks.csv", alike)


@pytest.mark.parametrize("how, code", [(signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)])
def test_stopped_half_way_and_started_again_it_grades_each_once(alike, tmp_path, how, code):
    out = tmp_path / "marks.csv"
    command = [sys.executable, "-m", "tools.grade", alike[0], "--out", out, "--jobs", "2"]
    hears = functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # also where these tests don't
    grader = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, start_new_session=True, preexec_fn=hears)
    while not (out.with_suffix(".journal").exists() and len(journal(out)) > 2):
        assert grader.poll() is None
        time.sleep(0.02)
    if how == signal.SIGINT:
        os.killpg(grader.pid, how)  # as a terminal does, to all of its processes
    else:
        grader.kill()
    said = grader.communicate()[1].decode()  # which ends when its last worker has ended
    assert grader.returncode == code and "Traceback" not in said
    assert len(journal(out)) < 12
    subprocess.run(command, cwd=ROOT, check=True)
    expect_the_same(out, alike)
