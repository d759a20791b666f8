"""Whose function a notebook trains on: the learner's own where it passes, else the course's."""

import json

import numpy as np
import pytest

from utils import progress, stages
from utils.own import own_stages

RIGHT = "def context_one(a, hs):\n    return a @ hs\n"


def dot_score_one(h_tilde, hs):
    return hs @ h_tilde


def store(source):
    """A record of an earlier session, in which this source passed."""
    progress.FILE.write_text(json.dumps({"context_one": {"source": source}}), encoding="utf-8")


def test_what_passed_in_this_session_is_the_learners_and_all_else_the_courses(capsys):
    progress.passed("dot_score_one", dot_score_one)
    own = own_stages(["dot_score_one", "context_one"])
    assert own.dot_score_one is dot_score_one
    assert all(getattr(own, name) is getattr(stages, name) for name in stages.__all__ if name != "dot_score_one")
    assert capsys.readouterr().out == "yours: dot_score_one\nthe course's: context_one\n"


def test_what_passed_in_an_earlier_session_is_made_from_its_source(capsys):
    store(RIGHT)
    own = own_stages(["context_one"])
    assert own.context_one is not stages.context_one
    np.testing.assert_array_equal(own.context_one(np.array([0.5, 0.5]), np.array([[1, 2], [3, 4]])), [2, 3])
    assert capsys.readouterr().out == "yours: context_one\nthe course's: none\n"


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("def context_one(a, hs)", id="no Python"),
        pytest.param("1 / 0", id="fails"),
        pytest.param(RIGHT.replace("a @ hs", "2 * a @ hs"), id="wrong"),
        pytest.param(RIGHT.replace("a @ hs", "undefined"), id="needs what is not there"),
        pytest.param("", id="none"),
    ],
)
def test_a_source_that_does_not_run_or_passes_no_longer_gives_the_courses(capsys, source):
    store(source)
    assert own_stages(["context_one"]).context_one is stages.context_one
    assert capsys.readouterr().out.endswith("yours: none\nthe course's: context_one\n")


def test_a_function_that_passes_no_longer_is_named(capsys):
    store(RIGHT.replace("a @ hs", "2 * a @ hs"))
    own_stages(["context_one", "dot_score_one"])
    first, *_ = capsys.readouterr().out.splitlines()
    assert "context_one" in first and "does not pass now" in first


def test_a_passed_function_that_is_not_asked_for_is_not_used():
    progress.passed("dot_score_one", dot_score_one)
    assert own_stages(["context_one"]).dot_score_one is stages.dot_score_one
