"""Corpus statistics: sizes, densities, vocabulary, pronouns and their distances."""

from corefbench.analysis.statistics.describe import Description, Selection, describe
from corefbench.analysis.statistics.figures import FIGURES, Counts, Figure, compute_figures, count_corpus

__all__ = ["FIGURES", "Counts", "Description", "Figure", "Selection", "compute_figures", "count_corpus", "describe"]
