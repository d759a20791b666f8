"""Build the notebooks (`make build`), or see whether they are up to date (`make check`).

Every solutions/NN_name.py is the source of two notebooks:

- solutions/NN_name.ipynb, executed, with its outputs;
- notebooks/NN_name.ipynb, what the learner opens: no solutions, no outputs.

solutions/manifest.json keeps a hash of everything that went in and came out, so that `--check` sees what is stale
without executing anything.
"""

import argparse
import hashlib
import importlib
import json
import os
import sys
from pathlib import Path

from tools import BuildError

ROOT = Path(__file__).parents[1]
MANIFEST = "solutions/manifest.json"


def build(root):
    """Write both notebooks of every source, and the manifest; or raise BuildError and write nothing.

    A learner's notebook that somebody has worked in is kept under another name.

    Parameters
    ----------
    root : Path
        The course's folder.

    Returns
    -------
    list of str
        The notebooks' paths, relative to `root`.
    """
    importlib.import_module("matplotlib.font_manager")  # new machines search for fonts, and say so: not in a notebook
    (root / "notebooks").mkdir(exist_ok=True)
    inputs = hashes_of_inputs(root)
    built = {}
    for source in sources(root):
        built |= notebooks(root, source)
    manifest = inputs | {path: digest(text.encode()) for path, text in built.items()}
    old = recorded(root)
    for path in old.keys() | built.keys():
        if path.startswith("notebooks/"):
            set_aside(root / path, old.get(path))
    for path in old.keys() - manifest.keys():  # built from a source that is gone
        (root / path).unlink(missing_ok=True)
    for path, text in built.items():
        write(root / path, text)
    write(root / MANIFEST, json.dumps(manifest, indent=1, sort_keys=True) + "\n")
    return list(built)


def stale(root):
    """What is not as it was at the last build: one line a file. Nothing is written or executed.

    Parameters
    ----------
    root : Path
        The course's folder.

    Returns
    -------
    list of str
        Each line starts with the file's path and names the command that mends it.
    """
    old = recorded(root)
    new = hashes_of_inputs(root)
    outputs = [path for source in sources(root) for path in built_from(source)]
    new |= {path: digest((root / path).read_bytes()) for path in outputs if (root / path).exists()}
    lines = []
    for path in sorted(old | new):
        if old.get(path) != new.get(path):
            what = "new" if path not in old else "missing" if path not in new else "changed"
            lines.append(f"{path}: {what} since the last build; `make build` mends it")
    return lines


def sources(root):
    """The paths of all sources, relative to `root`, in the course's order."""
    return sorted(f"solutions/{file.name}" for file in (root / "solutions").glob("[0-9][0-9]_*.py"))


def built_from(source):
    """The paths of a source's two notebooks: the executed one, the learner's."""
    name = Path(source).stem
    return f"solutions/{name}.ipynb", f"notebooks/{name}.ipynb"


def notebooks(root, source):
    """Both notebooks of a source, as a dict from path to text. Nothing is written."""
    from tools import notebook  # what it imports takes seconds, and `--check` needs none of it

    solution, student = built_from(source)
    try:
        whole = notebook.read((root / source).read_text(encoding="utf-8"), setup_cell(root))
        versions = {solution: notebook.execute(whole, root / "notebooks"), student: notebook.student(whole)}
    except BuildError as error:
        raise BuildError(f"{source}: {error}") from None
    return {path: notebook.text(version) for path, version in versions.items()}


def setup_cell(root, repository=None):
    """The first code cell of every notebook, with the repository's address filled in, or another; "" for none."""
    template = (root / "tools/setup_cell.py").read_text(encoding="utf-8")
    return template.replace("REPOSITORY", address(root) if repository is None else repository).strip()


def address(root):
    """The repository's address, from the one place where it stands."""
    tomllib = importlib.import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    return project["project"]["urls"]["Repository"]


# ---- hashes


def recorded(root):
    """The manifest, or an empty one where there is none that can be read."""
    try:
        return json.loads((root / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def hashes_of_inputs(root):
    """A hash of each source, of the set-up cell with its address, and one of all that is in utils/."""
    hashes = {source: digest((root / source).read_bytes()) for source in sources(root)}
    files = sorted(file.relative_to(root).as_posix() for file in (root / "utils").rglob("*") if file.is_file())
    used = [file for file in files if "/__pycache__/" not in file and "/." not in file]
    lines = "".join(f"{file} {digest((root / file).read_bytes())}\n" for file in used)
    return hashes | {"tools/setup_cell.py": digest(setup_cell(root).encode()), "utils/": digest(lines.encode())}


def digest(data):
    """SHA-256 of bytes, the same whichever line ends git checked out."""
    return hashlib.sha256(data.replace(b"\r\n", b"\n")).hexdigest()


def write(path, text):
    """Write a file all or nothing, with the same bytes on every platform."""
    # as utils.files does; but `make update` gets here, and must run where there is no NumPy
    part = path.with_name(path.name + ".part")
    try:
        part.write_bytes(text.encode())
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def set_aside(path, built):
    """Keep a notebook that somebody has worked in beside the new one, under another name.

    Parameters
    ----------
    path : Path
        Need not exist.
    built : str or None
        The hash of the notebook as it was built last.
    """
    if path.exists() and digest(path.read_bytes()) != built:
        number = 1
        while (kept := path.with_name(f"{path.stem}-yours-{number}.ipynb")).exists():
            number += 1
        os.replace(path, kept)
        print(f"{path.name} had been worked in: it is kept as {kept.name}")


def main(arguments=None, root=ROOT):
    """The command line. Returns 0, or 1 after a line for each thing that is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tools.build", description="Build every notebook from its source.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if anything is stale")
    try:
        if not parser.parse_args(arguments).check:
            print("\n".join(f"built {path}" for path in build(root)))
        elif lines := stale(root):
            print("\n".join(lines), file=sys.stderr)
            return 1
    except BuildError as error:
        print(f"build: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
