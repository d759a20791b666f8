"""A trained model: it writes text, is measured, saved without pickles, and loaded again."""

import random
import zipfile
from pathlib import Path

import numpy as np
import pytest

from utils.data import EOS, PAD, DataError, Vocabulary, ended
from utils.dates import date_task
from utils.model import COMBINES, SCORES, Config, decode, init_params
from utils.trained import TrainedModel

ROOT = Path(__file__).resolve().parents[1]


def trained(score="additive", combine="concat", carry="provisional", seed=0, lower=False):
    """A model of a Korean and Latin vocabulary; its parameters are random."""
    source, target = Vocabulary.of(["abc 가나"], 1), Vocabulary.of(["xyz é\u2423"], EOS + 1)
    config = Config(len(source), len(target), score, combine, carry, D=3, H=4, A=5)
    params = init_params(config, np.random.RandomState(seed))
    params["bo"][:EOS] -= 100  # an untrained model may write PAD and BOS
    return TrainedModel(config, params, source, target, max_len=6, lower=lower)


MODEL = trained()


@pytest.fixture
def saved(tmp_path):
    MODEL.save(tmp_path / "model.npz")
    return tmp_path / "model.npz"


# ---- writing


def test_a_row_of_weights_belongs_to_every_character_that_is_written():
    lengths = set()
    for seed in range(20):
        written, a = trained(seed=seed).write("ab 가")
        assert a.shape == (len(written), 4) and len(written) <= 6
        np.testing.assert_allclose(a.sum(axis=1), 1, rtol=1e-5)
        lengths.add(len(written))
    assert len(lengths) > 2


def test_capital_letters_are_read_as_small_ones_when_training_had_only_those():
    assert trained(lower=True).write("ABC")[0] == trained(lower=True).write("abc")[0]
    with pytest.raises(DataError, match="'A'"):
        MODEL.write("Abc")


@pytest.mark.parametrize(("text", "says"), [("", "empty"), ("ab!", "'!'"), ("a\tb", r"'\\t'"), ("a\0", "x00")])
def test_a_text_that_cannot_be_read_is_refused_in_one_sentence(text, says):
    with pytest.raises(DataError, match=says) as error:
        MODEL.write(text)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("extra", [0, 3])
def test_exact_match_is_the_share_of_texts_written_to_the_last_character(extra):
    rows = np.random.RandomState(1).randint(1, len(MODEL.source_vocabulary), (2500, 3))
    targets = ended(np.where((ids := decode(MODEL.params, MODEL.config, rows, 6)[0]) > EOS, ids, PAD))
    for n in range(0, 2500, 5):  # every fifth is wrong: in its first character, or in where it ends
        targets[n, 0] = EOS if n % 10 and targets[n, 0] != EOS else EOS + 1 + (targets[n, 0] == EOS + 1)
    targets = np.pad(targets, ((0, 0), (0, extra)), constant_values=PAD)
    finished = (targets[:, :6] == EOS).any(axis=1)
    assert MODEL.exact_match(rows[finished], targets[finished]) == pytest.approx(
        1 - np.mean(np.arange(2500)[finished] % 5 == 0), abs=1e-12
    )


# ---- saving and loading


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("combine", COMBINES)
def test_a_model_is_loaded_as_it_was_saved(tmp_path, score, combine):
    model = trained(score, combine, "final", seed=2, lower=True)
    model.save(tmp_path / "model")  # the name is the caller's: nothing is appended to it
    again = TrainedModel.load(tmp_path / "model")
    assert [path.name for path in tmp_path.iterdir()] == ["model"]
    for name in ("config", "source_vocabulary", "target_vocabulary", "max_len", "lower"):
        assert getattr(again, name) == getattr(model, name)
    assert again.params.keys() == model.params.keys()
    for name, array in model.params.items():
        assert again.params[name].dtype == array.dtype
        np.testing.assert_array_equal(again.params[name], array)
    assert again.write("ab 가")[0] == model.write("ab 가")[0]


def test_a_saved_model_has_no_pickles_and_no_objects(saved):
    with np.load(saved, allow_pickle=False) as arrays:
        assert all(arrays[name].dtype.kind in "fU" for name in arrays.files)
    with zipfile.ZipFile(saved) as file:
        assert all(file.read(name).startswith(b"\x93NUMPY") for name in file.namelist())


@pytest.fixture(params=[KeyboardInterrupt(), OSError(28, "No space left on device")], ids=repr)
def stopped(request, monkeypatch):
    """What stops every save in the middle of its file."""

    def interrupted(file, **arrays):
        file.write(b"half a model")
        raise request.param

    monkeypatch.setattr(np, "savez", interrupted)
    return type(request.param)


def test_an_interrupted_save_leaves_the_old_model(saved, stopped):
    before = saved.read_bytes()
    with pytest.raises(stopped):
        trained(seed=1).save(saved)
    assert saved.read_bytes() == before


def test_an_interrupted_save_leaves_nothing_else_behind(tmp_path, stopped):
    with pytest.raises(stopped):
        MODEL.save(tmp_path / "model.npz")
    assert not list(tmp_path.iterdir())


def refused(path):
    with pytest.raises(DataError) as error:
        TrainedModel.load(path)
    assert str(error.value).startswith(f"{path}: ") and "\n" not in str(error.value)
    return str(error.value)


def changed(saved, **arrays):
    """The saved model with some of its arrays changed; None leaves one out."""
    with np.load(saved) as old:
        new = {name: old[name] for name in old.files} | arrays
    np.savez(saved, **{name: array for name, array in new.items() if array is not None})
    return saved


@pytest.mark.parametrize("name", [".", "missing.npz", "missing/model.npz"])
def test_a_model_that_cannot_be_opened_is_named(tmp_path, name):
    assert "cannot be read" in refused(tmp_path / name)


@pytest.mark.parametrize(
    "content", [b"", b"PK", b"text\n", b"PK\x03\x04" + bytes(100), b"\x93NUMPY", b"\x80\x04K\x01."]
)
def test_a_file_that_is_no_model_is_named(tmp_path, content):
    (tmp_path / "model.npz").write_bytes(content)
    assert "not a model" in refused(tmp_path / "model.npz")


def test_a_single_array_is_not_a_model(tmp_path):
    np.save(tmp_path / "array.npy", np.ones(3))
    assert "not a model" in refused(tmp_path / "array.npy")


@pytest.mark.parametrize("share", np.linspace(0.01, 0.99, 9))
def test_a_truncated_model_is_refused(saved, share):
    content = saved.read_bytes()
    saved.write_bytes(content[: int(share * len(content))])
    assert "not a model" in refused(saved)


@pytest.mark.parametrize(
    "arrays",
    [
        {"about": None}, {"about": np.array("{}")}, {"about": np.array("[]")}, {"about": np.array("no json")},
        {"about": np.ones(3)}, {"Wx": None}, {"Wx": np.ones((3, 5))}, {"extra": np.ones(1)},
    ],
    ids=str,
)  # fmt: skip
def test_arrays_that_are_not_those_of_a_model_are_refused(saved, arrays):
    assert "not a model" in refused(changed(saved, **arrays))


@pytest.mark.parametrize(
    ("old", "new"),
    [("model 1", "model 2"), ('"D": 3', '"D": 4'), ('"additive"', '"dot"'), ('"first"', '"last"'), ("max_len", "max")],
)  # fmt: skip
def test_a_description_that_does_not_fit_the_arrays_is_refused(saved, old, new):
    with np.load(saved) as arrays:
        about = str(arrays["about"])
    assert old in about
    assert "not a model" in refused(changed(saved, about=np.array(about.replace(old, new))))


def test_pickled_objects_are_never_loaded(saved):
    class Boom:
        def __reduce__(self):
            return exec, ("raise SystemExit('a pickle was run')",)

    assert "not a model" in refused(changed(saved, extra=np.array([Boom()], dtype=object)))


@pytest.mark.parametrize("part", ["arrays", "directory"])
def test_damaged_bytes_change_nothing_or_are_refused(saved, part):
    content = saved.read_bytes()
    directory = content.index(b"PK\x01\x02")
    start, end = {"arrays": (0, directory), "directory": (directory, len(content))}[part]
    draw = random.Random(part)
    for _ in range(150):
        damaged = bytearray(content)
        damaged[start + int(draw.random() * (end - start))] ^= 1 << int(draw.random() * 8)
        saved.write_bytes(damaged)
        try:
            again = TrainedModel.load(saved)
        except DataError:
            continue
        assert all((again.params[name] == array).all() for name, array in MODEL.params.items())


def test_a_large_array_with_a_damaged_header_is_refused(tmp_path):
    damaged = bytearray((ROOT / "utils" / "dates.npz").read_bytes())
    damaged[damaged.index(b"\x93NUMPY", damaged.index(b"Wh.npy")) + 8] = 20  # the header's length
    (tmp_path / "model.npz").write_bytes(damaged)
    assert "not a model" in refused(tmp_path / "model.npz")


def test_the_model_that_the_course_ships_reads_unseen_dates():
    model, task = TrainedModel.load(ROOT / "utils" / "dates.npz"), date_task()
    assert model.source_vocabulary == task.source_vocabulary and model.target_vocabulary == task.target_vocabulary
    assert model.exact_match(task.sources["test"], task.targets["test"]) > 0.99
