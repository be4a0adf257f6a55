"""The chain measures on corpora with split antecedents."""

from collections import defaultdict
from typing import cast

import numpy as np

from corefbench.matching.alignment import Alignment, Twins
from corefbench.matching.spans import identity
from corefbench.measures import measures
from corefbench.measures.base import ChainMeasure, MeasureCard, MentionMeasure
from corefbench.measures.contingency import contingency
from corefbench.measures.plural_metrics import Entity, Metric, count
from corefbench.measures.tally import Tally
from corefbench.model.assemble import keep_mentions
from corefbench.model.corpus import Corpus
from corefbench.model.places import places
from corefbench.record import Flags, Floats, Longs

_COLUMNS = ("recall_hits", "recall_total", "precision_hits", "precision_total")


class SplitAntecedents(MentionMeasure, frozen=True):
    """A chain measure in which a split antecedent is one more member of its chain.

    A split antecedent is the set of entities it is made of, down to those that are not plural
    themselves; chains with equal split antecedents are one. Key and response ones are matched
    one-to-one by the F1 of the same measure between their parts, and a match weighs δ instead of 1:
    the R of the parts in recall, their P in precision, their F1 in CEAF (Yu et al. 2021, Paun et
    al. 2022). MUC keeps δ of the link to a split antecedent where its chain is linked otherwise.

    Documents without split antecedents score as ever. BLANC is not offered: the scorer that
    introduced the extension leaves it unfinished.
    """

    card = MeasureCard(
        name="split_antecedents",
        title="Split antecedents",
        sentence="A chain measure that counts plural antecedents as members of their chains.",
        cites=("yu2021", "paun2022"),
    )
    metric: Metric = "muc"

    def tally(self, alignment: Alignment) -> Tally:
        values = _ordinary(self.metric, referring_only(alignment))
        plurals = [_plural_documents(c) for c in (alignment.key, alignment.response)]
        documents = np.union1d(*plurals).tolist()
        if documents:
            key, response = _Side.pair(alignment)
            for document in documents:
                values[document] = count(
                    self.metric, key.entities(document), response.entities(document)
                )
        return Tally(columns=_COLUMNS, values=values)


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


def _ordinary(metric: Metric, alignment: Alignment) -> Floats:
    """The four columns of the measure without split antecedents."""
    measure = cast(ChainMeasure, measures[metric]())
    tally = measure.tally(contingency(alignment))
    return np.stack([tally[column] for column in _COLUMNS], axis=1)


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
        for plural, element in zip(
            relations.plural.tolist(), relations.element.tolist(), strict=True
        ):
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
        a, b = places(mentions.document, document, document + 1)
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
    same = identity(corpus)
    return np.arange(len(corpus.mentions)) if same is None else same.astype(np.int64)
