"""The explorer of notebook 04: share out the weights, move a state, and watch c inside the hull."""

import numpy as np

from utils.plots.context import hull
from utils.plots.picture import CONTEXT, H_I, WEIGHT, dark
from utils.widgets.explorer import Choice, Explorer, Slider, received
from utils.widgets.svg import INK, QUIET, Canvas, Names, number

# The example of the notebook's first section; its weights are the shares 1, 2 and 4 out of 7.
_STATES = ("h_1", "h_2", "h_3")
_HS = np.array([[0.0, 7.0], [1.0, 0.0], [2.0, 7.0]])
_FURTHEST = 3
# The piece of the plane that is drawn: every state, moved as far as it goes, with its name.
_LEFT, _TOP, _WIDTH, _HEIGHT = 30, 42, 364, 430
_LOWEST, _HIGHEST = _HS.min(axis=0) - _FURTHEST - [0.8, 1.2], _HS.max(axis=0) + _FURTHEST + [0.8, 1.2]
_UNIT = np.array([_WIDTH, -_HEIGHT]) / (_HIGHEST - _LOWEST)
_RIGHT = 410  # where words and numbers begin


def explore_context(context_one):
    """The context vector of three states in the plane, for weights that are shared out and a state that is moved.

    Parameters
    ----------
    context_one : function
        The exercise of notebook 04.

    Returns
    -------
    Explorer
    """

    def draw(share_1, share_2, share_3, moves, right, up):
        shares, by = np.array([share_1, share_2, share_3], dtype=float), np.array([right, up], dtype=float)
        total, k = shares.sum(), _STATES.index(moves)
        a = shares / max(total, 1.0)  # all 0: they stay 0
        hs = _HS.copy()
        hs[k] += by
        c, before = (received(context_one(a, states)) for states in (hs, _HS))

        canvas = Canvas(800, 500)
        canvas.text(_LEFT, 28, "the states, their hull, and c", 17, bold=True)
        _draw_plane(canvas, a, hs, c, before, k)
        canvas.text(_RIGHT, 28, "weights", 17, bold=True)
        rule = (
            f"a_i = its share / {total:g}, so together they are 1" if total else "every share is 0, so every a_i is 0"
        )
        canvas.text(_RIGHT, 54, rule, 15, QUIET)
        canvas.bars(_RIGHT, 66, 370, ["a_1", "a_2", "a_3"], a, WEIGHT, 1.0, row=34)
        _draw_sum(canvas, a, hs, c)
        where, ring = _where(a), f"The ring marks {moves}, the state that you move."
        canvas.text(_RIGHT, 364, where)
        if by.any():
            moved = f"{moves} moved by {_pair(by, _short)},"
            canvas.text(_RIGHT, 410, moved)
            canvas.text(_RIGHT, 436, f"so c moved by {number(a[k])} · {_pair(by, _short)} = {_pair(c - before)}.")
            canvas.text(_RIGHT, 462, "Hollow: where both were.", 15, QUIET)
            ring = f"{moved} so c moved by {_pair(c - before)}."
        else:
            canvas.text(_RIGHT, 410, ring)
        weights = ", ".join(map(number, a))
        return canvas.drawing(f"The weights {weights} give c = {_pair(c)}. {where} {ring}")

    return Explorer(
        draw,
        {
            "share_1": Slider("share of h_1", 1, 0, 10),
            "share_2": Slider("share of h_2", 2, 0, 10),
            "share_3": Slider("share of h_3", 4, 0, 10),
            "moves": Choice("move", "h_3", _STATES),
            "right": Slider("to the right", 0.0, -_FURTHEST, _FURTHEST, 0.5),
            "up": Slider("up", 0.0, -_FURTHEST, _FURTHEST, 0.5),
        },
    )


def _draw_plane(canvas, a, hs, c, before, k):
    """The states with their hull, the parts of c tip to tail, and hollow what state k and c were before."""
    canvas.box(_LEFT, _TOP, _WIDTH, _HEIGHT, "white", "#b0b0b0", 1)
    for x in (-2, 0, 2, 4):
        canvas.text(_place([x, 0])[0], _TOP + _HEIGHT + 17, number(x, 0), 14, QUIET, "middle")
    for y in (0, 5, 10):
        canvas.text(_LEFT - 5, _place([0, y])[1] + 5, y, 14, QUIET, "end")
    origin, states, old = _place([0, 0]), _place(hs), _place(_HS[k])
    moved = (hs[k] != _HS[k]).any()
    canvas.line([(_LEFT, origin[1]), (_LEFT + _WIDTH, origin[1])], "#d0d0d0", 1)
    canvas.line([(origin[0], _TOP), (origin[0], _TOP + _HEIGHT)], "#d0d0d0", 1)
    corners = _place(hull(hs))
    canvas.polygon(corners, "#e6f1f8", H_I)
    for state in states:
        canvas.line([origin, state], H_I, 1, dashed=True)

    tips = _place(np.vstack([[0, 0], np.cumsum(a[:, None] * hs, axis=0)]))
    for start, end in zip(tips, tips[1:]):
        _draw_part(canvas, start, end)
    if moved:
        canvas.arrow([old, old + (states[k] - old) * (1 - 11 / np.hypot(*(states[k] - old)))], QUIET, 1.5, dashed=True)
    canvas.dot(*states[k], 11, INK)
    canvas.dot(*states[k], 9, "white")
    for state in states:
        canvas.dot(*state, 6, H_I)
    if moved:
        canvas.dot(*old, 6, H_I)
        canvas.dot(*old, 4, "white")
        canvas.polygon(_diamond(_place(before)), "white", INK)
    canvas.polygon(_diamond(_place(c)), CONTEXT, INK)

    names = Names(canvas, _LEFT, _TOP, _WIDTH, _HEIGHT)
    for start, end in [*zip(tips, tips[1:]), *zip(corners, np.roll(corners, 1, axis=0)), (old, states[k])]:
        names.avoid(start, end)
    for state in states:
        names.avoid(origin, state)
    for point in (*states, old, _place(c), _place(before)):
        names.avoid_box(point, (9, 9))
    for name, state in zip(_STATES, states):
        names.write(name, state, state - states.mean(axis=0), dark(H_I))
    names.write("c", _place(c), [1, 1])
    for i, (start, end) in enumerate(zip(tips, tips[1:])):
        if np.hypot(*(end - start)) > 8:
            names.write(f"a_{i + 1} {_STATES[i]}", (start + end) / 2, [-1, 0], size=14, bold=False)


def _draw_part(canvas, start, end):
    """A part of c: an arrow with a dark edge."""
    length = np.hypot(*(end - start))
    if length < 1:
        return
    along = (end - start) / length
    foot, wing = end - min(13, length) * along, 7 * np.array([-along[1], along[0]])
    canvas.line([start, foot], INK, 5)
    canvas.line([start, foot], CONTEXT, 3)
    canvas.polygon([end, foot + wing, foot - wing], CONTEXT, INK)


def _draw_sum(canvas, a, hs, c):
    """The sum, written out like one on paper."""
    canvas.text(_RIGHT, 204, "the sum, laid tip to tail from (0, 0)", 17, bold=True)
    for i, (weight, state) in enumerate(zip(a, hs)):
        y = 234 + 28 * i
        if i:
            canvas.text(_RIGHT, y, "+")
        canvas.text(_RIGHT + 17, y, f"a_{i + 1} {_STATES[i]}")
        canvas.text(_RIGHT + 80, y, f"= {number(weight)} · {_pair(state, _short)}")
        canvas.text(_RIGHT + 234, y, f"= {_pair(weight * state)}")
    canvas.line([(_RIGHT, 302), (_RIGHT + 380, 302)])
    canvas.text(_RIGHT + 17, 326, "c", bold=True)
    canvas.text(_RIGHT + 234, 326, f"= {_pair(c)}", bold=True)


def _where(a):
    """Where c must be for these weights, in words."""
    heard = [name for name, weight in zip(_STATES, a) if weight > 0]
    return (
        "Nothing is taken, so c is (0, 0).",
        f"c is {' '.join(heard)} itself.",
        f"c lies on the line between {' and '.join(heard)}.",
        "c lies inside the hull.",
    )[len(heard)]


def _place(vectors):
    """Where vectors end on the canvas."""
    return np.array([_LEFT, _TOP + _HEIGHT]) + (np.asarray(vectors) - _LOWEST) * _UNIT


def _diamond(point):
    return [point + step for step in ([0, -8], [8, 0], [0, 8], [-8, 0])]


def _pair(vector, written=number):
    """A vector of two numbers in brackets."""
    x, y = map(written, vector)
    return f"({x}, {y})"


def _short(value):
    """A multiple of 0.5, as short as it can be written."""
    return number(value, 1).removesuffix(".0")
