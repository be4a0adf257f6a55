"""Jobs: what comes of uploads that are checked or scored in the sandbox."""

import os
import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from corefbench.campaign.domain.evaluation import Failed, Invalid, Scored, Valid
from corefbench.campaign.jobs.job import Job, run_job
from corefbench.campaign.jobs.sandbox import Limits
from tests.campaign import answers, tiny_campaign, write_campaign

CAMPAIGN = tiny_campaign()


@pytest.fixture
def job(tmp_path: Path) -> Job:
    (tmp_path / "upload").write_bytes(answers("good"))
    return Job(
        kind="score",
        path=str(tmp_path / "upload"),
        file_name="run.conll",
        task=CAMPAIGN.task("coreference"),
        data=CAMPAIGN.phase("test").data_of("coreference"),
        folder=str(write_campaign(tmp_path / "tiny")),
        public=0.5,
    )


def test_answers_are_scored(job):
    outcome = run_job(job)
    assert isinstance(outcome, Scored)
    assert outcome.evaluation.covered == 6
    assert outcome.evaluation.errors is None


def test_errors_are_shown_in_phases_that_are_not_blind(job):
    outcome = run_job(replace(job, blind=False))
    assert isinstance(outcome, Scored)
    feedback = outcome.evaluation.errors
    assert feedback is not None
    documents = [row.document for row in outcome.evaluation.rows]
    assert [one.document for one in feedback.documents] == documents
    assert sum(sum(one.errors.values()) for one in feedback.documents) == sum(
        sum(kinds.values()) for kinds in feedback.counts.values()
    )
    assert feedback.examples


def test_answers_are_checked(job):
    assert isinstance(run_job(replace(job, kind="check")), Valid)
    Path(job.path).write_bytes(answers("good").replace(b"(0)", b"0)", 1))
    outcome = run_job(replace(job, kind="check"))
    assert isinstance(outcome, Invalid)
    assert outcome.findings[0].code == "CB104"


def test_a_missing_upload_is_a_failure_of_the_platform(job):
    Path(job.path).unlink()
    outcome = run_job(job)
    assert isinstance(outcome, Failed)
    assert "FileNotFoundError" in outcome.reason


def test_answers_that_need_too_much_memory_are_invalid(job):
    assert isinstance(run_job(job, Limits(memory=280 << 20)), Scored)
    Path(job.path).write_bytes(answers("good") * 40_000)
    outcome = run_job(job, Limits(memory=280 << 20))
    assert isinstance(outcome, Invalid)
    assert outcome.findings[0].code == "CB309"


def test_answers_that_need_too_much_processor_time_are_invalid(job):
    Path(job.path).write_bytes(answers("good") * 25_000)
    outcome = run_job(job, Limits(cpu_seconds=1))
    assert isinstance(outcome, Invalid)
    assert (outcome.findings[0].code, outcome.findings[0].found) == ("CB309", "more than 1 s")


def test_a_job_that_hangs_is_a_failure_of_the_platform(job):
    Path(job.path).unlink()
    os.mkfifo(job.path)  # opening it waits for ever
    started = time.monotonic()
    outcome = run_job(job, Limits(wall_seconds=1.5))
    assert isinstance(outcome, Failed)
    assert "longer than 1.5 s" in outcome.reason
    assert time.monotonic() - started < 8


def test_an_outcome_that_is_too_long_is_a_failure_of_the_platform(job):
    assert isinstance(run_job(job, Limits(output=500)), Failed)
