"""Notebook 04, stage 4: the weighted sum of the encoder states."""

import numpy as np
import pytest

from utils.stages import (
    attention,
    attention_backward,
    context,
    context_backward,
    context_one,
    dot_score,
    masked_softmax,
    softmax,
)


def states(seed):
    """h̃, hs, a mask with holes in which every row keeps something and the first not all, and any weights."""
    rng = np.random.RandomState(seed)
    N, T, H = rng.randint(2, 7, 3)
    keep = rng.rand(N, T) < 0.6
    keep[np.arange(N), rng.randint(1, T, N)] = True
    keep[0, 0] = False
    return rng.randn(N, H), rng.randn(N, T, H), keep, rng.randn(N, T)


# ---- context


@pytest.mark.parametrize("seed", range(10))
def test_the_context_is_the_loop_over_words(seed):
    _, hs, _, a = states(seed)
    c = np.zeros((hs.shape[0], hs.shape[2]))
    for n, i in np.ndindex(a.shape):
        c[n] += a[n, i] * hs[n, i]
    np.testing.assert_allclose(context(a, hs), c, atol=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_a_batch_is_summed_sentence_by_sentence(seed):
    _, hs, _, a = states(seed)
    np.testing.assert_allclose(context(a, hs), [context_one(a[n], hs[n]) for n in range(len(a))], atol=1e-12)


def test_all_weight_on_one_word_gives_its_state():
    _, hs, _, _ = states(1)
    N, T, _ = hs.shape
    for i in range(T):
        np.testing.assert_array_equal(context(np.tile(np.eye(T)[i], (N, 1)), hs), hs[:, i])


def test_the_order_of_the_words_does_not_matter_when_weights_move_along():
    _, hs, _, a = states(2)
    order = np.random.RandomState(0).permutation(hs.shape[1])
    np.testing.assert_allclose(context(a[:, order], hs[:, order]), context(a, hs))


# ---- attention


def test_the_worked_example_comes_out():
    hs = np.array([[[0.0, 7], [1, 0], [2, 7]]])
    c, a = attention(np.array([[np.log(2), 0]]), hs, np.ones((1, 3), dtype=bool))
    np.testing.assert_allclose(a, [[1 / 7, 2 / 7, 4 / 7]])
    np.testing.assert_allclose(c, [[10 / 7, 5]])


def test_attention_is_the_three_stages_in_order():
    h_tilde, hs, keep, _ = states(1)
    c, a = attention(h_tilde, hs, keep)
    np.testing.assert_array_equal(a, masked_softmax(dot_score(h_tilde, hs), keep))
    np.testing.assert_array_equal(c, context(a, hs))


@pytest.mark.parametrize("seed", range(10))
def test_a_context_lies_between_the_states_that_are_kept(seed):
    h_tilde, hs, keep, _ = states(seed)
    c, a = attention(h_tilde, hs, keep)
    np.testing.assert_allclose(a.sum(axis=1), 1)
    for n in range(len(c)):
        kept = hs[n, keep[n]]
        assert (kept.min(axis=0) - 1e-12 <= c[n]).all() and (c[n] <= kept.max(axis=0) + 1e-12).all()


@pytest.mark.parametrize("seed", range(5))
def test_what_stands_at_padding_does_not_matter(seed):
    h_tilde, hs, keep, _ = states(seed)
    other = np.where(keep[:, :, None], hs, 1e6)
    for before, after in zip(attention(h_tilde, hs, keep), attention(h_tilde, other, keep), strict=True):
        np.testing.assert_array_equal(before, after)


def test_other_states_give_other_weights_and_another_context():
    h_tilde, hs, keep, _ = states(3)
    everything = np.ones_like(keep)
    c, a = attention(h_tilde, hs, everything)
    other_c, other_a = attention(h_tilde, hs + np.random.RandomState(0).randn(*hs.shape), everything)
    assert (other_c != c).all() and (other_a != a).all()


def test_attention_does_not_know_the_order_of_the_words():
    h_tilde, hs, keep, _ = states(2)
    order = np.random.RandomState(0).permutation(hs.shape[1])
    c, a = attention(h_tilde, hs, keep)
    c_other, a_other = attention(h_tilde, hs[:, order], keep[:, order])
    np.testing.assert_allclose(c_other, c)
    np.testing.assert_allclose(a_other, a[:, order])


def test_where_nothing_is_kept_weights_and_context_are_zero():
    h_tilde, hs, keep, _ = states(1)
    c, a = attention(h_tilde, hs, np.zeros_like(keep))
    assert (c == 0).all() and (a == 0).all()


# ---- backwards


@pytest.mark.parametrize("seed", range(3))
def test_the_gradients_of_the_context_agree_with_nudging(seed, agree_with_nudging):
    _, hs, _, a = states(seed)
    dc = np.random.RandomState(seed + 100).randn(hs.shape[0], hs.shape[2])
    agree_with_nudging(context_backward(dc, a, hs), lambda a, hs: (dc * context(a, hs)).sum(), a, hs)


@pytest.mark.parametrize("seed", range(3))
def test_the_gradients_of_attention_gather_both_paths_of_every_step(seed, agree_with_nudging):
    rng = np.random.RandomState(seed)
    N, U, T, H = rng.randint(1, 5, 4)
    dC, H_tilde, hs = rng.randn(N, U, H), rng.randn(N, U, H), rng.randn(N, T, H)

    def loss(H_tilde, hs):
        steps = (context(softmax(dot_score(H_tilde[:, t], hs)), hs) for t in range(U))
        return sum((dC[:, t] * c).sum() for t, c in enumerate(steps))

    agree_with_nudging(attention_backward(dC, H_tilde, hs), loss, H_tilde, hs)
