"""Pictures of notebook 02: states in the plane, and their scores."""

import numpy as np

from utils.plots.picture import H_I, H_TILDE, SCORE, Picture, draw_plane


def score_plane(h_tilde, hs, e, title="Scores"):
    """Draw states in the plane as arrows, and their scores as bars.

    Parameters
    ----------
    h_tilde : (2,) float
        The provisional state.
    hs : (T, 2) float
        Encoder states.
    e : (T,) float
        Their scores.
    title : str

    Returns
    -------
    Picture

    Raises ValueError when the shapes do not fit.
    """
    h_tilde, hs, e = (np.array(x, dtype=float) for x in (h_tilde, hs, e))
    if h_tilde.shape != (2,) or hs.ndim != 2 or hs.shape[1] != 2 or e.shape != hs.shape[:1]:
        raise ValueError(
            f"score_plane: h_tilde has shape {h_tilde.shape}, hs {hs.shape} and e {e.shape},"
            " but they need (2,), (T, 2) and (T,)."
        )
    winner = int(e.argmax())

    def draw(figure):
        plane, bars = figure.subplots(1, 2, width_ratios=(1.2, 1))
        arrows = [(h, H_I, rf"$h_{{{i + 1}}}$") for i, h in enumerate(hs)] + [(h_tilde, H_TILDE, r"$\tilde{h}$")]
        draw_plane(plane, arrows)
        plane.set_title("states in the plane")

        names = [rf"$h_{{{i + 1}}}$" for i in range(len(e))]
        drawn = bars.barh(names, e, color=SCORE, hatch=["//" if i == winner else "" for i in range(len(e))])
        bars.bar_label(drawn, [f"{score:.2f}" for score in e], padding=3)
        bars.margins(x=0.25)
        bars.axvline(0, color="0.4", linewidth=1)
        bars.invert_yaxis()
        bars.set(xlabel="score e (highest hatched)", title="scores")
        figure.suptitle(title)

    scores = ", ".join(f"e_{i + 1} = {score:.2f}" for i, score in enumerate(e))
    description = (
        f"{title}: {len(e)} encoder states and h̃ as arrows in the plane; scores {scores}; h_{winner + 1} wins."
    )
    return Picture(description, draw, size=(8, 3.8))
