"""What people read: a page of feedback for each student, and a summary of the class."""

import io
import os
from collections import Counter, defaultdict
from urllib.parse import quote

from jinja2 import Environment, PackageLoader

from utils.files import whole_file

VERDICTS = {"passed": "#35618f", "failed": "#c9a227", "not written": "#d9d9d9", "unreadable": "#8c4a4a"}
"""What the plot tells apart, and how; what is missing counts as not written."""

_PAGES = Environment(loader=PackageLoader("tools.grade"), autoescape=True)


def write(folder, entries):
    """Write ``summary.html``, a page for each student in ``students``, one for each written question in ``questions``.

    Parameters
    ----------
    folder : Path
    entries : list of dict
        As tools.grade.marks.Journal keeps them.
    """
    by_student = defaultdict(list)
    for entry in sorted(entries, key=lambda entry: (entry["student"], entry["notebook"], entry["file"])):
        by_student[entry["student"]].append(entry | _points(entry["marks"]) | {"remark": remark(entry)})
    for kind in ("students", "questions"):
        (folder / kind).mkdir(parents=True, exist_ok=True)
        for old in (folder / kind).glob("*.html"):  # of students who aren't there any more
            old.unlink()
    for student, theirs in by_student.items():
        _write(folder / _page(student), "student.html", student=student, entries=theirs)
    questions = _written(entries)
    for question, answers in questions.items():
        _write(folder / "questions" / f"{question}.html", "question.html", question=question, answers=answers)
    marks = [(student, mark) for student, theirs in by_student.items() for entry in theirs for mark in entry["marks"]]
    _write(
        folder / "summary.html",
        "summary.html",
        count=len(entries),
        plot=_plot([mark for _, mark in marks if mark["track"] != "written"]),
        questions=sorted(questions),
        diagnoses=_commonest(marks),
        remarks=[entry for theirs in by_student.values() for entry in theirs if entry["remark"]],
        students=[(student, quote(os.fsencode(_page(student))), theirs) for student, theirs in by_student.items()],
    )


def remark(entry):
    """What a teacher should know of a file, or ""."""
    unread = (mark["message"].removeprefix("✗ ") for mark in entry["marks"] if mark["verdict"] == "unreadable")
    return entry["remark"] or next(unread, "").removesuffix(".")


def _written(entries):
    """The answers to each written question: who, and what they wrote."""
    found = defaultdict(list)
    for entry in entries:
        for mark in entry["marks"]:
            if mark["verdict"] == "to be read":
                found[f"{entry['notebook']}_{mark['exercise']}"].append((entry["student"], mark["message"]))
    return found


def _page(student):
    """Where a student's page is; a name may be as long as a file's, which leaves no room for an ending."""
    return f"students/{os.fsdecode(os.fsencode(student)[:200])}.html"


def _write(path, template, **values):
    with whole_file(path) as part:
        part.write_text(_PAGES.get_template(template).render(values), encoding="utf-8", errors="backslashreplace")


def _points(marks):
    """The sums of a notebook's points for code, by track, and how many written answers wait for a person."""
    code = [mark for mark in marks if mark["track"] != "written"]
    tracks = {}
    for mark in code:
        points, most = tracks.get(mark["track"], (0, 0))
        tracks[mark["track"]] = points + mark["points"], most + mark["max_points"]
    return {
        "points": sum(points for points, _ in tracks.values()),
        "max_points": sum(most for _, most in tracks.values()),
        "tracks": tracks,
        "open": sum(mark["points"] is None for mark in marks),
    }


def _commonest(marks, most=20):
    """The diagnoses that most students have, each with the check's sentence."""
    causes, students = {}, defaultdict(set)
    for student, mark in marks:
        if mark["diagnosis"]:
            key = mark["exercise"], mark["diagnosis"]
            causes.setdefault(key, mark["message"].partition("\n")[0].partition(": ")[2])
            students[key].add(student)
    found = Counter({key: len(those) for key, those in students.items()}).most_common(most)
    return [{"count": count, "exercise": key[0], "cause": causes[key]} for key, count in found]


def _plot(marks):
    """For each exercise, how many passed, failed or wrote nothing: an SVG, or "" where there is nothing to draw."""
    import matplotlib
    from matplotlib.figure import Figure

    counts = defaultdict(Counter)
    for mark in marks:
        counts[mark["exercise"]][mark["verdict"] if mark["verdict"] in VERDICTS else "not written"] += 1
    if not counts:
        return ""
    exercises = list(counts)
    figure = Figure(figsize=(8, 1 + 0.3 * len(exercises)), layout="constrained")
    axes, left = figure.subplots(), [0] * len(exercises)
    for verdict, colour in VERDICTS.items():
        widths = [counts[exercise][verdict] for exercise in exercises]
        bars = axes.barh(exercises, widths, left=left, color=colour, label=verdict)
        axes.bar_label(
            bars,
            [width or "" for width in widths],
            label_type="center",
            color="white" if verdict in ("passed", "unreadable") else "black",
        )
        left = [start + width for start, width in zip(left, widths)]
    axes.invert_yaxis()
    axes.set_xlabel("notebooks")
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=len(VERDICTS), frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    picture = io.StringIO()
    with matplotlib.rc_context({"svg.hashsalt": "grade"}):
        figure.savefig(
            picture, format="svg", metadata={"Date": None, "Title": "Passed, failed and not written, by exercise"}
        )
    return picture.getvalue()[picture.getvalue().index("<svg") :]
