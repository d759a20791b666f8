"""Pictures of notebook 06: how the loss falls."""

import numpy as np

from utils.plots.picture import Picture


def loss_curve(losses, marks=(), title="The loss while it trains"):
    """Draw the loss of every training step.

    Parameters
    ----------
    losses : list of float
        In nats per word; the first one belongs to step 1.
    marks : list of int
        Steps that are marked and named.
    title : str

    Returns
    -------
    Picture
    """
    losses = np.asarray(losses, dtype=float)
    steps = np.arange(1, len(losses) + 1)
    marks = [step for step in marks if 1 <= step <= len(losses)]

    def draw(figure):
        axes = figure.add_subplot()
        axes.plot(steps, losses, color="0.3")
        axes.plot(marks, losses[np.array(marks, dtype=int) - 1], "o", color="0.1")
        for step in marks:
            axes.annotate(f"{losses[step - 1]:.2f}", (step, losses[step - 1]), (4, 6), textcoords="offset points")
        axes.set(xlabel="training step", ylabel="loss (nats per word)", title=title, ylim=(0, None))
        axes.margins(x=0.08)

    named = ", ".join(f"{losses[step - 1]:.2f} at step {step}" for step in marks)
    description = f"{title}: from {losses[0]:.2f} nats per word at step 1 to {losses[-1]:.2f} at step {len(losses)}" + (
        f"; {named}." if named else "."
    )
    return Picture(description, draw, size=(7, 3.2))
