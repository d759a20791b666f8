"""The reader's own attention map: what becomes of the list, and of the file that keeps it."""

import ast
import html
import json
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from tests.drawn import expect_inside
from utils import progress
from utils.my_map import EXAMPLE, MapError, load_my_map, my_map
from utils.widgets import draw_my_map

ROOT = Path(__file__).parents[1]
SOURCE, TARGET = "tuesday, september 25, 1984", "1984-09-25"
MINE = ["1", "9", "8", "4", "", "sep", "september", 9, "2", ["25", "tuesday"]]


@pytest.fixture(autouse=True)
def file(tmp_path, monkeypatch):
    """The file that keeps the map, in a folder of the test's own."""
    monkeypatch.delenv("COURSE_STRICT", raising=False)
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    monkeypatch.setattr(progress, "FILE", tmp_path / "progress.json")
    return tmp_path / "my_map.json"


def weights(*looked):
    """The weights of a map: one row per entry."""
    my_map(SOURCE, "0" * len(looked), list(looked))
    return load_my_map()[2]


def test_each_row_shares_its_weight_equally_among_the_characters_looked_at():
    a = weights("september", "1984")
    assert np.allclose(a.sum(axis=1), 1)
    assert np.allclose(a[0, 9:18], 1 / 9) and np.allclose(a[1, 23:], 1 / 4)


def test_several_pieces_and_positions_count_once_each():
    assert np.allclose(weights(["25", 20, "2", 27])[0, [19, 20, 26]], [1 / 3] * 3)


def test_looking_at_nothing_is_looking_everywhere_a_little():
    assert np.allclose(weights("", " ", [], [""]), 1 / len(SOURCE))
    assert np.allclose(weights(["", "25"])[0, 19:21], 1 / 2)


def test_case_and_spaces_around_a_piece_do_not_matter():
    assert (weights("September")[0] == weights("  september ")[0]).all()


@pytest.mark.parametrize(
    "looked, says",
    [
        (["october"], "At '0': the piece 'october' is not in 'tuesday, september 25, 1984'."),
        (["t"], "At '0': 't' is there 2 times, at positions 1, 13; write a longer piece, or one of these numbers."),
        ([28], "At '0': position 28 is not in the text, which has 27 characters."),
        ([True], "At '0': a piece is a text or a position, not a bool."),
        (["25", "25"], "The list needs 1 entries, one for each character of '0', but it has 2."),
        ("1", "The list needs 1 entries, one for each character of '0', but it is a str."),
        (None, "The list needs 1 entries, one for each character of '0', but it is a NoneType."),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence_and_nothing_is_kept(looked, says, file):
    with pytest.raises(MapError) as error:
        my_map(SOURCE, "0", looked)
    assert str(error.value) == says and error.value._render_traceback_() == [says]
    assert not file.exists()


@pytest.mark.parametrize("make", [lambda *texts: my_map(*texts, ["a"]), draw_my_map])
@pytest.mark.parametrize(("texts", "kind"), [(("", "a"), "read"), (("a", ""), "written"), (("", ""), "read")])
def test_a_map_without_a_text_is_refused_in_one_sentence(make, texts, kind, file):
    with pytest.raises(MapError, match=f"^A map needs a text that is {kind}, but this one is empty.$"):
        make(*texts)
    assert not file.exists()


def test_a_letter_whose_small_form_is_longer_moves_no_position():
    assert my_map("İİabC", "x", ["ABc"]).description.endswith("looked at: x → ABc.")
    assert load_my_map()[2].tolist() == [[0, 0, *[1 / 3] * 3]]


def test_a_map_comes_back_as_it_was_kept(capsys):
    picture = my_map(SOURCE, TARGET, MINE)
    assert capsys.readouterr().out == "Your map is kept for notebook 06, in notebooks/my_map.json.\n"
    source, target, a = load_my_map()
    assert (source, target, a.shape) == (SOURCE, TARGET, (10, 27))
    assert "0 → sep, 9 → september" in picture.description and "5 → 25 and tuesday" in picture.description


def test_the_example_is_drawn_but_never_replaces_a_map_of_ones_own(file, capsys):
    my_map(SOURCE, TARGET, MINE)
    before = file.read_bytes()
    assert my_map(SOURCE, TARGET, list(EXAMPLE)).description.startswith("The example's attention map: ")
    assert "so it is not kept" in capsys.readouterr().out and file.read_bytes() == before


def test_the_example_is_the_list_that_notebook_00_holds():
    tree = ast.parse((ROOT / "solutions/00_start_here.py").read_text(encoding="utf-8"))
    lists = [n.value for n in tree.body if isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) == "looked"]
    assert tuple(ast.literal_eval(lists[0])) == EXAMPLE


def test_without_a_file_there_is_no_map():
    assert load_my_map() is None


@pytest.mark.parametrize(
    "broken",
    [
        "", "[1]", '{"source": "ab", "target": "c", "a": [[1]]}', '{"source": 1}', "[" * 200_000,
        '{"source": "a", "target": "c", "a": [[1%s]]}' % ("0" * 400),
    ],
    ids=["empty", "list", "shape", "keys", "deep", "huge"],
)  # fmt: skip
def test_a_broken_file_is_named_and_set_aside_when_a_new_map_is_kept(broken, file, capsys):
    file.write_text(broken, encoding="utf-8")
    assert load_my_map() is None and file.read_text(encoding="utf-8") == broken
    assert "could not be understood" in capsys.readouterr().out
    my_map(SOURCE, TARGET, MINE)
    assert load_my_map() is not None
    assert file.with_name("my_map.broken-1.json").read_text(encoding="utf-8") == broken


def test_a_file_that_cannot_be_written_costs_one_sentence_and_nothing_else(file, monkeypatch, capsys):
    my_map(SOURCE, TARGET, MINE)
    before = file.read_bytes()

    def refuse(*args, **kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "write_text", refuse)
    capsys.readouterr()
    assert my_map(SOURCE, TARGET, [*MINE[:9], "25"]).description.startswith("Your attention map")
    said = capsys.readouterr().out
    assert said.count("\n") == 1 and "could not be kept" in said and file.read_bytes() == before


def test_under_grading_nothing_is_kept_and_nothing_is_read(file, monkeypatch):
    monkeypatch.setenv("COURSE_STRICT", "1")
    my_map(SOURCE, TARGET, MINE)
    assert not file.exists()
    file.write_text(json.dumps({"source": "a", "target": "b", "a": [[1]]}), encoding="utf-8")
    assert load_my_map() is None


# ---- the widget


class Form:
    """The widget as a reader uses it."""

    def __init__(self, source=SOURCE, target=TARGET):
        def below(widget):
            return [widget, *(part for child in getattr(widget, "children", ()) for part in below(child))]

        parts = below(draw_my_map(source, target).widget())
        kinds = {kind: [p for p in parts if type(p).__name__ == kind] for kind in ("Button", "ToggleButton", "HTML")}
        self._buttons = {part.description: part for part in kinds["Button"]}
        self.letters = kinds["ToggleButton"]
        self._writing, self._said, self._picture = kinds["HTML"]
        (self._field,) = (part for part in parts if type(part).__name__ == "Text")

    def press(self, *positions):
        for position in positions:
            self.letters[position - 1].value = not self.letters[position - 1].value

    def type(self, piece):
        self._field.value = piece

    def next(self):
        self._buttons["next ▶"].click()

    def previous(self):
        self._buttons["◀ previous"].click()

    def nothing(self):
        self._buttons["nothing in particular"].click()

    def keep(self):
        self._buttons["keep my map"].click()

    @property
    def pressed(self):
        return [position for position, letter in enumerate(self.letters, start=1) if letter.value]

    @property
    def writing(self):
        return re.sub("<.*?>|&ensp;.*", "", self._writing.value)

    @property
    def said(self):
        return html.unescape(self._said.value)

    @property
    def shown(self):
        return html.unescape(self._picture.value)


def test_clicking_characters_keeps_the_same_file_as_the_list(file):
    form = Form()
    for positions in [(24,), (25,), (26,), (27,), (), (10, 11, 12), range(10, 19), (9,), (20,), (21, 20, *range(1, 8))]:
        form.press(*positions)
        form.next()
    form.keep()
    clicked = file.read_bytes()
    file.unlink()
    my_map(SOURCE, TARGET, MINE)
    assert file.read_bytes() == clicked


def test_typing_pieces_keeps_the_same_file_as_the_list(file):
    looked = ["1", "1984", "", "Sep", " 25", 13, "september", "9", 22, "tuesday"]
    form = Form()
    for piece in looked:
        form.type(str(piece))
        form.next()
    form.keep()
    typed = file.read_bytes()
    file.unlink()
    my_map(SOURCE, TARGET, looked)
    assert file.read_bytes() == typed


def test_what_was_kept_is_said_in_one_line(file):
    form = Form()
    form.type("1984")
    form.keep()
    assert form.said == "Your map is kept for notebook 06, in notebooks/my_map.json. Rows with a mark: 1 of 10."
    form.press(1)
    assert form.said == ""


def test_stepping_shows_the_marks_made_before_and_loses_none():
    form = Form()
    form.press(24, 25)
    form.next()
    assert form.writing == "Writing character 2 of 10: 9" and form.pressed == []
    form.type("september")
    form.previous()
    assert form.writing == "Writing character 1 of 10: 1" and form.pressed == [24, 25]
    form.next()
    assert form.pressed == list(range(10, 19))


def test_stepping_ends_at_the_first_and_the_last_character():
    form = Form()
    form.previous()
    assert form.writing == "Writing character 1 of 10: 1"
    for _ in range(12):
        form.next()
    assert form.writing == "Writing character 10 of 10: 5"


def test_the_drawing_follows_every_control():
    form = Form()
    seen = [form.shown]
    for move in (lambda: form.press(3), form.next, lambda: form.type("25"), form.nothing, form.previous):
        move()
        assert form.shown != seen[-1]
        seen.append(form.shown)
    assert "The framed row is character 1, 1. Looked at: “e”; the share of each character: 1.00." in seen[-1]


def test_a_second_press_and_the_button_for_nothing_take_marks_away():
    form = Form()
    form.press(1, 2, 2)
    assert form.pressed == [1]
    form.nothing()
    assert form.pressed == [] and "Looked at: nothing in particular; the share of each character: 0.04." in form.shown


@pytest.mark.parametrize(
    "piece, says",
    [
        ("<october>", "At '1': the piece '<october>' is not in 'tuesday, september 25, 1984'."),
        ("t", "At '1': 't' is there 2 times, at positions 1, 13; write a longer piece, or press the one you mean."),
        ("28", "Numbers go from 1 to 27."),
        ("-1", "Numbers go from 1 to 27."),
    ],
)
def test_a_typed_piece_that_cannot_be_found_costs_one_sentence_and_no_marks(piece, says):
    form = Form()
    form.press(5)
    form.type(piece)
    assert form.said == says and form.pressed == [5]
    form.type("25")
    assert form.said == "" and form.pressed == [20, 21]


def test_who_types_a_piece_that_cannot_be_found_and_goes_on_still_reads_why():
    form = Form()
    form.type("october")
    form.next()
    assert form.said == "At '1': the piece 'october' is not in 'tuesday, september 25, 1984'."
    form.next()
    assert form.said == ""


def test_a_refused_piece_does_not_stay_in_the_box_when_the_map_is_kept():
    form = Form()
    form.press(5)
    form.type("october")
    form.keep()
    assert form._field.value == "" and form.said.startswith("Your map is kept")


def test_two_widgets_do_not_disturb_each_other():
    one, other = Form(), Form()
    before = other.shown
    one.press(24)
    one.next()
    assert (other.pressed, other.writing, other.shown) == ([], "Writing character 1 of 10: 1", before)
    other.type("25")
    one.previous()
    assert one.pressed == [24] and other.pressed == [20, 21]


def test_the_widget_begins_with_the_map_that_was_kept_for_its_texts():
    my_map(SOURCE, TARGET, ["25", *MINE[1:]])
    form = Form()
    assert form.pressed == [20, 21]
    for _ in range(4):
        form.next()
    assert form.pressed == []
    assert Form("may 1", "05").pressed == []


def test_neither_the_example_nor_an_empty_map_is_kept_from_the_widget(file):
    form = Form()
    form.keep()
    assert form.said == "Nothing is marked yet, so nothing is kept."
    for piece in EXAMPLE:
        form.type(piece)
        form.next()
    form.keep()
    assert form.said == "This is the example's map, so it is not kept." and not file.exists()


def test_where_the_widget_cannot_run_the_example_is_drawn(monkeypatch):
    explorer = draw_my_map(SOURCE, TARGET)
    assert "application/vnd.jupyter.widget-view+json" in explorer._repr_mimebundle_()
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    bundle = explorer._repr_mimebundle_()
    assert set(bundle) == {"image/svg+xml", "text/plain"} and bundle["image/svg+xml"].startswith("<svg")
    assert bundle["text/plain"].startswith("The example's attention map: 10 characters written × 27 characters")
    assert "1 → “1984”" in bundle["text/plain"] and "- → nothing in particular" in bundle["text/plain"]


def test_under_grading_no_widget_is_made_and_nothing_is_read(file, monkeypatch):
    my_map(SOURCE, TARGET, MINE)
    monkeypatch.setenv("COURSE_STRICT", "1")
    monkeypatch.setattr(Path, "read_text", None)
    bundle = draw_my_map(SOURCE, TARGET)._repr_mimebundle_()
    assert set(bundle) == {"image/svg+xml", "text/plain"} and "The example's" in bundle["text/plain"]


def test_under_grading_the_widget_keeps_nothing(file, monkeypatch):
    form = Form()
    form.type("1984")
    monkeypatch.setenv("COURSE_STRICT", "1")
    form.keep()
    assert not file.exists()


@pytest.mark.parametrize("present", [0, 9])
@pytest.mark.parametrize("positions", [[], [1], [27], list(range(1, 28))])
def test_the_drawing_stays_inside_its_canvas_whatever_is_marked(positions, present):
    expect_inside(draw_my_map(SOURCE, TARGET).drawing(looked=[positions] * 10, present=present).svg)


@pytest.mark.parametrize("length", [1, 27, 28, 50])
def test_the_columns_are_as_wide_as_the_buttons_above_them(length):
    cell = ElementTree.fromstring(draw_my_map("a" * length, "b").drawing().svg).findall("{*}rect")[1]
    for letter in Form("a" * length, "b").letters:
        assert float(letter.layout.width.removesuffix("px")) == pytest.approx(float(cell.get("width")), abs=0.4)


def test_a_source_that_is_too_long_for_a_map_is_refused_with_its_length():
    with pytest.raises(ValueError, match="has 51 characters; there is room for 50"):
        draw_my_map("a" * 51, "b")
