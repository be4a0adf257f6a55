"""Systems side by side: scores and differences with their intervals, and what is chance."""

from corefbench.analysis.comparison.compare import compare, compare_benches
from corefbench.analysis.comparison.pronoun_decisions import Decisions, pronoun_decisions
from corefbench.analysis.comparison.result import (
    CONLL,
    FAMILIES,
    PARTS,
    TESTS,
    Comparison,
    Difference,
    Estimate,
    Pair,
    Part,
    PronounTest,
    Settings,
    System,
)

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
