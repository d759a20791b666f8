"""The first half of a check: call a function on probes and record everything.

Knows no answers, so that it can run where no answers may be. What it records is plain data.
"""

import contextlib
import io
import linecache
import random
import time
import warnings
from dataclasses import dataclass, field
from typing import Any

# Bound when the course is imported: a learner who assigns to np.array later does not reach these.
from numpy import array, array_equal, empty, errstate, generic, ndarray
from numpy.random import get_state, set_state

from utils.checks.limits import TimeUp, call_within
from utils.checks.unwritten import is_empty, why_unfinished

SECONDS = 5.0
"""How long all calls of one check may take together."""

TRAINING_SECONDS = 0.2
"""When to give up on one call at training size; half of it, in processor time, counts as slow."""

LARGEST = 10**7
"""Results with more numbers than this are not kept."""


@dataclass(frozen=True)
class StepTable:
    """A decoder step for `greedy_decode` as plain data: logits = by_word[word] + by_position[state].

    The state counts the steps.
    """

    by_word: ndarray
    by_position: ndarray

    def __call__(self, word, state):
        return self.by_word[int(word)] + self.by_position[min(int(state), len(self.by_position) - 1)], int(state) + 1


@dataclass(frozen=True)
class Probe:
    """One call: its arguments as plain data, and how its arrays lie in memory.

    Attributes
    ----------
    name : str
    args : tuple
        Arrays, numbers, lists or dicts of arrays, a StepTable.
    layout : str
        "plain", "strided" (every other element of a larger array), or "read-only".
    special : bool
        Whether its name says what is hard about it, and not just how large it is.
    twice : bool
        Whether the call is made again.
    """

    name: str
    args: tuple
    layout: str = "plain"
    special: bool = False
    twice: bool = True

    def fresh_args(self):
        """A new copy of the arguments, to be handed out."""
        return map_arrays(lambda x: _laid_out(x, self.layout), self.args)


@dataclass
class Call:
    """What one call did.

    Attributes
    ----------
    outcome : str
        "returned", "raised" or "time up".
    result : plain data
        Arrays, numbers, lists and dicts of them, None, or an Unusable.
    again : plain data
        The result of a second call with the same arguments; where none is made, that of the first.
    changed : list of int
        The positions of the arguments that the call changed.
    handed_back : bool
        Whether the result is, or contains, an array that was an argument.
    reused : bool
        Whether both calls gave out the same array object, so that the second overwrote the first's result.
    error, line : str
        The exception in one line, and the learner's line that raised it.
    """

    outcome: str = "returned"
    result: Any = None
    again: Any = None
    changed: list = field(default_factory=list)
    handed_back: bool = False
    reused: bool = False
    error: str = ""
    line: str = ""


@dataclass
class Record:
    """What a function did on all probes.

    Attributes
    ----------
    calls : list of Call
    slow : bool
        Whether the call at training size took too long.
    unwritten : str or None
        Where the function is not written yet: words that follow these, or "".
    """

    calls: list
    slow: bool = False
    unwritten: str | None = None


@dataclass(frozen=True)
class Unusable:
    """Stands for a result that is no array, number, list or dict of them; says what it was."""

    kind: str


def run(function, probes, training=None, patience=1):
    """Call a function on every probe, twice, and record what happens.

    Parameters
    ----------
    function : function
    probes : list of Probe
    training : Probe or None
        A call of the size that training needs, to find out whether the function is fast enough.
    patience : int
        How many times SECONDS it may take where the machine is busy (see `call_within`).

    Returns
    -------
    Record
        Ends with the first call that ran out of time; a function with an empty body is not called. What the
        function prints, warns or does to random states is the caller's to undo: see `undisturbed`.
    """
    if is_empty(function):
        return Record([], unwritten="")
    calls = []
    began = time.thread_time()
    try:
        call_within(SECONDS, _run_all, function, probes, calls, patience=patience)
    except TimeUp:
        if not calls:
            calls.append(Call())
        calls[-1].outcome = "time up"
    record = Record(calls, unwritten=why_unfinished(function, calls[0]) or None)
    if training is not None and all(call.outcome == "returned" for call in calls):
        # A few dozen numbers that take so long need no larger call to be known as slow.
        record.slow = time.thread_time() - began > TRAINING_SECONDS or _is_slow(function, training)
    return record


def _run_all(function, probes, calls):
    for probe in probes:
        call = Call()
        calls.append(call)
        args = probe.fresh_args()
        try:
            first = function(*args)
            call.result = call.again = plain(first)
            call.changed = [k for k, (now, then) in enumerate(zip(args, probe.args)) if not _same(now, then)]
            call.handed_back = any(one is given for one in arrays_in(first) for given in arrays_in(args))
            if probe.twice:
                second = function(*probe.fresh_args())
                call.again = plain(second)
                call.reused = any(one is other for one in arrays_in(first) for other in arrays_in(second))
        except (KeyboardInterrupt, TimeUp):
            raise
        except BaseException as error:  # SystemExit too: nothing may end the notebook
            call.outcome = "raised"
            call.error = _told(error)
            call.line = _line_of(error, function)


def _told(error):
    """An exception in one short line."""
    try:
        text = str(error).strip()
    except Exception:
        text = ""
    first = text.splitlines()[0][:300] if text else ""
    return f"{type(error).__name__}: {first}" if first else type(error).__name__


def _is_slow(function, training):
    """Whether a call at training size takes too long. Counts processor time: a busy machine makes no function slow."""
    args = training.fresh_args()
    began = time.thread_time()
    try:
        call_within(TRAINING_SECONDS, function, *args)
    except TimeUp:
        pass
    except KeyboardInterrupt:
        raise
    except BaseException:  # the probes have judged it already
        return False
    return time.thread_time() - began > TRAINING_SECONDS / 2


@contextlib.contextmanager
def undisturbed():
    """Swallow what is printed and warned; leave the random states and NumPy's error state as they were."""
    numpy_state, python_state = get_state(), random.getstate()
    silence = _Silence()
    try:
        with (
            contextlib.redirect_stdout(silence),
            contextlib.redirect_stderr(silence),
            warnings.catch_warnings(),
            errstate(all="ignore"),
        ):
            warnings.simplefilter("ignore")
            yield
    finally:
        set_state(numpy_state)
        random.setstate(python_state)


class _Silence(io.TextIOBase):
    def write(self, text):
        return len(text)


def plain(result):
    """A result as plain data that does not change when the learner's arrays do."""
    if result is None or type(result) in (bool, str):
        return result
    if isinstance(result, (ndarray, generic)):
        if result.size > LARGEST:
            return Unusable(f"an array of shape {result.shape}, far too large")
        if result.dtype.kind not in "biufc":
            return Unusable(f"an array of {result.dtype.name}")
        return array(result, subok=False)
    for kind in (int, float):
        if isinstance(result, kind):
            return kind.__pos__(result)  # a number of exactly this type, whatever a subclass claims
    if isinstance(result, (list, tuple)):
        return [plain(item) for item in result]
    if isinstance(result, dict):
        return {str(key): plain(item) for key, item in result.items()}
    return Unusable(f"a {type(result).__name__}")


def _line_of(error, function):
    """The deepest line of the traceback that stands in the same file (or cell) as the function."""
    code = getattr(function, "__code__", None)
    line, traceback = "", error.__traceback__
    while traceback is not None:
        frame = traceback.tb_frame
        if code is not None and frame.f_code.co_filename == code.co_filename:
            line = linecache.getline(code.co_filename, traceback.tb_lineno).strip() or line
        traceback = traceback.tb_next
    return line


def _laid_out(x, layout):
    if layout == "strided":
        larger = empty(tuple(2 * size for size in x.shape), x.dtype)
        view = larger[tuple(slice(None, None, 2) for _ in x.shape)]
        view[...] = x
        return view
    copy = array(x)
    copy.flags.writeable = layout != "read-only"
    return copy


def map_arrays(f, value):
    if isinstance(value, ndarray):
        return f(value)
    if isinstance(value, StepTable):
        return StepTable(f(value.by_word), f(value.by_position))
    if isinstance(value, (list, tuple)):
        items = [map_arrays(f, item) for item in value]
        return items if isinstance(value, list) else tuple(items)
    if isinstance(value, dict):
        return {key: map_arrays(f, item) for key, item in value.items()}
    return value


def arrays_in(value):
    """All arrays in a value of lists, tuples, dicts and step tables."""
    found = []
    map_arrays(lambda x: found.append(x) or x, value)
    return found


def _same(now, then):
    """Whether an argument still is what it was before the call."""
    if isinstance(then, ndarray):
        return (
            isinstance(now, ndarray)
            and now.shape == then.shape
            and now.dtype == then.dtype
            and array_equal(now, then, equal_nan=then.dtype.kind == "f")
        )
    if isinstance(then, StepTable):
        return _same(now.by_word, then.by_word) and _same(now.by_position, then.by_position)
    if isinstance(then, (list, tuple)):
        return len(now) == len(then) and all(map(_same, now, then))
    if isinstance(then, dict):
        return now.keys() == then.keys() and all(_same(now[key], then[key]) for key in then)
    return True
