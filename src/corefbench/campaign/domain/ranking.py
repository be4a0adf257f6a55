"""The order of systems.

Of every team one submission counts: its best, or its last. Systems with equal scores share a rank
and the next rank is as much lower (1, 2, 2, 4); among equals the earlier submission stands first.
"""

from collections.abc import Iterable
from datetime import datetime

from corefbench.campaign.domain.definition import Rule
from corefbench.record import Record

_ROUNDING = 1e-12


class Entry(Record, frozen=True):
    """A scored submission."""

    submission: str
    team: str
    score: float
    arrived: datetime


class Ranked(Record, frozen=True):
    """An entry with its rank, from 1."""

    rank: int
    entry: Entry


def counted(entries: Iterable[Entry], rule: Rule) -> list[Entry]:
    """One entry a team: its best (of equals the earlier), or its last."""
    chosen: dict[str, Entry] = {}
    for entry in sorted(entries, key=lambda entry: (entry.arrived, entry.submission)):
        before = chosen.get(entry.team)
        if before is None or rule == "last" or entry.score > before.score + _ROUNDING:
            chosen[entry.team] = entry
    return list(chosen.values())


def ranked(entries: Iterable[Entry], rule: Rule) -> list[Ranked]:
    """The board, best first."""
    order = sorted(
        counted(entries, rule),
        key=lambda entry: (-entry.score, entry.arrived, entry.submission),
    )
    board: list[Ranked] = []
    for place, entry in enumerate(order, start=1):
        equal = board and board[-1].entry.score - entry.score <= _ROUNDING
        board.append(Ranked(rank=board[-1].rank if equal else place, entry=entry))
    return board
