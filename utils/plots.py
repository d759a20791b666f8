"""Pictures, each with a description in words. Matplotlib is imported when one is drawn."""

import io
from pathlib import Path

import numpy as np

from utils.packages import required

# The same thing has the same colour in every picture (Okabe and Ito's palette, safe for colour-blind eyes).
H_TILDE, H_I, SCORE, WEIGHT, CONTEXT, H_FINAL = "#D55E00", "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#000000"


class Picture:
    """A figure that is drawn when it is shown, and that can be read aloud.

    Parameters
    ----------
    description : str
        What the picture shows, in words: its alt text, and what is shown where it cannot be drawn.
    draw : function
        Called with a new `matplotlib.figure.Figure`.
    size : (float, float)
        Width and height in inches.
    """

    def __init__(self, description, draw, size):
        self.description, self._draw, self._size = description, draw, size

    def png(self):
        """The picture as PNG bytes. ImportError without Matplotlib."""
        figure = required("matplotlib.figure", "Drawing a picture").Figure(figsize=self._size, layout="constrained")
        self._draw(figure)
        buffer = io.BytesIO()
        figure.savefig(buffer, format="png", dpi=100)
        return buffer.getvalue()

    def save(self, path):
        """Write the picture to a PNG file, all or nothing."""
        path = Path(path)
        part = path.with_name(path.name + ".part")
        part.write_bytes(self.png())
        part.replace(path)

    def __repr__(self):
        return self.description

    def _repr_mimebundle_(self, include=None, exclude=None):
        try:
            png = self.png()
        except ImportError as error:
            return {"text/plain": f"{self.description}\n({error})"}, {}
        return {"image/png": png, "text/plain": self.description}, {"image/png": {"alt": self.description}}


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


def score_plane(h_tilde, hs, e, title="Scores"):
    """Draw states in the plane as arrows, and their scores as bars.

    Parameters
    ----------
    h_tilde : (2,) float
        The provisional state.
    hs : (T, 2) float
        Encoder states.
    e : (T,) float
        Their scores.
    title : str

    Returns
    -------
    Picture

    Raises ValueError when the shapes do not fit.
    """
    h_tilde, hs, e = (np.asarray(x, dtype=float) for x in (h_tilde, hs, e))
    if h_tilde.shape != (2,) or hs.ndim != 2 or hs.shape[1] != 2 or e.shape != hs.shape[:1]:
        raise ValueError(
            f"score_plane: h_tilde has shape {h_tilde.shape}, hs {hs.shape} and e {e.shape},"
            " but they need (2,), (T, 2) and (T,)."
        )
    winner = int(e.argmax())

    def draw(figure):
        plane, bars = figure.subplots(1, 2, width_ratios=(1.2, 1))
        arrows = [(h, H_I, rf"$h_{{{i + 1}}}$") for i, h in enumerate(hs)] + [(h_tilde, H_TILDE, r"$\tilde{h}$")]
        for vector, colour, name in arrows:
            plane.annotate("", vector, (0, 0), arrowprops={"arrowstyle": "-|>", "color": colour, "linewidth": 2})
            plane.annotate(name, vector, vector / np.hypot(*vector) * 14, textcoords="offset points",
                           ha="center", va="center", color=colour, fontsize=14)  # fmt: skip
        reach = 1.3 * max(np.abs(hs).max(), np.abs(h_tilde).max())
        plane.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal", title="states in the plane")
        plane.axhline(0, color="0.85", zorder=0)
        plane.axvline(0, color="0.85", zorder=0)

        names = [rf"$h_{{{i + 1}}}$" for i in range(len(e))]
        drawn = bars.barh(names, e, color=SCORE, hatch=["//" if i == winner else "" for i in range(len(e))])
        bars.bar_label(drawn, [f"{score:.2f}" for score in e], padding=3)
        bars.margins(x=0.25)
        bars.axvline(0, color="0.4", linewidth=1)
        bars.invert_yaxis()
        bars.set(xlabel="score e (highest hatched)", title="scores")
        figure.suptitle(title)

    scores = ", ".join(f"e_{i + 1} = {score:.2f}" for i, score in enumerate(e))
    description = (
        f"{title}: {len(e)} encoder states and h̃ as arrows in the plane; scores {scores}; h_{winner + 1} wins."
    )
    return Picture(description, draw, size=(8, 3.8))


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
