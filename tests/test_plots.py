"""Pictures: what is drawn, what it says in words, and what happens where it can't be drawn."""

import sys
import warnings
from pathlib import Path
from unicodedata import east_asian_width

import numpy as np
import pytest
from matplotlib.figure import Figure

from tests.drawn import contrast
from utils import plots
from utils.plots import Picture, attention_map, flow, score_plane, text_map
from utils.plots import picture as colours

PNG = b"\x89PNG\r\n\x1a\n"
A = np.array([[0.7, 0.2, 0.1, 0.0], [0.0, 0.1, 0.0, 0.9]])
HS = np.array([[1.0, 0.5], [-0.4, 0.2], [0.6, 0.9]])
H_TILDE = np.array([0.5, 1.0])
PICTURES = {
    "attention_map": attention_map(A, "ab c", "xy"),
    "combine_plane": plots.combine_plane(H_TILDE, HS[1], [0, 0.5, 1], HS, HS[:2]),
    "context_plane": plots.context_plane(A[:1, :3] * 0 + 1 / 3, HS, HS.mean(axis=0)[None]),
    "flow": flow(),
    "learned_matrix": plots.learned_matrix(A - 0.3),
    "loss_curve": plots.loss_curve([3.5, 2.0, 1.2, 0.9], marks=[1, 4]),
    "map_panels": plots.map_panels([A, A[::-1], A], ["a", "b", "c"], "ab c", "xy"),
    "rising_weight": plots.rising_weight([0.25, 0.5, 0.9], chance=0.25),
    "score_plane": score_plane(H_TILDE, HS, HS @ H_TILDE),
    "scores_to_weights": plots.scores_to_weights(HS, HS**2, ["one", "two", "three"]),
    "side_by_side": plots.side_by_side([attention_map(A, "ab c", "xy"), score_plane(H_TILDE, HS, HS @ H_TILDE)]),
    "state_distances": plots.state_distances(["한 c", "ab$"], {"RNN": [0, 1, 2], "mean": [1, 1, 1]}),
    "temperature_jacobians": plots.temperature_jacobians([0.5, 2], A, A[:, :, None] * A[:, None]),
    "word_bars": plots.word_bars(A, ["$x_1", " ", "한국", "h̃"], ["first", "second"]),
}
every_picture = pytest.mark.parametrize("picture", PICTURES.values(), ids=PICTURES)


def drawn(picture):
    """The axes of a picture, laid out."""
    figure = Figure(figsize=picture.size, layout="constrained")
    picture.draw(figure)
    figure.draw_without_rendering()
    return figure.axes


def quietly(picture):
    """The picture's bytes; a warning that a learner would see is an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        warnings.simplefilter("error", RuntimeWarning)
        warnings.simplefilter("ignore", DeprecationWarning)  # other packages' affairs
        return picture.png()


@pytest.fixture
def no_matplotlib(monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.setitem(sys.modules, name, None)


# ---- every picture


def test_no_public_picture_is_missing_here():
    assert set(PICTURES) == set(plots.__all__) - {"Picture", "text_map"}


@every_picture
def test_a_picture_shows_a_png_whose_alt_text_is_its_description(picture):
    data, metadata = picture._repr_mimebundle_()
    assert data["image/png"].startswith(PNG)
    assert data["text/plain"] == metadata["image/png"]["alt"] == picture.description == repr(picture)
    assert "\n" not in picture.description


@every_picture
def test_without_matplotlib_a_picture_shows_its_description_and_what_to_install(picture, no_matplotlib):
    data, _ = picture._repr_mimebundle_()
    assert set(data) == {"text/plain"}
    assert data["text/plain"].startswith(picture.description)
    assert "python -m pip install matplotlib" in data["text/plain"]
    with pytest.raises(ImportError, match="needs matplotlib"):
        picture.png()


@every_picture
def test_a_picture_is_drawn_the_same_again_and_without_a_warning(picture):
    assert quietly(picture) == quietly(picture)


def test_a_saved_picture_is_the_one_that_is_shown_and_nothing_else_is_left(tmp_path):
    picture = PICTURES["attention_map"]
    picture.save(tmp_path / "map.png")
    assert (tmp_path / "map.png").read_bytes() == picture.png()
    assert [path.name for path in tmp_path.iterdir()] == ["map.png"]


def test_a_picture_that_cannot_be_drawn_leaves_the_old_file(tmp_path):
    def fails(figure):
        raise RuntimeError

    (tmp_path / "map.png").write_bytes(b"old")
    with pytest.raises(RuntimeError):
        Picture("", fails, (2, 2)).save(tmp_path / "map.png")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("map.png", b"old")]


def test_an_interrupted_save_leaves_the_old_picture(tmp_path, monkeypatch):
    def interrupted(path, content):
        path.open("wb").write(content[:9])
        raise KeyboardInterrupt

    (tmp_path / "map.png").write_bytes(b"old")
    monkeypatch.setattr(Path, "write_bytes", interrupted)
    with pytest.raises(KeyboardInterrupt):
        PICTURES["attention_map"].save(tmp_path / "map.png")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("map.png", b"old")]


# ---- attention maps


@pytest.mark.parametrize(("U", "T"), [(1, 1), (2, 4), (10, 29), (31, 3)])
def test_every_word_has_one_tick_in_the_middle_of_its_cells(U, T):
    source, target = [f"s{i}" for i in range(T)], [f"t{i}" for i in range(U)]
    axes = drawn(attention_map(np.full((U, T), 1 / T), source, target))[0]
    (image,) = axes.images
    left, right, bottom, top = image.get_extent()
    for axis, words, low, high in ((axes.xaxis, source, left, right), (axes.yaxis, target, top, bottom)):
        middles = low + (np.arange(len(words)) + 0.5) * (high - low) / len(words)
        np.testing.assert_allclose(axis.get_ticklocs(), middles, atol=1e-12)
        assert [label.get_text() for label in axis.get_ticklabels()] == words


def test_a_map_shows_the_weights_with_target_words_downwards_and_source_words_to_the_right():
    axes = drawn(attention_map(A, "ab c", "xy"))[0]
    np.testing.assert_array_equal(axes.images[0].get_array(), A)
    assert axes.images[0].origin == "upper"
    assert "source" in axes.get_xlabel() and "target" in axes.get_ylabel()


@pytest.mark.parametrize("a", [A, A / 10, np.eye(4)[:2]])
def test_the_colour_bar_is_labelled_and_goes_from_0_to_1_whatever_the_weights(a):
    axes, bar = drawn(attention_map(a, "ab c", "xy"))
    assert axes.images[0].get_clim() == bar.get_ylim() == (0, 1)
    assert bar.get_ylabel() == "attention weight"


def test_the_description_names_the_size_and_every_row_maximum():
    a = [[0.1, 0.6, 0.3], [0.2, 0.1, 0.7], [0.9, 0.0, 0.1]]
    description = attention_map(a, ["the", " ", "cat"], ["le", "chat", " "], title="A map").description
    assert description == (
        "A map: map of 3 target × 3 source words; row maxima at le → ␣ (word 2), chat → cat (word 3), ␣ → the (word 1)."
    )


@pytest.mark.parametrize("weight", [0, 1 / 3])
def test_a_description_claims_no_maximum_where_all_weights_are_alike(weight):
    assert "word 1" not in attention_map(np.full((2, 3), weight), "abc", "xy").description


@pytest.mark.parametrize(
    "words",
    [
        ["h̃", "h̃_1", "h̃ᵀ h₂", "h^final"], ["␣", " ", "", "\xa0"], list("éüßøłñ"), list("αΣ→×·−"), list("$%&#_\\^{}~"),
        ["$5", "x_1", "a^b"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_labels_of_a_course_or_of_a_european_language_all_have_glyphs(words):
    quietly(attention_map(np.eye(len(words)), words, words, title="h̃ and hs · é"))


@pytest.mark.parametrize("words", ["한국어", "日本"])
def test_labels_in_any_script_are_drawn_without_a_warning(words):
    quietly(attention_map(np.eye(len(words)), words, words))


def test_dollar_signs_are_drawn_as_dollar_signs():
    quietly(attention_map([[1]], [r"$\frac$"], ["x"]))


@pytest.mark.parametrize("draw", [attention_map, text_map])
@pytest.mark.parametrize("shape", [(2, 3), (4, 2), (2, 4, 1), (4,), (1, 4)])
def test_weights_that_do_not_fit_the_words_are_refused_in_one_sentence(draw, shape):
    with pytest.raises(ValueError) as error:
        draw(np.zeros(shape), "ab c", "xy")
    assert f"a has shape {shape}, but 2 target words and 4 source words need (2, 4)." in str(error.value)
    assert "\n" not in str(error.value)


def test_a_picture_keeps_no_hold_on_the_weights_it_was_made_from():
    a = A.copy()
    picture = attention_map(a, "ab c", "xy")
    before = picture.png()
    a[:] = 1
    assert picture.png() == before


# ---- the plane of scores


def test_the_plane_has_an_arrow_for_every_state_and_a_bar_for_every_score():
    e = HS @ H_TILDE
    plane, bars = drawn(PICTURES["score_plane"])
    tips = {tuple(note.xy) for note in plane.texts if note.arrow_patch}
    assert tips == {tuple(h) for h in [*HS, H_TILDE]}
    np.testing.assert_allclose([bar.get_width() for bar in bars.patches], e)
    assert [bar.get_hatch() for bar in bars.patches] == ["//" if i == e.argmax() else "" for i in range(len(e))]
    names = [note.get_text() for note in plane.texts if note.get_text()]
    assert names == ["$h_{1}$", "$h_{2}$", "$h_{3}$", r"$\tilde{h}$"]


def test_the_plane_describes_every_score_and_the_winner():
    assert score_plane((1, 0), [[1, 0], [-2, 0], [3, 1]], [1, -2, 3], title="Dot").description == (
        "Dot: 3 encoder states and h̃ as arrows in the plane; scores e_1 = 1.00, e_2 = -2.00, e_3 = 3.00; h_3 wins."
    )


@pytest.mark.parametrize("signs", [(1, 1), (1, -1), (-1, 1), (-1, -1)])
@pytest.mark.parametrize("size", [1e-3, 1, 1e3])
def test_every_arrow_and_every_name_is_inside_the_plane(signs, size):
    hs = HS * signs * size
    plane = drawn(score_plane(H_TILDE * size, hs, hs @ H_TILDE))[0]
    frame = plane.get_window_extent()
    for note in plane.texts:
        box = note.get_window_extent()
        assert frame.x0 <= box.x0 and box.x1 <= frame.x1 and frame.y0 <= box.y0 and box.y1 <= frame.y1


@pytest.mark.parametrize("hs", [[[0, 0], [1, 1]], [[0, 0]]])
@pytest.mark.parametrize("h_tilde", [(0, 0), (1, 0)])
def test_a_state_of_length_0_is_drawn_without_a_warning(h_tilde, hs):
    quietly(score_plane(h_tilde, hs, np.zeros(len(hs))))


@pytest.mark.parametrize(
    "shapes",
    [((3,), (4, 2), (4,)), ((1, 2), (4, 2), (4,)), ((2,), (4, 3), (4,)), ((2,), (4,), (4,)), ((2,), (4, 2), (3,))],
)
def test_a_plane_refuses_shapes_that_do_not_fit_in_one_sentence(shapes):
    with pytest.raises(ValueError) as error:
        score_plane(*map(np.ones, shapes))
    h_tilde, hs, e = shapes
    assert str(error.value) == (
        f"score_plane: h_tilde has shape {h_tilde}, hs {hs} and e {e}, but they need (2,), (T, 2) and (T,)."
    )


# ---- shapes and words of the other pictures


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("combine_plane", (H_TILDE, HS[1], [0, 1], HS, HS)),
        ("combine_plane", (H_TILDE[None], HS[1], [0, 0.5, 1], HS, HS)),
        ("context_plane", (A[0], HS, HS[:1])),
        ("context_plane", (A, HS, HS[:2])),
        ("context_plane", (A[:, :3], HS, HS)),
        ("map_panels", ([A, A], ["a"], "ab c", "xy")),
        ("map_panels", ([], [], "ab c", "xy")),
        ("map_panels", ([A, A.T], ["a", "b"], "ab c", "xy")),
        ("scores_to_weights", (A, A[:, :3], ["a", "b"])),
        ("scores_to_weights", (A, A, ["a"])),
        ("state_distances", (["abc", "ab"], {"RNN": [0, 1, 2]})),
        ("state_distances", (["abc", "abe"], {"RNN": [0, 1]})),
        ("state_distances", (["abc", "abe"], {})),
        ("state_distances", (["abc"], {"RNN": [0, 1, 2]})),
        ("temperature_jacobians", ([1], A, np.ones((2, 4, 4)))),
        ("temperature_jacobians", ([1, 2], A, np.ones((2, 4, 3)))),
        ("word_bars", (A, "abc", ["a", "b"])),
        ("word_bars", (A, "abcd", ["a"])),
    ],
)
def test_what_does_not_fit_is_refused_in_one_sentence(name, arguments):
    with pytest.raises(ValueError, match=r"^[\w ]+: .*\.$") as error:
        getattr(plots, name)(*arguments)
    assert "need" in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize("name", ["state_distances", "word_bars"])
def test_a_space_is_visible_in_the_picture_and_in_its_description(name):
    ticks = [tick.get_text() for tick in drawn(PICTURES[name])[-1].get_xticklabels()]
    assert any("␣" in tick for tick in ticks)
    spaced = plots.word_bars([[0.1, 0.9]], ["a", " "], ["first"])
    assert "␣" in (spaced if name == "word_bars" else PICTURES[name]).description


def test_equal_states_combine_without_a_warning():
    quietly(plots.combine_plane(H_TILDE, H_TILDE, [0, 1], [H_TILDE, H_TILDE], np.zeros((0, 2))))


# ---- maps in plain characters


def test_a_text_map_has_every_weight_under_its_source_word_and_beside_its_target_word():
    head, *rows = text_map(A, "ab c", "xy").split("\n")
    assert head == "  ab c"
    assert rows == ["x 721.", "y .1.9"]


@pytest.mark.parametrize("seed", range(5))
def test_a_text_map_lines_up_and_shows_tenths(seed):
    rng = np.random.RandomState(seed)
    a = rng.random_sample((4, 9)) ** 3
    a[0, 0], a[3, 8] = 1, 0
    head, *rows = text_map(a, "source, x", "a-b ").split("\n")
    assert {len(row) for row in rows} == {len(head)} == {11}
    shown = [[{".": 0, "X": 10}.get(cell) or int(cell.replace(".", "0")) for cell in row[2:]] for row in rows]
    assert np.abs(np.array(shown) / 10 - a).max() <= 0.05 + 1e-12
    assert [row[0] for row in rows] == list("a-b ")


@pytest.mark.parametrize(("source", "target"), [("한국", "a"), ("ab", "어")])
def test_a_text_map_lines_up_in_a_terminal_for_wide_letters_too(source, target):
    lines = text_map(np.full((len(target), len(source)), 0.5), source, target).split("\n")
    assert len({sum(1 + (east_asian_width(letter) in "WF") for letter in line) for line in lines}) == 1


# ---- the whole flow

STAGES = ["provisional_state", "scores", "softmax", "context", "combine", "training"]


@pytest.mark.parametrize("stage", [None, *STAGES])
def test_the_flow_is_drawn_without_a_warning_and_says_which_stage_is_lit(stage):
    picture = flow(stage)
    quietly(picture)
    assert (f"Lit: {stage}," in picture.description) == (stage is not None)


def test_each_stage_lights_another_picture():
    assert len({flow(stage).png() for stage in [None, *STAGES]}) == 7


def test_an_unknown_stage_is_answered_with_those_there_are():
    with pytest.raises(ValueError, match="no stage 'attention'; there are provisional_state, scores, softmax"):
        flow("attention")


@pytest.mark.parametrize("thing", ["H_TILDE", "H_I", "SCORE", "WEIGHT", "CONTEXT", "H_FINAL"])
def test_words_in_the_colour_of_a_thing_can_be_read_on_white(thing):
    assert contrast(colours.dark(getattr(colours, thing)), "white") >= 4.5  # WCAG 2.2, 1.4.3
