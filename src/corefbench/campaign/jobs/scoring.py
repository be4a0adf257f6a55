"""Check or score an upload in the sandbox.

Errors in the answers make the outcome ``Invalid``, and so does an upload that needs more time or memory than there is.
Everything else is ``Failed``, without the text of the error: it may quote the key.

Findings and errors of a comparison name documents, spans and numbers of both sides. Those about the key, and those
that reveal a score before its release, are left out; of the others only what the answers themselves contain is kept.
"""

import hashlib
import signal
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from math import ceil
from pathlib import Path
from typing import Literal, cast

import msgspec
import numpy as np
from msgspec.structs import replace

from corefbench.campaign.domain.config import Data, Task
from corefbench.campaign.domain.evaluation import DocumentRow, Evaluation, Failed, Invalid, Outcome, Scored, Valid
from corefbench.campaign.domain.ranking import compute_headline, get_are_task_number, get_ranking_score
from corefbench.campaign.jobs.answers import UploadBudget, check_answers, read_answers
from corefbench.campaign.jobs.sandbox import Limits, OutOfTime, Refused, SandboxResult, run_sandboxed
from corefbench.campaign.storage.files import clean_file_name
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.scope import apply_scope
from corefbench.diagnostics import Finding
from corefbench.errors import CorefbenchError, DataError, Place
from corefbench.formats.load import load
from corefbench.records import Record
from corefbench.scoring.api import score
from corefbench.scoring.overrides import customise_profile
from corefbench.scoring.result import Result
from corefbench.tasks.are.result import Average
from corefbench.tasks.are.result import TaskResult as AreResult

CHECKING_LIMITS = Limits(cpu_seconds=5, wall_seconds=30, memory=512 << 20, output=4 << 20)
"""Somebody waits for the answer."""
SCORING_LIMITS = Limits()
_KEY_ERRORS = ("CB207", "CB210")
_MAX_FINDINGS = 200
_READING_KEY = "reading the key"
_REMEDIES = {
    "--lenient": "correct the file and send it again",
    "--input-format": "send a file in the format of the task",
}
"""Options of the command line in remedies of readers, and what participants can do instead."""
_ARE_COLUMNS = ("hits", "key_total", "response_total")
_KEY_CODES = frozenset({"CB207", "CB208", "CB209", "CB210"})
"""Repeats and singletons of the key, and how many mentions have a twin: half a score."""
_MISSING_DOCUMENT = "CB202"
_TEXT_CODES = frozenset({"CB204", "CB205", "CB213"})
_MAX_PER_CODE = 100
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
            return Invalid(findings=(_adapt_remedy(Finding.of(error)),))
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
    """Check the file, then whether its documents and ids are those that the scorer expects.

    An upload that the scorer refuses counts against the quota: it must not pass the check.
    """
    findings = check_answers(Path(job.path), job.file_name, job.budget, job.data.format or None)
    shown = tuple(map(_adapt_remedy, findings[:_MAX_FINDINGS]))
    if any(finding.severity == "error" for finding in findings):
        return Invalid(findings=shown)
    key = read_key(Path(job.folder), job.task, job.data)
    try:
        answers = read_answers(Path(job.path), job.file_name, job.budget, job.data.format or None)
        outcome = _evaluate(job, key, answers)
    except (MemoryError, OutOfTime):
        # Scoring has higher limits than a check that somebody waits for.
        return Valid(findings=shown)
    if isinstance(outcome, Invalid):
        return outcome
    return Valid(findings=(*shown, *outcome.findings)[:_MAX_FINDINGS])


def _score(job: Job, key: Corpus, answers: Corpus) -> Outcome:
    outcome = _evaluate(job, key, answers)
    if isinstance(outcome, Invalid):
        return outcome
    return Scored(evaluation=outcome if job.blind else _add_feedback(job, key, answers, outcome))


def _evaluate(job: Job, key: Corpus, answers: Corpus) -> Evaluation | Invalid:
    try:
        return score_answers(job.task, key, answers, job.public)
    except DataError as error:
        if error.code in _KEY_ERRORS:
            raise
        own_documents = answers.documents.labels()
        source = clean_file_name(job.file_name)
        return Invalid(findings=(redact_error(error, own_documents, source),))


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


def read_key(folder: Path, task: Task, data: Data) -> Corpus:
    """Read the key; for ARE tasks, in the form in which they are scored."""
    corpus = load(folder / data.key, format=data.format or None)
    if not get_are_task_number(task):
        return corpus
    from corefbench.tasks.are.make import make_task_corpus

    return make_task_corpus(corpus, get_are_task_number(task))


def score_answers(task: Task, key: Corpus, answers: Corpus, public: float) -> Evaluation:
    """Return the scores of answers, with the counts of every document.

    Findings are redacted: they quote the answers, not the key.
    """
    score_corpora = _score_are_task if get_are_task_number(task) else _score_by_profile
    evaluation = score_corpora(task, key, answers)
    shown = select_public_documents([row.document for row in evaluation.rows], public)
    own = answers.documents.labels()
    return replace(
        evaluation,
        headline=compute_headline(task, evaluation).value,
        public=compute_headline(task, evaluation, shown).value,
        public_documents=shown,
        findings=redact_findings(evaluation.findings, own, answers.name),
    )


def select_public_documents(documents: Sequence[str], share: float) -> tuple[str, ...]:
    """Return the documents that the board shows before publication, at least one, in their order.

    The choice depends on their names alone: those with the smallest SHA-256.

    >>> select_public_documents(["a", "b", "c", "d"], 0.5)
    ('c', 'd')
    """
    count = max(ceil(share * len(documents)), 1)
    order = sorted(documents, key=lambda name: hashlib.sha256(name.encode()).digest())
    chosen = set(order[:count])
    return tuple(name for name in documents if name in chosen)


def _score_by_profile(task: Task, key: Corpus, answers: Corpus) -> Evaluation:
    result = score(key, answers, customise_profile(task.scored, task.choices))
    answered = _find_answered(result, answers)
    values = {name: tally.values.tolist() for name, tally in result.tallies.items()}
    return Evaluation(
        signature=str(result.signature),
        scores=result.scores,
        ranking=get_ranking_score(task),
        headline=0.0,
        public=0.0,
        columns={name: tally.columns for name, tally in result.tallies.items()},
        rows=tuple(
            DocumentRow(
                document=document,
                counts={name: tuple(rows[number]) for name, rows in values.items()},
                answered=answered[number],
            )
            for number, document in enumerate(result.documents)
        ),
        findings=result.findings,
    )


def _find_answered(result: Result, answers: Corpus) -> list[bool]:
    """Return for every scored document whether the answers have a mention in it."""
    scoped = apply_scope(answers, result.profile.scope)
    labels = scoped.documents.labels()
    if len(labels) == len(result.documents) == 1:
        labels = result.documents
    mention_counts = np.bincount(scoped.mentions.document, minlength=len(labels))
    answered = {label for label, count in zip(labels, mention_counts.tolist(), strict=True) if count}
    return [document in answered for document in result.documents]


def _score_are_task(task: Task, key: Corpus, answers: Corpus) -> Evaluation:
    result = _run_are_scorer(task, key, answers)
    name = get_ranking_score(task)
    return Evaluation(
        signature=result.signature,
        scores={name: result.score},
        ranking=name,
        headline=0.0,
        public=0.0,
        columns={name: _ARE_COLUMNS},
        rows=tuple(
            DocumentRow(
                document=row.document,
                counts={name: (row.hits, float(row.key_total), float(row.response_total))},
                answered=row.response_total > 0,
            )
            for row in result.documents
        ),
        findings=result.findings,
    )


def _run_are_scorer(task: Task, key: Corpus, answers: Corpus) -> AreResult:
    from corefbench.tasks.are.overlap import Weighting
    from corefbench.tasks.are.score import score_task

    return score_task(
        get_are_task_number(task),
        key,
        answers,
        average=cast(Average, task.choices.get("average", "macro")),
        weighting=cast(Weighting, task.choices.get("weighting", "mean")),
    )


def redact_findings(findings: Iterable[Finding], own: Collection[str], source: str) -> tuple[Finding, ...]:
    """Return the findings of a comparison that the sender, with documents ``own``, may read."""
    redacted: list[Finding] = []
    count: Counter[str] = Counter()
    for finding in findings:
        count[finding.code] += 1
        if finding.code in _KEY_CODES or finding.code == _MISSING_DOCUMENT or count[finding.code] > _MAX_PER_CODE:
            continue
        redacted.append(_redact(finding, own, source))
    if missing := count[_MISSING_DOCUMENT]:
        redacted.append(
            Finding(
                code=_MISSING_DOCUMENT,
                severity="warning",
                message=f"there is nothing on {missing:,} documents; they count as empty",
                place=Place(source=source),
            )
        )
    return tuple(redacted)


def redact_error(error: DataError, own: Collection[str], source: str) -> Finding:
    """Return the error of a comparison as its sender may read it."""
    # What was expected may quote the key.
    finding = replace(Finding.of(error), found=error.found)
    return _redact(finding, own, source)


def _redact(finding: Finding, own: Collection[str], source: str) -> Finding:
    document = finding.place.document if finding.place.document in own else ""
    found = finding.found
    # A single document is paired with that of the key, whatever its name.
    if finding.code == "CB203" or (finding.code in _TEXT_CODES and len(own) == 1):
        found = ""
    return replace(_adapt_remedy(finding), place=Place(source=source, document=document), found=found)


def _adapt_remedy(finding: Finding) -> Finding:
    """Replace a remedy that names an option which participants do not have."""
    for option, remedy in _REMEDIES.items():
        if option in finding.remedy:
            return replace(finding, remedy=remedy)
    return finding
