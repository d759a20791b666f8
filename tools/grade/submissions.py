"""Find what students handed in: STUDENT/ASSIGNMENT/NN_name.ipynb as nbgrader has it, or any other folder."""

import functools
import os
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from tools.grade import course, grading


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


def _files(folder):
    """All notebooks in a folder, also in folders in it, and links to folders."""
    for where, folders, files in os.walk(folder):
        here = Path(where)
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (here / name for name in folders if (here / name).is_symlink())
        yield from (here / name for name in files if name.endswith(".ipynb") and not name.startswith("."))


def _submission(folder, path):
    parts = path.relative_to(folder).parts
    notebook = _which(path)
    student = parts[0] if len(parts) > 1 else _owner(path.stem, notebook)
    assignment = parts[1] if len(parts) > 2 else notebook or path.stem
    linked = path.is_symlink() or folder.joinpath(*parts[:1]).is_symlink()
    return Submission(student, assignment, notebook, path, "a symbolic link, which is not followed" if linked else "")


def _which(path):
    """Which of the course's notebooks a file is: by the exercises in it, else by its name."""
    names = course.notebooks()
    likely = Counter(_notebook_of()[one] for one in _mentioned(path))
    if likely:
        return likely.most_common(1)[0][0]
    number = re.search(r"(?<!\d)(0\d)(?=_)", path.stem)
    return next((name for name in names if name in path.stem or number and name.startswith(number[1])), "")


def _mentioned(path):
    """The exercises that a file defines or checks; read as text, for files that are no whole notebooks."""
    if path.is_symlink():
        return set()
    try:
        content = path.read_bytes() if path.stat().st_size <= grading.LARGEST else b""
    except OSError:
        return set()
    found = {name.decode() for name in re.findall(rb'(?:\bdef |\bcheck\(\\?"|"check_)([a-z_]+)\b', content)}
    return found & _notebook_of().keys()


@functools.cache
def _notebook_of():
    """Which notebook each exercise is in."""
    return {exercise: name for name, notebook in course.notebooks().items() for exercise in notebook.exercises}


def _owner(stem, notebook):
    """Whose a file in a flat folder is: what its name has besides the notebook's."""
    rest = stem.replace(notebook, "") if notebook else stem
    return rest.strip(" _-.()") or stem


def _that_counts(several):
    """The one of several files of a notebook that counts."""
    named = [one for one in several if one.path.stem == one.notebook]
    one = max(named or several, key=lambda one: (not one.remark, _changed(one.path)))
    others = ", ".join(other.path.name for other in several if other is not one)
    remark = "; ".join(filter(None, [one.remark, others and f"counts, and not {others}"]))
    return Submission(one.student, one.assignment, one.notebook, one.path, remark)


def _changed(path):
    try:
        return path.lstat().st_mtime
    except OSError:
        return 0.0
