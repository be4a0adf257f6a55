"""Several annotations of the same texts: merged, voted on, compared."""

from corefbench.analysis.annotation.agreement import Agreement, agreement
from corefbench.analysis.annotation.merge import Merge, merge

__all__ = ["Agreement", "Merge", "agreement", "merge"]
