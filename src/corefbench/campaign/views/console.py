"""The organisers' console."""

from collections.abc import Mapping
from datetime import datetime
from math import ceil

from msgspec.structs import replace

from corefbench.campaign.domain.config import Campaign, Phase
from corefbench.campaign.domain.ranking import is_current
from corefbench.campaign.domain.submissions import SUBMISSION_STATES, Refusal, can_transition
from corefbench.campaign.leaderboard import build_board
from corefbench.campaign.platform import Platform, hash_key, is_same_key
from corefbench.campaign.storage.audit import AuditEntry, list_audit_entries
from corefbench.campaign.storage.evaluations import StoredEvaluation, get_current_evaluations, get_evaluations
from corefbench.campaign.storage.monitoring import Activity, count_submissions_by_team, get_activity
from corefbench.campaign.storage.settings import get_publication_time, is_frozen, publish, set_frozen
from corefbench.campaign.storage.submissions import (
    Submission,
    disqualify_submission,
    get_submission,
    list_submissions,
    requeue_submission,
)
from corefbench.campaign.storage.users import (
    Team,
    TeamState,
    User,
    get_pseudonyms,
    get_team,
    list_teams,
    list_users,
    set_team_state,
)
from corefbench.campaign.views.account import pseudonyms_by_phase
from corefbench.campaign.views.auth import Visitor
from corefbench.campaign.views.routes import url_for
from corefbench.campaign.views.static_site import zip_site
from corefbench.errors import UnknownName, UsageError
from corefbench.records import Record
from corefbench.web.errors import NotFound
from corefbench.web.pages import Page, Query
from corefbench.web.responses import FileContent
from corefbench.web.static_site import slugify

_SUBMISSIONS_PER_PAGE = 100
_MAX_AUDIT_ENTRIES = 500
_DECISIONS: dict[str, TeamState] = {"approved": "approved", "refused": "refused"}
_MAX_REASON_LENGTH = 500


class TeamRow(Record, frozen=True):
    """A team with its members."""

    team: Team
    members: tuple[User, ...]
    submissions: int
    pseudonyms: tuple[tuple[str, str], ...]


class SubmissionRow(Record, frozen=True):
    """A submission with its team and what can be done with it."""

    submission: Submission
    team: str
    headline: float | None
    outdated: bool
    being_rescored: bool
    rescorable: bool
    disqualifiable: bool

    @property
    def is_changeable(self) -> bool:
        """Whether anything can be done with it."""
        return self.rescorable or self.disqualifiable


class SubmissionFilter(Record, frozen=True):
    """Which submissions are listed; an empty value selects all."""

    phase: str = ""
    task: str = ""
    state: str = ""
    team: str = ""

    def matches(self, submission: Submission) -> bool:
        """Whether a submission is selected."""
        return all(
            not getattr(self, name) or getattr(self, name) == getattr(submission, name)
            for name in ("phase", "task", "state", "team")
        )


class AuditRow(Record, frozen=True):
    """An entry of the audit log with names instead of numbers."""

    entry: AuditEntry
    actor: str
    subject: str
    submission: str
    """The number of the submission, if the subject is one."""


def console_page(platform: Platform, visitor: Visitor, query: Query) -> Page:
    """Show the overview."""
    campaign, now = platform.campaign, platform.clock()
    with platform.database.read() as connection:
        published = [get_publication_time(connection, phase.name) for phase in campaign.phases]
        model = {
            "phases": [
                {"phase": phase, "state": _phase_state(phase, now, time), "published": time}
                for phase, time in zip(campaign.phases, published, strict=True)
            ],
            "activity": _sort_tasks(get_activity(connection, now), campaign),
            "outdated": _count_outdated(platform, get_current_evaluations(connection)),
            "frozen": is_frozen(connection),
            "now": now,
        }
    return Page(template="console.html", title="Organise", model=model)


def freeze_action(platform: Platform, visitor: Visitor, form: Mapping[str, str]) -> str:
    """Freeze the campaign, or let it continue."""
    frozen = form.get("frozen", "")
    if frozen not in ("yes", "no"):
        raise UnknownName("answer", frozen, ["yes", "no"])
    with platform.database.write() as connection:
        set_frozen(connection, frozen == "yes", person=visitor.person, now=platform.clock())
    return url_for("console")


def console_teams_page(platform: Platform, visitor: Visitor, query: Query) -> Page:
    """Show all teams to the organisers."""
    with platform.database.read() as connection:
        users = list_users(connection)
        submissions = count_submissions_by_team(connection)
        pseudonyms = get_pseudonyms(connection)
        rows = [
            TeamRow(
                team=team,
                members=tuple(user for user in users if user.team == team.id),
                submissions=submissions.get(team.id, 0),
                pseudonyms=pseudonyms_by_phase(platform, team, pseudonyms),
            )
            for team in list_teams(connection)
        ]
    rows.sort(key=lambda row: row.team.state != "applied")
    model = {
        "teams": rows,
        "waiting": sum(row.team.state == "applied" for row in rows),
        "has_pseudonyms": platform.campaign.anonymity != "none",
    }
    return Page(template="console_teams.html", title="Teams", model=model)


def judge_team_action(platform: Platform, visitor: Visitor, form: Mapping[str, str]) -> str:
    """Approve or refuse a team."""
    decision = form.get("decision", "")
    if decision not in _DECISIONS:
        raise UnknownName("decision", decision, list(_DECISIONS))
    with platform.database.write() as connection:
        if get_team(connection, form["team"]) is None:
            raise NotFound("there is no such team")
        set_team_state(connection, form["team"], _DECISIONS[decision], person=visitor.person, now=platform.clock())
    return url_for("console-teams")


def console_submissions_page(platform: Platform, visitor: Visitor, query: Query) -> Page:
    """List the selected submissions, the newest first."""
    selection = _parse_filter(platform.campaign, query)
    with platform.database.read() as connection:
        team_names = {team.id: team.name for team in list_teams(connection)}
        submissions = list(filter(selection.matches, list_submissions(connection, None)))[::-1]
        pages = max(ceil(len(submissions) / _SUBMISSIONS_PER_PAGE), 1)
        page = min(max(_parse_page_number(query.get("page", "")), 1), pages)
        start = (page - 1) * _SUBMISSIONS_PER_PAGE
        shown = submissions[start : start + _SUBMISSIONS_PER_PAGE]
        evaluations = get_evaluations(
            connection, [submission.evaluation for submission in shown if submission.evaluation]
        )
    model = {
        "rows": [
            _submission_row(
                platform, submission, team_names[submission.team], evaluations.get(submission.evaluation or "")
            )
            for submission in shown
        ],
        "all": len(submissions),
        "rescorable": sum(map(_is_rescorable, submissions)),
        "filter": selection,
        "phases": [(phase.name, phase.title) for phase in platform.campaign.phases],
        "tasks": [(task.name, task.title) for task in platform.campaign.tasks],
        "states": SUBMISSION_STATES,
        "teams": sorted(team_names.items(), key=lambda item: item[1].casefold()),
        "page": page,
        "pages": pages,
        "manage": query.get("manage", query.get("submission", "")),  # the submission whose forms are open
    }
    return Page(template="console_submissions.html", title="Submissions", model=model)


def disqualify_action(platform: Platform, visitor: Visitor, form: Mapping[str, str]) -> str:
    """Take a submission out of the ranking, for a reason that the team is told."""
    reason = " ".join(form.get("reason", "").split())
    if not reason or len(reason) > _MAX_REASON_LENGTH:
        raise UsageError(
            "a submission is not disqualified without a reason",
            expected=f"1 to {_MAX_REASON_LENGTH} characters",
            remedy="give a reason: the team is told, and it is kept in the audit log",
        )
    with platform.database.write() as connection:
        if get_submission(connection, form.get("submission", "")) is None:
            raise NotFound("there is no such submission")
        disqualify_submission(
            connection, form["submission"], person=visitor.person, reason=reason, now=platform.clock()
        )
    return url_for("console-submissions")


def rescore_action(platform: Platform, visitor: Visitor, form: Mapping[str, str]) -> str:
    """Score one submission again, or all that are selected."""
    selection = _parse_filter(platform.campaign, form)
    if form.get("submission"):
        _rescore_one(platform, visitor, form["submission"])
    elif form.get("all") == "yes":
        _rescore_all(platform, visitor, selection)
    else:
        raise UsageError("nothing was rescored", remedy="choose a submission, or all of them")
    # Without the state: the submissions are in another one now.
    return url_for("console-submissions", phase=selection.phase, task=selection.task, team=selection.team)


def audit_page(platform: Platform, visitor: Visitor, query: Query) -> Page:
    """Show the newest entries of the audit log."""
    with platform.database.read() as connection:
        entries = list_audit_entries(connection, limit=_MAX_AUDIT_ENTRIES)
        names = {user.id: f"{user.name} ({user.email})" for user in list_users(connection)}
        names |= {team.id: team.name for team in list_teams(connection)}
        submissions = {submission.id for submission in list_submissions(connection, None)}
    rows = tuple(
        AuditRow(
            entry=entry,
            actor=names.get(entry.person, entry.person) if entry.person else "the platform",
            subject=names.get(entry.subject, entry.subject),
            submission=entry.subject if entry.subject in submissions else "",
        )
        for entry in entries
    )
    return Page(template="console_audit.html", title="Audit log", model={"rows": rows, "max_rows": _MAX_AUDIT_ENTRIES})


def publication_page(platform: Platform, visitor: Visitor, query: Query) -> Page:
    """Show the boards of a phase as visitors will see them, and what is still open."""
    phase = platform.campaign.phase(query["phase"])
    with platform.database.read() as connection:
        published = get_publication_time(connection, phase.name)
        submissions = list_submissions(connection, None, phase.name)
    model = {
        "phase": phase,
        "state": _phase_state(phase, platform.clock(), published),
        "published": published,
        "anonymity": platform.campaign.anonymity,
        "boards": [build_board(platform, phase.name, data.task, role="organiser", preview=True) for data in phase.data],
        "unfinished": sum(submission.state in ("queued", "scoring") for submission in submissions),
        "failed": sum(submission.state == "failed" for submission in submissions),
    }
    return Page(template="publication.html", title=f"Publish {phase.title}", model=model)


def publish_action(platform: Platform, visitor: Visitor, form: Mapping[str, str]) -> str:
    """Publish the results of a phase; this cannot be undone."""
    phase = platform.campaign.phase(form["phase"])
    if form.get("sure") != "yes":
        raise UsageError(
            "nothing was published", remedy="confirm that you have looked at what will be seen: it cannot be undone"
        )
    with platform.database.write() as connection:
        publish(connection, phase, person=visitor.person, now=platform.clock())
    return url_for("boards")


def site_file(platform: Platform, visitor: Visitor, query: Query) -> FileContent:
    """Return what is published as a zip archive of static pages."""
    return FileContent(
        body=zip_site(platform), media_type="application/zip", name=f"{slugify(platform.campaign.name)}.zip"
    )


def _phase_state(phase: Phase, now: datetime, published: datetime | None) -> str:
    if published is not None:
        return "published"
    if now < phase.opens:
        return "to come"
    return "open" if now < phase.closes else "closed"


def _sort_tasks(activity: Activity, campaign: Campaign) -> Activity:
    """Sort by phase and task as in the campaign; drop what is no longer in it."""
    phases = [phase.name for phase in campaign.phases]
    tasks = [task.name for task in campaign.tasks]
    known = [row for row in activity.places if row.phase in phases and row.task in tasks]
    known.sort(key=lambda row: (phases.index(row.phase), tasks.index(row.task)))
    return replace(activity, places=tuple(known))


def _count_outdated(platform: Platform, evaluations: Mapping[tuple[str, str], list[StoredEvaluation]]) -> int:
    known = {(phase.name, data.task) for phase in platform.campaign.phases for data in phase.data}
    return sum(
        _is_outdated(platform, phase, task, evaluation)
        for (phase, task), evaluations_of_task in evaluations.items()
        if (phase, task) in known
        for evaluation in evaluations_of_task
    )


def _is_outdated(platform: Platform, phase: str, task: str, evaluation: StoredEvaluation) -> bool:
    """Whether scores are from an earlier profile or version, or against another key."""
    return not (
        is_current(platform.campaign.task(task), evaluation.signature)
        and is_same_key(evaluation.key_sha256, hash_key(platform, phase, task))
    )


def _submission_row(
    platform: Platform, submission: Submission, team: str, evaluation: StoredEvaluation | None
) -> SubmissionRow:
    return SubmissionRow(
        submission=submission,
        team=team,
        headline=evaluation.headline if evaluation else None,
        outdated=evaluation is not None and _is_outdated(platform, submission.phase, submission.task, evaluation),
        being_rescored=evaluation is not None and submission.state in ("queued", "scoring"),
        rescorable=_is_rescorable(submission),
        disqualifiable=can_transition(submission.state, "disqualified"),
    )


def _is_rescorable(submission: Submission) -> bool:
    """Whether it can be queued again; one that is being scored returns there by itself."""
    return submission.state != "scoring" and can_transition(submission.state, "queued")


def _parse_filter(campaign: Campaign, query: Query) -> SubmissionFilter:
    """Read the filter of a query; unknown names select all."""
    known: dict[str, tuple[str, ...]] = {
        "phase": tuple(phase.name for phase in campaign.phases),
        "task": tuple(task.name for task in campaign.tasks),
        "state": SUBMISSION_STATES,
    }
    values = {name: query.get(name, "") for name in known}
    valid = {name: value if value in known[name] else "" for name, value in values.items()}
    return SubmissionFilter(**valid, team=query.get("team", ""))


def _parse_page_number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else 1


def _rescore_one(platform: Platform, visitor: Visitor, id: str) -> None:
    with platform.database.write() as connection:
        if get_submission(connection, id) is None:
            raise NotFound("there is no such submission")
        result = requeue_submission(connection, platform.campaign, id, person=visitor.person, now=platform.clock())
    if isinstance(result, Refusal):
        raise UsageError(result.message, code=result.code, remedy=result.remedy)


def _rescore_all(platform: Platform, visitor: Visitor, selection: SubmissionFilter) -> None:
    """Requeue all that can be; those whose share of the quota was reused stay as they are."""
    with platform.database.write() as connection:
        for submission in filter(selection.matches, list_submissions(connection, None)):
            if _is_rescorable(submission):
                requeue_submission(
                    connection, platform.campaign, submission.id, person=visitor.person, now=platform.clock()
                )
