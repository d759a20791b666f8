"""Pictures of notebook 05: two states made into one, and the probabilities of the next word."""

import numpy as np

from utils.plots.picture import CONTEXT, H_FINAL, H_TILDE, Picture, draw_plane, labels, visible


def combine_plane(h_tilde, c, alphas, sums, concats, title="Ways to combine"):
    """Draw h̃ and c as arrows in the plane, and final states that can be made of them.

    Parameters
    ----------
    h_tilde : (2,) float
        The provisional state.
    c : (2,) float
        The context vector.
    alphas : (K,) float
    sums : (K, 2) float
        The weighted sum for each alpha.
    concats : (M, 2) float
        Results of concatenation, each with a W_c of its own.
    title : str

    Returns
    -------
    Picture

    Raises ValueError when the shapes do not fit.
    """
    h_tilde, c, alphas, sums, concats = (np.asarray(x, dtype=float) for x in (h_tilde, c, alphas, sums, concats))
    K, M = len(alphas), len(concats)
    if (h_tilde.shape, c.shape, sums.shape, concats.shape) != ((2,), (2,), (K, 2), (M, 2)) or alphas.shape != (K,):
        raise ValueError(
            f"combine_plane: h_tilde has shape {h_tilde.shape}, c {c.shape}, alphas {alphas.shape}, sums {sums.shape}"
            f" and concats {concats.shape}, but they need (2,), (2,), (K,), (K, 2) and (M, 2)."
        )

    def draw(figure):
        plane = figure.add_subplot()
        draw_plane(plane, [(h_tilde, H_TILDE, r"$\tilde{h}$"), (c, CONTEXT, "$c$")], [sums, concats])
        if (h_tilde != c).any():
            plane.axline(
                h_tilde, c, color="0.6", linestyle=":", label=r"the line through $\tilde{h}$ and $c$", zorder=1
            )
        plane.scatter(*concats.T, marker="x", s=50, color=H_FINAL, label=r"concatenation, a $W_c$ for each", zorder=3)
        plane.scatter(*sums.T, marker="o", s=45, color=H_FINAL, label=r"weighted sum, an $\alpha$ for each", zorder=3)
        aside = (h_tilde - c)[::-1] * (1, -1) / max(np.hypot(*(h_tilde - c)), 1e-9) * 15
        aside *= 1 if aside @ (h_tilde + c) < 0 else -1  # names on the origin's side
        for alpha, point in zip(alphas, sums):
            plane.annotate(f"{alpha:g}", point, aside, textcoords="offset points", ha="center", va="center")
        plane.set_title(title)
        figure.legend(loc="outside right upper", frameon=False)

    by_sum = ", ".join(f"α = {alpha:g}: ({x:.2f}, {y:.2f})" for alpha, (x, y) in zip(alphas, sums))
    by_concat = ", ".join(f"({x:.2f}, {y:.2f})" for x, y in concats)
    description = (
        f"{title}: h̃ and c as arrows in the plane, and the line through their tips; weighted sums: {by_sum};"
        f" results of concatenation: {by_concat}."
    )
    return Picture(description, draw, size=(7, 4.2))


def word_bars(probs, words, names, title="The next word"):
    """Draw the probabilities of the next word as bars, one row of bars per distribution.

    Parameters
    ----------
    probs : (K, V) float
        Each row sums to 1.
    words : V words
    names : K str
        What each row is.
    title : str

    Returns
    -------
    Picture

    Raises ValueError when the words or names do not fit.
    """
    probs, words, names = np.asarray(probs, dtype=float), list(words), list(names)
    if probs.shape != (len(names), len(words)):
        raise ValueError(
            f"word_bars: probs has shape {probs.shape}, but {len(names)} names and {len(words)} words"
            f" need ({len(names)}, {len(words)})."
        )
    winners = probs.argmax(axis=1)

    def draw(figure):
        rows = figure.subplots(len(names), 1, sharex=True, sharey=True, squeeze=False)[:, 0]
        for axes, p, winner, name in zip(rows, probs, winners, names):
            bars = axes.bar(range(len(words)), p, color="0.75", edgecolor=H_FINAL)
            bars[winner].set_hatch("//")
            axes.bar_label(bars, [f"{x:.2f}" if i == winner else "" for i, x in enumerate(p)], padding=2)
            axes.set(ylim=(0, 1.15), ylabel="probability")
            axes.set_title(name, loc="left", fontsize=11)
        ticks, fonts = labels(words)
        rows[-1].set_xticks(range(len(words)), ticks, fontfamily=fonts)
        rows[-1].set_xlabel("words of the vocabulary (likeliest hatched)")
        figure.suptitle(title)

    each = "; ".join(
        f"{name}: likeliest {visible(words[winner])} with {p[winner]:.2f}"
        for name, winner, p in zip(names, winners, probs)
    )
    description = f"{title}: bars of probabilities over {len(words)} words. {each}."
    return Picture(description, draw, size=(7, 1.9 * len(names) + 0.9))
