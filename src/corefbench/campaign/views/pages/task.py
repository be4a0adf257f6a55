"""A task in a phase: get its data, send answers, see what was sent."""

from corefbench.campaign.domain.receipts import Receipt
from corefbench.campaign.domain.visibility import sees_board
from corefbench.campaign.jobs.budget import BUDGET
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.submissions import submissions_of
from corefbench.campaign.storage.windows import downloads_of
from corefbench.campaign.views.access import Visitor
from corefbench.campaign.views.countdown import until
from corefbench.campaign.views.inputs import receipt_of
from corefbench.campaign.views.pages.home import phase_rules
from corefbench.campaign.views.places import TaskInPhase, place_of
from corefbench.campaign.views.routes import address
from corefbench.campaign.views.submitted import Shown, shown_all
from corefbench.record import Record
from corefbench.web.page import Page, Query


class TaskPage(Record, frozen=True):
    """What the page says."""

    place: TaskInPhase
    rules: tuple[str, ...]
    countdown: str
    window_countdown: str
    window_over: bool
    downloads: tuple[Receipt, ...]
    submissions: tuple[Shown, ...]
    board: bool
    """Whether there is a board to see."""
    largest: int = BUDGET.packed
    """Bytes of an upload."""


def view(platform: Platform, visitor: Visitor, query: Query) -> Page:
    """The task as this visitor stands before it."""
    place, now = place_of(platform, visitor, query["phase"], query["task"]), platform.clock()
    phase = platform.campaign.phase(place.phase)
    downloads, submissions = _own(platform, visitor, place)
    closes = place.window_closes
    model = TaskPage(
        place=place,
        rules=tuple(phase_rules(phase)),
        countdown=until(phase.opens if place.state == "before" else phase.closes, now),
        window_countdown=until(closes, now) if closes else "",
        window_over=closes is not None and now >= closes,
        downloads=downloads,
        submissions=submissions,
        board=sees_board(visitor.role, phase, now, published=place.published),
    )
    return Page(
        template="task.html",
        title=f"{place.task_title}, {place.phase_title}",
        model=model,
        crumbs=((platform.campaign.title, address("home")),),
    )


def _own(
    platform: Platform, visitor: Visitor, place: TaskInPhase
) -> tuple[tuple[Receipt, ...], tuple[Shown, ...]]:
    """What the team has fetched and sent, the newest first."""
    if visitor.role != "participant":
        return (), ()
    with platform.database.read() as connection:
        downloads = [
            receipt_of(platform, one)
            for one in downloads_of(connection, visitor.team)
            if (one.phase, one.task) == (place.phase, place.task)
        ]
        sent = submissions_of(connection, visitor.team, place.phase, place.task)
        made = shown_all(platform, connection, visitor, sent)
    return tuple(reversed(downloads)), tuple(reversed(made))
