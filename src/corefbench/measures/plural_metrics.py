"""The chain measures where a chain may hold a split antecedent, in plain Python for one document.

A split antecedent ("Ann … Ben … they") is one more member of its chain: a set of entities, its
*parts*. Two of them agree more or less, and a matched one weighs δ where a mention weighs 1 (Yu et
al. 2021, Paun et al. 2022, Universal Anaphora scorer).
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np

from corefbench.matching.solver import solver
from corefbench.measures.tally import harmonic, ratio
from corefbench.record import Record

Metric: TypeAlias = Literal["muc", "b_cubed", "ceaf_m", "ceaf_e", "lea"]
Counts: TypeAlias = tuple[float, float, float, float]
"""Hits and total of recall, hits and total of precision."""
Weights: TypeAlias = dict[int, tuple[int, float]]
"""For an entity whose split antecedent is matched: the entity of the match, and δ."""


class Entity(Record, frozen=True):
    """Mentions, numbered alike on both sides, and the parts of a split antecedent, if any."""

    mentions: frozenset[int]
    parts: frozenset[frozenset[int]] = frozenset()

    def __len__(self) -> int:
        return len(self.mentions) + bool(self.parts)


class _Pair(Record, frozen=True):
    """Matched split antecedents, by entity, and how well they agree."""

    key: int
    response: int
    recall: float
    precision: float


def count(metric: Metric, key: Sequence[Entity], response: Sequence[Entity]) -> Counts:
    """Count with split antecedents matched one-to-one for the largest sum of F1.

    >>> key = [Entity(mentions=frozenset({1, 2})), Entity(mentions=frozenset({3}))]
    >>> count("b_cubed", key, [Entity(mentions=frozenset({1, 2, 3}))])
    (3.0, 3, 1.6666666666666667, 3)
    """
    return _count(metric, key, response, _matched_plurals(metric, key, response), parts=False)


def _matched_plurals(
    metric: Metric, key: Sequence[Entity], response: Sequence[Entity]
) -> list[_Pair]:
    """The best pairs of split antecedents, by the metric's own F1 between their parts."""
    of_key = [n for n, entity in enumerate(key) if entity.parts]
    of_response = [n for n, entity in enumerate(response) if entity.parts]
    if not of_key or not of_response:
        return []
    pairs = [[_compare(metric, key, k, response, r) for r in of_response] for k in of_key]
    agreement = np.array([[harmonic(p.recall, p.precision) for p in row] for row in pairs])
    rows, columns = solver()(agreement, maximize=True)
    return [pairs[row][column] for row, column in zip(rows.tolist(), columns.tolist(), strict=True)]


def _compare(
    metric: Metric, key: Sequence[Entity], k: int, response: Sequence[Entity], r: int
) -> _Pair:
    hits, total, found, made = _count(
        metric, _entities(key[k].parts), _entities(response[r].parts), [], parts=True
    )
    return _Pair(key=k, response=r, recall=ratio(hits, total), precision=ratio(found, made))


def _entities(parts: frozenset[frozenset[int]]) -> list[Entity]:
    return [Entity(mentions=part) for part in sorted(parts, key=sorted)]


def _count(
    metric: Metric,
    key: Sequence[Entity],
    response: Sequence[Entity],
    pairs: Sequence[_Pair],
    *,
    parts: bool,
) -> Counts:
    if metric in ("ceaf_m", "ceaf_e"):
        return _ceaf(key, response, pairs, by_mentions=metric == "ceaf_m")
    recall_weights = {p.key: (p.response, p.recall) for p in pairs}
    precision_weights = {p.response: (p.key, p.precision) for p in pairs}
    if metric == "muc":
        recall = _muc(key, response, recall_weights, lone_link=parts)
        precision = _muc(response, key, precision_weights, lone_link=parts)
    else:
        half = _b_cubed if metric == "b_cubed" else _lea
        recall = half(key, response, recall_weights)
        precision = half(response, key, precision_weights)
    return *recall, *precision


def _homes(entities: Sequence[Entity]) -> dict[int, int]:
    """The entity of every mention; the last, where it stands in several."""
    return {mention: n for n, entity in enumerate(entities) for mention in entity.mentions}


def _shared(entity: Entity, homes: dict[int, int]) -> Counter[int]:
    """How many mentions of the entity each entity of the other side has."""
    return Counter(homes[mention] for mention in entity.mentions if mention in homes)


def _is_alone_in(entity: Entity, others: Sequence[Entity], homes: dict[int, int]) -> bool:
    """Whether the one mention of the entity is the one mention of an entity of the other side."""
    return any(len(others[other]) == 1 for other in _shared(entity, homes))


def _muc(
    entities: Sequence[Entity], others: Sequence[Entity], weights: Weights, *, lone_link: bool
) -> tuple[float, float]:
    """Links kept and links needed; among parts, a lone mention counts as one link."""
    homes = _homes(others)
    hits, total = 0.0, 0
    for n, entity in enumerate(entities):
        if len(entity) == 1 and lone_link:
            total += 1
            hits += _is_alone_in(entity, others, homes)
            continue
        shared = _shared(entity, homes)
        other, weight = weights.get(n, (-1, 0.0))
        total += len(entity) - 1
        hits += shared.total() - len(shared) + (weight if other in shared else 0.0)
    return hits, total


def _b_cubed(
    entities: Sequence[Entity], others: Sequence[Entity], weights: Weights
) -> tuple[float, float]:
    """Σ (|k∩r| + δ)² / |k|, and the number of members."""
    homes = _homes(others)
    hits, total = 0.0, 0
    for n, entity in enumerate(entities):
        shared: dict[int, float] = dict(_shared(entity, homes))
        if n in weights:
            other, weight = weights[n]
            shared[other] = shared.get(other, 0) + weight
        hits += sum(overlap**2 for overlap in shared.values()) / len(entity)
        total += len(entity)
    return hits, total


def _lea(
    entities: Sequence[Entity], others: Sequence[Entity], weights: Weights
) -> tuple[float, float]:
    """|k| · links resolved / links; a link to the split antecedent weighs δ."""
    homes = _homes(others)
    hits, total = 0.0, 0
    for n, entity in enumerate(entities):
        size = len(entity)
        total += size
        if size == 1:
            hits += _is_alone_in(entity, others, homes)
            continue
        shared = _shared(entity, homes)
        other, weight = weights.get(n, (-1, 0.0))
        links = sum(met * (met - 1) / 2 for met in shared.values()) + weight * shared[other]
        hits += size * links / (size * (size - 1) / 2)
    return hits, total


def _ceaf(
    key: Sequence[Entity], response: Sequence[Entity], pairs: Sequence[_Pair], *, by_mentions: bool
) -> Counts:
    """The best one-to-one pairing of the entities, φ₃ or φ₄; δ is the F1 of the parts."""
    overlap = np.zeros((len(key), len(response)))
    standing: dict[int, list[int]] = defaultdict(list)  # in all entities: sets are compared here
    for n, entity in enumerate(response):
        for mention in entity.mentions:
            standing[mention].append(n)
    for n, entity in enumerate(key):
        for mention in entity.mentions & standing.keys():
            overlap[n, standing[mention]] += 1
    for pair in pairs:
        overlap[pair.key, pair.response] += harmonic(pair.recall, pair.precision)
    sizes = [np.array([len(e) for e in side], np.float64) for side in (key, response)]
    if not by_mentions:
        overlap = 2 * overlap / np.add.outer(*sizes)
    best = float(overlap[solver()(overlap, maximize=True)].sum())
    totals = [float(s.sum() if by_mentions else len(s)) for s in sizes]
    return best, totals[0], best, totals[1]
