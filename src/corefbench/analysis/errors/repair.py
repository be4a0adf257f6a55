"""The response with some classes of errors repaired, to be scored like any other response.

Operations are applied to a graph. Each response chain and each key chain is a node, each piece of
mentions that both have in one chain another. A piece hangs on its response chain unless it is split
off, and on its key chain if it is merged, or if the others are merged with it; a removed mention
goes; an introduced one hangs on its key chain. The chains of the repaired response are the
components. With all classes repaired they are the chains of the key.
"""

from collections.abc import Collection

import numpy as np
from msgspec.structs import replace

from corefbench.analysis.errors.error import CLASSES
from corefbench.analysis.errors.operations import Operations
from corefbench.model.assemble import concatenate, take_mentions
from corefbench.model.corpus import Chains, Corpus, Mentions, Relations
from corefbench.record import Columns, Flags, Longs

_KINDS = {kind: number for number, kind in enumerate(CLASSES["operations"])}


class Repairs(Columns, frozen=True, eq=False):
    """The operations as arrays. Nodes are the response chains, then the key chains, then the
    pieces; mentions are those of the response, then those of the key."""

    key: Corpus
    response: Corpus
    mentions: Mentions
    """Of both sides, documents counted on."""
    nodes: int
    up: Longs
    """For every piece its response chain …"""
    down: Longs
    """… and its key chain, as nodes."""
    split: Flags
    merged: Flags
    anchor: Flags
    """Which pieces the other parts of their key chain are merged with."""
    node: Longs
    """Where every mention hangs: on its piece, or on its chain if it has no twin."""
    twin: Longs
    """For every response mention its key mention as a mention of both sides, or -1."""
    kind: Longs
    """The class of the operation on every mention without a twin, -1 for all others."""

    def apply(self, kinds: Collection[str]) -> Corpus:
        """The response after the operations that belong to errors of the given classes.

        Bridging and split antecedents are left out.
        """
        fixed = np.zeros(len(_KINDS) + 1, np.bool_)
        fixed[[_KINDS[kind] for kind in kinds]] = True
        there = fixed[self.kind]
        ours = len(self.response.mentions)
        there[:ours] = ~there[:ours]
        rows = np.flatnonzero(there)
        chain = self._components("conflated-entities" in kinds, "divided-entity" in kinds)
        chains = chain[self.node[rows]]
        if "span-error" in kinds:  # those that a lenient rule matched get the key's span too
            twins = self.twin[rows[rows < ours]]
            rows[: len(twins)] = np.where(twins >= 0, twins, rows[: len(twins)])
        return _corpus(self.key, self.response, take_mentions(self.mentions, rows), chains)

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


def repairs(made: Operations) -> Repairs:
    """The operations laid out for repairing."""
    pair = made.pair
    key, response = pair.key.corpus, pair.response.corpus
    ours, chains = len(pair.response), len(pair.response.members)
    entities, pieces = len(pair.key.members), made.pieces
    number = {piece: chains + entities + place for place, piece in enumerate(pieces)}
    both = np.array(pieces, np.int64).reshape(-1, 2)
    node, kind = np.empty(ours + len(pair.key), np.int64), np.full(ours + len(pair.key), -1)
    kind[:ours][[*made.removed]] = [_KINDS[name] for name in made.removed.values()]
    kind[ours:][[*made.introduced]] = [_KINDS[name] for name in made.introduced.values()]
    twin = np.array(pair.twin_of_response, np.int64)
    for mention, (chain, other) in enumerate(zip(pair.response.chain, twin.tolist(), strict=True)):
        node[mention] = chain if other < 0 else number[chain, pair.key.chain[other]]
    node[ours:] = chains + np.array(pair.key.chain, np.int64)
    return Repairs(
        key=key,
        response=response,
        mentions=concatenate("both", [response, key]).mentions,
        nodes=chains + entities + len(pieces),
        up=both[:, 0],
        down=chains + both[:, 1],
        split=np.array([piece in made.split for piece in pieces], np.bool_),
        merged=np.array([piece in made.merged for piece in pieces], np.bool_),
        anchor=np.array([made.anchor.get(piece[1]) == piece for piece in pieces], np.bool_),
        node=node,
        twin=np.where(twin >= 0, ours + twin, -1),
        kind=kind,
    )


def _corpus(key: Corpus, response: Corpus, mentions: Mentions, chains: Longs) -> Corpus:
    """A corpus of these mentions in these chains, both in any order."""
    document = mentions.document % max(len(key), 1)
    order = np.lexsort((chains, -mentions.end, mentions.start, document))
    mentions, chains = take_mentions(mentions, order), chains[order]
    document = document[order].astype(np.int32)
    _, first, number = np.unique(chains, return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int32)
    rank[np.argsort(first)] = np.arange(len(first))
    return Corpus(
        name=response.name,
        documents=key.documents,
        tokens=response.tokens,
        mentions=replace(mentions, document=document, chain=rank[number]),
        chains=Chains(document=document[np.sort(first)], labels=np.arange(len(first))),
        relations=Relations.none(),
    )
