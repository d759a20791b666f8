"""What a check knows about one exercise: its probes and its oracle."""

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from types import SimpleNamespace

import numpy as np

from utils.checks.run import Probe, arrays_in, map_arrays

# All different, so that no axis can be taken for another.
SIZES = {"N": 3, "T": 5, "H": 4, "A": 6, "D": 2, "U": 7, "V": 9, "I": 5, "O": 8}
TRAINING_SIZES = {"N": 128, "T": 29, "H": 64, "A": 32, "D": 16, "U": 11, "V": 35, "I": 64, "O": 64}
# Coincidences under which a wrong axis goes unnoticed by NumPy, but not by the numbers.
EQUAL = "NT TH NH AH DH NV HV NU TU UH TA ND NA NI NO IO HO TD VD TV UV".split()


@dataclass(frozen=True)
class Exercise:
    """One exercise.

    Attributes
    ----------
    name : str
        The function's name.
    sizes : str
        The letters that the shapes of its arguments depend on, for example "NTH".
    make : function
        ``make(rng, s)`` gives the arguments for the sizes ``s.N``, ``s.T``, …
    oracle : function
        The right results, computed in another way than the course does: loops in float64, complex
        steps for gradients.
    returns : tuple of str
        The names of the results.
    held : str
        What a function that passes has been shown to do, for the line of success.
    special : function or None
        ``special(rng)`` gives a dict of further arguments: extreme, odd, easily mistaken ones.
    gives_ids : bool
        Whether the result is word numbers, which have to be whole.
    exact_zeros : bool
        Whether what is 0 has to be exactly 0, as at padding (what underflows to nearly 0 is let pass).
    whole_numbers : bool
        Whether each float argument is also tried as an array of whole numbers.
    timed : bool
        Whether the function is also called at training size.
    new_arrays : bool
        Whether the results have to be other arrays than the arguments, also where the numbers are the same.
    equal : tuple of str
        The pairs of sizes that are tried as equal, where the exercise has both.
    order : tuple of (str, str)
        Results in the order in which they are computed, each with what it comes from; empty where there is no order.
    optional : bool
        Whether neither track asks for it.
    """

    name: str
    sizes: str
    make: Callable
    oracle: Callable
    returns: tuple
    held: str
    special: Callable = None
    gives_ids: bool = False
    exact_zeros: bool = False
    whole_numbers: bool = True
    timed: bool = True
    new_arrays: bool = False
    equal: tuple = tuple(EQUAL)
    order: tuple = ()
    optional: bool = False

    @property
    def track(self):
        """Which track asks for it: "forward", "full" (the gradients), or neither: "optional"."""
        return "optional" if self.optional else "full" if self.name.endswith("_backward") else "forward"

    @cached_property
    def probes(self):
        """All calls that a check makes, a list of Probe, always the same."""
        generic = self._args("sizes all different")
        probes = [Probe("sizes all different", generic)]
        for one, other in self.equal:
            if one in self.sizes and other in self.sizes:
                args = self._args(f"{one} = {other}", **{other: SIZES[one]})
                probes.append(Probe(f"{one} = {other}", args, twice=False))
        probes += [self._probe(f"{letter} = 1", **{letter: 1}) for letter in "NTUHADV" if letter in self.sizes]
        probes += [self._probe(f"{letter} = 12", **{letter: 12}) for letter in "TU" if letter in self.sizes]
        if self.whole_numbers:
            probes += _whole_number_probes(generic)
        single = map_arrays(lambda x: x.astype(np.float32) if x.dtype.kind == "f" else x, generic)
        probes.append(Probe("float32", single))
        if any(x.dtype == bool for x in arrays_in(generic)):
            for kind in (int, float):
                ones = map_arrays(lambda x, kind=kind: x.astype(kind) if x.dtype == bool else x, generic)
                probes.append(Probe(f"keep as {kind.__name__}", ones))
        probes += [Probe(layout, generic, layout) for layout in ("strided", "read-only")]
        if self.special:
            probes += [Probe(name, args, special=True) for name, args in self.special(self._rng("special")).items()]
        return probes

    @cached_property
    def expected(self):
        """The oracle's results for every probe: a list of tuples of arrays (or of dicts or lists of arrays)."""
        return [self._answer(probe) for probe in self.probes]

    @cached_property
    def training(self):
        """A call at training size, or None."""
        return Probe("training size", self._args("training size", **TRAINING_SIZES)) if self.timed else None

    def _probe(self, name, **sizes):
        return Probe(name, self._args(name, **sizes))

    def _args(self, name, **sizes):
        return self.make(self._rng(name), SimpleNamespace(**{**SIZES, **sizes}))

    def _rng(self, probe):
        """A stream that stays the same across versions of NumPy and Python."""
        return np.random.RandomState(zlib.crc32(f"{self.name}: {probe}".encode()))

    def _answer(self, probe):
        args = map_arrays(lambda x: x.astype(float) if x.dtype == np.float32 else x, probe.args)
        answer = self.oracle(*args)
        answers = answer if len(self.returns) > 1 else (answer,)
        return answers if self.gives_ids else tuple(map_arrays(lambda x: x.astype(float), answers))


def gradients(function, args, wrt, *upstream, stacked=False):
    """Gradients by complex steps: exact to rounding, and independent of any formula for them.

    d/dx Σ upstream · function(*args) = Im Σ upstream · function(…, x + i h, …) / h for a tiny h

    Parameters
    ----------
    function : function
        Works on complex arrays; returns one array, or a tuple of as many as there are upstreams.
    args : tuple
    wrt : tuple of int
        The positions of the arguments to differentiate by: arrays, numbers or dicts of arrays.
    upstream : arrays
    stacked : bool
        Whether the function takes a stack of arguments, along a new first axis, in the place of any one,
        and returns a stack of results: one call then serves for all numbers of an argument.

    Returns
    -------
    list
        One gradient for each position, shaped (and for dicts named) like the argument.
    """

    def slopes(position, value):
        """The slope for one nudged argument, or those for a stack of them."""
        results = function(*args[:position], value, *args[position + 1 :])
        results = results if isinstance(results, tuple) else (results,)
        return sum((u * r).sum(axis=tuple(range(-np.ndim(u), 0))) for u, r in zip(upstream, results)).imag / 1e-30

    def of_array(x, at):
        x = np.asarray(x)
        nudged = x + 1e-30j * np.eye(x.size).reshape(x.size, *x.shape)
        return np.reshape(at(nudged) if stacked else [at(one) for one in nudged], x.shape)

    results = []
    for k in wrt:
        if isinstance(args[k], dict):
            results.append(
                {
                    key: of_array(x, lambda nudged, k=k, key=key: slopes(k, {**args[k], key: nudged}))
                    for key, x in args[k].items()
                }
            )
        else:
            results.append(of_array(args[k], lambda nudged, k=k: slopes(k, nudged)))
    return results


def _whole_number_probes(args):
    """One probe for each float argument, in which it holds whole numbers."""
    probes = []
    for k, arg in enumerate(args):
        if any(x.dtype.kind == "f" and x.ndim for x in arrays_in(arg)):
            whole = map_arrays(lambda x: np.rint(2 * x).astype(int) if x.dtype.kind == "f" else x, arg)
            probes.append(Probe(f"argument {k + 1} in whole numbers", (*args[:k], whole, *args[k + 1 :])))
    return probes
