"""Find what students handed in: STUDENT/ASSIGNMENT/NN_name.ipynb as nbgrader has it, or any other folder."""

import functools
import os
import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

from tools.grade import course, grading

_CHECKED = rb'(?:\bcheck\(\\?"|"check_)([a-z_]+)\b'
_DEFINED = rb"\bdef ([a-z_]+)\b"
_LOOKED_AT = re.compile(r"\.ipynb(\.\w+)?$|\.(zip|rar|7z|gz)$", re.IGNORECASE)
LINK = "a symbolic link, which is not followed"


@dataclass(frozen=True)
class Submission:
    """One notebook of one student.

    Attributes
    ----------
    student, assignment : str
    notebook : str
        Which of the course's it is, such as "03_softmax"; "" where nothing says so.
    path : Path
    remark : str
        What a teacher should know: that the file was not read, or that it counts among several.
    """

    student: str
    assignment: str
    notebook: str
    path: Path
    remark: str = ""


def find(folder):
    """The submissions in a folder, in the order of students and notebooks. Symbolic links are not followed.

    Parameters
    ----------
    folder : Path

    Returns
    -------
    list of Submission
        One for each student, assignment and notebook; where a student has several files of one notebook, the one
        with the course's own name counts, else the newest.
    """
    found = {}
    for path in sorted(_files(folder)):
        one = _submission(folder, path)
        found.setdefault((one.student, one.assignment, one.notebook or path.name), []).append(one)
    return [_that_counts(several) for _, several in sorted(found.items())]


def content(path):
    """A file's content, or b"" and why it isn't read."""
    if path.is_symlink():
        return b"", LINK
    try:
        if path.is_dir():
            return b"", "a folder without notebooks"
        if not path.is_file():
            return b"", "no file"
        if ".ipynb" not in path.name.lower():
            return b"", "an archive: unpack it first"
        if path.stat().st_size > grading.LARGEST:
            return b"", f"larger than {grading.LARGEST // 2**20} MB"
        return path.read_bytes(), ""
    except OSError as error:
        return b"", error.strerror


def _files(folder):
    """All notebooks in a folder and the folders in it, and what else a teacher should know of."""
    found, closed = [], []
    for where, folders, files in os.walk(folder, onerror=closed.append):
        here = Path(where)
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [here / name for name in folders if (here / name).is_symlink()]
        found += [here / name for name in files if not name.startswith(".") and _LOOKED_AT.search(name)]
    found += [Path(error.filename) for error in closed]
    with_something = {path.relative_to(folder).parts[0] for path in found}
    students = [path for path in folder.iterdir() if path.is_dir() and not path.name.startswith(".")]
    return found + [path for path in students if path.name not in with_something]


def _submission(folder, path):
    parts = path.relative_to(folder).parts
    notebook = _which(path)
    stem = re.sub(r"\.ipynb(\.\w+)?$", "", path.name, flags=re.IGNORECASE)
    student = _person(parts[0]) if len(parts) > 1 or path.is_dir() else _owner(stem, notebook)
    assignment = parts[1] if len(parts) > 2 else notebook or stem
    return Submission(student, assignment, notebook, path, LINK if path.is_symlink() else "")


def _which(path):
    """Which of the course's notebooks a file is: by the checks in it, else what it defines, else by its name."""
    names = course.notebooks()
    text, _ = content(path)
    for kind in _CHECKED, _DEFINED:  # functions of other notebooks may have been copied into it, checks hardly are
        if likely := Counter(_notebook_of()[one] for one in _exercises(kind, text)):
            return max(likely, key=lambda name: (likely[name], name in path.stem, name))
    number = re.search(r"(?<!\d)(0\d)(?=_)", path.stem)
    return next((name for name in names if name in path.stem or number and name.startswith(number[1])), "")


def _exercises(kind, text):
    """The exercises that a file checks or defines; read as text, for files that are no whole notebooks."""
    return {name.decode() for name in re.findall(kind, text)} & _notebook_of().keys()


@functools.cache
def _notebook_of():
    """Which notebook each exercise is in."""
    return {exercise: name for name, notebook in course.notebooks().items() for exercise in notebook.exercises}


def _owner(stem, notebook):
    """Whose a file in a flat folder is: what its name has before the notebook's, else what it has after it."""
    stem = unicodedata.normalize("NFC", stem)  # macOS takes the syllables of Hangul apart
    name = notebook if notebook in stem else rf"(?<!\d){notebook[:2]}(?=_)"
    before, *after = re.split(name, stem, maxsplit=1) if notebook else [stem]
    return next(filter(None, (part.strip(" _-.()") for part in (_person(before), *after))), stem)


def _person(name):
    """A student as Moodle names them, with the number that tells two of one name apart; any other name as it is."""
    return re.sub(r"(?<=_)(\d+)_assignsubmission_.*", r"\1", name)


def _that_counts(several):
    """The one of several files of a notebook that counts."""
    one = max(several, key=lambda one: (not one.remark, one.path.stem == one.notebook, _changed(one.path)))
    others = ", ".join(other.path.name for other in several if other is not one)
    remark = "; ".join(filter(None, [one.remark, others and f"counts, and not {others}"]))
    return replace(one, remark=remark)


def _changed(path):
    try:
        return path.lstat().st_mtime
    except OSError:
        return 0.0
