"""Systems side by side: scores and differences with their intervals, and what is chance."""

from corefbench.analysis.comparison.benches import compare_benches
from corefbench.analysis.comparison.compare import compare
from corefbench.analysis.comparison.decisions import Decisions, pronoun_decisions
from corefbench.analysis.comparison.records import (
    Comparison,
    Difference,
    Estimate,
    Pair,
    PronounTest,
    System,
)
from corefbench.analysis.comparison.sampled import CONLL, PARTS, Part
from corefbench.analysis.comparison.settings import FAMILIES, TESTS, Settings

__all__ = [
    "CONLL",
    "FAMILIES",
    "PARTS",
    "TESTS",
    "Comparison",
    "Decisions",
    "Difference",
    "Estimate",
    "Pair",
    "Part",
    "PronounTest",
    "Settings",
    "System",
    "compare",
    "compare_benches",
    "pronoun_decisions",
]
