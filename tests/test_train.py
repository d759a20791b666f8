"""Training, and the command line: python -m utils.train."""

import os
import random
import re
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from utils import stagewise, train
from utils.data import Task, read_pairs
from utils.dates import date_task
from utils.model import CARRIES, COMBINES, SCORES, Config, init_params, loss_and_grads
from utils.train import RATES, STEPS, as_one_array, main, rate_at, training_steps
from utils.trained import TrainedModel

ROOT = Path(__file__).resolve().parents[1]
PNG = b"\x89PNG\r\n\x1a\n"
CLOSING = r"exact match [01]\.\d{4} on %s \(%s, %s, %d steps, \d+\.\d s\)"


def reversals():
    """A small task: short strings, backwards."""
    draw = random.Random("reversals")
    texts = ["".join(draw.choice("abcd") for _ in range(1 + int(draw.random() * 6))) for _ in range(400)]
    return "".join(f"{text}\t{text[::-1]}\n" for text in texts)


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Call the command in an empty folder, where pairs.txt is; its exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    Path("pairs.txt").write_text(reversals(), encoding="utf-8")

    def command(*arguments):
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as stop:
            code = stop.code
        return code, *capsys.readouterr()

    return command


@pytest.fixture(scope="module")
def model_file(tmp_path_factory):
    """A model trained for a few steps on the small task, as the command saves it."""
    folder = tmp_path_factory.mktemp("model")
    (folder / "pairs.txt").write_text(reversals(), encoding="utf-8")
    options = ["--pairs", "pairs.txt", "--steps", "40", "--save", "model.npz", "--decode", "abcd"]
    environment = os.environ | {
        "PYTHONPATH": str(ROOT),
        "PYTHONWARNDEFAULTENCODING": "1",
        "PYTHONUTF8": "0",
        "PYTHONIOENCODING": "utf-8",
    }
    done = subprocess.run(
        [sys.executable, "-m", "utils.train", *options],
        cwd=folder,
        env=environment,
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    return folder / "model.npz", done


def here():
    return {path.name: path.read_bytes() for path in Path().iterdir()}


def small_task(tmp_path):
    (tmp_path / "pairs.txt").write_text(reversals(), encoding="utf-8")
    return Task.of(read_pairs(tmp_path / "pairs.txt"))


def config_of(task, *options):
    return Config(len(task.source_vocabulary), len(task.target_vocabulary), *options)


def trained(task, seed, steps=3, score="additive"):
    losses = []
    for step, loss, params in training_steps(task, config_of(task, score), steps, seed):  # noqa: B007
        losses.append(loss)
    assert step == len(losses) == steps
    return losses, params


# ---- training


def test_the_same_seed_gives_the_same_numbers_and_another_seed_others(tmp_path):
    task = small_task(tmp_path)
    (one, p), (again, q), (other, r) = (trained(task, seed) for seed in (1, 1, 2))
    assert one == again and not set(one) & set(other)
    assert all((p[name] == q[name]).all() and (p[name] != r[name]).any() for name in p)


def test_the_loss_falls_on_dates_within_30_steps():
    losses, _ = trained(date_task(), 0, 30)
    assert np.mean(losses[:3]) > 2 and np.mean(losses[-5:]) < 1.5
    assert np.isfinite(losses).all()


@pytest.mark.parametrize("score", SCORES)
def test_training_lowers_the_loss_of_a_batch_with_every_score(tmp_path, score):
    task = small_task(tmp_path)
    batch = task.sources["train"][:64], task.targets["train"][:64]
    config = config_of(task, score)
    losses = [loss_and_grads(trained(task, 0, steps, score)[1], config, *batch)[0] for steps in (1, 20)]
    assert losses[1] < 0.95 * losses[0]


def test_training_is_in_float32_from_end_to_end(tmp_path, monkeypatch):
    kinds = set()

    def watched(*arguments):
        result = adam_step(*arguments)
        kinds.update(array.dtype for array in [*arguments[:4], *result])
        return result

    adam_step = train.adam_step
    monkeypatch.setattr(train, "adam_step", watched)
    _, params = trained(small_task(tmp_path), 0)
    assert kinds == {array.dtype for array in params.values()} == {np.dtype(np.float32)}


def test_training_on_the_chained_stages_is_training_on_the_model(tmp_path):
    by_all_steps = partial(stagewise.loss_and_grads, decoder=stagewise.all_steps)
    task = small_task(tmp_path)
    ends = [
        [(loss, params["Wh"].copy()) for _, loss, params in training_steps(task, config_of(task), 3, 0, gradient)]
        for gradient in (loss_and_grads, stagewise.loss_and_grads, by_all_steps)
    ]
    for (loss, Wh), *chained in zip(*ends, strict=True):
        for chained_loss, chained_Wh in chained:
            assert chained_loss == pytest.approx(loss, rel=1e-4)
            np.testing.assert_allclose(chained_Wh, Wh, atol=1e-3)


def test_parameters_become_views_of_one_array():
    params = {"a": np.arange(6.0).reshape(2, 3), "b": np.array([7.0]), "c": np.arange(8.0).reshape(2, 2, 2)}
    views, theta = as_one_array(params)
    assert list(views) == list(params) and theta.size == 15
    for name, array in params.items():
        np.testing.assert_array_equal(views[name], array)
        assert np.shares_memory(views[name], theta) and not np.shares_memory(array, theta)
    theta[:] = -1
    assert all((view == -1).all() for view in views.values())
    assert params["b"] == 7


@pytest.mark.parametrize("steps", [1, 2, 10, 39, 150, 1000])
def test_the_rate_warms_up_never_exceeds_its_height_and_ends_above_0(steps):
    rates = np.array([rate_at(step, steps, 0.5) for step in range(1, steps + 1)])
    assert (rates > 0).all() and rates.max() <= 0.5
    top = rates.argmax()
    assert (np.diff(rates[: top + 1]) >= 0).all() and (np.diff(rates[top:]) <= 0).all()
    if steps >= 150:
        assert rates[0] < 0.1 * rates.max() and rates[-1] < 0.1 * rates.max()
        np.testing.assert_allclose(rates[train.WARM_UP : steps // 2], 0.5)


def test_training_can_start_from_given_parameters(tmp_path):
    task = small_task(tmp_path)
    config = config_of(task)
    start = init_params(config, np.random.RandomState(7), embedding_std=2.0)
    before = {name: array.copy() for name, array in start.items()}
    _, loss, params = next(training_steps(task, config, 1, 0, start=start))
    moved = [np.abs(params[name] - before[name]).max() for name in before]
    assert all(0 < distance < 0.01 for distance in moved)  # one small step away
    assert all((start[name] == before[name]).all() for name in before)
    _, usual, _ = next(training_steps(task, config, 1, 3))
    _, same, _ = next(training_steps(task, config, 1, 3, start=init_params(config, np.random.RandomState(3))))
    assert same == usual  # also the same batches


def test_every_score_has_its_rate_and_its_number_of_steps():
    assert set(RATES) == set(STEPS) == set(SCORES)


@pytest.mark.parametrize("score", ["additive", "dot"])
def test_without_steps_a_score_gets_its_own_number(run, monkeypatch, score):
    monkeypatch.setattr(train, "STEPS", {"additive": 2, "dot": 3})
    _, out, _ = run("--pairs", "pairs.txt", "--score", score)
    assert f"({score}, concat, {train.STEPS[score]} steps," in out


# ---- the command: what works


def test_a_short_run_on_dates_ends_with_the_documented_line(run):
    code, out, _ = run("--steps", 3)
    assert code == 0
    assert re.fullmatch(
        r"exact match 0\.0000 on 3592 unseen dates \(additive, concat, 3 steps, \d+\.\d s\)", out.split("\n")[0]
    )


def test_a_run_draws_a_map_and_prints_the_text_and_its_map(model_file):
    path, done = model_file
    closing, written, head, *rows = done.stdout.splitlines()
    assert re.fullmatch(CLOSING % (r"\d+ unseen sources", "additive", "concat", 40), closing)
    assert head == "  abcd"
    assert [row[0] for row in rows[: len(written)]] == list(written) and len(written) > 1
    assert rows[len(written) :] == [
        "model saved in model.npz", "attention map of 'abcd' drawn in attention_map.png",
    ]  # fmt: skip
    assert (path.parent / "attention_map.png").read_bytes().startswith(PNG)
    assert {file.name for file in path.parent.iterdir()} == {"pairs.txt", "model.npz", "attention_map.png"}


def test_a_run_opens_no_file_in_the_platforms_own_encoding(model_file):
    warnings = [line for line in model_file[1].stderr.splitlines() if "EncodingWarning" in line]
    assert not [line for line in warnings if str(ROOT / "utils") in line]


def test_a_loaded_model_writes_what_the_trained_one_wrote(run, model_file):
    path, done = model_file
    code, out, err = run("--load", path, "--decode", "abcd", "--map", "again.png")
    assert (code, err) == (0, "")
    trained_said = done.stdout.splitlines()
    assert out.splitlines()[:-1] == trained_said[1:-2]
    assert Path("again.png").read_bytes() == (path.parent / "attention_map.png").read_bytes()


def test_a_model_of_dates_is_saved_and_reads_them_in_any_letter_case(run):
    assert run("--steps", 12, "--save", "dates.npz")[0] == 0
    big, small = (run("--load", "dates.npz", "--decode", text)[1] for text in ("MAY 4, 1984", "may 4, 1984"))
    assert len(big.splitlines()) > 2
    assert big.lower().splitlines()[:-1] == small.splitlines()[:-1]
    assert TrainedModel.load("dates.npz").max_len == len("1984-05-04") + 1


@pytest.mark.parametrize("carry", CARRIES)
@pytest.mark.parametrize("combine", COMBINES)
@pytest.mark.parametrize("score", SCORES)
def test_every_combination_of_options_trains_and_is_named_in_the_closing_line(run, score, combine, carry):
    code, out, _ = run(
        "--pairs", "pairs.txt", "--steps", 2, "--score", score, "--combine", combine, "--carry", carry, "--save", "m"
    )  # fmt: skip
    assert code == 0
    assert re.fullmatch(CLOSING % (r"\d+ unseen sources", score, combine, 2), out.splitlines()[0])
    config = TrainedModel.load("m").config
    assert (config.score, config.combine, config.carry) == (score, combine, carry)


def test_the_closing_line_counts_the_unseen_sources_of_the_file(run):
    unseen = len(read_pairs("pairs.txt")["test"])
    assert f" on {unseen} unseen sources (" in run("--pairs", "pairs.txt", "--steps", 1)[1]


def test_the_seed_decides_the_model(run):
    models = []
    for seed in (3, 3, 4):
        run("--pairs", "pairs.txt", "--steps", 2, "--seed", seed, "--save", "m.npz")
        models.append(TrainedModel.load("m.npz").params["Wx"])
    assert (models[0] == models[1]).all() and (models[0] != models[2]).all()


def test_one_s_own_task_of_targets_of_many_lengths_is_learned(run):
    Path("pairs.txt").write_text(
        "".join(f"{n}\t{'да' * (n % 3) + 'x' * (n % 2 + 1)}\n" for n in range(2000)), encoding="utf-8"
    )
    _, out, _ = run("--pairs", "pairs.txt", "--steps", 60, "--score", "none", "--save", "m.npz")
    _, untrained, _ = run("--pairs", "pairs.txt", "--steps", 1, "--score", "none")
    learned, before = (float(text.split()[2]) for text in (out, untrained))
    assert learned > before + 0.1


def test_without_matplotlib_the_model_is_saved_and_the_map_s_absence_explained(run, monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.setitem(sys.modules, name, None)
    code, out, _ = run("--pairs", "pairs.txt", "--steps", 10, "--save", "m.npz")
    assert code == 0 and Path("m.npz").exists()
    assert "no map drawn: Drawing a picture needs matplotlib" in out


# ---- the command: what is refused

BAD_FILES = {
    "bad.txt": b"a\tb\nno tab\n", "bytes.txt": b"a\tb\n\xff\tb\n", "empty.txt": b"", "few.txt": b"a\tb\n",
    "array.npz": b"", "corrupt.npz": b"PK\x03\x04 not really",
}  # fmt: skip
REFUSED = {
    "--score fast": "--score", "--combine add": "--combine", "--carry both": "--carry", "--colour red": "--colour",
    "--steps 0": "--steps", "--steps abc": "--steps", "--steps 1.5": "--steps", "--steps -3": "--steps",
    "--seed -1": "--seed", "--seed x": "--seed", "--seed 4294967296": "--seed", "--steps": "--steps",
    "--pairs bad.txt": "bad.txt, line 2", "--pairs bytes.txt": "bytes.txt, line 2", "--pairs empty.txt": "empty.txt",
    "--pairs few.txt": "few.txt", "--pairs missing.txt": "missing.txt", "--pairs folder": "folder",
    "--save folder": "--save", "--save missing/m.npz": "--save", "--map folder": "--map",
    "--map missing/m.png": "--map",
    "--load missing.npz --decode ab": "missing.npz", "--load corrupt.npz --decode ab": "corrupt.npz",
    "--load array.npz --decode ab": "array.npz", "--load cut.npz --decode ab": "cut.npz",
    "--load folder --decode ab": "folder", "--load model.npz": "--decode", "--load model.npz --decode é": "'é'",
}  # fmt: skip


@pytest.fixture
def run_among_bad_files(run, model_file):
    for name, content in BAD_FILES.items():
        Path(name).write_bytes(content)
    np.savez("array.npz", x=np.ones(3))
    Path("folder").mkdir()
    Path("folder/kept").touch()
    Path("model.npz").write_bytes(model_file[0].read_bytes())
    Path("cut.npz").write_bytes(model_file[0].read_bytes()[:5000])
    return run


def assert_refused(run, arguments, named):
    names = sorted(Path().rglob("*"))
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("train: ") and err.endswith("\n") and err.count("\n") == 1 and named in err, err
    assert sorted(Path().rglob("*")) == names  # no file is left behind, none is gone


@pytest.mark.parametrize(("options", "named"), REFUSED.items())
def test_a_bad_option_or_file_is_refused_in_one_line_that_names_it(run_among_bad_files, options, named):
    assert_refused(run_among_bad_files, options.split(), named)


def test_an_empty_text_is_refused_by_a_loaded_model(run_among_bad_files):
    assert_refused(run_among_bad_files, ["--load", "model.npz", "--decode", ""], "empty")


def test_an_empty_text_is_refused_before_training(run):
    assert_refused(run, ["--pairs", "pairs.txt", "--steps", 2, "--decode", ""], "empty")


def test_a_text_with_an_unknown_character_is_refused_before_training(run):
    assert_refused(run, ["--pairs", "pairs.txt", "--steps", 2, "--decode", "abé", "--save", "m.npz"], "'é'")


@pytest.mark.parametrize("option", ["--save", "--map"])
def test_a_name_that_is_too_long_is_refused_in_one_line(run, option):
    assert_refused(run, [option, "x" * 300], option)


def test_a_file_whose_test_pairs_have_other_characters_is_named(run):
    splits = read_pairs("pairs.txt")
    test = {source for source, _ in splits["test"]}
    rows = [(s, t.upper() if s in test else t) for pairs in splits.values() for s, t in pairs]
    Path("pairs.txt").write_text("".join(f"{s}\t{t}\n" for s, t in rows), encoding="utf-8")
    assert_refused(run, ["--pairs", "pairs.txt", "--steps", 2], "pairs.txt")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
@pytest.mark.parametrize("option", ["--save", "--map"])
def test_a_read_only_folder_is_refused_in_one_line(run, option):
    Path("locked").mkdir(mode=0o500)
    assert_refused(run, [option, "locked/file"], option)


@pytest.mark.parametrize("option", ["--save", "--map"])
def test_a_refused_file_is_found_before_training(run, monkeypatch, option):
    monkeypatch.setattr(train, "training_steps", lambda *arguments: pytest.fail("it trained"))
    assert_refused(run, ["--steps", 2, option, "missing/file"], option)


@pytest.mark.parametrize("options", ["--save x --map x", "--save pairs.txt", "--map pairs.txt"])
def test_two_options_may_not_name_one_file(run, options):
    assert_refused(run, ["--pairs", "pairs.txt", "--steps", 10, *options.split()], options.split()[0])


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("option", ["--save", "--map"])
def test_what_is_no_regular_file_is_not_replaced(run_among_bad_files, option):
    os.mkfifo("pipe")
    run_among_bad_files("--load", "model.npz", "--decode", "abcd", "--map", "map.png", option, "pipe")
    assert Path("pipe").is_fifo()


@pytest.mark.parametrize("options", ["--score dot", "--steps 3", "--pairs missing.txt", "--seed 1"])
def test_options_of_training_are_refused_beside_load(run_among_bad_files, options):
    assert_refused(run_among_bad_files, ["--load", "model.npz", "--decode", "abcd", *options.split()], "--load")


@pytest.mark.parametrize("package", ["tqdm", "threadpoolctl"])
def test_a_missing_package_is_refused_in_one_line(run, monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    assert_refused(run, ["--pairs", "pairs.txt", "--steps", 1], f"pip install {package}")


def test_a_full_disk_is_reported_in_one_line(run, monkeypatch):
    def full(self, path):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(TrainedModel, "save", full)
    code, _, err = run("--pairs", "pairs.txt", "--steps", 1, "--save", "m.npz")
    assert code == 2 and err.splitlines()[-1].startswith("train: ")


def test_an_interrupted_training_saves_nothing_and_says_so(run, monkeypatch):
    def interrupted(*arguments):
        yield 1, 2.0, {}
        raise KeyboardInterrupt

    monkeypatch.setattr(train, "training_steps", interrupted)
    names = here()
    code, out, err = run("--pairs", "pairs.txt", "--steps", 2, "--save", "m.npz")
    assert (code, out) == (130, "") and err.splitlines()[-1] == "train: stopped; nothing was saved."
    assert here() == names


@pytest.mark.parametrize("options", [["--help"], ["--load", "model.npz", "--decode", "abcd", "--map", "가.png"]])
def test_a_terminal_with_a_small_character_set_gets_no_traceback(run_among_bad_files, options):
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "cp1252"}
    done = subprocess.run([sys.executable, "-m", "utils.train", *options], env=environment, capture_output=True)
    assert done.returncode == 0 and b"Traceback" not in done.stderr
