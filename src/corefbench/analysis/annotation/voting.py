"""Voting: which spans are mentions, and which mentions are linked.

1. A span is a mention if as many annotators mark it as the quorum for mentions asks for.
2. Two mentions are linked if as many annotators put them into one chain as the quorum for links
   asks for. Votes for: annotators with both in one chain. Votes against: with both in different
   chains. Who lacks one of the two abstains.
3. Links are not transitive, so they are applied one by one, those with the largest majority first
   (votes for − votes against, then votes for, then the number of mentions they link, then the order
   of the text). A link joins the chains of its two mentions unless that would put two mentions into
   one chain against the votes: more votes against than for, or, if ties are split, as many. So the
   result is a partition, and no two mentions that the votes separate are in one chain.

Spans that every annotator treats alike form one *piece* and are handled together.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations, product
from typing import Literal, TypeAlias

import numpy as np

from corefbench.analysis.annotation.annotations import ABSENT, SpanTable
from corefbench.errors import UsageError
from corefbench.records import Flags, Record

Ties: TypeAlias = Literal["split", "join"]
Group: TypeAlias = int | None


class Rule(Record, frozen=True):
    """The quorums for mentions and links, and how ties are decided."""

    mentions: str = "majority"
    """any, majority, all or a number of annotators."""
    links: str = "majority"
    ties: Ties = "split"


class Piece(Record, frozen=True):
    """Spans of one table that every annotator treats alike: marked or not, and in which chain."""

    rows: tuple[int, ...]
    chains: tuple[int, ...]
    """The chain of each annotator; negative where not marked."""

    @property
    def marked(self) -> list[tuple[int, int]]:
        """The annotators who mark it, each with the chain."""
        return [(annotator, chain) for annotator, chain in enumerate(self.chains) if chain >= 0]


def required_votes(quorum: str, voters: int) -> int:
    """Return the number of votes that a quorum requires.

    >>> [required_votes(asked, 3) for asked in ("any", "majority", "all", "2")]
    [1, 2, 3, 2]
    """
    named = {"any": 1, "majority": voters // 2 + 1, "all": voters}
    if quorum in named:
        return named[quorum]
    if not quorum.isdecimal() or not int(quorum):
        raise UsageError(f"there is no quorum {quorum!r}", expected="any, majority, all or a number from 1")
    return int(quorum)


def elect_mentions(table: SpanTable, rule: Rule, answers: Mapping[int, bool]) -> Flags:
    """Flag the rows that are mentions; ``answers`` are the adjudicator's decisions by row."""
    votes, voters = (table.chains >= 0).sum(axis=1), (table.chains > ABSENT).sum(axis=1)
    enough = np.array([required_votes(rule.mentions, n) for n in voters.tolist()], np.int64)
    keep: Flags = votes >= enough
    for row, kept in answers.items():
        keep[row] = kept
    return keep


def connect_pieces(table: SpanTable) -> list[tuple[Piece, ...]]:
    """Return the pieces of a table in families: those that chains of any annotator connect, directly or not.

    Families and pieces are in the order of their first spans.
    """
    rows_by_chains: dict[tuple[int, ...], list[int]] = {}
    for row, chains in enumerate(map(tuple, table.chains.tolist())):
        rows_by_chains.setdefault(chains, []).append(row)
    pieces = [Piece(rows=tuple(rows), chains=chains) for chains, rows in rows_by_chains.items()]
    # Union-find with path halving; the root of a family is its first piece.
    owner: dict[tuple[int, int], int] = {}
    parent = list(range(len(pieces)))

    def top(number: int) -> int:
        while parent[number] != number:
            parent[number] = parent[parent[number]]
            number = parent[number]
        return number

    for number, piece in enumerate(pieces):
        for key in piece.marked:
            a, b = top(owner.setdefault(key, number)), top(number)
            parent[max(a, b)] = min(a, b)
    families: dict[int, list[Piece]] = {}
    for number, piece in enumerate(pieces):
        families.setdefault(top(number), []).append(piece)
    return [tuple(family) for family in families.values()]


def count_votes(a: Piece, b: Piece) -> tuple[int, int, int]:
    """Count the votes for and against a link between two pieces, and the voters."""
    pairs = list(zip(a.chains, b.chains, strict=True))
    together = sum(x == y >= 0 for x, y in pairs)
    both = sum(x >= 0 and y >= 0 for x, y in pairs)
    return together, both - together, sum(x > ABSENT and y > ABSENT for x, y in pairs)


class _Cluster:
    """A chain under construction: its rows, their pieces, and the adjudicator's group."""

    def __init__(self, rows: Iterable[int], piece: Piece, group: Group) -> None:
        self.rows = list(rows)
        self.pieces = [piece]
        self.group = group

    def may_join(self, other: "_Cluster", ties: Ties) -> bool:
        """Whether the clusters may be joined under the votes and the adjudicator's decisions."""
        if self.group is not None and other.group is not None and self.group != other.group:
            return False
        for one, another in product(self.pieces, other.pieces):
            together, apart, _ = count_votes(one, another)
            if apart > together or (ties == "split" and apart == together > 0):
                return False
        return True

    def take(self, other: "_Cluster") -> None:
        self.rows += other.rows
        self.pieces += other.pieces
        self.group = other.group if self.group is None else self.group


def cluster_pieces(
    family: Sequence[Piece], keep: Flags, rule: Rule, groups: Sequence[Group] | None = None
) -> list[list[int]]:
    """Return the chains, as rows, of the kept spans of a family.

    ``groups`` is the adjudicator's decision: pieces of one group are one chain and stay apart from
    those of other groups; None leaves a piece to the votes.
    """
    clusters: list[_Cluster] = []
    cluster_of: dict[int, _Cluster] = {}
    of_group: dict[int, _Cluster] = {}
    for number, (piece, group) in enumerate(zip(family, groups or [None] * len(family), strict=True)):
        rows = [row for row in piece.rows if keep[row]]
        voters = sum(chain > ABSENT for chain in piece.chains)
        if group is None and len(piece.marked) < required_votes(rule.links, voters):
            # Not enough votes to link it with anything.
            clusters += [_Cluster([row], piece, None) for row in rows]
        elif rows:
            cluster = _Cluster(rows, piece, group)
            if group is not None and group in of_group:
                of_group[group].take(cluster)
                cluster = of_group[group]
            else:
                clusters.append(cluster)
            if group is not None:
                of_group[group] = cluster
            cluster_of[number] = cluster
    for a, b in _find_links(family, cluster_of, rule):
        one, other = cluster_of[a], cluster_of[b]
        if one is not other and one.may_join(other, rule.ties):
            one.take(other)
            other.rows = []
            cluster_of.update({number: one for number, cluster in cluster_of.items() if cluster is other})
    return sorted(sorted(cluster.rows) for cluster in clusters if cluster.rows)


def _find_links(family: Sequence[Piece], linkable: Collection[int], rule: Rule) -> list[tuple[int, int]]:
    """Return the pairs of linkable pieces with enough votes, the largest majority first."""
    ranked = []
    shared: dict[tuple[int, int], list[int]] = {}
    for number in linkable:
        for key in family[number].marked:
            shared.setdefault(key, []).append(number)
    # Only pairs that some annotator links can have enough votes.
    pairs = {pair for numbers in shared.values() for pair in combinations(numbers, 2)}
    for a, b in pairs:
        together, apart, voters = count_votes(family[a], family[b])
        if together >= required_votes(rule.links, voters):
            size = len(family[a].rows) * len(family[b].rows)
            ranked.append((apart - together, -together, -size, a, b))
    return [(a, b) for *_, a, b in sorted(ranked)]
