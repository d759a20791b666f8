"""Notebook 03, stage 3: scores become attention weights."""

import numpy as np
import pytest

from utils.stages import masked_softmax, softmax, softmax_backward, softmax_one

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
