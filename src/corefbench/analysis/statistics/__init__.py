"""Corpus statistics: sizes, densities, vocabulary, pronouns and their distances."""

from corefbench.analysis.statistics.describe import (
    FIGURES,
    Counts,
    Description,
    Figure,
    compute_figures,
    count_corpus,
    describe,
)
from corefbench.corpus.selection import Selection

__all__ = ["FIGURES", "Counts", "Description", "Figure", "Selection", "compute_figures", "count_corpus", "describe"]
