"""A process that runs a submission and is believed nothing: closed in by bubblewrap, or only limited without it.

In it are Python, NumPy, the half of the checks that knows no answers, and one submission. It has no network, no files
but these (read-only) and a small private folder, its own processes, and limits on memory, time and output.
"""

import atexit
import compileall
import contextlib
import functools
import os
import secrets
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from tools.build import ROOT
from tools.grade.inside import wire

SHARED = ["utils/data.py", "utils/checks/limits.py", "utils/checks/run.py", "utils/checks/unwritten.py"]
"""What of the course is known inside; none of it knows an answer."""

SECONDS = 30.0
"""How long one exercise may take. The process inside gives up on an answer before that."""

LARGEST = 16 * 2**20
"""How many bytes may come out for one exercise."""


class Gone(Exception):
    """The sandbox has ended, or was ended because it did not keep to the rules; says why."""


class Sandbox:
    """One submission's process. Use it in a `with` block.

    Parameters
    ----------
    submission : dict
        What is known inside: the cells of the student, those of the course without solutions.
    """

    def __init__(self, submission):
        self._submission = submission

    def __enter__(self):
        """Start it. RuntimeError when it does not start, which is no fault of the submission."""
        self._folder = tempfile.TemporaryDirectory(prefix="answers-", ignore_cleanup_errors=True)
        self._process = subprocess.Popen(
            _closed_in() if bubblewrap() else _limited(),
            cwd=self._folder.name,
            env=_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            bufsize=0,
        )
        for stream in (self._process.stdin, self._process.stdout):
            os.set_blocking(stream.fileno(), False)
        self._rest = bytearray()
        try:
            self._begin()
            self._send(self._submission)
            if "ready" in self._receive():  # said before anything of the submission runs
                return self
            raise Gone("it said something else")
        except Gone as reason:
            self.__exit__()
            raise RuntimeError(f"the sandbox did not start: {reason}") from None

    def __exit__(self, *error):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._process.stdin.close()
        self._process.stdout.close()
        self._folder.cleanup()

    def answer(self, task, serve):
        """Have one exercise answered.

        Parameters
        ----------
        task : dict
            With `exercise`, `probes` and `given` (see tools.grade.inside).
        serve : function
            ``serve(name, args, kwargs)`` computes what the answer asks of the course.

        Returns
        -------
        dict
            What the process said, with `none` or `record`. Gone when it ended without a word, or the sandbox ended.
        """
        said = None
        self._begin()
        self._send(task)
        while True:
            message = self._receive()
            match message:
                case {"ended": ended} if ended == task["exercise"]:
                    if said is None:
                        raise Gone("it ended the program that was running it")
                    return said
                case {"call": [str(name), int()], "args": args, "kwargs": kwargs}:
                    self._send({"reply": message["call"]} | _served(serve, name, args, kwargs))
                case {"none": str()} | {"record": _} if said is None:
                    said = message

    def _begin(self):
        self._received, self._deadline = 0, time.monotonic() + SECONDS

    def _send(self, message):
        line = memoryview(wire.dumps(message))
        while line:
            self._wait_for(self._process.stdin, selectors.EVENT_WRITE)
            try:
                line = line[os.write(self._process.stdin.fileno(), line) :]
            except BlockingIOError:
                continue
            except OSError:
                raise Gone("it ended the program that was running it") from None

    def _receive(self):
        searched = 0
        while (end := self._rest.find(b"\n", searched)) < 0:
            searched = len(self._rest)
            self._wait_for(self._process.stdout, selectors.EVENT_READ)
            try:
                more = os.read(self._process.stdout.fileno(), 2**20)
            except BlockingIOError:
                continue
            if not more:
                raise Gone("it ended the program that was running it")
            self._received += len(more)
            if self._received > LARGEST:
                raise Gone("it gave out far too much")
            self._rest += more
        line = self._rest[:end]
        del self._rest[: end + 1]
        try:
            return wire.loads(line)
        except ValueError:
            raise Gone("it interfered with the program that was running it") from None

    def _wait_for(self, stream, event):
        with selectors.DefaultSelector() as selector:
            selector.register(stream, event)
            left = self._deadline - time.monotonic()
            if left <= 0 or not selector.select(left):
                raise Gone("it did not come to an end")


def _served(serve, name, args, kwargs):
    """What an answer asked of the course, or why it can't be had."""
    try:
        return {"value": wire.pack(serve(name, wire.unpack(args), wire.unpack(kwargs)))}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"[:500]}


@functools.cache
def bubblewrap():
    """The path of a bubblewrap that works here, or None: a container may forbid what it needs."""
    path = shutil.which("bwrap") if sys.platform == "linux" else None
    if path is None:
        return None
    works = subprocess.run([path, *_walls(), "--ro-bind", "/", "/", "true"], capture_output=True)
    return path if works.returncode == 0 else None


@functools.cache
def _folder():
    """The folder that holds what is known inside, made once a process."""
    folder = Path(tempfile.mkdtemp(prefix="grade-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    folder.chmod(0o755)
    shutil.copytree(ROOT / "tools/grade/inside", folder / "inside", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "utils/checks").mkdir(parents=True)
    for package in ("utils", "utils/checks"):
        (folder / package / "__init__.py").touch()
    for file in SHARED:
        shutil.copy(ROOT / file, folder / file)
    compileall.compile_dir(folder, quiet=2)
    return folder


def _walls():
    """bubblewrap's options that close the sandbox in. Root needs no namespace of users; it becomes nobody inside."""
    user = [] if os.getuid() else ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    spaces = ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
    return [*(spaces if not os.getuid() else ["--unshare-all"]), *user, "--die-with-parent", "--new-session"]


def _closed_in():
    """The command that starts the sandbox's process under bubblewrap."""
    python = Path(sys.base_prefix).resolve()
    system = ["/usr/lib", "/usr/lib64", "/lib", "/lib64", "/etc/ld.so.cache", f"{python}/bin", f"{python}/lib"]
    folders = sorted({str(parent) for path in system for parent in Path(path).parents} | {"/numpy"})
    binds = [word for path in folders for word in ("--perms", "0755", "--dir", path)]  # else they are root's alone
    binds += [word for path in system for word in ("--ro-bind-try", path, path)]
    binds += ["--ro-bind", str(_folder()), "/course"]
    for path in _numpy():
        binds += ["--ro-bind", str(path), f"/numpy/{path.name}"]
    places = ["--proc", "/proc", "--dev", "/dev", "--perms", "1777", "--size", str(64 * 2**20), "--tmpfs", "/tmp"]
    places += ["--remount-ro", "/dev", "--remount-ro", "/"]
    user = 2**30 + secrets.randbelow(2**30) if os.getuid() == 0 else 0  # processes are counted for a user: one each
    return [bubblewrap(), *_walls(), *binds, *places, "--chdir", "/tmp", *_python("alone", user)]


def _limited():
    """The command that starts it without bubblewrap."""
    return _python("among others", 0)


def _python(*words):
    return [os.path.realpath(sys.executable), "-s", "-S", "-B", "-m", "inside", *map(str, words)]


def _numpy():
    """NumPy's folders, alone."""
    package = Path(np.__file__).parent
    return [path for path in (package, package.with_name("numpy.libs")) if path.exists()]


def _environment():
    """What the process is told of this one: where the course and NumPy are, and to use one thread."""
    here = [_folder(), Path(np.__file__).parents[1]]
    path = "/course:/numpy" if bubblewrap() else os.pathsep.join(map(str, here))
    kept = {name: value for name, value in os.environ.items() if name.startswith("OPENBLAS_")}
    threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "VECLIB_MAXIMUM_THREADS": "1"}
    return kept | threads | {"PYTHONPATH": path, "HOME": "/tmp", "LANG": "C.UTF-8", "PATH": os.defpath}
