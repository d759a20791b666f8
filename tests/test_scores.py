"""Notebook 02, stage 2: scores."""

import itertools

import numpy as np
import pytest

from tests.drawn import expect_inside
from utils import stages
from utils.stages import (
    additive_score,
    additive_score_backward,
    additive_score_one,
    dot_score,
    dot_score_backward,
    dot_score_one,
)
from utils.widgets import explore_scores

KINDS = ["dot_score", "additive_score"]


def inputs(kind, seed):
    """h̃, hs and the weights, if there are any, of a batch of a size that depends on the seed."""
    rng = np.random.RandomState(seed)
    N, T, H, A = rng.randint(1, 7, 4)
    states = rng.randn(N, H), rng.randn(N, T, H)
    return states if kind == "dot_score" else (*states, rng.randn(H, A), rng.randn(H, A), rng.randn(A))


@pytest.mark.parametrize("seed", range(10))
def test_dot_scores_are_the_loop_over_words_and_numbers(seed):
    h_tilde, hs = inputs("dot_score", seed)
    N, T, H = hs.shape
    e = np.zeros((N, T))
    for n, i, k in np.ndindex(N, T, H):
        e[n, i] += h_tilde[n, k] * hs[n, i, k]
    np.testing.assert_allclose(dot_score(h_tilde, hs), e, atol=1e-12)


@pytest.mark.parametrize("seed", range(10))
def test_additive_scores_are_the_loop_over_words_and_hidden_units(seed):
    h_tilde, hs, W1, W2, v = inputs("additive_score", seed)
    e = np.zeros(hs.shape[:2])
    for n, i, k in np.ndindex(*e.shape, len(v)):
        e[n, i] += v[k] * np.tanh(h_tilde[n] @ W1[:, k] + hs[n, i] @ W2[:, k])
    np.testing.assert_allclose(additive_score(h_tilde, hs, W1, W2, v), e, atol=1e-12)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("kind", KINDS)
def test_a_batch_is_scored_sentence_by_sentence(kind, seed):
    h_tilde, hs, *weights = inputs(kind, seed)
    one = getattr(stages, f"{kind}_one")
    rows = [one(h_tilde[n], hs[n], *weights) for n in range(len(hs))]
    np.testing.assert_allclose(getattr(stages, kind)(h_tilde, hs, *weights), rows, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_a_state_changes_its_own_score_and_no_other(kind):
    h_tilde, hs, *weights = inputs(kind, 1)
    assert hs.shape[0] > 1 and hs.shape[1] > 2
    other = hs.copy()
    other[1, 2] += 1
    moved = getattr(stages, kind)(h_tilde, hs, *weights) != getattr(stages, kind)(h_tilde, other, *weights)
    assert np.argwhere(moved).tolist() == [[1, 2]]


@pytest.mark.parametrize("kind", KINDS)
def test_another_provisional_state_changes_all_scores_of_its_sentence_and_no_others(kind):
    h_tilde, hs, *weights = inputs(kind, 1)
    other = h_tilde.copy()
    other[1] += 1
    moved = getattr(stages, kind)(h_tilde, hs, *weights) != getattr(stages, kind)(other, hs, *weights)
    assert moved[1].all() and not np.delete(moved, 1, axis=0).any()


def test_under_dot_a_state_twice_as_long_scores_twice_as_high():
    h_tilde, hs = inputs("dot_score", 0)
    np.testing.assert_allclose(dot_score(h_tilde, 2 * hs), 2 * dot_score(h_tilde, hs))


def test_an_additive_score_never_leaves_its_bounds_however_long_the_states_are():
    h_tilde, hs, W1, W2, v = inputs("additive_score", 0)
    for length in (1, 100, 1e6):
        assert (np.abs(additive_score(length * h_tilde, length * hs, W1, W2, v)) <= np.abs(v).sum() + 1e-12).all()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("score", "backward"), [(dot_score, dot_score_backward), (additive_score, additive_score_backward)]
)
def test_the_gradients_agree_with_nudging(score, backward, seed, agree_with_nudging):
    args = inputs(score.__name__, seed)
    de = np.random.RandomState(seed + 100).randn(*args[1].shape[:2])
    agree_with_nudging(backward(de, *args), lambda *args: (de * score(*args)).sum(), *args)


# ---- the explorer


@pytest.fixture
def explorer():
    hs = np.array([[1.0, 0.0], [0.6, 1.0], [-0.3, 0.8], [-0.3, -0.9]])
    return explore_scores(dot_score_one, additive_score_one, hs)


MOVES = [{"turn": 100}, {"length": 2.0}, {"times": 3.0}, {"times": 3.0, "grows": "h_1"}, {"score": "additive"}]


def test_every_move_changes_what_is_drawn_and_what_is_told(explorer):
    told = [explorer.drawing(**move) for move in [{}, *MOVES]]
    assert len({drawing.svg for drawing in told}) == len({drawing.description for drawing in told}) == len(told)


@pytest.mark.parametrize("v", ["v_1", "v_2"])
def test_v_counts_for_the_additive_score_only(explorer, v):
    assert explorer.drawing(**{v: -1.0}).svg == explorer.drawing().svg
    assert explorer.drawing(score="additive", **{v: -1.0}).svg != explorer.drawing(score="additive").svg


def test_the_explorer_runs_on_the_functions_it_is_given():
    ten = explore_scores(lambda q, hs: [1.0, 10.0, 2.0, 3.0], additive_score_one, np.eye(4, 2))
    assert "h_2: 10.00" in ten.drawing().description and "h_2 wins" in ten.drawing().description


def test_scores_that_are_equal_draw(explorer):
    drawing = explorer.drawing(length=0.0)
    assert "h_1: 0.00, h_2: 0.00, h_3: 0.00, h_4: 0.00. 4 states draw." in drawing.description
    assert "4 states draw" in drawing.svg and "wins" not in drawing.svg


def test_the_explorer_shows_what_the_learners_functions_give_as_lists_too(explorer):
    hs = np.array([[1.0, 0.0], [0.6, 1.0], [-0.3, 0.8], [-0.3, -0.9]])
    listed = explore_scores(
        lambda *args: dot_score_one(*args).tolist(), lambda *args: additive_score_one(*args).tolist(), hs
    )
    for score in ("dot", "additive"):
        assert listed.drawing(score=score) == explorer.drawing(score=score)


@pytest.mark.parametrize("score", ["dot", "additive"])
def test_the_explorer_draws_inside_its_canvas_at_all_extremes(explorer, score):
    for turn, length, grows, times in itertools.product(
        [-180, -107, -90, 0, 55, 90], [0.0, 3.0], ["h_1", "h_2", "h_3", "h_4"], [1.0, 3.5, 8.0]
    ):
        expect_inside(explorer.drawing(turn=turn, length=length, grows=grows, times=times, score=score).svg)


@pytest.mark.parametrize("shape", [(3, 2), (4, 3), (4,)])
def test_states_of_another_shape_are_refused_in_one_sentence(shape):
    with pytest.raises(ValueError, match="four states in the plane need"):
        explore_scores(dot_score_one, additive_score_one, np.ones(shape))
