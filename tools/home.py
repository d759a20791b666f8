"""Give the course a home: `make home REPO=https://github.com/NAME/REPOSITORY` rewrites its address everywhere.

The address stands in pyproject.toml. From there it goes into README.md's links and badges, TEACHING.md's
link, and with `make build` into every notebook's first cell.
"""

import argparse
import re
import sys

from tools import BuildError
from tools.build import ROOT, address, write

GITHUB = re.compile(r"https://github\.com/([\w.-]+/[\w.-]+?)(?:\.git)?/?")
PAGES = ("pyproject.toml", "README.md", "TEACHING.md")


def move(root, new):
    """Replace the course's address, on all pages that name it.

    Parameters
    ----------
    root : Path
        The course's folder.
    new : str
        The address of a repository on GitHub, which is where the badges lead.

    Raises BuildError, and changes nothing, when either address is not one of GitHub.
    """
    here = address(root)
    old, new = GITHUB.fullmatch(here), GITHUB.fullmatch(new)
    if not old:
        raise BuildError(f"pyproject.toml's address, {here}, is not on GitHub: change it by hand.")
    if not new:
        raise BuildError(
            "The new address must be that of a repository: make home REPO=https://github.com/NAME/REPOSITORY"
        )
    for page in PAGES:
        text = (root / page).read_text(encoding="utf-8")
        write(root / page, text.replace(old[1], new[1]))


def main(arguments=None, root=ROOT):
    """The command line. Returns 0, or 1 after one line that says what is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tools.home", description="Change the course's address everywhere.")
    parser.add_argument("address", help="https://github.com/NAME/REPOSITORY")
    try:
        move(root, parser.parse_args(arguments).address)
    except BuildError as error:
        print(f"home: {error}", file=sys.stderr)
        return 1
    print("The address is changed in", ", ".join(PAGES))
    return 0


if __name__ == "__main__":
    sys.exit(main())
