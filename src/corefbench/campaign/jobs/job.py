"""Jobs: check or score an upload in the sandbox.

Errors in the answers make the outcome ``Invalid``, and so does an upload that needs more time or
memory than there is. Everything else is ``Failed``, without the text of the error: it may quote the
key.
"""

import signal
from pathlib import Path
from typing import Literal

import msgspec
from msgspec.structs import replace

from corefbench.campaign.domain.config import Data, Task
from corefbench.campaign.domain.evaluation import Evaluation, Failed, Invalid, Outcome, Scored, Valid
from corefbench.campaign.jobs.redaction import redact_error
from corefbench.campaign.jobs.sandbox import Limits, OutOfTime, Refused, SandboxResult, run_sandboxed
from corefbench.campaign.jobs.scoring import read_key, score_answers
from corefbench.campaign.jobs.uploads import UploadBudget, check_answers, clean_file_name, read_answers
from corefbench.corpus.corpus import Corpus
from corefbench.diagnostics import Finding
from corefbench.errors import CorefbenchError, DataError, Place
from corefbench.records import Record

CHECKING_LIMITS = Limits(cpu_seconds=5, wall_seconds=30, memory=512 << 20, output=4 << 20)
"""Somebody waits for the answer."""
SCORING_LIMITS = Limits()
_KEY_ERRORS = ("CB207", "CB210")
_MAX_FINDINGS = 200
_READING_KEY = "reading the key"
_decode_outcome: msgspec.json.Decoder[Outcome] = msgspec.json.Decoder(Outcome)


class Job(Record, frozen=True):
    """An upload to check or score."""

    kind: Literal["check", "score"]
    path: str
    """Path of the upload …"""
    file_name: str
    """… and the name its sender gave it."""
    task: Task
    data: Data
    folder: str
    """Folder of the campaign; the paths of ``data`` are inside it."""
    public: float = 1.0
    blind: bool = True
    budget: UploadBudget = UploadBudget()
    limits: Limits = SCORING_LIMITS


def run_job(job: Job, limits: Limits | None = None) -> Outcome:
    """Do a job in the sandbox; whatever happens there is an outcome."""
    limits = limits or (CHECKING_LIMITS if job.kind == "check" else SCORING_LIMITS)
    job = replace(job, limits=limits)
    return _interpret(run_sandboxed(perform_encoded, job, limits), job)


def _interpret(result: SandboxResult, job: Job) -> Outcome:
    limits = job.limits
    if result.output:
        try:
            return _decode_outcome.decode(result.output)
        except msgspec.DecodeError:
            return Failed(reason="the answer of the child process cannot be read")
    if result.seconds >= limits.wall_seconds:
        return Failed(reason=f"the child process took longer than {limits.wall_seconds:g} s")
    if result.status == -signal.SIGKILL and result.seconds >= limits.cpu_seconds:
        return Invalid(findings=(_make_limit_finding(job, f"more than {limits.cpu_seconds} s"),))
    return Failed(reason=f"the child process ended with {result.status}")


def perform_encoded(job: Job) -> bytes:
    """Return the outcome of a job as JSON: what the child process sends back."""
    return msgspec.json.encode(perform(job))


def perform(job: Job) -> Outcome:
    """Do a job in this process."""
    stage = _READING_KEY
    try:
        if job.kind == "check":
            stage = "checking"
            return _check(job)
        key = read_key(Path(job.folder), job.task, job.data)
        stage = "reading"
        try:
            answers = read_answers(Path(job.path), job.file_name, job.budget, job.data.format or None)
        except DataError as error:
            # Reading sees the answers alone: the message cannot quote the key.
            return Invalid(findings=(Finding.of(error),))
        stage = "scoring"
        return _score(job, key, answers)
    except (MemoryError, OutOfTime) as error:
        if stage == _READING_KEY:
            return Failed(reason=f"{stage}: {_describe_without_text(error)}")
        if isinstance(error, OutOfTime):
            found = f"more than {job.limits.cpu_seconds} s"
        else:
            found = f"more than {job.limits.memory >> 20} MB of memory"
        return Invalid(findings=(_make_limit_finding(job, found),))
    except (Exception, Refused) as error:
        return Failed(reason=f"{stage}: {_describe_without_text(error)}")


def _check(job: Job) -> Outcome:
    findings = check_answers(Path(job.path), job.file_name, job.budget, job.data.format or None)
    shown = tuple(findings[:_MAX_FINDINGS])
    if any(finding.severity == "error" for finding in findings):
        return Invalid(findings=shown)
    return Valid(findings=shown)


def _score(job: Job, key: Corpus, answers: Corpus) -> Outcome:
    try:
        evaluation = score_answers(Path(job.folder), job.task, job.data, job.public, answers, key)
    except DataError as error:
        if error.code in _KEY_ERRORS:
            raise
        own_documents = answers.documents.labels()
        source = clean_file_name(job.file_name)
        return Invalid(findings=(redact_error(error, own_documents, source),))
    if job.blind:
        return Scored(evaluation=evaluation)
    return Scored(evaluation=_add_feedback(job, key, answers, evaluation))


def _add_feedback(job: Job, key: Corpus, answers: Corpus, evaluation: Evaluation) -> Evaluation:
    """Add the errors, unless they take too much: the scores are worth more."""
    from corefbench.campaign.jobs.feedback import build_feedback

    try:
        errors = build_feedback(job.task, key, answers, evaluation)
    except (MemoryError, OutOfTime):
        return evaluation
    return replace(evaluation, errors=errors)


def _describe_without_text(error: BaseException) -> str:
    """Return the type of an error and where it was raised."""
    code = f" {error.code}" if isinstance(error, CorefbenchError) else ""
    location, trace = "", error.__traceback__
    while trace is not None:
        location = f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"
        trace = trace.tb_next
    return f"{type(error).__name__}{code} at {location}"


def _make_limit_finding(job: Job, found: str) -> Finding:
    return Finding(
        code="CB309",
        severity="error",
        message="reading or scoring the answers takes too much",
        place=Place(source=clean_file_name(job.file_name)),
        found=found,
    )
