"""The register that the modules of known wrong answers write into."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Mistake:
    """A known wrong answer: its name, what a learner who gave it is told, and a function that gives it."""

    name: str
    cause: str
    function: Callable


MISTAKES = {}
"""Exercise to list of Mistake."""


def mistake(exercise, cause):
    """Enter the decorated function as a known wrong answer to an exercise; the cause is what the learner is told."""

    def enter(function):
        MISTAKES.setdefault(exercise, []).append(Mistake(function.__name__, cause, function))
        return function

    return enter


def mistake_in_both(one, batch):
    """`mistake` for an exercise that is written for one sentence and for a batch, where one function serves both."""

    def mistake_with(cause):
        return lambda function: mistake(batch, cause)(mistake(one, cause)(function))

    return mistake_with
