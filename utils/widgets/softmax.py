"""The explorer of notebook 03: heat and cool the softmax, raise a score, pad words, and watch weights and slopes."""

import numpy as np

from utils.plots.picture import SCORE, WEIGHT
from utils.plots.softmax import STEEPEST
from utils.widgets.explorer import Explorer, Slider, Stops, Switch, received
from utils.widgets.svg import INK, QUIET, Canvas, number, signed_colour

_SCORES = [2.0, 0.0, 3.0, 1.0, 1.0]  # word 5 starts as padding, with the score of the last real word
_E, _A = ([f"{letter}_{i}" for i in range(1, 6)] for letter in "ea")
_HIGHEST = 10.0
_TEMPERATURES = tuple(float(f"{10 ** (k / 10):.2g}") for k in range(-13, 14))  # from 0.05 to 20


def explore_softmax(masked_softmax):
    """Weights of five words, and what a nudge of each score does to them, at any temperature and with any padding.

    Parameters
    ----------
    masked_softmax : function
        The exercise of notebook 03.

    Returns
    -------
    Explorer
    """

    def draw(tau, e_3, **keeps):
        e = np.array(_SCORES)
        e[2] = e_3
        keep = np.array([keeps[f"keep_{i}"] for i in range(1, 6)])
        a = received(masked_softmax(e[None] / tau, keep[None]))[0]
        slopes = (np.diag(a) - np.outer(a, a)) / tau  # for e itself: those for e / τ, divided by τ
        some = a[a > 0]
        nats = max(0.0, (some * np.log(1 / some)).sum())
        told = ["as spread out as", f"an even split among {np.exp(nats):.2f} words"]
        if not keep.any():
            told = ["no word has a share", ""]

        canvas = Canvas(800, 460)
        _bars(canvas, e, a, keep, f"weights softmax(e / τ), τ = {tau:g}")
        _slopes(canvas, slopes)
        canvas.text(430, 242, "entropy", 17, bold=True)
        canvas.text(430, 268, f"{nats:.2f} nats: {told[0]}")
        canvas.text(430, 288, told[1])
        _entropy_bar(canvas, nats, keep.sum())
        padding = ", ".join(f"word {i + 1}" for i in np.flatnonzero(~keep)) or "none"
        weights = ", ".join(f"{name}: {value:.2f}" for name, value in zip(_A, a))
        return canvas.drawing(
            f"τ = {tau:g}, e_3 = {e_3:.1f}, padding: {padding}. Weights: {weights};"
            f" entropy {nats:.2f} nats: {' '.join(told).strip()}."
            f" Slopes, for e itself, go from {number(slopes.min())} to {number(slopes.max())}."
        )

    keeps = {f"keep_{i}": Switch(f"keep word {i}", i < 5) for i in range(1, 6)}
    return Explorer(
        draw,
        {
            "tau": Stops("temperature τ", 1.0, _TEMPERATURES),
            "e_3": Slider("score e_3", _SCORES[2], 0.0, _HIGHEST, 0.5),
            **keeps,
        },
    )


def _bars(canvas, e, a, keep, heading):
    """Scores on the left, weights on the right, and between them an arrow, or the word "padding"."""
    canvas.text(20, 28, "scores e", 17, bold=True)
    canvas.bars(20, 42, 310, _E, e, SCORE, _HIGHEST, row=34)
    canvas.text(430, 28, heading, 17, bold=True)
    canvas.bars(430, 42, 350, _A, a, WEIGHT, 1.0, row=34)
    for k, kept in enumerate(keep):
        middle = 42 + 34 * k + 16
        if kept:
            canvas.arrow([(350, middle), (416, middle)], QUIET)
        else:
            canvas.text(383, middle + 5, "padding", anchor="middle")
            canvas.text(516, middle + 6, "exactly", 14)  # behind the 0.00 of its weight


def _slopes(canvas, slopes):
    """The table of slopes, with its numbers, and what its colours mean."""
    wide, high, left, top = 64, 34, 62, 258
    canvas.text(20, 242, "slopes: what a nudge of a score does", 17, bold=True)
    canvas.cells(left, top, slopes, (wide, high), lambda slope: signed_colour(slope, STEEPEST), _E, _A)
    for (i, j), slope in np.ndenumerate(slopes):
        dark = slope > 0.62 * STEEPEST or slope < -0.78 * STEEPEST
        words = "white" if dark else "#000000"  # the course's ink is too pale for the darker cells
        canvas.text(left + (j + 0.5) * wide, top + (i + 0.5) * high + 5, number(slope), 14, words, "middle")
    canvas.box(left, top, 5 * wide, 5 * high, "none", QUIET, 1)
    canvas.text(430, 366, "Row: the score that is nudged. Column: the", 14)
    canvas.text(430, 386, "weight that answers. For e itself, not e / τ.", 14)
    canvas.scale(430, 402, 350, lambda slope: signed_colour(slope, STEEPEST), -STEEPEST, STEEPEST,
                 "slope (darkest: or beyond)")  # fmt: skip


def _entropy_bar(canvas, nats, kept):
    """A bar that ends at ln 5, with a line at the most that the kept words can have."""
    left, top, unit = 430, 302, 350 / np.log(5)
    canvas.box(left, top, 350, 18, "white", QUIET, 1)
    canvas.box(left, top, nats * unit, 18, WEIGHT, WEIGHT, 1)
    if kept:
        most = left + np.log(kept) * unit
        canvas.line([(most, top - 5), (most, top + 23)], INK, 3)
        words = f"at most ln {kept} = {np.log(kept):.2f}"
        canvas.text(max(most, left + 140), top + 38, words, 14, anchor="end")
