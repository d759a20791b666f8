"""The reader's own attention map: drawn in notebook 00, kept for notebook 06.

It is kept in a file beside the learner's progress. The example that the notebook holds is drawn and not kept.
"""

import json

import numpy as np

from utils import progress
from utils.files import set_aside, whole_file
from utils.plots import attention_map

# What stands in notebook 00 until the reader edits it.
EXAMPLE = ("1984", "1984", "1984", "1984", "", "september", "september", "", "25", "25")


class MapError(ValueError):
    """Something in the list is not as it should be; a notebook shows the one sentence that says what."""

    def _render_traceback_(self):  # IPython's own hook
        return [str(self)]


def my_map(source, target, looked):
    """Draw where somebody looked while writing, and keep it.

    A row's weight is shared equally by all characters that were looked at; by all of the source where nothing was.

    Parameters
    ----------
    source : str
        What was read, T characters.
    target : str
        What was written, U characters.
    looked : list of U pieces
        For each character of the target, the piece of the source that was looked at: its text, its position (1 is
        the first character), a list of several of these, or "" for nothing.

    Returns
    -------
    utils.plots.Picture

    Raises MapError, one sentence, when a text is empty, a piece is not in the source, or the list has another length.
    """
    a = looked_weights(source, target, looked)  # (U, T)
    if tuple(looked) == EXAMPLE:
        title = "The example's attention map"
        print("This is the example's map, so it is not kept. Edit the list to make it yours, and run the cell again.")
    else:
        title = "Your attention map"
        if said := keep_map(source, target, a):
            print(said)
    picture = attention_map(a, source, target, title)
    pieces = ", ".join(f"{character} → {_spoken(piece)}" for character, piece in zip(target, looked))
    picture.description = (
        f"{title}: {len(target)} characters written × {len(source)} characters of {source!r}; looked at: {pieces}."
    )
    return picture


def looked_weights(source, target, looked):
    """The attention weights of somebody who looked there.

    Parameters
    ----------
    source, target, looked
        As `my_map` takes them.

    Returns
    -------
    (U, T) float
        Rows sum to 1.

    Raises MapError as `my_map` does.
    """
    expect_texts(source, target)
    listed = isinstance(looked, (list, tuple))
    if not listed or len(looked) != len(target):
        found = f"has {len(looked)}" if listed else f"is a {type(looked).__name__}"
        raise MapError(f"The list needs {len(target)} entries, one for each character of {target!r}, but it {found}.")
    a = np.zeros((len(target), len(source)))  # (U, T)
    for row, piece, character in zip(a, looked, target):
        row[places(source, piece, character) or slice(None)] = 1
    return a / a.sum(axis=1, keepdims=True)


def expect_texts(source, target):
    """Raises MapError when there is nothing to read, or nothing to write."""
    for text, name in ((source, "read"), (target, "written")):
        if not text:
            raise MapError(f"A map needs a text that is {name}, but this one is empty.")


def places(source, piece, character, otherwise="one of these numbers"):
    """Where a piece stands in the source.

    Parameters
    ----------
    source : str
    piece
        An entry of the list that `my_map` takes.
    character : str
        What was written meanwhile; errors name it.
    otherwise : str
        What can be given in place of a longer piece, for one that is there more than once.

    Returns
    -------
    list of int
        From 0, in order; empty when nothing was looked at.

    Raises MapError when the piece is not there, or more than once.
    """
    if isinstance(piece, (list, tuple)):
        return sorted({place for part in piece for place in places(source, part, character, otherwise)})
    if isinstance(piece, (int, np.integer)) and not isinstance(piece, bool):
        if not 1 <= piece <= len(source):
            raise MapError(
                f"At {character!r}: position {piece} is not in the text, which has {len(source)} characters."
            )
        return [int(piece) - 1]
    if not isinstance(piece, str):
        raise MapError(f"At {character!r}: a piece is a text or a position, not a {type(piece).__name__}.")
    if not piece.strip():
        return []
    text, part = _lower(source), _lower(piece)
    part = part if part in text else part.strip()
    starts = [i for i in range(len(text)) if text.startswith(part, i)]
    if not starts:
        raise MapError(f"At {character!r}: the piece {piece!r} is not in {source!r}.")
    if len(starts) > 1:
        raise MapError(
            f"At {character!r}: {piece!r} is there {len(starts)} times, at positions"
            f" {', '.join(str(i + 1) for i in starts)}; write a longer piece, or {otherwise}."
        )
    return list(range(starts[0], starts[0] + len(part)))


def keep_map(source, target, a):
    """Write the file, all or nothing. One that can't be understood is set aside, not lost.

    Parameters
    ----------
    source, target : str
    a : (U, T) float
        The reader's own weights, not the example's.

    Returns
    -------
    str
        What became of it, in a sentence or two; "" under grading, where nothing is written.
    """
    if progress.under_grading():
        return ""
    file, said = _file(), ""
    record = {"source": source, "target": target, "a": a.tolist()}
    try:
        if file.exists():
            said = _set_aside_if_broken(file)
        with whole_file(file) as part:
            part.write_text(json.dumps(record, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as error:
        return f"{said}Your map could not be kept in {file}: {error.strerror}. This cell still holds it."
    return f"{said}Your map is kept for notebook 06, in notebooks/{file.name}."


def load_my_map():
    """The map that the reader made in notebook 00.

    Returns
    -------
    (source, target, a) or None
        Two texts and the (U, T) weights; None where there is none yet, or none that can be read.
    """
    file = _file()
    if progress.under_grading() or not file.exists():
        return None
    try:
        return _read(file)
    except OSError as error:
        print(f"Your map in {file} could not be read: {error.strerror}.")
    except ValueError:
        print(f"Your map in {file} could not be understood; make it again in notebook 00, and the old file is kept.")
    return None


def _file():
    return progress.FILE.with_name("my_map.json")


def _lower(text):
    """A text in lower case, of the same length: "İ" would become two characters, so it stays."""
    return "".join(character.lower() if len(character.lower()) == 1 else character for character in text)


def _spoken(piece):
    if isinstance(piece, (list, tuple)):
        return " and ".join(map(_spoken, piece)) or "nothing in particular"
    return f"position {piece}" if not isinstance(piece, str) else piece.strip() or "nothing in particular"


def _read(file):
    """The map in a file; OSError or ValueError where there is none."""
    text = file.read_text(encoding="utf-8")
    try:
        record = json.loads(text)
        source, target, a = record["source"], record["target"], np.array(record["a"], dtype=float)
        if a.shape != (len(target), len(source)) or not np.isfinite(a).all():
            raise ValueError
        return str(source), str(target), a
    except (KeyError, TypeError, OverflowError, RecursionError):  # the last two: huge numbers, deep nesting
        raise ValueError from None


def _set_aside_if_broken(file):
    """Make room for a new map; what has to be said of that, if anything."""
    try:
        _read(file)
    except ValueError:
        return f"The map kept before could not be understood; its file is now {set_aside(file).name}.\n"
    return ""
