"""Where marks are kept: a journal that grows by a line for every graded notebook, and marks.csv made from it."""

import contextlib
import csv
import functools
import hashlib
import io
import json
import os
import sys

from tools.build import ROOT
from tools.grade import course, grading
from tools.grade.sandbox import SHARED
from utils.files import set_aside, whole_file

COLUMNS = ["student", "assignment", "notebook", "exercise", "track", "points", "max_points", "verdict", "diagnosis"]
COLUMNS += ["message", "remark", "file"]
WHERE = ["student", "assignment", "notebook", "exercise"]
TRACKS = ["forward", "full", "optional"]


class InUse(Exception):
    """Another grader keeps its marks in the same journal just now."""


class Journal:
    """The graded notebooks so far. Use it in a `with` block; InUse when another grader has the same.

    A line is written, whole, before the next notebook's marks are taken: a grader that is killed loses none, and a
    line that was cut short is graded again.
    """

    def __init__(self, path):
        self.path = path
        self.entries = {}

    def __enter__(self):
        import fcntl  # Windows has none, and is told so by the command line

        self._file = self.path.open("a+b")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.close()
            raise InUse from None
        self._file.seek(0)
        content = self._file.read()
        whole = content[: content.rfind(b"\n") + 1]
        self._file.truncate(len(whole))
        for line in whole.splitlines():
            with contextlib.suppress(ValueError, KeyError, TypeError):
                self._keep(json.loads(line))
        return self

    def __exit__(self, *error):
        self._file.close()

    def add(self, entry):
        """Keep one notebook's marks: a dict with `student`, `assignment`, `notebook`, `print`, `file` and `marks`."""
        self._file.write(json.dumps(entry).encode("ascii") + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())
        self._keep(entry)

    def known(self, entry):
        """What is kept of the same notebook of the same student, or None."""
        return self.entries.get(_key(entry))

    def _keep(self, entry):
        self.entries[_key(entry)] = entry


def _key(entry):
    return entry["student"], entry["assignment"], entry["notebook"] or entry["file"]


def graded(content, notebook):
    """A notebook's part of its entry; other processes find this function by its name."""
    return {"print": fingerprint(content), "marks": grading.grade(content, notebook)}


def fingerprint(content):
    """What marks depend on: the file, and the checks and the grader that gave them."""
    return hashlib.sha256(_graders_own() + content).hexdigest()


@functools.cache
def _graders_own():
    files = sorted(
        path for folder in ("utils/checks", "utils/stages", "tools/grade") for path in (ROOT / folder).rglob("*.py")
    )
    own = b"".join(path.read_bytes() for path in [*files, *(ROOT / file for file in SHARED)])
    return hashlib.sha256(own + repr([*course.notebooks().values()]).encode()).digest()


def _rows(entries):
    """One dict for each exercise of each entry, with the columns of marks.csv."""
    for entry in entries:
        for mark in entry["marks"]:
            yield {column: entry[column] for column in COLUMNS if column in entry} | mark


def write_csv(path, entries):
    """Write marks.csv, all of it or nothing. Points that a person has entered there for written answers stay.

    A table with points that belong to no written answer now, such as another folder's, is kept under another name.
    """
    by_hand, rows = _by_hand(path), list(_rows(entries))
    for row in rows:
        if row["verdict"] == "to be read":
            row["points"] = by_hand.pop(tuple(_no_formula(row[column]) for column in WHERE), None)
    if by_hand:
        print(f"{path} has points for answers that aren't here; it is kept as {set_aside(path).name}.", file=sys.stderr)
    _write(path, COLUMNS, rows)


def write_totals(path, entries):
    """Write a line for each student and notebook: the points for code, by track and in all."""
    rows = []
    for entry in entries:
        code = {track: sum(mark["points"] for mark in entry["marks"] if mark["track"] == track) for track in TRACKS}
        about = {column: entry[column] for column in ("student", "assignment", "notebook")}
        rows.append(about | code | {"code": sum(code.values())})
    _write(path, ["student", "assignment", "notebook", *TRACKS, "code"], rows)


def _write(path, columns, rows):
    text = {"encoding": "utf-8-sig", "errors": "backslashreplace", "newline": ""}  # so Excel reads names
    with whole_file(path) as part, part.open("w", **text) as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows({column: _no_formula(value) for column, value in row.items()} for row in rows)


def _by_hand(path):
    """The points for written answers in an earlier marks.csv, as it or a spreadsheet saved it.

    One that can't be read is kept under another name.
    """
    if not path.exists():
        return {}
    try:
        text = path.read_text(encoding="utf-8-sig")
        rows = list(
            csv.DictReader(io.StringIO(text, newline=""), delimiter=";" if text.startswith("student;") else ",")
        )
        entered = [row for row in rows if row["verdict"] == "to be read" and (row["points"] or "").strip()]
        return {tuple(row[column] for column in WHERE): row["points"] for row in entered}
    except (ValueError, KeyError, csv.Error):
        print(f"{path} is not as the grader wrote it; it is kept as {set_aside(path).name}.", file=sys.stderr)
        return {}


def _no_formula(value):
    """A cell that a spreadsheet shows and does not compute, whatever a student has called a file."""
    return f"'{value}" if isinstance(value, str) and value.startswith(tuple("=+-@＝＋－＠\t\r\n")) else value
