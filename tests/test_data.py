"""Files of pairs, splits, vocabularies, padding."""

import random

import numpy as np
import pytest

from utils.data import EOS, PAD, SPLITS, DataError, Task, Vocabulary, ended, read_pairs, split_pairs

GOOD = "".join(f"source {n}\t{'xyz'[n % 3] * (n % 7 + 1)}\n" for n in range(60))
PAIRS = [tuple(line.split("\t")) for line in GOOD.splitlines()]


@pytest.fixture
def read(tmp_path):
    """Write a file of pairs and read it."""

    def write_and_read(content):
        path = tmp_path / "pairs.txt"
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return read_pairs(path)

    return write_and_read


def together(splits):
    return sorted(pair for name in SPLITS for pair in splits[name])


def one_line(error):
    message = str(error.value)
    assert "\n" not in message
    return message


def test_every_pair_of_a_good_file_is_in_one_split(read):
    assert together(read(GOOD)) == sorted(PAIRS)


@pytest.mark.parametrize(
    "content",
    [
        GOOD.encode("utf-8-sig"),
        GOOD.replace("\n", "\r\n"),
        GOOD.replace("\n", "\r\n").encode("utf-8-sig"),
        GOOD.rstrip("\n"),
        GOOD.replace("\n", "\n\n"),
        "\n  \n" + GOOD + "\r\n\n",
    ],
    ids=["BOM", "Windows line ends", "both", "no last line end", "blank lines between", "blank lines around"],
)
def test_the_way_an_editor_saved_the_file_changes_nothing(read, content):
    assert read(content) == read(GOOD)


def test_spaces_and_letters_of_any_script_belong_to_the_texts(read):
    pairs = [(" 두  칸 ", "é"), ("h̃ 😀", " ")]
    assert set(pairs) <= set(together(read(GOOD + "".join(f"{s}\t{t}\n" for s, t in pairs))))


@pytest.mark.parametrize("character", ["\u2028", "\x85", "\x0c", "\x1c"])
def test_only_line_ends_end_a_line(read, character):
    assert (f"a{character}b", "c") in together(read(GOOD + f"a{character}b\tc\n"))


def test_a_source_that_stands_in_a_file_often_is_in_one_split_only(read):
    splits = read("".join(f"source {n % 40}\ttarget {n}\n" for n in range(400)))
    homes = [{source for source, _ in splits[name]} for name in SPLITS]
    assert sum(map(len, homes)) == len(set.union(*homes)) == 40
    assert len(together(splits)) == 400


def test_about_eight_of_ten_keys_are_for_training_and_one_each_for_validation_and_test():
    splits = split_pairs(((str(n), "") for n in range(20_000)), key=lambda source, target: source)
    shares = [len(splits[name]) / 20_000 for name in SPLITS]
    np.testing.assert_allclose(shares, [0.8, 0.1, 0.1], atol=0.01)


BAD = pytest.mark.parametrize(
    "line",
    ["no tab", "two\ttabs\there", "\tno source", "no target\t", "  spaces only on the left and no tab"],
)


@BAD
@pytest.mark.parametrize("before", [0, 3, 60])
def test_a_line_that_is_no_pair_is_named(read, tmp_path, line, before):
    lines = GOOD.splitlines()
    with pytest.raises(DataError) as error:
        read("\n".join([*lines[:before], "", line, *lines[before:]]))
    assert one_line(error).startswith(f"{tmp_path / 'pairs.txt'}, line {before + 2}: ")


def test_a_tab_alone_is_no_pair(read):
    with pytest.raises(DataError, match="line 61"):
        read(GOOD + "\t\n")


def test_a_nul_character_is_refused(read):
    with pytest.raises(DataError, match="line 61"):
        read(GOOD + "a\0\tb\n")


@pytest.mark.parametrize("start", [
    b"", b"\xef\xbb\xbf",
])  # fmt: skip
def test_the_line_that_is_not_utf_8_is_named(read, start):
    with pytest.raises(DataError, match=r"pairs\.txt, line 3: not UTF-8") as error:
        read(start + "é\tb\nc\td\n".encode() + b"\xff\te\n")
    one_line(error)


@pytest.mark.parametrize("text", ["", "\n\n", "a\tb\n", "a\tb\n" * 100], ids=["empty", "blank", "one", "one source"])
def test_a_file_with_too_few_pairs_is_named(read, text):
    with pytest.raises(DataError, match=r"pairs\.txt: .*too few") as error:
        read(text)
    one_line(error)


def test_a_file_in_utf_16_is_refused_by_name(read):
    with pytest.raises(DataError, match=r"pairs\.txt, line 1: not UTF-8"):
        read(GOOD.encode("utf-16"))


@pytest.mark.parametrize("name", [".", "missing.txt", "missing/folder.txt"])
def test_a_file_that_cannot_be_read_is_named(tmp_path, name):
    with pytest.raises(DataError) as error:
        read_pairs(tmp_path / name)
    assert one_line(error).startswith(f"{tmp_path / name}: cannot be read")


def random_texts(seed, alphabet, count=50):
    draw = random.Random(seed)
    return ["".join(draw.choices(alphabet, k=draw.randint(1, 12))) for _ in range(count)]


@pytest.mark.parametrize("alphabet", ["ab", "0123456789-, ", "가나다 é", "😀a\ufffd~h̃"])
@pytest.mark.parametrize("first", [1, 3])
@pytest.mark.parametrize("seed", range(5))
def test_texts_survive_being_numbered(alphabet, first, seed):
    texts = random_texts(seed, alphabet)
    vocabulary = Vocabulary.of(texts, first)
    ids = vocabulary.numbers(texts)
    assert [vocabulary.text(row) for row in ids] == texts
    assert ids.shape == (len(texts), max(map(len, texts)))
    assert ids.max() == len(vocabulary) - 1 and ids[ids != PAD].min() == first
    for row, text in zip(ids, texts):  # padding is on the right, and only there
        assert (row[: len(text)] != PAD).all() and (row[len(text) :] == PAD).all()


def test_the_order_and_number_of_texts_do_not_matter_to_a_vocabulary():
    texts = random_texts("v", "qwerty")
    assert Vocabulary.of(texts, 3) == Vocabulary.of(reversed(texts * 2), 3)


@pytest.mark.parametrize("unknown", ["c", "A", "é", "가", "😀", " ", "~", "\x01"])
def test_a_character_that_is_not_in_the_vocabulary_is_named(unknown):
    with pytest.raises(DataError) as error:
        Vocabulary.of(["ab", "yz"], 1).numbers(["ab", f"y{unknown}z"])
    assert repr(unknown) in one_line(error) and repr(f"y{unknown}z") in one_line(error)


@pytest.mark.parametrize("seed", range(5))
def test_ended_puts_one_eos_after_the_last_word_of_every_row(seed):
    rows = [[EOS + 1 + "pqr".index(letter) for letter in text] for text in random_texts(seed, "pqr")]
    width = max(map(len, rows))
    ids = np.array([row + [PAD] * (width - len(row)) for row in rows])
    expected = [row + [EOS] + [PAD] * (width - len(row)) for row in rows]
    before = ids.copy()
    np.testing.assert_array_equal(ended(ids), expected)
    np.testing.assert_array_equal(ids, before)


def test_a_task_holds_the_same_pairs_as_texts_and_as_arrays(read):
    splits = read(GOOD)
    task = Task.of(splits)
    for name in SPLITS:
        sources = [task.source_vocabulary.text(row) for row in task.sources[name]]
        targets = [task.target_vocabulary.text(row) for row in task.targets[name]]
        assert list(zip(sources, targets)) == task.texts[name] == splits[name]
        assert ((task.targets[name] == EOS).sum(axis=1) == 1).all()


def test_a_vocabulary_knows_nothing_of_what_only_other_splits_contain():
    splits = {"train": [("ab", "x")], "validation": [("a", "x"), ("c", "x")], "test": [("b", "x"), ("a", "y")]}
    task = Task.of(splits)
    assert task.source_vocabulary.characters == "ab" and task.target_vocabulary.characters == "x"
    assert task.texts == {"train": [("ab", "x")], "validation": [("a", "x")], "test": [("b", "x")]}


def test_a_split_of_which_training_knows_nothing_is_named():
    with pytest.raises(DataError, match="validation") as error:
        Task.of({"train": [("a", "x")], "validation": [("b", "x")], "test": [("a", "x")]})
    one_line(error)
