"""The board of a task in a phase."""

from corefbench.campaign.board import Board
from corefbench.campaign.confidence import ALPHA, CONFIDENCE, SAMPLES
from corefbench.campaign.domain.definition import Phase
from corefbench.campaign.domain.visibility import sees_board
from corefbench.campaign.exports import EXPORTS
from corefbench.campaign.platform import Platform
from corefbench.campaign.standings import standings
from corefbench.campaign.storage.settings import is_published
from corefbench.campaign.views.access import Visitor
from corefbench.record import Record
from corefbench.web.page import Page, Query


class BoardPage(Record, frozen=True):
    """What the page says."""

    phase: Phase
    task: str
    title: str
    board: Board | None
    """None where it is not shown yet."""
    exports: tuple[str, ...] = EXPORTS
    confidence: float = CONFIDENCE
    alpha: float = ALPHA
    samples: int = SAMPLES


def view(platform: Platform, visitor: Visitor, query: Query) -> Page:
    """The board, or when there will be one."""
    campaign = platform.campaign
    phase, task = campaign.phase(query["phase"]), campaign.task(query["task"])
    phase.data_of(task.name)
    with platform.database.read() as connection:
        published = is_published(connection, phase.name)
    seen = sees_board(visitor.role, phase, platform.clock(), published=published)
    board = (
        standings(platform, phase.name, task.name, role=visitor.role, team=visitor.team)
        if seen
        else None
    )
    return Page(
        template="board.html",
        title=f"{task.title}, {phase.title}",
        model=BoardPage(phase=phase, task=task.name, title=task.title, board=board),
    )
