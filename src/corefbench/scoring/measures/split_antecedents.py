"""The chain measures on corpora with split antecedents.

A split antecedent ("Ann … Ben … they") is one more member of its chain: a set of entities, its
*parts*. Two of them agree more or less, and a matched one weighs δ where a mention weighs 1 (Yu et
al. 2021, Paun et al. 2022, Universal Anaphora scorer). Documents with split antecedents are counted
in plain Python, all others by the measure itself.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias, cast

import numpy as np

from corefbench.corpus.arrays import search_sorted
from corefbench.corpus.combine import keep_mentions
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.spans import last_same_span
from corefbench.records import Flags, Floats, Longs, Record
from corefbench.scoring.matching.alignment import Alignment, Twins
from corefbench.scoring.matching.assignment import solver
from corefbench.scoring.measures import measures
from corefbench.scoring.measures.base import ChainMeasure, MeasureCard, MentionMeasure
from corefbench.scoring.measures.blanc import BLANC
from corefbench.scoring.measures.contingency import last_tables
from corefbench.scoring.measures.tally import Score, Scores, Tally, harmonic, ratio

Metric: TypeAlias = Literal["muc", "b_cubed", "ceaf_m", "ceaf_e", "lea", "blanc"]
Half: TypeAlias = Literal["coreferent", "separate"]
"""The two kinds of links of BLANC, each with a matching of its own."""
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


def count_with_plurals(metric: Metric, key: Sequence[Entity], response: Sequence[Entity]) -> Counts:
    """Count with split antecedents matched one-to-one for the largest sum of F1.

    >>> key = [Entity(mentions=frozenset({1, 2})), Entity(mentions=frozenset({3}))]
    >>> count_with_plurals("b_cubed", key, [Entity(mentions=frozenset({1, 2, 3}))])
    (3.0, 3, 1.6666666666666667, 3)
    """
    return _count(metric, key, response, _match_plurals(metric, key, response), parts=False)


def count_links_with_plurals(key: Sequence[Entity], response: Sequence[Entity]) -> tuple[float, ...]:
    """Count the links of BLANC: shared, key and response ones, coreferent first, then separate."""
    halves: tuple[Half, Half] = ("coreferent", "separate")
    return tuple(
        count
        for half in halves
        for count in _links(half, key, response, _link_weights(key, response, _match_plurals(half, key, response)))
    )


def _link_weights(key: Sequence[Entity], response: Sequence[Entity], pairs: Sequence[_Pair]) -> Weights:
    """δ of matched split antecedents; parts without links match nothing, unless they are equal."""
    homes = {entity.parts: n for n, entity in enumerate(response) if entity.parts}
    weights = {n: (homes[entity.parts], 1.0) for n, entity in enumerate(key) if entity.parts in homes}
    agreement = {p.key: (p.response, harmonic(p.recall, p.precision)) for p in pairs}
    return weights | {k: match for k, match in agreement.items() if match[1] > 0}


def _links(
    half: Half, key: Sequence[Entity], response: Sequence[Entity], weights: Weights
) -> tuple[float, float, float]:
    """The links of one kind that both sides have, and those of each side.

    A link weighs the product of its ends: 1 for a mention, δ for a split antecedent.
    """
    homes = _homes(response)
    cells: dict[tuple[int, int], list[float]] = defaultdict(list)
    for n, entity in enumerate(key):
        for other, count in _shared(entity, homes).items():
            cells[n, other] += [1.0] * count
        if n in weights:
            other, weight = weights[n]
            cells[n, other].append(weight)
    coreferent = [float(sum(len(e) * (len(e) - 1) // 2 for e in side)) for side in (key, response)]
    if half == "coreferent":
        shared = sum((sum(ends) ** 2 - sum(end**2 for end in ends)) / 2 for ends in cells.values())
        return shared, coreferent[0], coreferent[1]
    total = 0.0
    of_key: dict[int, float] = defaultdict(float)
    of_response: dict[int, float] = defaultdict(float)
    for (n, other), ends in cells.items():
        total += sum(ends)
        of_key[n] += sum(ends)
        of_response[other] += sum(ends)
    # Inclusion and exclusion: all pairs but those in one key entity or in one response entity.
    shared = total**2 - sum(w**2 for w in of_key.values()) - sum(w**2 for w in of_response.values())
    shared += sum(sum(ends) ** 2 for ends in cells.values())
    sizes = [sum(map(len, side)) for side in (key, response)]
    separate = [size * (size - 1) / 2 - inside for size, inside in zip(sizes, coreferent, strict=True)]
    return shared / 2, separate[0], separate[1]


def _match_plurals(metric: Metric | Half, key: Sequence[Entity], response: Sequence[Entity]) -> list[_Pair]:
    """The best pairs of split antecedents, by the metric's own F1 between their parts."""
    of_key = [n for n, entity in enumerate(key) if entity.parts]
    of_response = [n for n, entity in enumerate(response) if entity.parts]
    if not of_key or not of_response:
        return []
    pairs = [[_compare(metric, key, k, response, r) for r in of_response] for k in of_key]
    agreement = np.array([[harmonic(p.recall, p.precision) for p in row] for row in pairs])
    rows, columns = solver(agreement.size)(agreement)
    return [pairs[row][column] for row, column in zip(rows.tolist(), columns.tolist(), strict=True)]


def _compare(metric: Metric | Half, key: Sequence[Entity], k: int, response: Sequence[Entity], r: int) -> _Pair:
    hits, total, found, made = _count(metric, _entities(key[k].parts), _entities(response[r].parts), [], parts=True)
    return _Pair(key=k, response=r, recall=ratio(hits, total), precision=ratio(found, made))


def _entities(parts: frozenset[frozenset[int]]) -> list[Entity]:
    return [Entity(mentions=part) for part in sorted(parts, key=sorted)]


def _count(
    metric: Metric | Half, key: Sequence[Entity], response: Sequence[Entity], pairs: Sequence[_Pair], *, parts: bool
) -> Counts:
    if metric in ("coreferent", "separate"):
        shared, key_links, response_links = _links(metric, key, response, {})
        return shared, key_links, shared, response_links
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


def _b_cubed(entities: Sequence[Entity], others: Sequence[Entity], weights: Weights) -> tuple[float, float]:
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


def _lea(entities: Sequence[Entity], others: Sequence[Entity], weights: Weights) -> tuple[float, float]:
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


def _ceaf(key: Sequence[Entity], response: Sequence[Entity], pairs: Sequence[_Pair], *, by_mentions: bool) -> Counts:
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
    best = float(overlap[solver(overlap.size)(overlap)].sum())
    totals = [float(s.sum() if by_mentions else len(s)) for s in sizes]
    return best, totals[0], best, totals[1]


class SplitAntecedents(MentionMeasure, frozen=True):
    """A chain measure in which a split antecedent is one more member of its chain.

    A split antecedent is the set of entities it is made of, down to those that are not plural
    themselves; chains with equal split antecedents are one. Key and response ones are matched
    one-to-one by the F1 of the same measure between their parts, and a match weighs δ instead of 1:
    the R of the parts in recall, their P in precision, their F1 in CEAF (Yu et al. 2021, Paun et
    al. 2022). MUC keeps δ of the link to a split antecedent where its chain is linked otherwise.

    Documents without split antecedents score as ever. In BLANC a link weighs the product of its
    ends; the scorer that introduced the extension leaves open which of two ends it weighs where
    split antecedents agree in part, and is followed where they are equal.

    Chains are sets, and a mention belongs to the last of its chains to open, as in that scorer.
    """

    card = MeasureCard(
        name="split_antecedents",
        title="Split antecedents",
        sentence="A chain measure that counts plural antecedents as members of their chains.",
        cites=("yu2021", "paun2022"),
    )
    metric: Metric = "muc"

    def tally(self, alignment: Alignment) -> Tally:
        tally = _ordinary(self._measure(), referring_only(alignment))
        values = tally.values.copy()
        plurals = [_plural_documents(c) for c in (alignment.key, alignment.response)]
        documents = np.union1d(*plurals).tolist()
        if documents:
            key, response = _Side.pair(alignment)
            for document in documents:
                sides = key.entities(document), response.entities(document)
                values[document] = (
                    count_links_with_plurals(*sides)
                    if self.metric == "blanc"
                    else count_with_plurals(self.metric, *sides)
                )
        return Tally(columns=tally.columns, values=values)

    def score(self, total: dict[str, float]) -> Score:
        return self._measure().score(total)

    def scores(self, totals: Mapping[str, Floats]) -> Scores:
        return self._measure().scores(totals)

    def _measure(self) -> ChainMeasure:
        """The measure that counts documents without split antecedents."""
        if self.metric == "blanc":
            return BLANC(edge="both")  # as in the UA scorer
        return cast(ChainMeasure, measures[self.metric]())


def referring_only(alignment: Alignment) -> Alignment:
    """The alignment without the mentions that are marked as non-referring."""
    key, response, twin = alignment.key, alignment.response, alignment.twins.key
    if key.mentions.referring is None and response.mentions.referring is None:
        return alignment
    keep, keep_response = _referring(key), _referring(response)
    number = np.append(np.where(keep, np.cumsum(keep) - 1, -1), -1).astype(np.int32)
    return Alignment(
        key=keep_mentions(key, keep),
        response=keep_mentions(response, keep_response),
        twins=Twins(key=number[twin][keep_response]),
    )


def _referring(corpus: Corpus) -> Flags:
    marked = corpus.mentions.referring
    return np.ones(len(corpus.mentions), np.bool_) if marked is None else marked


def _ordinary(measure: ChainMeasure, alignment: Alignment) -> Tally:
    """What the measure counts without split antecedents."""
    tables = last_tables(alignment, "opened")
    tally = measure.tally(tables.recall)
    return tally if tables.precision is tables.recall else tally.halves(measure.tally(tables.precision))


def _plural_documents(corpus: Corpus) -> Longs:
    return corpus.chains.document[corpus.relations.plural].astype(np.int64)


class _Side:
    """One corpus with its mentions numbered so that twins, and repeats, have one number."""

    def __init__(self, corpus: Corpus, numbers: Longs) -> None:
        self.corpus = corpus
        self.numbers = numbers
        self.referring = _referring(corpus)
        self.elements: dict[int, list[int]] = defaultdict(list)
        relations = corpus.relations
        for plural, element in zip(relations.plural.tolist(), relations.element.tolist(), strict=True):
            self.elements[plural].append(element)

    @classmethod
    def pair(cls, alignment: Alignment) -> tuple["_Side", "_Side"]:
        key, response, twin = alignment.key, alignment.response, alignment.twins.key
        of_key, own = _numbers(key), len(key.mentions) + _numbers(response)
        of_response = np.where(twin >= 0, np.append(of_key, -1)[twin], own)
        return cls(key, of_key), cls(response, of_response)

    def entities(self, document: int) -> list[Entity]:
        """The chains of a document as sets of numbers, those with equal parts joined."""
        members, referring = self._members(document)
        entities: list[Entity] = []
        place: dict[frozenset[frozenset[int]], int] = {}
        for chain in sorted(referring):
            mentions, parts = frozenset(referring[chain]), self._parts(chain, members)
            if parts in place:
                known = entities[place[parts]]
                entities[place[parts]] = Entity(mentions=known.mentions | mentions, parts=parts)
                continue
            if parts:
                place[parts] = len(entities)
            entities.append(Entity(mentions=mentions, parts=parts))
        return entities

    def _members(self, document: int) -> tuple[dict[int, set[int]], dict[int, set[int]]]:
        """The mentions of every chain: all of them, and those that refer."""
        mentions = self.corpus.mentions
        a, b = search_sorted(mentions.document, document, document + 1)
        members: dict[int, set[int]] = defaultdict(set)
        referring: dict[int, set[int]] = defaultdict(set)
        for mention, chain in enumerate(mentions.chain[a:b].tolist(), a):
            members[chain].add(int(self.numbers[mention]))
            if self.referring[mention]:
                referring[chain].add(int(self.numbers[mention]))
        return members, referring

    def _parts(self, chain: int, members: dict[int, set[int]]) -> frozenset[frozenset[int]]:
        """The entities that the chain's split antecedent comes down to."""
        seen, stack = {chain}, list(self.elements.get(chain, ()))
        parts: set[frozenset[int]] = set()
        while stack:
            element = stack.pop()
            if element in seen:
                continue
            seen.add(element)
            if element in self.elements:
                stack.extend(self.elements[element])
            elif members.get(element):
                parts.add(frozenset(members[element]))
        return frozenset(parts)


def _numbers(corpus: Corpus) -> Longs:
    same = last_same_span(corpus)
    return np.arange(len(corpus.mentions)) if same is None else same.astype(np.int64)
