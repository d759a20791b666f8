"""The explorer of notebook 05: move α between h̃ and c, turn and stretch both, and watch the next word."""

import numpy as np

from utils.plots.picture import CONTEXT, H_FINAL, H_TILDE, visible
from utils.widgets.explorer import Choice, Explorer, Slider
from utils.widgets.svg import INK, QUIET, Canvas, Plane

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
    Wo : (2, V) float
        A column for each word; the biases are 0.

    Returns
    -------
    Explorer

    Raises ValueError when the shapes do not fit.
    """
    words, Wo = [visible(word)[:10] for word in words], np.array(Wo, dtype=float)
    if not words or Wo.shape != (2, len(words)):
        raise ValueError(f"explore_combine: Wo has shape {Wo.shape}, but {len(words)} words need (2, {len(words)}).")

    longest_name = max(map(len, words))
    reach = max(_LONGEST, np.hypot(*Wo).max()) * _SIDE / (_SIDE - 24 - 20 * longest_name)  # with room for the names

    def draw(alpha, turn_h, turn_c, length_h, length_c, combine):
        h_tilde, c = _vector(turn_h, length_h), _vector(turn_c, length_c)
        mixed = np.asarray(combine_weighted_sum(h_tilde[None], c[None], alpha), dtype=float)[0]
        summed = combine == "weighted sum"
        h = mixed if summed else np.asarray(combine_concat(h_tilde[None], c[None], _PICKS), dtype=float)[0]
        p = np.asarray(next_word_probs(output_logits(h[None], Wo, np.zeros(len(words)))), dtype=float)[0]
        p = p.round(9)  # what draws on paper draws here
        ranked = np.argsort(-p, kind="stable")  # of equals, the first comes first
        best = [k for k in ranked if p[k] == p.max()]
        top = ranked[:5]

        canvas = Canvas(800, 450)
        _draw_plane(canvas, reach, words, Wo, best, h_tilde, c, h, None if summed else mixed)
        formula = f"α h̃ + (1 − α) c, with α = {alpha:.2f}" if summed else "tanh([h̃ ; c] Wc)"
        result = f"({_number(h[0])}, {_number(h[1])}), {np.hypot(*h):.2f} long"
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
            f"h̃ points to {_number(turn_h, 0)}° and is {length_h:.1f} long, c to {_number(turn_c, 0)}° and is"
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


def _vector(turn, length):
    return length * np.array([np.cos(np.deg2rad(turn)), np.sin(np.deg2rad(turn))])


def _number(value, digits=2):
    """A number as text, without a minus before a zero."""
    return f"{round(value, digits) + 0.0:.{digits}f}".replace("-", "−")


def _draw_plane(canvas, reach, words, Wo, best, h_tilde, c, h, mixed):
    """The arrows of all words and states; for concatenation also the square of tanh, and the weighted sum."""
    canvas.text(_LEFT, 28, "words, h̃ and c in the plane", 17, bold=True)
    plane = Plane(canvas, _LEFT, _TOP, _SIDE, reach)
    if mixed is not None:
        plane.polygon([(1, 1), (-1, 1), (-1, -1), (1, -1)])
    taken = [_word(canvas, plane, word, w, k in best) for k, (word, w) in enumerate(zip(words, Wo.T))]
    plane.line([h_tilde, c], INK, 1.5, dashed=True)
    states = [(h_tilde, "h̃", H_TILDE, 9), (c, "c", CONTEXT, 5.5), (h, "h^final", H_FINAL, 2.5)]
    for state, name, colour, width in states:  # each thinner than the one below it, so that all can be seen
        plane.arrow(state, "", colour, width)
        if name == "h^final" or not state.any():
            canvas.dot(*plane.place(state), 6, colour)
    if mixed is not None:
        canvas.dot(*plane.place(mixed), 6, INK)
        canvas.dot(*plane.place(mixed), 4, "white")
    middle = plane.place(np.zeros(2))
    for vector, wide in [*((w, 6) for w in Wo.T), (h_tilde, 12), (c, 9), (h, 7)]:
        along = np.linspace(middle, plane.place(vector), 9).tolist()
        taken += [(x, y, wide, wide, 1) for x, y in along]
    for state, name, _, _ in states:
        taken.append(_name(canvas, name, plane.place(state), middle, taken))


# What is taken is a list of boxes: middle x and y, half of width and height, and how bad it is to cover them.


def _word(canvas, plane, word, vector, best):
    """Draw a word's arrow with its name beyond it; gives the name's box."""
    plane.arrow(vector, "", QUIET if best else "#b0b0b0", 3 if best else 1.5)
    along = vector / max(np.hypot(*vector), 1e-9)
    x, y = plane.place(vector) + along * [8, -14]
    side = 0 if abs(along[0]) < 0.3 else int(np.sign(along[0]))
    canvas.text(x, y + 5, word, 15, INK if best else QUIET, {0: "middle", 1: "start", -1: "end"}[side], bold=best)
    half = 5 * len(word)
    return x + side * half, y, half, 9, 10


def _name(canvas, name, tip, middle, taken):
    """Draw a state's name near its tip, inside the plane, where it covers least of what is taken; gives its box."""
    half = np.array([5.5 * len(name.replace("h̃", "h")), 9])
    turns = np.deg2rad([0, 30, -30, 60, -60, 90, -90, 120, -120, 150, -150, 180])
    turns = turns + np.arctan2(tip[1] - middle[1], tip[0] - middle[0])  # straight on first
    ring = np.stack([(half[0] + 10) * np.cos(turns), 20 * np.sin(turns)], axis=1)
    places = tip + np.concatenate([ring, 1.5 * ring, 2 * ring])
    x, y, wide, high, bad = np.array(taken).T
    near = (np.abs(places[:, :1] - x) < half[0] + wide) & (np.abs(places[:, 1:] - y) < half[1] + high)
    outside = np.abs(places - [_LEFT + _SIDE / 2, _TOP + _SIDE / 2]) > _SIDE / 2 - half
    x, y = places[(near @ bad + 100 * outside.any(axis=1)).argmin()]
    canvas.text(x, y + 5, name, 16, INK, "middle", bold=True)
    return x, y, *half, 10
