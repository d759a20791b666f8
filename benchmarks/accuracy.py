"""How many steps and seconds it takes until unseen dates are right, for each score and five seeds."""

import time

from benchmarks.table import Row
from utils.dates import date_task
from utils.model import SCORES, Config
from utils.train import STEPS, training_steps
from utils.trained import TrainedModel

SEEDS = range(5)
GOALS = (0.99, 0.999)
EVERY = 10  # steps between two looks at the test dates, which take no time of the training's


def rows():
    """Yield a row for every score, for its last step and for each goal."""
    task = date_task()
    for score in SCORES:
        runs = [run(task, score, seed) for seed in SEEDS]
        right = [f"{100 * run[-1][2]:.2f}" for run in runs]
        what = f"{score}, {STEPS[score]} steps: unseen dates right, the worst of {len(runs)} seeds"
        yield Row(what, f"{min(right, key=float)}%", ", ".join(right), seconds_of([run[-1] for run in runs]))
        for goal in GOALS:
            reached = [next((moment for moment in run if moment[2] >= goal), None) for run in runs]
            there = [moment for moment in reached if moment]
            steps = f"{min(step for step, _, _ in there)} to {max(step for step, _, _ in there)}" if there else "never"
            details = seconds_of(there) if there else ""
            what = f"{score}, of {STEPS[score]} steps: until {goal:.1%} of unseen dates are right"
            yield Row(what, steps, f"{len(there)} seeds of {len(runs)}", details)


def run(task, score, seed):
    """Train; gives (step, seconds of training, share of test dates right) every EVERY steps and at the last one."""
    config = Config(len(task.source_vocabulary), len(task.target_vocabulary), score)
    sources, targets = task.sources["test"], task.targets["test"]
    found, spent, began = [], 0.0, time.perf_counter()
    for step, _, params in training_steps(task, config, seed=seed):
        if step % EVERY == 0 or step == STEPS[score]:
            spent += time.perf_counter() - began
            model = TrainedModel(
                config, params, task.source_vocabulary, task.target_vocabulary, targets.shape[1], lower=True
            )
            found.append((step, spent, model.exact_match(sources, targets)))
            began = time.perf_counter()
    return found


def seconds_of(moments):
    return f"{min(seconds for _, seconds, _ in moments):.1f} to {max(seconds for _, seconds, _ in moments):.1f} s"
