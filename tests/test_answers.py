"""The collected answers: no wrong one passes, no right one fails, and the wrong ones are told why."""

import json
from pathlib import Path

import pytest

from tests.answers import ANSWERS
from utils.checks import report
from utils.checks.check import EXERCISES

RIGHT = [(exercise, name) for exercise, answers in ANSWERS.items() for name, (_, wrong) in answers.items() if not wrong]
# What each wrong answer is told, by the diagnosis's name; null where only the difference is shown.
DIAGNOSES = json.loads((Path(__file__).parent / "answers/diagnoses.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("exercise", "name"), RIGHT)
def test_a_right_answer_passes(exercise, name):
    assert report(exercise, ANSWERS[exercise][name][0]).passed


@pytest.mark.parametrize("exercise", ANSWERS)
def test_every_wrong_answer_is_rejected_with_its_diagnosis(exercise):
    wrong = {name: function for name, (function, what) in ANSWERS[exercise].items() if what}
    verdicts = {name: report(exercise, function) for name, function in wrong.items()}
    assert not [name for name, verdict in verdicts.items() if verdict.passed]
    assert {name: verdict.diagnosis for name, verdict in verdicts.items()} == DIAGNOSES[exercise]


def test_every_exercise_has_answers():
    assert set(ANSWERS) == set(EXERCISES)


def test_nine_wrong_answers_of_ten_get_a_cause():
    diagnoses = [diagnosis for of_exercise in DIAGNOSES.values() for diagnosis in of_exercise.values()]
    assert sum(diagnosis is not None for diagnosis in diagnoses) >= 0.9 * len(diagnoses)
