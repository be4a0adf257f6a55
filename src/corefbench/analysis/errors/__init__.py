"""What went wrong in a response: three taxonomies with counts, examples and strata."""

from corefbench.analysis.errors.analysis import ErrorAnalysis, error_analysis
from corefbench.analysis.errors.decisions import StratumScore
from corefbench.analysis.errors.repair import RepairScore
from corefbench.analysis.errors.taxonomy import CLASSES, Error, Example, Passage, Taxonomy, parse_class, parse_taxonomy

__all__ = [
    "CLASSES",
    "Error",
    "ErrorAnalysis",
    "Example",
    "Passage",
    "RepairScore",
    "StratumScore",
    "Taxonomy",
    "error_analysis",
    "parse_class",
    "parse_taxonomy",
]
