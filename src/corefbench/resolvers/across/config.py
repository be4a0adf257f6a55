"""How a cross-document resolver is made and trained."""

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from corefbench.record import Record
from corefbench.resolvers.across.blocking import Blocking
from corefbench.resolvers.across.table import Kind

Reach: TypeAlias = Literal["document", "subtopic", "topic", "corpus", "predicted"]
"""How far chains reach; ``predicted``: documents are grouped by what they are about."""
REACHES: tuple[Reach, ...] = ("document", "subtopic", "topic", "corpus", "predicted")

Linking: TypeAlias = Literal["auto", "exact", "blocked"]
"""Whether all mentions of a group are compared, or only candidates; ``auto``: by its size."""
LINKINGS: tuple[Linking, ...] = ("auto", "exact", "blocked")


class AcrossConfig(Record, frozen=True):
    """A configuration: it goes into the checkpoint whole."""

    kind: Kind = "event"
    scorer: str = "boosting"
    settings: Mapping[str, Any] = {}
    """What the scorer takes."""
    encoder: str = "minilm"
    """Of the vectors that do not learn."""
    pipeline: str = "en"
    """The pre-processing that gives lemmas and trees."""
    scope: Reach = "topic"
    """The pairs that are learned from, and by which the threshold is chosen."""
    negatives: float = 20.0
    """For each coreferent pair, so many others …"""
    pairs: int = 500_000
    """… and at most so many pairs in all."""
    folds: int = 0
    """Into how many parts topics are put to choose thresholds on all of them, each judged by
    scorers of the other parts; 0: thresholds are chosen on development data alone."""
    blocking: Blocking = Blocking()
    detector: Mapping[str, Any] | None = None
    """What the schedule of the detector takes; None for a model that is given its mentions."""
    block_above: int = 3_000
    """Groups with more mentions are blocked, smaller ones are compared whole."""
    seed: int = 0
