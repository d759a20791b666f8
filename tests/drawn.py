"""What tests ask of drawings: that everything is inside the canvas, and that words can be read."""

import functools
import re
from xml.etree import ElementTree

from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

_BEFORE = {"start": 0, "middle": 0.5, "end": 1}  # which share of a word stands to the left of its x


def expect_inside(svg):
    """Every piece of a drawing is a finite number of pixels, and on its canvas; words are as wide as in DejaVu Sans."""
    root = ElementTree.fromstring(svg)
    width, height = map(float, root.get("viewBox").split()[2:])
    pieces = root.findall("{*}*")
    assert len(pieces) > 1
    for piece in pieces:
        for left, top, right, bottom in _extents(piece):
            assert 0 <= left <= right <= width + 0.05 and 0 <= top <= bottom <= height + 0.05, (
                piece.attrib,
                piece.text,
            )


def unreadable(svg):
    """The words whose contrast with what stands behind them is too small for WCAG's AA: a list of (word, contrast)."""
    found, grounds = [], []  # of filled rectangles: extent and colour, the uppermost last
    for piece in ElementTree.fromstring(svg):
        if piece.tag.endswith("rect") and piece.get("fill") != "none":
            grounds += [(extent, piece.get("fill")) for extent in _extents(piece)]
        if piece.tag.endswith("text"):
            ((left, top, right, bottom),) = _extents(piece)
            x, y = (left + right) / 2, (top + bottom) / 2
            ground = [fill for (x0, y0, x1, y1), fill in grounds if x0 <= x <= x1 and y0 <= y <= y1][-1]
            there = contrast(piece.get("fill"), ground)
            if there < (3 if _large(piece) else 4.5):
                found.append((piece.text, round(there, 2)))
    return found


def contrast(colour, other):
    """WCAG's contrast ratio of two colours, from 1 to 21. A colour is "white", or as "#D55E00"."""
    dark, light = sorted(map(_luminance, (colour, other)))
    return (light + 0.05) / (dark + 0.05)


def _extents(piece):
    """Left, top, right and bottom of a piece, or of each of its points."""
    if points := piece.get("points"):
        return [(x, y, x, y) for x, y in (map(_number, point.split(",")) for point in points.split())]
    if piece.tag.endswith("circle"):
        x, y, radius = (_number(piece.get(name)) for name in ("cx", "cy", "r"))
        return [(x - radius, y - radius, x + radius, y + radius)]
    x, y = (_number(piece.get(name, "0")) for name in "xy")
    if piece.tag.endswith("rect"):
        return [(x, y, x + _number(piece.get("width")), y + _number(piece.get("height")))]
    wide, high, low = _measured(piece.text or "", float(piece.get("font-size")), piece.get("font-weight", "normal"))
    left = x - _BEFORE[piece.get("text-anchor")] * wide
    return [(left, y - high, left + wide, y + low)]


def _number(text):
    assert re.fullmatch(r"-?\d+(\.\d+)?", text), text  # neither nan nor inf
    return float(text)


@functools.cache
def _measured(words, size, weight):
    """Width, and height above and below the line, in pixels."""
    font = FontProperties(family="DejaVu Sans", size=size, weight=weight)
    wide, high, low = text_to_path.get_text_width_height_descent(words, font, ismath=False)
    return wide, high - low, low


def _large(word):
    """Whether 3 will do: 24 px, or bold and 14 pt."""
    size = float(word.get("font-size"))
    return size >= 24 or size >= 14 * 96 / 72 and word.get("font-weight") == "bold"


def _luminance(colour):
    code = "#ffffff" if colour == "white" else colour
    parts = [part / 255 for part in bytes.fromhex(code[1:])]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear))
