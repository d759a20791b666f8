"""Notebook 05, stage 5: provisional state and context make the next word."""

import itertools
import re

import numpy as np
import pytest

from tests.drawn import expect_inside
from utils.stages import (
    additive_score,
    combine_concat,
    combine_concat_backward,
    combine_concat_one,
    combine_weighted_sum,
    combine_weighted_sum_backward,
    context,
    decoder_step,
    exact_match,
    greedy_decode,
    masked_softmax,
    next_word,
    next_word_probs,
    output_logits,
    rnn_step,
)
from utils.widgets import explore_combine


def two_states(seed):
    """h̃, c and the matrix that combines them."""
    rng = np.random.RandomState(seed)
    N, H, O = rng.randint(1, 7, 3)  # noqa: E741
    return rng.randn(N, H), rng.randn(N, H), rng.randn(2 * H, O)


def step_inputs(seed, N=3, T=5):
    """x, carry, hs, keep and the parameters of a decoder step."""
    rng = np.random.RandomState(seed)
    D, H, A, V = rng.randint(2, 6, 4)
    shapes = {
        "Wx": (D, H), "Wh": (H, H), "b": (H,), "W1": (H, A), "W2": (H, A), "v": (A,),
        "Wc": (2 * H, H), "Wo": (H, V), "bo": (V,),
    }  # fmt: skip
    keep = np.arange(T) < rng.randint(1, T + 1, N)[:, None]
    keep[0] = True
    p = {name: rng.randn(*shape) for name, shape in shapes.items()}
    return rng.randn(N, D), rng.randn(N, H), rng.randn(N, T, H), keep, p


# ---- combine


@pytest.mark.parametrize("seed", range(5))
def test_concatenation_is_two_matrices_one_for_each_state(seed):
    h_tilde, c, Wc = two_states(seed)
    H = h_tilde.shape[1]
    np.testing.assert_allclose(combine_concat(h_tilde, c, Wc), np.tanh(h_tilde @ Wc[:H] + c @ Wc[H:]))


@pytest.mark.parametrize("seed", range(5))
def test_a_batch_is_combined_sentence_by_sentence(seed):
    h_tilde, c, Wc = two_states(seed)
    rows = [combine_concat_one(h_tilde[n], c[n], Wc) for n in range(len(c))]
    np.testing.assert_allclose(combine_concat(h_tilde, c, Wc), rows)


def test_a_weighted_sum_runs_from_the_context_to_the_provisional_state():
    h_tilde, c, _ = two_states(1)
    np.testing.assert_array_equal(combine_weighted_sum(h_tilde, c, 1.0), h_tilde)
    np.testing.assert_array_equal(combine_weighted_sum(h_tilde, c, 0.0), c)
    np.testing.assert_allclose(combine_weighted_sum(h_tilde, c, 0.5), (h_tilde + c) / 2)


def test_every_sentence_may_have_an_alpha_of_its_own():
    h_tilde, c, _ = two_states(1)
    alpha = np.random.RandomState(0).rand(len(c), 1)
    rows = [combine_weighted_sum(h_tilde[n : n + 1], c[n : n + 1], alpha[n, 0])[0] for n in range(len(c))]
    np.testing.assert_allclose(combine_weighted_sum(h_tilde, c, alpha), rows)


# ---- the next word


def test_every_word_gets_the_dot_product_with_its_column_plus_its_bias():
    rng = np.random.RandomState(0)
    h, Wo, bo = rng.randn(3, 4), rng.randn(4, 6), rng.randn(6)
    logits = output_logits(h, Wo, bo)
    for n, w in np.ndindex(3, 6):
        assert logits[n, w] == pytest.approx(sum(h[n, k] * Wo[k, w] for k in range(4)) + bo[w])


def test_the_probabilities_of_the_words_sum_to_one_and_shifting_logits_changes_nothing():
    logits = np.random.RandomState(0).randn(4, 6)
    p = next_word_probs(logits)
    np.testing.assert_allclose(p.sum(axis=1), 1)
    np.testing.assert_allclose(next_word_probs(logits + 1000), p)


def test_the_next_word_is_the_most_probable_one():
    logits = np.random.RandomState(0).randn(20, 6)
    np.testing.assert_array_equal(next_word(logits), next_word_probs(logits).argmax(axis=1))


def test_of_equally_likely_words_the_first_is_taken():
    assert next_word(np.array([[1.0, 3, 3], [2, 2, 2], [0, -1, 0]])).tolist() == [1, 0, 0]


# ---- the whole step


def test_a_step_is_the_stages_in_order():
    x, carry, hs, keep, p = step_inputs(0)
    logits, a, h_tilde, h = decoder_step(x, carry, hs, keep, p)
    np.testing.assert_array_equal(h_tilde, rnn_step(x, carry, p["Wx"], p["Wh"], p["b"]))
    np.testing.assert_array_equal(a, masked_softmax(additive_score(h_tilde, hs, p["W1"], p["W2"], p["v"]), keep))
    np.testing.assert_array_equal(h, combine_concat(h_tilde, context(a, hs), p["Wc"]))
    np.testing.assert_array_equal(logits, output_logits(h, p["Wo"], p["bo"]))


@pytest.mark.parametrize("seed", range(5))
def test_a_batch_is_stepped_sentence_by_sentence_without_its_padding(seed):
    x, carry, hs, keep, p = step_inputs(seed)
    logits, a, h_tilde, h = decoder_step(x, carry, hs, keep, p)
    for n in range(len(x)):
        one, T = slice(n, n + 1), keep[n].sum()
        alone = decoder_step(x[one], carry[one], hs[one, :T], keep[one, :T], p)
        for whole, part in zip((logits, a[:, :T], h_tilde, h), alone, strict=True):
            np.testing.assert_allclose(whole[one], part)


@pytest.mark.parametrize("seed", range(5))
def test_states_at_padding_change_nothing(seed):
    x, carry, hs, keep, p = step_inputs(seed)
    assert not keep.all()
    other = np.where(keep[:, :, None], hs, 1e6)
    for before, after in zip(decoder_step(x, carry, hs, keep, p), decoder_step(x, carry, other, keep, p), strict=True):
        np.testing.assert_array_equal(before, after)


def test_other_encoder_states_give_other_words_and_the_same_provisional_state():
    x, carry, hs, keep, p = step_inputs(1)
    logits, _, h_tilde, _ = decoder_step(x, carry, hs, keep, p)
    other_logits, _, same, _ = decoder_step(x, carry, hs + 1, keep, p)
    np.testing.assert_array_equal(same, h_tilde)
    assert (other_logits != logits).all()


def test_a_step_does_not_know_the_order_of_the_words():
    x, carry, hs, keep, p = step_inputs(2)
    order = np.random.RandomState(0).permutation(hs.shape[1])
    np.testing.assert_allclose(
        decoder_step(x, carry, hs[:, order], keep[:, order], p)[0], decoder_step(x, carry, hs, keep, p)[0]
    )


# ---- decoding

BOS, EOS = 1, 2


class Writer:
    """A decoder step that writes given words, counts its steps as its state, and remembers what it was asked."""

    def __init__(self, *words):
        self.words = words
        self.asked = []

    def __call__(self, word, state):
        self.asked.append((int(word), state))
        return np.eye(10)[self.words[state % len(self.words)]], state + 1


@pytest.mark.parametrize(
    ("words", "max_len", "written"),
    [
        ((5, 6, EOS, 7), 9, [5, 6, EOS]),
        ((5, 6, EOS, 7), 3, [5, 6, EOS]),
        ((5, 6, EOS, 7), 2, [5, 6]),
        ((5, 6), 5, [5, 6, 5, 6, 5]),
        ((EOS,), 5, [EOS]),
        ((BOS, BOS, EOS), 5, [BOS, BOS, EOS]),
        ((5,), 0, []),
    ],
)
def test_decoding_ends_with_eos_or_after_max_len_words(words, max_len, written):
    ids = greedy_decode(Writer(*words), 0, BOS, EOS, max_len)
    assert ids.tolist() == written and ids.dtype.kind == "i"


def test_decoding_feeds_back_its_own_words_and_states_and_stops_asking_at_the_end():
    writer = Writer(5, 6, 7, EOS)
    greedy_decode(writer, 0, BOS, EOS, 9)
    assert writer.asked == [(BOS, 0), (5, 1), (6, 2), (7, 3)]


def test_of_equally_likely_words_decoding_takes_the_first():
    assert greedy_decode(lambda word, state: (np.array([0.0, 0, 0, 4, 4]), state), None, 1, 2, 2).tolist() == [3, 3]


@pytest.mark.parametrize(
    ("pred", "gold", "share"),
    [
        ([[5, 6, EOS, 0]], [[5, 6, EOS, 0]], 1),
        ([[5, 6, EOS, 9]], [[5, 6, EOS, 0]], 1),  # what stands after eos is ignored
        ([[5, 7, EOS, 0]], [[5, 6, EOS, 0]], 0),
        ([[6, 5, EOS, 0]], [[5, 6, EOS, 0]], 0),
        ([[5, EOS, 6, EOS]], [[5, 6, EOS, 0]], 0),  # too short
        ([[5, EOS, EOS, 0]], [[5, 6, EOS, 0]], 0),
        ([[5, 6, 6, EOS]], [[5, 6, EOS, 0]], 0),  # too long
        ([[5, 6, 0, 0]], [[5, 6, EOS, 0]], 0),  # a missing eos is not forgiven
        ([[5, 6, 7, 8]], [[5, 6, 7, EOS]], 0),
        ([[5, 6, 7, 8]], [[5, 6, 7, 8]], 1),  # an answer without eos
        ([[5, 6, EOS, 8]], [[5, 6, 7, 8]], 0),
        ([[EOS, 9]], [[EOS, 0]], 1),
        ([[12, 3, EOS]], [[1, 23, EOS]], 0),
        ([[5, EOS], [6, EOS], [7, EOS], [8, EOS]], [[5, EOS], [6, EOS], [7, EOS], [9, EOS]], 0.75),
    ],
)
def test_a_sentence_counts_when_it_is_right_up_to_and_including_eos(pred, gold, share):
    assert exact_match(np.array(pred), np.array(gold), EOS) == share


# ---- backwards


@pytest.mark.parametrize("seed", range(3))
def test_the_gradients_of_concatenation_agree_with_nudging(seed, agree_with_nudging):
    args = two_states(seed)
    dh = np.random.RandomState(seed + 100).randn(len(args[0]), args[2].shape[1])
    agree_with_nudging(combine_concat_backward(dh, *args), lambda *args: (dh * combine_concat(*args)).sum(), *args)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("each", [False, True])
def test_the_gradients_of_a_weighted_sum_agree_with_nudging(each, seed, agree_with_nudging):
    h_tilde, c, _ = two_states(seed)
    rng = np.random.RandomState(seed + 100)
    dh, alpha = rng.randn(*c.shape), rng.rand(len(c), 1) if each else rng.rand()
    agree_with_nudging(
        combine_weighted_sum_backward(dh, h_tilde, c, alpha),
        lambda *args: (dh * combine_weighted_sum(*args)).sum(),
        h_tilde, c, alpha,
    )  # fmt: skip


# ---- the explorer

AROUND = ["animal", "dog", "woof", "barks", "sleeps", "purrs", "miaow", "cat"]
TURNS = np.deg2rad(45 * np.arange(8))
ARROWS = 3 * np.array([np.cos(TURNS), np.sin(TURNS)])
OPPOSITE = {"turn_h": -45, "turn_c": 135}  # towards cat and towards barks
MOVED = {"alpha": 0.55, "turn_h": 5, "turn_c": 85, "length_h": 1.9, "length_c": 2.1, "combine": "concatenation"}


def shown(words=AROUND, Wo=ARROWS, **values):
    """The explorer's drawing with the course's own functions."""
    return explore_combine(combine_weighted_sum, combine_concat, output_logits, next_word_probs, words, Wo).drawing(
        **values
    )


def told(drawing):
    """The likeliest words with their probabilities, as the description says them."""
    return {word: float(p) for word, p in re.findall(r"(\w+): (\d\.\d\d)", drawing.description)}


@pytest.mark.parametrize("combine", ["weighted sum", "concatenation"])
@pytest.mark.parametrize("control", MOVED)
def test_every_control_of_the_explorer_changes_its_drawing(control, combine):
    other = {"combine": "weighted sum"} if MOVED[control] == combine else {control: MOVED[control]}
    assert shown(**{"combine": combine} | other).svg != shown(combine=combine).svg


def test_the_explorer_tells_the_five_likeliest_words_in_their_order():
    h = np.array([[0.25 * 2 + 0.75 * np.cos(np.deg2rad(60)), 0.75 * np.sin(np.deg2rad(60))]])
    p = next_word_probs(h @ ARROWS)[0]
    told_now = told(shown(alpha=0.25, turn_c=60, length_c=1.0))
    assert list(told_now) == [AROUND[k] for k in np.argsort(-p)[:5]]
    np.testing.assert_allclose([*told_now.values()], np.sort(p)[:2:-1], atol=0.00501)


def test_the_explorer_shows_what_the_learners_functions_give_as_lists_too():
    explorer = explore_combine(
        lambda h_tilde, c, alpha: [[alpha, -3.0]],
        lambda h_tilde, c, Wc: [[0.25, 0.75]],
        lambda h, Wo, bo: [[h[0, 0], h[0, 1], 0.0]],
        lambda logits: [[0.7, 0.1, 0.2]] if logits[0, 1] == -3 else [[0.1, 0.6, 0.3]],
        ["x", "y", "z"],
        ARROWS[:, :3],
    )
    summed, concatenated = explorer.drawing(), explorer.drawing(combine="concatenation")
    assert told(summed) == {"x": 0.7, "z": 0.2, "y": 0.1} and "(0.50, −3.00)" in summed.description
    assert told(concatenated) == {"y": 0.6, "z": 0.3, "x": 0.1} and "(0.25, 0.75)" in concatenated.description


@pytest.mark.parametrize(("alpha", "word"), [(0.0, "woof"), (0.5, "dog"), (1.0, "animal")])
def test_the_word_nearest_to_the_final_state_wins(alpha, word):
    assert next(iter(told(shown(alpha=alpha)))) == word


def test_a_shorter_final_state_keeps_the_order_of_the_words_and_is_less_sure():
    long, short = told(shown(turn_h=10)), told(shown(turn_h=10, length_h=1.0, length_c=1.0))
    assert list(long) == list(short) and short["dog"] < long["dog"]


def test_no_alpha_makes_a_word_beside_the_line_the_likeliest_but_concatenation_does():
    winners = {next(iter(told(shown(alpha=k / 20, **OPPOSITE)))) for k in range(21) if k != 10}
    assert winners == {"barks", "cat"}
    assert next(iter(told(shown(combine="concatenation", **OPPOSITE)))) == "dog"


def test_where_opposite_states_cancel_all_words_draw():
    drawing = shown(**OPPOSITE)
    assert "8 words draw" in drawing.description and len(set(told(drawing).values())) == 1


@pytest.mark.parametrize("combine", ["weighted sum", "concatenation"])
def test_the_explorer_draws_inside_its_canvas_at_all_extremes(combine):
    for alpha, turn_h, turn_c, length_h, length_c in itertools.product(
        [0.0, 1.0], [-180, 0, 90], [-90, 0, 180], [0.0, 3.0], [0.0, 3.0]
    ):
        svg = shown(
            alpha=alpha, turn_h=turn_h, turn_c=turn_c, length_h=length_h, length_c=length_c, combine=combine
        ).svg
        expect_inside(svg)


def test_words_and_columns_that_do_not_fit_are_refused_with_their_numbers():
    with pytest.raises(ValueError, match=r"Wo has shape \(2, 8\), but 7 words need \(2, 7\)"):
        shown(words=AROUND[:7])


def test_a_word_that_is_too_long_for_its_arrow_is_cut_visibly():
    drawing = shown(words=["encyclopaedia", *AROUND[1:]])
    assert "encyclopa…" in drawing.svg and "encyclopaedia" not in drawing.svg
