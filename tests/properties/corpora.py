"""Corpora at random; they are part of the kit for plug-ins, and known to the tests by this name."""

from corefbench.testing.corpora import CorpusGenerator, corpus_for, round_trip_formats
from corefbench.testing.formats import comparable_content, in_stored_order, read_files, round_trip, write_files

__all__ = [
    "CorpusGenerator",
    "comparable_content",
    "corpus_for",
    "in_stored_order",
    "read_files",
    "round_trip",
    "round_trip_formats",
    "write_files",
]
