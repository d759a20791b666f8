"""The explorer of notebook 02: turn and stretch h̃, lengthen a state, and watch the scores."""

import numpy as np

from utils.plots.picture import H_I, H_TILDE, SCORE
from utils.widgets.explorer import Choice, Explorer, Slider
from utils.widgets.svg import QUIET, Canvas, Plane

_STATES = ("h_1", "h_2", "h_3", "h_4")


def explore_scores(dot_score_one, additive_score_one, hs):
    """Scores of four states in the plane, for an h̃ that is turned and stretched.

    Parameters
    ----------
    dot_score_one, additive_score_one : function
        The exercises of notebook 02.
    hs : (4, 2) float
        Encoder states.

    Returns
    -------
    Explorer
    """
    hs = np.array(hs, dtype=float)

    def draw(turn, length, grows, times, score, v_1, v_2):
        h_tilde = length * np.array([np.cos(np.deg2rad(turn)), np.sin(np.deg2rad(turn))])
        states = hs.copy()
        states[_STATES.index(grows)] *= times
        if score == "dot":
            e, formula = dot_score_one(h_tilde, states), "e = h̃ᵀ h_i"
        else:
            e = additive_score_one(h_tilde, states, np.eye(2), np.eye(2), np.array([v_1, v_2]))
            formula = "e = vᵀ tanh(h̃ + h_i)   (W₁ and W₂ change nothing)"
        e = np.asarray(e, dtype=float)
        winner = int(e.argmax())

        canvas = Canvas(800, 400)
        canvas.text(20, 28, "states in the plane", 17, bold=True)
        plane = Plane(canvas, 20, 42, 340, reach=3.6)
        for name, state in zip(_STATES, states):
            plane.arrow(state, name, H_I)
        plane.arrow(h_tilde, "h̃", H_TILDE, width=4)
        canvas.text(410, 28, "scores", 17, bold=True)
        canvas.text(410, 56, formula, 15, QUIET)
        reach = max(4.0, np.abs(e).max()) if score == "dot" else 4.0
        canvas.bars(410, 76, 370, _STATES, e, SCORE, reach, row=46, marked=[winner])
        canvas.text(410, 290, f"{_STATES[winner]} wins: the highest score has the thick edge.", 15)
        if score == "additive":
            canvas.text(410, 318, f"No score can leave −{abs(v_1) + abs(v_2):.1f} to {abs(v_1) + abs(v_2):.1f}.", 15)
        scores = ", ".join(f"{name}: {value:.2f}" for name, value in zip(_STATES, e))
        return canvas.drawing(
            f"h̃ points to {turn}° and is {length:.1f} long; {grows} is {times:.1f} times as long as at first."
            f" {score.capitalize()} scores: {scores}. {_STATES[winner]} wins."
        )

    return Explorer(
        draw,
        {
            "turn": Slider("turn h̃ (degrees)", 15, -180, 180),
            "length": Slider("length of h̃", 1.0, 0.0, 3.0, 0.1),
            "grows": Choice("lengthen", "h_3", _STATES),
            "times": Slider("times", 1.0, 1.0, 8.0, 0.5),
            "score": Choice("score", "dot", ("dot", "additive")),
            "v_1": Slider("v, first number", 1.0, -2.0, 2.0, 0.1),
            "v_2": Slider("v, second number", 1.0, -2.0, 2.0, 0.1),
        },
    )
