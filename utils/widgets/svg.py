"""Drawing for explorers: SVG text, which a browser shows at once, sharp at any size.

Matplotlib, which draws the pictures of `utils.plots`, is too slow to follow a slider.
Coordinates are in pixels, from the upper left corner.
"""

import math
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from utils.plots.picture import visible

QUIET, INK = "#767676", "#1a1a1a"  # grey that can still be read on white; black
# Matplotlib's cividis for weights, ColorBrewer's PuOr for signed numbers, at equal distances.
_WEIGHTS, _SIGNED = (
    [tuple(bytes.fromhex(stop)) for stop in stops.split()]
    for stops in (
        "00224e 213b6e 4c546c 6c6e72 8e8978 b2a570 d9c55c fee838",
        "7f3b08 b35806 e08214 fdb863 fee0b6 f7f7f7 d8daeb b2abd2 8073ac 542788 2d004b",
    )
)


@dataclass(frozen=True)
class Drawing:
    """A finished drawing: its SVG text, and what it shows, in words."""

    svg: str
    description: str


class Canvas:
    """Where a drawing is made, piece by piece."""

    def __init__(self, width, height):
        self.width, self.height, self._pieces = width, height, []

    def drawing(self, description):
        """What has been drawn, with its description as the alternative for those who don't see it."""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" width="{self.width}"'
            f' style="max-width:100%;height:auto;background:white" role="img" aria-label={quoteattr(description)}'
            ' font-family="DejaVu Sans, Segoe UI, Helvetica, Arial, sans-serif">'
            f'<rect width="{self.width}" height="{self.height}" fill="white"/>'
        )
        return Drawing("\n".join([head, *self._pieces, "</svg>"]), description)

    def text(self, x, y, words, size=15, colour=INK, anchor="start", bold=False):
        """Words in one line. `anchor` says which of their points x is: "start", "middle" or "end"."""
        weight = ' font-weight="bold"' if bold else ""
        self._pieces.append(
            f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{colour}" text-anchor="{anchor}"{weight}'
            f' xml:space="preserve">{escape(str(words))}</text>'
        )

    def line(self, points, colour=INK, width=1.5, dashed=False):
        """A line through (x, y) points."""
        self._pieces.append(
            f'<polyline points="{_points(points)}" fill="none" stroke="{colour}" stroke-width="{width}"'
            f"{_dashes(dashed)}/>"
        )

    def arrow(self, points, colour=INK, width=2, dashed=False):
        """A line through (x, y) points with a head at the last."""
        (x0, y0), (x1, y1) = points[-2:]
        length = np.hypot(x1 - x0, y1 - y0)
        if length < 1:
            return
        along = np.array([x1 - x0, y1 - y0]) / length
        across, tip = np.array([-along[1], along[0]]), np.array([x1, y1])
        foot = tip - min(4 + 2.5 * width, length) * along
        self.line([*points[:-1], foot], colour, width, dashed)
        wing = (2 + 1.3 * width) * across
        self.polygon([tip, foot + wing, foot - wing], colour, colour)

    def box(self, x, y, width, height, fill="white", edge=INK, line=1.5, dashed=False):
        """A rectangle."""
        self._pieces.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="2" fill="{fill}"'
            f' stroke="{edge}" stroke-width="{line}"{_dashes(dashed)}/>'
        )

    def dot(self, x, y, radius, colour):
        """A filled circle."""
        self._pieces.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{colour}"/>')

    def polygon(self, points, fill="none", edge=INK):
        """A closed line through (x, y) points."""
        self._pieces.append(f'<polygon points="{_points(points)}" fill="{fill}" stroke="{edge}"/>')

    def bars(self, x, y, width, names, values, colour, reach, row=30, marked=()):
        """Horizontal bars with their names before and their numbers behind them.

        Parameters
        ----------
        x, y : float
            The upper left corner, where the names begin.
        width : float
            Of everything together.
        names : list of str
        values : (K,) float
        colour : str
        reach : float
            The number that fills the width.
        row : float
            The height of a bar with its distance.
        marked : collection of int
            The bars with a thick edge and a bold number.
        """
        values = np.asarray(values, dtype=float)
        margin, digits = 12 + 9 * max(map(len, names), default=0), 52  # the room for names, and for numbers
        lowest = -reach if values.min(initial=0) < 0 else 0.0
        left = x + margin + (digits if lowest < 0 else 0)
        scale = (width - margin - digits * (2 if lowest < 0 else 1)) / (reach - lowest)
        zero = left - lowest * scale
        for k, (name, value) in enumerate(zip(names, values)):
            top, drawn = y + k * row, np.clip(value, lowest, reach) if np.isfinite(value) else 0.0
            long = abs(drawn) * scale
            self.text(x, top + row / 2 + 5, name)
            edge = (INK, 3) if k in marked else (colour, 1)
            self.box(zero - (long if drawn < 0 else 0), top + 3, max(long, 0.5), row - 7, colour, *edge)
            end = zero + long + 6 if drawn >= 0 else zero - long - 6
            self.text(end, top + row / 2 + 5, number(value), 14, INK, "start" if drawn >= 0 else "end",
                      bold=k in marked)  # fmt: skip
        self.line([(zero, y), (zero, y + len(values) * row - 2)], QUIET, 1)

    def cells(self, x, y, array, size, colour, rows=(), columns=(), marked_rows=(), marked_columns=()):
        """A matrix as coloured cells, with words as ticks.

        Parameters
        ----------
        x, y : float
            The upper left corner of the first cell.
        array : (R, C) float
        size : (float, float)
            Width and height of a cell.
        colour : function
            From a number to a colour: `weight_colour` or `signed_colour`.
        rows : list of str
            Written before each row.
        columns : list of str
            Written below each column.
        marked_rows, marked_columns : collections of int
            Framed, their words bold.
        """
        array = np.asarray(array, dtype=float)
        (height, breadth), (wide, high) = array.shape, size
        for r, row in enumerate(array.tolist()):  # Python's own numbers are faster, one by one
            for c, value in enumerate(row):
                self._pieces.append(
                    f'<rect x="{x + c * wide:.1f}" y="{y + r * high:.1f}" width="{wide + 0.3:.1f}"'
                    f' height="{high + 0.3:.1f}" fill="{colour(value)}"/>'
                )
        for r, word in enumerate(rows):
            middle = y + (r + 0.5) * high + 5
            self.text(x - 6, middle, visible(word), 14, anchor="end", bold=r in marked_rows)
        for c, word in enumerate(columns):
            middle = x + (c + 0.5) * wide
            self.text(middle, y + height * high + 16, visible(word), 14, anchor="middle", bold=c in marked_columns)
        for r in marked_rows:
            self.box(x, y + r * high, breadth * wide, high, "none", INK, 2.5)
        for c in marked_columns:
            self.box(x + c * wide, y, wide, height * high, "none", INK, 2.5)

    def scale(self, x, y, width, colour, lowest, highest, label):
        """The bar that says which colour is which number, with its label below."""
        for k in range(40):
            value = lowest + (k + 0.5) / 40 * (highest - lowest)
            self._pieces.append(
                f'<rect x="{x + k * width / 40:.1f}" y="{y:.1f}" width="{width / 40 + 0.3:.1f}" height="10"'
                f' fill="{colour(value)}"/>'
            )
        self.text(x, y + 25, f"{lowest:g}".replace("-", "−"), 14)
        self.text(x + width, y + 25, f"{highest:g}", 14, anchor="end")
        self.text(x + width / 2, y + 25, label, 14, anchor="middle")


class Plane:
    """A square piece of a canvas with its origin in the middle, for vectors of two numbers.

    Parameters
    ----------
    canvas : Canvas
    x, y : float
        Its upper left corner.
    side : float
    reach : float
        The largest number that fits into it.
    """

    def __init__(self, canvas, x, y, side, reach):
        self._canvas, self._reach = canvas, reach
        self._middle, self._unit = np.array([x + side / 2, y + side / 2]), side / 2 / reach
        self._names = Names(canvas, x, y, side, side)
        canvas.box(x, y, side, side, "white", "#b0b0b0", 1)
        canvas.line([(x, y + side / 2), (x + side, y + side / 2)], "#d0d0d0", 1)
        canvas.line([(x + side / 2, y), (x + side / 2, y + side)], "#d0d0d0", 1)

    def place(self, vector):
        """Where a vector ends on the canvas; one that is too long ends at the edge of the reach."""
        longest = np.abs(vector).max()
        vector = np.asarray(vector, dtype=float) * min(1.0, self._reach / max(longest, 1e-9))
        return self._middle + vector * [self._unit, -self._unit]

    def arrow(self, vector, colour, width=2.5):
        """An arrow from the origin; one that is too long is dashed."""
        self._canvas.arrow([self._middle, self.place(vector)], colour, width, dashed=self._leaves(vector))
        self._names.avoid(self._middle, self.place(vector))

    def name(self, vector, name, colour=INK, size=16, bold=True):
        """The name of an arrow beyond its tip, or near it: arrows and names that are there already stay free."""
        tip, words = self.place(vector), f"{name} (longer)" if self._leaves(vector) else name
        self._names.write(words, tip, tip - self._middle, colour, size, bold)

    def line(self, vectors, colour, width=1.5, dashed=False):
        """A line through the ends of vectors."""
        places = [self.place(vector) for vector in vectors]
        self._canvas.line(places, colour, width, dashed)
        for start, end in zip(places, places[1:]):
            self._names.avoid(start, end)

    def polygon(self, vectors, fill="none", edge=QUIET):
        """A closed line through the ends of vectors."""
        self._canvas.polygon([self.place(vector) for vector in vectors], fill, edge)

    def _leaves(self, vector):
        return np.abs(vector).max() > self._reach


class Names:
    """Writes names into a piece of a canvas, each where it covers least of what is there, earlier names among it.

    Parameters
    ----------
    canvas : Canvas
    x, y, width, height : float
        The piece that no name leaves.
    """

    def __init__(self, canvas, x, y, width, height):
        self._canvas, self._there = canvas, [np.empty((0, 2))]
        self._half = np.array([width, height]) / 2
        self._middle = np.array([x, y]) + self._half

    def avoid(self, start, end):
        """Something stands from one point to another."""
        steps = 2 + int(np.hypot(*(end - start)) / 8)
        self._there.append(start + np.linspace(0, 1, steps)[:, None] * (end - start))

    def avoid_box(self, middle, half):
        """Something stands around a point, half as wide and half as high as this."""
        for height in (-half[1], 0, half[1]):
            self.avoid(middle + [-half[0], height], middle + [half[0], height])

    def write(self, name, point, away, colour=INK, size=16, bold=True):
        """A name next to a point, in the direction `away` if nothing is there."""
        half = np.array([(0.35 if bold else 0.31) * size * len(name), 0.45 * size])
        turns = np.deg2rad(np.arange(0, 360, 30))
        angles, gaps = np.tile(np.arctan2(away[1], away[0]) + turns, 3), np.repeat([15, 22, 32], len(turns))
        middles = point + np.stack([np.cos(angles), np.sin(angles)], axis=1) * (half + gaps[:, None])
        covers = np.abs(np.concatenate(self._there) - middles[:, None]) < half + 2  # (places, points, 2)
        leaves = np.abs(middles - self._middle) > self._half - half - 2
        detour = np.tile(1 - np.cos(turns), 3) + gaps / 12
        x, y = best = middles[(covers.all(axis=2).sum(axis=1) + 1000 * leaves.any(axis=1) + detour).argmin()]
        self._canvas.text(x, y + 0.35 * size, name, size, colour, "middle", bold)
        self.avoid_box(best, half)


def vector(degrees, length):
    """The vector of two numbers with this direction, counted from the right, and this length."""
    return length * np.array([np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))])


def number(value, digits=2):
    """A number as text, without a minus before a zero."""
    return f"{round(float(value), digits) + 0.0:.{digits}f}".replace("-", "−")


def weight_colour(weight):
    """The colour of an attention weight from 0 to 1."""
    return _between(_WEIGHTS, weight)


def signed_colour(value, reach=1.0):
    """The colour of a number from -reach to reach: 0 is nearly white."""
    return _between(_SIGNED, (value / reach + 1) / 2)


def _between(stops, place):
    """The colour at a place from 0 to 1 along stops at equal distances; what is no number is grey."""
    if not math.isfinite(place):
        return "#b0b0b0"
    place = min(max(place, 0.0), 1.0) * (len(stops) - 1)
    first = min(int(place), len(stops) - 2)
    mixed = (round(a + (place - first) * (b - a)) for a, b in zip(stops[first], stops[first + 1]))
    return "#" + "".join(f"{part:02x}" for part in mixed)


def _points(points):
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def _dashes(dashed):
    return ' stroke-dasharray="6 4"' if dashed else ""
