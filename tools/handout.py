"""A hand-out for a class (`make handout`): the course without its solutions, in the folder handout/.

The notebooks lose their links to the solutions, and their first cell no longer fetches the course from its home. In
utils/, what holds answers (the stages, the model, the checks' oracles and known mistakes) is packed: it works as
before, and can't be read by opening or printing it. It is withheld, not secret: whoever unpacks it, or finds the
course's public home, can read it.
"""

import base64
import re
import shutil
import sys
import zlib
from pathlib import Path

from tools import BuildError, notebook
from tools.build import ROOT, setup_cell, sources, write

KEPT = ("requirements.txt", "environment.yml", "LICENSE")
LINKS = re.compile(
    r"\[The solution\]\(\.\./solutions/\w+\.ipynb\), for when you have tried\."
    r"|, and then compare them with \[the solved notebook\]\(\.\./solutions/\w+\.ipynb\)"
)
PACKED = '''"""Withheld in this hand-out, because it holds answers. The course needs it: please leave it as it is."""

import base64
import zlib

exec(compile(zlib.decompress(base64.b85decode("{}")), __file__, "exec"))
'''
README = """# Attention, Stage by Stage

You write encoder-decoder attention in plain NumPy, one notebook a stage, and every function is checked the moment you
write it. Start with `notebooks/00_start_here.ipynb`. You need Python 3.10 or newer:

```
python -m venv .venv
.venv/bin/python -m pip install -r requirements.txt        (Windows: .venv\\Scripts\\python)
.venv/bin/python -m jupyterlab notebooks/00_start_here.ipynb
```

What you hand in are your notebooks, under the names that they have. This is a hand-out: solutions are left out, and
what holds answers is packed.

Code is under the MIT licence, text under CC BY 4.0: see LICENSE.
"""


def handout(root, folder):
    """Write the hand-out, or write it anew; what else is in its folder, such as .git, stays.

    Parameters
    ----------
    root, folder : Path
        The course's folder, and where to write.

    Raises BuildError, and writes nothing, when there is something in the folder that is no hand-out.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())) and not _is_handout(folder):
        raise BuildError(f"There is something in {folder} already: rename or delete it, and run this again.")
    for name in ("utils", "notebooks"):
        shutil.rmtree(folder / name, ignore_errors=True)
    shutil.copytree(root / "utils", folder / "utils", ignore=shutil.ignore_patterns("__pycache__", ".*"))
    for name in KEPT:
        shutil.copy(root / name, folder / name)
    (folder / "notebooks").mkdir()
    for source in map(Path, sources(root)):  # from their sources: those in notebooks/ may hold a teacher's own work
        clean = notebook.student(notebook.read((root / source).read_text(encoding="utf-8"), setup_cell(root, "")))
        write(folder / "notebooks" / f"{source.stem}.ipynb", LINKS.sub("", notebook.text(clean)))
    for path in _with_answers(folder / "utils"):
        packed = base64.b85encode(zlib.compress(path.read_bytes(), 9)).decode("ascii")
        write(path, PACKED.format(packed))
    write(folder / "README.md", README)


def _is_handout(folder):
    readme = folder / "README.md"
    return readme.is_file() and readme.read_text(encoding="utf-8") == README


def _with_answers(utils):
    """The modules that hold answers: every stage's, its oracles, its known mistakes, and the whole model."""
    stages = [path.name for path in (utils / "stages").glob("[a-z]*.py")]
    places = (utils / "stages", utils / "checks", utils / "checks/mistakes")
    return [utils / "model.py", *(place / name for place in places for name in stages)]


def main(folder=ROOT / "handout", root=ROOT):
    """The command line. Returns 0, or 1 after one line that says what is wrong."""
    try:
        handout(root, folder)
    except BuildError as error:
        print(f"handout: {error}", file=sys.stderr)
        return 1
    print(f"The hand-out is in {folder.name}/.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
