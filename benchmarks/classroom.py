"""How fast the grader is beside nbgrader, and whether they agree (`python -m benchmarks.classroom`).

Submissions of notebook 03 are made: right, wrong, unlucky and hostile ones, always the same for the same count. The
grader takes 20, 200 and 2,000 of them (or the counts that are given), nbgrader a sample of 20.
"""

import csv
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

NAME = "03_softmax"
ASSIGNMENT = "softmax"
ROOT = Path(__file__).parents[1]
SAMPLE = 20

RIGHT = {
    "softmax_one": [
        "z = np.exp(e - np.max(e))\nreturn z / z.sum()",
        "import math\nz = [math.exp(x - max(e)) for x in e]\nreturn np.array([x / sum(z) for x in z])",
    ],
    "softmax": [
        "z = np.exp(e - e.max(axis=-1, keepdims=True))\nreturn z / z.sum(axis=-1, keepdims=True)",
        "return np.array([softmax_one(row) for row in e])",
        "z = np.exp((e.T - e.max(axis=1)).T)\nreturn (z.T / z.sum(axis=1)).T",
    ],
    "masked_softmax": [
        "e = np.where(keep, e, -np.inf)\nm = e.max(axis=-1, keepdims=True)\n"
        "z = np.exp(e - np.where(np.isfinite(m), m, 0.0))\ntotal = z.sum(axis=-1, keepdims=True)\n"
        "return z / np.where(total > 0, total, 1.0)",
        "a = np.zeros(np.shape(e))\nfor n in range(len(e)):\n    kept = np.flatnonzero(keep[n])\n"
        "    if len(kept):\n        a[n, kept] = softmax_one(np.asarray(e)[n, kept])\nreturn a",
    ],
    "softmax_backward": [
        "return a * (da - (da * a).sum(axis=-1, keepdims=True))",
        "return np.stack([(np.diag(row) - np.outer(row, row)) @ up for row, up in zip(a, da)])",
    ],
}
WRONG = {
    "softmax_one": ["z = np.exp(e)\nreturn z / z.sum()", "return e / e.sum()"],
    "softmax": [
        "z = np.exp(e - e.max(axis=0))\nreturn z / z.sum(axis=0)",
        "z = np.exp(e - e.max())\nreturn z / z.sum(axis=-1, keepdims=True)",
    ],
    "masked_softmax": ["return softmax(e * keep)", "return softmax(np.where(keep, e, -1e9))"],
    "softmax_backward": ["return a * da", "return a * (1 - a) * da"],
}
HOSTILE = {  # the last is kept from nbgrader, which has no limits
    "endless": "while True:\n    pass",
    "exits": "import os\nos._exit(0)",
    "claims": "class Equal(np.ndarray):\n    __eq__ = lambda self, other: np.ones(self.shape, bool)\n"
    "return np.zeros(np.shape(e)).view(Equal)",
    "hog": "return np.ones((10**9, 100))",
}


def submissions(folder, count):
    """Make submissions in nbgrader's layout.

    Parameters
    ----------
    folder : Path
    count : int

    Returns
    -------
    dict of str to str
        What kind each student's is.
    """
    draw = random.Random(count)
    student = json.loads((ROOT / "notebooks" / f"{NAME}.ipynb").read_text(encoding="utf-8"))
    kinds = {}
    for number in range(count):
        kind = draw.choices(
            ["solved", "partly", "deleted", "syntax", "broken", *HOSTILE], [40, 38, 6, 6, 4, 2, 2, 1, 1]
        )[0]
        name = f"student-{number:04d}"
        path = folder / name / ASSIGNMENT / f"{NAME}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(_text(student, kind, draw), encoding="utf-8")
        kinds[name] = kind
    return kinds


def _text(student, kind, draw):
    notebook = json.loads(json.dumps(student))
    for cell in notebook["cells"]:
        if cell["id"] in RIGHT:
            wrong = kind == "partly" and draw.random() < 0.4
            body = draw.choice((WRONG if wrong else RIGHT)[cell["id"]])
            cell["source"] = _with(cell["source"], body)
    victim = draw.choice([cell for cell in notebook["cells"] if cell["id"] in RIGHT])
    if kind == "deleted":
        notebook["cells"].remove(victim)
    elif kind == "syntax":
        victim["source"] = _with(victim["source"], "return (e")
    elif kind in HOSTILE:
        softmax = next(cell for cell in notebook["cells"] if cell["id"] == "softmax")
        softmax["source"] = _with(softmax["source"], HOSTILE[kind])
    text = json.dumps(notebook, ensure_ascii=False)
    return text[: len(text) // 2] if kind == "broken" else text


def _with(source, body):
    """An exercise's cell with another body below its docstring."""
    head = "".join(source).rpartition('"""')
    return f'{head[0]}"""\n' + "".join(f"    {line}\n" for line in body.splitlines())


def grade(folder, out, jobs):
    """Run the grader on a folder; gives the seconds and the largest process's memory in MB."""
    began = time.perf_counter()
    command = [sys.executable, "-m", "tools.grade", folder, "--out", out, "--jobs", str(jobs)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**10


def autograde(room):
    """Run nbgrader on a class's folder; gives the seconds."""
    config = 'c = get_config()\nc.ClearSolutions.code_stub = {"python": "..."}\n'
    config += 'c.ClearSolutions.text_stub = "*Write your answer here.*"\n'
    (room / "nbgrader_config.py").write_text(config, encoding="utf-8")
    source = room / "source" / ASSIGNMENT
    source.mkdir(parents=True)
    (source / f"{NAME}.ipynb").write_bytes((ROOT / "solutions" / f"{NAME}.ipynb").read_bytes())
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    for word in ("generate_assignment", "autograde"):
        began = time.perf_counter()
        command = [sys.executable, "-m", "nbgrader", word, ASSIGNMENT]
        subprocess.run(command, cwd=room, env={**os.environ, "PATH": path}, capture_output=True)
    return time.perf_counter() - began


def nbgraders_marks(room):
    """nbgrader's points by student and exercise; nothing for those that it could not grade."""
    from nbgrader.api import Gradebook

    found = {}
    with Gradebook(f"sqlite:///{room / 'gradebook.db'}") as gradebook:
        for submission in gradebook.assignment_submissions(ASSIGNMENT):
            for grade in submission.notebooks[0].grades:
                if grade.name.startswith("check_"):
                    found[submission.student.id, grade.name.removeprefix("check_")] = grade.auto_score
    return found


def throughput(scratch, counts, jobs):
    """Print how many notebooks are graded in a minute, for growing classes; gives the last figure."""
    for count in counts:
        submissions(scratch / str(count), count)
        seconds, memory = grade(scratch / str(count), scratch / f"{count}.csv", jobs)
        rate = 60 * count / seconds
        print(f"{count:6} submissions: {seconds:7.1f} s, {rate:6.1f} a minute; largest process so far {memory:.0f} MB")
    return rate


def beside_nbgrader(scratch, jobs):
    """Let nbgrader grade a sample, and print where its marks and the grader's differ; gives how many in a minute."""
    room = scratch / "class"
    (room / "submitted").mkdir(parents=True)
    os.symlink(ROOT / "utils", room / "utils")
    kinds = submissions(scratch / "all", 200)
    for name in [name for name, kind in kinds.items() if kind != "hog"][:SAMPLE]:
        (scratch / "all" / name).rename(room / "submitted" / name)
    seconds = autograde(room)
    rate = 60 * SAMPLE / seconds
    print(f"{SAMPLE:6} by nbgrader:  {seconds:7.1f} s, {rate:6.1f} a minute")
    grade(room / "submitted", scratch / "sample.csv", jobs)
    with (scratch / "sample.csv").open(encoding="utf-8-sig", newline="") as file:
        ours = [row for row in csv.DictReader(file) if row["track"] != "written"]
    theirs, differences = nbgraders_marks(room), Counter()
    for row in ours:
        other = theirs.get((row["student"], row["exercise"]))
        if float(row["points"]) != other:
            said = row["message"].partition("\n")[0]
            differences[kinds[row["student"]], f"{row['points']} here, {other} by nbgrader: {said}"] += 1
    print(f"{len(ours)} marks compared, {differences.total()} differ" + (":" if differences else "."))
    for (kind, what), times in sorted(differences.items()):
        print(f"{times:6} × {kind}: {what}")
    return rate


def main():
    """Print the figures."""
    sys.stdout.reconfigure(line_buffering=True)
    jobs = os.cpu_count()
    print(f"{jobs} jobs on {jobs} cores")
    with tempfile.TemporaryDirectory() as scratch:
        ours = throughput(Path(scratch), [int(word) for word in sys.argv[1:]] or [20, 200, 2000], jobs)
        theirs = beside_nbgrader(Path(scratch), jobs)
        print(f"ratio: {ours / theirs:.1f}")


if __name__ == "__main__":
    main()
