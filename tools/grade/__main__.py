"""Grade submitted notebooks: `python -m tools.grade SUBMISSIONS --out marks.csv`, or `make grade`."""

import argparse
import os
import sys
from pathlib import Path

from tqdm import tqdm

from tools.grade import grading, marks, pages, pool, sandbox, submissions


def main(arguments=None):
    """The command line. Returns 0; 1 when something could not be graded; 2 when the call itself is wrong."""
    options = _options(arguments)
    folder, out = options.submissions, options.out
    if not folder.is_dir():
        return _say(f"There is no folder {folder}.")
    if out.suffix != ".csv" or not out.parent.is_dir():
        return _say(f"--out names a .csv file in a folder that exists, not {out}.")
    if not hasattr(os, "fork"):
        return _say("The grader needs Linux or macOS; on Windows, use it in the Windows Subsystem for Linux (WSL).")
    print(_told_of_the_sandbox(options.scheduler))
    found = submissions.find(folder)
    if unknown := set(options.only or []) - {one.student for one in found}:
        return _say(f"There is nothing by {', '.join(sorted(unknown))} in {folder}.")
    try:
        with marks.Journal(out.with_suffix(".journal")) as journal:
            failures = _grade(found, journal, folder, options)
            if options.gradebook:
                from tools.grade import gradebook  # nbgrader takes seconds to import

                gradebook.write(options.gradebook, journal.entries.values())
    except BlockingIOError:
        return _say(f"Another grader is writing {out} just now.")
    except KeyboardInterrupt:
        print("\nInterrupted. What was graded is kept; the same command goes on from there.", file=sys.stderr)
        return 130
    for one, reason in failures:
        print(f"{one.path}: could not be graded ({reason}). The same command tries again.", file=sys.stderr)
    print(f"{out}: the marks. {out.with_suffix('') / 'summary.html'}: the summary, and feedback for each student.")
    return 1 if failures else 0


def _grade(found, journal, folder, options):
    """Grade what is not in the journal yet, and write marks and pages; gives what could not be graded, and why."""
    failures, new = [], []
    for one in found:
        content, reason = _content(one)
        entry = _entry(one, folder) | {"print": marks.fingerprint(content)}
        known = journal.entries.get((entry["student"], entry["assignment"], entry["file"]))
        if one.student not in options.only if options.only else known and known["print"] == entry["print"]:
            continue
        if reason:
            remark = f"{one.remark}; {reason}" if one.remark and one.remark != reason else reason
            taken = grading.unreadable(one.notebook, reason) if one.notebook else []
            journal.add(entry | {"marks": taken, "remark": remark})
        else:
            new.append(one)
    try:
        tasks = pool.run(_graded, new, _read, options.jobs, options.scheduler)
        for one, result in tqdm(tasks, total=len(new), unit="notebook", disable=None):
            if isinstance(result, Exception):
                failures.append((one, f"{type(result).__name__}: {result}"))
            else:
                journal.add(_entry(one, folder) | result)
    finally:
        entries = [journal.entries[key] for key in sorted(journal.entries)]
        marks.write_csv(options.out, entries)
        pages.write(options.out.with_suffix(""), entries)
    return failures


def _graded(content, notebook):
    """A notebook's part of the journal's entry; runs in another process."""
    return {"print": marks.fingerprint(content), "marks": grading.grade(content, notebook)}


def _read(one):
    return one.path.read_bytes(), one.notebook


def _content(one):
    """A file's content, or b"" and why it isn't read."""
    if one.path.is_symlink() or "symbolic link" in one.remark:
        return b"", "a symbolic link, which is not followed"
    try:
        if one.path.stat().st_size > grading.LARGEST:
            return b"", f"larger than {grading.LARGEST // 2**20} MB"
        content = one.path.read_bytes()
    except OSError as error:
        return b"", error.strerror
    return content, "" if one.notebook else "none of the course's notebooks"


def _entry(one, folder):
    file = one.path.relative_to(folder).as_posix()
    about = {"student": one.student, "assignment": one.assignment, "notebook": one.notebook}
    return about | {"file": file, "remark": one.remark}


def _options(arguments):
    parser = argparse.ArgumentParser(prog="python -m tools.grade", description="Grade submitted notebooks.")
    parser.add_argument("submissions", type=Path, help="a folder: STUDENT/ASSIGNMENT/NN_name.ipynb, or just notebooks")
    parser.add_argument("--out", type=Path, default=Path("marks.csv"), metavar="FILE", help="default: marks.csv")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="how many at once (all cores)")
    parser.add_argument("--only", action="append", metavar="STUDENT", help="grade this student, again where need be")
    parser.add_argument("--gradebook", type=Path, metavar="FILE", help="write into nbgrader's gradebook.db as well")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="use a Dask cluster, such as tcp://host:8786")
    return parser.parse_args(arguments)


def _told_of_the_sandbox(scheduler):
    if scheduler:
        return (
            "Answers run on the cluster: closed in by bubblewrap on the machines that have it, only limited elsewhere."
        )
    if sandbox.bubblewrap():
        return "Answers run closed in by bubblewrap: no network, no other files, limits on time, memory and output."
    return (
        "There is no bubblewrap that works here. Answers run with limits on time, memory and output, but they can read"
        " and change whatever you can: grade only what you trust, or install bubblewrap (Linux) first."
    )


def _say(problem):
    print(problem, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
