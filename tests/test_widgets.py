"""What explorers share: controls, a drawing that follows them, and what is shown where widgets can't run."""

import re
import sys
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from tests.drawn import expect_inside
from utils.widgets.explorer import Choice, Entry, Explorer, Slider, Stops, Switch, sentence
from utils.widgets.svg import Canvas, Names, Plane, number, signed_colour, weight_colour

WIDGET = "application/vnd.jupyter.widget-view+json"
CONTROLS = {
    "size": Slider("size", 2.0, 0.0, 4.0, 0.5),
    "count": Slider("count", 3, 1, 5),
    "stop": Stops("stop", 10, (0, 2.5, 10)),
    "kind": Choice("kind", "round", ("round", "square")),
    "on": Switch("on", True),
    "text": Entry("text", "Ü & <b>"),
}


def told(**values):
    canvas = Canvas(100, 50)
    canvas.text(5, 20, values["text"])
    return canvas.drawing(", ".join(f"{name} is {value}" for name, value in values.items()))


@pytest.fixture
def explorer():
    return Explorer(told, CONTROLS)


def parts(widget):
    """The controls by their label, and the picture."""
    controls, picture = widget.children
    return {control.description: control for control in controls.children}, picture


# ---- with widgets


def test_every_control_moves_the_drawing(explorer):
    controls, picture = parts(explorer.widget())
    for label, value in {"size": 3.5, "count": 1, "stop": 2.5, "kind": "square", "on": False, "text": "other"}.items():
        controls[label].value = value
        assert f"{label} is {value}" in picture.value


def test_a_slider_whose_step_is_whole_gives_whole_numbers(explorer):
    controls, _ = parts(explorer.widget())
    assert type(controls["count"].value) is int and type(controls["size"].value) is float


def test_two_widgets_of_one_explorer_do_not_move_each_other(explorer):
    (first, one), (_, other) = parts(explorer.widget()), parts(explorer.widget())
    first["count"].value = 5
    assert "count is 5" in one.value and "count is 3" in other.value


def test_what_goes_wrong_is_said_in_place_of_the_drawing_and_the_next_move_draws_again():
    def draw(text):
        if "x" in text:
            raise ValueError("The character 'x' <is> not known.")
        return sentence(f"reads {text}")

    controls, picture = parts(Explorer(draw, {"text": Entry("text", "fine")}).widget())
    controls["text"].value = "x"
    assert "The character 'x' &lt;is&gt; not known." in picture.value
    controls["text"].value = "good"
    assert "reads good" in picture.value


def test_a_first_drawing_that_goes_wrong_is_a_sentence_with_the_controls_and_a_move_draws_again():
    def draw(size):
        if size < 3:
            raise ValueError("No vector is that short.")
        return sentence(f"{size} long")

    explorer = Explorer(draw, {"size": Slider("size", 2, 1, 5)})
    bundle = explorer._repr_mimebundle_()
    assert set(bundle) == {"image/svg+xml", "text/plain", WIDGET}
    assert bundle["text/plain"] == repr(explorer) == "Nothing to draw: No vector is that short."
    with pytest.raises(ValueError, match="that short"):
        explorer.drawing()
    controls, picture = parts(explorer.widget())
    controls["size"].value = 4
    assert "4 long" in picture.value


class Mute(Exception):
    def __str__(self):
        raise ValueError("no words")


@pytest.mark.parametrize(
    ("error", "words"), [(SystemExit(), "SystemExit"), (SystemExit("bye"), "bye"), (Mute(), "Mute")]
)
def test_whatever_a_function_raises_is_a_sentence_in_the_widget(error, words):
    def draw(on):
        if on:
            raise error
        return sentence("fine")

    controls, picture = parts(Explorer(draw, {"on": Switch("on", False)}).widget())
    controls["on"].value = True
    assert f"Nothing to draw: {words}</p>" in picture.value


def test_whoever_interrupts_is_not_held_up():
    def draw(size):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Explorer(draw, {"size": CONTROLS["size"]}).widget()


def test_a_function_that_prints_does_so_once_for_each_drawing(capsys):
    def draw(size):
        print(size)
        return sentence(f"{size} long")

    explorer = Explorer(draw, {"size": CONTROLS["size"]})
    assert WIDGET in explorer._repr_mimebundle_() and capsys.readouterr().out == "2.0\n"
    controls, picture = parts(explorer.widget())
    capsys.readouterr()
    controls["size"].value = 3.5
    assert capsys.readouterr().out == "3.5\n" and "3.5 long" in picture.value


def test_a_slider_with_stops_shows_their_numbers(explorer):
    controls, _ = parts(explorer.widget())
    assert controls["stop"].options == (("0", 0), ("2.5", 2.5), ("10", 10)) and controls["stop"].value == 10


def test_the_words_stand_below_the_picture_and_in_it_for_screen_readers(explorer):
    _, picture = parts(explorer.widget())
    svg, _, words = picture.value.partition("</svg>")
    assert 'role="img"' in svg and "kind is round" in re.search(r'aria-label="([^"]*)"', svg)[1]
    assert "kind is round" in words


# ---- without


def test_a_front_end_gets_the_drawing_its_words_and_the_widget(explorer):
    bundle = explorer._repr_mimebundle_()
    assert set(bundle) == {"image/svg+xml", "text/plain", WIDGET}
    assert bundle["text/plain"] == repr(explorer) == explorer.drawing().description


def test_without_ipywidgets_the_drawing_stands_alone_and_a_sentence_says_why(explorer, monkeypatch):
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    bundle = explorer._repr_mimebundle_()
    assert WIDGET not in bundle and bundle["image/svg+xml"].startswith("<svg")
    assert "need ipywidgets" in bundle["text/plain"]


def test_under_grading_no_widget_is_made(explorer, monkeypatch):
    monkeypatch.setenv("COURSE_STRICT", "1")
    assert set(explorer._repr_mimebundle_()) == {"image/svg+xml", "text/plain"}


# ---- drawing


def boxes(canvas):
    """(x, width) of every rectangle but the ground."""
    found = ET.fromstring(canvas.drawing("boxes").svg).findall("{*}rect")[1:]
    return [(float(box.get("x")), float(box.get("width"))) for box in found]


def test_texts_of_any_kind_give_well_formed_svg(explorer):
    root = ET.fromstring(explorer.drawing(text="a & b < c > \"d\" 'e' 한국어").svg)
    assert root.find("{*}text").text == "a & b < c > \"d\" 'e' 한국어"


@pytest.mark.parametrize("values", [[1, 2, 3], [-1, -2, 0], [5, -5, 1e9], [0, 0, 0], [np.nan, np.inf, 1]])
def test_bars_stay_inside_their_width(values):
    canvas = Canvas(400, 200)
    canvas.bars(10, 10, 380, ["a", "bb", "ccc"], values, "#E69F00", reach=4.0)
    assert len(boxes(canvas)) == 3 and all(10 <= x and x + width <= 390 for x, width in boxes(canvas))


def test_a_negative_bar_ends_where_a_positive_one_begins():
    canvas = Canvas(400, 200)
    canvas.bars(0, 0, 400, ["a", "b"], [1.0, -1.0], "red", reach=1.0)
    (left, width), (other, long) = boxes(canvas)
    assert other + long == pytest.approx(left, abs=0.2) and width == pytest.approx(long, abs=0.2)


def test_an_arrow_that_leaves_the_plane_ends_at_its_reach_dashed_and_says_so():
    canvas = Canvas(200, 200)
    plane = Plane(canvas, 0, 0, 200, reach=2)
    assert plane.place([1, -1]) == pytest.approx([150, 150])
    assert plane.place([8, 4]) == pytest.approx(plane.place([2, 1]))
    plane.arrow([8, 4], "#0072B2")
    plane.name([8, 4], "h_1")
    svg = canvas.drawing("a plane").svg
    assert "h_1 (longer)" in svg and "stroke-dasharray" in svg


@pytest.mark.parametrize("tip", [(10, 10), (190, 100), (100, 100)])
def test_a_name_stands_inside_its_piece_of_the_canvas_and_beside_the_names_before_it(tip):
    canvas = Canvas(200, 200)
    names = Names(canvas, 0, 0, 200, 200)
    for _ in range(2):
        names.write("h_1", np.array(tip), [1, 0])
    svg = canvas.drawing("names").svg
    expect_inside(svg)
    one, other = (np.array([float(name.get(axis)) for axis in "xy"]) for name in ET.fromstring(svg).findall("{*}text"))
    assert (np.abs(one - other) > [30, 12]).any()


@pytest.mark.parametrize(
    ("value", "text"), [(-0.001, "0.00"), (-1.5, "−1.50"), (np.float64(2), "2.00"), (np.nan, "nan"), (-np.inf, "−inf")]
)
def test_a_number_has_two_digits_and_no_minus_before_a_zero(value, text):
    assert number(value) == text


def test_colours_of_weights_grow_brighter_and_stay_within_their_ends():
    def brightness(colour):
        return sum(int(colour[k : k + 2], 16) for k in (1, 3, 5))

    shades = [brightness(weight_colour(weight)) for weight in np.linspace(0, 1, 30)]
    assert shades == sorted(shades)
    assert weight_colour(-1) == weight_colour(0) and weight_colour(2) == weight_colour(1)


def test_signed_colours_are_palest_at_nought_and_differ_by_sign():
    assert signed_colour(0) == "#f7f7f7" and signed_colour(0.5) != signed_colour(-0.5)
    assert signed_colour(2.0, reach=4.0) == signed_colour(0.5)


def test_colours_are_those_of_matplotlibs_maps():
    matplotlib = pytest.importorskip("matplotlib")
    for ours, name, lowest in ((weight_colour, "cividis", 0), (signed_colour, "PuOr", -1)):
        colours = matplotlib.colormaps[name]
        for value in np.linspace(lowest, 1, 21):
            theirs = np.array(colours((value - lowest) / (1 - lowest))[:3]) * 255
            mine = [int(ours(value)[k : k + 2], 16) for k in (1, 3, 5)]
            assert np.abs(theirs - mine).max() < 16, (name, value)
