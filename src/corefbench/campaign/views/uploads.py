"""Answers that are sent: received as a stream, checked, kept, and taken or refused by the rules."""

import logging
from asyncio import to_thread
from collections.abc import Callable
from typing import Any

from litestar import Response
from litestar.response import Redirect

from corefbench.campaign.domain.admission import Refusal
from corefbench.campaign.domain.outcome import Failed, Invalid, Valid
from corefbench.campaign.jobs.intake import shown_name
from corefbench.campaign.jobs.job import Job
from corefbench.campaign.jobs.run import run_child
from corefbench.campaign.storage.files import Incoming
from corefbench.campaign.storage.submissions import Arrival, Submission
from corefbench.campaign.views.access import Visitor
from corefbench.campaign.views.again import again
from corefbench.campaign.views.answers import json_answer, page_answer
from corefbench.campaign.views.arrivals import Arrived
from corefbench.campaign.views.asked import Asked, must_be_ours
from corefbench.campaign.views.failures import Unreadable
from corefbench.campaign.views.records import Checked, Taken
from corefbench.campaign.views.routes import Route, address
from corefbench.campaign.views.site import Site
from corefbench.campaign.views.stream import arriving, drain, receive
from corefbench.campaign.views.submitted import receipt_of
from corefbench.errors import CorefbenchError, UsageError
from corefbench.record import Record
from corefbench.web.page import Page

_log = logging.getLogger("corefbench.campaign")


class CheckedPage(Record, frozen=True):
    """What a page says of answers that were only checked."""

    checked: Checked
    back: str


async def take_upload(request: Asked, site: Site, visitor: Visitor, route: Route) -> Response[Any]:
    """Answers by the form of a task, or by the interface: only checked, or submitted."""
    where = {name: str(value) for name, value in request.path_params.items()}
    site.platform.campaign.phase(where["phase"]).data_of(where["task"])
    pieces = arriving(request)
    try:
        with site.platform.files.incoming(site.allowed.upload) as incoming:
            ours = _ours(request, visitor)
            arrived = await receive(request, pieces, site.platform, incoming, ours)
            if route.name == "api-check":
                return json_answer(await _checked(site, where, incoming, arrived))
            return await _submitted(request, site, visitor, route, where, incoming, arrived)
    except CorefbenchError as error:
        await drain(pieces)
        if route.speaks_json:
            raise
        return await again(request, site, visitor, route, where, error)


def _ours(request: Asked, visitor: Visitor) -> Callable[[dict[str, str]], None]:
    """Looks for the token of the form, unless it is a program that has a token of its own."""

    def look(fields: dict[str, str]) -> None:
        sent = fields.pop("csrf", "") or request.headers.get("x-csrf-token", "")
        if not visitor.by_token:
            must_be_ours(sent, visitor)

    return look


def _page(checked: Checked, where: dict[str, str]) -> Page:
    if not checked.valid:
        raise Unreadable(checked.findings)
    model = CheckedPage(checked=checked, back=address("task", **where))
    return Page(template="checked.html", title="Checked", model=model)


async def _submitted(
    request: Asked,
    site: Site,
    visitor: Visitor,
    route: Route,
    where: dict[str, str],
    incoming: Incoming,
    arrived: Arrived,
) -> Response[Any]:
    if not route.speaks_json and arrived.fields.get("only"):
        checked = await _checked(site, where, incoming, arrived)
        return await to_thread(page_answer, request, site, visitor, _page(checked, where))
    wanted = arrived.fields.get("check", "false" if route.speaks_json else "true")
    if wanted != "false":
        checked = await _checked(site, where, incoming, arrived)
        if not checked.valid:
            raise Unreadable(checked.findings)
    made = await _accepted(site, visitor, where, incoming, arrived)
    to = address("submission", submission=made.id)
    if not route.speaks_json:
        return Redirect(to, status_code=303)
    receipt = receipt_of(site.platform, made)
    answer = json_answer(Taken(submission=made.id, state=made.state, receipt=receipt), 201)
    answer.headers["location"] = address("api-submission", submission=made.id)
    return answer


async def _checked(
    site: Site, where: dict[str, str], incoming: Incoming, arrived: Arrived
) -> Checked:
    """What ``corefbench check`` says of answers; large ones are checked when they are scored."""
    if arrived.bytes > site.allowed.checked:
        return Checked(valid=True, unchecked="too large to be checked while somebody waits")
    await to_thread(incoming.flush)
    campaign = site.platform.campaign
    job = Job(
        kind="check",
        path=str(incoming.path),
        file_name=shown_name(arrived.file_name),
        task=campaign.task(where["task"]),
        data=campaign.phase(where["phase"]).data_of(where["task"]),
        folder=str(site.platform.folder),
    )
    async with site.checks:
        outcome = await to_thread(run_child, job)
    if isinstance(outcome, Invalid):
        return Checked(valid=False, findings=outcome.findings)
    if isinstance(outcome, Valid):
        return Checked(valid=True, findings=outcome.findings)
    why = outcome.reason if isinstance(outcome, Failed) else "it could not be checked"
    return Checked(valid=True, unchecked=why)


async def _accepted(
    site: Site, visitor: Visitor, where: dict[str, str], incoming: Incoming, arrived: Arrived
) -> Submission:
    """By the rules, at the time when the last byte had arrived; the file is kept first."""
    fields = arrived.fields
    label, request = _label(fields.get("label", "")), _request(fields.get("request", ""))
    # Nobody waits for the large file of somebody else.
    small = incoming.is_small
    stored = await (site.keeping.ask(incoming) if small else to_thread(incoming.commit))
    arrival = Arrival(
        team=visitor.team,
        person=visitor.person,
        phase=where["phase"],
        task=where["task"],
        label=label,
        file_name=shown_name(arrived.file_name),
        sha256=stored.sha256,
        bytes=stored.bytes,
        request=request,
    )
    made = await site.acceptances.ask((arrival, arrived.time))
    state = made.code if isinstance(made, Refusal) else made.state
    _log.info("upload", extra={"state": state, "phase": arrival.phase, "task": arrival.task})
    if isinstance(made, Refusal):
        raise UsageError(made.message, code=made.code, remedy=made.remedy)
    return made


def _label(typed: str) -> str:
    label = " ".join(typed.split())
    if len(label) > 120 or not label.isprintable():
        raise UsageError("the label cannot be taken", expected="at most 120 signs in one line")
    return label


def _request(typed: str) -> str | None:
    if len(typed) > 64 or not typed.isprintable():
        raise UsageError("the request number cannot be taken", expected="at most 64 signs")
    return typed or None
