"""Packages that only some parts of the course need."""

import importlib


def required(package, purpose):
    """Import a package, or raise ImportError with a sentence that says what to do.

    Parameters
    ----------
    package : str
        For example "matplotlib.figure".
    purpose : str
        What needs it, as the start of a sentence: "Drawing a picture".

    Returns
    -------
    module
    """
    try:
        return importlib.import_module(package)
    except ImportError:
        name = package.partition(".")[0]
        raise ImportError(
            f"{purpose} needs {name}, which is not installed here. Install it with: python -m pip install {name}"
        ) from None
