"""What the benchmarks compare is the same; no test asserts on time."""

from types import SimpleNamespace

import numpy as np
import pytest

from benchmarks import growth, loops, textbook
from benchmarks.__main__ import main
from benchmarks.own import solved, through
from benchmarks.table import ratio_row
from utils import stages
from utils.checks import report
from utils.data import EOS, PAD
from utils.model import Config, init_params, loss_and_grads

SOURCE = np.array([[1, 2, 3, 1], [4, 4, PAD, PAD], [5, 1, 2, PAD]])
TARGET = np.array([[3, 4, EOS, PAD], [5, 3, 3, EOS], [6, EOS, PAD, PAD]])
LOOPS = [name for name in vars(loops) if name in stages.__all__]


def small(score):
    config = Config(6, 7, score, D=3, H=4, A=5)
    return init_params(config, np.random.RandomState(0), float, embedding_std=1.0), config


def assert_same(one, other):
    assert one[0] == pytest.approx(other[0], rel=1e-12)
    for name in one[1]:
        np.testing.assert_allclose(one[1][name], other[1][name], rtol=1e-9, atol=1e-13, err_msg=name)


@pytest.mark.parametrize("score", ["additive", "dot"])
def test_the_textbooks_model_is_the_courses(score):
    p, config = small(score)
    assert_same(textbook.loss_and_grads(p, config, SOURCE, TARGET), loss_and_grads(p, config, SOURCE, TARGET))


@pytest.mark.parametrize("name", LOOPS)
def test_plain_loops_are_right_answers(name):
    assert report(name, getattr(loops, name)).passed


@pytest.mark.parametrize("others", [{}, vars(loops)], ids=["vectorised", "loops"])
def test_training_through_a_learners_functions_is_the_courses(others):
    p, config = small("additive")
    assert_same(through(solved(others))(p, config, SOURCE, TARGET), loss_and_grads(p, config, SOURCE, TARGET))


def test_loops_take_the_place_of_the_notebooks_functions_inside_the_others():
    stage = solved(vars(loops))
    assert stage.additive_score is loops.additive_score is stage.decoder_step.__globals__["additive_score"]
    assert solved().additive_score is not loops.additive_score


@pytest.mark.parametrize("letter", ["T", "U"])
def test_the_peak_memory_of_a_step_is_linear_in_the_sentences_length(letter):
    sizes = {**growth.USUAL, "N": 8, "H": 16}
    short, longer, longest = (growth.time_and_memory(**{**sizes, letter: size})[1] for size in (64, 128, 256))
    assert longest - longer == pytest.approx(2 * (longer - short), rel=0.1)


def test_a_part_that_does_not_exist_is_refused_and_those_that_do_are_named(capsys):
    with pytest.raises(SystemExit):
        main(["octopus"])
    assert "no part 'octopus'; there are step, accuracy," in capsys.readouterr().err


def test_an_explorer_that_no_slider_moves_gets_a_row_as_well(monkeypatch):
    pytest.importorskip("playwright")
    from benchmarks import redraw

    monkeypatch.setattr(redraw.browser, "controls", lambda explorer: [])
    row = redraw.row("an explorer", SimpleNamespace(evaluate=lambda script: None))
    assert row.figure == "not measured" and row.details == "no slider changes it"


def test_a_row_gives_the_median_ratio_first():
    row = ratio_row("a step", [0.001, 0.002, 0.003, 0.004], [0.002, 0.002, 0.002, 0.002])
    assert str(row) == "| a step | 1.25 × | 0.62 to 1.88 | 2.5 ms / 2 ms |"
