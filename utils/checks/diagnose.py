"""Find the cause of what went wrong: a known mistake, or what the record itself tells.

Never calls the learner's code. A wrong diagnosis is worse than none: where two fit, none is given.
"""

import functools
import itertools
import re
from dataclasses import dataclass, replace

import numpy as np

from utils.checks.compare import labelled, near, tolerance
from utils.checks.exercise import SIZES
from utils.checks.run import arrays_in, run


@dataclass(frozen=True)
class Diagnosis:
    """A short name, the sentence for the learner, and the number of the probe that it speaks of, if there is one."""

    name: str
    cause: str
    probe: int | None = None


# ---- known mistakes


def known(exercise, record, wrong):
    """The one known mistake that gives the same on every probe, else on every ordinary one; or None."""
    if len(record.calls) < len(exercise.probes):
        return None
    from utils.checks.mistakes import MISTAKES  # here: only a wrong answer needs them, and there are many

    every = range(len(record.calls))
    for looked_at in (every, [k for k in every if not exercise.probes[k].special]):
        if not any(wrong[k] and record.calls[k].outcome == "returned" for k in looked_at):
            continue
        # wrong calls first: where nothing matches, the first one tells
        order = sorted(looked_at, key=lambda k: not wrong[k])
        found = [
            mistake
            for mistake in MISTAKES.get(exercise.name, ())
            if all(_alike(exercise, k, record.calls[k], _mistaken(exercise, mistake, k)) for k in order)
        ]
        if found:
            one_cause = len({mistake.cause for mistake in found}) == 1
            return Diagnosis(found[0].name, found[0].cause) if one_cause else None
    return None


@functools.cache
def _mistaken(exercise, mistake, k):
    """What a known mistake does with probe k."""
    return run(mistake.function, [exercise.probes[k]]).calls[0]


def _alike(exercise, k, one, other):
    """Whether two calls with probe k did the same."""
    if one.outcome != other.outcome or one.changed != other.changed or one.reused != other.reused:
        return False
    if one.outcome != "returned":
        return one.error.partition(":")[0] == other.error.partition(":")[0]
    return _same(exercise, k, one.result, other.result) and _same(exercise, k, one.again, other.again)


def _same(exercise, k, one, other):
    one, other = (labelled(exercise, result, exercise.expected[k]) for result in (one, other))
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    return all(_equal(a, b, exercise.probes[k], exercise.gives_ids) for (_, _, a), (_, _, b) in zip(one, other))


def _equal(a, b, probe, ids):
    if isinstance(a, str) or isinstance(b, str):
        return isinstance(a, str) and isinstance(b, str) and a == b
    return near(a, b, probe) and (not ids or (a.dtype.kind == "f") == (b.dtype.kind == "f"))


# ---- what the record tells


def reasoned(exercise, record, wrong):
    """What the results themselves say, or None: from the errors, from the shape, from the numbers."""
    raised = [k for k, call in enumerate(record.calls) if wrong[k] and call.outcome == "raised"]
    if raised and (raised[0] == 0 or not wrong[0]):
        found = _of_error(record.calls[raised[0]].error)
        return found and replace(found, probe=raised[0])
    cases = _Cases(exercise, record)
    if exchanged := _exchanged(cases):
        return exchanged
    for label in cases.labels:
        if cases.failing(label):
            if found := _wrong_shape(cases, label):
                return replace(found, probe=0)
            return next(filter(None, (reason(cases, label) for reason in _REASONS)), None)
    return None


class _Cases:
    """The results of all calls by name, as (probe, expected, given), for those that are arrays of numbers."""

    def __init__(self, exercise, record):
        self.exercise, self._found = exercise, {}
        for k, (probe, call) in enumerate(zip(exercise.probes, record.calls)):
            results = labelled(exercise, call.result, exercise.expected[k])
            if isinstance(results, str):
                continue
            for label, right, given in results:
                usable = not isinstance(given, str) and given.dtype.kind in "biuf"
                self._found.setdefault(label, []).append((probe, right, given if usable else None))
        self.labels = list(self._found)

    def of(self, label):
        return [case for case in self._found[label] if case[2] is not None]

    def failing(self, label):
        """The cases in which this result is wrong."""
        return [case for case in self.of(label) if not near(case[1], case[2], case[0])]

    def right(self, label):
        """The cases in which it is right."""
        return [case for case in self.of(label) if near(case[1], case[2], case[0])]


_SHAPES = re.compile(r"shapes? (\([\d,]*\)) (?:and )?(\([\d,]*\))")


def _of_error(error):
    """The usual reasons for an exception, in words."""
    if "could not be broadcast" in error:
        two = _SHAPES.search(error)
        shapes = f" of shapes {two[1]} and {two[2]}" if two else ""
        return Diagnosis(
            "shapes_do_not_fit",
            f"two arrays{shapes} do not fit together: NumPy lines shapes up from the right, where sizes must be equal,"
            " or one of them 1.",
        )
    if "matmul" in error or "not aligned" in error:
        sizes = re.search(r"size (\d+) is different from (\d+)", error)
        told = f" (here {sizes[2]} and {sizes[1]})" if sizes else ""
        return Diagnosis(
            "product_does_not_fit",
            f"a matrix product does not fit: the left one's rows must be as long as the right one's columns{told}.",
        )
    if "cannot reshape" in error:
        return Diagnosis(
            "cannot_be_reshaped",
            "an array's numbers don't fill the shape that it is to be given. Take the sizes from the arguments: they"
            " differ from call to call.",
        )
    if "read-only" in error:
        return Diagnosis("changes_its_argument", "it writes into one of its arguments; work on a copy.")
    if "invert" in error:
        return Diagnosis(
            "keep_of_0_and_1", "it turns keep round with ~, which works for True and False, not for 1 and 0."
        )
    if cannot_cast(error):
        return Diagnosis(
            "whole_number_array", "it adds numbers with decimals into an array of whole numbers, which can't hold them."
        )
    if "out of bounds" in error:
        return Diagnosis("index_out_of_bounds", "it asks for a place that an array does not have.")
    if "arrays used as indices" in error or "only integers" in error:
        return Diagnosis("no_index", "it uses numbers with decimals, or something else that is no place, as an index.")
    if "but needs" in error:
        return Diagnosis("wrong_argument", f"it hands on an array of the wrong shape: {error.partition(': ')[2]}")
    if "truth value of an array" in error:
        return Diagnosis("truth_of_an_array", "it asks whether a whole array is true; an `if` needs a single answer.")
    if error.startswith("NameError") or error.startswith("UnboundLocalError"):
        return Diagnosis("unknown_name", "it uses a name that does not exist there.")
    return None


def cannot_cast(error):
    """Whether NumPy refused to put numbers with decimals into an array of whole numbers."""
    return "casting rule" in error or "Cannot cast" in error


def _exchanged(cases):
    """Two results that have changed places."""
    for one, other in itertools.combinations(cases.labels, 2):
        pairs = list(zip(cases.of(one), cases.of(other)))
        if len(cases.failing(one)) > 2 and all(
            near(right, mine, probe) and near(mine_right, given, probe)
            for (probe, mine_right, mine), (_, right, given) in pairs
        ):
            return Diagnosis("exchanged", f"{one} and {other} have changed places.")
    return None


def _wrong_shape(cases, label):
    """A guess at the axis, from the probe whose sizes are all different."""
    probe, right, given = cases.of(label)[0]
    if probe.name != cases.exercise.probes[0].name or right.shape == given.shape:
        return None
    told = f"{label} has shape {given.shape} where {right.shape} is expected"
    if given.ndim == right.ndim and sorted(given.shape) == sorted(right.shape):
        if given.ndim == 2 and near(right.T, given, probe):
            return Diagnosis("transposed", f"{label} is transposed: rows and columns are exchanged.")
        return Diagnosis("axes_exchanged", f"{told}: two axes are exchanged.")
    if given.ndim > right.ndim and tuple(n for n in given.shape if n != 1) == right.shape:
        return Diagnosis("axis_too_many", f"{told}: an axis of length 1 is left over.")
    if given.ndim == right.ndim + 1:
        for axis, size in enumerate(given.shape):
            if near(right, given.sum(axis), probe):
                called = f"the axis of length {size}{_called(size, cases)}"
                return Diagnosis("not_added_up", f"{told}: {called} has not been added up.")
    if given.ndim == 0:
        return Diagnosis("single_number", f"{label} is a single number, and should be an array of shape {right.shape}.")
    if given.ndim == right.ndim - 1:
        for axis, size in enumerate(right.shape):
            if right.shape[:axis] + right.shape[axis + 1 :] == given.shape:
                called = f"the axis of length {size}{_called(size, cases)}"
                return Diagnosis("axis_missing", f"{told}: {called} is missing.")
    if given.ndim == right.ndim:
        off = [axis for axis in range(right.ndim) if given.shape[axis] != right.shape[axis]]
        if len(off) == 1:
            size, found = right.shape[off[0]], given.shape[off[0]]
            return Diagnosis(
                "wrong_length",
                f"{told}: there should be {size}{_called(size, cases)} along axis {off[0]}, not {found}.",
            )
    return Diagnosis("wrong_shape", f"{told}.")


def _called(size, cases):
    """The letter of a size of the first probe, in brackets, where there is one."""
    letters = {SIZES[letter]: letter for letter in cases.exercise.sizes}
    return f" ({letters[size]})" if size in letters else ""


def _nan(cases, label):
    """nan or inf: from large numbers, from rows with nothing to keep, or everywhere."""
    bad = [case for case in cases.failing(label) if not np.isfinite(case[2]).all() and np.isfinite(case[1]).all()]
    if not bad or len(bad) < len(cases.failing(label)):
        return None
    if all(probe.special for probe, _, _ in bad):
        largest = [max((np.abs(x).max(initial=0) for x in arrays_in(probe.args) if x.dtype.kind in "if"), default=0)
                   for probe, _, _ in bad]  # fmt: skip
        if min(largest) >= 100:
            return Diagnosis(
                "overflow",
                f"{label} is not a number for large inputs: on the way something grows too large for the machine, or"
                " shrinks to 0 before a division or a logarithm.",
            )
        if all("nothing" in probe.name for probe, _, _ in bad):
            return Diagnosis(
                "nan_where_nothing_is_kept",
                f"{label} is not a number where nothing is kept: there the result should be a number.",
            )
    return None


def _cut(cases, label):
    """Results that lost their decimals, on inputs of whole numbers."""

    def cut(right, given):
        whole = right.dtype.kind == "f" and given.dtype.kind in "iu" and right.shape == given.shape
        return whole and np.array_equal(given, np.trunc(right))

    if all(cut(right, given) for _, right, given in cases.failing(label)):
        return Diagnosis(
            "cut_to_whole_numbers",
            f"{label} lost its decimals: an array made like one that holds whole numbers can only hold whole numbers.",
        )
    return None


def _factor(cases, label):
    """Right up to one factor: the sign, 2, or the length of an axis."""
    factors = []
    for probe, right, given in cases.of(label):
        if right.shape != given.shape or not np.isfinite(given).all():
            return None
        far = np.abs(right) > 1e-6
        if not far.any():
            continue
        ratio = np.median(given[far] / right[far])
        relative, absolute = tolerance(probe)
        if not np.allclose(given, ratio * right, rtol=10 * relative, atol=10 * absolute):
            return None
        factors.append((probe, ratio))
    if len(factors) < 3:
        return None
    ratios = np.array([ratio for _, ratio in factors])
    if np.allclose(ratios, -1, rtol=1e-3):
        return Diagnosis("wrong_sign", f"{label} has the wrong sign.")
    if np.allclose(ratios, ratios[0], rtol=1e-3) and abs(ratios[0]) > 1e-9 and abs(ratios[0] - 1) > 1e-3:
        return Diagnosis("constant_factor", f"{label} is {ratios[0]:.3g} times what it should be, on every input.")
    for letter in SIZES:
        lengths = np.array([_length(probe, letter, cases.exercise) for probe, _ in factors], dtype=float)
        if letter in cases.exercise.sizes and np.isfinite(lengths).all():
            if np.allclose(ratios * lengths, 1, rtol=1e-2):
                return Diagnosis("divided_by_a_length", f"{label} is divided by {letter}, and should not be.")
            if np.allclose(ratios, lengths, rtol=1e-2):
                return Diagnosis("multiplied_by_a_length", f"{label} is {letter} times too large.")
    return None


def _length(probe, letter, exercise):
    """How long an axis is in a probe: it is found where the first probe has that size."""
    for first, here in zip(arrays_in(exercise.probes[0].args), arrays_in(probe.args)):
        for axis, size in enumerate(first.shape):
            if size == SIZES[letter] and here.ndim == first.ndim:
                return here.shape[axis]
    return np.nan


def _only_the_first(cases, label):
    """Right in the first row (or column) only, or in the last: every other one is wrong."""
    failing = cases.failing(label)
    if len(failing) < 2 or not _alike_in_shape(failing) or failing[0][0] is not cases.exercise.probes[0]:
        return None

    def right_there_only(probe, right, given, axis, place):
        places = range(right.shape[axis])
        found = [k for k in places if near(right.take(k, axis), given.take(k, axis), probe)]
        return len(places) > 1 and found == [places[place]]

    for axis in range(min(right.ndim for _, right, _ in failing)):
        for place, name in ((0, "first"), (-1, "last")):
            if all(right_there_only(*case, axis, place) for case in failing):
                where = ("row", "column", "number of each state")[min(axis, 2)]
                return Diagnosis(
                    f"right_in_the_{name}_only", f"{label} is right in the {name} {where}, and wrong in all others."
                )
    return None


def _moved(cases, label):
    """The right numbers at other places: transposed, in reverse, in another order; or with other signs."""
    failing = cases.failing(label)
    telling = [case for case in failing if len(np.unique(case[1])) > 2]
    if len(telling) < 2 or not _alike_in_shape(failing):
        return None
    if all(r.ndim > 1 and r.shape[-1] == r.shape[-2] and near(r.swapaxes(-1, -2), g, p) for p, r, g in telling):
        return Diagnosis("transposed", f"{label} is transposed: rows and columns are exchanged.")
    for axis in range(min(right.ndim for _, right, _ in telling)):
        if all(near(np.flip(right, axis), given, probe) for probe, right, given in telling):
            return Diagnosis("reversed", f"{label} has the right numbers in reverse order.")
    if all(near(np.sort(right, axis=None), np.sort(given, axis=None), probe) for probe, right, given in telling):
        return Diagnosis("right_numbers_elsewhere", f"{label} has the right numbers, at other places than it should.")
    if all(near(np.abs(right), np.abs(given), probe) for probe, right, given in telling):
        return Diagnosis("wrong_signs", f"{label} has numbers of the right size, and some have the wrong sign.")
    offsets = [np.median(given - right) for _, right, given in telling if np.isfinite(given).all()]
    if (
        len(offsets) == len(telling)
        and np.ptp(offsets) < 1e-6
        and all(near(r + offsets[0], g, p) for p, r, g in telling)
    ):
        return Diagnosis("constant_offset", f"{label} is {offsets[0]:.3g} too large everywhere, on every input.")
    return None


def _alone(cases, label):
    """Right where there is one sentence, or one word, alone; wrong wherever there are several."""
    ones = {probe.name for probe, _, _ in cases.right(label)} & {"N = 1", "T = 1", "U = 1"}
    rest = [probe for probe, right, given in cases.of(label) if probe.name not in ones and not probe.special]
    failing = {probe.name for probe, _, _ in cases.failing(label)}
    if len(ones) == 1 and all(probe.name in failing for probe in rest):
        letter = ones.pop()[0]
        what = {"N": "sentence", "T": "input word", "U": "step"}[letter]
        return Diagnosis(
            f"right_for_one_{what.replace(' ', '_')}",
            f"{label} is right when there is one {what}, and wrong when there are several.",
        )
    return None


def _lost_axis(cases, label):
    """The right numbers, but an axis of length 1 is gone."""
    failing = cases.failing(label)
    lost = [r.shape != g.shape and r.squeeze().shape == g.squeeze().shape and near(r.squeeze(), g.squeeze(), p)
            for p, r, g in failing]  # fmt: skip
    if failing and all(lost):
        return Diagnosis("lost_axis", f"{label} loses its axis where a size is 1: its shape must stay as promised.")
    return None


def _alike_in_shape(cases):
    return all(right.shape == given.shape and right.ndim for _, right, given in cases)


def _zeros(cases, label):
    """Nothing but 0, whatever goes in."""
    telling = [case for case in cases.of(label) if case[1].any()]
    if len(telling) >= 3 and all(right.shape == given.shape and not given.any() for _, right, given in telling):
        return Diagnosis("all_zero", f"{label} is 0 everywhere, whatever goes in.")
    return None


def _kind_of_input(cases, label):
    """Right for every ordinary input but one kind of them."""
    names = {probe.name for probe, _, _ in cases.failing(label)}
    right = {probe.name for probe, _, _ in cases.right(label)}
    if "sizes all different" in names or not right:
        return None
    if "keep as int" in names and all("0/1" in name or name.startswith("keep as") for name in names):
        return Diagnosis("keep_of_0_and_1", f"{label} is wrong when keep holds 1 and 0 in place of True and False.")
    special = {probe.name for probe, _, _ in cases.failing(label) if probe.special}
    if special == names and len(special) == 1:
        return Diagnosis(
            "one_kind_of_input", f"{label} is right for ordinary inputs, and wrong for this kind: {special.pop()}."
        )
    sizes = {name for name in names if re.fullmatch(r"[A-Z] = 1", name)}
    if sizes == names and len(names) == 1:
        letter = names.pop()[0]
        return Diagnosis("length_one", f"{label} is wrong where {letter} is 1, and right for all other inputs.")
    return None


def _first_wrong(cases, label):
    """Where results are computed one after the other: the first that is wrong, and what it comes from."""
    right = ""
    for name, comes_from in cases.exercise.order:
        if cases.failing(name):
            return Diagnosis(
                f"wrong_from_{name}", f"{right}{name} is the first result that is wrong: look at {comes_from}."
            )
        right = f"{name} is right, and "
    return None


_REASONS = (_nan, _first_wrong, _lost_axis, _cut, _zeros, _factor, _moved, _only_the_first, _alone, _kind_of_input)
