"""De-duplication: documents whose words are nearly all in another one are dropped."""

from corefbench.analysis.deduplicate.api import Deduplication, Duplicate, deduplicate

__all__ = ["Deduplication", "Duplicate", "deduplicate"]
