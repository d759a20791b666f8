"""The widget of notebook 00: the reader's own attention map, clicked or typed."""

import html

import numpy as np

from utils.my_map import EXAMPLE, MapError, expect_texts, keep_map, load_my_map, looked_weights, places
from utils.plots.picture import visible
from utils.widgets.explorer import Entry, Explorer, shown_as_html
from utils.widgets.svg import INK, QUIET, Canvas, weight_colour

# Of the map: its left and upper edge, the width of a column (as wide as a button, narrower where there are many) and
# the height of a row.
_LEFT, _TOP, _WIDE, _HIGH = 50, 44, 27, 26
_LONGEST = 50


def draw_my_map(source, target):
    """Mark where you looked, by clicking or typing, and watch your attention map grow.

    It is given what `my_map` takes as a list, one character after the other. It begins with the map that was kept
    before, if there is one for these texts. Where widgets can't run, it is a drawing of the example.

    Parameters
    ----------
    source : str
        What was read: T characters, at most 50.
    target : str
        What was written: U characters.

    Returns
    -------
    Explorer

    Raises ValueError when the source is longer, MapError when a text is empty.
    """
    expect_texts(source, target)
    if len(source) > _LONGEST:
        raise ValueError(f"draw_my_map: the source has {len(source)} characters; there is room for {_LONGEST}.")
    return _MyMap(source, target)


class _MyMap(Explorer):
    """A drawing of the example where it stands alone; else a form to fill in."""

    def __init__(self, source, target):
        super().__init__(self._map, {})
        self.source, self.target, self.wide = source, target, min(_WIDE, 740 / len(source))

    def _widget(self, first):
        """A new form, with the reader's marks in place of the example."""
        return _Form(self).box

    def show(self, looked, row):
        """The drawing and its words for these marks, as HTML."""
        return shown_as_html(self._drawn(looked=looked, present=row))

    def example(self):
        """The example's marks, or none where the example is about other texts."""
        try:
            looked_weights(self.source, self.target, EXAMPLE)
        except MapError:
            return [[] for _ in self.target]
        return [_positions(places(self.source, *both)) for both in zip(EXAMPLE, self.target)]

    def _map(self, looked=None, present=None):
        title = "The example's attention map" if looked is None else "Your attention map"
        looked = self.example() if looked is None else looked
        a = looked_weights(self.source, self.target, looked)  # (U, T)
        U, T = a.shape
        wide, bottom = self.wide, _TOP + U * _HIGH
        canvas = Canvas(800, bottom + 96)
        canvas.text(_LEFT, 28, title, 17, bold=True)
        framed = [] if present is None else [present]
        canvas.cells(_LEFT, _TOP, a, (wide, _HIGH), weight_colour, self.target, self.source, marked_rows=framed)
        for top in (_TOP + row * _HIGH for row in framed):  # a black frame alone is lost on dark cells
            canvas.box(_LEFT + 2, top + 2, T * wide - 4, _HIGH - 4, "none", "white", 2)
            canvas.polygon([(14, top + 7), (26, top + 13), (14, top + 19)], INK)
        for row, positions in enumerate(looked):
            for i in positions:
                dark = a[row, i - 1] <= 0.5
                canvas.dot(_LEFT + (i - 0.5) * wide, _TOP + (row + 0.5) * _HIGH, 3.5, "white" if dark else INK)
        canvas.text(_LEFT, bottom + 42, "columns: what is read; rows: what is written; dots: looked at", 15, QUIET)
        canvas.scale(_LEFT, bottom + 56, 260, weight_colour, 0, 1, "attention weight")
        return canvas.drawing(self._words(title, looked, present))

    def _words(self, title, looked, present):
        size = f"{title}: {len(self.target)} characters written × {len(self.source)} characters of {self.source!r}."
        if present is None:
            pieces = (f"{written} → {self._spoken(positions)}" for written, positions in zip(self.target, looked))
            return f"{size} Looked at: {', '.join(pieces)}."
        positions = looked[present]
        return (
            f"{size} The framed row is character {present + 1}, {visible(self.target[present])}. Looked at:"
            f" {self._spoken(positions)}; the share of each character: {1 / (len(positions) or len(self.source)):.2f}."
        )

    def _spoken(self, positions):
        """The characters at these positions, neighbours together."""
        runs = []
        for i in positions:
            if runs and runs[-1][-1] == i - 1:
                runs[-1].append(i)
            else:
                runs.append([i])
        words = (f"“{''.join(visible(self.source[i - 1]) for i in run)}”" for run in runs)
        return " and ".join(words) or "nothing in particular"


class _Form:
    """The controls, and the marks that they make."""

    def __init__(self, explorer):
        import ipywidgets  # what is used of it, 7.7.1 (Colab) and 8 have in common

        def button(words, action):
            made = ipywidgets.Button(description=words, layout=ipywidgets.Layout(width="auto"))
            made.on_click(lambda _: action())
            return made

        self._explorer = explorer
        self._looked, self._row = _kept(explorer.source, explorer.target), 0  # positions, from 1; the present row
        self._back, self._on = button("◀ previous", lambda: self._step(-1)), button("next ▶", lambda: self._step(1))
        self._writing, self._picture = ipywidgets.HTML(), ipywidgets.HTML()
        self._said = ipywidgets.HTML(layout=ipywidgets.Layout(min_height="32px"))  # so that nothing below it moves
        self._letters = []
        for position, letter in enumerate(explorer.source, start=1):
            layout = ipywidgets.Layout(width=f"{explorer.wide}px", height="32px", padding="0px", margin="0px")
            self._letters.append(
                ipywidgets.ToggleButton(description=visible(letter), tooltip=f"character {position}", layout=layout)
            )
            self._letters[-1].observe(lambda change, position=position: self._press(position, change["new"]), "value")
        self._typed = Entry("a piece, or its number", "").widget(ipywidgets)
        self._typed.observe(lambda change: self._type(change["new"]), "value")

        keep = button("keep my map", self._keep)

        def line(*parts, **layout):
            return ipywidgets.HBox(parts, layout=ipywidgets.Layout(flex_flow="row wrap", **layout))

        self.box = ipywidgets.VBox(
            [
                line(self._back, self._on, self._writing),
                line(self._typed, button("nothing in particular", lambda: self._mark([])), keep),
                self._said,
                line(*self._letters, padding=f"0px 0px 0px {_LEFT}px"),  # above the columns
                self._picture,
            ]
        )
        self._show()

    def _step(self, by):
        said = self._said.value if self._typed.value else ""  # of a piece not found, by who typed it and went on
        self._row = min(max(self._row + by, 0), len(self._looked) - 1)
        self._show()
        self._said.value = said

    def _press(self, position, pressed):
        positions = self._looked[self._row]
        if pressed != (position in positions):  # else the button only follows the row
            self._mark(sorted({*positions} ^ {position}))

    def _type(self, piece):
        if piece == "":  # the field has been emptied
            return
        source, number = self._explorer.source, piece.strip()
        if number.lstrip("-").isdecimal() and number not in source:
            if number not in map(str, range(1, len(source) + 1)):
                return self._say(f"Numbers go from 1 to {len(source)}.")
            piece = int(number)
        try:
            found = places(source, piece, self._explorer.target[self._row], otherwise="press the one you mean")
        except MapError as error:
            self._say(str(error))
        else:
            self._mark(_positions(found))

    def _mark(self, positions):
        self._looked[self._row] = positions
        self._show()

    def _keep(self):
        self._typed.value = ""  # a piece that was refused
        source, target, marked = self._explorer.source, self._explorer.target, sum(map(bool, self._looked))
        if not marked:
            self._say("Nothing is marked yet, so nothing is kept.")
        elif self._looked == self._explorer.example():
            self._say("This is the example's map, so it is not kept.")
        else:
            said = keep_map(source, target, looked_weights(source, target, self._looked))
            self._say(f"{said} Rows with a mark: {marked} of {len(target)}.")

    def _show(self):
        """Let everything follow the marks and the present row."""
        row, target = self._row, self._explorer.target
        self._back.disabled, self._on.disabled = row == 0, row == len(target) - 1
        self._writing.value = (
            f"Writing character {row + 1} of {len(target)}:"
            f' <b style="font-size:18px">{html.escape(visible(target[row]))}</b>'
            "&ensp;Where did you look? Press it, or type it:"
        )
        for position, letter in enumerate(self._letters, start=1):
            letter.value = position in self._looked[row]
            letter.layout.border = "3px solid black" if letter.value else "1px solid #b0b0b0"
        self._typed.value = ""
        self._say("")
        self._picture.value = self._explorer.show(self._looked, row)

    def _say(self, words):
        self._said.value = html.escape(words)


def _kept(source, target):
    """The marks of the map that was kept for these texts; none where there is none."""
    kept = load_my_map()
    if kept is None or kept[:2] != (source, target):
        return [[] for _ in target]
    return [_positions(np.flatnonzero(row)) if row.max() > row.min() else [] for row in kept[2]]


def _positions(found):
    """Positions as a reader counts, from 1."""
    return [int(place) + 1 for place in found]
