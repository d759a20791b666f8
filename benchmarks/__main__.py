"""One table of how fast the course is: `make bench`, or some parts of it, `make bench ARGS="step growth"`."""

import argparse
import importlib
import os

os.environ["OMP_NUM_THREADS"] = "1"  # before NumPy and PyTorch are imported: one thread for all of them

from benchmarks.table import HEAD

PARTS = ("step", "accuracy", "growth", "own", "start", "checks", "redraw")


def main(arguments=None):
    """Measure the parts, and print a row as soon as it is known."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="part", help=f"all, unless some are named: {', '.join(PARTS)}")
    parts = parser.parse_args(arguments).parts or PARTS
    for part in parts:
        if part not in PARTS:  # as argparse's choices would say, which in some Pythons refuse an empty list
            parser.error(f"there is no part {part!r}; there are {', '.join(PARTS)}.")
    print(HEAD, flush=True)
    for part in parts:
        for row in importlib.import_module(f"benchmarks.{part}").rows():
            print(row, flush=True)


if __name__ == "__main__":
    main()
