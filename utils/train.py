"""Train the model: `python -m utils.train --help` (or `make train ARGS="--seed 3"`)."""

import argparse
import os
import sys
import time
from pathlib import Path

import numpy as np

from utils.data import DataError, Task, read_pairs
from utils.dates import date_splits
from utils.model import CARRIES, COMBINES, SCORES, Config, init_params, loss_and_grads
from utils.packages import required
from utils.plots import attention_map, text_map
from utils.stages import adam_step, clip_by_norm
from utils.trained import TrainedModel

BATCH = 128
WARM_UP = 20
MAX_NORM = 5.0
# Steps and Adam's rate for each score, tuned on validation dates.
STEPS = {"additive": 150, "dot": 400, "uniform": 150, "none": 150}
RATES = {"additive": 0.01, "dot": 0.006, "uniform": 0.03, "none": 0.01}


def training_steps(task, config, steps=None, seed=0, gradient=loss_and_grads, start=None):
    """Train on a task's training split, one step at a time.

    Parameters
    ----------
    task : utils.data.Task
    config : utils.model.Config
    steps : int, optional
        Without it, the score's number in STEPS.
    seed : int
        Decides the untrained parameters and the batches.
    gradient : function
        Called as `utils.model.loss_and_grads` is; `utils.stagewise` has one that goes through any
        functions that solve the exercises.
    start : dict of str to array, optional
        The parameters to start from, in place of untrained ones.

    Yields
    ------
    step : int
        From 1 to `steps`.
    loss : float
        The batch's loss before this step, in nats per word.
    params : dict of str to array
        The parameters after this step. The same arrays every time: copy what you want to keep.
    """
    steps = STEPS[config.score] if steps is None else steps
    rng = np.random.RandomState(seed)
    untrained = init_params(config, rng)  # drawn in any case, so that a seed always has the same batches
    params, theta = as_one_array(untrained if start is None else start)
    m, v = np.zeros_like(theta), np.zeros_like(theta)
    sources, targets = task.sources["train"], task.targets["train"]
    for step in range(1, steps + 1):
        batch = rng.randint(len(sources), size=BATCH)
        loss, grads = gradient(params, config, sources[batch], targets[batch])
        (g,) = clip_by_norm([np.concatenate([grads[name].ravel() for name in params])], MAX_NORM)
        rate = rate_at(step, steps, RATES[config.score])
        theta[:], m, v = adam_step(theta, g, m, v, step, rate, 0.9, 0.999, 1e-8)
        yield step, loss, params


def as_one_array(params):
    """The same parameters as views of one array, so that the optimiser updates them all at once.

    Returns
    -------
    params : dict of str to array
    theta : (size of all,)
    """
    theta = np.concatenate([array.ravel() for array in params.values()])
    pieces = np.split(theta, np.cumsum([array.size for array in params.values()])[:-1])
    return {name: piece.reshape(params[name].shape) for name, piece in zip(params, pieces)}, theta


def rate_at(step, steps, rate):
    """The learning rate: up in WARM_UP steps, constant, then linearly towards 0 in the second half."""
    return rate * min(1.0, step / WARM_UP, 2 * (steps - step + 1) / steps)


def main(arguments=None):
    """The command line. Returns 0, 2 after one line that names what is wrong, or 130 when it was interrupted."""
    for stream in (sys.stdout, sys.stderr):  # a terminal without h̃ or Hangul shows a question mark
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    options = _parser().parse_args(arguments)
    try:
        _run(options)
    except (DataError, ImportError, OSError) as error:
        print(f"train: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\ntrain: stopped; nothing was saved.", file=sys.stderr)
        return 130
    return 0


def _run(options):
    _check_files(options)
    if options.load:
        for option in ("pairs", "score", "combine", "carry", "seed", "steps"):
            if getattr(options, option) != _parser().get_default(option):
                raise DataError(f"--{option} goes with training, and --load uses a trained model: give one of them.")
        if options.decode is None:
            raise DataError("--load needs --decode TEXT: what is the model to read?")
        model, source = TrainedModel.load(options.load), options.decode
    else:
        model, source = _train(options)

    target, a = model.write(source)
    if options.decode:
        print(target)
        if target:
            print(text_map(a, source, target))
    if options.save:
        model.save(options.save)
        print(f"model saved in {options.save}")
    if not target:
        print(f"no map drawn: the model wrote nothing for {source!r}")
        return
    try:
        attention_map(a, source, target, title=f"Attention of a model with {model.config.score} scores").save(
            options.map
        )
        print(f"attention map of {source!r} drawn in {options.map}")
    except ImportError as error:
        print(f"no map drawn: {error}")


def _train(options):
    """Train, measure on the test split, print the closing line; gives the model and a text for it to read."""
    task = _task(options)
    config = Config(
        len(task.source_vocabulary), len(task.target_vocabulary), options.score, options.combine, options.carry
    )
    model = TrainedModel(
        config,
        {},
        task.source_vocabulary,
        task.target_vocabulary,
        max_len=task.targets["train"].shape[1],
        lower=not options.pairs,
    )
    source = task.texts["test"][0][0] if options.decode is None else options.decode
    model.numbers(source)  # a text that it will not be able to read is found out before the training
    tqdm = required("tqdm", "The progress bar").tqdm
    steps = STEPS[options.score] if options.steps is None else options.steps
    began = time.perf_counter()
    with required("threadpoolctl", "Training").threadpool_limits(1):
        with tqdm(training_steps(task, config, steps, options.seed), total=steps, unit="step") as bar:
            for _, loss, params in bar:  # noqa: B007  (the last step leaves the trained ones)
                bar.set_postfix_str(f"loss {loss:.4f}", refresh=False)
        model.params.update(params)
        right = model.exact_match(task.sources["test"], task.targets["test"])
    seconds = time.perf_counter() - began
    print(
        f"exact match {right:.4f} on {len(task.texts['test'])} unseen {'sources' if options.pairs else 'dates'}"
        f" ({options.score}, {options.combine}, {steps} steps, {seconds:.1f} s)"
    )
    return model, source


def _task(options):
    """The date task, or the one of --pairs."""
    if not options.pairs:
        return Task.of(date_splits())
    splits = read_pairs(options.pairs)
    try:
        return Task.of(splits)
    except DataError as error:
        raise DataError(f"{options.pairs}: {error}") from None


def _check_files(options):
    """Find out before the training, not after it, that a file cannot be written, or is meant for two things."""
    used = {}
    for option in ("pairs", "load", "save", "map"):
        path = getattr(options, option)
        if path is None:
            continue
        other = used.setdefault(os.path.abspath(path), option)
        if other != option:
            raise DataError(f"--{option} {path}: is the same file as --{other}.")
        if option in ("save", "map"):
            _check_can_write(option, path)


def _check_can_write(option, path):
    """Raise DataError when a file cannot be written; a new file beside it is tried, the file itself is not touched."""
    try:
        if path.exists() and not path.is_file():
            raise DataError(
                f"--{option} {path}: is {'a folder' if path.is_dir() else 'no ordinary file'}; give a file."
            )
        trial = path.with_name(f"{path.name}.{os.getpid()}.part")
        trial.touch()
        trial.unlink()
    except OSError as error:
        raise DataError(f"--{option} {path}: cannot be written ({error.strerror}).") from None


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(2, f"train: {message}\n")


def _parser():
    parser = _Parser(prog="python -m utils.train", description="Train attention on the date task, in seconds.")
    parser.add_argument("--score", choices=SCORES, default="additive", help="how h̃ and h_i are compared")
    parser.add_argument("--combine", choices=COMBINES, default="concat", help="how h̃ and c are combined")
    parser.add_argument("--carry", choices=CARRIES, default="provisional", help="which state goes on to the next step")
    parser.add_argument("--seed", type=_count(0, 2**32 - 1), default=0, help="another start, other batches")
    usual = ", ".join(f"{score} {steps}" for score, steps in STEPS.items())
    parser.add_argument("--steps", type=_count(1, 10**7), help=f"training steps ({usual})")
    parser.add_argument(
        "--pairs", type=Path, metavar="FILE", help="your own task: UTF-8, one 'source TAB target' a line"
    )
    parser.add_argument("--decode", metavar="TEXT", help="print what the model writes for a text, and its map")
    parser.add_argument("--save", type=Path, metavar="FILE", help="save the trained model")
    parser.add_argument("--load", type=Path, metavar="FILE", help="use a saved model in place of training")
    parser.add_argument("--map", type=Path, metavar="FILE", default=Path("attention_map.png"), help="the picture")
    return parser


def _count(lowest, highest):
    def number(text):
        try:
            value = int(text)
        except ValueError:
            value = lowest - 1
        if not lowest <= value <= highest:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {lowest} to {highest}")
        return value

    return number


if __name__ == "__main__":
    sys.exit(main())
