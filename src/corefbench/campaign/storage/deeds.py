"""What people do with a submission that was taken; each deed is in the audit log."""

from datetime import datetime

from sqlalchemy import Connection

from corefbench.campaign.domain.admission import Refusal
from corefbench.campaign.domain.definition import Campaign
from corefbench.campaign.domain.quota import left
from corefbench.campaign.domain.states import REFUNDED, become
from corefbench.campaign.storage.audit import note
from corefbench.campaign.storage.changing import change, locked
from corefbench.campaign.storage.people import lock_team
from corefbench.campaign.storage.standing import charged
from corefbench.campaign.storage.submission import Submission


def withdraw(connection: Connection, id: str, *, person: str | None, now: datetime) -> Submission:
    """The team takes it back, for good; the quota stays used."""
    done = change(connection, locked(connection, id), "withdrawn", now)
    note(connection, person=person, action="withdraw", subject=id, now=now)
    return done


def disqualify(
    connection: Connection, id: str, *, person: str | None, reason: str, now: datetime
) -> Submission:
    """An organiser takes it out of the ranking, for good and for a reason that is told."""
    done = change(connection, locked(connection, id), "disqualified", now, message=reason)
    note(connection, person=person, action="disqualify", subject=id, detail=reason, now=now)
    return done


def requeue(
    connection: Connection, campaign: Campaign, id: str, *, person: str | None, now: datetime
) -> Submission | Refusal:
    """Score it again, as when a profile has changed or a fault of the platform is mended.

    The evaluation that it has stays until the new one is there.

    One that failed has given its place in the quota back: it is not scored again where the team
    has used that place since.
    """
    before = locked(connection, id)
    lock_team(connection, before.team)
    become(before.state, "queued")
    if before.state in REFUNDED and not _has_place(connection, campaign, before):
        return Refusal(
            code="CB305", message="the team was given the place back and has used it since"
        )
    done = change(connection, before, "queued", now, message="", attempts=0)
    note(connection, person=person, action="requeue", subject=id, now=now)
    return done


def _has_place(connection: Connection, campaign: Campaign, failed: Submission) -> bool:
    times = charged(connection, failed.team, failed.phase, failed.task)
    return left(campaign.phase(failed.phase).quota, times, failed.received).any
