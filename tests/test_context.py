"""Notebook 04, stage 4: the weighted sum of the encoder states."""

import itertools
import re

import numpy as np
import pytest

from tests.drawn import expect_inside
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
from utils.widgets import explore_context


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


# ---- the explorer

EXPLORER = explore_context(context_one)
SHARES = [(1, 2, 4), (10, 10, 10), (10, 0, 0), (0, 10, 0), (0, 0, 10), (0, 1, 10)]


def explored(shares=(1, 2, 4), **values):
    return EXPLORER.drawing(**dict(zip(("share_1", "share_2", "share_3"), shares)), **values)


@pytest.mark.parametrize(
    "values",
    [{"share_1": 2}, {"share_2": 3}, {"share_3": 5}, {"moves": "h_1"}, {"right": 0.5}, {"up": -0.5}],
    ids=lambda values: next(iter(values)),
)
def test_every_control_changes_drawing_and_words(values):
    first, then = EXPLORER.drawing(), EXPLORER.drawing(**values)
    assert then.svg != first.svg and then.description != first.description


def test_the_explorer_starts_with_the_notebooks_example():
    assert "weights 0.14, 0.29, 0.57 give c = (1.43, 5.00)" in EXPLORER.drawing().description


def test_the_context_is_the_one_that_the_learners_function_gives():
    other = explore_context(lambda a, hs: (context_one(a, hs) + 1).tolist()).drawing()
    assert "c = (2.43, 6.00)" in other.description and "= (2.43, 6.00)" in other.svg


def test_shares_that_are_all_doubled_move_nothing():
    assert explored((2, 4, 8)).description == explored((1, 2, 4)).description


def test_a_state_takes_the_context_along_as_far_as_its_weight_says():
    assert "h_3 moved by (0, 2), so c moved by (0.00, 1.14)." in explored(moves="h_3", up=2.0).description
    assert "h_1 moved by (0, 2), so c moved by (0.00, 0.29)." in explored(moves="h_1", up=2.0).description


@pytest.mark.parametrize(
    ("shares", "words"),
    [
        ((1, 2, 4), "inside the hull"),
        ((1, 0, 4), "on the line between h_1 and h_3"),
        ((0, 2, 0), "c is h_2 itself"),
        ((0, 0, 0), "Nothing is taken, so c is (0, 0)"),
    ],
)
def test_the_explorer_says_where_the_context_lies(shares, words):
    drawing = explored(shares)
    assert words in drawing.description and words in drawing.svg


@pytest.mark.parametrize("shares", [*SHARES, (0, 0, 0)])
def test_everything_stays_on_the_canvas_wherever_the_states_are(shares):
    for moves, right, up in itertools.product(("h_1", "h_2", "h_3"), (-3.0, 0.0, 3.0), (-3.0, 0.0, 3.0)):
        expect_inside(explored(shares, moves=moves, right=right, up=up).svg)


def written(svg):
    """Left, right, top and bottom of the names in the plane, about as wide as a browser writes them."""
    texts = re.findall(r'<text x="(\S+)" y="(\S+)" font-size="(\d+)"[^>]*"middle"[^>]*>([^<]*[hc][^<]*)<', svg)
    for x, y, size, words in texts:
        x, y, size = float(x), float(y), int(size)
        yield words, x - 0.3 * size * len(words), x + 0.3 * size * len(words), y - 0.7 * size, y


@pytest.mark.parametrize("shares", SHARES)
def test_no_name_in_the_plane_covers_another(shares):
    for moves, right, up in itertools.product(("h_1", "h_2", "h_3"), (-3.0, -0.5, 2.0), (-3.0, 0.0, 2.5)):
        names = [*written(explored(shares, moves=moves, right=right, up=up).svg)]
        assert {"h_1", "h_2", "h_3", "c"} <= {name[0] for name in names}
        for (_, left, right_, top, bottom), (_, left2, right2, top2, bottom2) in itertools.combinations(names, 2):
            assert right_ <= left2 or right2 <= left or bottom <= top2 or bottom2 <= top
