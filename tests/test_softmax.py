"""Notebook 03, stage 3: scores become attention weights."""

import itertools
import re
from xml.etree import ElementTree

import numpy as np
import pytest

from tests.drawn import expect_inside, unreadable
from utils.stages import masked_softmax, softmax, softmax_backward, softmax_one
from utils.widgets import explore_softmax

HUGE = np.array([[1000.0, 1001, 999], [-1000, -1001, -999], [1e300, -1e300, 0], [-1e300, -1e300, -1e300]])


def scores(seed):
    """Scores, and a mask with holes in which every row keeps something and the first does not keep all."""
    rng = np.random.RandomState(seed)
    N, T = rng.randint(2, 7, 2)
    keep = rng.rand(N, T) < 0.6
    keep[np.arange(N), rng.randint(1, T, N)] = True
    keep[0, 0] = False
    return 3 * rng.randn(N, T), keep


# ---- softmax


@pytest.mark.parametrize("seed", range(10))
def test_weights_are_positive_and_sum_to_one(seed):
    e, _ = scores(seed)
    a = softmax(e)
    assert (a > 0).all()
    np.testing.assert_allclose(a.sum(axis=1), 1)


@pytest.mark.parametrize("seed", range(10))
def test_weights_are_in_the_proportions_of_exp(seed):
    e, _ = scores(seed)
    a = softmax(e)
    np.testing.assert_allclose(a / a[:, :1], np.exp(e - e[:, :1]))


@pytest.mark.parametrize("seed", range(5))
def test_a_batch_is_the_softmax_of_each_row(seed):
    e, _ = scores(seed)
    np.testing.assert_allclose(softmax(e), [softmax_one(row) for row in e])


def test_raising_all_scores_of_a_row_changes_nothing():
    e, _ = scores(0)
    raised = e + 100 * np.arange(len(e))[:, None]
    np.testing.assert_allclose(softmax(raised), softmax(e))


def test_huge_scores_stay_finite():
    a = softmax(HUGE)
    assert np.isfinite(a).all()
    np.testing.assert_allclose(a.sum(axis=1), 1)
    np.testing.assert_allclose(a[0], softmax(np.array([[0.0, 1, -1]]))[0])
    np.testing.assert_allclose([softmax_one(row) for row in HUGE], a)


# ---- masked softmax


@pytest.mark.parametrize("seed", range(10))
def test_padding_gets_exactly_nothing_and_the_rest_sums_to_one(seed):
    e, keep = scores(seed)
    a = masked_softmax(e, keep)
    assert (a[~keep] == 0).all() and (a[keep] > 0).all()
    np.testing.assert_allclose(a.sum(axis=1), 1)


@pytest.mark.parametrize("seed", range(10))
def test_words_that_are_kept_are_weighed_as_if_there_were_no_others(seed):
    e, keep = scores(seed)
    a = masked_softmax(e, keep)
    for n in range(len(e)):
        np.testing.assert_allclose(a[n, keep[n]], softmax_one(e[n, keep[n]]))


def test_with_everything_kept_it_is_the_softmax():
    e, keep = scores(0)
    np.testing.assert_allclose(masked_softmax(e, np.ones_like(keep)), softmax(e))


def test_a_row_with_nothing_to_keep_is_all_zero_and_the_others_are_not_disturbed():
    e, keep = scores(1)
    nothing = keep.copy()
    nothing[0] = False
    assert (masked_softmax(e, nothing)[0] == 0).all()
    assert np.array_equal(masked_softmax(e, nothing)[1:], masked_softmax(e, keep)[1:])


@pytest.mark.parametrize("score", [1e6, -1e6, np.inf, -np.inf, np.nan])
def test_the_score_at_padding_does_not_matter(score):
    e, keep = scores(2)
    assert np.array_equal(masked_softmax(np.where(keep, e, score), keep), masked_softmax(e, keep))


@pytest.mark.parametrize("height", [1e9, -1e9, 1e300])
def test_kept_scores_of_any_height_are_weighed(height):
    keep = np.array([[True, True, False]])
    assert masked_softmax(np.array([[height, height, 0]]), keep).tolist() == [[0.5, 0.5, 0]]


def test_a_mask_of_ones_and_zeros_means_the_same():
    e, keep = scores(3)
    for kind in (int, float):
        assert np.array_equal(masked_softmax(e, keep.astype(kind)), masked_softmax(e, keep))


# ---- backwards


@pytest.mark.parametrize("seed", range(5))
def test_the_gradient_agrees_with_nudging(seed, agree_with_nudging):
    e, _ = scores(seed)
    da = np.random.RandomState(seed + 100).randn(*e.shape)
    agree_with_nudging([softmax_backward(da, softmax(e))], lambda e: (da * softmax(e)).sum(), e)


@pytest.mark.parametrize("seed", range(5))
def test_the_gradient_of_the_masked_softmax_agrees_with_nudging_and_is_zero_at_padding(seed, agree_with_nudging):
    e, keep = scores(seed)
    da = np.random.RandomState(seed + 100).randn(*e.shape)
    de = softmax_backward(da, masked_softmax(e, keep))
    agree_with_nudging([de], lambda e: (da * masked_softmax(e, keep)).sum(), e)
    assert (de[~keep] == 0).all()


def test_what_one_score_gains_the_others_lose():
    e, _ = scores(4)
    de = softmax_backward(np.random.RandomState(0).randn(*e.shape), softmax(e))
    np.testing.assert_allclose(de.sum(axis=1), 0, atol=1e-12)


# ---- the explorer

ALL_PADDING = {f"keep_{i}": False for i in range(1, 6)}
MOVED = {"tau": 3.2, "e_3": 7.0, **ALL_PADDING, "keep_5": True}


def shown(**values):
    return explore_softmax(masked_softmax).drawing(**values)


def told(drawing):
    """Weights, entropy, lowest and highest slope, as the description tells them."""
    weights = [float(number) for number in re.findall(r"a_\d: (\d\.\d\d)", drawing.description)]
    rest = re.search(r"entropy (\S+) nats.*go from (\S+) to (\S+)\.$", drawing.description)
    return weights, *(float(number.replace("−", "-")) for number in rest.groups())


@pytest.mark.parametrize("control", MOVED)
def test_every_control_of_the_explorer_changes_its_drawing(control):
    assert shown(**{control: MOVED[control]}).svg != shown().svg


@pytest.mark.parametrize("tau", [0.05, 0.4, 1.0, 20.0])
def test_the_slopes_shown_are_those_of_nudging_the_scores_before_the_temperature(tau):
    e, keep = np.array([[2.0, 0, 3, 1, 1]]), np.array([[1, 1, 1, 1, 0]])
    nudges = 1e-6 * np.eye(5)
    up, down = (masked_softmax((e + way * nudges) / tau, np.repeat(keep, 5, axis=0)) for way in (1, -1))
    slopes = (up - down) / 2e-6
    svg = ElementTree.fromstring(shown(tau=tau).svg)
    middles = [text for text in svg.findall("{*}text") if text.get("text-anchor") == "middle"]
    cells = [float(text.text.replace("−", "-")) for text in middles if re.fullmatch(r"−?\d\.\d\d", text.text)]
    np.testing.assert_allclose(np.reshape(cells, (5, 5)), slopes, atol=0.00501)


def test_the_explorer_shows_what_the_learners_function_gives_as_a_list_too():
    drawing = explore_softmax(lambda e, keep: [[0.5, 0.25, 0.25, 0.0, 0.0]]).drawing(tau=0.1)
    weights, nats, lowest, highest = told(drawing)
    assert weights == [0.5, 0.25, 0.25, 0, 0] and nats == round(1.5 * np.log(2), 2)
    assert (lowest, highest) == (-1.25, 2.5)


def test_a_draw_at_a_low_temperature_halves_the_weight_and_has_the_steepest_slopes():
    assert told(shown(tau=0.05, e_3=2.0)) == ([0.5, 0, 0.5, 0, 0], 0.69, -5, 5)


@pytest.mark.parametrize("tau", [0.05, 20.0])
def test_without_a_draw_the_slopes_are_near_zero_at_both_ends_of_the_temperature(tau):
    _, _, lowest, highest = told(shown(tau=tau))
    assert -0.02 < lowest <= highest < 0.02 < told(shown())[-1]


def test_padding_keeps_the_ratios_of_the_other_words():
    before, after = np.array(told(shown())[0]), np.array(told(shown(keep_3=False))[0])
    assert after[2] == after[4] == 0
    np.testing.assert_allclose(after[[0, 1, 3]] * before[[0, 1, 3]].sum(), before[[0, 1, 3]], atol=0.01)


def test_with_padding_only_the_explorer_shows_weights_entropy_and_slopes_of_zero():
    drawing = shown(**ALL_PADDING)
    assert told(drawing) == ([0] * 5, 0, 0, 0)
    assert "no word has a share" in drawing.svg and drawing.svg.count(">padding<") == 5


def test_the_explorer_draws_inside_its_canvas_at_all_extremes():
    keeps = [dict.fromkeys(ALL_PADDING, True), {"keep_3": False}, ALL_PADDING | {"keep_3": True}, ALL_PADDING]
    for tau, e_3, keep in itertools.product([0.05, 20.0], [0.0, 2.0, 10.0], keeps):
        expect_inside(shown(tau=tau, e_3=e_3, **keep).svg)


@pytest.mark.parametrize("e_3", [0.0, 2.0, 2.5, 3.0, 10.0])
def test_all_words_of_the_explorer_can_be_read_on_what_is_behind_them(e_3):
    for tau in explore_softmax(masked_softmax)._controls["tau"].options:
        assert not unreadable(shown(tau=tau, e_3=e_3).svg)
