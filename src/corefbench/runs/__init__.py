"""Run files: a result with its inputs, tallies and documents in one file."""

from corefbench.runs.run_file import Corpora, Run, is_run, open_run, write_run

__all__ = ["Corpora", "Run", "is_run", "open_run", "write_run"]
