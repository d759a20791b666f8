"""Grade one notebook: its answers run in a sandbox, and are judged here from what they gave."""

import functools
import inspect
import json
import math
import re
from dataclasses import asdict, dataclass
from functools import partial

import numpy as np

from tools.grade import course
from tools.grade.inside import wire
from tools.grade.sandbox import Gone, Sandbox
from utils import stages
from utils.checks.check import CALLS_THE_COURSE, EXERCISES
from utils.checks.judge import Verdict, judge
from utils.checks.limits import TimeUp, call_within
from utils.checks.run import StepTable, undisturbed

LARGEST = 100 * 2**20
"""How many bytes a submitted file may have."""

LONGEST = 2**19
"""How many characters the code in it may have."""

MOST_NUMBERS = 600
"""How many numbers may go into the course's version of an earlier exercise when an answer asks for it."""

SERVING_SECONDS = 2.0
"""How long that may take."""

LONGEST_MESSAGE = 4000
"""How many characters of what a check says are kept."""


@dataclass(frozen=True)
class Mark:
    """The mark for one exercise, or a written question's place.

    Attributes
    ----------
    exercise, track : str
    points : int or None
        None for a written answer, which a person reads.
    max_points : int
    verdict : str
        "passed", "failed", "not written", "missing", "unreadable" or "to be read".
    diagnosis : str
        The short name of the recognised misconception, or "".
    message : str
        What the check says, or the written answer.
    """

    exercise: str
    track: str
    points: int | None
    max_points: int
    verdict: str
    diagnosis: str = ""
    message: str = ""


def grade(content, name):
    """Grade a submitted notebook.

    Parameters
    ----------
    content : bytes
        The file.
    name : str
        The course's notebook, such as "03_softmax".

    Returns
    -------
    list of dict
        The marks' fields, one for each exercise and question.
    """
    notebook = course.notebooks()[name]
    try:
        cells = parsed(content)["cells"]
        code, written = course.code_cells(cells), course.written_answers(cells)
        if sum(len(cell["source"]) for cell in code) > LONGEST:
            raise ValueError("it holds far too much code")
    except ValueError as error:
        return unreadable(name, str(error))
    return list(_marks(notebook, _verdicts(notebook, code), written))


def unreadable(name, reason):
    """The marks of a file of this notebook that can't be read, and why."""
    notebook = course.notebooks()[name]
    verdict = Verdict(False, f"✗ The file can't be read: {reason}.")
    return list(_marks(notebook, dict.fromkeys(notebook.exercises, (verdict, "unreadable"))))


def _marks(notebook, verdicts, written=None):
    """The marks in the notebook's order; a written answer that was begun is a person's to mark."""
    marks = []
    for item in notebook.items:
        if item.name not in verdicts:
            answer = "" if written is None else written.get(item.name)
            if answer:
                marks.append(Mark(item.name, item.track, None, item.points, "to be read", message=answer))
            else:
                word = "unreadable" if written is None else "missing" if answer is None else "not written"
                marks.append(Mark(item.name, item.track, 0, item.points, word))
            continue
        verdict, word = verdicts[item.name]
        points = item.points if verdict.passed else 0
        marks.append(Mark(item.name, item.track, points, item.points, word, verdict.diagnosis or "", verdict.message))
    for mark in marks:
        text = mark.message[:LONGEST_MESSAGE].encode("utf-8", "replace").decode("utf-8")  # halves of characters
        yield asdict(mark) | {"message": text}


def parsed(content):
    """A submitted file's notebook. ValueError, with a reason for people, where it holds none."""
    if not content.strip():
        raise ValueError("it is empty")
    if conflict := re.search(rb"^<{7} ", content, re.MULTILINE):
        line = content[: conflict.start()].count(b"\n") + 1
        raise ValueError(f"it holds a merge conflict, in line {line}: two versions of it were mixed")
    try:
        notebook = json.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise ValueError("it is no text in UTF-8") from None
    except (RecursionError, MemoryError):
        raise ValueError("it is nested too deeply, or holds far too much") from None
    except json.JSONDecodeError as error:
        end = "it ends in the middle" if error.pos >= len(error.doc.rstrip()) - 1 or "Unterminated" in error.msg else ""
        raise ValueError(end or f"it is no notebook (line {error.lineno}: {error.msg})") from None
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        raise ValueError("it is no notebook with cells")
    return notebook


def _verdicts(notebook, cells):
    """The verdict, and its word, for every exercise of a notebook."""
    submission = {"student": cells, "course": notebook.cells}
    found, waiting = {}, list(notebook.exercises)
    while waiting:
        first = waiting[0]
        try:
            with Sandbox(submission) as sandbox:
                while waiting:
                    name = waiting[0]
                    passed = [one for one, (verdict, _) in found.items() if verdict.passed]
                    found[name] = _verdict(name, notebook.exercises, sandbox, passed)
                    waiting.remove(name)
        except Gone as reason:  # a new one serves the others; also this, which may not be what ended it
            if name == first:
                waiting.remove(name)
                found[name] = Verdict(False, f"✗ {name}: {reason}.", "ends_its_process"), "failed"
    return found


def _verdict(name, exercises, sandbox, passed):
    """One exercise's verdict. What has passed is the student's own, for what comes after it, as in the notebook."""
    earlier = course.earlier(name)
    task = {
        "exercise": name,
        "exercises": exercises,
        "probes": _packed_probes(name),
        "given": earlier,
        "passed": passed,
        "modules": sorted({getattr(stages, one).__module__ for one in EXERCISES}),
    }
    said = sandbox.answer(task, partial(_served, earlier))
    if "none" in said:
        if problem := said["none"]:
            message = f"✗ {name}: it could not be loaded: {problem[:300]}."
            return Verdict(False, message, "could_not_be_loaded"), "failed"
        return Verdict(False, f"✗ {name}: no function of this name was found.", written=False), "missing"
    try:
        record = wire.unpack_record(said["record"], EXERCISES[name].probes)
    except Exception:  # whatever it is that can't be made out of it
        message = "it interfered with the program that was running it."
        return Verdict(False, f"✗ {name}: {message}", "ends_its_process"), "failed"
    if any(call.error.startswith("CourseVersion") for call in record.calls):
        return Verdict(False, f"✗ {name}: {CALLS_THE_COURSE}", "calls_the_course"), "failed"
    arguments = list(inspect.signature(getattr(stages, name)).parameters)
    try:
        with undisturbed():
            verdict = judge(EXERCISES[name], arguments, record)
    except Exception:  # nothing that an answer gives may keep the others from being judged
        verdict = Verdict(False, f"✗ {name}: what it returned can't be compared with what it should return.")
    if verdict.passed or not verdict.written:
        return verdict, "passed" if verdict.passed else "not written"
    if isinstance(note := said.get("note"), str) and note:
        head, *rest = verdict.message.splitlines()
        cause = f"✗ {name}: something that it needs failed: {note[:300]}."
        verdict = Verdict(False, "\n".join([cause, f"  So {head.partition(': ')[2]}", *rest]), "needs_what_failed")
    return verdict, "failed"


def _served(earlier, asked, args, kwargs):
    """What the course's version of an earlier exercise gives. ValueError where nobody would honestly ask that."""
    if asked not in earlier:
        raise ValueError(f"there is no {asked} here")
    whole = [int(value) for value in [*args, *kwargs.values()] if _is_whole(value)]
    if _size([args, kwargs]) > MOST_NUMBERS or any(abs(number) > MOST_NUMBERS for number in whole):
        raise ValueError("that is far more than it is ever called with here")
    with undisturbed():
        try:
            return call_within(SERVING_SECONDS, partial(getattr(stages, asked), *args, **kwargs))
        except TimeUp:
            raise ValueError("that takes far too long") from None


def _is_whole(value):
    """Whether something is one whole number, which may become the size of an array or how often a loop runs."""
    return isinstance(value, int) or isinstance(value, np.ndarray) and not value.ndim and value.dtype.kind in "iu"


def _size(value):
    """How many numbers go into a function; an empty array counts for what it may be multiplied into."""
    if isinstance(value, (list, tuple)):
        return sum(map(_size, value))
    if isinstance(value, dict):
        return _size([*value.values()])
    if isinstance(value, StepTable):
        return _size([value.by_word, value.by_position])
    if isinstance(value, np.ndarray):
        return math.prod(max(1, length) for length in value.shape)
    return len(value) if isinstance(value, str) else 1


@functools.cache
def _packed_probes(name):
    fields = ("name", "args", "layout", "special", "twice")
    return [[wire.pack(getattr(probe, field)) for field in fields] for probe in EXERCISES[name].probes]
