"""A picture: drawn when it is shown, and readable in words. Matplotlib is imported only then."""

import io

import numpy as np

from utils.files import whole_file
from utils.packages import required

# The same thing has the same colour in every picture (Okabe and Ito's palette, safe for colour-blind eyes).
H_TILDE, H_I, SCORE, WEIGHT, CONTEXT, H_FINAL = "#D55E00", "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#000000"


def dark(colour):
    """The colour for words about a thing of this colour: it can be read on white (contrast 4.5 or more).

    Parameters
    ----------
    colour : str
        As "#D55E00".

    Returns
    -------
    str
    """
    return "#" + "".join(f"{round(0.65 * part):02x}" for part in bytes.fromhex(colour[1:]))


class Picture:
    """A figure that is drawn when it is shown, and that can be read aloud.

    Parameters
    ----------
    description : str
        What the picture shows, in words: its alt text, and what is shown where it cannot be drawn.
    draw : function
        Called with a new `matplotlib.figure.Figure`, or with the subfigure of a larger picture.
    size : (float, float)
        Width and height in inches.
    """

    def __init__(self, description, draw, size):
        self.description, self.draw, self.size = description, draw, size

    def png(self, dpi=100):
        """The picture as PNG bytes, with `dpi` pixels an inch. ImportError without Matplotlib."""
        figure = required("matplotlib.figure", "Drawing a picture").Figure(figsize=self.size, layout="constrained")
        self.draw(figure)
        buffer = io.BytesIO()
        figure.savefig(buffer, format="png", dpi=dpi)
        return buffer.getvalue()

    def save(self, path, dpi=100):
        """Write the picture to a PNG file, all or nothing."""
        png = self.png(dpi)
        with whole_file(path) as part:
            part.write_bytes(png)

    def __repr__(self):
        return self.description

    def _repr_mimebundle_(self, include=None, exclude=None):
        try:
            png = self.png()
        except ImportError as error:
            return {"text/plain": f"{self.description}\n({error})"}, {}
        return {"image/png": png, "text/plain": self.description}, {"image/png": {"alt": self.description}}


def side_by_side(pictures, columns=2):
    """Several pictures as one.

    Parameters
    ----------
    pictures : list of Picture
    columns : int

    Returns
    -------
    Picture
    """
    pictures = list(pictures)
    rows = -(-len(pictures) // columns)
    width, height = np.max([picture.size for picture in pictures], axis=0)

    def draw(figure):
        parts = np.ravel(figure.subfigures(rows, columns))
        for picture, part in zip(pictures, parts):
            picture.draw(part)

    description = " ".join(picture.description for picture in pictures)
    return Picture(description, draw, (width * columns, height * rows))


def draw_plane(axes, arrows, points=()):
    """Draw arrows from the origin, each with its name beyond its tip, in a square plane that holds them.

    Parameters
    ----------
    axes : Matplotlib axes
    arrows : list of ((2,) float, colour, name)
    points : list of (K, 2) float
        What else must fit into the plane.
    """
    for vector, colour, name in arrows:
        axes.annotate("", vector, (0, 0), arrowprops={"arrowstyle": "-|>", "color": colour, "linewidth": 2})
        beyond = vector / max(np.hypot(*vector), 1e-9) * 14
        centred = {"textcoords": "offset points", "ha": "center", "va": "center"}
        axes.annotate(name, vector, beyond, color=dark(colour), fontsize=14, **centred)
    reach = 1.3 * max(np.abs(x).max(initial=0) for x in (*points, *(vector for vector, _, _ in arrows))) or 1
    axes.axhline(0, color="0.85", zorder=0)
    axes.axvline(0, color="0.85", zorder=0)
    axes.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal")


# Fonts with letters that Matplotlib's own font does not have, where a machine has them.
_MORE_FONTS = (
    "Noto Sans CJK KR", "Noto Sans KR", "NanumGothic", "Malgun Gothic", "Apple SD Gothic Neo", "Noto Sans CJK JP",
    "Hiragino Sans", "Yu Gothic", "Microsoft YaHei", "Noto Sans Arabic", "Noto Sans Devanagari", "Noto Sans Thai",
)  # fmt: skip


def labels(words):
    """Words as they can be drawn, and the fonts to draw them with.

    A space is shown as ␣, a dollar sign starts no mathematics, and a letter that no installed font has is
    shown as a question mark.

    Returns
    -------
    labels : list of str
    fonts : list of str
        For Matplotlib's `fontfamily`.
    """
    manager = required("matplotlib.font_manager", "Drawing a picture")
    fonts = ["DejaVu Sans", *(font for font in _MORE_FONTS if font in manager.get_font_names())]
    known = [manager.get_font(manager.findfont(font)) for font in fonts]

    def drawable(letter):
        return letter if any(font.get_char_index(ord(letter)) for font in known) else "?"

    return ["".join(map(drawable, visible(word))).replace("$", r"\$") for word in words], fonts


def visible(word):
    """A word for a label: a space alone would not be seen."""
    return "␣" if word == " " else str(word)
