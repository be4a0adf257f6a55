"""What everybody will see once a phase is published, before it is."""

from datetime import datetime

from corefbench.campaign.board import Board
from corefbench.campaign.domain.definition import Anonymity, Phase
from corefbench.campaign.platform import Platform
from corefbench.campaign.standings import standings
from corefbench.campaign.storage.settings import published_at
from corefbench.campaign.storage.submissions import submissions_of
from corefbench.campaign.views.access import Visitor
from corefbench.campaign.views.pages.console import stage_of
from corefbench.record import Record
from corefbench.web.page import Page, Query


class Publication(Record, frozen=True):
    """What the page says."""

    phase: Phase
    state: str
    published: datetime | None
    anonymity: Anonymity
    boards: tuple[Board, ...]
    """As visitors will see them."""
    unfinished: int
    """Submissions that are not scored yet."""
    failed: int


def view(platform: Platform, visitor: Visitor, query: Query) -> Page:
    """The boards of the phase as visitors will see them, and what speaks against it."""
    phase = platform.campaign.phase(query["phase"])
    with platform.database.read() as connection:
        published = published_at(connection, phase.name)
        sent = submissions_of(connection, None, phase.name)
    model = Publication(
        phase=phase,
        state=stage_of(phase, platform.clock(), published),
        published=published,
        anonymity=platform.campaign.anonymity,
        boards=tuple(
            standings(platform, phase.name, data.task, role="organiser", preview=True)
            for data in phase.data
        ),
        unfinished=sum(one.state in ("queued", "scoring") for one in sent),
        failed=sum(one.state == "failed" for one in sent),
    )
    return Page(template="publication.html", title=f"Publish {phase.title}", model=model)
