"""Notebook 01, stage 1: the encoder's states and the decoder's provisional state."""

import itertools
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from tests.drawn import expect_inside
from utils.data import PAD, DataError
from utils.stages import (
    decoder_init,
    embed,
    embedding_backward,
    encode,
    linear_backward,
    provisional_states,
    rnn_step,
    rnn_step_backward,
    shift_right,
)
from utils.trained import TrainedModel
from utils.widgets import explore_states


def weights(rng, D, H):
    return rng.randn(D, H), rng.randn(H, H), rng.randn(H)


def sentences(seed):
    """Embedded words of sentences of every length from 1 to T, their lengths, `keep`, and the weights of an encoder."""
    rng = np.random.RandomState(seed)
    N = T = rng.randint(2, 7)
    D, H = rng.randint(1, 7, 2)
    lengths = rng.permutation(T) + 1
    return rng.randn(N, T, D), lengths, np.arange(T) < lengths[:, None], weights(rng, D, H)


# ---- one step


def test_a_step_of_a_batch_is_the_equation_sentence_by_sentence_and_number_by_number():
    rng = np.random.RandomState(0)
    x, h_prev, (Wx, Wh, b) = rng.randn(3, 2), rng.randn(3, 4), weights(rng, 2, 4)
    h = rnn_step(x, h_prev, Wx, Wh, b)
    for n, k in np.ndindex(3, 4):
        z = sum(x[n, d] * Wx[d, k] for d in range(2)) + sum(h_prev[n, j] * Wh[j, k] for j in range(4)) + b[k]
        assert h[n, k] == pytest.approx(np.tanh(z))


# ---- the encoder


@pytest.mark.parametrize("seed", range(10))
def test_a_padded_sentence_is_read_like_the_sentence_alone(seed):
    X, lengths, keep, parameters = sentences(seed)
    hs = encode(X, keep, *parameters)
    for n, length in enumerate(lengths):
        alone = encode(X[n : n + 1, :length], np.ones((1, length), dtype=bool), *parameters)
        np.testing.assert_allclose(hs[n, :length], alone[0])


def test_the_first_state_comes_from_the_first_word_and_a_state_of_zeros():
    X, _, keep, parameters = sentences(1)
    hs = encode(X, keep, *parameters)
    np.testing.assert_allclose(hs[:, 0], rnn_step(X[:, 0], np.zeros(hs[:, 0].shape), *parameters))


@pytest.mark.parametrize("seed", range(10))
def test_the_last_state_is_that_of_the_last_real_word_for_every_length(seed):
    X, lengths, keep, parameters = sentences(seed)
    hs = encode(X, keep, *parameters)
    assert np.array_equal(decoder_init(hs), hs[np.arange(len(X)), lengths - 1])


@pytest.mark.parametrize("seed", range(5))
def test_what_stands_at_padding_does_not_matter(seed):
    X, _, keep, parameters = sentences(seed)
    other = np.where(keep[:, :, None], X, 1e6)
    assert np.array_equal(encode(X, keep, *parameters), encode(other, keep, *parameters))


def test_padding_carries_the_state_wherever_it_stands():
    rng = np.random.RandomState(0)
    keep = rng.rand(4, 8) < 0.5
    X, parameters = rng.randn(4, 8, 3), weights(rng, 3, 5)
    hs = encode(X, keep, *parameters)
    before = np.concatenate([np.zeros((4, 1, 5)), hs[:, :-1]], axis=1)
    assert np.array_equal(hs[~keep], before[~keep])
    assert (hs[keep] != before[keep]).all()


def test_a_mask_of_ones_and_zeros_means_the_same():
    X, _, keep, parameters = sentences(2)
    for kind in (int, float):
        assert np.array_equal(encode(X, keep.astype(kind), *parameters), encode(X, keep, *parameters))


def test_a_word_changes_its_own_state_and_those_after_it_and_none_before():
    rng = np.random.RandomState(0)
    X, keep, parameters = rng.randn(1, 6, 3), np.ones((1, 6), dtype=bool), weights(rng, 3, 4)
    hs = encode(X, keep, *parameters)
    X[0, 2] += 1
    moved = (encode(X, keep, *parameters) != hs).any(axis=2)
    assert moved.tolist() == [[False, False, True, True, True, True]]


# ---- the decoder


def test_decoder_inputs_are_bos_and_then_the_word_before():
    y = np.arange(12).reshape(3, 4)
    assert shift_right(y, 99).tolist() == [[99, 0, 1, 2], [99, 4, 5, 6], [99, 8, 9, 10]]


def test_of_one_target_word_only_bos_is_left():
    assert shift_right(np.array([[7], [8]]), 1).tolist() == [[1], [1]]


@pytest.mark.parametrize("seed", range(5))
def test_provisional_states_are_steps_from_the_encoders_last_state(seed):
    rng = np.random.RandomState(seed)
    N, T, U, D, H = rng.randint(1, 7, 5)
    hs, Y, parameters = rng.randn(N, T, H), rng.randn(N, U, D), weights(rng, D, H)
    states = provisional_states(hs, Y, *parameters)
    for n in range(N):
        state = hs[n, -1:]
        for t in range(U):
            state = rnn_step(Y[n, t : t + 1], state, *parameters)
            np.testing.assert_allclose(states[n, t : t + 1], state)


def test_of_the_encoder_a_provisional_state_knows_the_last_state_only():
    rng = np.random.RandomState(0)
    hs, Y, parameters = rng.randn(2, 5, 4), rng.randn(2, 3, 3), weights(rng, 3, 4)
    other = hs.copy()
    other[:, :-1] = 0
    assert np.array_equal(provisional_states(hs, Y, *parameters), provisional_states(other, Y, *parameters))
    other[:, -1] = 0
    assert (provisional_states(hs, Y, *parameters) != provisional_states(other, Y, *parameters)).all()


# ---- backwards


@pytest.mark.parametrize("seed", range(3))
def test_the_gradients_of_a_linear_layer_agree_with_nudging(seed, agree_with_nudging):
    rng = np.random.RandomState(seed)
    N, D_in, D_out = rng.randint(1, 6, 3)
    dy, x, W = rng.randn(N, D_out), rng.randn(N, D_in), rng.randn(D_in, D_out)
    agree_with_nudging(linear_backward(dy, x, W), lambda x, W: (dy * (x @ W)).sum(), x, W)


@pytest.mark.parametrize("seed", range(3))
def test_the_gradients_of_a_step_agree_with_nudging(seed, agree_with_nudging):
    rng = np.random.RandomState(seed)
    N, D, H = rng.randint(1, 6, 3)
    dh, inputs = rng.randn(N, H), (rng.randn(N, D), rng.randn(N, H), *weights(rng, D, H))
    agree_with_nudging(rnn_step_backward(dh, *inputs), lambda *inputs: (dh * rnn_step(*inputs)).sum(), *inputs)


@pytest.mark.parametrize("seed", range(3))
def test_the_gradient_of_the_embedding_agrees_with_nudging(seed, agree_with_nudging):
    rng = np.random.RandomState(seed)
    ids, E, dX = rng.randint(0, 4, (3, 5)), rng.randn(6, 2), rng.randn(3, 5, 2)
    agree_with_nudging([embedding_backward(dX, ids, 6)], lambda E: (dX * embed(ids, E)).sum(), E)


def test_words_that_do_not_occur_get_a_gradient_of_exactly_zero():
    dE = embedding_backward(np.ones((2, 2, 3)), np.array([[4, 1], [1, 1]]), 6)
    assert dE.tolist() == [[0] * 3, [3] * 3, [0] * 3, [0] * 3, [1] * 3, [0] * 3]


# ---- the explorer


LONGEST = "wednesday, september 25, 1984"
MOVED = {
    "text": "8 september 1984",
    "other": "3 september 1985",
    "step": 15,
    "padding": 2,
    "carries": False,
    "shown": 24,
}


@pytest.fixture(scope="module")
def model():
    return TrainedModel.load(Path(__file__).parents[1] / "utils/dates.npz")


def states_of(model, text):
    """The states of a text without padding, (T, H)."""
    p, ids = model.params, model.numbers(text)
    return encode(embed(ids, p["E_source"]), ids != PAD, p["Wx_source"], p["Wh_source"], p["b_source"])[0]


def explorer(model, embed=embed, encode=encode, decoder_init=decoder_init):
    return explore_states(embed, encode, decoder_init, model)


def told(drawing):
    """How far the step went, and how far the decoder starts from the last word's state, as the description tells it."""
    return [float(number) for number in re.findall(r"(\d+\.\d\d) away", drawing.description)]


@pytest.mark.parametrize("control", MOVED)
def test_every_control_of_the_explorer_changes_its_drawing(model, control):
    assert explorer(model).drawing(**{control: MOVED[control]}).svg != explorer(model).drawing().svg


def test_the_distance_told_is_that_of_the_states_before_and_after_the_step(model):
    hs = states_of(model, "3 september 1984")
    assert told(explorer(model).drawing(step=1)) == [round(float(np.linalg.norm(hs[0])), 2)]
    assert told(explorer(model).drawing(step=7)) == [round(float(np.linalg.norm(hs[6] - hs[5])), 2)]


def test_carried_padding_leaves_the_decoders_start_where_the_last_word_was(model):
    for padding in range(1, 5):
        assert told(explorer(model).drawing(padding=padding, step=16 + padding)) == [0, 0]


def test_padding_read_like_words_moves_the_decoders_start(model):
    moved, away = told(explorer(model).drawing(step=19, carries=False))
    assert moved > 1 and away == 5.15  # the number that notebook 01 names


def test_the_explorer_shows_what_the_learners_functions_give_as_lists_too(model):
    def read_backwards(X, keep, *parameters):
        return encode(X[:, ::-1], keep[:, ::-1], *parameters).tolist()

    hs = states_of(model, "yam"[::-1])
    drawing = explorer(model, encode=read_backwards).drawing(text="yam", step=3, padding=0)
    assert told(drawing) == [round(float(np.linalg.norm(hs[2] - hs[1])), 2), 0]
    nowhere = explorer(model, decoder_init=lambda hs: np.zeros((1, hs.shape[2])).tolist())
    assert told(nowhere.drawing(text="yam", padding=0))[1] == round(
        float(np.linalg.norm(states_of(model, "yam")[2])), 2
    )
    listed = explorer(model, embed=lambda ids, E: embed(ids, E).tolist())
    assert listed.drawing() == explorer(model).drawing()


def test_the_same_letter_shows_the_same_word_vector_and_another_state(model):
    def columns(step):
        texts = ElementTree.fromstring(explorer(model).drawing(step=step).svg).findall("{*}text")
        numbers = [(text.get("x"), text.text) for text in texts if re.fullmatch(r"−?\d\.\d\d", text.text)]
        groups = [[number for _, number in one] for _, one in itertools.groupby(numbers, lambda pair: pair[0])]
        return [group for group in groups if len(group) > 1]

    (_, x_4, h_4), (_, x_7, h_7) = columns(4), columns(7)
    assert x_4 == x_7 and len(x_4) == len(h_4) == len(h_7) == 6
    assert h_4 != h_7


def apart(drawing):
    """The row of distances to the other text's states."""
    texts = ElementTree.fromstring(drawing.svg).findall("{*}text")
    (y,) = {text.get("y") for text in texts if text.text == "apart"}
    return [text.text for text in sorted(texts, key=lambda text: float(text.get("x"))) if text.get("y") == y][1:]


def test_the_row_apart_holds_the_distances_to_the_other_texts_states_up_to_the_present_step(model):
    far = np.linalg.norm(states_of(model, "3 september 1984") - states_of(model, "8 september 1984"), axis=1)
    drawing = explorer(model).drawing(step=12)
    assert apart(drawing) == [f"{distance:.2f}" for distance in far[:12]]
    assert f"It is {far[11]:.2f} apart from h_12 of '8 september 1984'." in drawing.description


def test_where_the_other_text_is_shorter_the_row_apart_ends_with_it(model):
    drawing = explorer(model).drawing(other="3 sep", padding=1, step=17)
    assert apart(drawing)[:5] == ["0.00"] * 5 and len(apart(drawing)) == 6
    assert "apart" not in drawing.description


def test_a_step_beyond_the_end_is_the_last_one(model):
    assert explorer(model).drawing(step=33) == explorer(model).drawing(step=19)


def test_capitals_are_read_as_the_model_reads_them(model):
    assert explorer(model).drawing(text="MAY 3, 1984") == explorer(model).drawing(text="may 3, 1984")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the text is empty"),
        ("3 mär 1984", "'ä'"),
        ("a" * 30, "has 30 characters; there is room for 29"),
        ("\0", r"'\\x00'"),
    ],
)
def test_a_text_that_cannot_be_read_gets_one_sentence(model, text, words):
    with pytest.raises(DataError, match=words):
        explorer(model).drawing(text=text)


def test_the_explorer_draws_inside_its_canvas_at_all_extremes(model):
    extremes = itertools.product([LONGEST, "3"], [LONGEST, "3"], [1, 33], [0, 1, 4], [True, False], [8, 32])
    for text, other, step, padding, carries, shown in extremes:
        values = {"text": text, "other": other, "step": step, "padding": padding, "carries": carries, "shown": shown}
        expect_inside(explorer(model).drawing(**values).svg)
