"""Receive, check and accept uploaded answers.

A body is written to the file store as it arrives and never held in memory as a whole. The time that
counts is that of its last byte.
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
from corefbench.campaign.domain.submissions import Refusal
from corefbench.campaign.jobs.job import Job, run_job
from corefbench.campaign.jobs.uploads import clean_file_name
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.files import BUFFER_SIZE, IncomingFile
from corefbench.campaign.storage.submissions import NewSubmission, Submission
from corefbench.campaign.views.auth import Visitor
from corefbench.campaign.views.responses import UnreadableAnswers, page_response, redisplay_form
from corefbench.campaign.views.routes import Route, url_for
from corefbench.campaign.views.schemas import CheckResult, SubmissionAccepted
from corefbench.campaign.views.state import ServerState, get_state
from corefbench.campaign.views.submissions import signed_receipt
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
_log = logging.getLogger("corefbench.campaign")

FieldCheck = Callable[[dict[str, str]], None]
"""Checks the fields of an upload before its file is read."""


class ReceivedUpload(Record, frozen=True):
    """An upload whose last byte has arrived."""

    fields: dict[str, str]
    file_name: str
    bytes: int
    time: datetime


class CheckPage(Record, frozen=True):
    """The result of a check without a submission."""

    checked: CheckResult
    back: str


async def handle_upload(request: AnyRequest, visitor: Visitor, route: Route) -> Response[Any]:
    """Check or submit answers, from the form of a task or by the API."""
    state = get_state(request)
    task = {name: str(value) for name, value in request.path_params.items()}
    state.platform.campaign.phase(task["phase"]).data_of(task["task"])
    chunks = body_chunks(request)
    try:
        with state.platform.files.incoming(state.limits.upload) as incoming:
            upload = await receive_upload(request, chunks, state.platform, incoming, _csrf_checker(request, visitor))
            if route.name == "api-check":
                return json_response(await _check_answers(state, task, incoming, upload))
            return await _submit(request, visitor, route, task, incoming, upload)
    except CorefbenchError as error:
        await _drain(chunks)
        if route.is_api:
            raise
        return await redisplay_form(request, visitor, route, task, error)


async def receive_upload(
    request: AnyRequest,
    chunks: AsyncIterator[bytes],
    platform: Platform,
    incoming: IncomingFile,
    check_fields: FieldCheck,
) -> ReceivedUpload:
    """Write a form with a file, or a bare file, to ``incoming``."""
    kind, options = parse_options_header(request.headers.get("content-type", ""))
    if kind == "multipart/form-data":
        return await _receive_form(chunks, platform, incoming, options.get("boundary", ""), check_fields)
    fields = {name: str(value) for name, value in request.query_params.items()}
    check_values(fields.items())
    check_fields(fields)
    file_name = fields.pop("file_name", "") or "answers"
    writer = _UploadWriter(incoming)
    async for chunk in chunks:
        await writer.write(chunk)
    return await writer.finish(platform, fields, file_name)


async def _receive_form(
    chunks: AsyncIterator[bytes], platform: Platform, incoming: IncomingFile, boundary: str, check_fields: FieldCheck
) -> ReceivedUpload:
    reader = _MultipartReader(incoming, check_fields)
    try:
        with PushMultipartParser(boundary.encode(), max_segment_count=20, max_header_size=8192) as parser:
            async for chunk in chunks:
                reader.count(len(chunk))
                for event in parser.parse(chunk):
                    await reader.handle(event)
    except (MultipartError, ValueError, AssertionError) as error:
        raise UsageError("the form cannot be understood", code="CB345", found=str(error)[:200]) from error
    return await reader.finish(platform)


async def body_chunks(request: AnyRequest) -> AsyncIterator[bytes]:
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


class _UploadWriter:
    """Collects small chunks, so that a thread writes few large ones."""

    def __init__(self, incoming: IncomingFile) -> None:
        self._incoming = incoming
        self._chunks: list[bytes] = []
        self._size = 0

    async def write(self, chunk: bytes) -> None:
        """Add a chunk."""
        self._chunks.append(chunk)
        self._size += len(chunk)
        if self._size >= BUFFER_SIZE:
            await to_thread(self._flush)

    async def finish(self, platform: Platform, fields: dict[str, str], file_name: str) -> ReceivedUpload:
        """Note the time and write the rest."""
        time = platform.clock()
        if self._incoming.bytes:
            await to_thread(self._flush)
        else:
            self._flush()  # a small file stays in memory: no thread is needed
        if not self._incoming.bytes:
            raise DataError("the file is empty", code="CB310", expected="a file with answers")
        return ReceivedUpload(fields=fields, file_name=file_name, bytes=self._incoming.bytes, time=time)

    def _flush(self) -> None:
        self._incoming.write(b"".join(self._chunks))
        self._chunks, self._size = [], 0


class _MultipartReader:
    """Handles the events of a form: short fields first, then one file."""

    def __init__(self, incoming: IncomingFile, check_fields: FieldCheck) -> None:
        self._writer = _UploadWriter(incoming)
        self._check_fields = check_fields
        self._fields: dict[str, str] = {}
        self._segment: MultipartSegment | None = None
        self._value = b""
        self._size = 0
        self._file_name = ""
        self._is_file = False

    def count(self, size: int) -> None:
        """Count bytes of the form, in the file or around it."""
        self._size += size
        if self._size > _MAX_FORM_BYTES:
            raise UsageError("the form is too large", code="CB309")

    async def handle(self, event: MultipartSegment | bytearray | None) -> None:
        """Handle the beginning of a segment, a chunk of it, or its end."""
        if isinstance(event, MultipartSegment):
            self._begin(event)
        elif event is None:
            self._end()
        elif self._is_file:
            await self._writer.write(bytes(event))
        else:
            self._value += event
            if len(self._value) > _MAX_FIELD_BYTES:
                raise UsageError("a field of the form is too long", code="CB345")

    async def finish(self, platform: Platform) -> ReceivedUpload:
        """Return the upload once everything has arrived."""
        if not self._file_name:
            self._check_fields(self._fields)
            raise DataError("no file is chosen", code="CB310", expected="a file with answers")
        check_values(self._fields.items())
        return await self._writer.finish(platform, self._fields, self._file_name)

    def _begin(self, segment: MultipartSegment) -> None:
        self._segment, self._value = segment, b""
        self._is_file = segment.filename is not None
        if self._is_file:
            if self._file_name:
                raise UsageError("only one file is accepted at a time", code="CB345")
            self._check_fields(self._fields)
            self._file_name = segment.filename or "answers"

    def _end(self) -> None:
        if self._segment is not None and not self._is_file:
            self._fields[self._segment.name] = self._value.decode("utf-8", "replace")
        self._segment = None


def _csrf_checker(request: AnyRequest, visitor: Visitor) -> FieldCheck:
    """Return a check of the CSRF token; programs with an API token need none."""

    def check(fields: dict[str, str]) -> None:
        sent = fields.pop(CSRF_FIELD, "") or request.headers.get(CSRF_HEADER, "")
        if not visitor.by_token:
            check_csrf(sent, visitor.csrf)

    return check


async def _submit(
    request: AnyRequest,
    visitor: Visitor,
    route: Route,
    task: dict[str, str],
    incoming: IncomingFile,
    upload: ReceivedUpload,
) -> Response[Any]:
    state = get_state(request)
    is_check_only = not route.is_api and upload.fields.get("only")
    default = "false" if route.is_api else "true"
    if is_check_only or upload.fields.get("check", default) != "false":
        result = await _check_answers(state, task, incoming, upload)
        if not result.valid:
            raise UnreadableAnswers(result.findings)
        if is_check_only:
            model = CheckPage(checked=result, back=url_for("task", **task))
            page = Page(template="check.html", title="Checked", model=model)
            return await to_thread(page_response, request, visitor, page)
    submission = await _accept(state, visitor, task, incoming, upload)
    if not route.is_api:
        return redirect(url_for("submission", submission=submission.id))
    body = SubmissionAccepted(
        submission=submission.id, state=submission.state, receipt=signed_receipt(state.platform, submission)
    )
    response = json_response(body, route.status)
    response.headers["location"] = url_for("api-submission", submission=submission.id)
    return response


async def _check_answers(
    state: ServerState, task: dict[str, str], incoming: IncomingFile, upload: ReceivedUpload
) -> CheckResult:
    """Check answers as ``corefbench check`` does; large ones are checked when they are scored."""
    if upload.bytes > state.limits.checked:
        return CheckResult(valid=True, unchecked="too large to be checked while you wait")
    await to_thread(incoming.flush)
    campaign = state.platform.campaign
    job = Job(
        kind="check",
        path=str(incoming.path),
        file_name=clean_file_name(upload.file_name),
        task=campaign.task(task["task"]),
        data=campaign.phase(task["phase"]).data_of(task["task"]),
        folder=str(state.platform.folder),
    )
    async with state.checks:
        outcome = await to_thread(run_job, job)
    if isinstance(outcome, Invalid):
        return CheckResult(valid=False, findings=outcome.findings)
    if isinstance(outcome, Valid):
        return CheckResult(valid=True, findings=outcome.findings)
    reason = outcome.reason if isinstance(outcome, Failed) else "it could not be checked"
    return CheckResult(valid=True, unchecked=reason)


async def _accept(
    state: ServerState, visitor: Visitor, task: dict[str, str], incoming: IncomingFile, upload: ReceivedUpload
) -> Submission:
    """Store the file, then accept the submission by the rules that held when it arrived."""
    label = _parse_label(upload.fields.get("label", ""))
    request_id = _parse_request_id(upload.fields.get("request", ""))
    # A large file is stored alone: in a batch, small ones would wait for it.
    if incoming.is_small:
        stored = await state.stored_files.submit(incoming)
    else:
        stored = await to_thread(incoming.commit)
    new_submission = NewSubmission(
        team=visitor.team,
        person=visitor.person,
        phase=task["phase"],
        task=task["task"],
        label=label,
        file_name=clean_file_name(upload.file_name),
        sha256=stored.sha256,
        bytes=stored.bytes,
        request=request_id,
    )
    result = await state.acceptances.submit((new_submission, upload.time))
    outcome = result.code if isinstance(result, Refusal) else result.state
    _log.info("upload", extra={"state": outcome, "phase": task["phase"], "task": task["task"]})
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
