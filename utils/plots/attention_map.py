"""Attention maps: the one helper that draws them all, and their plain-text form."""

import unicodedata

import numpy as np

from utils.plots.picture import Picture, labels, visible

_SOURCE, _TARGET, _WEIGHT = "source (what is read)", "target (what is written)", "attention weight"


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
        axes = figure.add_subplot()
        image = _draw_map(axes, a, source, target)
        axes.set(xlabel=_SOURCE, ylabel=_TARGET, title=title)
        figure.colorbar(image, ax=axes, label=_WEIGHT, fraction=0.05, pad=0.02)

    maxima = ", ".join(
        f"{visible(word)} → {visible(source[row.argmax()])} (word {row.argmax() + 1})"
        for word, row in zip(target, a)
        if row.max() > row.min()
    )
    description = (
        f"{title}: map of {len(target)} target × {len(source)} source words;"
        f" {f'row maxima at {maxima}' if maxima else 'every row looks at all words alike'}."
    )
    return Picture(description, draw, size=(max(4.5, 0.32 * len(source) + 2), max(2.5, 0.32 * len(target) + 1.2)))


def map_panels(maps, titles, source, target, title="Attention weights"):
    """Draw several attention maps of the same words, two in a row, with one colour bar.

    Parameters
    ----------
    maps : list of (U, T) float
    titles : list of str
        One for each map.
    source : T words (a str counts as its characters)
    target : U words
    title : str

    Returns
    -------
    Picture

    Raises ValueError when the words do not fit the weights.
    """
    if len(maps) != len(titles) or not len(maps):
        raise ValueError(
            f"map_panels: {len(maps)} maps need as many titles, and at least one; there are {len(titles)}."
        )
    checked = [_checked_map(a, source, target) for a in maps]
    maps, (_, source, target) = [a for a, _, _ in checked], checked[0]
    rows = (len(maps) + 1) // 2

    def draw(figure):
        panels = figure.subplots(rows, 2, squeeze=False).ravel()
        for axes, a, name in zip(panels, maps, titles):
            image = _draw_map(axes, a, source, target)
            axes.set_title(name)
        for axes in panels[len(maps) :]:
            axes.set_axis_off()
        figure.supxlabel(_SOURCE)
        figure.supylabel(_TARGET)
        figure.suptitle(title)
        figure.colorbar(image, ax=list(panels), label=_WEIGHT, fraction=0.03, pad=0.02)

    largest = ", ".join(f"{name}: {a.max(axis=1).mean():.2f}" for name, a in zip(titles, maps))
    description = (
        f"{title}: {len(maps)} maps of {len(target)} target × {len(source)} source words; "
        f"largest weight of a row, on average, at {largest}."
    )
    return Picture(description, draw, size=(max(7.0, 0.55 * len(source) + 1), rows * max(2.0, 0.24 * len(target)) + 1))


def _draw_map(axes, a, source, target):
    """Draw weights into Matplotlib axes: the one place where that is done. Returns the image."""
    for set_ticks, words in ((axes.set_xticks, source), (axes.set_yticks, target)):
        names, fonts = labels(words)
        set_ticks(range(len(words)), names, fontfamily=fonts)
    axes.tick_params(length=0)
    return axes.imshow(a, cmap="cividis", vmin=0, vmax=1, aspect="auto")


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
    columns = [_width(word) for word in source]
    margin = max(map(_width, target), default=1) + 1
    rows = [" " * margin + "".join(source)]
    for word, weights in zip(target, np.rint(a * 10).astype(int)):
        cells = ("." if tenths == 0 else "X" if tenths == 10 else str(tenths) for tenths in weights)
        line = "".join(cell.ljust(columns[i], " " if cell != "." else ".") for i, cell in enumerate(cells))
        rows.append(word.ljust(margin - _width(word) + len(word)) + line)
    return "\n".join(rows)


def _width(word):
    """The columns that a word takes in a terminal; Korean letters take two."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in word)


def _checked_map(a, source, target):
    a, source, target = np.array(a, dtype=float), list(source), list(target)
    if a.shape != (len(target), len(source)):
        raise ValueError(
            f"An attention map: a has shape {a.shape}, but {len(target)} target words and {len(source)} source words"
            f" need ({len(target)}, {len(source)})."
        )
    return a, source, target
