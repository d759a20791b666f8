"""Running notebooks elsewhere: in environments that are not this one, in folders that are not the course's."""

import copy
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient

from tools import build, notebook

ROOT = Path(__file__).resolve().parents[1]
NO_NETWORK = ("Request failed", "Failed to fetch", "error sending request", "client error (Connect)")


def unrun(name, kind):
    """A notebook that was never run, made from its source as it stands now.

    Parameters
    ----------
    name : str
        For example "02_scores".
    kind : str
        "untouched", as a learner opens it, or "solved".

    Returns
    -------
    NotebookNode
    """
    source = (ROOT / f"solutions/{name}.py").read_text(encoding="utf-8")
    solved = notebook.read(source, build.setup_cell(ROOT))
    return notebook.student(solved) if kind == "untouched" else solved


def repository(folder):
    """Copy the course as it stands now, uncommitted edits included, to a repository in a new folder."""
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".git", ".venv*", "*_cache", "__pycache__"))
    for words in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "--message", "The course"]):
        identity = ["-c", "user.name=a", "-c", "user.email=a@b.example", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *identity, *words], cwd=folder, check=True)
    return folder


def interpreter(version):
    """The path of this machine's Python of a version such as "3.13"; skips the test where there is none."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = _uv("python", "find", "--no-project", "--no-python-downloads", version).stdout.strip()
    for path in [found, *sorted(pyenv.glob(f"{version}.*/bin/python"))]:
        if path:
            return str(path)
    pytest.skip(f"there is no Python {version} on this machine")


def environment(folder, python, *packages):
    """Make an environment with these packages; skips the test where they can't be had.

    Parameters
    ----------
    folder : Path
    python : str
        The path of the Python to make it with.
    packages : str
        What `uv pip install` takes: requirements and options.

    Returns
    -------
    str
        The path of the new environment's Python.
    """
    made = _uv("venv", "--quiet", "--no-project", "--python", python, str(folder))
    assert made.returncode == 0, made.stderr
    python = str(folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))
    done = _uv("pip", "install", "--quiet", "--python", python, *packages)
    if any(sign in done.stderr for sign in NO_NETWORK):
        pytest.skip("the packages can't be fetched: there is no network")
    assert done.returncode == 0, done.stderr
    # A new Matplotlib searches for fonts, and says so: here, not in a notebook.
    subprocess.run([python, "-c", "import matplotlib.font_manager"], capture_output=True)
    return python


def run(cells, folder, python=sys.executable, **variables):
    """Execute a copy of a notebook, as Run All does, with the kernel of some Python.

    Parameters
    ----------
    cells : NotebookNode
    folder : Path
        The working directory.
    python : str
        The path of the Python whose kernel runs it.
    variables : str
        Environment variables to set.

    Returns
    -------
    NotebookNode
        With its outputs. CellExecutionError where a cell fails.
    """
    executed = copy.deepcopy(cells)
    manager = AsyncKernelManager(kernel_name="python3", kernel_spec_manager=_KernelOf(python))
    client = NotebookClient(executed, km=manager, timeout=300, resources={"metadata": {"path": str(folder)}})
    ours = {name: value for name, value in os.environ.items() if name not in ("COURSE_STRICT", "NBGRADER_EXECUTION")}
    with tempfile.TemporaryDirectory() as profile:  # start-up files of whoever runs the tests stay out
        threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        client.execute(env={**ours, **threads, "IPYTHONDIR": profile, **variables}, cleanup_kc=True)  # ends the kernel
    return executed


def faults(executed):
    """One line for each code cell that was not run, failed, or wrote to stderr."""
    found = []
    for cell in executed.cells:
        outputs = cell.get("outputs", [])
        bad = [output for output in outputs if output.output_type == "error" or output.get("name") == "stderr"]
        if cell.cell_type == "code" and (bad or not cell.execution_count):
            found.append(f"{cell.source.partition(chr(10))[0]}: {bad or 'not run'}")
    return found


def verdicts(executed):
    """The sign that each check printed, in order."""
    return [printed(cell)[:1] for cell in executed.cells if cell.id.startswith("check_")]


def printed(cell):
    """What a cell printed."""
    return "".join(output.get("text", "") for output in cell.outputs)


def shown(executed):
    """The outputs that a notebook shows: a dict from media type to content for each."""
    return [output.data for cell in executed.cells for output in cell.get("outputs", []) if "data" in output]


class _KernelOf(KernelSpecManager):
    """Knows one kernel: that of the Python at a path."""

    def __init__(self, python):
        super().__init__()
        self._argv = [python, "-Xfrozen_modules=off", "-m", "ipykernel_launcher", "-f", "{connection_file}"]

    def get_kernel_spec(self, kernel_name):
        quiet = [*self._argv, "--log-level=40"]
        return KernelSpec(argv=quiet, display_name=kernel_name, language="python")


def _uv(*words):
    done = subprocess.run([sys.executable, "-m", "uv", *words], capture_output=True, encoding="utf-8")
    if "No module named uv" in done.stderr:
        pytest.skip("uv is not here, which makes the environments")
    return done
