"""Pictures of notebook 01: how far apart two sentences' states are."""

import numpy as np

from utils.plots.picture import H_I, Picture, labels, visible

# The first line is what the picture is about; each has a marker and a dash of its own.
STYLES = ((H_I, "o", "-"), ("0.45", "s", "--"), ("0.7", "^", ":"))


def state_distances(sentences, distances, title="How far apart are the states?"):
    """Draw how far apart the states of two sentences are, character by character.

    Parameters
    ----------
    sentences : two texts of T characters (or two lists of T words)
    distances : dict of str to (T,) float
        For at most three encoders, by name: the distance between the two states after each character.
    title : str

    Returns
    -------
    Picture

    Raises ValueError when the lengths do not fit.
    """
    words = ["/".join(dict.fromkeys(map(visible, pair))) for pair in zip(*sentences)]
    distances = {name: np.asarray(d, dtype=float) for name, d in distances.items()}
    lengths = sorted({len(sentence) for sentence in sentences} | {len(d) for d in distances.values()})
    if len(sentences) != 2 or len(lengths) != 1 or not 0 < len(distances) <= len(STYLES):
        raise ValueError(
            f"state_distances: needs two sentences and 1 to {len(STYLES)} encoders' distances, all of one length; got"
            f" {len(sentences)} sentences, {len(distances)} encoders, and lengths {', '.join(map(str, lengths))}."
        )

    def draw(figure):
        axes = figure.add_subplot()
        place = np.arange(len(words))
        for (name, d), (colour, marker, dash) in zip(distances.items(), STYLES):
            axes.plot(place, d, color=colour, marker=marker, linestyle=dash, label=f"{name}: {d[-1]:.2f} at the end")
        ticks, fonts = labels(words)
        axes.set_xticks(place, ticks, fontfamily=fonts)
        axes.set_ylim(bottom=0)
        axes.grid(axis="y", color="0.9")
        axes.set(xlabel="character read (both, where the two sentences differ)", title=title)
        axes.set_ylabel(r"distance between $h_i$ and $h'_i$")
        axes.legend()

    lines = "; ".join(
        f"{name}: {', '.join(f'{x:.1f}' for x in d)}, the last one being {d[-1]:.2f}" for name, d in distances.items()
    )
    description = f"{title} Distances between the two states after {' '.join(words)}. {lines}."
    return Picture(description, draw, size=(max(5, 0.42 * len(words) + 1.5), 3.6))
