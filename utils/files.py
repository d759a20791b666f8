"""Files are written whole or not at all."""

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
