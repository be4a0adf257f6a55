"""Link mentions into trees of merges, comparing all pairs or only candidates.

Blocked linking never compares all mentions with all: candidate pairs are scored in batches, pairs
that reach the floor connect mentions into components, and average linkage sees every pair within a
component.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TypeAlias

import numpy as np

from corefbench.errors import UsageError
from corefbench.records import Columns, Longs, Record
from corefbench.resolvers.cross_document.blocking import (
    MentionVectors,
    blocking_recall,
    candidate_pairs,
    mention_vectors,
    resolve_index,
)
from corefbench.resolvers.cross_document.clustering import (
    LinkageForest,
    LinkageMatrix,
    Probabilities,
    all_pairs,
    average_linkage,
    capped_components,
    count_coreferent_pairs,
    count_pairs,
    exact_forest,
    pairs_by_component,
    similarity_matrix,
)
from corefbench.resolvers.cross_document.config import LINKINGS, BlockingConfig, CrossDocumentConfig, Linking
from corefbench.resolvers.cross_document.context import PairContext
from corefbench.resolvers.cross_document.scorers.base import PairScorer
from corefbench.resolvers.cross_document.workers import SharedValue, Workers, batch_slices

ScoredPairs: TypeAlias = tuple[Longs, Longs, Probabilities]

MAX_EXACT_PAIRS = 100_000_000
"""Maximum number of pairs held in memory by exact linking."""
PAIRS_PER_TASK = 1 << 18
CONTEXT_FLOOR = 0.02
"""Floor for scorers that look at surrounding pairs, which components must contain too."""
_TOLERANCE = 1e-6
"""The mean of equal probabilities may be slightly higher than each of them."""


class LinkingStats(Record, frozen=True):
    """Statistics of one linking."""

    linking: str
    """``exact``, or ``blocked:`` and everything the clusters depend on."""
    mentions: int
    pairs: int
    """Pairs that were scored first: all within groups, or the candidates."""
    components: int
    """Connected components, singletons included; groups for exact linking."""
    largest: int
    """Mentions in the largest component."""
    capped: int = 0
    """Components that were cut because they were too large."""
    blocking_recall: float | None = None
    """Share of coreferent pairs that are candidates; None if the key is unknown."""
    component_recall: float | None = None
    """Share of coreferent pairs within one component."""
    scored: int = 0
    """Pairs that were scored within components."""
    seconds: Mapping[str, float] = {}
    """Wall time by stage."""

    def lines(self) -> list[str]:
        """Describe the linking for people.

        >>> LinkingStats(linking="exact", mentions=4, pairs=6, components=1, largest=4).lines()[1]
        '4 mentions, 6 pairs (1.5 per mention)'
        """
        per_mention = self.pairs / self.mentions if self.mentions else 0.0
        cut = f", {self.capped} cut" if self.capped else ""
        recalls = {"candidates": self.blocking_recall, "in one component": self.component_recall}
        known = [
            f"{100 * share:.2f} % of coreferent pairs are {what}"
            for what, share in recalls.items()
            if share is not None
        ]
        times = ", ".join(f"{stage} {seconds:.1f} s" for stage, seconds in self.seconds.items())
        return [
            f"linking {self.linking}",
            f"{self.mentions:,} mentions, {self.pairs:,} pairs ({per_mention:.1f} per mention)",
            f"{self.components:,} components, the largest of {self.largest:,} mentions{cut}",
            *([", ".join(known)] if known else []),
            *([times] if times else []),
        ]


class BoundScorer(Columns, frozen=True, eq=False):
    """A pair scorer with its context, as it is sent to workers."""

    scorer: PairScorer
    context: PairContext

    @property
    def uses_all_pairs(self) -> bool:
        """Whether the score of a pair depends on the other pairs."""
        return bool(getattr(self.scorer, "uses_all_pairs", False))

    def score(self, left: Longs, right: Longs) -> Probabilities:
        """Return the probability of each pair."""
        return self.scorer.score(self.context, left, right)


def uses_blocking(config: CrossDocumentConfig, group: Longs, linking: Linking = "auto") -> bool:
    """Decide as asked for, else block if a group, or the sum of all, has too many pairs."""
    if linking not in LINKINGS:
        raise UsageError(f"there is no linking {linking!r}", remedy=f"use {', '.join(LINKINGS)}")
    if linking != "auto":
        return linking == "blocked"
    is_large = int(np.bincount(group).max(initial=0)) > config.block_above
    return is_large or count_pairs(group) > MAX_EXACT_PAIRS


def build_forest(
    config: CrossDocumentConfig,
    scorer: BoundScorer,
    group: Longs,
    floor: float,
    linking: Linking = "auto",
    workers: Workers | None = None,
) -> tuple[LinkageForest, LinkingStats]:
    """Link mentions within groups; the trees can be cut at any threshold from the floor on."""
    if not uses_blocking(config, group, linking):
        return link_exact(scorer, group)
    chain = scorer.context.mentions.chain
    return link_blocked(
        mention_vectors(scorer.context, group),
        scorer,
        config.blocking,
        floor,
        workers=workers,
        chain=chain if (chain >= 0).any() else None,
    )


def link_exact(scorer: BoundScorer, group: Longs) -> tuple[LinkageForest, LinkingStats]:
    """Compare all mentions of each group."""
    seconds: dict[str, float] = {}
    with _timed(seconds, "candidates"):
        left, right = all_pairs(group)
    with _timed(seconds, "scoring"):
        score = scorer.score(left, right)
    with _timed(seconds, "linkage"):
        forest = exact_forest(group, left, right, score)
    sizes = np.bincount(group)
    stats = LinkingStats(
        linking="exact",
        mentions=len(group),
        pairs=len(left),
        components=int((sizes > 0).sum()),
        largest=int(sizes.max(initial=0)),
        seconds=seconds,
    )
    return forest, stats


def link_blocked(
    mentions: MentionVectors,
    scorer: BoundScorer,
    blocking: BlockingConfig,
    floor: float,
    *,
    workers: Workers | None = None,
    chain: Longs | None = None,
) -> tuple[LinkageForest, LinkingStats]:
    """Compare candidates only; with ``chain``, the key, recalls are computed too.

    The result depends neither on the order of the mentions nor on the number of workers.
    """
    workers, blocking = workers or Workers(), resolve_index(blocking)
    floor = (min(floor, CONTEXT_FLOOR) if scorer.uses_all_pairs else floor) - _TOLERANCE
    seconds: dict[str, float] = {}
    order = mentions.canonical_order()
    with _timed(seconds, "candidates"):
        left, right = candidate_pairs(mentions.take(order), blocking, workers)
    with workers.share(scorer) as shared:
        with _timed(seconds, "scoring"):
            score = _score_in_batches(shared, order[left], order[right], workers)
        with _timed(seconds, "components"):
            parts = capped_components(len(mentions), left, right, score, floor, blocking.largest)
        members = [order[part] for part in parts.members]
        with _timed(seconds, "linkage"):
            known = (order[left], order[right], score) if blocking.unscored == "zero" else None
            trees = _linkage_trees(shared, members, known, len(mentions), workers)
    sizes = np.array([len(part) for part in members], np.int64)
    scored = int((sizes * (sizes - 1) // 2).sum()) if blocking.unscored == "scored" else 0
    stats = LinkingStats(
        linking=blocking.signature(),
        mentions=len(mentions),
        pairs=len(left),
        components=parts.count,
        largest=parts.largest,
        capped=parts.capped,
        blocking_recall=None if chain is None else blocking_recall(chain, order[left], order[right], mentions.group),
        component_recall=None if chain is None else _component_recall(chain, members, mentions),
        scored=scored,
        seconds=seconds,
    )
    by_first = sorted(range(len(members)), key=lambda number: int(members[number].min()))
    forest = LinkageForest(
        members=tuple(members[number] for number in by_first),
        trees=tuple(trees[number] for number in by_first),
        count=len(mentions),
    )
    return forest, stats


@contextmanager
def _timed(seconds: dict[str, float], stage: str) -> Iterator[None]:
    began = time.perf_counter()
    yield
    seconds[stage] = time.perf_counter() - began


def _component_recall(chain: Longs, members: Sequence[Longs], mentions: MentionVectors) -> float:
    """Return the share of coreferent pairs within groups that lie in one component."""
    total = count_coreferent_pairs(chain, mentions.group)
    flat = np.concatenate([np.zeros(0, np.int64), *members])
    component = np.repeat(np.arange(len(members)), [len(part) for part in members])
    return count_coreferent_pairs(chain[flat], component) / total if total else 1.0


def _score_in_batches(scorer: SharedValue[BoundScorer], left: Longs, right: Longs, workers: Workers) -> Probabilities:
    """Score pairs; the batches do not depend on the number of workers."""
    if scorer.value.uses_all_pairs:
        return scorer.value.score(left, right)
    starts = range(0, len(left), PAIRS_PER_TASK)
    batches = [(left[a : a + PAIRS_PER_TASK], right[a : a + PAIRS_PER_TASK]) for a in starts]
    scores = list(workers.map("scoring", partial(_score_batch, scorer), batches))
    return np.concatenate([np.zeros(0, np.float32), *scores])


def _score_batch(scorer: SharedValue[BoundScorer], pairs: tuple[Longs, Longs]) -> Probabilities:
    return np.asarray(scorer.value.score(*pairs), np.float32)


def _linkage_trees(
    scorer: SharedValue[BoundScorer],
    components: Sequence[Longs],
    known: ScoredPairs | None,
    count: int,
    workers: Workers,
) -> list[LinkageMatrix]:
    """Link each component; with ``known`` pairs all others are 0, else every pair is scored."""
    pairs: list[ScoredPairs] = []
    if known is not None:
        left, right, score = known
        pairs = [(a, b, score[rows]) for rows, a, b in pairs_by_component(components, count, left, right)]
    costs = [len(part) * (len(part) - 1) // 2 for part in components]
    batches = [(components[batch], pairs[batch]) for batch in batch_slices(costs, PAIRS_PER_TASK)]
    results = workers.map("linkage", partial(_link_batch, scorer), batches)
    return [tree for trees in results for tree in trees]


def _link_batch(
    scorer: SharedValue[BoundScorer], batch: tuple[Sequence[Longs], Sequence[ScoredPairs]]
) -> list[LinkageMatrix]:
    components, known = batch
    pairs = known or _score_components(scorer.value, components)
    return [_component_tree(len(members), *own) for members, own in zip(components, pairs, strict=True)]


def _score_components(scorer: BoundScorer, components: Sequence[Longs]) -> list[ScoredPairs]:
    """Score all pairs within components; the candidates among them are scored again."""
    members = np.concatenate(components)
    sizes = np.array([len(part) for part in components])
    offsets = np.cumsum(sizes) - sizes
    component = np.repeat(np.arange(len(sizes)), sizes)
    left, right = all_pairs(component)
    score = scorer.score(members[left], members[right])
    edges = np.searchsorted(component[left], np.arange(len(sizes) + 1)).tolist()
    return [
        (left[a:b] - offset, right[a:b] - offset, score[a:b])
        for offset, a, b in zip(offsets.tolist(), edges[:-1], edges[1:], strict=True)
    ]


def _component_tree(size: int, left: Longs, right: Longs, score: Probabilities) -> LinkageMatrix:
    if size == 2:  # most components; SciPy is not needed for a single merge
        return np.array([[0.0, 1.0, max(1.0 - float(score[0]), 0.0), 2.0]])
    return average_linkage(similarity_matrix(size, left, right, score))
