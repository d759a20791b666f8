"""One table of how fast the course is: `make bench`, or some parts of it, `make bench ARGS="step growth"`."""

import argparse
import importlib
import os

os.environ["OMP_NUM_THREADS"] = "1"  # before NumPy and PyTorch are imported: one thread for all of them

from threadpoolctl import threadpool_limits

from benchmarks.table import HEAD

PARTS = ("step", "accuracy", "growth", "own", "start", "checks", "redraw")


def main(arguments=None):
    """Measure the parts, and print a row as soon as it is known."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", choices=PARTS, help="all, unless some are named")
    print(HEAD, flush=True)
    with threadpool_limits(1):
        for part in parser.parse_args(arguments).parts or PARTS:
            for row in importlib.import_module(f"benchmarks.{part}").rows():
                print(row, flush=True)


if __name__ == "__main__":
    main()
