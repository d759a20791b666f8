"""Pictures of notebook 04: where the context vector lies, and attention that emerges."""

import numpy as np

from utils.plots.picture import CONTEXT, H_I, WEIGHT, Picture


def context_plane(a, hs, c, title="The context vector"):
    """Draw encoder states as points in the plane, the hull around them, and context vectors in it.

    Parameters
    ----------
    a : (K, T) float
        Attention weights, each row those of one context vector. With one row, the weights are drawn
        as lines from the states to the context vector, the heavier the thicker.
    hs : (T, 2) float
        Encoder states.
    c : (K, 2) float
        Context vectors; several are joined in their order.
    title : str

    Returns
    -------
    Picture

    Raises ValueError when the shapes do not fit.
    """
    a, hs, c = (np.asarray(x, dtype=float) for x in (a, hs, c))
    K, T = a.shape if a.ndim == 2 else (0, 0)
    if K == 0 or hs.shape != (T, 2) or c.shape != (K, 2):
        raise ValueError(
            f"context_plane: a has shape {a.shape}, hs {hs.shape} and c {c.shape},"
            " but they need (K, T), (T, 2) and (K, 2)."
        )

    def draw(figure):
        plane = figure.add_subplot()
        _draw_states(plane, hs)
        if K == 1:
            _draw_weights(plane, a[0], hs, c[0])
        plane.plot(*c.T, "-D", color=CONTEXT, markeredgecolor="black", markersize=9 if K == 1 else 7, zorder=4)
        for k in sorted({0, K - 1}):
            name = "$c$" if K == 1 else f"$c$, {'first' if k == 0 else 'last'}"
            plane.annotate(name, c[k], (10, -14), textcoords="offset points", fontsize=14 if K == 1 else 11, zorder=5)
        plane.margins(0.15)
        plane.set(title=title, xlabel="first number of a state", ylabel="second number")

    rows = "; ".join(
        f"weights {', '.join(f'{weight:.2f}' for weight in weights)} give c = ({x:.2f}, {y:.2f})"
        for weights, (x, y) in zip(a, c + 0.0)
    )
    return Picture(
        f"{title}: {T} encoder states as points, their hull shaded, and c inside it; {rows}.", draw, (5.6, 4.2)
    )


def _draw_states(plane, hs):
    """Points with their names outwards, and the hull around them."""
    corners, centre = hull(hs), hs.mean(axis=0)
    plane.fill(*corners.T, color=H_I, alpha=0.08, zorder=0)
    plane.plot(*np.vstack([corners, corners[:1]]).T, color=H_I, linewidth=1, linestyle=":", zorder=1)
    plane.plot(*hs.T, "o", color=H_I, markersize=10, zorder=3)
    for i, h in enumerate(hs):
        away = (h - centre) / max(np.hypot(*(h - centre)), 1e-9)
        plane.annotate(rf"$h_{{{i + 1}}}$", h, away * 18, textcoords="offset points", ha="center", va="center",
                       color=H_I, fontsize=14)  # fmt: skip


def _draw_weights(plane, weights, hs, c):
    """Lines from the states to c, each as thick as its weight."""
    box = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": WEIGHT}
    for weight, h in zip(weights, hs):
        plane.plot(*np.stack([h, c]).T, color=WEIGHT, linewidth=12 * weight, alpha=0.6, zorder=2)
        plane.annotate(f"{weight:.2f}", (h + c) / 2, ha="center", va="center", fontsize=11, bbox=box)


def hull(points):
    """The corners of the smallest convex shape around points in the plane, in order.

    Parameters
    ----------
    points : (T, 2) float

    Returns
    -------
    (K, 2) float
    """

    def chain(points):
        kept = []
        for point in points:
            while len(kept) > 1 and _turn(kept[-2], kept[-1], point) <= 0:
                kept.pop()
            kept.append(point)
        return kept[:-1]

    ordered = sorted({tuple(point) for point in np.asarray(points, dtype=float).tolist()})
    return np.array(chain(ordered) + chain(ordered[::-1]) if len(ordered) > 1 else ordered)


def _turn(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def rising_weight(weights, chance, title="Weight on the right item"):
    """Draw how the mean weight on the right item changes with training.

    Parameters
    ----------
    weights : (S,) float
        The mean weight before the first step, after it, and so on.
    chance : float
        The weight when all items get the same.
    title : str

    Returns
    -------
    Picture
    """
    weights = np.asarray(weights, dtype=float)

    def draw(figure):
        axes = figure.add_subplot()
        axes.plot(weights, color=WEIGHT, linewidth=2.5)
        axes.axhline(chance, color="0.4", linestyle="--", linewidth=1)
        axes.annotate(f"all the same: {chance:.2f}", (len(weights) - 1, chance), (0, 5), textcoords="offset points",
                      ha="right")  # fmt: skip
        axes.set(xlabel="steps of gradient descent", ylabel="mean weight", ylim=(0, 1), title=title)
        axes.grid(alpha=0.3)

    last = len(weights) - 1
    description = f"{title}: a line that rises from {weights[0]:.2f} at step 0 to {weights[-1]:.2f} at step {last}."
    return Picture(description, draw, (6, 3))


def learned_matrix(W, title="The learned matrix"):
    """Draw a signed matrix, and mark the largest entry of every row with its sign.

    Parameters
    ----------
    W : (I, O) float
    title : str

    Returns
    -------
    Picture
    """
    W = np.asarray(W, dtype=float)
    largest = np.abs(W).argmax(axis=1)

    def draw(figure):
        axes = figure.add_subplot()
        reach = max(np.abs(W).max(), 1e-9)
        image = axes.imshow(W, cmap="PuOr", vmin=-reach, vmax=reach)
        for row, column in enumerate(largest):
            axes.annotate("+" if W[row, column] > 0 else "−", (column, row), ha="center", va="center",
                          color="white", fontsize=12, fontweight="bold")  # fmt: skip
        axes.set(xlabel="which number of the query", ylabel="which number of the question", title=title)
        axes.set_xticks(range(W.shape[1]), range(1, W.shape[1] + 1), fontsize=8)
        axes.set_yticks(range(W.shape[0]), range(1, W.shape[0] + 1), fontsize=8)
        axes.tick_params(length=0)
        figure.colorbar(image, ax=axes, label="entry of W", fraction=0.05, pad=0.02)

    entries = ", ".join(
        f"{row + 1}: {'+' if W[row, column] > 0 else '−'} at {column + 1}" for row, column in enumerate(largest)
    )
    return Picture(f"{title}: signed matrix; largest entry of each row, with its sign: {entries}.", draw, (5.4, 4.6))
