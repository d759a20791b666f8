"""For inputs of any size and value, the course's version and the independent oracle agree, and the judge says so."""

import inspect
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from utils import stages
from utils.checks.check import EXERCISES
from utils.checks.exercise import SIZES, map_arrays
from utils.checks.judge import judge
from utils.checks.run import Probe, run

SIZE = st.integers(1, 6)
SMALL = {"decoder_step_backward", "attention_backward", "additive_score_backward"}  # their oracles are slow


class Called:
    """An exercise whose only probe is one call."""

    def __init__(self, exercise, args):
        self.__dict__ |= {
            name: getattr(exercise, name)
            for name in ("name", "sizes", "returns", "held", "exact_zeros", "gives_ids", "new_arrays", "order")
        }
        self.probes = [Probe("random", args)]
        answer = exercise.oracle(*args)
        self.expected = [answer if len(exercise.returns) > 1 else (answer,)]


def verdict(name, args, function=None):
    exercise = Called(EXERCISES[name], args)
    parameters = list(inspect.signature(getattr(stages, name)).parameters)
    return judge(exercise, parameters, run(function or getattr(stages, name), exercise.probes))


def scaled(args, factor):
    return map_arrays(lambda x: factor * x if x.dtype.kind == "f" else x, args)


@pytest.mark.parametrize("name", EXERCISES)
@settings(max_examples=15, deadline=None, derandomize=True)
@given(data=st.data())
def test_the_courses_version_and_the_oracle_agree_on_random_inputs(name, data):
    sizes = {letter: data.draw(st.integers(1, 3) if name in SMALL else SIZE, label=letter) for letter in SIZES}
    rng = np.random.RandomState(data.draw(st.integers(0, 2**32 - 1), label="seed"))
    args = EXERCISES[name].make(rng, SimpleNamespace(**sizes))
    if not name.endswith("_backward") and name not in ("adam_step", "greedy_decode"):
        args = scaled(args, data.draw(st.sampled_from([0.0, 0.01, 1.0, 30.0]), label="scale"))
    assert verdict(name, args).passed


@pytest.mark.parametrize("name", EXERCISES)
@settings(max_examples=5, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**32 - 1))
def test_a_result_that_is_off_by_a_thousandth_is_seen_on_any_input(name, seed):
    def off(result):
        if isinstance(result, dict):
            return {key: off(item) for key, item in result.items()}
        if isinstance(result, (list, tuple)):
            return [off(item) for item in result]
        return np.asarray(result) + (1 if np.asarray(result).dtype.kind in "iu" else 1e-3)

    sizes = {letter: 2 for letter in SIZES}
    args = EXERCISES[name].make(np.random.RandomState(seed), SimpleNamespace(**sizes))
    assert not verdict(name, args, lambda *given: off(getattr(stages, name)(*given))).passed
