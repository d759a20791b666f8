"""Hostile and unlucky submissions get the mark that is theirs, and change nobody else's.

The attacks know this repository, as students can.
"""

import ast
import compileall
import csv
import json
import multiprocessing
import os
import socket
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from tools.grade import __main__ as command
from tools.grade import course, grading, sandbox
from utils.checks.check import EXERCISES as EXERCISES_OF_THE_COURSE

ROOT = Path(__file__).parents[1]
NAME = "03_softmax"
EXERCISES = ["softmax_one", "softmax", "masked_softmax", "softmax_backward"]
SOLUTION = json.loads((ROOT / f"solutions/{NAME}.ipynb").read_text(encoding="utf-8"))

closed_in = pytest.mark.skipif(
    sandbox.bubblewrap() is None and "COURSE_BUBBLEWRAP" not in os.environ, reason="no bubblewrap that works here"
)

CHANNEL = """
import sys
def the_channel():
    frame = sys._getframe()
    while "channel" not in frame.f_locals:
        frame = frame.f_back
    return frame.f_locals["channel"]
"""
"""How an answer finds the way to the grader."""

RIGHT = """
def right(e, keep):
    kept = np.where(keep, e * 1.0, -np.inf)
    top = np.where(keep.any(1), kept.max(1, initial=-np.inf), 0.0)
    z = np.exp(kept - top[:, None])
    return z / np.where(z.sum(1) > 0, z.sum(1), 1.0)[:, None]
"""
"""A right answer under another name, for attacks that want it only when they have succeeded."""


@pytest.fixture(scope="module", autouse=True)
def impatient():
    """The sandbox's limits of time, shortened."""
    folder = sandbox._folder()
    for file, text, shorter in [
        ("utils/checks/run.py", "\nSECONDS = 5.0\n", "\nSECONDS = 2.0\n"),
        ("inside/__main__.py", "\nPATIENCE = 4\n", "\nPATIENCE = 2\n"),
    ]:
        source = (folder / file).read_text(encoding="utf-8")
        assert text in source
        (folder / file).write_text(source.replace(text, shorter), encoding="utf-8")
    compileall.compile_dir(folder, quiet=2, force=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sandbox, "SECONDS", 10.0)
        yield
    sandbox._folder.cache_clear()


@pytest.fixture
def plain(monkeypatch):
    """No bubblewrap."""
    monkeypatch.setattr(sandbox, "bubblewrap", lambda: None)


def notebook(answer=None, exercise="masked_softmax", before=""):
    """The solved notebook, with another answer to one exercise, and a cell before all others."""
    copy = json.loads(json.dumps(SOLUTION))
    if answer is not None:
        _cell(copy, exercise)["source"] = answer
    if before:
        cell = {"cell_type": "code", "id": "before", "metadata": {}, "outputs": [], "source": before}
        copy["cells"].insert(0, cell | {"execution_count": None})
    return copy


def _cell(copy, exercise):
    return next(c for c in copy["cells"] if c["metadata"].get("nbgrader", {}).get("grade_id") == exercise)


def encoded(copy):
    return json.dumps(copy).encode("utf-8")


def points(content):
    """The points for each exercise."""
    content = content if isinstance(content, bytes) else encoded(content)
    return {mark["exercise"]: mark["points"] for mark in grading.grade(content, NAME) if mark["track"] != "written"}


def mark_of(exercise, content):
    return next(mark for mark in grading.grade(encoded(content), NAME) if mark["exercise"] == exercise)


ALL = {item.name: item.points for item in course.notebooks()[NAME].items if item.name in EXERCISES}
ALL_BUT_THAT = ALL | {"masked_softmax": 0}
INNOCENT = encoded(SOLUTION)

UNSTOPPABLE = """
def masked_softmax(e, keep):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
"""

EARNS_NOTHING = {
    "an endless loop": "def masked_softmax(e, keep):\n    while True:\n        pass",
    "an endless loop that catches everything": UNSTOPPABLE,
    "an endless loop at the top level of a cell": (
        "def masked_softmax(e, keep):\n    return e\nwhile masked_softmax:\n    pass"
    ),
    "a long sleep": "def masked_softmax(e, keep):\n    import time\n    time.sleep(1000)",
    "a memory hog": (
        "def masked_softmax(e, keep):\n    hoard = []\n    while True:\n        hoard.append(bytearray(2**26))"
    ),
    "an enormous array": "def masked_softmax(e, keep):\n    return np.ones((10**5, 10**5))",
    "a result too large to keep": "def masked_softmax(e, keep):\n    return np.zeros((10**4, 10**4))",
    "a result too large to send": "def masked_softmax(e, keep):\n    return np.zeros((3000, 3000))",
    "endless printing": "def masked_softmax(e, keep):\n    while True:\n        print('x' * 10**6)",
    "endless writing to standard output": (
        "import os\ndef masked_softmax(e, keep):\n    while True:\n        os.write(1, b'x' * 10**6)"
    ),
    "endless writing to the grader": (
        CHANNEL + "import os\ndef masked_softmax(e, keep):\n"
        "    while True:\n        os.write(the_channel()._out, b'x' * 10**6)"
    ),
    "endless short lines to the grader": (
        CHANNEL + "def masked_softmax(e, keep):\n    while True:\n        the_channel().send({})"
    ),
    "endless questions to the grader": (
        CHANNEL + "def masked_softmax(e, keep):\n    while True:\n"
        "        the_channel().send({'call': ['softmax', 1], 'args': {'tuple': []}, 'kwargs': {'dict': {}}})"
    ),
    "no word to the grader": (
        "import os\ndef masked_softmax(e, keep):\n    os.closerange(0, 100)\n    return e"
    ),
    "leaving": "import os\ndef masked_softmax(e, keep):\n    os._exit(0)",
    "leaving politely": "import sys\ndef masked_softmax(e, keep):\n    sys.exit(0)",
    "leaving when loaded": "import os\ndef masked_softmax(e, keep):\n    return e\nmasked_softmax = os._exit(0)",
    "aborting": "import os\ndef masked_softmax(e, keep):\n    os.abort()",
    "a segmentation fault": "import ctypes\ndef masked_softmax(e, keep):\n    return ctypes.string_at(0)",
    "deep recursion": "def masked_softmax(e, keep):\n    return masked_softmax(e, keep)",
    "bottomless recursion": (
        "import sys\ndef masked_softmax(e, keep):\n    sys.setrecursionlimit(10**9)\n"
        "    return max([e], key=lambda _: masked_softmax(e, keep))"
    ),
    "killing its parent": "import os\ndef masked_softmax(e, keep):\n    os.kill(os.getppid(), 9)\n    return e",
    "an alarm": "import signal\ndef masked_softmax(e, keep):\n    signal.alarm(1)\n    while True:\n        pass",
    "threads left running": (
        "import threading\ndef forever():\n    while True:\n        pass\n"
        "def masked_softmax(e, keep):\n    threading.Thread(target=forever).start()\n    return e"
    ),
    "a function to be run at the end": (
        "import atexit, time\ndef masked_softmax(e, keep):\n    atexit.register(time.sleep, 1000)\n    return e"
    ),
    "a tracer": "import sys\ndef masked_softmax(e, keep):\n    sys.settrace(lambda *args: None)\n    return e",
    "an object that is equal to all": (
        "class Equal:\n    __eq__ = __lt__ = __le__ = lambda self, other: True\n    __hash__ = object.__hash__\n"
        "    shape, ndim, dtype = (3, 5), 2, np.dtype(float)\ndef masked_softmax(e, keep):\n    return Equal()"
    ),
    "arrays that claim to be equal": (
        "class Equal(np.ndarray):\n    __eq__ = __le__ = lambda self, other: np.ones(self.shape, bool)\n"
        "    def __array_ufunc__(self, *args, **kwargs):\n        return np.ones(self.shape, bool)\n"
        "    def __array_function__(self, *args, **kwargs):\n        return True\n"
        "def masked_softmax(e, keep):\n    return np.zeros(e.shape).view(Equal)"
    ),
    "an object that passes for an array": (
        f"{RIGHT}\nclass Array:\n    def __init__(self, a): self.a = a\n"
        "    def __array__(self, *args, **kwargs): return self.a\n"
        "def masked_softmax(e, keep):\n    return Array(right(e, keep))"
    ),
    "numbers that claim to be equal": (
        "class Equal(float):\n    __eq__ = lambda self, other: True\n    __hash__ = float.__hash__\n"
        "def masked_softmax(e, keep):\n    return [[Equal(7)] * e.shape[1]] * e.shape[0]"
    ),
    "lists of something else": "def masked_softmax(e, keep):\n    return [{'a': 1}, {2}, 10**400]",
    "an error with half a character": "def masked_softmax(e, keep):\n    raise ValueError('\\ud800')",
    "an error that is one itself": (
        "class Bad(BaseException):\n    def __str__(self):\n        raise self\n"
        "def masked_softmax(e, keep):\n    raise Bad"
    ),
    "checks redefined": (
        "def check(name):\n    print('passed')\n    return lambda e, keep: e\n"
        "report = check\ndef masked_softmax(e, keep):\n    return e"
    ),
    "errors swallowed": (
        "import builtins\nbuiltins.AssertionError = AssertionError = type('Never', (Exception,), {})\n"
        "def masked_softmax(e, keep):\n    return e"
    ),
    "NumPy patched": (
        "def masked_softmax(e, keep):\n"
        "    np.allclose = np.array_equal = np.isclose = lambda *args, **kwargs: True\n"
        "    np.array = np.asarray = lambda x, *args, **kwargs: e\n    return e"
    ),
    "the checks patched": (
        "def masked_softmax(e, keep):\n    import sys\n"
        "    for name in [name for name in sys.modules if name.startswith('utils')]:\n"
        "        module = sys.modules[name]\n"
        "        for attribute in dir(module):\n"
        "            if callable(getattr(module, attribute)):\n"
        "                setattr(module, attribute, lambda *args, **kwargs: True)\n    return e"
    ),
    "modules replaced": (
        "import sys\ndef masked_softmax(e, keep):\n"
        "    sys.modules.update(dict.fromkeys(sys.modules, sys))\n    return e"
    ),
    "built-in functions replaced": (
        "import builtins\ndef masked_softmax(e, keep):\n"
        "    builtins.isinstance = builtins.all = builtins.any = lambda *args: True\n    return e"
    ),
    "the course's own": (
        "def masked_softmax(e, keep):\n    from utils.stages import masked_softmax\n"
        "    return masked_softmax(e, keep)"
    ),
    "the course's own, from its module": "from utils.stages.softmax import masked_softmax",
    "the course's own, through own_stages": (
        "from utils.own import own_stages\ndef masked_softmax(e, keep):\n"
        "    return own_stages(['masked_softmax']).masked_softmax(e, keep)"
    ),
    "the course's own, through its check": "masked_softmax = check('masked_softmax')",
    "the course's own, asked of the grader": (
        CHANNEL + "from inside import wire\ndef masked_softmax(e, keep):\n"
        "    args, kwargs = wire.pack((e, keep)), wire.pack({})\n"
        "    the_channel().send({'call': ['masked_softmax', 7], 'args': args, 'kwargs': kwargs})\n"
        "    return wire.unpack(the_channel().receive()['value'])"
    ),
    "the course's own, among all objects": (
        "import gc\ndef masked_softmax(e, keep):\n"
        "    found = [one for one in gc.get_objects() if getattr(one, '__name__', '') == 'masked_softmax']\n"
        "    return next(one for one in found if one.__code__.co_filename.endswith('softmax.py'))(e, keep)"
    ),
}  # fmt: skip
"""Answers to masked_softmax that earn nothing for it, and leave all other marks as they are."""

EARNS_IT = {
    "a right answer under another name": RIGHT.replace("def right", "def masked_softmax"),
    "filling the disk": RIGHT + """
import pathlib
FULL = []
def masked_softmax(e, keep):
    for folder in [] if FULL else ["/tmp", "/dev/shm", "/dev", "/", "."]:
        for number in range(5):
            try:
                pathlib.Path(folder, f"{number}.filling").write_bytes(bytes(2**24))
            except OSError as error:
                FULL.append(error)
    return right(e, keep) if len(FULL) > 3 * 5 else e
""",
    "deleting all it can": RIGHT + """
import shutil
DELETED = []
def masked_softmax(e, keep):
    for folder in [] if DELETED else ["/course", "/numpy", "/tmp", "/dev", "/etc", "."]:
        shutil.rmtree(folder, onerror=lambda *error: DELETED.append(error))
        shutil.rmtree(folder, ignore_errors=True)
        DELETED.append(folder)
    return right(e, keep)
""",
    "the least of every resource": RIGHT + """
import resource
def masked_softmax(e, keep):
    for limit in (resource.RLIMIT_CPU, resource.RLIMIT_NPROC, resource.RLIMIT_FSIZE):
        resource.setrlimit(limit, (1, 1))
    return right(e, keep)
""",
    "handlers of signals": RIGHT + """
import signal
def masked_softmax(e, keep):
    for number in signal.SIGINT, signal.SIGTERM, signal.SIGALRM, signal.SIGCHLD, signal.SIGHUP:
        signal.signal(number, signal.SIG_IGN)
    return right(e, keep)
""",
    "a process left behind": RIGHT + CHANNEL + """
import os
CHILDREN = []
def masked_softmax(e, keep):
    if not CHILDREN:
        CHILDREN.append(os.fork())
        if CHILDREN == [0]:
            os.setsid()
            while True:
                the_channel().receive()
    return right(e, keep)
""",
    "many processes left behind": RIGHT + """
import os, time
def masked_softmax(e, keep):
    try:
        if os.fork() == 0:
            os.setsid()
            while True:
                os.getpid()
    except OSError:
        pass
    return right(e, keep)
""",
}  # fmt: skip
"""Answers to masked_softmax that are right, whatever they do besides."""

GREEDY = {
    "a fork bomb": """
import os
def masked_softmax(e, keep):
    while True:
        try:
            os.fork()
        except OSError:
            pass
""",
    "a hog in many processes": """
import os
def masked_softmax(e, keep):
    hoard = []
    while True:
        try:
            os.fork()
        except OSError:
            pass
        try:
            hoard.append(bytearray(2**24))
        except MemoryError:
            return e
""",
    "killing all it can": """
import os
def masked_softmax(e, keep):
    os.kill(1, 9)
    os.kill(-1, 9)
    return e
""",
    "stopping its parent": """
import os, signal
def masked_softmax(e, keep):
    os.kill(os.getppid(), signal.SIGSTOP)
    return e
""",
    "starving its parent": """
import os, resource
def masked_softmax(e, keep):
    resource.prlimit(os.getppid(), resource.RLIMIT_NPROC, (0, 0))
    resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE, (0, 0))
    return e
""",
    "ending too early and taking the next task": CHANNEL + """
def masked_softmax(e, keep):
    the_channel().send({"ended": "masked_softmax"})
    while True:
        the_channel().receive()
""",
    "tasks of its own": CHANNEL + """
import os
def masked_softmax(e, keep):
    back = os.open(f"/proc/self/fd/{the_channel()._in}", os.O_WRONLY)
    os.write(back, b'{"exercise": "masked_softmax"}\\nnonsense\\n')
    return e
""",
    "changing the memory of its parent": """
import os
def masked_softmax(e, keep):
    with open(f"/proc/{os.getppid()}/maps") as maps, open(f"/proc/{os.getppid()}/mem", "r+b", buffering=0) as memory:
        for line in maps:
            start, end = (int(part, 16) for part in line.split()[0].split("-"))
            if "rw" in line:
                memory.seek(start)
                memory.write(bytes(end - start))
    return e
""",
}  # fmt: skip
"""Attacks on the machinery inside, which earn nothing: only where they are closed in."""


for source in (EARNS_NOTHING | EARNS_IT | GREEDY).values():
    ast.parse(source)  # an attack that is no Python would earn nothing, and prove nothing


def _both(attack):
    """The points of an attack, and of an innocent submission after it where the attack is on the machinery."""
    source = (EARNS_NOTHING | EARNS_IT | GREEDY)[attack]
    return points(notebook(source)), points(INNOCENT) if attack in GREEDY else None


@pytest.fixture(scope="module")
def graded(impatient):
    """All those attacks, graded, several at once."""
    attacks = [*EARNS_NOTHING, *EARNS_IT, *GREEDY]
    with ProcessPoolExecutor(6, multiprocessing.get_context("fork")) as pool:
        return dict(zip(attacks, pool.map(_both, attacks)))


@closed_in
@pytest.mark.parametrize("attack", [*EARNS_NOTHING, *GREEDY])
def test_an_attack_earns_nothing_and_leaves_the_other_marks(graded, attack):
    assert graded[attack][0] == ALL_BUT_THAT


@closed_in
@pytest.mark.parametrize("attack", EARNS_IT)
def test_a_right_answer_that_does_more_than_it_should_keeps_its_mark(graded, attack):
    assert graded[attack][0] == ALL


@closed_in
@pytest.mark.parametrize("attack", GREEDY)
def test_an_innocent_submission_after_an_attack_gets_all_its_marks(graded, attack):
    assert graded[attack][1] == ALL


# What answers may ask the grader for, and read, write and reach


ASK = (
    CHANNEL
    + """
from inside import wire
def asked(name, *args):
    the_channel().send({"call": [name, 7], "args": wire.pack(args), "kwargs": wire.pack({})})
    return the_channel().receive()
"""
)


def _refused(questions):
    """An answer that is right when the grader computes nothing for any of these questions."""
    asking = "REFUSED = [" + "".join(f"'error' in asked({question}), " for question in questions) + "]\n"
    return ASK + asking + RIGHT + "def masked_softmax(e, keep):\n    return right(e, keep) if all(REFUSED) else e\n"


@closed_in
def test_the_grader_computes_nothing_but_earlier_exercises():
    names = ["masked_softmax", "softmax_backward", "attention", "__doc__", "train"]
    assert points(notebook(_refused(f"'{name}', np.ones((2, 3)), np.ones((2, 3))" for name in names))) == ALL


@closed_in
def test_enormous_arguments_are_refused():
    questions = [
        "'embedding_backward', np.zeros((1, 1, 1)), np.zeros((1, 1), int), 10**12",
        "'embedding_backward', np.zeros((1, 1, 1)), np.zeros((1, 1), int), np.array(10**12)",
        "'dot_score', np.zeros((0, 10**9)), np.zeros((0, 10**9, 3))",
        "'additive_score', np.zeros((500, 1)), np.zeros((1, 500, 1)), np.zeros((1, 500)), np.zeros((1, 500)), 0",
        "'decoder_init', [0.0] * 10**4",
        "'decoder_init', [[[0.0] * 30] * 30] * 30",
        "'decoder_init', {str(k): np.zeros(1) for k in range(10**4)}",
    ]
    assert points(notebook(_refused(questions))) == ALL


@closed_in
def test_odd_arguments_end_nothing():
    questions = [
        "'dot_score_one', np.ones(2) * 1j, np.ones(2) * 1j",
        "'dot_score_one', np.ones(2, np.longdouble), np.ones(2)",
        "'linear_backward', 'text', None, True",
        "'linear_backward', {'\\ud800': 1.0}, [], []",
    ]
    answer = ASK + "def masked_softmax(e, keep):\n" + "".join(f"    asked({question})\n" for question in questions)
    assert points(notebook(answer + "    return right(e, keep)\n" + RIGHT)) == ALL


READING = """
import os
PLACES = ["", "/proc/1/root", f"/proc/{os.getppid()}/root", f"/proc/{os.getppid()}/cwd", "/newroot", "/oldroot"]
def masked_softmax(e, keep):
    for place in PLACES:
        for path in PATHS:
            try:
                with open(place + path):
                    return right(e, keep)
            except OSError:
                pass
    return e
"""


@pytest.fixture
def reading(tmp_path):
    """An answer that is right where it can read solutions, marks, or another student's work."""
    paths = [tmp_path / "marks.csv", tmp_path / "other.ipynb"]
    for path in paths:
        path.write_text("a secret", encoding="utf-8")
    paths += [ROOT / f"solutions/{NAME}.py", ROOT / "utils/stages/softmax.py", ROOT / "utils/checks/softmax.py"]
    return f"PATHS = {[str(path) for path in paths]}\n" + READING + RIGHT


@closed_in
def test_solutions_marks_and_the_work_of_others_can_not_be_read(reading):
    assert points(notebook(reading)) == ALL_BUT_THAT


def test_without_bubblewrap_they_can_as_the_grader_says_before_it_starts(reading, plain):
    assert points(notebook(reading)) == ALL
    assert "can read and change whatever you can" in command._told_of_the_sandbox(None)


def test_what_is_known_inside_solves_no_exercise():
    inside = "".join(path.read_text(encoding="utf-8") for path in sandbox._folder().rglob("*.py"))
    assert not [name for one in course.notebooks().values() for name in one.exercises if f"def {name}(" in inside]


@closed_in
def test_no_file_of_the_grader_is_open_inside():
    answer = """
import os
def masked_softmax(e, keep):
    numbers = [int(number) for number in os.listdir("/proc/self/fd")]
    links = {os.readlink(f"/proc/self/fd/{number}") for number in numbers if os.path.exists(f"/proc/self/fd/{number}")}
    return right(e, keep) if all(link.startswith(("pipe:", "/dev/null")) for link in links) else e
"""
    assert points(notebook(answer + RIGHT)) == ALL


@closed_in
def test_marks_can_not_be_written(tmp_path):
    marks = tmp_path / "marks.csv"
    marks.write_text("untouched", encoding="utf-8")
    answer = f"""
import os, pathlib
def masked_softmax(e, keep):
    for place in "", "/proc/1/root", f"/proc/{{os.getppid()}}/root":
        try:
            pathlib.Path(place + {str(marks)!r}).write_text("full marks")
        except OSError:
            pass
    return e
"""
    assert points(notebook(answer)) == ALL_BUT_THAT
    assert marks.read_text(encoding="utf-8") == "untouched"


@closed_in
def test_what_is_known_inside_can_not_be_changed_for_those_who_come_after():
    def content():
        return {path: path.read_bytes() for path in sandbox._folder().rglob("*") if path.is_file()}

    before = content()
    points(notebook(EARNS_IT["deleting all it can"]))
    assert content() == before


@closed_in
def test_there_is_no_network():
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as local:
        local.bind(f"\0attack-{os.getpid()}")
        local.listen()
        answer = f"""
import socket
def masked_softmax(e, keep):
    addresses = [(socket.AF_INET, {server.getsockname()!r}), (socket.AF_UNIX, {local.getsockname()!r})]
    for family, address in addresses:
        try:
            with socket.socket(family) as line:
                line.connect(address)
                return right(e, keep)
        except OSError:
            pass
    return e
"""
        assert points(notebook(answer + RIGHT)) == ALL_BUT_THAT


# Forged records


def _forged(**changes):
    """A record with right-looking flags and wrong numbers."""
    call = {"outcome": "returned", "result": ZERO, "again": ZERO, "changed": [], "handed_back": False}
    call |= {"reused": False, "error": "", "line": ""}
    return {"calls": [call | changes] * len(EXERCISES_OF_THE_COURSE["masked_softmax"].probes), "unwritten": None}


def _nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


ZERO = {"array": "AAAAAAAAAAA=", "dtype": "<f8", "shape": [1, 1]}
FORGED = {
    "wrong numbers": _forged(),
    "too few calls": {"calls": _forged()["calls"][:3], "unwritten": None},
    "no calls": {"calls": [], "unwritten": None},
    "too many calls": {"calls": _forged()["calls"] * 2, "unwritten": None},
    "no record": "passed",
    "a verdict": {"passed": True, "points": 3},
    "objects": _forged(result=ZERO | {"dtype": "O"}),
    "a type that is none": _forged(result=ZERO | {"dtype": "(" * 9999}),
    "a type of several parts": _forged(result=ZERO | {"dtype": "f8,f8"}),
    "a shape without numbers": _forged(result=ZERO | {"shape": [10**9, 10**9]}),
    "a shape beyond all sizes": _forged(result=ZERO | {"array": "", "shape": [0, 10**30]}),
    "a large empty shape": _forged(result=ZERO | {"array": "", "shape": [0, *[2**31 - 1] * 3]}),
    "a negative shape": _forged(result=ZERO | {"shape": [-1, -1]}),
    "very many axes": _forged(result=ZERO | {"shape": [1] * 10**5}),
    "no base64": _forged(result=ZERO | {"array": "\ud800"}),
    "no number": _forged(result=ZERO | {"array": "AAAAAAAA+H8="}),
    "a plain nan": _forged(result=float("nan"), again=float("nan")),
    "an enormous number": _forged(result=[10**400] * 5),
    "deep lists": _forged(result=_nested(500)),
    "lists of anything": _forged(result=[{"dict": {"a": ZERO}}, {"unusable": "x"}, {"steps": [1, "b"]}, None]),
    "a table of steps": _forged(result={"steps": [{"tuple": []}, {"dict": {}}]}),
    "strange dicts": _forged(result={"dict": {"\ud800" * 10**4: 1}}),
    "errors that are excused": _forged(outcome="raised", error="UFuncTypeError: Cannot cast ufunc"),
    "an unknown outcome": _forged(outcome="passed"),
    "changes without end": _forged(changed=[0] * 10**5),
    "changes of no argument": _forged(changed=[-1]),
    "flags that are none": _forged(handed_back=[]),
    "half a character": _forged(outcome="raised", error="ValueError: \ud800" * 10**5, line="\ud800"),
    "a long remark": _forged() | {"unwritten": "\ud800" * 10**6},
}


class Liar:
    """A sandbox that says of masked_softmax what it was told to."""

    says = None

    def __init__(self, submission):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def answer(self, task, serve):
        return {"record": self.says} if task["exercise"] == "masked_softmax" else {"none": ""}


@pytest.mark.parametrize("record", FORGED.values(), ids=FORGED.keys())
def test_a_forged_record_earns_nothing_and_its_message_can_be_kept(record, monkeypatch):
    monkeypatch.setattr(Liar, "says", record)
    monkeypatch.setattr(grading, "Sandbox", Liar)
    mark = mark_of("masked_softmax", SOLUTION)
    assert mark["points"] == 0
    assert len(json.dumps(mark, ensure_ascii=False).encode("utf-8")) < 20_000


@closed_in
def test_a_record_that_comes_before_the_true_one_is_judged_in_its_place():
    first = f"the_channel().send({{'record': {_forged()!r}}})"
    answer = f"def masked_softmax(e, keep):\n    {first}\n    return right(e, keep)\n"
    assert points(notebook(CHANNEL + RIGHT + answer)) == ALL_BUT_THAT


# Without bubblewrap


@pytest.mark.parametrize(
    "attack",
    [
        "an endless loop that catches everything",
        "a memory hog",
        "a result too large to send",
        "endless writing to the grader",
        "no word to the grader",
        "leaving",
        "a segmentation fault",
        "killing its parent",
    ],
)
def test_plain_limits_hold(attack, plain):
    assert points(notebook(EARNS_NOTHING[attack])) == ALL_BUT_THAT
    assert points(INNOCENT) == ALL


# Cells and files


CELLS = {
    "no Python": "def (:",
    "leaving": "import os\nos._exit(0)",
    "an endless loop": "while True:\n    pass",
    "very deep brackets": "(" * 10_000,
    "very deep signs": "x = " + "-" * 100_000 + "1",
    "very long chains": "x" + ".a" * 100_000,
    "very many terms": "x = " + "+".join(["1"] * 50_000),
    "very many branches": "if x: pass\n" + "elif x: pass\n" * 3_000 + "else: pass",
    "very deep functions": "\n".join(" " * k + f"def f{k}():" for k in range(99)) + "\n" + " " * 99 + "pass",
    "a zero character": "x = 1\0",
    "half a character": "x = '\ud800'",
    "an unknown encoding": "# -*- coding: nonsense -*-\nx = 1",
    "very many statements": "x = 1\n" * 5_000,
}


@closed_in
@pytest.mark.parametrize("cell", CELLS.values(), ids=CELLS.keys())
def test_a_cell_that_no_answer_needs_costs_no_mark(cell):
    assert points(notebook(before=cell)) == ALL


UNREADABLE = {
    "empty": b"",
    "blank": b" \r\n",
    "no JSON": b"I did it on paper.",
    "half of it": INNOCENT[: len(INNOCENT) // 2],
    "no text": bytes(range(256)),
    "UTF-16": INNOCENT.decode("utf-8").encode("utf-16"),
    "a number": b"7",
    "a very long number": b"7" * 10**5,
    "cells that are none": b'{"cells": {"a": 1}}',
    "lists nested too deeply": b"[" * 100_000 + b"]" * 100_000,
    "cells nested too deeply": b'{"cells": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "a cell that is a number": b'{"cells": [7]}',
    "a cell of no type": b'{"cells": [{"cell_type": ["code"], "source": ""}]}',
    "a cell with numbers for text": b'{"cells": [{"cell_type": "code", "source": [1, 2]}]}',
    "far too much code": b'{"cells": [{"cell_type": "code", "source": "' + b"x=1;" * 10**6 + b'"}]}',
    "a merge conflict": b"<<<<<<< HEAD\n" + INNOCENT + b"\n=======\n" + INNOCENT + b"\n>>>>>>> mine\n",
}


@pytest.mark.parametrize("content", UNREADABLE.values(), ids=UNREADABLE.keys())
def test_a_file_that_holds_no_notebook_earns_nothing_and_says_why(content):
    marks = [mark for mark in grading.grade(content, NAME) if mark["track"] != "written"]
    assert {(mark["points"], mark["verdict"]) for mark in marks} == {(0, "unreadable")}
    assert all(mark["message"].startswith("✗ The file can't be read: ") for mark in marks)


def _with_outputs():
    copy = notebook()
    _cell(copy, "softmax")["outputs"] = [{"output_type": "stream", "name": "stdout", "text": ["x" * 999] * 50_000}]
    return encoded(copy)


def _with_windows_line_ends():
    return json.dumps(SOLUTION, indent=1).replace("\\n", "\\r\\n").replace("\n", "\r\n").encode("utf-8")


UNLUCKY = {
    "fifty megabytes of outputs": _with_outputs,
    "Windows line ends": _with_windows_line_ends,
    "a byte order mark": lambda: b"\xef\xbb\xbf" + INNOCENT,
    "no metadata": lambda: encoded({"cells": [cell | {"metadata": None} for cell in SOLUTION["cells"]]}),
    "a merge conflict that is only quoted": lambda: encoded(notebook(before="'''\n<<<<<<< HEAD\n'''")),
}


@closed_in
@pytest.mark.parametrize("make", UNLUCKY.values(), ids=UNLUCKY.keys())
def test_an_unlucky_file_keeps_all_its_marks(make):
    assert points(make()) == ALL


@pytest.fixture(scope="module")
def rows(tmp_path_factory, impatient):
    """The rows of marks.csv for a folder of innocent, unlucky and hostile submissions."""
    room = tmp_path_factory.mktemp("room")
    submitted = room / "submitted"
    for student, content in {
        "an innocent": INNOCENT,
        "bomb": encoded(notebook(GREEDY["a fork bomb"])),
        "conflict": UNREADABLE["a merge conflict"],
        "deep": UNREADABLE["cells nested too deeply"],
        "empty": b"",
        "half a character": encoded(notebook(EARNS_NOTHING["an error with half a character"])),
        "홍 길동": INNOCENT,
        "z innocent": INNOCENT,
    }.items():
        (submitted / student / "softmax").mkdir(parents=True)
        (submitted / student / "softmax" / f"{NAME}.ipynb").write_bytes(content)
    innocent = submitted / "an innocent" / "softmax"
    (submitted / "link to a file" / "softmax").mkdir(parents=True)
    (submitted / "link to a file" / "softmax" / f"{NAME}.ipynb").symlink_to(innocent / f"{NAME}.ipynb")
    (submitted / "link to an assignment").mkdir()
    (submitted / "link to an assignment" / "softmax").symlink_to(innocent, target_is_directory=True)
    (submitted / "link to a student").symlink_to(innocent.parent, target_is_directory=True)
    assert command.main([str(submitted), "--out", str(room / "marks.csv"), "--jobs", "2"]) == 0
    with (room / "marks.csv").open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def _sum(rows, student):
    return sum(int(row["points"]) for row in rows if row["student"] == student and row["points"])


@pytest.mark.slow
@closed_in
@pytest.mark.parametrize("student", ["an innocent", "홍 길동", "z innocent"])
def test_innocents_among_attackers_get_all_their_marks(rows, student):
    assert _sum(rows, student) == sum(ALL.values())


@pytest.mark.slow
@closed_in
@pytest.mark.parametrize("student", ["bomb", "half a character"])
def test_attackers_among_innocents_lose_what_they_attacked_with(rows, student):
    assert _sum(rows, student) == sum(ALL_BUT_THAT.values())


@pytest.mark.slow
@closed_in
@pytest.mark.parametrize("student", ["conflict", "deep", "empty"])
def test_unreadable_files_stop_nothing(rows, student):
    assert {row["verdict"] for row in rows if row["student"] == student and row["points"]} == {"unreadable"}


@pytest.mark.slow
@closed_in
@pytest.mark.parametrize("student", ["link to a file", "link to an assignment", "link to a student"])
def test_a_symbolic_link_is_not_followed(rows, student):
    assert _sum(rows, student) == 0
