"""The explorer of notebook 01: the encoder reads a text, one step at a time, and hands its last state over."""

import numpy as np

from utils.data import PAD, DataError
from utils.plots.picture import H_I, H_TILDE, visible
from utils.widgets.explorer import Entry, Explorer, Slider, Switch, received
from utils.widgets.svg import INK, QUIET, Canvas, number, signed_colour

_LONGEST, _PADDING = 29, 4  # "wednesday, september 25, 1984" is the longest date of the course
_LEFT, _RIGHT = 70, 785  # of the row of words and of the states below it
_ROW, _FEW = 18, 6  # the height of a number that is written out, and how many are


def explore_states(embed, encode, decoder_init, model):
    """The states of a trained encoder, step by step, and where the decoder starts.

    Parameters
    ----------
    embed, encode, decoder_init : function
        The exercises of notebooks 00 and 01.
    model : utils.trained.TrainedModel

    Returns
    -------
    Explorer
    """
    p = model.params
    farthest = float(np.ceil(np.abs(p["E_source"]).max()))

    def word_colour(value):
        return signed_colour(value, farthest)

    def read(text, padding, carries):
        """A text's words, and for every step `keep` (T,), the word's vector (T, D) and the state (1, T, H)."""
        if len(text) > _LONGEST:
            raise DataError(f"The text has {len(text)} characters; there is room for {_LONGEST}.")
        ids = model.numbers(text)
        words = [*map(visible, model.source_vocabulary.text(ids[0]))]  # in lower case, where the model reads that
        ids = np.pad(ids, ((0, 0), (0, padding)), constant_values=PAD)  # (1, T)
        keep = ids != PAD if carries else np.ones(ids.shape, dtype=bool)
        X = received(embed(ids, p["E_source"]))  # (1, T, D)
        hs = received(encode(X, keep, p["Wx_source"], p["Wh_source"], p["b_source"]))
        return words, keep[0], X[0], hs

    def draw(text, other, padding, step, carries, shown):
        words, keep, X, hs = read(text, padding, carries)
        start = received(decoder_init(hs))[0]  # (H,)
        hs, T, last = hs[0], keep.size, len(words)
        apart = [np.linalg.norm(one - two) for one, two in zip(hs, read(other, padding, carries)[-1][0])]
        t = min(step, T)
        before, carried = hs[t - 2] if t > 1 else np.zeros(hs.shape[1]), not keep[t - 1]
        word = f"“{words[t - 1]}”" if t <= last else "padding"
        if carried:
            happens = f"no word stands here, so h_{t - 1} is carried on as h_{t}"
        else:
            happens = f"{word} and h_{t - 1} go in, h_{t} comes out"
        moved, away = (number(np.linalg.norm(far)) for far in (hs[t - 1] - before, start - hs[last - 1]))

        canvas = Canvas(800, 560)
        canvas.text(12, 26, f"step {t} of {T}: {happens}", 17, bold=True)
        _draw_reading(canvas, words, keep, hs[:, :shown], t)
        _draw_apart(canvas, other, apart, t, T)
        canvas.text(12, 318, f"step {t} alone, the first {_FEW} numbers of each", 16, bold=True)
        _draw_step(canvas, t, before, None if carried else (X[t - 1], f"{word} goes in", word_colour))
        _column(canvas, 410, f"h_{t}" + (" = hs[-1]" if t == T else ""), "comes out", hs[t - 1], signed_colour)
        canvas.text(410, 510, f"{moved} away from h_{t - 1}", 14)
        if t == T:
            canvas.arrow([(508, 416), (596, 416)], H_TILDE, 3)
            _column(canvas, 600, "the decoder's start", "h̃_0 = hs[-1]", start, signed_colour, H_TILDE)
            canvas.text(600, 510, f"{away} away from h_{last}", 14)
        else:
            _column(canvas, 600, "the decoder's start", f"not before step {T}")
        canvas.scale(24, 526, 200, signed_colour, -1, 1, "a state")
        canvas.scale(264, 526, 200, word_colour, -farthest, farthest, "a word, x")

        description = f"Step {t} of {T}: {happens}. h_{t} is {moved} away from h_{t - 1}."
        if t <= len(apart):
            description += f" It is {number(apart[t - 1])} apart from h_{t} of {other!r}."
        if t == T:
            description += f" The decoder starts from it, {away} away from h_{last}, the state after the last word."
        return canvas.drawing(description)

    return Explorer(
        draw,
        {
            "text": Entry("text", "3 september 1984"),
            "other": Entry("compare with", "8 september 1984"),
            "step": Slider("step", 16, 1, _LONGEST + _PADDING),
            "padding": Slider("words of padding", 3, 0, _PADDING),
            "carries": Switch("padding carries", True),
            "shown": Slider("numbers shown of a state", 16, 8, 32, 8),
        },
    )


def _draw_reading(canvas, words, keep, hs, t):
    """The words in a row, the present one framed, and below them the states so far."""
    T, last = len(hs), len(words)
    wide, high = _wide(T), 104 / hs.shape[1]
    right = _LEFT + T * wide
    for name, y in (("word", 77), ("keep", 103), ("i", 233)):
        canvas.text(12, y, name)
    canvas.text(12, 160, "h_i", 15, H_I, bold=True)
    if T > last:
        canvas.text(right, 51, "padding", 14, anchor="end")
    for i in range(T):
        x, middle, now = _LEFT + i * wide, _LEFT + (i + 0.5) * wide, i == t - 1
        canvas.box(x + 1, 58, wide - 2, 28, "white", INK if now else QUIET, 3 if now else 1, dashed=i >= last)
        canvas.text(middle, 77, words[i] if i < last else "–", 15, anchor="middle", bold=now)
        canvas.text(middle, 103, int(keep[i]), 14, INK, "middle", bold=now)
        if i < t:
            canvas.cells(x + 1, 112, hs[i][:, None], (wide - 2.3, high), signed_colour)
        canvas.box(x + 1, 112, wide - 2, 104, "none", INK if now else QUIET, 3 if now else 1, dashed=i >= t)
        canvas.text(middle, 233, i + 1, 14, INK, "middle", bold=now)
    carried = [i for i in range(t) if not keep[i]]
    if carried:
        y, left, end = 268, _LEFT + (carried[0] - 0.5) * wide, _LEFT + (carried[-1] + 0.8) * wide
        canvas.arrow([(left, y - 4), (left, y), (end, y)], H_I, 2)
        canvas.text(end, y + 18, f"h_{carried[0]} is carried", 14, H_I, "end", bold=True)


def _draw_apart(canvas, other, apart, t, T):
    """How far each state so far is from the other text's in the same column, where there is one."""
    wide = _wide(T)
    every = 1 if wide > 34 else 2  # the columns that a number is as wide as
    canvas.text(12, 257, "apart")
    canvas.text(_LEFT, 51, f"apart: distance to the state of “{other}”", 14, QUIET)
    for i in range(min(t, len(apart)) - 1, -1, -every):
        written = number(apart[i], 2 if apart[i] < 9.995 else 1)
        canvas.text(_LEFT + (i + 0.5) * wide, 257, written, 14, anchor="middle", bold=i == t - 1)


def _wide(T):
    """The width of each of T columns."""
    return min(40, (_RIGHT - _LEFT) / T)


def _draw_step(canvas, t, before, reads):
    """What goes into step t, and the step; `reads` is None where padding is carried, else _column's last arguments."""
    canvas.box(12, 330, 246, 172, "white", QUIET, 1)
    _column(canvas, 24, f"h_{t - 1}", "goes in", before, signed_colour)
    if reads is None:
        _column(canvas, 140, f"x_{t}", "is not read")
    else:
        x, below, colour = reads
        _column(canvas, 140, f"x_{t}", below, x, colour)
    canvas.arrow([(258, 416), (280, 416)])
    canvas.box(282, 396, 96, 40, "white", INK, 2, dashed=reads is None)
    canvas.text(330, 421, "no step" if reads is None else "rnn_step", 15, anchor="middle", bold=True)
    canvas.arrow([(380, 416), (406, 416)])


def _column(canvas, x, name, below, numbers=None, colour=None, edge=QUIET):
    """A vector's first numbers one below the other, each as a colour and written out; empty without numbers."""
    canvas.text(x, 350, name, 15, bold=True)
    canvas.text(x, 370, below, 14)
    if numbers is not None:
        few = np.asarray(numbers)[:_FEW, None]
        canvas.cells(x, 380, few, (36, _ROW), colour)
        for k, value in enumerate(few[:, 0]):
            canvas.text(x + 92, 394 + k * _ROW, number(value), 14, anchor="end")
    canvas.box(x, 380, 36, _FEW * _ROW, "none", edge, 1 if edge == QUIET else 3, dashed=numbers is None)
