"""What all explorers share: controls, and a drawing that follows them."""

import html
import textwrap
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from utils import progress
from utils.widgets.svg import Canvas

# ipywidgets is imported only when an explorer is shown. What is used of it, 7.7.1 (Colab) and 8 have in common.
_WIDE = {"description_width": "initial"}


@dataclass(frozen=True)
class Slider:
    """A number between two others; whole numbers when the step is one."""

    label: str
    start: float
    lowest: float
    highest: float
    step: float = 1

    def widget(self, ipywidgets):
        whole = isinstance(self.step, int)
        kind = ipywidgets.IntSlider if whole else ipywidgets.FloatSlider
        return kind(
            self.start, min=self.lowest, max=self.highest, step=self.step, description=self.label, style=_WIDE,
            layout=ipywidgets.Layout(width="24em"),
        )  # fmt: skip


@dataclass(frozen=True)
class Stops:
    """One of a few numbers in their order, on a slider that shows it."""

    label: str
    start: float
    options: tuple

    def widget(self, ipywidgets):
        return ipywidgets.SelectionSlider(
            options=[(f"{option:g}", option) for option in self.options], value=self.start, description=self.label,
            style=_WIDE, layout=ipywidgets.Layout(width="24em"),
        )  # fmt: skip


@dataclass(frozen=True)
class Choice:
    """One of a few texts."""

    label: str
    start: str
    options: tuple

    def widget(self, ipywidgets):
        return ipywidgets.Dropdown(
            options=self.options, value=self.start, description=self.label, style=_WIDE,
            layout=ipywidgets.Layout(width="24em"),
        )  # fmt: skip


@dataclass(frozen=True)
class Switch:
    """On or off."""

    label: str
    start: bool

    def widget(self, ipywidgets):
        return ipywidgets.Checkbox(
            value=self.start, description=self.label, indent=False, layout=ipywidgets.Layout(width="12em")
        )


@dataclass(frozen=True)
class Entry:
    """A text to type; the drawing follows at the Enter key, or when the field is left."""

    label: str
    start: str

    def widget(self, ipywidgets):
        return ipywidgets.Text(
            value=self.start, description=self.label, continuous_update=False, style=_WIDE,
            layout=ipywidgets.Layout(width="32em"),
        )  # fmt: skip


class Explorer:
    """A drawing and the controls that move it.

    Where widgets can't run (on GitHub, in a printed page, without ipywidgets, under grading) the drawing stands alone,
    as the controls' first values make it.

    Parameters
    ----------
    draw : function
        From the controls' values, by name, to a `utils.widgets.svg.Drawing`.
    controls : dict of str to Slider, Stops, Choice, Switch or Entry
    """

    def __init__(self, draw: Callable, controls: dict):
        self._draw, self._controls = draw, controls

    def drawing(self, **values):
        """What the explorer shows for these values; the first values stand in for those not named."""
        return self._draw(**{name: control.start for name, control in self._controls.items()} | values)

    def widget(self):
        """A new widget of its own. ImportError without ipywidgets."""
        return self._widget(self._drawn())

    def _widget(self, first):
        """The widget, which begins with a drawing that is made already: a function that prints does so once."""
        import ipywidgets

        controls = {name: control.widget(ipywidgets) for name, control in self._controls.items()}
        picture = ipywidgets.HTML(shown_as_html(first))

        def redraw(change):
            picture.value = shown_as_html(self._drawn(**{name: control.value for name, control in controls.items()}))

        for control in controls.values():
            control.observe(redraw, "value")
        rows = ipywidgets.Layout(flex_flow="row wrap")
        return ipywidgets.VBox([ipywidgets.HBox([*controls.values()], layout=rows), picture])

    def __repr__(self):
        return self._drawn().description

    def _repr_mimebundle_(self, include=None, exclude=None):
        drawing = self._drawn()
        bundle = {"image/svg+xml": drawing.svg, "text/plain": drawing.description}
        if not progress.under_grading():
            try:
                view = {"version_major": 2, "version_minor": 0, "model_id": self._widget(drawing).model_id}
                bundle["application/vnd.jupyter.widget-view+json"] = view
            except ImportError:
                bundle["text/plain"] += "\n(Its controls need ipywidgets: python -m pip install ipywidgets)"
        return bundle

    def _drawn(self, **values):
        """The drawing. Whatever goes wrong is said in its place, and the controls stay."""
        try:
            return self.drawing(**values)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a learner's function can raise SystemExit too
            return sentence(f"Nothing to draw: {_said(error)}")


def shown_as_html(drawing):
    """A drawing and its words, as HTML."""
    return f'{drawing.svg}<p style="max-width:52em;line-height:1.4">{html.escape(drawing.description)}</p>'


def _said(error):
    """What an exception says; its kind where that is nothing, or goes wrong in turn."""
    try:
        return str(error).strip() or type(error).__name__
    except Exception:
        return type(error).__name__


def received(result):
    """What a learner's function gave, in whatever container, as an array of float."""
    return np.asarray(result, dtype=float)


def sentence(words):
    """A drawing that is a sentence, for when there is nothing to draw."""
    lines = textwrap.wrap(words, 85)
    canvas = Canvas(760, 24 + 24 * len(lines))
    for k, line in enumerate(lines):
        canvas.text(10, 28 + 24 * k, line)
    return canvas.drawing(words)
