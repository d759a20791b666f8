"""The reader's own attention map: what becomes of the list, and of the file that keeps it."""

import ast
import json
from pathlib import Path

import numpy as np
import pytest

from utils import progress
from utils.my_map import EXAMPLE, MapError, load_my_map, my_map

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


@pytest.mark.parametrize("broken", ["", "[1]", '{"source": "ab", "target": "c", "a": [[1]]}', '{"source": 1}'])
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
