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
from corefbench.records import Columns, Flags, Longs, Record
from corefbench.scoring.measures import parse
from corefbench.scoring.measures.base import ChainMeasure
from corefbench.scoring.pipeline import score_streams
from corefbench.scoring.profiles import Profile

_CLASS_NUMBERS = {kind: number for number, kind in enumerate(CLASSES["operations"])}


class Repairs(Columns, frozen=True, eq=False):
    """The operations as arrays.

    Nodes are the response chains, then the key chains, then the pieces; mentions are those of the
    response, then those of the key.
    """

    key: Corpus
    response: Corpus
    mentions: Mentions
    """The mentions of both sides; documents of the key are numbered after those of the response."""
    nodes: int
    up: Longs
    """For every piece its response chain …"""
    down: Longs
    """… and its key chain, as nodes."""
    split: Flags
    merged: Flags
    anchor: Flags
    """Flags of the pieces that the other parts of their key chain are merged with."""
    node: Longs
    """The node of every mention: its piece, or its chain if it has no twin."""
    twin: Longs
    """For every response mention its key mention as a mention of both sides, or -1."""
    kind: Longs
    """The class of the operation on every mention without a twin, -1 for all others."""

    def apply(self, kinds: Collection[str]) -> Corpus:
        """Apply the operations that belong to errors of the given classes to the response.

        Bridging and split antecedents are dropped.
        """
        fixed = np.zeros(len(_CLASS_NUMBERS) + 1, np.bool_)
        fixed[[_CLASS_NUMBERS[kind] for kind in kinds]] = True
        # Mentions of the response are present unless removed, those of the key only if introduced.
        is_present = fixed[self.kind]
        response_mentions = len(self.response.mentions)
        is_present[:response_mentions] = ~is_present[:response_mentions]
        rows = np.flatnonzero(is_present)
        chain = self._components("conflated-entities" in kinds, "divided-entity" in kinds)
        chains = chain[self.node[rows]]
        if "span-error" in kinds:  # those that a lenient rule matched get the key's span too
            twins = self.twin[rows[rows < response_mentions]]
            rows[: len(twins)] = np.where(twins >= 0, twins, rows[: len(twins)])
        return _build_corpus(self.key, self.response, take_mentions(self.mentions, rows), chains)

    def _components(self, splits: bool, merges: bool) -> Longs:
        from scipy.sparse import coo_matrix
        from scipy.sparse.csgraph import connected_components

        piece = self.nodes - len(self.up) + np.arange(len(self.up))
        above = ~self.split if splits else np.ones_like(self.split)
        below = self.anchor | self.merged if merges else self.anchor
        rows = np.concatenate([piece[above], piece[below]])
        columns = np.concatenate([self.up[above], self.down[below]])
        links = (np.ones(len(rows), np.int8), (rows, columns))
        graph = coo_matrix(links, shape=(self.nodes, self.nodes))
        return np.asarray(connected_components(graph, directed=False)[1], np.int64)


def plan_repairs(operations: Operations) -> Repairs:
    """Lay out the operations as a graph."""
    pair = operations.pair
    key, response = pair.key.corpus, pair.response.corpus
    response_mentions, chains = len(pair.response), len(pair.response.members)
    entities, pieces = len(pair.key.members), operations.pieces
    piece_node = {piece: chains + entities + index for index, piece in enumerate(pieces)}
    both = np.array(pieces, np.int64).reshape(-1, 2)
    count = response_mentions + len(pair.key)
    node, kind = np.empty(count, np.int64), np.full(count, -1)
    kind[:response_mentions][[*operations.removed]] = [_CLASS_NUMBERS[name] for name in operations.removed.values()]
    kind[response_mentions:][[*operations.introduced]] = [
        _CLASS_NUMBERS[name] for name in operations.introduced.values()
    ]
    twin = np.array(pair.twin_of_response, np.int64)
    for mention, (chain, other) in enumerate(zip(pair.response.chain, twin.tolist(), strict=True)):
        node[mention] = chain if other < 0 else piece_node[chain, pair.key.chain[other]]
    node[response_mentions:] = chains + np.array(pair.key.chain, np.int64)
    return Repairs(
        key=key,
        response=response,
        mentions=concatenate("both", [response, key]).mentions,
        nodes=chains + entities + len(pieces),
        up=both[:, 0],
        down=chains + both[:, 1],
        split=np.array([piece in operations.split for piece in pieces], np.bool_),
        merged=np.array([piece in operations.merged for piece in pieces], np.bool_),
        anchor=np.array([operations.anchor.get(piece[1]) == piece for piece in pieces], np.bool_),
        node=node,
        twin=np.where(twin >= 0, response_mentions + twin, -1),
        kind=kind,
    )


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
    profile, response = _chain_measures(profile), plan_repairs(operations)

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
