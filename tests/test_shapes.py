"""Every public function of the stages answers a wrong shape with one clear sentence."""

import inspect

import numpy as np
import pytest

from utils import stages
from utils.shapes import checks_shapes, documented_shapes

SIZES = {"N": 2, "T": 3, "U": 5, "D": 6, "H": 4, "A": 7, "V": 8, "O": 9, "I": 10}
PLAIN = {
    "bos": 1, "eos": 2, "max_len": 3, "alpha": 0.5, "state": None, "max_norm": 1.0, "V": SIZES["V"],
    "step": lambda word, state: (np.zeros(SIZES["V"]), state), "grads": [np.ones(2)],
    "theta": np.ones(2), "g": np.ones(2), "m": np.ones(2), "t": 1, "lr": 0.1, "b1": 0.9, "b2": 0.9, "eps": 1e-8,
}  # fmt: skip
INTEGERS = {"ids", "y", "pred", "gold"}


def size(dimension):
    return 2 * SIZES[dimension[1:]] if dimension[0] == "2" else SIZES[dimension]


def array(name, dimensions):
    return np.ones([size(dimension) for dimension in dimensions], int if name in INTEGERS else float)


def right(name):
    """Arguments of the shapes that a function's docstring asks for."""
    function = getattr(stages, name)
    shapes = documented_shapes(function)
    arguments = {}
    for parameter in inspect.signature(function).parameters:
        shape = shapes.get(parameter)
        if isinstance(shape, dict):
            arguments[parameter] = {key: array(key, dimensions) for key, dimensions in shape.items()}
        elif shape:
            arguments[parameter] = array(parameter, shape)
        else:
            arguments[parameter] = np.ones(2) if (name, parameter) == ("adam_step", "v") else PLAIN[parameter]
    return arguments


def places():
    """Every documented array: (function, parameter, entry of a dict or None)."""
    for name in stages.__all__:
        for parameter, shape in documented_shapes(getattr(stages, name)).items():
            for entry in shape if isinstance(shape, dict) else [None]:
                yield name, parameter, entry


def wrong_sentence(name, parameter, entry, change):
    """What the function says when one array is changed; the array's name and shape as they should stand there."""
    arguments = right(name)
    holder, key = (arguments, parameter) if entry is None else (arguments[parameter], entry)
    holder[key] = change(holder[key])
    with pytest.raises(ValueError) as error:
        getattr(stages, name)(**arguments)
    sentence = str(error.value)
    assert sentence.startswith(f"{name}: ") and sentence.endswith(".") and "\n" not in sentence
    return sentence, parameter if entry is None else f"{parameter}[{entry!r}]", holder[key].shape


@pytest.mark.parametrize("name", stages.__all__)
def test_arguments_of_the_documented_shapes_pass(name):
    getattr(stages, name)(**right(name))


@pytest.mark.parametrize(("name", "parameter", "entry"), list(places()))
@pytest.mark.parametrize("change", [lambda x: x[None], lambda x: x[0]], ids=["one axis too many", "one too few"])
def test_an_array_with_the_wrong_number_of_axes_is_named(name, parameter, entry, change):
    sentence, called, shape = wrong_sentence(name, parameter, entry, change)
    assert sentence.startswith(f"{name}: {called} has shape {shape}, but needs (")


def shared_axes():
    """Every axis whose letter stands in another place too, so that a wrong size can be noticed."""
    letters = {}
    for name, parameter, entry in places():
        shape = documented_shapes(getattr(stages, name))[parameter]
        for axis, dimension in enumerate(shape if entry is None else shape[entry]):
            letters.setdefault((name, dimension[-1]), []).append((name, parameter, entry, axis))
    return [axis for axes in letters.values() if len(axes) > 1 for axis in axes]


@pytest.mark.parametrize(("name", "parameter", "entry", "axis"), shared_axes())
def test_a_size_that_does_not_fit_another_argument_is_named_with_that_argument(name, parameter, entry, axis):
    sentence, called, shape = wrong_sentence(name, parameter, entry, lambda x: np.concatenate([x, x], axis=axis))
    assert called in sentence
    assert sentence.startswith(f"{name}: {called} has shape {shape}") or sentence.endswith(f" in {called}.")


@pytest.mark.parametrize("name", ["decoder_step", "decoder_step_backward"])
@pytest.mark.parametrize("entry", ["Wx", "Wh", "b", "W1", "W2", "v", "Wc", "Wo", "bo"])
def test_a_missing_parameter_is_named(name, entry):
    arguments = right(name)
    del arguments["p"][entry]
    with pytest.raises(ValueError, match=f"{name}: p has no entry '{entry}'"):
        getattr(stages, name)(**arguments)


@pytest.mark.parametrize(("name", "entry"), [("combine_concat", None), ("decoder_step", "Wc")])
def test_half_of_an_odd_size_is_no_size(name, entry):
    sentence, called, shape = wrong_sentence(name, "p" if entry else "Wc", entry, lambda Wc: Wc[1:])
    assert sentence.startswith(f"{name}: {called} has shape {shape}") and sentence.endswith("2H must be even.")


@pytest.mark.parametrize("shape", [(4,), (2,), (1, 4), (2, 4), (2, 1, 1)])
@pytest.mark.parametrize("name", ["combine_weighted_sum", "combine_weighted_sum_backward"])
def test_an_alpha_that_is_neither_a_number_nor_a_column_is_named(name, shape):
    with pytest.raises(ValueError, match=f"{name}: alpha has shape"):
        getattr(stages, name)(**right(name) | {"alpha": np.ones(shape)})


@pytest.mark.parametrize("alpha", [0.5, np.float32(0.5), np.array(0.5), np.full((2, 1), 0.5)])
@pytest.mark.parametrize("name", ["combine_weighted_sum", "combine_weighted_sum_backward"])
def test_an_alpha_may_be_a_number_or_a_column(name, alpha):
    getattr(stages, name)(**right(name) | {"alpha": alpha})


@pytest.mark.parametrize("parameter", ["g", "m", "v"])
def test_adam_refuses_an_array_that_is_not_shaped_like_theta(parameter):
    matrices = dict.fromkeys(["theta", "g", "m", "v"], np.ones((2, 2)))
    with pytest.raises(ValueError, match=f"adam_step: {parameter} has shape"):
        stages.adam_step(**right("adam_step") | matrices | {parameter: np.ones(2)})


def test_a_shape_is_remembered_within_a_call_and_forgotten_after_it():
    for n in (2, 3):
        assert stages.softmax_backward(np.ones((n, 4)), np.ones((n, 4))).shape == (n, 4)


def test_a_checked_function_keeps_its_name_docstring_and_signature():
    def f(a, b):
        """Add.

        Parameters
        ----------
        a : (N, 3) float
        b : (3,) float
        """
        return a + b

    checked = checks_shapes(f)
    assert (checked.__name__, checked.__doc__) == (f.__name__, f.__doc__)
    assert inspect.signature(checked) == inspect.signature(f)
    assert checked([[1, 2, 3]], b=np.ones(3)).tolist() == [[2, 3, 4]]
    with pytest.raises(ValueError, match=r"f: b has shape \(4,\), but needs \(3,\), and this size must be 3\."):
        checked(np.ones((1, 3)), np.ones(4))


def test_defaults_keywords_and_more_arguments_arrive():
    def plain(x, w=None, *rest, b=3, **others):
        """Hand everything back.

        Parameters
        ----------
        x : (N,) float
        w : (N,) float

        Returns
        -------
        tuple
        """
        return x, w, rest, b, others

    checked, x = checks_shapes(plain), np.zeros(2)
    for args, kwargs in [((x,), {}), ((x, x), {}), ((x, x, 1, 2), {}), ((x,), {"b": 5}), ((x,), {"w": x, "c": 7})]:
        assert repr(checked(*args, **kwargs)) == repr(plain(*args, **kwargs))
    with pytest.raises(ValueError, match="w has shape"):
        checked(x, w=np.zeros(3))
