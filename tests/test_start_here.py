"""Notebook 00: words become vectors."""

import numpy as np

from utils.stages import embed


def test_every_word_gets_its_own_row_wherever_it_stands():
    for seed in range(10):
        rng = np.random.RandomState(seed)
        N, T, V, D = rng.randint(1, 7, 4)
        ids, E = rng.randint(0, V, (N, T)), rng.randn(V, D)
        X = embed(ids, E)
        for n, t in np.ndindex(N, T):
            assert np.array_equal(X[n, t], E[ids[n, t]])


def test_what_happens_to_the_vectors_later_does_not_change_the_matrix():
    E = np.ones((3, 2))
    embed(np.array([[0, 2]]), E)[:] = 5
    assert (E == 1).all()
