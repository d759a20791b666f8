"""The explorer of notebook 05: move α between h̃ and c, turn and stretch both, and watch the next word."""

import numpy as np

from utils.plots.picture import CONTEXT, H_FINAL, H_TILDE, visible
from utils.widgets.explorer import Choice, Explorer, Slider, received
from utils.widgets.svg import INK, QUIET, Canvas, Plane, number, vector

_LONGEST = 3.0  # that h̃ and c can be made
_LEFT, _TOP, _SIDE = 20, 42, 390  # of the plane, in pixels
_PICKS = np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 1.0]])  # the first number of h̃, the second of c


def explore_combine(combine_weighted_sum, combine_concat, output_logits, next_word_probs, words, Wo):
    """The likeliest next words in the plane, for an h̃ and a c that are turned, stretched and combined.

    Parameters
    ----------
    combine_weighted_sum, combine_concat, output_logits, next_word_probs : function
        The exercises of notebook 05.
    words : V words
        Of more than 10 letters, the first 9 are drawn.
    Wo : (2, V) float
        A column for each word; the biases are 0.

    Returns
    -------
    Explorer

    Raises ValueError when the shapes do not fit.
    """
    words, Wo = [_short(visible(word)) for word in words], np.array(Wo, dtype=float)
    if not words or Wo.shape != (2, len(words)):
        raise ValueError(f"explore_combine: Wo has shape {Wo.shape}, but {len(words)} words need (2, {len(words)}).")

    longest_name = max(map(len, words))
    reach = max(_LONGEST, np.hypot(*Wo).max()) * _SIDE / (_SIDE - 34 - 21 * longest_name)  # with room for the names

    def draw(alpha, turn_h, turn_c, length_h, length_c, combine):
        h_tilde, c = vector(turn_h, length_h), vector(turn_c, length_c)
        mixed = received(combine_weighted_sum(h_tilde[None], c[None], alpha))[0]
        summed = combine == "weighted sum"
        h = mixed if summed else received(combine_concat(h_tilde[None], c[None], _PICKS))[0]
        logits = received(output_logits(h[None], Wo, np.zeros(len(words))))
        p = received(next_word_probs(logits))[0].round(9)  # what is equal on paper is equal here
        ranked = np.argsort(-p, kind="stable")  # of equals, the first comes first
        best = [k for k in ranked if p[k] == p.max()]
        top = ranked[:5]

        canvas = Canvas(800, 450)
        _draw_plane(canvas, reach, words, Wo, best, h_tilde, c, h, None if summed else mixed)
        formula = f"α h̃ + (1 − α) c, with α = {alpha:.2f}" if summed else "tanh([h̃ ; c] Wc)"
        result = f"({number(h[0])}, {number(h[1])}), {number(np.hypot(*h))} long"
        winner = f"{words[best[0]]} is the likeliest" if len(best) == 1 else f"{len(best)} words draw"
        canvas.text(440, 28, "the likeliest next words", 17, bold=True)
        canvas.text(440, 62, f"h^final = {formula}")
        canvas.text(440, 86, f"            = {result}")
        names = [words[k].ljust(longest_name) for k in top]  # so that the bars begin at the same place
        marked = [place for place, k in enumerate(top) if k in best]
        canvas.bars(440, 104, 340, names, p[top], "#bfbfbf", reach=1.0, row=40, marked=marked)
        rest = len(words) - len(top)
        if rest:
            canvas.text(440, 328, f"the other {rest} together: {max(0.0, 1 - p[top].sum()):.2f}", 15, QUIET)
        canvas.text(440, 362, f"{winner} (thick edge).")
        if summed:
            canvas.text(440, 390, "h^final stays on the dashed line.")
        else:
            canvas.text(440, 390, "Wc takes h̃'s first number, c's second;")
            canvas.text(440, 412, "tanh keeps h^final in the grey square.")
            canvas.text(440, 434, f"○ is the weighted sum, with α = {alpha:.2f}.")
        chances = ", ".join(f"{words[k]}: {p[k]:.2f}" for k in top)
        how = f"The weighted sum with α = {alpha:.2f}" if summed else "Concatenation"
        return canvas.drawing(
            f"h̃ points to {number(turn_h, 0)}° and is {length_h:.1f} long, c to {number(turn_c, 0)}° and is"
            f" {length_c:.1f} long. {how} makes h^final {result}. The likeliest next words: {chances}; {winner}."
        )

    return Explorer(
        draw,
        {
            "alpha": Slider("α", 0.5, 0.0, 1.0, 0.05),
            "turn_h": Slider("turn h̃ (degrees)", 0, -180, 180, 5),
            "turn_c": Slider("turn c (degrees)", 90, -180, 180, 5),
            "length_h": Slider("length of h̃", 2.0, 0.0, _LONGEST, 0.1),
            "length_c": Slider("length of c", 2.0, 0.0, _LONGEST, 0.1),
            "combine": Choice("combine by", "weighted sum", ("weighted sum", "concatenation")),
        },
    )


def _short(word):
    return word if len(word) <= 10 else f"{word[:9]}…"


def _draw_plane(canvas, reach, words, Wo, best, h_tilde, c, h, mixed):
    """The arrows of all words and states; for concatenation also the square of tanh, and the weighted sum."""
    canvas.text(_LEFT, 28, "words, h̃ and c in the plane", 17, bold=True)
    plane = Plane(canvas, _LEFT, _TOP, _SIDE, reach)
    if mixed is not None:
        plane.polygon([(1, 1), (-1, 1), (-1, -1), (1, -1)])
    for k, w in enumerate(Wo.T):
        plane.arrow(w, QUIET if k in best else "#b0b0b0", 3 if k in best else 1.5)
    plane.line([h_tilde, c], INK, 1.5, dashed=True)
    states = [(h_tilde, "h̃", H_TILDE, 9), (c, "c", CONTEXT, 5.5), (h, "h^final", H_FINAL, 2.5)]
    for state, name, colour, width in states:  # each thinner than the one below it, so that all can be seen
        plane.arrow(state, colour, width)
        if name == "h^final" or not state.any():
            canvas.dot(*plane.place(state), 6, colour)
    if mixed is not None:
        canvas.dot(*plane.place(mixed), 6, INK)
        canvas.dot(*plane.place(mixed), 4, "white")
    for k, (word, w) in enumerate(zip(words, Wo.T)):
        plane.name(w, word, INK if k in best else QUIET, 15, bold=k in best)
    for state, name, _, _ in states:
        plane.name(state, name)
