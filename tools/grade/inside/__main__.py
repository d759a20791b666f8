"""Runs in the sandbox: takes a submission and one task after another, and answers each from a process of its own.

A line of JSON comes in for each task, lines go out. What runs here can say what it likes: whoever reads it
believes nothing (see tools.grade.sandbox).
"""

import contextlib
import os
import resource
import signal
import sys
import time
from types import ModuleType, SimpleNamespace

from inside import answers, wire

from utils.checks.limits import TimeUp, call_within
from utils.checks.run import SECONDS, Call, Probe, Record, plain, run, undisturbed

PATIENCE = 4
"""How many times the seconds of a check an answer may take where the machine is busy."""

GRACE = 2.0
"""How many seconds a process may take beyond that before it is ended."""

LIMITS = {
    resource.RLIMIT_AS: 2**30,
    resource.RLIMIT_CPU: 60,
    resource.RLIMIT_FSIZE: 16 * 2**20,
    resource.RLIMIT_NOFILE: 128,
    resource.RLIMIT_CORE: 0,
}

MOST_PROCESSES = 16
"""With their threads. Kept only where there are no others: they are counted for a whole user."""


class CourseVersion(Exception):
    """Raised where an answer calls the course's own version of what it has to answer."""


class Channel:
    """Lines to and from the grader, over what were standard input and output; those are closed to answers."""

    def __init__(self):
        self._in, self._out, self._rest = os.dup(0), os.dup(1), b""
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)

    def send(self, message):
        line = wire.dumps(message)
        while line:
            line = line[os.write(self._out, line) :]

    def receive(self):
        """The next message; None at the end."""
        while b"\n" not in self._rest:
            more = os.read(self._in, 2**20)
            if not more:
                return None
            self._rest += more
        line, _, self._rest = self._rest.partition(b"\n")
        return wire.loads(line)


def main(alone, user):
    """Serve until the grader closes the channel.

    Parameters
    ----------
    alone : bool
        Whether there are no other processes here than these, so that whatever is left of an answer can be ended.
    user : int
        Whom to become where this starts as root; 0 to stay.
    """
    channel = Channel()
    _give_up_rights(user, LIMITS | {resource.RLIMIT_NPROC: MOST_PROCESSES} if alone else LIMITS)
    submission = channel.receive()
    if (process := os.fork()) == 0:  # where none can be started, that is no answer's fault
        os._exit(0)
    os.waitpid(process, 0)
    channel.send({"ready": True})
    student, course = (answers.Notebook(submission[whose], f"{whose}'s cell") for whose in ("student", "course"))
    while (task := channel.receive()) is not None:
        if "exercise" not in task:
            continue  # a reply to a process that did not wait for it
        process = os.fork()
        if process == 0:
            try:
                os.setsid()
                _answer(channel, student, course, task)
            finally:
                os._exit(0)
        in_time = _wait(process)
        _end_what_is_left_of(process, alone)
        if not in_time:
            channel.send({"record": wire.pack_record(Record([Call("time up")]))})
        channel.send({"ended": task["exercise"]})


def _give_up_rights(user, limits):
    if user:
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)
    for limit, most in limits.items():
        allowed = resource.getrlimit(limit)[1]
        most = most if allowed == resource.RLIM_INFINITY else min(most, allowed)
        with contextlib.suppress(ValueError, OSError):  # macOS has no limit of memory
            resource.setrlimit(limit, (most, most))


def _wait(process):
    """Wait until a process ends; end it when it takes too long. Gives whether it ended by itself."""
    deadline, pause = time.monotonic() + PATIENCE * SECONDS + GRACE, 0.001
    while os.waitpid(process, os.WNOHANG) == (0, 0):
        if time.monotonic() > deadline:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
            return False
        time.sleep(pause)
        pause = min(2 * pause, 0.02)
    return True


def _end_what_is_left_of(process, alone):
    """End all other processes, and wait until they are gone; where this isn't alone, end those of its group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if not alone:
            os.killpg(process, signal.SIGKILL)
        while alone:
            os.kill(-1, signal.SIGKILL)
            time.sleep(0.001)


def _answer(channel, student, course, task):
    """Load the answer, call it with all probes, and send what was recorded."""
    name = task["exercise"]
    given = {one: _on_request(channel, one) for one in task["given"]}
    _stand_in_for_the_course(given, task["modules"])
    instead = {one: function for one, function in given.items() if one not in task["passed"]}
    loaded = []

    def load():
        loaded.append(answers.load(name, student, course, instead, task["exercises"]))

    probes = [Probe(*parts) for parts in wire.unpack(task["probes"])]
    with undisturbed():
        try:
            call_within(SECONDS, load, patience=PATIENCE)
        except TimeUp:
            loaded.append((None, "the cells that it needs did not come to an end"))
        function, problem = loaded[0]
        record = run(function, probes, patience=PATIENCE) if callable(function) else None
    if record is None:
        channel.send({"none": problem or ("" if function is None else f"it is a {type(function).__name__}")})
    else:
        channel.send({"record": wire.pack_record(record), "note": problem})


def _on_request(channel, name):
    """A function that the grader computes, outside, with the course's version."""
    serial = iter(range(10**9))

    def course_version(*args, **kwargs):
        number = [name, next(serial)]
        channel.send({"call": number, "args": wire.pack(plain(args)), "kwargs": wire.pack(plain(kwargs))})
        while True:
            reply = channel.receive()
            if reply is None:
                raise EOFError("the grader has gone")
            if reply.get("reply") == number:
                break
        if "error" in reply:
            raise ValueError(reply["error"])
        return wire.unpack(reply["value"])

    course_version.__name__ = name
    return course_version


def _stand_in_for_the_course(given, modules):
    """Put modules in the places of the course's that notebooks import and that know its solutions."""

    def of_the_course(name):
        if name.startswith("__"):
            raise AttributeError(name)

        def refuse(*args, **kwargs):
            raise CourseVersion(name)

        return given.get(name, refuse)

    stages = ModuleType("utils.stages")
    stages.__getattr__, stages.__path__ = of_the_course, []
    own = ModuleType("utils.own")
    own.own_stages = lambda names: SimpleNamespace(**{name: of_the_course(name) for name in names})
    sys.modules |= {"utils.stages": stages, "utils.own": own}
    sys.modules |= dict.fromkeys(modules, stages)
    checks = sys.modules["utils.checks"]
    checks.check = lambda name: sys._getframe(1).f_globals[name]
    checks.progress = checks.report = lambda *args: None


if __name__ == "__main__":
    main(alone=sys.argv[1] == "alone", user=int(sys.argv[2]))
