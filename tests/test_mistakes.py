"""The register of known wrong answers, and what the record itself tells where none of them fits."""

import re

import numpy as np
import pytest

from utils import stages
from utils.checks import report
from utils.checks.check import EXERCISES
from utils.checks.mistakes import MISTAKES

EVERY = [(exercise, mistake) for exercise, mistakes in MISTAKES.items() for mistake in mistakes]


@pytest.mark.parametrize("exercise", EXERCISES)
def test_every_known_mistake_is_rejected_and_told_its_own_cause(exercise):
    for mistake in MISTAKES[exercise]:
        verdict = report(exercise, mistake.function)
        assert not verdict.passed, mistake.name
        assert verdict.message.startswith(f"✗ {exercise}: {mistake.cause}\n"), (mistake.name, verdict.message)


@pytest.mark.parametrize("exercise", EXERCISES)
def test_one_name_stands_for_one_cause(exercise):
    causes = {}
    for mistake in MISTAKES[exercise]:
        assert causes.setdefault(mistake.name, mistake.cause) == mistake.cause


def test_causes_are_short_sentences_that_go_on_from_the_exercises_name():
    for exercise, mistake in EVERY:
        where = f"{exercise}/{mistake.name}: {mistake.cause}"
        assert len(mistake.cause) <= 200 and mistake.cause[-1] in ".?", where
        assert not re.match(r"[A-Z][a-z]{2}", mistake.cause), where
        assert "\n" not in mistake.cause and "$" not in mistake.cause, where


def test_no_cause_gives_the_solution_away():
    for exercise, mistake in EVERY:
        assert "return" not in mistake.cause.split() or "not return" in mistake.cause or "return " not in mistake.cause
        assert "axis=" not in mistake.cause and "lambda" not in mistake.cause, (exercise, mistake.name)


# ---- what the record tells: one planted slip for every reason


def turned(function, change):
    """The course's function with a change made to its result."""
    return lambda *args: change(function(*args))


def at(k, change):
    """A change made to result k of several."""
    return lambda results: [change(result) if i == k else result for i, result in enumerate(results)]


PLANTED = {
    "wrong_sign": ("linear_backward", at(1, np.negative)),
    "constant_factor": ("context_backward", at(0, lambda da: 3.7 * da)),
    "transposed": ("decoder_step", at(0, np.transpose)),
    "axis_too_many": ("context", lambda c: c[:, None]),
    "axis_missing": ("provisional_states", lambda states: states[:, 3 % states.shape[1]]),
    "wrong_length": ("provisional_states", lambda states: np.concatenate([states, states], axis=1)),
    "single_number": ("attention_backward", at(1, lambda dhs: dhs.max())),
    "all_zero": ("rnn_step_backward", at(2, np.zeros_like)),
    "cut_to_whole_numbers": ("linear_backward", at(0, lambda dx: np.trunc(dx).astype(int))),
    "reversed": ("rnn_step_backward", at(0, lambda dx: dx[::-1])),
    "right_in_the_first_only": ("rnn_step_backward", at(1, lambda d: d * (np.arange(len(d)) == 0)[:, None])),
    "nearly_zero": ("masked_softmax", lambda a: a + 1e-12 * (a == 0)),
}


@pytest.mark.parametrize("reason", PLANTED)
def test_a_slip_that_no_known_mistake_describes_is_reasoned_out(reason):
    exercise, change = PLANTED[reason]
    assert report(exercise, turned(getattr(stages, exercise), change)).diagnosis == reason


ERRORS = {
    "shapes_do_not_fit": lambda *args: np.zeros((3, 4)) + np.zeros((3, 5)),
    "product_does_not_fit": lambda *args: np.zeros((3, 4)) @ np.zeros((3, 5)),
    "whole_number_array": lambda *args: np.add(np.zeros(3, int), 0.5, out=np.zeros(3, int)),
    "truth_of_an_array": lambda *args: bool(np.zeros(3)),
    "unknown_name": lambda *args: a_name_that_is_nowhere,  # noqa: F821
    "index_out_of_bounds": lambda *args: np.zeros(3)[7],
    "no_index": lambda *args: np.zeros(3)[0.5],
    "cannot_be_reshaped": lambda *args: np.zeros(15).reshape(-1, 4),
    "keep_of_0_and_1": lambda *args: ~np.zeros(3),
    "wrong_argument": lambda h_tilde, hs: stages.dot_score(h_tilde[0], hs),
}


@pytest.mark.parametrize("name", ERRORS)
def test_a_usual_error_is_explained(name):
    verdict = report("dot_score", ERRORS[name])
    assert verdict.diagnosis == name and "stopped with" in verdict.message


def test_the_first_wrong_result_of_a_step_is_named():
    def forgets_the_mask(x, carry, hs, keep, p):
        logits, a, h_tilde, h = stages.decoder_step(x, carry, hs, keep, p)
        return logits + 1, 0.5 * a + 0.1 / a.shape[1], h_tilde, h + 0.1 * h**2

    verdict = report("decoder_step", forgets_the_mask)
    assert verdict.diagnosis == "wrong_from_a"
    assert "h_tilde is right, and a is the first result that is wrong" in verdict.message


def test_results_that_have_changed_places_are_named():
    verdict = report("attention", lambda *args: stages.attention(*args)[::-1])
    assert verdict.diagnosis == "results_exchanged"
    crosswise = report("adam_step", turned(stages.adam_step, lambda results: (results[0], results[2], results[1])))
    assert crosswise.diagnosis == "exchanged" and "m and v have changed places" in crosswise.message


def test_what_fits_nothing_gets_no_name():
    noise = np.random.RandomState(0)
    assert report("dot_score", lambda q, hs: stages.dot_score(q, hs) + noise.rand(*hs.shape[:2])).diagnosis in (
        None,
        "right_once",
    )
    assert report("dot_score", lambda q, hs: stages.dot_score(q, hs) ** 2 + 0.37).diagnosis is None


def test_a_mistake_that_also_fails_on_extreme_inputs_still_gets_its_name():
    """It is the mistake on every ordinary input; on the special ones it does something else again."""

    def over_the_batch(e):
        if np.abs(e).max() > 50:
            return np.zeros(e.shape)
        z = np.exp(e)
        return z / z.sum(axis=0)

    assert report("softmax", over_the_batch).diagnosis == "over_the_batch"
