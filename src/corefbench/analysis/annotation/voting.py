"""Voting: which spans are mentions, and which mentions are linked.

1. A span is a mention if as many annotators mark it as the quorum for mentions asks for.
2. Two mentions are linked if as many annotators put them into one chain as the quorum for links
   asks for. Votes for: annotators with both in one chain. Votes against: with both in different
   chains. Who lacks one of the two abstains.
3. Links are not transitive, so they are taken in turn, those with the largest majority first (votes
   for − votes against, then votes for, then the number of mentions they link, then the order of the
   text). A link joins the chains of its two mentions unless that would put two mentions into one
   chain against the votes: more votes against than for, or, where ties are split, as many. So the
   result is a partition, and no two mentions are in one chain that the votes keep apart.

Spans that every annotator treats alike are one *piece* and go through all this together.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Literal, TypeAlias

import numpy as np

from corefbench.analysis.annotation.sheets import ABSENT, Sheet
from corefbench.errors import UsageError
from corefbench.record import Flags, Record

Ties: TypeAlias = Literal["split", "join"]
Group: TypeAlias = int | None


class Rule(Record, frozen=True):
    """How votes decide."""

    mentions: str = "majority"
    """any, majority, all or a number of annotators."""
    links: str = "majority"
    ties: Ties = "split"


class Piece(Record, frozen=True):
    """Spans of one sheet that every annotator treats alike: marked or not, and in which chain."""

    rows: tuple[int, ...]
    chains: tuple[int, ...]
    """The chain of each annotator; negative where not marked."""

    @property
    def votes(self) -> int:
        return sum(chain >= 0 for chain in self.chains)


def quorum(asked: str, voters: int) -> int:
    """How many votes of so many are enough.

    >>> [quorum(asked, 3) for asked in ("any", "majority", "all", "2")]
    [1, 2, 3, 2]
    """
    named = {"any": 1, "majority": voters // 2 + 1, "all": voters}
    if asked in named:
        return named[asked]
    if not asked.isdecimal() or not int(asked):
        raise UsageError(
            f"there is no quorum {asked!r}", expected="any, majority, all or a number from 1"
        )
    return int(asked)


def elected(sheet: Sheet, rule: Rule, answers: Mapping[int, bool]) -> Flags:
    """Which rows are mentions; ``answers`` are a person's, by row."""
    votes, voters = (sheet.chains >= 0).sum(axis=1), (sheet.chains > ABSENT).sum(axis=1)
    enough = np.array([quorum(rule.mentions, n) for n in voters.tolist()], np.int64)
    keep: Flags = votes >= enough
    for row, kept in answers.items():
        keep[row] = kept
    return keep


def pieces(sheet: Sheet) -> list[Piece]:
    """The pieces of a sheet, in the order of their first spans."""
    found: dict[tuple[int, ...], list[int]] = {}
    for row, chains in enumerate(map(tuple, sheet.chains.tolist())):
        found.setdefault(chains, []).append(row)
    return [Piece(rows=tuple(rows), chains=chains) for chains, rows in found.items()]


def families(some: Sequence[Piece]) -> list[list[int]]:
    """The numbers of pieces that any annotator's chains connect, directly or by others."""
    owner: dict[tuple[int, int], int] = {}
    above = list(range(len(some)))

    def top(number: int) -> int:
        while above[number] != number:
            above[number] = above[above[number]]
            number = above[number]
        return number

    for number, piece in enumerate(some):
        for key in _marked(piece):
            a, b = top(owner.setdefault(key, number)), top(number)
            above[max(a, b)] = min(a, b)
    made: dict[int, list[int]] = {}
    for number in range(len(some)):
        made.setdefault(top(number), []).append(number)
    return list(made.values())


def votes_on(a: Piece, b: Piece) -> tuple[int, int, int]:
    """Votes for a link between two pieces, votes against it, and voters."""
    pairs = list(zip(a.chains, b.chains, strict=True))
    together = sum(x == y >= 0 for x, y in pairs)
    both = sum(x >= 0 and y >= 0 for x, y in pairs)
    return together, both - together, sum(x > ABSENT and y > ABSENT for x, y in pairs)


class _Cluster:
    """A chain in the making: its rows, the pieces they are of, and the group a person gave it."""

    def __init__(self, rows: Iterable[int], piece: Piece, group: Group) -> None:
        self.rows = list(rows)
        self.pieces = [piece]
        self.group = group

    def may_join(self, other: "_Cluster", ties: Ties) -> bool:
        """Whether no two mentions would come together against the votes, or a person's answer."""
        if self.group is not None and other.group is not None and self.group != other.group:
            return False
        return not any(
            _is_denied(one, another, ties) for one in self.pieces for another in other.pieces
        )

    def take(self, other: "_Cluster") -> None:
        self.rows += other.rows
        self.pieces += other.pieces
        self.group = other.group if self.group is None else self.group


def _is_denied(one: Piece, other: Piece, ties: Ties) -> bool:
    together, apart, _ = votes_on(one, other)
    return apart > together or (ties == "split" and apart == together > 0)


def cluster(
    family: Sequence[Piece], keep: Flags, rule: Rule, groups: Sequence[Group] | None = None
) -> list[list[int]]:
    """The chains, as rows, of the kept spans of a family.

    ``groups`` is a person's answer: pieces of one group are one chain and stay apart from those of
    other groups; None leaves a piece to the votes.
    """
    answers = groups or [None] * len(family)
    clusters: list[_Cluster] = []
    at: list[int | None] = []
    of_group: dict[int, int] = {}
    for piece, group in zip(family, answers, strict=True):
        rows = [row for row in piece.rows if keep[row]]
        voters = sum(chain > ABSENT for chain in piece.chains)
        linked = piece.votes >= quorum(rule.links, voters)
        if group is not None and rows and group in of_group:
            at.append(of_group[group])
            clusters[of_group[group]].take(_Cluster(rows, piece, group))
        elif rows and (group is not None or linked):
            at.append(len(clusters))
            if group is not None:
                of_group[group] = len(clusters)
            clusters.append(_Cluster(rows, piece, group))
        else:  # nothing is left of it, or not enough votes to link it with anything
            at.append(None)
            clusters += [_Cluster([row], piece, None) for row in rows]
    _join(clusters, at, _links(family, at, rule), rule.ties)
    return sorted(sorted(one.rows) for one in clusters if one.rows)


def _links(family: Sequence[Piece], at: Sequence[int | None], rule: Rule) -> list[tuple[int, int]]:
    """The pairs of pieces with enough votes, the largest majority first."""
    made = []
    shared: dict[tuple[int, int], list[int]] = {}
    for number, piece in enumerate(family):
        if at[number] is not None:
            for key in _marked(piece):
                shared.setdefault(key, []).append(number)
    met = {pair for numbers in shared.values() for pair in combinations(numbers, 2)}
    for a, b in met:
        together, apart, voters = votes_on(family[a], family[b])
        if together >= quorum(rule.links, voters):
            size = len(family[a].rows) * len(family[b].rows)
            made.append((apart - together, -together, -size, a, b))
    return [(a, b) for *_, a, b in sorted(made)]


def _join(
    clusters: Sequence[_Cluster],
    at: Sequence[int | None],
    links: Sequence[tuple[int, int]],
    ties: Ties,
) -> None:
    where = dict(enumerate(at))
    for a, b in links:
        one, other = where[a], where[b]
        if one is None or other is None or one == other:
            continue
        if clusters[one].may_join(clusters[other], ties):
            clusters[one].take(clusters[other])
            clusters[other].rows = []
            where.update({piece: one for piece, place in where.items() if place == other})


def _marked(piece: Piece) -> list[tuple[int, int]]:
    return [(annotator, chain) for annotator, chain in enumerate(piece.chains) if chain >= 0]
