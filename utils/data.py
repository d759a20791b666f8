"""Sequences of characters as arrays: splitting, reading, numbering and padding them."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

PAD, BOS, EOS = 0, 1, 2
"""The numbers of the three words that are not characters: padding, begin and end of a sentence."""

SPLITS = ("train", "validation", "test")


class DataError(ValueError):
    """Something is wrong with a text or a file of pairs; the message says what and where."""


def hashed(text):
    """A large number made from a text, the same on every machine and in every version."""
    return int.from_bytes(hashlib.sha256(text.encode("utf-8")).digest()[:8], "big")


def split_of(key):
    """The split that everything with this key belongs to: of ten keys about eight train, one validates, one tests."""
    return {0: "test", 1: "validation"}.get(hashed(key) % 10, "train")


def split_pairs(pairs, key):
    """Sort (source, target) pairs into splits, so that no key stands in two of them.

    Parameters
    ----------
    pairs : iterable of (str, str)
    key : function
        ``key(source, target)`` gives the text whose hash decides.

    Returns
    -------
    dict of str to list of (str, str)
    """
    splits = {name: [] for name in SPLITS}
    for source, target in pairs:
        splits[split_of(key(source, target))].append((source, target))
    return splits


def read_pairs(path):
    """Read one's own sequence task: UTF-8, one pair a line, source TAB target.

    Returns
    -------
    dict of str to list of (str, str)
        Split by source: a source that stands in the file twice is in one split only.

    Raises
    ------
    DataError
        Names the file and, where there is one, the line.
    """
    path = Path(path)
    try:
        content = path.read_bytes()
        text = content.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise DataError(f"{path}, line {line}: not UTF-8 text. Save the file as UTF-8.") from None
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror}).") from None
    pairs = []
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), start=1):
        if not line.strip(" "):
            continue
        parts = line.split("\t")
        if len(parts) != 2 or not parts[0] or not parts[1] or "\0" in line:
            raise DataError(f"{path}, line {number}: needs a source, one TAB and a target; found {line[:60]!r}.")
        pairs.append((parts[0], parts[1]))
    splits = split_pairs(pairs, key=lambda source, target: source)
    empty = [name for name in SPLITS if not splits[name]]
    if empty:
        raise DataError(
            f"{path}: {len(pairs)} pairs are too few: split by source, none is left for {' and '.join(empty)}."
        )
    return splits


@dataclass(frozen=True)
class Vocabulary:
    """The characters of one side of a task, numbered.

    Attributes
    ----------
    characters : str
        All characters, sorted; character k has number first + k.
    first : int
        The number of the first character.
    """

    characters: str
    first: int

    @classmethod
    def of(cls, texts, first):
        return cls("".join(sorted(set().union(*texts))), first)

    def __len__(self):
        return self.first + len(self.characters)

    def numbers(self, texts):
        """The numbers of all characters.

        Parameters
        ----------
        texts : list of N str

        Returns
        -------
        (N, longest) int
            Padded on the right with PAD.

        Raises DataError at a character that this vocabulary does not have.
        """
        for text in texts:
            if unknown := set(text).difference(self.characters):
                raise DataError(f"The character {min(unknown)!r} in {text!r} does not occur in the training data.")
        codes = np.array(texts).view(np.uint32).reshape(len(texts), -1)  # NumPy pads texts with code 0
        known = np.array([0, *map(ord, self.characters)], dtype=np.uint32)
        place = np.searchsorted(known, codes)
        return np.where(codes == 0, PAD, place - 1 + self.first)

    def text(self, ids):
        """Numbers back to text, without what is not a character, an str."""
        return "".join(self.characters[i - self.first] for i in ids if i >= self.first)


@dataclass(frozen=True)
class Task:
    """A sequence task: its two vocabularies and, for each split, its pairs as texts and as arrays.

    Attributes
    ----------
    source_vocabulary, target_vocabulary : Vocabulary
    texts : dict of str to list of (str, str)
    sources : dict of str to (N, T) int
    targets : dict of str to (N, U) int
        Every row ends with EOS before its padding.
    """

    source_vocabulary: Vocabulary
    target_vocabulary: Vocabulary
    texts: dict
    sources: dict
    targets: dict

    @classmethod
    def of(cls, splits):
        """Number the pairs of all splits; the vocabularies come from the training split alone.

        A pair of another split with a character that training has not seen is left out of it.
        """
        source_vocabulary = Vocabulary.of((source for source, _ in splits["train"]), first=PAD + 1)
        target_vocabulary = Vocabulary.of((target for _, target in splits["train"]), first=EOS + 1)
        sources_seen, targets_seen = set(source_vocabulary.characters), set(target_vocabulary.characters)
        texts, sources, targets = {}, {}, {}
        for name, pairs in splits.items():
            texts[name] = [
                pair for pair in pairs if sources_seen.issuperset(pair[0]) and targets_seen.issuperset(pair[1])
            ]
            if not texts[name]:
                source, target = pairs[0]
                new = min({*source} - sources_seen or {*target} - targets_seen)
                raise DataError(
                    f"Every pair of the {name} split has a character that no training pair has,"
                    f" such as {new!r} in {source!r} TAB {target!r}."
                )
            sources[name] = source_vocabulary.numbers([source for source, _ in texts[name]])
            targets[name] = ended(target_vocabulary.numbers([target for _, target in texts[name]]))
        return cls(source_vocabulary, target_vocabulary, texts, sources, targets)


def ended(ids):
    """Put EOS after the last real word of every row: (N, U) int to (N, U + 1) int."""
    ids = np.pad(ids, ((0, 0), (0, 1)), constant_values=PAD)
    ids[np.arange(len(ids)), (ids != PAD).sum(axis=1)] = EOS
    return ids
