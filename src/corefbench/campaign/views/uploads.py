"""Receive, check and accept uploaded answers.

A body is written to the file store as it arrives and never held in memory as a whole. The time that counts is that of
its last byte.
"""

import logging
from asyncio import timeout, to_thread
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from datetime import datetime
from math import inf
from typing import Any

from litestar import Response
from litestar.exceptions import InternalServerException
from multipart import (  # type: ignore[import-untyped]
    MultipartError,
    MultipartSegment,
    PushMultipartParser,
    parse_options_header,
)

from corefbench.campaign.domain.evaluation import Failed, Invalid, Valid
from corefbench.campaign.domain.submissions import Refusal, sign_receipt
from corefbench.campaign.jobs.scoring import Job, run_job
from corefbench.campaign.storage.files import BUFFER_SIZE, IncomingFile, clean_file_name
from corefbench.campaign.storage.submissions import NewSubmission, Submission
from corefbench.campaign.views.auth import Visitor
from corefbench.campaign.views.responses import UnreadableAnswers, page_response, redisplay_form
from corefbench.campaign.views.routes import Route, url_for
from corefbench.campaign.views.schemas import CheckResult, SubmissionAccepted
from corefbench.campaign.views.state import ServerState, get_state
from corefbench.errors import CorefbenchError, DataError, UsageError
from corefbench.records import Record
from corefbench.web.forms import CSRF_FIELD, CSRF_HEADER, check_csrf, check_values
from corefbench.web.pages import Page
from corefbench.web.responses import AnyRequest, json_response, redirect

_IDLE_TIMEOUT = 60.0
"""Seconds without a byte after which an upload is given up."""
_MAX_DRAINED_BYTES = 64 << 20
"""Bytes of a refused upload that are still read."""
_MAX_FIELD_BYTES = 4_000
_MAX_FORM_BYTES = 1 << 30
"""Bytes of a form with whatever stands around its file; the store limits the file itself."""
_DEFAULT_NAME = "answers"
_log = logging.getLogger("corefbench.campaign")

FieldCheck = Callable[[dict[str, str]], None]
"""Checks the fields of an upload before its file is read."""


class ReceivedUpload(Record, frozen=True):
    """An upload whose last byte has arrived."""

    phase: str
    task: str
    fields: dict[str, str]
    file_name: str
    time: datetime


async def handle_upload(request: AnyRequest, visitor: Visitor, route: Route) -> Response[Any]:
    """Check or submit answers, from the form of a task or by the API."""
    state = get_state(request)
    task = {name: str(value) for name, value in request.path_params.items()}
    state.platform.campaign.phase(task["phase"]).data_of(task["task"])  # raises if there is no such task
    chunks = _body_chunks(request)
    try:
        with state.platform.files.incoming(state.limits.upload) as incoming:
            fields, file_name = await _receive(request, chunks, incoming, _csrf_check(request, visitor))
            upload = ReceivedUpload(
                **task, fields=fields, file_name=clean_file_name(file_name), time=state.platform.clock()
            )
            if not incoming.bytes:
                raise DataError("the file is empty", code="CB310", expected="a file with answers")
            if route.name == "api-check":
                return json_response(await _check_answers(state, incoming, upload))
            return await _submit(request, visitor, route, incoming, upload)
    except CorefbenchError as error:
        await _drain(chunks)
        if route.is_api:
            raise
        return await redisplay_form(request, visitor, route, task, error)
    except OSError:  # a full disk: browsers show the response only after they have sent everything
        await _drain(chunks)
        raise


async def _body_chunks(request: AnyRequest) -> AsyncIterator[bytes]:
    """Yield the body as it arrives; give up a connection that has gone silent."""
    stream = request.stream()
    length = request.headers.get("content-length", "")
    remaining = int(length) if length.isdecimal() else inf
    while remaining > 0:
        try:
            async with timeout(_IDLE_TIMEOUT):
                chunk = await anext(stream)
        except StopAsyncIteration:
            return
        except (TimeoutError, InternalServerException) as error:
            # Litestar raises the latter for a connection that the client has closed.
            raise UsageError("the upload has broken off", code="CB345") from error
        remaining -= len(chunk)
        yield chunk


async def _drain(chunks: AsyncIterator[bytes]) -> None:
    """Read what is still coming: browsers show no response before they have sent everything."""
    remaining = _MAX_DRAINED_BYTES
    with suppress(UsageError):
        async for chunk in chunks:
            remaining -= len(chunk)
            if remaining < 0:
                return


def _csrf_check(request: AnyRequest, visitor: Visitor) -> FieldCheck:
    """Return a check of the CSRF token; programs with an API token need none."""

    def check(fields: dict[str, str]) -> None:
        sent = fields.pop(CSRF_FIELD, "") or request.headers.get(CSRF_HEADER, "")
        if not visitor.by_token:
            check_csrf(sent, visitor.csrf)

    return check


async def _receive(
    request: AnyRequest, chunks: AsyncIterator[bytes], incoming: IncomingFile, check_fields: FieldCheck
) -> tuple[dict[str, str], str]:
    """Write a bare file, or the file of a form, to ``incoming``; return the other fields and the file name."""
    kind, options = parse_options_header(request.headers.get("content-type", ""))
    if kind == "multipart/form-data":
        try:
            fields, file_name = await _receive_form(chunks, incoming, options.get("boundary", ""), check_fields)
        except (MultipartError, ValueError, AssertionError) as error:
            raise UsageError("the form cannot be understood", code="CB345", found=str(error)[:200]) from error
        check_values(fields.items())
        return fields, file_name
    fields = {name: str(value) for name, value in request.query_params.items()}
    check_values(fields.items())
    check_fields(fields)
    async for chunk in chunks:
        await _write(incoming, chunk)
    return fields, fields.pop("file_name", "") or _DEFAULT_NAME


async def _receive_form(
    chunks: AsyncIterator[bytes], incoming: IncomingFile, boundary: str, check_fields: FieldCheck
) -> tuple[dict[str, str], str]:
    """Read a form: short fields first, then one file."""
    fields: dict[str, str] = {}
    file_name, name, value, is_file, size = "", "", b"", False, 0
    with PushMultipartParser(boundary.encode(), max_segment_count=20, max_header_size=8192) as parser:
        async for chunk in chunks:
            size += len(chunk)
            if size > _MAX_FORM_BYTES:
                raise UsageError("the form is too large", code="CB309")
            for event in parser.parse(chunk):
                if isinstance(event, MultipartSegment):
                    name, value, is_file = event.name, b"", event.filename is not None
                    if is_file and file_name:
                        raise UsageError("only one file is accepted at a time", code="CB345")
                    if is_file:
                        check_fields(fields)
                        file_name = event.filename or _DEFAULT_NAME
                elif is_file and event:
                    await _write(incoming, bytes(event))
                elif event:
                    value += event
                    if len(value) > _MAX_FIELD_BYTES:
                        raise UsageError("a field of the form is too long", code="CB345")
                elif not is_file:  # None: the end of a segment
                    fields[name] = value.decode("utf-8", "replace")
    if not file_name:
        check_fields(fields)
        raise DataError("no file is chosen", code="CB310", expected="a file with answers")
    return fields, file_name


async def _write(incoming: IncomingFile, chunk: bytes) -> None:
    incoming.write(chunk)
    if incoming.buffered > BUFFER_SIZE:  # only large files need a thread before they are complete
        await to_thread(incoming.flush)


async def _submit(
    request: AnyRequest, visitor: Visitor, route: Route, incoming: IncomingFile, upload: ReceivedUpload
) -> Response[Any]:
    state = get_state(request)
    is_check_only = not route.is_api and upload.fields.get("only")
    default = "false" if route.is_api else "true"
    if is_check_only or upload.fields.get("check", default) != "false":
        result = await _check_answers(state, incoming, upload)
        if not result.valid:
            raise UnreadableAnswers(result.findings)
        if is_check_only:
            model = {"checked": result, "back": url_for("task", phase=upload.phase, task=upload.task)}
            page = Page(template="check.html", title="Checked", model=model)
            return await to_thread(page_response, request, visitor, page)
    submission = await _accept(state, visitor, incoming, upload)
    if not route.is_api:
        return redirect(url_for("submission", submission=submission.id))
    receipt = sign_receipt(submission.receipt, state.platform.secret)
    response = json_response(
        SubmissionAccepted(submission=submission.id, state=submission.state, receipt=receipt), route.status
    )
    response.headers["location"] = url_for("api-submission", submission=submission.id)
    return response


async def _check_answers(state: ServerState, incoming: IncomingFile, upload: ReceivedUpload) -> CheckResult:
    """Check answers, also against the key's documents and ids; large ones are checked when they are scored."""
    if incoming.bytes > state.limits.checked:
        return CheckResult(valid=True, unchecked="too large to be checked while you wait")
    await to_thread(incoming.flush)
    campaign = state.platform.campaign
    job = Job(
        kind="check",
        path=str(incoming.path),
        file_name=upload.file_name,
        task=campaign.task(upload.task),
        data=campaign.phase(upload.phase).data_of(upload.task),
        folder=str(state.platform.folder),
    )
    async with state.checks:
        outcome = await to_thread(run_job, job)
    if isinstance(outcome, Invalid | Valid):
        return CheckResult(valid=isinstance(outcome, Valid), findings=outcome.findings)
    reason = outcome.reason if isinstance(outcome, Failed) else "it could not be checked"
    return CheckResult(valid=True, unchecked=reason)


async def _accept(state: ServerState, visitor: Visitor, incoming: IncomingFile, upload: ReceivedUpload) -> Submission:
    """Store the file, then accept the submission by the rules that held when it arrived."""
    new_submission = NewSubmission(
        team=visitor.team,
        person=visitor.person,
        phase=upload.phase,
        task=upload.task,
        label=_parse_label(upload.fields.get("label", "")),
        file_name=upload.file_name,
        sha256=incoming.sha256,
        bytes=incoming.bytes,
        request=_parse_request_id(upload.fields.get("request", "")),
    )
    if incoming.bytes > BUFFER_SIZE:  # in a batch, small files would wait for it
        await to_thread(incoming.commit)
    result = await state.acceptances.submit((incoming, new_submission, upload.time))
    outcome = result.code if isinstance(result, Refusal) else result.state
    _log.info("upload", extra={"state": outcome, "phase": upload.phase, "task": upload.task})
    if isinstance(result, Refusal):
        raise UsageError(result.message, code=result.code, remedy=result.remedy)
    return result


def _parse_label(text: str) -> str:
    label = " ".join(text.split())
    if len(label) > 120 or not label.isprintable():
        raise UsageError("the label is not valid", expected="at most 120 characters in one line")
    return label


def _parse_request_id(text: str) -> str | None:
    if len(text) > 64 or not text.isprintable():
        raise UsageError("the request number is not valid", expected="at most 64 characters")
    return text or None
