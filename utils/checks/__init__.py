"""Checks: each exercise is judged the moment it is written.

`run` calls a function on probes and records what it does; `judge` compares the record with an
oracle. One module per notebook holds the probes and oracles of its exercises.
"""

from utils.checks.check import check, report
from utils.progress import progress

__all__ = ["check", "progress", "report"]
