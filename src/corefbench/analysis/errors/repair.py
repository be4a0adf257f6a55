"""What a response would score if a class of its errors were repaired: scored, not estimated.

Operations are applied to a graph. Its nodes are the response chains, the key chains, and the pieces
(mentions that are in one chain on both sides). A piece is connected to its response chain unless it
is split off, and to its key chain if it is merged, or if the others are merged with it; a removed
mention is dropped; an introduced one is connected to its key chain. The connected components are
the chains of the repaired response. With all classes repaired they are the chains of the key.
"""

from collections.abc import Collection, Mapping

import numpy as np
from msgspec.structs import replace

from corefbench.analysis.errors.operations import Operations
from corefbench.analysis.errors.taxonomy import CLASSES
from corefbench.corpus.arrays import number_by_appearance
from corefbench.corpus.combine import concatenate, take_mentions
from corefbench.corpus.corpus import Chains, Corpus, Mentions, Relations
from corefbench.records import Longs, Record
from corefbench.scoring.measures import parse
from corefbench.scoring.measures.base import ChainMeasure
from corefbench.scoring.pipeline import score_streams
from corefbench.scoring.profiles import Profile

_CLASS_NUMBERS = {kind: number for number, kind in enumerate(CLASSES["operations"])}


class Repairs:
    """The operations as a graph in arrays.

    Nodes are the response chains, then the key chains, then the pieces; mentions are those of the
    response, then those of the key.
    """

    def __init__(self, operations: Operations) -> None:
        pair, pieces = operations.pair, operations.pieces
        self._key, self._response = pair.key.corpus, pair.response.corpus
        # Documents of the key are numbered after those of the response.
        self._mentions = concatenate("both", [self._response, self._key]).mentions
        response_mentions, chains, entities = len(pair.response), len(pair.response.members), len(pair.key.members)
        self._nodes = chains + entities + len(pieces)
        # For every piece its response chain and its key chain, as nodes.
        both = np.array(pieces, np.int64).reshape(-1, 2)
        self._up, self._down = both[:, 0], chains + both[:, 1]
        self._split = np.array([piece in operations.split for piece in pieces], np.bool_)
        self._merged = np.array([piece in operations.merged for piece in pieces], np.bool_)
        # The pieces that the other parts of their key chain are merged with.
        self._anchor = np.array([operations.anchor.get(piece[1]) == piece for piece in pieces], np.bool_)
        # For every response mention its key mention as a mention of both sides, or -1.
        twin = np.array(pair.twin_of_response, np.int64)
        self._twin = np.where(twin >= 0, response_mentions + twin, -1)
        # The class of the operation on every mention without a twin, -1 for all others.
        self._kind = np.full(response_mentions + len(pair.key), -1)
        for mention, kind in operations.removed.items():
            self._kind[mention] = _CLASS_NUMBERS[kind]
        for mention, kind in operations.introduced.items():
            self._kind[response_mentions + mention] = _CLASS_NUMBERS[kind]
        # The node of every mention: its piece, or its chain if it has no twin.
        piece_node = {piece: chains + entities + index for index, piece in enumerate(pieces)}
        self._node = np.empty(len(self._kind), np.int64)
        for mention, (chain, other) in enumerate(zip(pair.response.chain, twin.tolist(), strict=True)):
            self._node[mention] = chain if other < 0 else piece_node[chain, pair.key.chain[other]]
        self._node[response_mentions:] = chains + np.array(pair.key.chain, np.int64)

    def apply(self, kinds: Collection[str]) -> Corpus:
        """Apply the operations that belong to errors of the given classes to the response.

        Bridging and split antecedents are dropped.
        """
        # One entry more: class -1, no operation, indexes the last, which is never fixed.
        fixed = np.zeros(len(_CLASS_NUMBERS) + 1, np.bool_)
        fixed[[_CLASS_NUMBERS[kind] for kind in kinds]] = True
        # Mentions of the response are present unless removed, those of the key only if introduced.
        is_present = fixed[self._kind]
        response_mentions = len(self._response.mentions)
        is_present[:response_mentions] = ~is_present[:response_mentions]
        rows = np.flatnonzero(is_present)
        chain = self._components("conflated-entities" in kinds, "divided-entity" in kinds)
        chains = chain[self._node[rows]]
        if "span-error" in kinds:  # those that a lenient rule matched get the key's span too
            twins = self._twin[rows[rows < response_mentions]]
            rows[: len(twins)] = np.where(twins >= 0, twins, rows[: len(twins)])
        return _build_corpus(self._key, self._response, take_mentions(self._mentions, rows), chains)

    def _components(self, splits: bool, merges: bool) -> Longs:
        from scipy.sparse import coo_matrix
        from scipy.sparse.csgraph import connected_components

        piece = self._nodes - len(self._up) + np.arange(len(self._up))
        above = ~self._split if splits else np.ones_like(self._split)
        below = self._anchor | self._merged if merges else self._anchor
        rows = np.concatenate([piece[above], piece[below]])
        columns = np.concatenate([self._up[above], self._down[below]])
        links = (np.ones(len(rows), np.int8), (rows, columns))
        graph = coo_matrix(links, shape=(self._nodes, self._nodes))
        return np.asarray(connected_components(graph, directed=False)[1], np.int64)


def _build_corpus(key: Corpus, response: Corpus, mentions: Mentions, chains: Longs) -> Corpus:
    """Build a corpus of mentions in chains, both in any order."""
    # Documents of the key are numbered after those of the response.
    document = mentions.document % max(len(key), 1)
    order = np.lexsort((chains, -mentions.end, mentions.start, document))
    mentions, chains = take_mentions(mentions, order), chains[order]
    document = document[order].astype(np.int32)
    first, number = number_by_appearance(chains)
    return Corpus(
        name=response.name,
        documents=key.documents,
        tokens=response.tokens,
        mentions=replace(mentions, document=document, chain=number),
        chains=Chains(document=document[first], labels=np.arange(len(first))),
        relations=Relations.none(),
    )


class RepairScore(Record, frozen=True):
    """F1 by score after the repair of a class of errors."""

    kind: str
    """The class of errors that is repaired, ``none``, or ``all``."""
    errors: int
    alone: Mapping[str, float]
    """With this class repaired and nothing else."""
    together: Mapping[str, float]
    """With this class and all before it in the order of the operations repaired."""


def score_repairs(operations: Operations, profile: Profile) -> list[RepairScore]:
    """Score the response with nothing, each class, and all classes repaired."""
    profile, response = _chain_measures(profile), Repairs(operations)

    def f1(*kinds: str) -> Mapping[str, float]:
        return _f1_scores(operations.pair.key.corpus, response.apply(kinds), profile)

    counts = dict.fromkeys(CLASSES["operations"], 0)
    for error in operations.errors:
        counts[error.kind] += 1
    before = f1()
    rows = [RepairScore(kind="none", errors=0, alone=before, together=before)]
    for index, (kind, count) in enumerate(counts.items()):
        if count:
            f1_alone, f1_together = f1(kind), f1(*list(counts)[: index + 1])
        else:
            f1_alone, f1_together = before, rows[-1].together
        rows.append(RepairScore(kind=kind, errors=count, alone=f1_alone, together=f1_together))
    f1_all = f1(*counts)
    total = sum(counts.values())
    return [*rows, RepairScore(kind="all", errors=total, alone=f1_all, together=f1_all)]


def _f1_scores(key: Corpus, response: Corpus, profile: Profile) -> dict[str, float]:
    result = score_streams([key], [response], profile)
    scores = {name: score.f1 for name, score in result.scores.items()}
    return scores if result.conll is None else {"conll": result.conll.f1, **scores}


def _chain_measures(profile: Profile) -> Profile:
    """Reduce a profile to chain measures, for corpora that are already joined and stripped."""
    kept = {
        name: text
        for name, text in profile.measures.items()
        if (isinstance(parse(text), ChainMeasure) or text == "mentions") and not _keeps_singletons(profile, name)
    }
    kept = kept or {"muc": "muc"}  # some measure must show whether the chains are correct
    return replace(profile, measures=kept, scope="document", repeat_limit="none")


def _keeps_singletons(profile: Profile, score: str) -> bool:
    """Whether a score counts singletons that the profile strips for all others."""
    own_choice, profile_choice = profile.choices_of(score).singletons, profile.choices.singletons
    return profile_choice not in ("keep", own_choice)
