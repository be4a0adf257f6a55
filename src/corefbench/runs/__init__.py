"""Run files: a result with its inputs, tallies and documents in one file."""

from corefbench.runs.run import Corpora, Run
from corefbench.runs.store import is_run, open_run, save, save_run

__all__ = ["Corpora", "Run", "is_run", "open_run", "save", "save_run"]
