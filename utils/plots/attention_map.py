"""Attention maps: the one helper that draws them all, and their plain-text form."""

import numpy as np

from utils.plots.picture import Picture


def attention_map(a, source, target, title="Attention weights"):
    """Draw attention weights: one row per target word, one column per source word.

    Parameters
    ----------
    a : (U, T) float
        Attention weights; each row is one decoder step.
    source : T words (a str counts as its characters)
    target : U words
    title : str

    Returns
    -------
    Picture

    Raises ValueError when the words do not fit the weights.
    """
    a, source, target = _checked_map(a, source, target)

    def draw(figure):
        U, T = a.shape
        axes = figure.add_subplot()
        image = axes.imshow(a, cmap="cividis", vmin=0, vmax=1, aspect="auto")
        axes.set_xticks(range(T), [_visible(word) for word in source])
        axes.set_yticks(range(U), [_visible(word) for word in target])
        axes.set(xlabel="source (what is read)", ylabel="target (what is written)", title=title)
        axes.tick_params(length=0)
        figure.colorbar(image, ax=axes, label="attention weight", fraction=0.05, pad=0.02)

    maxima = ", ".join(
        f"{_visible(word)} → {_visible(source[i])} (word {i + 1})" for word, i in zip(target, a.argmax(axis=1))
    )
    description = f"{title}: map of {len(target)} target × {len(source)} source words; row maxima at {maxima}."
    return Picture(description, draw, size=(max(4.5, 0.32 * len(source) + 2), max(2.5, 0.32 * len(target) + 1.2)))


def text_map(a, source, target):
    """An attention map in plain characters: weights in tenths, a dot below 0.05.

    Parameters
    ----------
    a : (U, T) float
    source : T characters
    target : U characters

    Returns
    -------
    str
    """
    a, source, target = _checked_map(a, source, target)
    cells = np.rint(a * 10).astype(int)
    rows = ["  " + "".join(source)]
    for word, row in zip(target, cells):
        rows.append(
            f"{word} " + "".join("." if tenths == 0 else "X" if tenths == 10 else str(tenths) for tenths in row)
        )
    return "\n".join(rows)


def _checked_map(a, source, target):
    a, source, target = np.asarray(a, dtype=float), list(source), list(target)
    if a.shape != (len(target), len(source)):
        raise ValueError(
            f"attention_map: a has shape {a.shape}, but {len(target)} target words and {len(source)} source words"
            f" need ({len(target)}, {len(source)})."
        )
    return a, source, target


def _visible(word):
    return "␣" if word == " " else str(word)
