"""Configuration of cross-document models."""

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias, get_args

from corefbench.records import Record

MentionKind: TypeAlias = Literal["event", "entity", "all"]

Scope: TypeAlias = Literal["document", "subtopic", "topic", "corpus", "predicted"]
"""How far chains reach; ``predicted``: documents are clustered into subtopics first."""
SCOPES: tuple[Scope, ...] = get_args(Scope)

Linking: TypeAlias = Literal["auto", "exact", "blocked"]
"""Compare all mentions of a group, or only candidate pairs; ``auto`` decides by group size."""
LINKINGS: tuple[Linking, ...] = get_args(Linking)

IndexKind: TypeAlias = Literal["auto", "hnsw", "exact"]
"""Nearest-neighbour search: an HNSW graph or exhaustive; ``auto`` uses the graph if hnswlib is
installed."""

UnscoredPairs: TypeAlias = Literal["scored", "zero"]
"""What to do with pairs inside a component that are not candidates: score them, or assume 0."""


class BlockingConfig(Record, frozen=True):
    """Candidates are mentions that share their head lemma or have similar vectors."""

    neighbours: int = 50
    """Nearest neighbours of each mention by span vector …"""
    same_lemma: int = 100
    """… and nearest neighbours among the mentions with the same head lemma."""
    index: IndexKind = "auto"
    dimension: int = 0
    """Principal components used for the search; 0: the vectors as they are."""
    links: int = 16
    """Links per mention in the graph (hnswlib's M)."""
    effort: int = 100
    """Candidates inspected while building the graph (hnswlib's ef)."""
    unscored: UnscoredPairs = "scored"
    largest: int = 4_000
    """Components with more mentions are cut at their weakest links."""

    def signature(self) -> str:
        """Return everything the clusters depend on, in one line.

        >>> BlockingConfig(index="exact").signature()
        'blocked:exact,neighbours=50,same-lemma=100,unscored=scored,largest=4000'
        """
        graph = [f"links={self.links}", f"effort={self.effort}"] if self.index == "hnsw" else []
        dimension = [f"dimension={self.dimension}"] if self.dimension else []
        counts = [f"neighbours={self.neighbours}", f"same-lemma={self.same_lemma}"]
        rest = [f"unscored={self.unscored}", f"largest={self.largest}"]
        return ",".join([f"blocked:{self.index}", *counts, *dimension, *graph, *rest])


class CrossDocumentConfig(Record, frozen=True):
    """Model and training configuration; stored whole in the checkpoint."""

    kind: MentionKind = "event"
    scorer: str = "boosting"
    settings: Mapping[str, Any] = {}
    """Settings of the scorer."""
    encoder: str = "minilm"
    """Encoder of the frozen vectors."""
    pipeline: str = "en"
    """Preprocessing pipeline for lemmas and dependency trees."""
    scope: Scope = "topic"
    """Scope of the training pairs, and default scope of predictions."""
    negatives: float = 20.0
    """Negative training pairs per positive pair."""
    pairs: int = 500_000
    """Maximum number of training pairs."""
    folds: int = 0
    """Folds of topics for choosing thresholds by cross-validation; 0: use development data only."""
    blocking: BlockingConfig = BlockingConfig()
    detector: Mapping[str, Any] | None = None
    """Training schedule of the mention detector; None: the model only resolves given mentions."""
    block_above: int = 3_000
    """Groups with more mentions are blocked."""
    seed: int = 0
