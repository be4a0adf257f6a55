"""Corpora at random; they are part of the kit for plug-ins, and known to the tests by this name."""

from corefbench.testing.corpora import Maker, corpus_for, two_way
from corefbench.testing.files import read, there_and_back, write
from corefbench.testing.telling import in_order, told

__all__ = ["Maker", "corpus_for", "in_order", "read", "there_and_back", "told", "two_way", "write"]
