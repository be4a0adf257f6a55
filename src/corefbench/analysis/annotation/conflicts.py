"""Conflicts: what annotators do not say alike, as questions that a person can answer.

A *mention* conflict is a span that some mark and others do not. A *chains* conflict is a family of
pieces, spans that every annotator treats alike, of which one annotator says that they belong
together and another that they do not. Families are disjoint, so no two answers can contradict each
other.
"""

from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

from corefbench.analysis.annotation.sheets import ABSENT, UNMARKED, Sheet, Spot
from corefbench.analysis.annotation.voting import Piece, families, pieces
from corefbench.record import Record

Kind: TypeAlias = Literal["mention", "chains"]
Grouping: TypeAlias = tuple[int | None, ...]
"""The group of each piece; None where it is left open."""


class Conflict(Record, frozen=True):
    """One question."""

    number: int
    """Counted from 1 over all documents, in the order of the text."""
    kind: Kind
    document: str
    spots: tuple[tuple[Spot, ...], ...]
    """The spans of each piece; of a mention conflict, the one span."""
    says: tuple[Grouping, ...]
    """For each annotator, the chain of each piece, numbered from 1; None where not marked."""
    absent: tuple[int, ...] = ()
    """Annotators who do not have the document."""
    rule: str = ""
    """What the rule decides: keep or drop, or the pieces of each chain, such as ``1 3 | 2``."""
    decision: str = ""
    """What a person decided, if anything; it is then what was done."""


class Question(Record, frozen=True):
    """A conflict before it has a number: the rows of the sheet that it is about."""

    kind: Kind
    family: tuple[Piece, ...]


def questions(sheet: Sheet) -> Iterator[Question]:
    """The conflicts of one sheet: mentions first, then chains, each in the order of the text."""
    for row, chains in enumerate(sheet.chains.tolist()):
        if UNMARKED in chains:
            yield Question(kind="mention", family=(Piece(rows=(row,), chains=tuple(chains)),))
    for family in disputed(pieces(sheet)):
        yield Question(kind="chains", family=family)


def disputed(some: Sequence[Piece]) -> Iterator[tuple[Piece, ...]]:
    """The families in which there is a link that one annotator draws and another denies."""
    for numbers in families(some):
        family = tuple(some[number] for number in numbers)
        if len(family) > 1 and _is_disputed(family):
            yield family


def _is_disputed(family: Sequence[Piece]) -> bool:
    """Whether some chain of one annotator has pieces of several chains of another."""
    annotators = range(len(family[0].chains))
    for one in annotators:
        seen: dict[tuple[int, int], int] = {}
        for piece in family:
            mine = piece.chains[one]
            for other in annotators:
                theirs = piece.chains[other]
                if mine >= 0 and theirs >= 0 and seen.setdefault((mine, other), theirs) != theirs:
                    return True
    return False


def as_conflict(sheet: Sheet, question: Question, number: int, rule: str) -> Conflict:
    """A question with its number, its spans, and what the rule says."""
    family = question.family
    columns = list(zip(*(piece.chains for piece in family), strict=True))
    return Conflict(
        number=number,
        kind=question.kind,
        document=sheet.label,
        spots=tuple(tuple(sheet.spots[row] for row in piece.rows) for piece in family),
        says=tuple(map(_numbered, columns)),
        absent=tuple(n for n, column in enumerate(columns) if all(c == ABSENT for c in column)),
        rule=rule,
    )


def _numbered(chains: Sequence[int]) -> Grouping:
    """Chains numbered from 1 in the order in which they are met.

    >>> _numbered([7, -1, 4, 7])
    (1, None, 2, 1)
    """
    known: dict[int, int] = {}
    return tuple(None if c < 0 else known.setdefault(c, len(known) + 1) for c in chains)


def written(grouping: Sequence[int | None]) -> str:
    """A grouping as a person writes it: pieces counted from 1; those left open are not named.

    >>> written([1, 2, 1, None])
    '1 3 | 2'
    """
    groups: dict[int, list[str]] = {}
    for number, group in enumerate(grouping, 1):
        if group is not None:
            groups.setdefault(group, []).append(str(number))
    return " | ".join(map(" ".join, groups.values()))
