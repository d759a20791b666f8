"""A picture: drawn when it is shown, and readable in words. Matplotlib is imported only then."""

import io
from pathlib import Path

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
