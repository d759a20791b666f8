"""Notebook 00: words become vectors."""

from utils.shapes import checks_shapes


@checks_shapes
def embed(ids, E):
    """Look up the vector of every word.

    X_{n,t} = E[ids_{n,t}]

    Parameters
    ----------
    ids : (N, T) int
        Word numbers, each from 0 to V - 1.
    E : (V, D) float
        The embedding matrix: one row per word of the vocabulary.

    Returns
    -------
    (N, T, D) float

    Source: Bengio, Ducharme, Vincent and Jauvin (2003), section 2.
    """
    return E[ids]
