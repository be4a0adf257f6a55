"""Systems side by side: scores and differences with their intervals, and what is chance."""

from corefbench.analysis.comparison.compare import compare
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
    "Difference",
    "Estimate",
    "Pair",
    "Part",
    "PronounTest",
    "Settings",
    "System",
    "compare",
]
