"""The child process: a job as JSON on standard input, its outcome as JSON on standard output.

``python -m corefbench.campaign.jobs.child``. What the answers are to blame for is ``invalid``, and
so is an upload that needs more time or memory than there is; all else is ``failed``, without the
words of the error, which might be those of the key.
"""

import os
import signal
import sys
from pathlib import Path
from types import FrameType

import msgspec
from msgspec.structs import replace

from corefbench.campaign.domain.evaluation import Evaluation
from corefbench.campaign.domain.outcome import Failed, Invalid, Outcome, Scored, Valid
from corefbench.campaign.jobs.discreet import discreet_error
from corefbench.campaign.jobs.evaluate import evaluate, read_key
from corefbench.campaign.jobs.intake import check_answers, read_answers, shown_name
from corefbench.campaign.jobs.job import Job, to_job
from corefbench.campaign.jobs.limits import Refused, confine, leave_network
from corefbench.errors import CorefbenchError, DataError, Place
from corefbench.findings import Finding
from corefbench.model.corpus import Corpus

_OF_KEY = ("CB207", "CB210")
_MOST_FINDINGS = 200
_KEY = "reading the key"


class OutOfTime(BaseException):
    """The processor time is used; no reader may catch it."""


def answer(job: Job) -> Outcome:
    """Do a job, whatever the answers are."""
    stage = _KEY
    try:
        if job.kind == "check":
            stage = "checking"
            return _check(job)
        key = read_key(Path(job.folder), job.task, job.data)
        stage = "reading"
        try:
            answers = read_answers(
                Path(job.path), job.file_name, job.budget, job.data.format or None
            )
        except DataError as error:
            # Reading looks at the answers alone: nothing of the key is in what it says.
            return Invalid(findings=(Finding.of(error),))
        stage = "scoring"
        return _score(job, key, answers)
    except (MemoryError, OutOfTime) as error:
        if stage == _KEY:
            return Failed(reason=f"{stage}: {_nameless(error)}")
        return Invalid(findings=(_too_much(job, error),))
    except (Exception, Refused) as error:
        return Failed(reason=f"{stage}: {_nameless(error)}")


def _check(job: Job) -> Outcome:
    found = check_answers(Path(job.path), job.file_name, job.budget, job.data.format or None)
    findings = tuple(found[:_MOST_FINDINGS])
    if any(finding.severity == "error" for finding in found):
        return Invalid(findings=findings)
    return Valid(findings=findings)


def _score(job: Job, key: Corpus, answers: Corpus) -> Outcome:
    own = answers.documents.labels()
    folder = Path(job.folder)
    try:
        evaluation = evaluate(folder, job.task, job.data, job.public, answers, key)
    except DataError as error:
        if error.code in _OF_KEY:
            raise
        return Invalid(findings=(discreet_error(error, own, shown_name(job.file_name)),))
    return Scored(evaluation=evaluation if job.blind else _explained(job, key, answers, evaluation))


def _explained(job: Job, key: Corpus, answers: Corpus, evaluation: Evaluation) -> Evaluation:
    """With the errors; without them where they take too much: the scores are worth more."""
    from corefbench.campaign.jobs.errors_seen import errors_seen

    try:
        errors = errors_seen(job.task, key, answers, evaluation)
    except (MemoryError, OutOfTime):
        return evaluation
    return replace(evaluation, errors=errors)


def _nameless(error: BaseException) -> str:
    """The kind of an error and where it was raised, without its words."""
    code = f" {error.code}" if isinstance(error, CorefbenchError) else ""
    place, trace = "", error.__traceback__
    while trace is not None:
        place = f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"
        trace = trace.tb_next
    return f"{type(error).__name__}{code} at {place}"


def _too_much(job: Job, error: BaseException) -> Finding:
    if isinstance(error, OutOfTime):
        found = f"more than {job.limits.cpu_seconds} s"
    else:
        found = f"more than {job.limits.memory >> 20} MB of memory"
    return Finding(
        code="CB309",
        severity="error",
        message="reading or scoring the answers takes too much",
        place=Place(source=shown_name(job.file_name)),
        found=found,
    )


def run(given: bytes) -> bytes:
    """Do an encoded job within its limits."""
    job = to_job.decode(given)
    signal.signal(signal.SIGXCPU, _stop)
    confine(job.limits)
    return msgspec.json.encode(answer(job))


def _stop(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGXCPU, signal.SIG_IGN)  # it comes every second from now on
    raise OutOfTime


def main() -> None:
    """Read, work, write."""
    leave_network()
    outcome = run(sys.stdin.buffer.read())
    sys.stdout.buffer.write(outcome)
    sys.stdout.buffer.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
