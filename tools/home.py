"""Give the course a home: `make home REPO=https://github.com/NAME/REPOSITORY` rewrites its address everywhere.

The address stands in pyproject.toml. From there it goes into README.md's links and badges, and with
`make build` into every notebook's first cell.
"""

import re
import sys
from pathlib import Path

from tools import BuildError
from tools.build import ROOT, address, write

GITHUB = re.compile(r"https://github\.com/([\w.-]+/[\w.-]+?)(?:\.git)?/?")
PAGES = ("pyproject.toml", "README.md")


def move(root, new):
    """Replace the course's address, on all pages that name it.

    Parameters
    ----------
    root : Path
        The course's folder.
    new : str
        The address of a repository on GitHub, which is where the badges lead.
    """
    old_name, new_name = (GITHUB.fullmatch(url) for url in (address(root), new))
    if not new_name:
        raise BuildError(f"{new!r} is not the address of a repository: https://github.com/NAME/REPOSITORY")
    for page in PAGES:
        text = (root / page).read_text(encoding="utf-8")
        write(root / page, text.replace(old_name[1], new_name[1]))


def main(arguments, root=ROOT):
    """The command line. Returns 0, or 1 after one line that says what is wrong."""
    try:
        move(Path(root), *arguments)
    except (BuildError, TypeError) as error:
        said = (
            error
            if isinstance(error, BuildError)
            else "needs one address: make home REPO=https://github.com/NAME/REPOSITORY"
        )
        print(f"home: {said}", file=sys.stderr)
        return 1
    print("The address is changed in", " and ".join(PAGES))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
