"""The explorer of notebook 01: the encoder reads a text, one step at a time, and hands its last state over."""

from functools import lru_cache

import numpy as np

from utils.data import PAD
from utils.plots.picture import H_I, H_TILDE, visible
from utils.widgets.explorer import Entry, Explorer, Slider, Switch, sentence
from utils.widgets.svg import INK, QUIET, Canvas, signed_colour

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

    def word_colour(number):
        return _colour(round(float(number), 2), farthest)

    def draw(text, padding, step, carries, shown):
        text = text.lower() if model.lower else text
        if problem := _problem(text, model.source_vocabulary.characters):
            return sentence(problem)
        ids = np.pad(model.numbers(text), ((0, 0), (0, padding)), constant_values=PAD)  # (1, T)
        keep = ids != PAD if carries else np.ones(ids.shape, dtype=bool)
        X = embed(ids, p["E_source"])
        hs = encode(X, keep, p["Wx_source"], p["Wh_source"], p["b_source"])
        start = np.asarray(decoder_init(hs), dtype=float)[0]  # (H,)
        X, hs = np.asarray(X, dtype=float)[0], np.asarray(hs, dtype=float)[0]  # (T, D), (T, H)
        words, T, last = [*map(visible, text)], len(hs), len(text)
        t = min(step, T)
        before = hs[t - 2] if t > 1 else np.zeros(hs.shape[1])
        carried = not keep[0, t - 1]
        moved, away = np.linalg.norm(hs[t - 1] - before), np.linalg.norm(start - hs[last - 1])

        canvas = Canvas(800, 560)
        word = f"“{words[t - 1]}”" if t <= last else "padding"
        if carried:
            happens = f"no word stands here, so h_{t - 1} is carried on as h_{t}"
        else:
            happens = f"{word} and h_{t - 1} go in, h_{t} comes out"
        canvas.text(12, 26, f"step {t} of {T}: {happens}", 17, bold=True)
        _draw_reading(canvas, words, keep[0], hs[:, :shown], t)

        # one step
        canvas.text(12, 318, f"step {t} alone, the first {_FEW} numbers of each", 16, bold=True)
        canvas.box(12, 330, 246, 172, "white", QUIET, 1)
        _column(canvas, 24, f"h_{t - 1}", "goes in", before, _state_colour)
        if carried:
            _column(canvas, 140, f"x_{t}", "is not read")
        else:
            _column(canvas, 140, f"x_{t}", f"{word} goes in", X[t - 1], word_colour)
        canvas.arrow([(258, 416), (280, 416)])
        canvas.box(282, 396, 96, 40, "white", INK, 2, dashed=carried)
        canvas.text(330, 421, "no step" if carried else "rnn_step", 15, anchor="middle", bold=True)
        canvas.arrow([(380, 416), (406, 416)])
        _column(canvas, 410, f"h_{t}" + (" = hs[-1]" if t == T else ""), "comes out", hs[t - 1], _state_colour)
        canvas.text(410, 510, f"{moved:.2f} away from h_{t - 1}", 14)

        # the decoder
        if t == T:
            canvas.arrow([(508, 416), (596, 416)], H_TILDE, 3)
            _column(canvas, 600, "the decoder's start", "h̃_0 = hs[-1]", start, _state_colour, H_TILDE)
            canvas.text(600, 510, f"{away:.2f} away from h_{last}", 14)
        else:
            _column(canvas, 600, "the decoder's start", f"not before step {T}")
        canvas.scale(24, 526, 200, _state_colour, -1, 1, "a state")
        canvas.scale(264, 526, 200, word_colour, -farthest, farthest, "a word, x")

        description = f"Step {t} of {T}: {happens}. h_{t} is {moved:.2f} away from h_{t - 1}."
        if t == T:
            description += f" The decoder starts from it, {away:.2f} away from h_{last}, the state after the last word."
        return canvas.drawing(description)

    return Explorer(
        draw,
        {
            "text": Entry("text", "3 september 1984"),
            "step": Slider("step", 16, 1, _LONGEST + _PADDING),
            "padding": Slider("words of padding", 3, 0, _PADDING),
            "carries": Switch("padding carries", True),
            "shown": Slider("numbers shown of a state", 16, 8, 32, 8),
        },
    )


def _problem(text, characters):
    """What is wrong with a text, in one sentence; None when it can be read."""
    if not text:
        return "There is nothing to read: the text is empty."
    if len(text) > _LONGEST:
        return f"The text has {len(text)} characters; there is room for {_LONGEST}."
    if unknown := [character for character in text if character not in characters]:
        return f"The trained encoder has never seen the character {unknown[0]!r}."
    return None


@lru_cache(4096)
def _colour(number, reach):
    """A signed colour: there are up to a thousand cells, and few numbers of two digits."""
    return signed_colour(number, reach)


def _state_colour(number):
    return _colour(round(float(number), 2), 1.0)


def _draw_reading(canvas, words, keep, hs, t):
    """The words in a row, the present one framed, and below them the states so far."""
    T, last = len(hs), len(words)
    wide, high = min(40, (_RIGHT - _LEFT) / T), 128 / hs.shape[1]
    right = _LEFT + T * wide
    for name, y in (("word", 77), ("keep", 103), ("i", 257)):
        canvas.text(12, y, name)
    canvas.text(12, 172, "h_i", 15, H_I, bold=True)
    if T > last:
        canvas.text(right, 51, "padding", 14, anchor="end")
    for i in range(T):
        x, middle, now = _LEFT + i * wide, _LEFT + (i + 0.5) * wide, i == t - 1
        canvas.box(x + 1, 58, wide - 2, 28, "white", INK if now else QUIET, 3 if now else 1, dashed=i >= last)
        canvas.text(middle, 77, words[i] if i < last else "–", 15, anchor="middle", bold=now)
        canvas.text(middle, 103, int(keep[i]), 14, INK, "middle", bold=now)
        if i < t:
            canvas.cells(x + 1, 112, hs[i][:, None], (wide - 2.3, high), _state_colour)
        canvas.box(x + 1, 112, wide - 2, 128, "none", INK if now else QUIET, 3 if now else 1, dashed=i >= t)
        canvas.text(middle, 257, i + 1, 14, INK, "middle", bold=now)
    carried = [i for i in range(t) if not keep[i]]
    if carried:
        y, left, end = 268, _LEFT + (carried[0] - 0.5) * wide, _LEFT + (carried[-1] + 0.8) * wide
        canvas.arrow([(left, y - 4), (left, y), (end, y)], H_I, 2)
        canvas.text(end, y + 18, f"h_{carried[0]} is carried", 14, H_I, "end", bold=True)


def _column(canvas, x, name, below, numbers=None, colour=None, edge=QUIET):
    """A vector's first numbers one below the other, each as a colour and written out; empty without numbers."""
    canvas.text(x, 350, name, 15, bold=True)
    canvas.text(x, 370, below, 14)
    if numbers is not None:
        few = np.asarray(numbers)[:_FEW, None]
        canvas.cells(x, 380, few, (36, _ROW), colour)
        for k, number in enumerate(few[:, 0]):
            canvas.text(x + 92, 394 + k * _ROW, f"{round(number, 2) + 0.0:.2f}", 14, anchor="end")
    canvas.box(x, 380, 36, _FEW * _ROW, "none", edge, 1 if edge == QUIET else 3, dashed=numbers is None)
