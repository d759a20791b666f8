"""Grade submitted notebooks: `python -m tools.grade SUBMISSIONS --out marks.csv`, or `make grade`."""

import argparse
import os
import sys
from importlib.util import find_spec
from pathlib import Path

from tqdm import tqdm

from tools.grade import grading, marks, pages, pool, sandbox, submissions


def main(arguments=None):
    """The command line. Returns 0; 1 when something could not be graded; 2 when the call can't be carried out."""
    options = _options(arguments)
    folder, out = options.submissions, options.out
    if problem := _problem(options):
        return _say(problem)
    print(_told_of_the_sandbox(options.scheduler))
    try:
        if not (found := submissions.find(folder)):
            return _say(f"There are no notebooks in {folder}.")
        if unknown := set(options.only or []) - {one.student for one in found}:
            return _say(f"There is nothing by {', '.join(sorted(unknown))} in {folder}.")
        with marks.Journal(out.with_suffix(".journal")) as journal:
            failures, entries, new = _grade(found, journal, folder, options)
            if options.gradebook:
                from tools.grade import gradebook  # nbgrader takes seconds to import

                gradebook.write(options.gradebook, entries)
    except marks.InUse:
        return _say(f"Another grader is writing {out} just now.")
    except KeyboardInterrupt:
        print("\nInterrupted. What was graded is kept; the same command goes on from there.", file=sys.stderr)
        return 130
    except OSError as error:
        reason = f"{error.filename or out}: {error.strerror}" if error.strerror else error
        return _say(f"Stopped: {reason}. What was graded is kept; the same command goes on from there.")
    for one, reason in failures:
        print(f"{one.path}: could not be graded ({reason}). The same command tries again.", file=sys.stderr)
    pages_of = out.with_suffix("")
    look = sum(bool(pages.remark(entry)) for entry in entries)
    print(f"{len(entries)} notebooks: {new} graded now, {len(entries) - new} known from before; {look} to look at.")
    print(f"{out}: the marks. {pages_of / 'summary.html'}: the summary, with feedback for each student.")
    return 1 if failures else 0


def _grade(found, journal, folder, options):
    """Grade what is not in the journal yet, and write marks and pages.

    Returns
    -------
    list of (Submission, str), list of dict, int
        What could not be graded and why, the entries of all that was found, and how many of them are new.
    """
    failures, new, before = [], [], dict(journal.entries)
    for one in found:
        if options.only and one.student not in options.only:
            continue
        content, reason = submissions.content(one.path)
        reason = reason or ("" if one.notebook else "none of the course's notebooks")
        entry = _entry(one, folder, reason) | {"print": marks.fingerprint(content or reason.encode())}
        known = journal.known(entry)
        if known and known["print"] == entry["print"] and not options.only:
            if known | entry != known:  # the file has another name, or there is another beside it
                journal.add(known | entry)
        elif reason:
            journal.add(entry | {"marks": grading.unreadable(one.notebook, reason) if one.notebook else []})
        else:
            new.append(one)
    try:
        tasks = pool.run(marks.graded, new, _read, options.jobs, options.scheduler)
        for one, result in tqdm(tasks, total=len(new), unit="notebook", disable=None):
            if isinstance(result, Exception):
                failures.append((one, f"{type(result).__name__}: {result}"))
            else:
                journal.add(_entry(one, folder) | result)
    finally:
        known = [journal.known(_entry(one, folder)) for one in found]  # and not what other folders held
        entries = [entry for entry in known if entry]
        marks.write_csv(options.out, entries)
        pages.write(options.out.with_suffix(""), entries)
        marks.write_totals(options.out.with_suffix("") / "totals.csv", entries)
    return failures, entries, sum(before.get(key) is not entry for key, entry in journal.entries.items())


def _read(one):
    return one.path.read_bytes(), one.notebook


def _entry(one, folder, reason=""):
    about = {"student": one.student, "assignment": one.assignment, "notebook": one.notebook}
    remark = "; ".join(dict.fromkeys(filter(None, [one.remark, reason])))
    return about | {"file": one.path.relative_to(folder).as_posix(), "remark": remark}


def _options(arguments):
    parser = argparse.ArgumentParser(prog="python -m tools.grade", description="Grade submitted notebooks.")
    parser.add_argument("submissions", type=Path, help="a folder: STUDENT/ASSIGNMENT/NN_name.ipynb, or just notebooks")
    parser.add_argument("--out", type=Path, default=Path("marks.csv"), metavar="FILE", help="default: marks.csv")
    parser.add_argument("--jobs", type=_count, default=os.cpu_count(), metavar="N", help="how many at once (all cores)")
    parser.add_argument("--only", action="append", metavar="STUDENT", help="grade this student, again where need be")
    parser.add_argument("--gradebook", type=Path, metavar="FILE", help="write into nbgrader's gradebook.db as well")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="use a Dask cluster, such as tcp://host:8786")
    return parser.parse_args(arguments)


def _count(text):
    if not (text.isdecimal() and int(text)):
        raise argparse.ArgumentTypeError(f"{text} is no number of jobs")
    return int(text)


def _problem(options):
    """What is wrong with the call, found before anything is graded; else ""."""
    out, gradebook = options.out, options.gradebook
    if not hasattr(os, "fork"):
        return "The grader needs Linux or macOS; on Windows, use it in the Windows Subsystem for Linux (WSL)."
    if not options.submissions.is_dir():
        return f"There is no folder {options.submissions}."
    if nbgraders := {"source", "release", "autograded"} & {path.name for path in options.submissions.iterdir()}:
        return f"{options.submissions} holds nbgrader's {'/, '.join(sorted(nbgraders))}/: name its submitted/ instead."
    if out.suffix != ".csv" or out.is_dir() or not out.parent.is_dir():
        return f"--out names a .csv file in a folder that exists, not {out}."
    if gradebook and (gradebook.is_dir() or not gradebook.parent.is_dir()):
        return f"--gradebook names a file in a folder that exists, not {gradebook}."
    for option, package in ("gradebook", "nbgrader"), ("scheduler", "distributed"):
        if getattr(options, option) and not find_spec(package):
            return f"--{option} needs the package {package}, which is not installed here."
    return ""


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
