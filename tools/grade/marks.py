"""Where marks are kept: a journal that grows by a line for every graded notebook, and marks.csv made from it."""

import contextlib
import csv
import functools
import hashlib
import json
import os
from pathlib import Path

from tools.grade import grading
from utils.files import whole_file

ROOT = Path(__file__).parents[2]
COLUMNS = ["student", "assignment", "notebook", "exercise", "track", "points", "max_points", "verdict", "diagnosis"]
COLUMNS += ["message", "remark", "file"]


class Journal:
    """The graded notebooks so far. Use it in a `with` block; BlockingIOError when another grader uses the same.

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
        except OSError:
            self._file.close()
            raise
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
    files += sorted((ROOT / "solutions").glob("*.py"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).digest()


def rows(entries):
    """One dict for each exercise of each entry, with the columns of marks.csv."""
    for entry in entries:
        for mark in entry["marks"]:
            yield {column: entry[column] for column in COLUMNS if column in entry} | mark


def write_csv(path, entries):
    """Write marks.csv, all of it or nothing."""
    text = {"encoding": "utf-8-sig", "errors": "backslashreplace", "newline": ""}  # so Excel reads names
    with whole_file(path) as part, part.open("w", **text) as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows({column: _no_formula(value) for column, value in row.items()} for row in rows(entries))


def _no_formula(value):
    """A cell that a spreadsheet shows and does not compute, whatever a student has called a file."""
    return f"'{value}" if isinstance(value, str) and value.startswith(tuple("=+-@＝＋－＠\t\r\n")) else value
