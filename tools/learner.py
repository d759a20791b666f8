"""What a learner's folder may need: a clean notebook (`make fresh NB=03`), a newer course (`make update`).

Neither loses what the learner wrote: it is kept beside, under another name.
"""

import argparse
import subprocess
import sys
from pathlib import Path

from tools import BuildError
from tools.build import ROOT, recorded, set_aside, setup_cell, sources, write


def fresh(root, number):
    """Put back one clean notebook, made from its source.

    Parameters
    ----------
    root : Path
        The course's folder.
    number : str
        The notebook's number, such as "03".
    """
    from tools import notebook  # slow to import, and `update` needs none of it

    by_number = {Path(source).name[:2]: Path(source) for source in sources(root)}
    source = by_number.get(number.zfill(2)) if number.isdigit() else None
    if source is None:
        numbers = ", ".join(by_number)
        raise BuildError(f"There is no notebook {number!r}; there are {numbers}. For example: make fresh NB=02")
    path = root / "notebooks" / f"{source.stem}.ipynb"
    clean = notebook.student(notebook.read((root / source).read_text(encoding="utf-8"), setup_cell(root)))
    set_aside(path, recorded(root).get(f"notebooks/{path.name}"))
    write(path, notebook.text(clean))
    print(f"{path.name} is as it was at first. Reopen it to see it.")


def update(root):
    """Bring the newest course with git. Nothing is touched unless all of it can be brought.

    A notebook that the learner and the newer course both changed is kept beside the new one.
    """
    try:
        if not Path(_git(root, "rev-parse", "--show-toplevel")).samefile(root):
            raise OSError("this folder is not a git clone of the course")
        _git(root, "fetch", "--quiet")
        old, new = _git(root, "rev-parse", "HEAD", "@{upstream}").split()
    except (OSError, subprocess.CalledProcessError) as error:
        raise BuildError(
            f"The newest course could not be fetched ({_reason(error)}); nothing has changed. Without git or a network,"
            " download the course again into a new folder and copy what you wrote there."
        ) from None
    if _git(root, "merge-base", old, new) != old:
        raise BuildError(
            "You have commits of your own here; nothing has changed. Bring the newest course with git pull, which"
            " merges."
        )
    if old == new:
        print("This is the newest course already.")
        return
    changed = set(_git(root, "diff", "--name-only", old, new).splitlines())
    here = {*_git(root, "diff", "--name-only", "HEAD").splitlines()}
    here |= {*_git(root, "ls-files", "--others", "--exclude-standard").splitlines()}
    notebooks = {path for path in changed & here if path.startswith("notebooks/")}
    if others := sorted((changed & here) - notebooks):
        raise BuildError(
            f"You and the newer course both changed {', '.join(others)}; nothing has been brought."
            " Keep your version under another name, put the old file back with git, and run make update again."
        )
    for path in sorted(notebooks):
        set_aside(root / path, built=None)
        if _git(root, "ls-files", path):
            _git(root, "checkout", "HEAD", "--", path)
    _git(root, "merge", "--ff-only", "--quiet", new)
    print(f"Brought the newest course: {len(changed)} files changed. What you wrote is where it was, or named above.")


def _git(root, *words):
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, encoding="utf-8", check=True)
    return done.stdout.strip()


def _reason(error):
    said = (getattr(error, "stderr", "") or "").strip().splitlines()
    return said[-1] if said else "git is not installed" if isinstance(error, FileNotFoundError) else str(error)


def main(arguments=None, root=ROOT):
    """The command line. Returns 0, or 1 after one line that says what is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tools.learner", description="A clean notebook, a newer course.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("fresh").add_argument("number", help="the notebook's number, such as 03")
    commands.add_parser("update")
    options = parser.parse_args(arguments)
    try:
        if options.command == "fresh":
            fresh(root, options.number)
        else:
            update(root)
    except BuildError as error:
        print(f"{options.command}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
