"""Known wrong answers of notebook 00: looking up embeddings."""

import numpy as np

from utils.checks.mistakes.register import mistake

# ---- embed: the wrong row of E


@mistake("embed", "id 0 gets zeros. Padding has a row in E like any word; what is padding, only keep says.")
def zero_is_padding(ids, E):
    return E[ids] * (ids != 0)[..., None]


@mistake("embed", "every place gets the row of its *position*, as if the first word always had the id 0. Use its id.")
def row_of_the_position(ids, E):
    return np.stack([E[np.arange(ids.shape[1]) % len(E)] for _ in ids])


@mistake("embed", "every word gets the row after its own: ids count from 0, and so do the rows of E.")
def next_row(ids, E):
    return E[(ids + 1) % len(E)]


@mistake("embed", "every word gets the row before its own: ids count from 0, and so do the rows of E.")
def row_before(ids, E):
    return E[(ids - 1) % len(E)]


@mistake(
    "embed", "zeros are written into row 0 of E. E has to stay as it is, and padding has a row in it like any word."
)
def zeros_written_into_E(ids, E):
    E[0] = 0
    return E[ids]


@mistake("embed", "ids above 127 become other words: they don't fit into one byte. Use them as they are.")
def one_byte_with_sign(ids, E):
    return E[ids.astype(np.int8)]


# ---- embed: the right rows at the wrong places


@mistake("embed", "a word that stands twice in a sentence is filled in only once. Every place gets its own row.")
def only_where_it_first_stands(ids, E):
    X = np.zeros(ids.shape + E.shape[1:])
    for n, row in enumerate(ids.tolist()):
        for word in row:
            X[n, row.index(word)] = E[word]
    return X


@mistake("embed", "all sentences get the words of the first one. Each row of ids is a sentence of its own.")
def first_sentence_for_all(ids, E):
    return E[np.repeat(ids[:1], len(ids), axis=0)]


@mistake(
    "embed", "the right rows stand at wrong places, in other sentences. Reshaping does not exchange axes: it cuts anew."
)
def sentences_mixed(ids, E):
    return E[ids.T].reshape(*ids.shape, -1)


@mistake("embed", "the D numbers of a word stand on the wrong axis. The result is (N, T, D): they come last.")
def numbers_first(ids, E):
    return E.T[:, ids]


@mistake("embed", "only some numbers of E are there, and no rows: each id has to pick a whole row of D numbers.")
def single_numbers(ids, E):
    return np.take(E, ids)


# ---- embed: the right rows, and something done to them


@mistake("embed", "each word gets V numbers, a 1 at its id and 0 elsewhere. Its row of E is missing.")
def one_hot(ids, E):
    return np.eye(len(E))[ids]


@mistake(
    "embed",
    "a matrix product does not fit, and where it does, columns of E come out. E stands transposed; it must not.",
)
def one_hot_with_E_transposed(ids, E):
    return np.eye(len(E))[ids] @ E.T


@mistake("embed", "the decimals are lost: whole numbers come out. The result needs the type of E, not that of ids.")
def array_of_whole_numbers(ids, E):
    X = np.zeros((*ids.shape, E.shape[1]), dtype=ids.dtype)
    X[...] = E[ids]
    return X


@mistake("embed", "tanh bends the embeddings. They are only looked up, and nothing is computed with them.")
def bent(ids, E):
    return np.tanh(E[ids])


@mistake("embed", "the embeddings are multiplied by the square root of D. They are only looked up.")
def times_root_of_D(ids, E):
    return E[ids] * np.sqrt(E.shape[1])


_LENGTH = "words get other lengths than their rows have. An embedding is to be copied as it is."


@mistake("embed", _LENGTH)
def length_1(ids, E):
    long = np.linalg.norm(E, axis=1, keepdims=True)
    return (E / np.where(long > 0, long, 1))[ids]


@mistake("embed", _LENGTH)
def length_1_at_most(ids, E):
    return (E / np.maximum(np.linalg.norm(E, axis=1, keepdims=True), 1))[ids]


def _rounded(digits):
    @mistake("embed", "the numbers are rounded. An embedding is to be copied as it is.")
    def rounded(ids, E):
        return np.round(E[ids] * 1.0, digits)


for _digits in range(7):
    _rounded(_digits)
