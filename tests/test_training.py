"""Notebook 06, stage 6: the loss, the whole step backwards, clipping and Adam."""

import itertools
import warnings
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from tests.drawn import expect_inside
from utils import stages
from utils.data import DataError
from utils.model import Config, init_params
from utils.stages import (
    adam_step,
    clip_by_norm,
    cross_entropy,
    cross_entropy_backward,
    decoder_step,
    decoder_step_backward,
    masked_cross_entropy,
    masked_cross_entropy_backward,
)
from utils.trained import TrainedModel
from utils.widgets import explore_surgery, explore_training, microscope


def sentences(seed):
    """Logits, the right words, and a mask with holes that keeps at least one word."""
    rng = np.random.RandomState(seed)
    N, U, V = rng.randint(1, 6, 3)
    keep = rng.rand(N, U) < 0.6
    keep[0, 0] = True
    return 2 * rng.randn(N, U, V), rng.randint(0, V, (N, U)), keep


# ---- the loss


def test_the_loss_is_in_nats():
    logits = np.log([[1.0, 3], [1, 3]])  # p = 1/4 and 3/4
    assert cross_entropy(logits, np.array([1, 1])) == pytest.approx(0.2876820724517809)  # ln 4/3
    assert cross_entropy(logits, np.array([1, 0])) == pytest.approx((0.2876820724517809 + 1.3862943611198906) / 2)


@pytest.mark.parametrize("V", [1, 2, 35])
def test_who_knows_nothing_loses_the_logarithm_of_the_vocabulary(V):
    assert cross_entropy(np.full((3, V), 7.0), np.zeros(3, dtype=int)) == pytest.approx(np.log(V))


def test_the_loss_is_the_mean_over_the_rows():
    rng = np.random.RandomState(0)
    logits, y = rng.randn(5, 4), rng.randint(0, 4, 5)
    each = [cross_entropy(logits[n : n + 1], y[n : n + 1]) for n in range(5)]
    assert cross_entropy(logits, y) == pytest.approx(np.mean(each))


def test_logits_of_a_thousand_give_a_finite_loss_and_gradient():
    logits, y = np.array([[1000.0, 0], [0, -1000]]), np.array([1, 0])
    assert cross_entropy(logits, y) == 500
    np.testing.assert_array_equal(cross_entropy_backward(logits, y), [[0.5, -0.5], [0, 0]])


def test_raising_all_logits_changes_no_loss():
    rng = np.random.RandomState(0)
    logits, y = rng.randn(5, 4), rng.randint(0, 4, 5)
    assert cross_entropy(logits + 1000, y) == pytest.approx(cross_entropy(logits, y))


@pytest.mark.parametrize("seed", range(5))
def test_the_masked_loss_is_the_mean_over_all_kept_words(seed):
    logits, y, keep = sentences(seed)
    each = [cross_entropy(logits[i][None], y[i][None]) for i in zip(*np.nonzero(keep), strict=True)]
    assert masked_cross_entropy(logits, y, keep) == pytest.approx(np.mean(each))


@pytest.mark.parametrize("seed", range(5))
def test_nothing_at_padding_changes_the_loss_or_its_gradient(seed):
    logits, y, keep = sentences(seed)
    other_logits, other_y = np.where(keep[:, :, None], logits, np.inf), np.where(keep, y, -1)
    assert masked_cross_entropy(other_logits, other_y, keep) == masked_cross_entropy(logits, y, keep)
    dlogits = masked_cross_entropy_backward(logits, y, keep)
    np.testing.assert_array_equal(masked_cross_entropy_backward(other_logits, other_y, keep), dlogits)
    assert (dlogits[~keep] == 0).all()


@pytest.mark.parametrize("kind", [int, float])
def test_a_mask_of_ones_and_zeros_means_the_same(kind):
    logits, y, keep = sentences(1)
    assert masked_cross_entropy(logits, y, keep.astype(kind)) == masked_cross_entropy(logits, y, keep)
    np.testing.assert_array_equal(
        masked_cross_entropy_backward(logits, y, keep.astype(kind)), masked_cross_entropy_backward(logits, y, keep)
    )


@pytest.mark.parametrize("seed", range(3))
def test_the_gradient_of_the_loss_agrees_with_nudging(seed, agree_with_nudging):
    logits, y = (x[0] for x in sentences(seed)[:2])
    agree_with_nudging([cross_entropy_backward(logits, y)], lambda logits: cross_entropy(logits, y), logits)


@pytest.mark.parametrize("seed", range(3))
def test_the_gradient_of_the_masked_loss_agrees_with_nudging(seed, agree_with_nudging):
    logits, y, keep = sentences(seed)
    gradient = masked_cross_entropy_backward(logits, y, keep)
    agree_with_nudging([gradient], lambda logits: masked_cross_entropy(logits, y, keep), logits)


# ---- the whole step backwards


def step_inputs(seed):
    rng = np.random.RandomState(seed)
    N, T, D, H, A, V = rng.randint(1, 5, 6)
    shapes = {
        "Wx": (D, H), "Wh": (H, H), "b": (H,), "W1": (H, A), "W2": (H, A), "v": (A,),
        "Wc": (2 * H, H), "Wo": (H, V), "bo": (V,),
    }  # fmt: skip
    upstream = rng.randn(N, V), rng.randn(N, H), rng.randn(N, H)
    keep = np.arange(T) < rng.randint(0, T + 1, N)[:, None]
    p = {name: rng.randn(*shape) for name, shape in shapes.items()}
    return upstream, rng.randn(N, D), rng.randn(N, H), rng.randn(N, T, H), keep, p


@pytest.mark.parametrize("seed", range(6))
def test_the_gradients_of_a_step_agree_with_nudging(seed, agree_with_nudging):
    upstream, x, carry, hs, keep, p = step_inputs(seed)

    def loss(x, carry, hs, p):
        logits, _, h_tilde, h = decoder_step(x, carry, hs, keep, p)
        return sum((d * result).sum() for d, result in zip(upstream, (logits, h_tilde, h), strict=True))

    gradients = decoder_step_backward(*upstream, x, carry, hs, keep, p)
    agree_with_nudging(gradients, loss, x, carry, hs, p)
    assert (gradients[2][~keep] == 0).all()


# ---- the optimiser


def norm(grads):
    return np.sqrt(sum((g**2).sum() for g in grads))


def gradients(seed):
    rng = np.random.RandomState(seed)
    return [rng.randn(3, 4), rng.randn(5), rng.randn(1)]


@pytest.mark.parametrize("limit", [1e-6, 0.5, 3])
def test_a_long_gradient_is_shortened_to_the_limit_and_keeps_its_direction(limit):
    grads = gradients(0)
    clipped = clip_by_norm(grads, limit)
    assert norm(clipped) == pytest.approx(limit)
    for g, short in zip(grads, clipped, strict=True):
        np.testing.assert_allclose(short / limit, g / norm(grads))


def test_a_short_gradient_stays_as_it_is_in_arrays_of_its_own():
    grads = gradients(0)
    clipped = clip_by_norm(grads, norm(grads) + 1e-9)
    for g, same in zip(grads, clipped, strict=True):
        np.testing.assert_array_equal(same, g)
        assert not np.shares_memory(same, g)


def test_a_gradient_of_zero_stays_zero():
    assert [g.tolist() for g in clip_by_norm([np.zeros(2), np.zeros(1)], 1.0)] == [[0, 0], [0]]


def test_the_norm_is_right_in_single_precision():
    (clipped,) = clip_by_norm([np.full(4, 1e30, dtype=np.float32)], 1.0)
    np.testing.assert_allclose(clipped, 0.5, rtol=1e-6)


RATES = {"lr": 0.01, "b1": 0.9, "b2": 0.999, "eps": 1e-12}


def test_adams_first_step_is_the_rate_in_the_direction_of_the_sign():
    theta, g = np.zeros((2, 3)), np.array([[1e-3, -1, 1e4], [-1e-5, 2, -3]])
    moved, _, _ = adam_step(theta, g, np.zeros((2, 3)), np.zeros((2, 3)), 1, **RATES)
    np.testing.assert_allclose(moved, -0.01 * np.sign(g), rtol=1e-5)


def test_under_a_constant_gradient_every_step_is_the_first():
    g = np.array([0.3, -20])
    theta = m = v = np.zeros(2)
    for t in range(1, 20):
        before = theta
        theta, m, v = adam_step(theta, g, m, v, t, **RATES)
        np.testing.assert_allclose(theta - before, -0.01 * np.sign(g), rtol=1e-6)


def test_the_running_means_forget_by_b1_and_b2():
    _, m, v = adam_step(np.zeros(1), np.array([2.0]), np.array([10.0]), np.array([100.0]), 5, 0.1, 0.75, 0.5, 1e-8)
    assert (m[0], v[0]) == (0.75 * 10 + 0.25 * 2, 0.5 * 100 + 0.5 * 4)


def test_eps_is_added_outside_the_root():
    g = np.array([1.0])
    moved, _, _ = adam_step(np.zeros(1), g, 0 * g, 0 * g, 1, lr=1.0, b1=0.9, b2=0.999, eps=3.0)
    assert moved[0] == pytest.approx(-1 / 4)


def test_adam_finds_the_bottom_of_a_bowl():
    theta = np.array([3.0, -2.0])
    m = v = np.zeros(2)
    for t in range(1, 500):
        theta, m, v = adam_step(theta, np.array([1.0, 40]) * theta, m, v, t, 0.05, 0.9, 0.99, 1e-8)
    assert (np.abs(theta) < 0.05).all()


# ---- the explorers


@pytest.fixture(scope="module")
def model():
    return TrainedModel.load(Path(__file__).parents[1] / "utils/dates.npz")


def test_what_the_explorers_write_is_what_the_model_writes(model):
    for text in ["tuesday, september 25, 1984", "1 may 1990", "december 28, 1953"]:
        written, _ = model.write(text)
        assert f"with its own weights: {written}<" in microscope(model, stages, text).drawing().svg


def test_the_microscope_shows_the_models_own_weights_and_word(model):
    text = "tuesday, september 25, 1984"
    written, a = model.write(text)
    for number in (1, 4, 9, 10):
        told = microscope(model, stages, text).drawing(number=number).description
        assert f"Largest weights: {a[number - 1].max():.2f} at" in told and f"Next word: {written[number - 1]}," in told


def test_other_weights_put_by_hand_change_the_context_and_say_so(model):
    here = microscope(model, stages, "tuesday, september 25, 1984")
    told = [here.drawing(what_if=choice) for choice in here._controls["what_if"].options]
    assert len({drawing.svg for drawing in told}) == 3
    assert "put by hand" not in told[0].svg and all("put by hand" in drawing.svg for drawing in told[1:])
    assert all("it wrote 2 with its own weights" in drawing.svg for drawing in told[1:])


def test_the_explorers_run_on_the_functions_they_are_given(model):
    first_only = SimpleNamespace(**vars(stages) | {"masked_softmax": lambda e, keep: np.eye(1, e.shape[1]).tolist()})
    for explorer in (
        microscope(model, first_only, "1 may 1990"),
        explore_surgery(model, first_only, "1 may 1990", "2 may 1990"),
    ):
        assert "1990-05-01" not in explorer.drawing().description
    assert (
        "Largest weights: 1.00 at the state after '1'"
        in microscope(model, first_only, "1 may 1990").drawing().description
    )


def test_a_step_behind_the_end_shows_the_last_one(model):
    here = microscope(model, stages, "1 may 1990")
    assert here.drawing(number=11).svg == here.drawing(number=99).svg


def test_copying_no_state_changes_nothing_and_copying_all_writes_the_other_date(model):
    operation = explore_surgery(model, stages, "december 28, 1953", "november 15, 1961")
    assert "nothing changed" in operation.drawing(count=0).description
    assert "after: 1961-11-15; changed: year, month, day." in operation.drawing(start=1, count=17).description


def test_dates_of_different_length_are_lined_up_at_their_ends(model):
    operation = explore_surgery(model, stages, "may 28, 1953", "november 15, 1961")
    assert "the states at '15,' of" in operation.drawing(start=5, count=3).description
    longer = explore_surgery(model, stages, "november 15, 1961", "may 28, 1953")
    assert "no state is copied" in longer.drawing(start=1, count=4).description


def test_the_moments_differ_and_the_first_shows_the_untrained_model(model):
    untrained = TrainedModel(**{**vars(model), "params": init_params(model.config, np.random.RandomState(0))})
    moments = explore_training({0: untrained, 2: model}, [2.6, 0.5], stages, "1 may 1990")
    assert "After 0 training steps the loss is 2.600" in moments.drawing(number=0).description
    assert "After 2 training steps the loss is 0.500" in moments.drawing().description
    assert "1990-05-01" in moments.drawing().description and "1990-05-01" not in moments.drawing(number=0).description


@pytest.mark.parametrize(
    ("text", "words"), [("", "text is empty"), ("25 § 1984", "'§'"), ("1" * 60, "room for 34 characters")]
)
def test_a_text_that_cannot_be_read_gets_one_sentence(model, text, words):
    with pytest.raises(DataError, match=words):
        microscope(model, stages, "1 may 1990").drawing(text=text)


def listed(function):
    return lambda *arguments: function(*arguments).tolist()


def test_the_explorers_show_what_the_learners_functions_give_as_lists_too(model):
    names = (
        "embed", "encode", "decoder_init", "rnn_step", "additive_score", "masked_softmax", "context", "combine_concat",
        "output_logits", "next_word_probs",
    )  # fmt: skip
    lists = SimpleNamespace(**{name: listed(getattr(stages, name)) for name in names})
    date, other = "1 may 1990", "2 may 1990"
    for ours, theirs in (
        (explore_training({0: model}, [2.6], stages, date), explore_training({0: model}, [2.6], lists, date)),
        (explore_surgery(model, stages, date, other), explore_surgery(model, lists, date, other)),
        (microscope(model, stages, date), microscope(model, lists, date)),
    ):
        assert theirs.drawing() == ours.drawing()


def test_the_moments_before_and_after_the_first_step_have_different_losses(model):
    moments = explore_training({0: model, 1: model}, [2.6, 2.5, 2.4], stages, "1 may 1990")
    told = [moments.drawing(number=number) for number in (0, 1)]
    assert "the loss is 2.600" in told[0].description and "the loss is 2.500" in told[1].description
    assert told[0].svg != told[1].svg


@pytest.mark.parametrize("other", [{"score": "dot"}, {"combine": "sum"}])
def test_a_model_of_another_kind_gets_one_sentence(model, other):
    date = "1 may 1990"
    config = Config(**{**vars(model.config), **other})
    strange = TrainedModel(**{**vars(model), "config": config, "params": init_params(config, np.random.RandomState(0))})
    for explorer in (
        explore_training({0: strange}, [2.6], stages, date),
        explore_surgery(strange, stages, date, date),
        microscope(strange, stages, date),
    ):
        with pytest.raises(DataError, match="are for additive scores and concatenation"):
            explorer.drawing()


@pytest.mark.parametrize(
    ("losses", "dot"),
    [
        ([2.6, np.nan, np.inf, 1.0], True),
        ([2.6, 2.0, 1.0, np.nan], False),
        ([np.nan] * 4, False),
        ([0.0] * 4, True),
        ([2.6], False),
        ([], False),
    ],
)
def test_losses_of_any_kind_draw_what_is_finite(model, losses, dot):
    moments = explore_training({4: model}, losses, stages, "1 may 1990")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        drawing = moments.drawing()
    expect_inside(drawing.svg)
    assert ("<circle" in drawing.svg) is dot
    assert ("the loss is not measured" in drawing.description) is (len(losses) < 4)


def test_a_model_whose_parameters_are_no_numbers_is_drawn_without_any_in_the_geometry(model):
    params = {name: np.full_like(array, np.nan) for name, array in model.params.items()}
    here = microscope(TrainedModel(**{**vars(model), "params": params}), stages, "1 may 1990")
    for what_if in here._controls["what_if"].options:
        expect_inside(here.drawing(what_if=what_if).svg)


def test_the_surgery_says_how_many_states_were_copied(model):
    operation = explore_surgery(model, stages, "december 28, 1953", "november 15, 1961")
    for start, count, words in ((17, 9, "1 state copied"), (10, 0, "0 states copied"), (10, 3, "3 states copied")):
        assert f">{words}<" in operation.drawing(start=start, count=count).svg


def test_the_slider_of_moments_shows_the_numbers_of_training_steps(model):
    widget = explore_training({0: model, 150: model}, [2.6], stages, "1 may 1990").widget()
    slider = widget.children[0].children[0]
    assert (slider.description, slider.value, slider.options) == ("training steps", 150, (("0", 0), ("150", 150)))


TEXTS = ["wednesday, september 25, 1984", "1 may 1990", "w" * 34]


@pytest.mark.parametrize("text", TEXTS)
def test_the_microscope_draws_inside_its_canvas_at_every_step(model, text):
    here = microscope(model, stages, text)
    for number, what_if in itertools.product(range(1, model.max_len + 1), here._controls["what_if"].options):
        expect_inside(here.drawing(number=number, what_if=what_if).svg)


def test_the_other_explorers_draw_inside_their_canvas_at_all_extremes(model):
    moments = explore_training({0: model, 2: model}, [2.6, 0.5], stages, TEXTS[0])
    for text, number in itertools.product(TEXTS, (0, 2)):
        expect_inside(moments.drawing(text=text, number=number).svg)
    operation = explore_surgery(model, stages, TEXTS[0], TEXTS[1])
    for first, second, start, count in itertools.product(TEXTS, TEXTS, (1, 34), (0, 3, 34)):
        expect_inside(operation.drawing(first=first, second=second, start=start, count=count).svg)
