"""What went wrong in a response: three taxonomies with counts, examples and strata."""

from corefbench.analysis.errors.analysis import ErrorAnalysis, error_analysis
from corefbench.analysis.errors.error import CLASSES, Error, Example, Passage, Taxonomy
from corefbench.analysis.errors.fixing import Fixed
from corefbench.analysis.errors.naming import kind_named, taxonomy_named
from corefbench.analysis.errors.scores import StratumScore

__all__ = [
    "CLASSES",
    "Error",
    "ErrorAnalysis",
    "Example",
    "Fixed",
    "Passage",
    "StratumScore",
    "Taxonomy",
    "error_analysis",
    "kind_named",
    "taxonomy_named",
]
