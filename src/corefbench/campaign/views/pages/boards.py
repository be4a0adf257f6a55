"""Every board there is, and what is on those that may be seen."""

from collections.abc import Iterator

from corefbench.campaign.board import Board
from corefbench.campaign.domain.definition import Phase
from corefbench.campaign.domain.visibility import sees_board
from corefbench.campaign.platform import Platform
from corefbench.campaign.standings import standings
from corefbench.campaign.storage.settings import is_published
from corefbench.campaign.views.access import Visitor
from corefbench.record import Record
from corefbench.web.page import Page, Query

_FIRST = 3
"""Lines of a board that the page shows."""


class PhaseBoards(Record, frozen=True):
    """The boards of a phase; none where they are not shown yet."""

    phase: Phase
    published: bool
    boards: tuple[Board, ...]


class Boards(Record, frozen=True):
    """What the page says."""

    phases: tuple[PhaseBoards, ...]
    first: int = _FIRST


def view(platform: Platform, visitor: Visitor, query: Query) -> Page:
    """All phases, in their order."""
    model = Boards(phases=tuple(_phases(platform, visitor)))
    return Page(template="boards.html", title="Boards", model=model)


def _phases(platform: Platform, visitor: Visitor) -> Iterator[PhaseBoards]:
    now = platform.clock()
    with platform.database.read() as connection:
        published = {p.name: is_published(connection, p.name) for p in platform.campaign.phases}
    for phase in platform.campaign.phases:
        seen = sees_board(visitor.role, phase, now, published=published[phase.name])
        boards = [
            standings(platform, phase.name, data.task, role=visitor.role, team=visitor.team)
            for data in (phase.data if seen else ())
        ]
        yield PhaseBoards(phase=phase, published=published[phase.name], boards=tuple(boards))
