"""Submissions: list, status, scores, receipt and withdrawal."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime

import msgspec
from sqlalchemy import Connection

from corefbench.campaign.domain.evaluation import ErrorFeedback, Evaluation
from corefbench.campaign.domain.submissions import (
    RANKED_STATES,
    Receipt,
    SubmissionState,
    can_transition,
    is_genuine,
    sign_receipt,
)
from corefbench.campaign.domain.visibility import can_see_errors, can_see_private, can_see_scores
from corefbench.campaign.leaderboard import load_evaluation
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.evaluations import get_evaluations
from corefbench.campaign.storage.queue import get_queue_positions
from corefbench.campaign.storage.settings import is_published
from corefbench.campaign.storage.submissions import Submission, get_submission, list_submissions, withdraw_submission
from corefbench.campaign.storage.users import get_team
from corefbench.campaign.views.auth import Visitor
from corefbench.campaign.views.routes import url_for
from corefbench.campaign.views.schemas import ReceiptCheck
from corefbench.diagnostics import Finding
from corefbench.errors import UsageError
from corefbench.records import Record
from corefbench.scoring.measures.tally import Score
from corefbench.web.errors import NotFound
from corefbench.web.pages import Page, Query

_RELEASE_TIMES = {
    "at-once": "at once",
    "at-close": "when the phase has closed",
    "published": "when the organisers publish the results",
}


class SubmissionResult(Record, frozen=True):
    """The scores that a visitor may see."""

    ranking: str
    """The name of the score that ranks."""
    headline: float
    """Its value, 0 to 1 …"""
    share: str
    """… over ``all`` documents, or over the ``public`` share of them."""
    covered: int
    documents: int
    scores: dict[str, Score] = {}  # noqa: RUF012
    signature: str = ""
    findings: tuple[Finding, ...] = ()


class SubmissionStatus(Record, frozen=True):
    """A submission as a visitor may see it."""

    id: str
    phase: str
    task: str
    label: str
    file_name: str
    sha256: str
    bytes: int
    received: datetime
    state: SubmissionState
    changed: datetime
    message: str = ""
    """Why it is invalid, failed or disqualified."""
    queue_position: int | None = None
    attempts: int = 0
    heard_until: datetime | None = None
    """While it is scored: without a heartbeat until then, another worker takes over."""
    result: SubmissionResult | None = None
    """None until there are scores that may be seen."""
    being_rescored: bool = False
    """Whether the scores are the previous ones, and new ones are being made."""
    errors: ErrorFeedback | None = None
    """Only in phases that are not blind."""


def submissions_page(platform: Platform, visitor: Visitor, query: Query) -> Page:
    """List the submissions of the team."""
    campaign = platform.campaign
    model = {
        "submissions": api_submissions(platform, visitor, {})[::-1],
        "phases": {phase.name: phase.title for phase in campaign.phases},
        "tasks": {task.name: task.title for task in campaign.tasks},
    }
    return Page(template="submissions.html", title="Submissions", model=model)


def submission_page(platform: Platform, visitor: Visitor, query: Query) -> Page:
    """Show a submission."""
    campaign = platform.campaign
    with platform.database.read() as connection:
        submission = get_visible_submission(connection, visitor, query["submission"])
        phase = campaign.phase(submission.phase)
        status = submission_status(platform, connection, visitor, submission, errors=True)
        team = get_team(connection, submission.team)
    task_title = campaign.task(submission.task).title
    own = submission.team == visitor.team
    model = {
        "submission": status,
        "phase_title": phase.title,
        "task_title": task_title,
        "receipt": sign_receipt(submission.receipt, platform.secret),
        "own": own,
        "team": team.name if team else "",
        "release_time": _RELEASE_TIMES[phase.scores],
        "active": status.state in ("queued", "scoring"),  # the page refreshes itself
        "can_withdraw": own and can_transition(status.state, "withdrawn"),
    }
    task_url = url_for("task", phase=phase.name, task=submission.task)
    return Page(
        template="submission.html",
        title=submission.label or submission.file_name,
        model=model,
        breadcrumbs=((campaign.title, url_for("home")), (f"{task_title}, {phase.title}", task_url)),
    )


def withdraw_action(platform: Platform, visitor: Visitor, form: Mapping[str, str]) -> str:
    """Withdraw a submission if that was confirmed."""
    if form.get("sure") != "yes":
        raise UsageError("this cannot be undone", remedy="tick that you are sure")
    return url_for("submission", submission=api_withdraw(platform, visitor, form).id)


def receipt_page(platform: Platform, visitor: Visitor, query: Query) -> Page:
    """Show the form to check a receipt."""
    return _build_receipt_page(None)


def check_receipt_action(platform: Platform, visitor: Visitor, form: Mapping[str, str]) -> Page:
    """Check a receipt that was pasted in."""
    try:
        receipt = msgspec.json.decode(form.get("receipt", ""), type=Receipt)
    except msgspec.MsgspecError as error:
        raise UsageError(
            "this is not a receipt", code="CB345", expected="a receipt as JSON", found=str(error)[:200]
        ) from error
    return _build_receipt_page(is_genuine(receipt, platform.secret))


def api_submissions(platform: Platform, visitor: Visitor, query: Query) -> list[SubmissionStatus]:
    """The submissions of the team, in the order of their arrival."""
    phase, task = query.get("phase") or None, query.get("task") or None
    with platform.database.read() as connection:
        submissions = list_submissions(connection, visitor.team, phase, task)
        return submission_statuses(platform, connection, visitor, submissions)


def api_submission(platform: Platform, visitor: Visitor, query: Query) -> SubmissionStatus:
    """One submission: its state, and its scores and errors once they may be seen."""
    with platform.database.read() as connection:
        submission = get_visible_submission(connection, visitor, query["submission"])
        return submission_status(platform, connection, visitor, submission, errors=True)


def api_withdraw(platform: Platform, visitor: Visitor, query: Query) -> SubmissionStatus:
    """Withdraw a submission for good; the quota stays used."""
    with platform.database.write() as connection:
        submission = get_visible_submission(connection, visitor, query["submission"])
        withdrawn = withdraw_submission(connection, submission.id, person=visitor.person, now=platform.clock())
        return submission_status(platform, connection, visitor, withdrawn)


def api_receipt(platform: Platform, visitor: Visitor, query: Query) -> Receipt:
    """The signed receipt of a submission."""
    with platform.database.read() as connection:
        submission = get_visible_submission(connection, visitor, query["submission"])
    return sign_receipt(submission.receipt, platform.secret)


def api_check_receipt(platform: Platform, visitor: Visitor, query: Query, body: Receipt) -> ReceiptCheck:
    """Check whether this server has signed a receipt with exactly these fields."""
    return ReceiptCheck(genuine=is_genuine(body, platform.secret))


def get_visible_submission(connection: Connection, visitor: Visitor, id: str) -> Submission:
    """Return a submission to its team and to organisers; to others it does not exist."""
    submission = get_submission(connection, id)
    if submission is None or (visitor.role != "organiser" and submission.team != visitor.team):
        raise NotFound("there is no such submission", found=id[:64])
    return submission


def submission_statuses(
    platform: Platform, connection: Connection, visitor: Visitor, submissions: Iterable[Submission]
) -> list[SubmissionStatus]:
    """Return the status of many submissions; the queue is read once."""
    positions = get_queue_positions(connection)
    return [
        submission_status(platform, connection, visitor, submission, positions=positions) for submission in submissions
    ]


def submission_status(
    platform: Platform,
    connection: Connection,
    visitor: Visitor,
    submission: Submission,
    *,
    errors: bool = False,
    positions: Mapping[str, int] | None = None,
) -> SubmissionStatus:
    """Return what a visitor may see of a submission; ``errors`` includes its errors."""
    result, feedback = _visible_result(platform, connection, visitor, submission)
    if positions is None and submission.state == "queued":
        positions = get_queue_positions(connection)
    return SubmissionStatus(
        id=submission.id,
        phase=submission.phase,
        task=submission.task,
        label=submission.label,
        file_name=submission.file_name,
        sha256=submission.sha256,
        bytes=submission.bytes,
        received=submission.received,
        state=submission.state,
        changed=submission.changed,
        message=submission.message,
        queue_position=(positions or {}).get(submission.id),
        attempts=submission.attempts,
        heard_until=submission.lease if submission.state == "scoring" else None,
        result=result,
        being_rescored=result is not None and submission.state != "scored",
        errors=feedback if errors else None,
    )


def _build_receipt_page(genuine: bool | None) -> Page:
    """Return the form to check a receipt, with the result if one was checked."""
    return Page(template="receipt.html", title="Check a receipt", model={"genuine": genuine})


def _visible_result(
    platform: Platform, connection: Connection, visitor: Visitor, submission: Submission
) -> tuple[SubmissionResult | None, ErrorFeedback | None]:
    """Return scores and errors; None until they exist and may be seen."""
    if submission.state not in RANKED_STATES or submission.evaluation is None:
        return None, None
    phase, now = platform.campaign.phase(submission.phase), platform.clock()
    own, published = submission.team == visitor.team, is_published(connection, phase.name)
    if not can_see_scores(visitor.role, phase, now, own=own, published=published):
        return None, None
    (stored,) = get_evaluations(connection, [submission.evaluation]).values()
    evaluation = load_evaluation(platform.files, stored.sha256)
    sees_all = phase.public >= 1 or can_see_private(visitor.role, published=published)
    documents = None if sees_all else frozenset(evaluation.public_documents)
    sees_errors = can_see_errors(visitor.role, phase, now, own=own, published=published)
    return (_visible_scores(evaluation, documents), _visible_errors(evaluation, documents) if sees_errors else None)


def _visible_scores(evaluation: Evaluation, documents: Collection[str] | None) -> SubmissionResult:
    """Return all scores, or only the ranking score over the public documents."""
    if documents is None:
        return SubmissionResult(
            ranking=evaluation.ranking,
            headline=evaluation.headline,
            share="all",
            covered=evaluation.covered,
            documents=len(evaluation.rows),
            scores=evaluation.scores,
            signature=evaluation.signature,
            findings=evaluation.findings,
        )
    rows = [row for row in evaluation.rows if row.document in documents]
    return SubmissionResult(
        ranking=evaluation.ranking,
        headline=evaluation.public,
        share="public",
        covered=sum(row.answered for row in rows),
        documents=len(rows),
        findings=evaluation.findings,
    )


def _visible_errors(evaluation: Evaluation, documents: Collection[str] | None) -> ErrorFeedback | None:
    errors = evaluation.errors
    if documents is None or errors is None:
        return errors
    return ErrorFeedback(
        documents=tuple(row for row in errors.documents if row.document in documents),
        examples=tuple(row for row in errors.examples if row.mention.document in documents),
    )
