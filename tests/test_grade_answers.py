"""Answers are found in notebooks as students hand them in, and get what they need and no more."""

import functools
import inspect
import json
from pathlib import Path

import numpy as np
import pytest

from tests.answers import ANSWERS, register
from tools.grade import course, grading
from tools.grade.inside import answers
from utils import stages
from utils.checks import report

ROOT = Path(__file__).parents[1]
NAME = "03_softmax"
ONE = "def softmax_one(e):\n    z = np.exp(e - e.max())\n    return z / z.sum()"
RIGHT = "def softmax(e):\n    z = np.exp(e - e.max(-1, keepdims=True))\n    return z / z.sum(-1, keepdims=True)"
WRONG = "def softmax(e):\n    return e"
STUB = 'def softmax(e):\n    """Weights."""\n    ...'
NUMPY = "import numpy as np"
CHECK = 'softmax = check("softmax")'
CHECK_ONE = 'softmax_one = check("softmax_one")'
FOREVER = "while True:\n    pass"
SCORES = np.array([[1.0, 3.0, 2.0], [1000.0, 1000.0, 1001.0]])
WEIGHTS = stages.softmax(SCORES)


@functools.cache
def course_cells():
    return answers.Notebook(course.notebooks()[NAME].cells, "course's cell")


def load(*cells, name="softmax"):
    """An answer in a notebook of these cells: each a text, or nbgrader's id and a text."""
    cells = [("", cell) if isinstance(cell, str) else cell for cell in cells]
    student = answers.Notebook([{"id": grade_id, "source": source} for grade_id, source in cells], "student's cell")
    given = {one: getattr(stages, one) for one in course.earlier(name)}
    return answers.load(name, student, course_cells(), given, course.notebooks()[NAME].exercises)


def is_right(softmax):
    return softmax is not None and np.allclose(softmax(SCORES), WEIGHTS)


def helped(*helpers):
    """Cells with a right answer that subtracts what `shift(e)` gives."""
    return [*helpers, "def softmax(e):\n    z = np.exp(shift(e))\n    return z / z.sum(-1, keepdims=True)", CHECK]


SHIFT = "def shift(e):\n    return e - e.max(-1, keepdims=True)"
NO_SHIFT = "def shift(e):\n    return e"
TINY = "def softmax(e):\n    z = np.exp(e - e.max(-1, keepdims=True))\n    return z / (z.sum(-1, keepdims=True) + EPS)"
MEMO = (
    "def softmax(e):\n    z = np.exp(e - e.max(-1, keepdims=True))\n    return z / z.sum(cache['axis'], keepdims=True)"
)
FACTOR = (
    "def softmax(e):\n    z = np.exp(e - e.max(-1, keepdims=True))\n    return table[2] * z / z.sum(-1, keepdims=True)"
)

RIGHT_NOTEBOOKS = {
    # checks
    "a check whose result is not kept, and a scratch version below": [RIGHT, "check('softmax')", WRONG],
    "a check that names its argument, and a scratch version below": [RIGHT, "softmax = check(name='softmax')", WRONG],
    "a check without its result below the real one": [RIGHT, CHECK, WRONG, "check('softmax')"],
    # values changed by calls within expressions
    "filled by a comprehension": ["cache = {}", "_ = [cache.update(axis=-1) for _ in range(1)]", MEMO, CHECK],
    "filled by a call whose result is kept": ["cache = {}", "nothing = cache.update(axis=-1)", MEMO, CHECK],
    # helpers
    "a helper above": helped(SHIFT),
    "a helper below the answer": [*helped()[:1], SHIFT, CHECK],
    "a helper below the check": [*helped(), SHIFT],
    "a helper that uses another, in reverse order": helped(
        "def shift(e):\n    return e - highest(e)", "def highest(e):\n    return e.max(-1, keepdims=True)"
    ),
    "a helper's first try above its right version": helped(NO_SHIFT, SHIFT),
    "a helper's name used otherwise after the check": [*helped(SHIFT), NO_SHIFT],
    "a helper's name used otherwise later, the check deleted": [*helped(SHIFT)[:-1], NO_SHIFT],
    "a lambda as helper": helped("shift = lambda e: e - e.max(-1, keepdims=True)"),
    "a partial function as helper": helped(
        "from functools import partial",
        "def less(e, axis):\n    return e - e.max(axis, keepdims=True)",
        "shift = partial(less, axis=-1)",
    ),
    "a decorator defined below": helped(
        "@rowwise\ndef shift(e):\n    return e - e.max()",
        "def rowwise(f):\n    return lambda e: np.stack([f(row) for row in e])",
    ),
    "a default argument from a constant below": helped(
        "def shift(e, axis=AXIS):\n    return e - e.max(axis, keepdims=True)", "AXIS = -1"
    ),
    "a helper of the name of one of the course's variables": [
        "e = np.log([1.0, 2.0, 4.0])\nz = np.exp(e)\nz",
        "def z(e):\n    return np.exp(e - e.max(-1, keepdims=True))",
        "def softmax(e):\n    return z(e) / z(e).sum(-1, keepdims=True)",
        CHECK,
        "z = np.ones((2, 2))",
    ],
    "a helper of a builtin's name": [
        "def sum(z):\n    return z.sum(-1, keepdims=True)",
        "def softmax(e):\n    z = np.exp(e - e.max(-1, keepdims=True))\n    return z / sum(z)",
        CHECK,
    ],
    "a helper that yields": [
        "def rows(e):\n    for row in e:\n        z = np.exp(row - row.max())\n        yield z / z.sum()",
        "def softmax(e):\n    return np.array([*rows(e)])",
    ],
    "a helper that counts": helped(
        "count = 0", "def shift(e):\n    global count\n    count += 1\n    return e - e.max(1)[:, None]"
    ),
    "a helper with an attribute set later": helped(
        "def shift(e):\n    return e - e.max(shift.axis, keepdims=True)", "shift.axis = -1"
    ),
    # constants
    "a constant": ["EPS = 1e-12", TINY, CHECK],
    "a constant below": [TINY, "EPS = 1e-12", CHECK],
    "constants unpacked": ["EPS, AXIS = 1e-12, -1", TINY, CHECK],
    "a constant under if": ["if True:\n    EPS = 1e-12", TINY, CHECK],
    "a constant with a type hint that is nowhere": ["EPS: Tiny = 1e-12", TINY, CHECK],
    "a constant in a with block": ["with np.errstate(all='ignore'):\n    EPS = np.exp(-1000)", TINY, CHECK],
    "a constant by a walrus": ["print(EPS := 1e-12)", TINY, CHECK],
    "a constant by match": ["match 1:\n    case int():\n        EPS = 1e-12", TINY, CHECK],
    "a constant set by %time": ["%time EPS = 1e-12", TINY, CHECK],
    "a dict filled by a statement": ["cache = {}", "cache['axis'] = -1", MEMO, CHECK],
    "a dict filled by a method": ["cache = {}", "cache.update(axis=-1)", MEMO, CHECK],
    "a dict filled by a function": ["cache = {}\ndef fill(x):\n    x['axis'] = -1", "fill(cache)", MEMO, CHECK],
    "a dict filled inside a function": [
        "cache = {}\ndef fill():\n    cache['axis'] = -1\n",
        "fill()",
        MEMO,
        CHECK,
    ],
    "a constant set inside a function": ["def prepare():\n    global EPS\n    EPS = 1e-12", "prepare()", TINY, CHECK],
    "a constant by a walrus in a list": ["[EPS := 1e-12 for _ in range(2)]", TINY, CHECK],
    "a table filled by a loop": ["table = np.zeros(3)", "for i in range(3):\n    table[i] = i - 1", FACTOR, CHECK],
    "a list appended to by a loop": ["table = []\nfor i in range(3):\n    table.append(i - 1)", FACTOR, CHECK],
    "a table filled by a function of NumPy": ["table = np.zeros(3)", "np.add.at(table, 2, 1)", FACTOR, CHECK],
    "a table changed after the check": ["table = np.ones(3)", FACTOR, CHECK, "table[2] = 5"],
    # imports
    "no import at all, the course's cell deleted": [RIGHT],
    "an import deleted, its module called all over": [RIGHT, "np.random.seed(0)", "np.set_printoptions(precision=3)"],
    "from numpy import exp": ["from numpy import exp", RIGHT.replace("np.exp", "exp")],
    "from numpy import *": ["from numpy import *", RIGHT.replace("np.exp", "exp")],
    "from numpy import * under try": [
        "try:\n    from numpy import *\nexcept ImportError:\n    pass",
        RIGHT.replace("np.exp", "exp"),
    ],
    "an import under try": [
        "try:\n    import cupy as xp\nexcept ImportError:\n    import numpy as xp",
        RIGHT.replace("np.", "xp."),
    ],
    "an import beside one that is not there": [
        "import matplotlib.pyplot as plt, numpy as nump",
        RIGHT.replace("np.", "nump."),
    ],
    "an import below": [RIGHT.replace("np.", "nump."), CHECK, "import numpy as nump"],
    "imports from the future": ["from __future__ import annotations\n" + RIGHT],
    "type hints whose imports are not there": [
        "from jaxtyping import Float",
        RIGHT.replace("(e)", "(e: Float[np.ndarray, 'N T']) -> Tensor"),
    ],
    # how the function comes to its name
    "a lambda": ["softmax = lambda e: np.exp(e - e.max(1)[:, None]) / np.exp(e - e.max(1)[:, None]).sum(1)[:, None]"],
    "another name first": [RIGHT.replace("softmax", "my_softmax"), "softmax = my_softmax", CHECK],
    "the name of a class's object": [
        "class Softmax:\n    def __call__(self, e):\n        z = np.exp(e - e.max(self.axis, keepdims=True))\n"
        "        return z / z.sum(self.axis, keepdims=True)",
        "Softmax.axis = -1",
        "softmax = Softmax()",
        CHECK,
    ],
    "np.vectorize": [
        "def softmax(e):\n    z = np.exp(e - e.max())\n    return z / z.sum()",
        "softmax = np.vectorize(softmax, signature='(t)->(t)')",
        CHECK,
    ],
    "a decorator": [
        "from functools import wraps\n\ndef same(f):\n    return wraps(f)(lambda e: f(e))",
        "@same\n" + RIGHT,
    ],
    "a definition under if": ["if __name__ == '__main__':\n    " + RIGHT.replace("\n", "\n    ")],
    "defaults set later": [
        RIGHT.replace("(e)", "(e, axis)").replace("-1", "axis"),
        "AXIS = -1",
        "softmax.__defaults__ = (AXIS,)",
        CHECK,
    ],
    "an attribute set later": [
        RIGHT.replace("z.sum(-1", "z.sum(softmax.axis"),
        "softmax.axis = -1",
    ],
    # where it stands
    "a first try above": [WRONG, RIGHT, CHECK],
    "a first try below the check": [RIGHT, CHECK, WRONG],
    "the stub left, the answer in a new cell below": [("softmax", STUB), RIGHT, CHECK],
    "the stub left, the answer in a new cell above": [RIGHT, ("softmax", STUB), CHECK],
    "the answer below the check": [("softmax", STUB), CHECK, RIGHT],
    "the check duplicated": [RIGHT, CHECK, CHECK],
    "the check edited": [RIGHT, "print('check')\nsoftmax = check('softmax')  # mine", WRONG],
    "two checks in one statement": [ONE, RIGHT, "softmax_one, softmax = check('softmax_one'), check('softmax')"],
    "the exercise's cell duplicated": [("softmax", WRONG), ("softmax", RIGHT), CHECK],
    "renamed inside the exercise's cell": [("softmax", RIGHT.replace("softmax", "weights")), CHECK],
    "renamed beside a helper inside the exercise's cell": [
        ("softmax", SHIFT + "\n\n" + RIGHT.replace("softmax", "weights"))
    ],
    "everything in one cell": ["\n\n".join([NUMPY, ONE, CHECK_ONE, WRONG, SHIFT, *helped()])],
    # what only IPython understands
    "%%time above": ["%%time\n" + RIGHT],
    "%%capture with words above": ["\n%%capture out --no-stderr\n" + RIGHT],
    "magics around": [
        "%matplotlib inline\n!pip install numpy\n" + RIGHT + "\nfiles = !ls\n%timeit softmax(e)\nsoftmax?"
    ],
    "help before the name": ["?np.exp\n" + RIGHT + "\n??softmax"],
    "pip without a sign": ["pip install numpy\n" + RIGHT],
    "a magic in a block": ["if 1:\n    %timeit 1 + 1\n" + RIGHT],
    "a line that only looks like a magic": [
        "%pylab\n" + RIGHT.replace("    return z", "    z = (z\n    % 1e300)\n    return z")
    ],
    "await at the top": ["import asyncio\nawait asyncio.sleep(0)\n" + RIGHT],
    "display inside": [RIGHT.replace("    return", "    display(z)\n    return")],
    # how it is typed
    "indented": ["    " + RIGHT.replace("\n", "\n    ")],
    "with tabs": [RIGHT.replace("    ", "\t")],
    "with Windows line ends": ["%matplotlib inline\r\n" + RIGHT.replace("\n", "\r\n")],
    "with old line ends": [RIGHT.replace("\n", "\r")],
    # what stands around
    "a function that the course's notebook defines, its cell deleted": [
        "softmax = lambda e: np.stack([softmax_loop(row - row.max()) for row in e])",
    ],
    "asserts and prints": [RIGHT, "assert softmax(np.zeros((1, 2)))[0, 0] == 3, 'no'", "print(softmax)", CHECK],
    "code that never ends": [FOREVER, RIGHT + "\n" + FOREVER, CHECK, FOREVER],
    "code that fails": ["1 / 0", RIGHT + "\nraise SystemExit", CHECK],
    "a cell that is no Python": ["def softmax_two(e:", RIGHT, CHECK],
    "a function of the notebook that is called with it": [
        RIGHT,
        "def slow(f):\n    while True:\n        f",
        "slow(softmax)",
    ],
    "del": [RIGHT + "\ndel np", "del softmax"],
    "NumPy spoiled below the check": [RIGHT, CHECK, "np.exp = None"],
    # earlier exercises
    "the student's own softmax_one, right": ["softmax = lambda e: np.stack([softmax_one(row) for row in e])", CHECK],
    "softmax_one of the course": [
        "from utils.stages import softmax_one",
        "softmax = lambda e: np.stack([softmax_one(row) for row in e])",
        CHECK,
    ],
}


@pytest.mark.parametrize("what", RIGHT_NOTEBOOKS)
def test_a_right_answer_passes_with(what):
    assert is_right(load(*RIGHT_NOTEBOOKS[what])[0])


WRONG_NOTEBOOKS = {
    "a wrong version below the right one, as when all cells are run": [RIGHT, WRONG, CHECK],
    "a helper whose last version above the check is wrong": helped(SHIFT, NO_SHIFT),
    "a right answer under another name": [WRONG, RIGHT.replace("softmax", "my_softmax"), CHECK],
    "a right answer that is disabled": ["%%script false\n" + RIGHT, WRONG],
}


@pytest.mark.parametrize("what", WRONG_NOTEBOOKS)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # NumPy's, of overflow
def test_an_answer_does_not_pass_with(what):
    assert not is_right(load(*WRONG_NOTEBOOKS[what])[0])


def test_a_name_that_holds_no_function_any_more_is_no_answer():
    assert load(RIGHT, "softmax = 3", CHECK) == (3, "")


# What a student is told


def told(*cells, **what):
    return load(*cells, **what)[1]


def test_a_cell_that_is_no_python_names_its_line():
    message = told(("softmax", "import os\n" + RIGHT.replace("e - e.max(", "(e - e.max(")))
    assert (
        message == "its cell is no Python: '(' was never closed, in line 3: z = np.exp((e - e.max(-1, keepdims=True))"
    )


def test_a_cell_that_is_no_python_is_named_though_the_stub_stands_elsewhere():
    assert told(("softmax", STUB), RIGHT + " +").startswith("its cell is no Python: invalid syntax, in line 3")


def test_a_line_is_counted_with_the_magics_above_it():
    assert "in line 4" in told("%%time\n%matplotlib inline\n" + WRONG + " +")


def test_a_return_outside_a_function_names_its_line():
    assert "in line 4: return" in told(("softmax", RIGHT + "\nreturn softmax"))[:80]


def test_a_missing_function_has_nothing_more_to_say():
    assert load(RIGHT, name="masked_softmax") == (None, "")


def test_what_fails_is_told_with_its_line():
    message = told("@jit\n" + RIGHT)
    assert message == "NameError: name 'jit' is not defined, in the line: @jit"


def test_what_failed_first_is_told():
    assert told("from numba import jit", "@jit\n" + RIGHT).startswith("ModuleNotFoundError: No module named 'numba'")


def test_a_failing_helper_is_told_with_its_line():
    function, message = load("table = [1, 2", "shift = 1 / 0", *helped())
    assert callable(function)
    assert message == "ZeroDivisionError: division by zero, in the line: shift = 1 / 0"


def test_a_cell_full_of_magics_is_given_up():
    assert "more than" in answers.Notebook([{"id": "", "source": "%a\n" * 1000}], "").broken[0][1]


def test_what_an_answer_does_not_need_does_not_run():
    ran = []
    np.ran = ran
    try:
        load(
            "EPS = 1",
            "np.ran.append(1)",
            "print(np.ran.append(2))",
            TINY + "\nnp.ran.append(3)",
            "softmax(np.ran.append(4))",
        )
    finally:
        del np.ran
    assert ran == []


# Whole notebooks, in the sandbox


def notebook(name=NAME, **sources):
    """The course's notebook with other sources in the cells of these grade ids."""
    content = json.loads((ROOT / "solutions" / f"{name}.ipynb").read_text(encoding="utf-8"))
    for cell in content["cells"]:
        grade_id = cell["metadata"].get("nbgrader", {}).get("grade_id")
        if grade_id in sources:
            cell["source"] = sources[grade_id]
    return content


def verdicts(content, name=NAME):
    marks = grading.grade(json.dumps(content).encode(), name)
    return {mark["exercise"]: mark["verdict"] for mark in marks if mark["track"] != "written"}


def message(content, exercise, name=NAME):
    return next(m["message"] for m in grading.grade(json.dumps(content).encode(), name) if m["exercise"] == exercise)


ALL = dict.fromkeys(["softmax_one", "softmax", "masked_softmax", "softmax_backward"], "passed")


def test_reversed_cells_are_graded_like_the_others():
    content = notebook()
    content["cells"].reverse()
    assert verdicts(content) == ALL


def test_lost_grade_ids_cost_nothing():
    content = notebook()
    for cell in content["cells"]:
        cell["metadata"] = {}
    assert verdicts(content) == ALL


def test_functions_alone_in_a_fresh_notebook_are_enough():
    content = notebook()
    cells = [cell for cell in content["cells"] if "".join(cell["source"]).startswith("def ")]
    assert verdicts({"cells": [{"cell_type": "code", "source": cell["source"]} for cell in cells]}) == ALL


@pytest.mark.parametrize("kind", ["markdown", "raw"])
def test_an_answer_whose_cell_has_become_another_type_counts(kind):
    content = notebook()
    for cell in content["cells"]:
        cell["cell_type"] = kind
    assert verdicts(content) == ALL


def test_what_stands_around_the_answers_does_not_matter():
    content = notebook()
    disasters = [
        "import os\nos._exit(0)",
        "exit()",
        FOREVER,
        "def f(:",
        "raise KeyboardInterrupt",
        "check = print",
        "assert 0",
    ]
    cells = content["cells"]
    content["cells"] = [
        one
        for k, cell in enumerate(cells)
        for one in [{"cell_type": "code", "metadata": {}, "source": disasters[k % len(disasters)]}, cell]
    ]
    assert verdicts(content) == ALL


def test_a_syntax_error_costs_its_own_exercise_alone():
    content = notebook(softmax=RIGHT + ")")
    assert verdicts(content) == ALL | {"softmax": "failed"}
    assert "line 3" in message(content, "softmax")


ROWS = "def softmax(e):\n    return np.stack([softmax_one(row) for row in e])"


@pytest.mark.parametrize("one", [ONE, "def softmax_one(e):\n    return e", "def softmax_one(e:", ""])
def test_an_answer_may_use_an_earlier_exercise_whatever_became_of_it(one):
    assert verdicts(notebook(softmax_one=one, softmax=ROWS))["softmax"] == "passed"


@pytest.mark.parametrize("one", [ONE, STUB.replace("softmax", "softmax_one")])
def test_an_answer_may_use_the_course_s_version_of_an_earlier_exercise(one):
    source = "from utils.stages import softmax_one as ready\n" + ROWS.replace("softmax_one(", "ready(")
    assert verdicts(notebook(softmax_one=one, softmax=source))["softmax"] == "passed"


def test_an_answer_that_is_the_course_s_version_does_not_pass():
    content = notebook(softmax="from utils.stages import softmax as ready\ndef softmax(e):\n    return ready(e)")
    assert verdicts(content) == ALL | {"softmax": "failed"}


def test_own_stages_and_the_course_s_data_are_there():
    source = (
        "from utils.data import BOS, PAD\nfrom utils.own import own_stages\nmine = own_stages(['rnn_step', 'embed'])\n"
        "def encode(X, keep, Wx, Wh, b):\n    h = np.zeros((len(X), len(b))) + PAD\n    hs = []\n"
        "    for t in range(X.shape[1]):\n        new = mine.rnn_step(X[:, t], h, Wx, Wh, b)\n"
        "        h = np.where(keep[:, t, None] != 0, new, h)\n        hs.append(h)\n    return np.stack(hs, 1)"
    )
    name = "01_provisional_state"
    assert verdicts(notebook(name, encode=source), name)["encode"] == "passed"


def test_an_answer_may_import_what_python_brings():
    source = "import statistics\nfrom fractions import Fraction\n" + RIGHT.replace(
        "z /", "float(statistics.mean([Fraction(1)])) * z /"
    )
    assert verdicts(notebook(softmax=source)) == ALL


def test_a_module_that_is_not_there_is_named():
    source = "from utils.model import Config\n@Config\n" + RIGHT
    assert "No module named 'utils.model'" in message(notebook(softmax=source), "softmax")


# The collected answers: what the check in the notebook says of a function, the grader says of its cell


REGISTER = inspect.getsource(register)
WRITTEN = [exercise for exercise in ANSWERS if exercise != "greedy_decode"]  # whose answers are changed on the way


def cells_with(exercise, number):
    """One of the collected answers as cells: what all modules share, its module, and its name."""
    function, _ = list(ANSWERS[exercise].values())[number]
    given = ""
    if function.__name__ == "turned":
        inner = inspect.getclosurevars(function).nonlocals
        function, given = inner["function"], f", {inner['weights']}, {inner['gradients']}"
    source = inspect.getsource(inspect.getmodule(function)).replace("from tests.answers.register import *", "")
    named = f"_turned({function.__name__}{given})" if given else function.__name__
    return [REGISTER, source, f"{exercise} = {named}", f'{exercise} = check("{exercise}")']


@functools.cache
def samples(exercise):
    """The numbers of three answers: the first, the last, and one between them."""
    return 0, len(ANSWERS[exercise]) // 2, len(ANSWERS[exercise]) - 1


@pytest.mark.parametrize("sample", range(3))
@pytest.mark.parametrize("name", list(course.notebooks()))
def test_the_grader_s_verdict_on_a_collected_answer_is_that_of_the_check(name, sample):
    exercises = [one for one in course.notebooks()[name].exercises if one in WRITTEN]
    sources = [source for one in exercises for source in cells_with(one, samples(one)[sample])]
    graded = verdicts({"cells": [{"cell_type": "code", "source": source} for source in sources]}, name)
    expected = {one: [*ANSWERS[one].values()][samples(one)[sample]][0] for one in exercises}
    assert {one: graded[one] == "passed" for one in exercises} == {
        one: report(one, function).passed for one, function in expected.items()
    }
