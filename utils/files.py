"""Files are written whole or not at all, and one that cannot be understood is kept."""

import contextlib
import os
from pathlib import Path


@contextlib.contextmanager
def whole_file(path):
    """Give a path to write to; the file takes its new content only when all of it is written.

    An exception leaves the old file as it was, and nothing beside it.
    """
    path = Path(path)
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        yield part
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def set_aside(path):
    """Give a broken file another name, so that it is not lost when a new one is written; returns where it is now."""
    number = 1
    while (aside := path.with_name(f"{path.stem}.broken-{number}{path.suffix}")).exists():
        number += 1
    return path.replace(aside)
