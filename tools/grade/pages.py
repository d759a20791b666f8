"""What people read: a page of feedback for each student, and a summary of the class."""

import io
import os
from collections import Counter, defaultdict
from urllib.parse import quote

from jinja2 import Environment, PackageLoader

from utils.files import whole_file

VERDICTS = {"passed": "#35618f", "failed": "#c9a227", "not written": "#d9d9d9"}
"""What the plot tells apart, and how; whatever is not there to be judged counts as not written."""

_PAGES = Environment(loader=PackageLoader("tools.grade"), autoescape=True)


def write(folder, entries):
    """Write ``summary.html`` and, in ``students``, one page each.

    Parameters
    ----------
    folder : Path
    entries : list of dict
        As tools.grade.marks.Journal keeps them.
    """
    by_student = defaultdict(list)
    for entry in sorted(entries, key=lambda entry: (entry["student"], entry["notebook"], entry["file"])):
        by_student[entry["student"]].append(entry | _points(entry["marks"]))
    (folder / "students").mkdir(parents=True, exist_ok=True)
    for student, theirs in by_student.items():
        _write(folder / _page(student), "student.html", student=student, entries=theirs)
    marks = [(student, mark) for student, theirs in by_student.items() for entry in theirs for mark in entry["marks"]]
    _write(
        folder / "summary.html",
        "summary.html",
        count=len(entries),
        plot=_plot([mark for _, mark in marks if mark["points"] is not None]),
        diagnoses=_commonest(marks),
        remarks=[entry for theirs in by_student.values() for entry in theirs if entry["remark"]],
        students=[(student, quote(os.fsencode(_page(student))), theirs) for student, theirs in by_student.items()],
    )


def _page(student):
    """Where a student's page is; a name may be as long as a file's, which leaves no room for an ending."""
    return f"students/{os.fsdecode(os.fsencode(student)[:200])}.html"


def _write(path, template, **values):
    with whole_file(path) as part:
        part.write_text(_PAGES.get_template(template).render(values), encoding="utf-8", errors="backslashreplace")


def _points(marks):
    """The sums of a notebook's points: for code, by track, and those that a person gives."""
    code = [mark for mark in marks if mark["points"] is not None]
    tracks = {}
    for mark in code:
        points, most = tracks.get(mark["track"], (0, 0))
        tracks[mark["track"]] = points + mark["points"], most + mark["max_points"]
    return {
        "points": sum(points for points, _ in tracks.values()),
        "max_points": sum(most for _, most in tracks.values()),
        "tracks": tracks,
        "open": sum(mark["max_points"] for mark in marks if mark["points"] is None),
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
            color="white" if verdict == "passed" else "black",
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
