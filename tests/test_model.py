"""The model against the stages, its gradient against differences and the stages' backwards, and decoding."""

import itertools
import tracemalloc
from types import SimpleNamespace

import numpy as np
import pytest

from utils import model, stages, stagewise
from utils.checks.run import arrays_in
from utils.data import BOS, EOS, PAD
from utils.model import CARRIES, COMBINES, SCORES, Config, decode, decode_from, forward, init_params, loss_and_grads

COMBINATIONS = list(itertools.product(SCORES, COMBINES, CARRIES))
every_model = pytest.mark.parametrize("options", COMBINATIONS, ids="-".join)
both_decoders = pytest.mark.parametrize("decoder", [stagewise.step_by_step, stagewise.all_steps])
attending = pytest.mark.parametrize("options", [c for c in COMBINATIONS if c[0] in ("additive", "dot")], ids="-".join)

# Three sentences of 4, 2 and 3 words to read; 3, 4 and 2 to write, EOS among them; words repeat.
SOURCE = np.array([[1, 2, 3, 1], [4, 4, PAD, PAD], [5, 1, 2, PAD]])
TARGET = np.array([[3, 4, EOS, PAD], [5, 3, 3, EOS], [6, EOS, PAD, PAD]])


def small(options, dtype=np.float64, seed=0):
    """A small model whose parameters are all different from 0, the biases too."""
    config = Config(6, 7, *options, D=3, H=4, A=5)
    rng = np.random.RandomState(seed)
    p = init_params(config, rng, dtype)
    for name in {"b_source", "b", "bo", "alpha"} & set(p):
        p[name] += (0.3 * rng.standard_normal(p[name].shape)).astype(dtype)
    return p, config


def padded(ids, columns=2):
    return np.pad(ids, ((0, 0), (0, columns)), constant_values=PAD)


def assert_same(one, other, **tolerance):
    """The same names, and for each the same shape and nearly the same numbers."""
    assert one.keys() == other.keys()
    for name in one:
        assert np.shape(one[name]) == np.shape(other[name]), name
        np.testing.assert_allclose(one[name], other[name], err_msg=name, **tolerance)


# ---- the same model, composed of the stages


def read(p, source):
    """The stages' encoder."""
    X = stages.embed(source, p["E_source"])
    return stages.encode(X, source != PAD, p["Wx_source"], p["Wh_source"], p["b_source"])


def step(p, config, word, carry, hs, keep):
    """One decoder step, stage by stage: logits, a, h̃, h^final."""
    x = stages.embed(word[:, None], p["E"])[:, 0]
    h_tilde = stages.rnn_step(x, carry, p["Wx"], p["Wh"], p["b"])
    e = {
        "additive": lambda: stages.additive_score(h_tilde, hs, p["W1"], p["W2"], p["v"]),
        "dot": lambda: stages.dot_score(h_tilde, hs),
        "uniform": lambda: np.zeros(keep.shape),
        "none": lambda: np.zeros(keep.shape),
    }[config.score]()
    a = stages.masked_softmax(e, keep & (config.score != "none"))  # nothing to keep: a = 0
    c = stages.context(a, hs)
    if config.combine == "concat":
        h = stages.combine_concat(h_tilde, c, p["Wc"])
    else:
        h = stages.combine_weighted_sum(h_tilde, c, p["alpha"].item())
    return stages.output_logits(h, p["Wo"], p["bo"]), a, h_tilde, h


@every_model
def test_the_model_is_the_stages_composed(options):
    p, config = small(options)
    hs, keep = read(p, SOURCE), SOURCE != PAD
    previous = stages.shift_right(TARGET, BOS)
    carry, steps = stages.decoder_init(hs), []
    for t in range(TARGET.shape[1]):
        logits, a, h_tilde, h = step(p, config, previous[:, t], carry, hs, keep)
        steps.append({"logits": logits, "a": a, "H_tilde": h_tilde, "H_final": h})
        carry = h_tilde if config.carry == "provisional" else h
    expected = {name: np.stack([values[name] for values in steps], axis=1) for name in steps[0]}
    expected |= {"hs": hs, "loss": stages.masked_cross_entropy(expected["logits"], TARGET, TARGET != PAD)}

    tape = forward(p, config, SOURCE, TARGET)
    assert_same({name: tape[name] for name in expected}, expected, rtol=1e-12, atol=1e-14)
    assert loss_and_grads(p, config, SOURCE, TARGET)[0] == pytest.approx(tape["loss"], rel=1e-12)


@every_model
@pytest.mark.parametrize("length", [2, 4])
def test_decoding_is_the_stages_greedy_decoding(options, length):
    ends = set()
    for seed in range(12):
        p, config = small(options, seed=seed)
        p["bo"][EOS] += seed % 3 - 1  # so that some sentences end before their time is over, and some don't
        sentence = SOURCE[:1, :length]
        hs = read(p, sentence)

        def next_logits(word, carry, p=p, config=config, hs=hs):
            logits, _, h_tilde, h = step(p, config, np.array([word]), carry, hs, np.ones(hs.shape[:2], bool))
            return logits[0], h_tilde if config.carry == "provisional" else h

        ids, a = decode(p, config, sentence, 5)
        expected = stages.greedy_decode(next_logits, stages.decoder_init(hs), BOS, EOS, 5)
        assert ids[0].tolist() == expected.tolist()
        assert a.shape == (1, len(expected), length)
        ends.add(expected[-1] == EOS)
    assert ends == {True, False}


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("size", [0.1, 3, 30, 1e6])
def test_one_exponential_per_state_makes_the_tanh_of_all_pairs(kind, size):
    rng = np.random.RandomState(0)
    queries, keys = ((size * rng.uniform(-1, 1, shape)).astype(kind) for shape in [(4, 5), (3, 4, 5)])
    if size > 40:  # where one of the two is cut, the other must not pull the other way
        queries, keys = np.abs(queries), np.abs(keys)
    both = model.bounded_exp(2 * queries), model.bounded_exp(-2 * keys)
    r = model.half_tanh(*both, out=np.empty_like(keys))
    assert r.dtype == kind
    tolerance = 1e-6 * np.clip(size, 1, 40) if kind == np.float32 else 1e-14
    np.testing.assert_allclose(r, (1 - np.tanh(queries.astype(float) + keys)) / 2, atol=tolerance)


# ---- the gradient


@every_model
def test_the_gradient_is_that_of_central_differences(options):
    p, config = small(options)
    loss, grads = loss_and_grads(p, config, SOURCE, TARGET)
    differences = {name: np.empty_like(array) for name, array in p.items()}
    for name, array in p.items():
        for place in np.ndindex(array.shape):
            at, nudge = array[place], 1e-5
            array[place] = at + nudge
            up = forward(p, config, SOURCE, TARGET)["loss"]
            array[place] = at - nudge
            down = forward(p, config, SOURCE, TARGET)["loss"]
            array[place] = at
            differences[name][place] = (up - down) / (2 * nudge)
    assert_same(grads, differences, rtol=1e-6, atol=1e-9)
    # every parameter takes part: none has a gradient of 0 on both sides
    assert all(np.abs(gradient).max() > 1e-4 for gradient in grads.values())


@pytest.mark.parametrize(
    "decoder, carry",
    [(stagewise.step_by_step, "provisional"), (stagewise.step_by_step, "final"), (stagewise.all_steps, "provisional")],
)
def test_loss_and_gradient_are_those_of_the_stages_backwards_chained_through_time(decoder, carry):
    p, config = small(("additive", "concat", carry))
    loss, grads = loss_and_grads(p, config, SOURCE, TARGET)
    chained_loss, chained = stagewise.loss_and_grads(p, config, SOURCE, TARGET, decoder=decoder)
    assert chained_loss == pytest.approx(loss, rel=1e-12)
    assert_same(chained, grads, rtol=1e-9, atol=1e-13)


def test_all_steps_at_once_refuse_a_model_whose_states_wait_for_a_look():
    p, config = small(("additive", "concat", "final"))
    with pytest.raises(ValueError, match="needs a model that carries h̃, not 'final': take step_by_step"):
        stagewise.loss_and_grads(p, config, SOURCE, TARGET, decoder=stagewise.all_steps)


@both_decoders
@pytest.mark.parametrize("plain", [False, True], ids=["float64", "lists"])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_the_chained_gradient_has_the_parameters_precision_whatever_the_stages_return(kind, plain, decoder):
    seen = set()

    def widened(result):
        if isinstance(result, tuple):
            return tuple(map(widened, result))
        if isinstance(result, dict):
            return {name: widened(array) for name, array in result.items()}
        wide = result.astype(float) if getattr(result, "dtype", np.dtype(int)).kind == "f" else result
        return wide.tolist() if plain and isinstance(wide, np.ndarray) else wide

    def wide(function):
        def watched(*arguments):
            seen.update(array.dtype for array in arrays_in(arguments) if array.dtype.kind == "f")
            return widened(function(*arguments))

        return watched

    p, config = small(("additive", "concat", "provisional"), kind)
    stage = SimpleNamespace(**{name: wide(getattr(stages, name)) for name in stages.__all__})
    stage.embedding_backward = lambda *arguments: widened(stages.embedding_backward(*arguments))  # gets float64
    loss, grads = stagewise.loss_and_grads(p, config, SOURCE, TARGET, stage, decoder)
    assert type(loss) is float
    assert {array.dtype for array in grads.values()} == seen == {np.dtype(kind)}


@both_decoders
def test_the_stages_stay_in_single_precision_where_their_arguments_are(decoder):
    kinds = {}

    def noted(name):
        def watched(*arguments):
            result = getattr(stages, name)(*arguments)
            arrays = arrays_in(result) or [np.asarray(result)]  # a loss is no array
            kinds.setdefault(name, set()).update(array.dtype for array in arrays)
            return result

        return watched

    p, config = small(("additive", "concat", "provisional"), np.float32)
    stage = SimpleNamespace(**{name: noted(name) for name in stages.__all__})
    stagewise.loss_and_grads(p, config, SOURCE, TARGET, stage, decoder)
    of_float64 = {name for name, found in kinds.items() if np.dtype(float) in found}
    assert of_float64 == {"embedding_backward", "masked_cross_entropy_backward"}  # they start from np.zeros


@both_decoders
def test_the_stages_may_give_lists_of_ids_and_write_over_what_they_gave(decoder):
    given = {}

    def written_over(name):
        def same_array(*arguments):
            result = getattr(stages, name)(*arguments)
            kept = given.setdefault((name, result.shape), np.empty_like(result))
            kept[:] = result
            return kept

        return same_array

    p, config = small(("additive", "concat", "provisional"))
    stage = SimpleNamespace(**vars(stages))
    for name in ["embed", "additive_score", "masked_softmax", "context"]:
        setattr(stage, name, written_over(name))
    stage.shift_right = lambda y, bos: stages.shift_right(y, bos).tolist()
    stage.embedding_backward = lambda dX, ids, V: stages.embedding_backward(dX, ids[:, :], V)  # a list has no [:, :]
    _, grads = stagewise.loss_and_grads(p, config, SOURCE, TARGET, stage, decoder)
    assert_same(grads, loss_and_grads(p, config, SOURCE, TARGET)[1], rtol=1e-9, atol=1e-13)


def test_short_sentences_are_looked_at_without_the_long_ones_padding():
    lengths = []

    def additive_score(h_tilde, hs, *weights):
        lengths.append(hs.shape[1])
        return stages.additive_score(h_tilde, hs, *weights)

    p, config = small(("additive", "concat", "provisional"))
    stage = SimpleNamespace(**(vars(stages) | {"additive_score": additive_score}))
    stagewise.loss_and_grads(p, config, padded(SOURCE), TARGET, stage, stagewise.all_steps)
    assert lengths == [4] * 4 + [2] * 4  # the sentences of 4 and 3 words, and that of 2


@pytest.mark.parametrize(
    "decoder, used",
    [
        (stagewise.step_by_step, {"decoder_step", "decoder_step_backward"}),
        (
            stagewise.all_steps,
            {
                "provisional_states", "additive_score", "masked_softmax", "context", "combine_concat", "output_logits",
                "linear_backward", "combine_concat_backward", "context_backward", "softmax_backward",
                "additive_score_backward",
            },
        ),
    ],
)  # fmt: skip
def test_the_chained_gradient_goes_through_the_functions_it_is_given(decoder, used):
    called = set()

    def noted(name):
        return lambda *arguments: called.add(name) or getattr(stages, name)(*arguments)

    p, config = small(("additive", "concat", "provisional"))
    stage = SimpleNamespace(**{name: noted(name) for name in stages.__all__})
    stagewise.loss_and_grads(p, config, SOURCE, TARGET, stage, decoder)
    assert called == used | {
        "shift_right", "embed", "encode", "decoder_init", "masked_cross_entropy", "masked_cross_entropy_backward",
        "embedding_backward", "rnn_step_backward",
    }  # fmt: skip


@both_decoders
@pytest.mark.parametrize("rows", [[0], [0, 1], [0, 1, 2, 2, 1]], ids=len)
def test_the_chained_gradient_is_that_of_any_number_of_sentences(rows, decoder):
    p, config = small(("additive", "concat", "provisional"))
    loss, grads = loss_and_grads(p, config, SOURCE[rows], TARGET[rows])
    chained_loss, chained = stagewise.loss_and_grads(p, config, SOURCE[rows], TARGET[rows], decoder=decoder)
    assert chained_loss == pytest.approx(loss, rel=1e-12)
    assert_same(chained, grads, rtol=1e-9, atol=1e-13)


@both_decoders
def test_sentences_without_words_or_targets_add_nothing_to_the_chained_gradient(decoder):
    p, config = small(("additive", "concat", "provisional"))
    source, target = np.vstack([SOURCE, 0 * SOURCE]), np.vstack([TARGET, 0 * TARGET])
    loss, grads = stagewise.loss_and_grads(p, config, SOURCE, TARGET, decoder=decoder)
    more_loss, more = stagewise.loss_and_grads(p, config, source, target, decoder=decoder)
    assert more_loss == pytest.approx(loss, rel=1e-12)
    assert_same(more, grads, rtol=1e-9, atol=1e-13)


# ---- padding


@every_model
def test_more_padding_changes_neither_loss_nor_gradient(options):
    p, config = small(options)
    loss, grads = loss_and_grads(p, config, SOURCE, TARGET)
    more_loss, more_grads = loss_and_grads(p, config, padded(SOURCE), padded(TARGET, 3))
    assert more_loss == pytest.approx(loss, rel=1e-12)
    assert_same(more_grads, grads, rtol=1e-9, atol=1e-13)


@every_model
def test_more_padding_changes_nothing_that_is_written(options):
    p, config = small(options)
    ids, a = decode(p, config, SOURCE, 5)
    more_ids, more_a = decode(p, config, padded(SOURCE), 5)
    np.testing.assert_array_equal(more_ids, ids)
    np.testing.assert_allclose(more_a, padded(a.reshape(-1, 4)).reshape(*ids.shape, 6), atol=1e-14)


@every_model
def test_what_the_embedding_of_padding_holds_changes_nothing(options):
    p, config = small(options)
    p["bo"][[PAD, BOS]] -= 100  # an untrained model may write them
    loss, grads = loss_and_grads(p, config, SOURCE, TARGET)
    ids, a = decode(p, config, SOURCE, 5)
    p["E_source"][PAD], p["E"][PAD] = 7, -8
    changed_loss, changed_grads = loss_and_grads(p, config, SOURCE, TARGET)
    changed_ids, changed_a = decode(p, config, SOURCE, 5)
    assert changed_loss == pytest.approx(loss, rel=1e-12)
    assert_same(changed_grads, {**grads, "E": changed_grads["E"]}, rtol=1e-9, atol=1e-13)
    assert not changed_grads["E"][PAD].any() and not changed_grads["E_source"][PAD].any()
    np.testing.assert_array_equal(changed_ids, ids)
    np.testing.assert_allclose(changed_a, a, atol=1e-14)


@every_model
def test_weights_sum_to_1_and_are_exactly_0_at_padding(options):
    p, config = small(options)
    for a in (forward(p, config, SOURCE, TARGET)["a"], decode(p, config, SOURCE, 5)[1]):
        keep = np.broadcast_to((SOURCE != PAD)[:, None], a.shape)
        assert (a[~keep] == 0).all()
        if config.score == "none":
            assert (a == 0).all()
            continue
        np.testing.assert_allclose(a.sum(axis=-1), 1, rtol=1e-12)
        assert (a[keep] > 0).all()
        if config.score == "uniform":
            np.testing.assert_allclose(a, keep / keep.sum(axis=-1, keepdims=True), rtol=1e-12)


@every_model
def test_the_loss_is_the_mean_over_all_real_words_of_the_batch(options):
    p, config = small(options)
    real = (TARGET != PAD).sum(axis=1)
    each = [forward(p, config, SOURCE[n : n + 1], TARGET[n : n + 1])["loss"] for n in range(3)]
    assert forward(p, config, SOURCE, TARGET)["loss"] == pytest.approx(each @ real / real.sum(), rel=1e-12)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("score", ["additive", "dot", "uniform"])
def test_a_sentence_without_words_has_no_weights_and_a_finite_loss(score):
    p, config = small((score, "concat", "provisional"))
    tape = forward(p, config, np.zeros_like(SOURCE), TARGET)
    assert (tape["a"] == 0).all() and np.isfinite(tape["loss"])
    assert loss_and_grads(p, config, np.zeros_like(SOURCE), TARGET)[0] == pytest.approx(tape["loss"], rel=1e-12)


# ---- what attention looks at


@attending
@pytest.mark.parametrize("place", [(0, 0), (0, 3), (1, 1), (2, 0)])
def test_another_word_in_the_memory_changes_the_weights_of_its_sentence_alone(options, place):
    p, config = small(options)
    source = SOURCE.copy()
    source[place] = 3 if SOURCE[place] != 3 else 4
    H_tilde = np.random.RandomState(1).standard_normal((3, 2, config.H))
    memory, other = (model.with_exp_keys(p, config, model.encode(p, config, ids)) for ids in (SOURCE, source))
    _, a = model.attend(p, config, H_tilde, memory)
    _, changed = model.attend(p, config, H_tilde, other)
    n = place[0]
    assert (np.abs(changed[n] - a[n]).max(axis=-1) > 1e-4).all()  # (2 steps,)
    np.testing.assert_array_equal(np.delete(changed, n, axis=0), np.delete(a, n, axis=0))


@pytest.mark.parametrize("score", ["dot", "uniform", "additive"])
def test_other_states_in_the_memory_are_decoded_as_if_they_had_been_read(score):
    p, config = small((score, "concat", "provisional"))
    memory, other = (model.encode(p, config, SOURCE[:1, [0, i, 3]]) for i in (1, 2))
    ids, a = decode_from(p, config, {**memory, "hs": other["hs"]}, 4)
    expected_ids, expected_a = decode_from(p, config, other, 4)
    np.testing.assert_array_equal(ids, expected_ids)
    np.testing.assert_allclose(a, expected_a)


# ---- decoding


@every_model
def test_a_batch_is_decoded_as_its_sentences_are_one_by_one(options):
    p, config = small(options, seed=3)
    p["bo"][EOS] += 0.5
    ids, a = decode(p, config, SOURCE, 6)
    for n, row in enumerate(SOURCE):
        alone, alone_a = decode(p, config, row[None, row != PAD], 6)
        length = alone.shape[1]
        assert ids[n, :length].tolist() == alone[0].tolist()
        np.testing.assert_allclose(a[n, :length, : alone_a.shape[2]], alone_a[0], atol=1e-12)


def test_what_is_written_ends_with_one_eos_and_then_padding():
    endings = set()
    for seed in range(60):
        p, config = small(COMBINATIONS[seed % 16], seed=seed)
        p["bo"] += [-100, -100, 0.7, 0, 0, 0, 0]  # an untrained model may write PAD and BOS as well
        ids, a = decode(p, config, SOURCE, 4)
        assert ids.shape[1] <= 4 and a.shape == (*ids.shape, 4)
        assert (ids[:, -1] != PAD).any()  # not a step too many
        for row in ids.tolist():
            words, _, rest = "".join(map(str, row)).partition(str(EOS))
            assert str(PAD) not in words and set(rest) <= {str(PAD)}
            assert EOS in row or len(row) == 4
            endings.add((EOS in row, bool(rest)))
    assert endings == {(True, True), (True, False), (False, False)}


# ---- precision, size, and the caller's arrays


@every_model
def test_float32_stays_float32(options, monkeypatch):
    between = []  # what passes through `flat`: nearly every array of the forward and the backward pass
    flat = model.flat
    monkeypatch.setattr(model, "flat", lambda array: between.append(array.dtype) or flat(array))
    p, config = small(options, np.float32)
    tape = forward(p, config, SOURCE, TARGET)
    _, grads = loss_and_grads(p, config, SOURCE, TARGET)
    arrays = {**tape.pop("memory"), **tape, **grads, "decoded a": decode(p, config, SOURCE, 5)[1]}
    floats = {name: array.dtype for name, array in arrays.items() if getattr(array, "dtype", np.dtype(int)).kind == "f"}
    assert set(floats) >= set(p) | {"hs", "a", "logits", "log_p", "C", "H_tilde", "H_final"}
    assert set(floats.values()) == set(between) == {np.dtype(np.float32)}, floats
    exact = loss_and_grads(*small(options), SOURCE, TARGET)[1]
    assert_same(grads, exact, rtol=1e-3, atol=1e-5)


@every_model
def test_parameters_and_batches_stay_as_they_are(options):
    p, config = small(options)
    before = {name: array.copy() for name, array in p.items()}
    source, target = SOURCE.copy(), TARGET.copy()
    _, grads = loss_and_grads(p, config, source, target)
    decode(p, config, source, 3)
    assert_same(p, before, rtol=0)
    assert (source == SOURCE).all() and (target == TARGET).all()
    assert not any(np.shares_memory(gradient, array) for gradient in grads.values() for array in p.values())


@pytest.mark.parametrize("carry", CARRIES)
def test_no_array_of_all_steps_words_and_units_of_the_additive_score_is_made(carry):
    N, U, T, A = 16, 32, 32, 64
    config = Config(9, 9, "additive", "concat", carry, D=4, H=8, A=A)
    p = init_params(config, np.random.RandomState(0))
    ids = np.full((N, T), 5)
    tracemalloc.start()
    try:
        loss_and_grads(p, config, ids, ids[:, :U])
        decode(p, config, ids, U)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < N * U * T * A * 4 / 2


@every_model
def test_untrained_parameters_are_the_same_for_the_same_seed_and_others_for_another(options):
    config = Config(6, 7, *options)
    one, again, other = (init_params(config, np.random.RandomState(seed)) for seed in (0, 0, 1))
    assert_same(one, again, rtol=0)
    assert all((one[name] != other[name]).all() for name in one if name not in ("b_source", "b", "bo", "alpha"))


@every_model
def test_a_model_has_the_parameters_it_needs_and_no_others(options):
    score, combine, _ = options
    names = {"E_source", "Wx_source", "Wh_source", "b_source", "E", "Wx", "Wh", "b", "Wo", "bo"}
    names |= {"W1", "W2", "v"} if score == "additive" else set()
    names |= {"Wc"} if combine == "concat" else {"alpha"}
    assert set(init_params(Config(6, 7, *options), np.random.RandomState(0))) == names


def test_the_loss_is_finite_however_sure_the_model_is():
    p, config = small(("additive", "concat", "provisional"), np.float32)
    for size in (1e3, 1e6):
        p["bo"][:] = np.linspace(-size, size, len(p["bo"]))
        loss, grads = loss_and_grads(p, config, SOURCE, TARGET)
        assert np.isfinite(loss) and all(np.isfinite(gradient).all() for gradient in grads.values())
