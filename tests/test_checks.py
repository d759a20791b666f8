"""Checks: right answers pass in any style, wrong ones are told why, and nothing that a learner writes breaks them."""

import collections
import copy
import functools
import hashlib
import inspect
import itertools
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path

import numpy as np
import pytest

from utils import stages
from utils.checks import check, report, run
from utils.checks.check import EXERCISES
from utils.checks.exercise import SIZES
from utils.checks.judge import Verdict
from utils.checks.limits import TimeUp, call_within
from utils.checks.run import StepTable, map_arrays

ROOT = Path(__file__).resolve().parents[1]
ALL = list(EXERCISES)
OTHERS_THAN_TABLES = [name for name in ALL if name != "greedy_decode"]

every_exercise = pytest.mark.parametrize("name", ALL)


def course(name):
    return getattr(stages, name)


def parameters(name):
    return list(inspect.signature(course(name)).parameters)


def generic(name):
    """The arguments of the first probe, in which all sizes are different."""
    return EXERCISES[name].probes[0].fresh_args()


def dot_by_loop(h_tilde, hs):
    """A right answer to dot_score that needs nothing of NumPy."""
    return [[sum(q * k for q, k in zip(query, h)) for h in memory] for query, memory in zip(h_tilde, hs)]


def returns(result):
    """A function that returns this, whatever it is given."""
    return lambda *args: result


def forever(*args):
    while True:
        pass


# ---- the course's own versions


@every_exercise
def test_the_courses_version_passes_in_one_line(name):
    verdict = report(name, course(name))
    assert verdict.passed and verdict.written and verdict.diagnosis is None
    assert verdict.message.startswith(f"✓ {name}: ") and "\n" not in verdict.message


def test_there_is_a_check_for_every_exercise_and_for_nothing_else():
    assert ALL == stages.__all__


@every_exercise
def test_every_parameter_is_documented_with_its_shape_or_kind(name):
    head, _, tail = inspect.getdoc(course(name)).partition("\nReturns\n")
    for parameter in parameters(name):
        kind = r"(\(.*\) (float|bool|int)|dict of \w+ \(|float\b|int$|function$|list of arrays$|array )"
        assert re.search(rf"^{parameter}( : {kind}|$)", head.partition("\nParameters\n")[2], re.MULTILINE), parameter
    assert tail


@pytest.mark.parametrize("name", [name for name in ALL if EXERCISES[name].sizes])
def test_results_have_the_shapes_that_the_docstring_promises(name):
    promised = inspect.getdoc(course(name)).partition("\nReturns\n-------\n")[2].partition("\nSource:")[0]
    entries = re.findall(r"^(?:\w+ : )?(\(.*\) \w+|float|dict|shaped like alpha)$", promised, re.MULTILINE)
    args = generic(name)
    result = course(name)(*args)
    results = result if len(EXERCISES[name].returns) > 1 else (result,)
    for entry, found in zip(entries, results, strict=True):
        if entry == "dict":
            assert {key: value.shape for key, value in found.items()} == {k: v.shape for k, v in args[-1].items()}
        else:
            shape = tuple(int(factor or 1) * SIZES[letter] for factor, letter in re.findall(r"(\d?)([A-Z])", entry))
            assert np.shape(found) == shape and np.asarray(found).dtype.kind == ("i" if entry.endswith("int") else "f")


# ---- probes


@every_exercise
def test_the_first_probe_has_sizes_that_are_all_different(name):
    letters = EXERCISES[name].sizes
    assert len({SIZES[letter] for letter in letters}) == len(letters)


def plain(value):
    """Whether a value is arrays, numbers, lists and dicts of them, or a StepTable."""
    if isinstance(value, (list, tuple)):
        return type(value) in (list, tuple) and all(map(plain, value))
    if isinstance(value, dict):
        return type(value) is dict and all(type(key) is str and plain(item) for key, item in value.items())
    if type(value) is StepTable:
        return plain(value.by_word) and plain(value.by_position)
    return type(value) in (int, float) or type(value) is np.ndarray and value.dtype.kind in "biuf"


@every_exercise
def test_probes_are_plain_data(name):
    exercise = EXERCISES[name]
    assert all(plain(probe.args) for probe in exercise.probes)
    assert exercise.training is None or plain(exercise.training.args)


DIGEST = """
import hashlib
from utils.checks.check import EXERCISES
digest = hashlib.sha256()
def add(value):
    if hasattr(value, "by_word"):
        value = [value.by_word, value.by_position]
    if isinstance(value, dict):
        value = list(value.items())
    if isinstance(value, (list, tuple)):
        [add(item) for item in value]
    else:
        digest.update(value.tobytes() if hasattr(value, "tobytes") else repr(value).encode())
for name, exercise in EXERCISES.items():
    add([name, [(probe.name, probe.layout, probe.args) for probe in exercise.probes]])
"""


def test_probes_are_the_same_in_every_process():
    own = {}
    exec(DIGEST, own)
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", f"import random; random.seed({seed}){DIGEST}print(digest.hexdigest())"],
            cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, encoding="utf-8", check=True,
        )  # fmt: skip
        assert done.stdout.strip() == own["digest"].hexdigest()


# ---- right answers in any style


def deep(change):
    """Apply a change to every array of a result."""

    def to(result):
        if isinstance(result, dict):
            return {key: to(item) for key, item in result.items()}
        return [to(item) for item in result] if isinstance(result, (list, tuple)) else change(np.asarray(result))

    return to


STYLES = {
    "lists in lists": deep(np.ndarray.tolist),
    "a list of rows": deep(lambda x: [*x] if x.ndim else x),
    "tuples of rows": lambda result: tuple(result) if isinstance(result, (list, tuple, np.ndarray)) else result,
    "double precision": deep(lambda x: x.astype(float) if x.dtype.kind == "f" else x),
    "long double": deep(lambda x: x.astype(np.longdouble) if x.dtype.kind == "f" else x),
    "views": deep(lambda x: np.repeat(x[..., None], 2, axis=-1)[..., 0]),
    "Fortran order": deep(lambda x: x.copy(order="F")),
    "masked arrays": deep(np.ma.asarray),
    "matrices": deep(lambda x: np.asmatrix(x) if x.ndim == 2 else x),
    "NumPy scalars": deep(lambda x: x[()]),
}


@pytest.mark.parametrize("style", STYLES)
def test_a_right_answer_may_be_returned_in_any_form(style):
    some = ["embed", "linear_backward", "dot_score", "combine_weighted_sum_backward", "exact_match", "next_word"]
    for name in ALL if style == "lists in lists" else some:
        verdict = report(name, lambda *args, name=name: STYLES[style](course(name)(*args)))
        assert verdict.passed, verdict.message


@pytest.mark.parametrize(
    "container",
    [collections.OrderedDict, lambda dp: collections.defaultdict(float, dp)],
    ids=["ordered", "with a default"],
)
def test_gradients_may_be_returned_in_any_kind_of_dict(container):
    def answer(*args):
        *arrays, dp = stages.decoder_step_backward(*args)
        return Results(*arrays, container(dp))

    assert report("decoder_step_backward", answer).passed


Results = collections.namedtuple("Results", "dx dcarry dhs dp")


class Callable:
    def __call__(self, h_tilde, hs):
        return dot_by_loop(h_tilde, hs)

    @classmethod
    def method(cls, h_tilde, hs):
        return dot_by_loop(h_tilde, hs)


@pytest.mark.parametrize(
    "function",
    [
        dot_by_loop,
        lambda *args, **options: dot_by_loop(*args),
        functools.partial(np.einsum, "nh,nth->nt"),
        functools.wraps(dot_by_loop)(lambda q, hs, scale=1: dot_by_loop(q, hs)),
        Callable(),
        Callable.method,
        np.vectorize(lambda q, h: h @ q, signature="(h),(t,h)->(t)"),
    ],
)
def test_anything_that_can_be_called_may_be_an_answer(function):
    assert report("dot_score", function).passed


def test_an_answer_may_print_and_warn_and_nothing_of_it_is_seen(capfd):
    def noisy(h_tilde, hs):
        print("here")
        print("there", file=sys.stderr)
        warnings.warn("careful", stacklevel=1)
        np.log(np.zeros(1))
        return dot_by_loop(h_tilde, hs)

    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        assert report("dot_score", noisy).passed
    assert capfd.readouterr() == ("", "") and seen == []


def test_an_answer_that_is_right_but_far_too_slow_passes_with_a_remark(monkeypatch):
    seconds = itertools.count()
    monkeypatch.setattr(run.time, "thread_time", lambda: next(seconds))
    verdict = report("dot_score", stages.dot_score)
    monkeypatch.undo()
    assert verdict.passed and "slow" in verdict.message


@pytest.mark.parametrize("at_training_size", [lambda: sys.exit(), lambda: 1 / 0, lambda: np.zeros(1) @ np.zeros(2)])
def test_what_happens_at_training_size_decides_nothing(at_training_size):
    def answer(h_tilde, hs):
        if hs.size > 5000:
            at_training_size()
        return dot_by_loop(h_tilde, hs)

    assert report("dot_score", answer).passed


# ---- not written yet


@pytest.mark.parametrize(
    "body",
    [
        "...",
        "pass",
        "return",
        "return None",
        "return ...",
        "raise NotImplementedError",
        "raise NotImplementedError('later')",
        "q = h_tilde[:, None]\n    ...",
        "q = ...\n    return (q * hs).sum(axis=2)",
        "q = h_tilde[:, None]\n    return (q * ...).sum(axis=2)",
        "return (h_tilde[:, None] * hs).sum(axis=...)",
        "e = ...\n    return e",
        "for n in range(len(hs)):\n        ...",
    ],
)
@pytest.mark.parametrize("doc", ["", '"""Dot scores."""\n    # 1. multiply   2. add up\n    '])
def test_a_stub_is_not_written_yet(doc, body, run_cells):
    names = run_cells(f"def dot_score(h_tilde, hs):\n    {doc}{body}\n")
    verdict = report("dot_score", names["dot_score"])
    assert not verdict.passed and not verdict.written
    assert verdict.message.startswith("○ dot_score: not written yet")


@pytest.mark.parametrize(
    "body",
    [
        "q = h_tilde[..., None, :]\n    e = (q * hs).sum(axis=2)",
        "q = h_tilde[..., None, :]\n    return (p * hs).sum(axis=2)",
        "return hs[..., 0]",
        "return 0",
        "return hs",
        "x = hs",
    ],
)
def test_an_attempt_is_wrong_and_not_unwritten(body, run_cells):
    names = run_cells(f"def dot_score(h_tilde, hs):\n    {body}\n")
    verdict = report("dot_score", names["dot_score"])
    assert not verdict.passed and verdict.written and verdict.message.startswith("✗ dot_score: ")


@every_exercise
def test_an_empty_stub_of_every_exercise_is_not_written_yet(name, run_cells):
    head = f"def {name}({', '.join(parameters(name))}):"
    names = run_cells(f'{head}\n    """What it is for."""\n    # 1. first\n    ...\n')
    assert report(name, names[name]) == Verdict(False, f"○ {name}: not written yet.", written=False)


# ---- wrong answers


def nudged(result):
    """A result of the same form with other values."""
    if isinstance(result, dict):
        return {key: nudged(item) for key, item in result.items()}
    return [nudged(item) for item in result] if isinstance(result, list) else np.asarray(result) + 1


@every_exercise
def test_other_values_are_wrong(name):
    verdict = report(name, other_values(name))
    assert not verdict.passed and verdict.written
    assert " gave " in verdict.message and "expected" in verdict.message


def parts():
    """Every result of every exercise that returns several; the entries of dp on their own."""
    for name, exercise in EXERCISES.items():
        if len(exercise.returns) > 1:
            for k, label in enumerate(exercise.returns):
                entries = exercise.expected[0][k] if label == "dp" else [None]
                yield from ((name, k, key, f"{label}[{key!r}]" if key else label) for key in entries)


@pytest.mark.parametrize(("name", "k", "key", "label"), list(parts()))
def test_of_several_results_exactly_the_wrong_one_is_marked(name, k, key, label):
    def wrong(*args):
        results = list(course(name)(*args))
        results[k] = {**results[k], key: nudged(results[k][key])} if key else nudged(results[k])
        return tuple(results)

    first, marks, *_ = report(name, wrong).message.splitlines()
    assert first.startswith(f"✗ {name}: ") and label in first
    assert re.findall(r"(\S+) ✗", marks) == [label]
    assert len(re.findall("✓", marks)) + 1 == len([part for part in parts() if part[0] == name])


def test_a_result_that_is_wrong_on_one_input_only_is_marked_too():
    def wrong_for_one_sentence(de, h_tilde, hs):
        dh_tilde, dhs = stages.dot_score_backward(de, h_tilde, hs)
        return (dh_tilde + 1, dhs) if len(hs) == 1 else (dh_tilde, dhs)

    message = report("dot_score_backward", wrong_for_one_sentence).message
    assert message.splitlines()[1].split() == ["dh_tilde", "✗", "dhs", "✓"]
    assert "not for this one: N = 1" in message


@pytest.mark.parametrize("name", [name for name in ALL if len(EXERCISES[name].returns) > 1])
@pytest.mark.parametrize("change", [lambda r: r[:-1], lambda r: (*r, 0), lambda r: r[0][0], lambda r: None])
def test_too_few_and_too_many_results_are_named(name, change):
    verdict = report(name, lambda *args: change(course(name)(*args)))
    assert not verdict.passed
    assert f"return {len(EXERCISES[name].returns)} values" in verdict.message or "None" in verdict.message


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (None, "returned None"),
        (np.zeros((3, 5), np.float16), "float16"),
        (np.zeros((3, 5), complex), "complex"),
        (np.zeros((3, 5), object), "an array of object"),
        ([[1, 2], [3]], "rows have different lengths"),
        ("scores", "a str"),
        (np.array(["a"]), "an array of str"),
        ([["a"] * 5] * 3, "wrong type"),
        ([[None] * 5] * 3, "wrong type"),
        (np.zeros((20_000, 20_000)), "shape (20000, 20000), far too large"),
        (np.zeros((5, 3)), "has shape (5, 3) where (3, 5) is expected"),
        (0, "a single number"),
        ([], "has shape (0,) where (3, 5) is expected"),
        (np.full((3, 5), np.nan), "nan"),
        (np.full((3, 5), np.inf), "inf"),
        ({1, 2}, "a set"),
        ({"e": 1}, "a dict"),
        (range(3), "a range"),
        (b"scores", "a bytes"),
        (1j, "a complex"),
        ([[10**400] * 5] * 3, "wrong type"),
        (NotImplemented, "a NotImplementedType"),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else value[:30],
)
def test_what_cannot_be_an_answer_is_named(result, words):
    verdict = report("dot_score", lambda h_tilde, hs: result)
    assert not verdict.passed and verdict.written and words in verdict.message


def generator(h_tilde, hs):
    yield 1


async def coroutine(h_tilde, hs):
    return dot_by_loop(h_tilde, hs)


class TwoArguments:
    def __init__(self, h_tilde, hs):
        pass


@pytest.mark.parametrize(
    ("thing", "words"),
    [
        (3, "not a function"),
        (np.zeros(3), "not a function"),
        ("dot_score", "not a function"),
        (np, "not a function"),
        (TwoArguments, "a TwoArguments"),
        (generator, "a generator"),
        (coroutine, "a coroutine"),
        (abs, "TypeError"),
        (print, "None"),
        (functools.partial(dot_by_loop, 1), "2 positional arguments but 3 were given"),
        (lambda h_tilde: h_tilde, "1 positional argument but 2 were given"),
        (lambda h_tilde, hs, keep: hs, "missing 1 required positional argument"),
    ],
)
def test_what_is_no_function_of_the_right_kind_is_named(thing, words):
    verdict = report("dot_score", thing)
    assert not verdict.passed and verdict.written and words in verdict.message


def array_arguments():
    """Every argument that holds an array, of every exercise."""
    for name in OTHERS_THAN_TABLES:
        for k, parameter in enumerate(parameters(name)):
            if not isinstance(generic(name)[k], (int, float)):
                yield name, k, parameter


@pytest.mark.parametrize(("name", "k", "parameter"), list(array_arguments()))
def test_a_changed_argument_is_named(name, k, parameter):
    def changes(*args):
        result = copy.deepcopy(course(name)(*args))
        array = args[k] if isinstance(args[k], np.ndarray) else args[k][{dict: "b", list: 0}[type(args[k])]]
        array[...] = ~array if array.dtype == bool else array + 1
        return result

    verdict = report(name, changes)
    assert not verdict.passed and f"it changed its argument {parameter};" in verdict.message


@pytest.mark.parametrize(
    "change",
    [lambda p: p.pop("b"), lambda p: p.update(more=1), lambda p: p.update(b=None)],
    ids=["less", "more", "other"],
)
def test_a_changed_dict_is_a_changed_argument(change):
    def changes(*args):
        result = stages.decoder_step(*args)
        change(args[-1])
        return result

    assert "it changed its argument p;" in report("decoder_step", changes).message


def test_a_decoder_that_was_changed_is_a_changed_argument_and_the_next_check_has_its_own():
    def changes(step, *args):
        ids = stages.greedy_decode(step, *args)
        step.by_word[...] = 0
        return ids

    assert "it changed its argument step;" in report("greedy_decode", changes).message
    assert report("greedy_decode", stages.greedy_decode).passed


@every_exercise
def test_right_at_the_first_call_only_is_not_right(name):
    asked = set()

    def forgets(*args):
        key = hashlib.sha256(repr([args, map_arrays(np.ndarray.tobytes, list(args))]).encode()).digest()
        if key in asked:
            return None
        asked.add(key)
        return course(name)(*args)

    verdict = report(name, forgets)
    assert not verdict.passed and "wrong when called again" in verdict.message


def test_an_error_is_told_with_the_learners_own_line(run_cells):
    names = run_cells(
        "def add(x):\n    return x.sum(axis=7)\n\ndef dot_score(h_tilde, hs):\n    return add(hs)  # all\n"
    )
    message = report("dot_score", names["dot_score"]).message
    assert "AxisError" in message and message.splitlines()[-1].strip() == "return x.sum(axis=7)"


@pytest.mark.parametrize(
    "error",
    [SystemExit("bye"), SystemExit(), GeneratorExit(), StopIteration(), MemoryError(), ValueError("two\nlines")],
    ids=repr,
)
def test_whatever_is_raised_is_told(error):
    def fails(h_tilde, hs):
        raise error

    verdict = report("dot_score", fails)
    assert not verdict.passed and verdict.written and f"stopped with {type(error).__name__}" in verdict.message
    assert "raise error" in verdict.message


def test_endless_recursion_is_told():
    def again(h_tilde, hs):
        return again(h_tilde, hs)

    assert "RecursionError" in report("dot_score", again).message


# ---- messages


def other_values(name):
    def function(*args):
        result = course(name)(*args)
        return tuple(map(nudged, result)) if isinstance(result, tuple) else nudged(result)

    return function


def fails(*args):
    return np.zeros((3, 4)) @ np.zeros((3, 4))


WRONG = {
    "other values": None, "an error": fails, "too few parameters": lambda: 0, "None": returns(None),
    "a NumPy number": returns(np.float64(1)), "a shape": returns(np.ones((2, 3, 4))), "lists": returns([[1.5] * 9] * 9),
    "a text": returns("text"),
}  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG)
def test_messages_are_short_and_in_plain_words(wrong):
    for name in ALL:
        lines = report(name, WRONG[wrong] or other_values(name)).message.splitlines()
        assert len(lines) <= 8 and max(map(len, lines)) <= 160, lines
        own_words = [line for line in lines if not line.startswith(6 * " ")]  # not the learner's line
        assert not re.search(r"np\.\w+\(|Traceback|File \"|\\|\$|<\w+ .* at 0x", " ".join(own_words)), lines


def test_a_very_long_line_of_the_learners_is_shortened(run_cells):
    names = run_cells("def dot_score(h_tilde, hs):\n    return hs.nothing" + " + hs" * 100 + "\n")
    assert max(map(len, report("dot_score", names["dot_score"]).message.splitlines())) <= 160


@pytest.mark.parametrize("factor", [1 + 1e-2, 1 + 1e-4, 1 + 2e-6])
def test_what_came_and_what_was_expected_are_never_shown_alike(factor):
    message = report("softmax", lambda e: factor * stages.softmax(e)).message
    came, expected = re.search(r"gave a.* = (.*); expected (.*)\.$", message, re.MULTILINE).groups()
    assert came != expected


# ---- what runs too long


@pytest.fixture
def short_time(monkeypatch):
    monkeypatch.setattr(run, "SECONDS", 0.3)


def swallows(h_tilde, hs):
    while True:
        try:
            hs = hs + 1
        except:  # noqa: E722
            pass


@pytest.mark.parametrize("endless", [forever, swallows])
def test_an_endless_loop_is_stopped_and_the_next_check_works(endless, short_time):
    verdict = report("dot_score", endless)
    assert not verdict.passed and verdict.written and "did not come to an end" in verdict.message
    assert report("dot_score", stages.dot_score).passed


def test_an_endless_loop_is_stopped_outside_the_main_thread_and_where_there_are_no_alarms(short_time, monkeypatch):
    for name in ("SIGALRM", "setitimer", "alarm"):
        monkeypatch.delattr(signal, name, raising=False)
    found = []
    thread = threading.Thread(target=lambda: found.append(report("dot_score", forever)), daemon=True)
    thread.start()
    thread.join(30)
    assert "did not come to an end" in found[0].message


def in_a_process(code):
    """What a process prints that may hang."""
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=10).stdout.strip()


@pytest.mark.parametrize(
    ("inside", "around"),
    [
        ("np.zeros(9).sum()", "except:\n            pass"),
        ("np.zeros(9).sum()", "finally:\n            continue"),
        ("time.sleep(0.01)", "except Exception:\n            pass"),
    ],
)
def test_an_endless_loop_that_swallows_everything_is_stopped(inside, around):
    code = f"""
import time
import numpy as np
from utils.checks import report, run

run.SECONDS = 0.3

def dot_score(h_tilde, hs):
    while True:
        try:
            {inside}
        {around}

print("did not come to an end" in report("dot_score", dot_score).message)
"""
    assert in_a_process(code) == "True"


def test_calls_that_end_just_as_their_time_is_up_leave_nothing_behind():
    # a watcher left alive would stop whatever the notebook does next, for ever
    code = """
import os, random, sys, threading, time
from utils.checks.limits import TimeUp, call_within

def wait(seconds):
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass

sys.setswitchinterval(1e-6)
random.seed(0)
for _ in range(1500):
    try:
        call_within(0.0003, wait, 0.0003 + random.uniform(-0.0001, 0.0002))
    except TimeUp:
        pass
    if threading.active_count() > 1:
        os.write(1, b"left behind")
        os._exit(1)
print("clean")
"""
    assert in_a_process(code) == "clean"


def test_with_patience_a_busy_machine_costs_nothing_and_a_busy_function_is_stopped():
    call_within(0.1, time.sleep, 0.25, patience=4)  # as when other programs have the processor
    with pytest.raises(TimeUp):
        call_within(0.1, time.sleep, 0.25)

    def endless():
        while True:
            pass

    with pytest.raises(TimeUp):
        call_within(0.1, endless, patience=4)


def test_a_trace_that_an_answer_leaves_on_hangs_nothing():
    code = """
import sys
from utils import stages
from utils.checks import report

def dot_score_one(h_tilde, hs):
    sys.settrace(lambda *event: None)
    return stages.dot_score_one(h_tilde, hs)

print(report("dot_score_one", dot_score_one).passed)
"""
    assert in_a_process(code) == "True"


# ---- what stays as it was


def test_random_streams_and_settings_are_as_before():
    def unruly(h_tilde, hs):
        np.random.seed(1)
        random.seed(1)
        np.seterr(all="raise")
        warnings.simplefilter("error")
        sys.stdout = sys.stderr = None
        return dot_by_loop(h_tilde, hs)

    def state():
        kind, keys, *rest = np.random.get_state()
        return kind, keys.tolist(), rest, random.getstate(), np.geterr(), warnings.filters[:], sys.stdout, sys.stderr

    before = state()
    assert report("dot_score", unruly).passed
    assert state() == before


def test_the_learners_names_stay_as_they_were_and_may_be_any(run_cells):
    names = run_cells(
        "sum = len = zip = print = report = run = progress = stages = 3\nnumpy = None\n"
        "def dot_score(h_tilde, hs):\n    return (h_tilde[:, None] * hs).sum(axis=2)\n"
    )
    before = dict(names)
    run_cells('check("dot_score")', names=names)
    assert names == before


@pytest.mark.parametrize("name", ["softmax", "cross_entropy", "cross_entropy_backward", "decoder_step"])
def test_floating_point_errors_that_the_learner_turned_on_change_no_verdict(name, monkeypatch):
    monkeypatch.delitem(vars(EXERCISES[name]), "expected", raising=False)
    with np.errstate(all="raise"), warnings.catch_warnings():
        warnings.simplefilter("error")
        assert report(name, course(name)).passed
        assert np.geterr()["under"] == "raise"


@pytest.mark.parametrize("value", [None, 3, lambda *args, **options: True])
def test_whatever_the_learner_made_of_numpy_the_verdict_is_the_same(value, monkeypatch):
    names = [name for name, original in vars(np).items() if callable(original) and not isinstance(original, type)]
    assert {"exp", "allclose", "isclose", "array", "errstate", "zeros"} <= {*names, "errstate"}
    for name in (*names, "errstate"):
        monkeypatch.setattr(np, name, value)
    right, wrong = report("dot_score", dot_by_loop), report("dot_score", returns([[0.0]]))
    patched = all(getattr(np, name) is value for name in names)
    monkeypatch.undo()
    assert right.passed and not wrong.passed
    assert patched


def test_a_function_that_fails_on_a_changed_numpy_is_told_so(monkeypatch):
    monkeypatch.setattr(np, "exp", None)
    verdict = report("softmax", lambda e: np.exp(e) / np.exp(e).sum(axis=1, keepdims=True))
    monkeypatch.undo()
    assert not verdict.passed and "np.exp is not NumPy's own any more" in verdict.message


class EqualToAll:
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __array__(self, dtype=None, copy=None):
        raise AssertionError("the judge called the learner's code")

    __hash__ = None


class NumberEqualToAll(EqualToAll, float):
    pass


class ArrayEqualToAll(EqualToAll, np.ndarray):
    def __array_function__(self, function, types, args, kwargs):
        return True

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        return True


@pytest.mark.parametrize(
    "wrong",
    [
        EqualToAll(),
        NumberEqualToAll(),
        [[NumberEqualToAll()]],
        np.zeros((3, 5)).view(ArrayEqualToAll),
        [EqualToAll()] * 3,
    ],
    ids=["object", "number", "list of numbers", "array", "list of objects"],
)
@pytest.mark.parametrize("name", ["dot_score", "exact_match", "clip_by_norm"])
def test_nothing_is_right_by_claiming_to_equal_everything(name, wrong):
    assert not report(name, returns(wrong)).passed


def test_what_is_recorded_is_plain_data():
    class Whole(int):
        pass

    class Text(str):
        pass

    odd = [
        NumberEqualToAll(1),
        Whole(1),
        Text("a"),
        np.zeros(2).view(ArrayEqualToAll),
        np.float64(1),
        {Text("b"): Whole(2)},
    ]
    (call, *_) = run.run(returns(odd), EXERCISES["dot_score"].probes).calls

    def exact(value):
        if type(value) is dict:
            return all(type(key) is str and exact(item) for key, item in value.items())
        kinds = bool, int, float, str, np.ndarray, run.Unusable
        return all(map(exact, value)) if type(value) is list else type(value) in kinds

    assert exact(call.result)


# ---- report never raises


class Anything:
    def __getattr__(self, name):
        return 3

    def __call__(self, *args):
        return self


class Nothing:
    def __getattr__(self, name):
        raise RuntimeError(name)

    def __call__(self, *args):
        return self


class Speechless(Exception):
    def __str__(self):
        raise RuntimeError

    __repr__ = __str__


def raises_speechless(*args):
    raise Speechless


def raises_nameless(*args):
    raise type("", (Exception,), {})()


def goes_in_circles(*args):
    raise NameError


goes_in_circles.__wrapped__ = goes_in_circles


def holds_itself(*args):
    result = []
    result.append(result)
    return result


ODD = {
    "None": None,
    "a number": 3,
    "an object": object(),
    "a class": type,
    "a ufunc": np.exp,
    "a method": dict.fromkeys,
    "an object with every attribute": Anything(),
    "an object whose attributes fail": Nothing(),
    "a generator function": generator,
    "a coroutine function": coroutine,
    "an exception without a text": raises_speechless,
    "an exception without a name": raises_nameless,
    "a function wrapped in itself": goes_in_circles,
    "a list in itself": holds_itself,
    "its arguments": lambda *args: args,
    "an ellipsis": lambda *args: ...,
    "a huge array": returns(np.zeros((20_000, 20_000))),
    "a huge number": returns(10**400),
    "a dict": returns({(1, 2): 3, None: 4}),
    "a masked array": returns(np.ma.masked_all(3)),
    "records": returns(np.zeros(3, "i4,f8")),
    "ragged arrays": returns([np.zeros(2), np.zeros(3)]),
}


@pytest.mark.parametrize("odd", ODD)
def test_report_raises_nothing_and_prints_nothing_whatever_it_is_given(odd, capfd):
    for name in ALL:
        verdict = report(name, ODD[odd])
        assert type(verdict) is Verdict and not verdict.passed and type(verdict.message) is str
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("name", ["dot_scor", "", None, 3, [], {}, len])
def test_report_says_when_there_is_no_such_exercise(name):
    verdict = report(name, dot_by_loop)
    assert not verdict.passed and "There is no exercise" in verdict.message


@every_exercise
def test_the_same_function_gets_the_same_verdict_again(name):
    for function in (course(name), other_values(name)):
        assert report(name, function) == report(name, function)


# ---- check

SOLVED = "def dot_score(h_tilde, hs):\n    return (h_tilde[:, None] * hs).sum(axis=2)\n"
NOT_PASSED = {
    "missing": "",
    "unwritten": "def dot_score(h_tilde, hs):\n    ...\n",
    "wrong": "def dot_score(h_tilde, hs):\n    return hs[:, :, 0]\n",
    "failing": "def dot_score(h_tilde, hs):\n    return nothing\n",
    "no function": "dot_score = 3\n",
    "none": "dot_score = None\n",
}
CHECK = 'result = check("dot_score")'

not_passed = pytest.mark.parametrize("cell", NOT_PASSED.values(), ids=NOT_PASSED)
under_grading = pytest.mark.parametrize("grading", [("COURSE_STRICT", "1"), ("NBGRADER_EXECUTION", "validate")])


def test_check_gives_back_the_learners_function_when_it_passes(run_cells, capsys):
    names = run_cells(SOLVED, CHECK)
    assert names["result"] is names["dot_score"]
    assert capsys.readouterr().out == f"{report('dot_score', names['dot_score']).message}\n"


@not_passed
def test_check_gives_the_courses_version_until_then_and_says_so(cell, run_cells, capsys):
    names = run_cells(cell, CHECK)
    assert names["result"] is stages.dot_score
    out, err = capsys.readouterr()
    assert out.startswith(("✗ dot_score: ", "○ dot_score: ")) and "the course's own dot_score is used" in out
    assert err == ""


def test_a_function_that_is_missing_is_named_with_what_to_do(run_cells, capsys):
    run_cells(CHECK)
    assert "no function has this name yet. Run the cell that defines it" in capsys.readouterr().out


def test_the_courses_version_standing_in_does_not_count_as_written(run_cells, capsys):
    names = run_cells('dot_score = check("dot_score")', 'dot_score = check("dot_score")')
    assert names["dot_score"] is stages.dot_score
    out = capsys.readouterr().out
    assert "not written yet: the name holds the course's version" in out and "✓" not in out


def test_a_check_run_again_passes_again(run_cells, capsys):
    names = run_cells(SOLVED, 'dot_score = check("dot_score")', 'dot_score = check("dot_score")')
    first, second = capsys.readouterr().out.splitlines()
    assert first == second and names["dot_score"] is not stages.dot_score


def test_a_misspelt_exercise_is_named_with_the_one_that_is_meant():
    with pytest.raises(ValueError, match="no exercise 'dot_scores'. Do you mean 'dot_score'?"):
        check("dot_scores")


@not_passed
@under_grading
def test_under_grading_what_does_not_pass_raises_its_message_and_prints_nothing(
    grading, cell, run_cells, monkeypatch, capfd
):
    monkeypatch.setenv(*grading)
    with pytest.raises(AssertionError) as error:
        run_cells(cell, CHECK)
    assert str(error.value).startswith(("✗ dot_score: ", "○ dot_score: "))
    assert capfd.readouterr() == ("", "")


@under_grading
def test_under_grading_what_passes_passes_and_nothing_goes_to_stderr(grading, run_cells, monkeypatch, capfd):
    monkeypatch.setenv(*grading)
    names = run_cells(SOLVED, CHECK)
    assert names["result"] is names["dot_score"]
    out, err = capfd.readouterr()
    assert out.startswith("✓") and err == ""


@pytest.mark.parametrize(
    "cells",
    [
        ["from utils import stages", "def dot_score(h_tilde, hs):\n    return stages.dot_score(h_tilde, hs)\n"],
        ["from utils.stages import dot_score as ready", "def dot_score(q, hs):\n    return ready(q, hs)\n"],
        [
            "import utils.stages.scores as s",
            "def help(*args):\n    return s.dot_score(*args)\ndot_score = lambda *a: help(*a)\n",
        ],
        [
            "from utils import stages",
            "def make(f):\n    return lambda *args: f(*args)\ndot_score = make(stages.dot_score)\n",
        ],
    ],
    ids=["by its module", "by another name", "through a helper", "from a closure"],
)
def test_an_answer_that_calls_the_courses_own_version_is_told_so(cells, run_cells, capsys):
    run_cells(*cells, 'check("dot_score")')
    assert "✗ dot_score: it calls the course's own version" in capsys.readouterr().out


def test_an_answer_may_call_the_courses_version_of_another_exercise(run_cells, capsys):
    run_cells(
        "from utils.stages import dot_score_one\n",
        "def dot_score(h_tilde, hs):\n    return [dot_score_one(q, m) for q, m in zip(h_tilde, hs)]\n",
        'check("dot_score")',
    )
    assert capsys.readouterr().out.startswith("✓ dot_score")
