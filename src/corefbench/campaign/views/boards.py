"""Leaderboards and their exports."""

from collections.abc import Iterator
from typing import Any

from corefbench.campaign.domain.visibility import can_see_board
from corefbench.campaign.leaderboard import (
    ALPHA,
    CONFIDENCE,
    EXPORT_FORMATS,
    MEDIA_TYPES,
    SAMPLES,
    Board,
    build_board,
    export_board,
)
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.settings import is_published
from corefbench.campaign.views.auth import Visitor
from corefbench.errors import UnknownName
from corefbench.web.pages import Page, Query
from corefbench.web.responses import FileContent

_PREVIEW_ROWS = 3
"""Lines of each board on the page of all boards."""


def board_page(platform: Platform, visitor: Visitor, query: Query) -> Page:
    """Show a board, or when there will be one."""
    campaign = platform.campaign
    phase, task = campaign.phase(query["phase"]), campaign.task(query["task"])
    phase.data_of(task.name)
    with platform.database.read() as connection:
        published = is_published(connection, phase.name)
    board = None
    if can_see_board(visitor.role, phase, platform.clock(), published=published):
        board = api_board(platform, visitor, query)
    return Page(
        template="board.html",
        title=f"{task.title}, {phase.title}",
        model={"phase": phase, "board": board, "confidence": CONFIDENCE, "alpha": ALPHA, "samples": SAMPLES},
    )


def boards_page(platform: Platform, visitor: Visitor, query: Query) -> Page:
    """Show the first lines of all boards."""
    model = {"phases": list(_phase_boards(platform, visitor)), "first": _PREVIEW_ROWS}
    return Page(template="boards.html", title="Boards", model=model)


def board_file(platform: Platform, visitor: Visitor, query: Query) -> FileContent:
    """Return a board as a file: ``tex``, ``csv``, ``md`` or ``json``."""
    kind = query["kind"]
    if kind not in EXPORT_FORMATS:
        raise UnknownName("export", kind, list(EXPORT_FORMATS))
    board = api_board(platform, visitor, query)
    return FileContent(
        body=export_board(board, kind).encode(),
        media_type=MEDIA_TYPES[kind],
        name=f"{platform.campaign.name}-{query['phase']}-{query['task']}.{kind}",
    )


def api_board(platform: Platform, visitor: Visitor, query: Query) -> Board:
    """The board of a task in a phase."""
    return build_board(platform, query["phase"], query["task"], role=visitor.role, team=visitor.team)


def _phase_boards(platform: Platform, visitor: Visitor) -> Iterator[dict[str, Any]]:
    """Yield the boards of each phase; none while they may not be seen."""
    now = platform.clock()
    with platform.database.read() as connection:
        published = {phase.name: is_published(connection, phase.name) for phase in platform.campaign.phases}
    for phase in platform.campaign.phases:
        is_visible = can_see_board(visitor.role, phase, now, published=published[phase.name])
        boards = tuple(
            build_board(platform, phase.name, data.task, role=visitor.role, team=visitor.team)
            for data in (phase.data if is_visible else ())
        )
        yield {"phase": phase, "published": published[phase.name], "boards": boards}
