"""Pictures of notebook 03: scores beside their weights, and how the weights answer to a nudge."""

import numpy as np

from utils.plots.picture import SCORE, WEIGHT, Picture

STEEPEST = 0.25  # no entry of diag(a) − a aᵀ is larger, whatever the weights


def scores_to_weights(scores, weights, names, title="From scores to weights"):
    """Draw several rows of scores as bars, each with its weights below.

    Parameters
    ----------
    scores : (K, T) float
        K rows of scores; each gets a column of its own.
    weights : (K, T) float
        The weights that belong to them.
    names : K str
        What to call each column.
    title : str

    Returns
    -------
    Picture

    Raises ValueError when the shapes do not fit.
    """
    scores, weights = np.asarray(scores, dtype=float), np.asarray(weights, dtype=float)
    if scores.ndim != 2 or weights.shape != scores.shape or len(names) != len(scores):
        raise ValueError(
            f"scores_to_weights: scores has shape {scores.shape}, weights {weights.shape} and there are"
            f" {len(names)} names, but they need (K, T), (K, T) and K."
        )

    def draw(figure):
        axes = figure.subplots(2, len(scores), sharex=True, sharey="row", squeeze=False)
        for column, name, e, a in zip(axes.T, names, scores, weights):
            _bars(column[0], e, SCORE)
            _bars(column[1], a, WEIGHT)
            column[0].set_title(name)
            column[1].set_xlabel("word")
        axes[0, 0].set_ylabel("score e")
        axes[1, 0].set_ylabel("weight a")
        axes[1, 0].set_ylim(0, 1)
        for row in axes[0]:
            row.margins(y=0.2)
        figure.suptitle(title)

    told = "; ".join(f"{name}: scores {_two(e)}, weights {_two(a)}" for name, e, a in zip(names, scores, weights))
    return Picture(f"{title}, as bars, weights below scores. {told}.", draw, size=(2.6 * len(scores) + 0.8, 4.2))


def temperature_jacobians(temperatures, weights, jacobians, title="From sharp to flat"):
    """Draw the weights at several temperatures, and below each the table of what a nudge of a score does.

    Parameters
    ----------
    temperatures : K float
    weights : (K, T) float
        The weights at each temperature.
    jacobians : (K, T, T) float
        diag(a) − a aᵀ of each; entry (i, j) is the slope of weight j when score i is nudged.
    title : str

    Returns
    -------
    Picture

    Raises ValueError when the shapes do not fit.
    """
    weights, jacobians = np.asarray(weights, dtype=float), np.asarray(jacobians, dtype=float)
    K, T = len(temperatures), weights.shape[-1]
    if weights.shape != (K, T) or jacobians.shape != (K, T, T):
        raise ValueError(
            f"temperature_jacobians: {K} temperatures, weights of shape {weights.shape} and jacobians"
            f" {jacobians.shape}, but they need K, (K, T) and (K, T, T)."
        )

    def draw(figure):
        axes = figure.subplots(2, K, sharex=True, sharey="row", squeeze=False)
        for column, tau, a, jacobian in zip(axes.T, temperatures, weights, jacobians):
            _bars(column[0], a, WEIGHT)
            column[0].set_title(f"τ = {tau:g}")
            image = column[1].imshow(jacobian, cmap="PuOr", vmin=-STEEPEST, vmax=STEEPEST, aspect="auto")
            for (i, j), slope in np.ndenumerate(jacobian):
                colour = "white" if abs(slope) > 0.6 * STEEPEST else "black"
                column[1].text(j, i, _signed(slope), ha="center", va="center", color=colour)
            column[1].set_xlabel("weight j")
            column[1].set_yticks(range(T), range(1, T + 1))
            column[1].tick_params(length=0)
        axes[0, 0].set(ylabel="weight a", ylim=(0, 1.18), yticks=(0, 0.5, 1))
        axes[1, 0].set_ylabel("score i, nudged")
        figure.colorbar(image, ax=axes[1], label="slope of weight j", fraction=0.05, pad=0.01)
        figure.suptitle(title)

    told = "; ".join(
        f"τ = {tau:g}: weights {_two(a)}, slopes from {_signed(jacobian.min())} to {_signed(jacobian.max())}"
        for tau, a, jacobian in zip(temperatures, weights, jacobians)
    )
    description = (
        f"{title}: weights as bars at {K} temperatures, below each the signed {T} × {T} table of slopes. {told}."
    )
    return Picture(description, draw, size=(2 * K + 1.6, 4.6))


def _bars(axes, heights, colour):
    """One bar a word, with its number on it."""
    drawn = axes.bar(range(len(heights)), heights, color=colour)
    axes.bar_label(drawn, [f"{height:.2f}" for height in heights], padding=2)
    axes.axhline(0, color="0.4", linewidth=1)
    axes.set_xticks(range(len(heights)), range(1, len(heights) + 1))


def _two(numbers):
    return ", ".join(f"{number:.2f}" for number in numbers)


def _signed(number):
    """Two digits with the sign, and no sign at 0."""
    text = f"{number:+.2f}"
    return "0.00" if float(text) == 0 else text
