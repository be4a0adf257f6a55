"""Evaluations say what ``corefbench score`` and ``corefbench are score`` say."""

import os
import re
import time
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from corefbench.campaign.domain.config import Data, Task
from corefbench.campaign.domain.evaluation import Evaluation, Failed, Invalid, Outcome, Scored, Valid
from corefbench.campaign.domain.ranking import compute_headline
from corefbench.campaign.jobs.feedback import build_feedback
from corefbench.campaign.jobs.sandbox import Limits
from corefbench.campaign.jobs.scoring import Job, perform, read_key, run_job, score_answers, select_public_documents
from corefbench.corpus.combine import take_documents
from corefbench.corpus.corpus import Corpus
from corefbench.datasets.bundled import load_bundled
from corefbench.formats.load import load
from corefbench.preprocess.english.pronouns import THIRD_PERSON
from corefbench.scoring.api import score
from corefbench.tasks.are.files import answers_file as written_answers
from corefbench.tasks.are.files import write_files
from corefbench.tasks.are.make import make_task_corpus, make_tasks
from corefbench.tasks.are.run import run_task
from tests.campaign import answers, tiny_campaign, write_campaign
from tests.conll import conll

CAMPAIGN = tiny_campaign()
TASK = CAMPAIGN.task("coreference")
DATA = CAMPAIGN.phase("test").data_of("coreference")


def score_file(folder: Path, task: Task, data: Data, told: Corpus, public: float = 1.0) -> Evaluation:
    return score_answers(task, read_key(folder, task, data), told, public)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_campaign(tmp_path / "tiny")


@pytest.mark.parametrize("quality", ["key", "good", "poor", "none"])
def test_scores_are_those_of_the_command(folder, quality):
    made = score_file(folder, TASK, DATA, load(answers(quality)), 1.0)
    expected = score(answers("key"), answers(quality))
    assert made.scores == expected.scores
    assert made.headline == pytest.approx(expected.conll.f1, abs=1e-12)
    assert made.public == made.headline


def test_another_score_may_rank(folder):
    made = score_file(folder, replace(TASK, rank="lea"), DATA, load(answers("good")), 1.0)
    assert made.headline == pytest.approx(score(answers("key"), answers("good"))["lea"].f1)


def test_rows_add_up_to_the_scores(folder):
    made = score_file(folder, TASK, DATA, load(answers("poor")), 1.0)
    assert compute_headline(TASK, made).value == made.headline
    assert len(made.rows) == 6


def test_macro_averages_are_the_means_of_documents(folder):
    task = replace(TASK, choices={"average": "macro"})
    made = score_file(folder, task, DATA, load(answers("good", documents=4)), 1.0)
    expected = score(answers("key"), answers("good", documents=4), average="macro")
    assert made.headline == pytest.approx(expected.conll.f1, abs=1e-12)


def test_coverage_counts_documents_in_which_something_is_marked(folder):
    some = answers("good", documents=4) + conll(*"--------", name="test/4")
    made = score_file(folder, TASK, DATA, load(some), 1.0)
    assert (made.covered, len(made.rows)) == (4, 6)
    assert [row.answered for row in made.rows] == [True] * 4 + [False] * 2


def test_the_public_score_is_over_the_public_share(folder):
    given = answers("good", documents=3)
    made = score_file(folder, TASK, DATA, load(given), 0.5)
    assert len(made.public_documents) == 3
    assert made.public == compute_headline(TASK, made, made.public_documents).value
    assert made.public != made.headline


def test_the_public_share_depends_on_names_alone():
    names = [f"d{number}" for number in range(101)]
    share = select_public_documents(names, 0.3)
    assert len(share) == 31
    assert set(select_public_documents(names[::-1], 0.3)) == set(share)
    assert select_public_documents(names, 1.0) == tuple(names)
    assert len(select_public_documents(["only"], 0.01)) == 1


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_the_tasks_of_the_exercise_are_scored_as_the_exercise_does(tmp_path, number):
    corpus = load_bundled()
    few = take_documents(corpus, np.arange(3), [(name, -1) for name in corpus.documents.names[:3]])
    write_files(make_tasks(few), tmp_path)
    played = run_task(number, few, ["most-recent"], preprocess="en-words", cache=False)
    ((name, given),) = played.answers.items()
    told = load(written_answers(make_task_corpus(few, number), number, given))
    task = Task(name="t", title="T", scored=f"are-{number}")
    data = Data(task="t", key=f"keys/task-{number}.xml", format="are")
    made = score_file(tmp_path, task, data, told)
    expected = played[name]
    assert made.scores[made.ranking] == expected.score
    wanted = expected.success_rate if number == 1 else expected.score.f1
    assert made.headline == pytest.approx(wanted, abs=1e-12)
    assert 0 < made.headline < 1
    assert len(made.rows) == 3
    micro = score_file(tmp_path, replace(task, choices={"average": "micro"}), data, told)
    wanted = expected.micro.recall if number == 1 else expected.micro.f1
    assert micro.headline == pytest.approx(wanted, abs=1e-12)
    seen = build_feedback(task, read_key(tmp_path, task, data), told, made)
    assert [one.scores[made.ranking].f1 for one in seen.documents] == pytest.approx(
        [one.score.f1 for one in expected.documents]
    )
    if number in (1, 3):
        right = sum(one.key_total for one in expected.documents) - sum(seen.counts["pronouns"].values())
        assert 0 <= right <= sum(one.hits for one in expected.documents)
        assert {example.kind for example in seen.examples} <= {"unanswered", "wrong", "partly"}
        assert all(example.mention.text.lower() in THIRD_PERSON for example in seen.examples)


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
    assert outcome.findings[0].remedy == "correct the file and send it again"  # participants have no --lenient


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_the_check_refuses_names_that_the_scorer_refuses(tmp_path, number):
    corpus = load_bundled()
    few = take_documents(corpus, np.arange(2), [(name, -1) for name in corpus.documents.names[:2]])
    write_files(make_tasks(few), tmp_path)
    key = tmp_path / f"keys/task-{number}.xml"
    job = Job(
        kind="check",
        path=str(tmp_path / "upload"),
        file_name="run.xml",
        task=Task(name="t", title="T", scored=f"are-{number}"),
        data=Data(task="t", key=f"keys/task-{number}.xml", format="are"),
        folder=str(tmp_path),
    )
    Path(job.path).write_bytes(key.read_bytes())
    assert isinstance(run_job(job), Valid)
    # Words and entities are numbered from 1 in the key: another first digit makes other names.
    names = rb'(start|end|node|id|antecedent)="(\d)'
    Path(job.path).write_bytes(re.sub(names, rb'\1="x\2', key.read_bytes()))
    for kind in ("check", "score"):
        outcome = run_job(replace(job, kind=kind))
        assert isinstance(outcome, Invalid)
        assert [finding.code for finding in outcome.findings] == ["CB128"]


def test_the_check_refuses_documents_that_the_scorer_refuses(job):
    Path(job.path).write_bytes(answers("good").replace(b"document (", b"document (other-"))
    for kind in ("check", "score"):
        outcome = run_job(replace(job, kind=kind))
        assert isinstance(outcome, Invalid)
        assert [finding.code for finding in outcome.findings] == ["CB201"]


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
    assert time.monotonic() - started < 60, "a FIFO that nobody writes to would block for ever"


def test_an_outcome_that_is_too_long_is_a_failure_of_the_platform(job):
    assert isinstance(run_job(job, Limits(output=500)), Failed)


PLAIN_TASK = Task(name="t", title="T", scored="conll-2012")
SECRET = "zebra"


def outcome(tmp_path: Path, key: bytes, answers: bytes, task: Task = PLAIN_TASK) -> Outcome:
    (tmp_path / "key.conll").write_bytes(key)
    (tmp_path / "upload").write_bytes(answers)
    job = Job(
        kind="score",
        path=str(tmp_path / "upload"),
        file_name="run.conll",
        task=task,
        data=Data(task="t", key="key.conll"),
        folder=str(tmp_path),
    )
    return perform(job)


def said(outcome: Outcome) -> str:
    findings = (
        outcome.evaluation.findings if isinstance(outcome, Scored) else outcome.findings  # type: ignore[union-attr]
    )
    return "\n".join(map(str, findings))


def key(*names: str, cells: tuple[str, ...] = ("(1)", "(1)", "(2)")) -> bytes:
    words = [SECRET, "quagga", "okapi"]
    return b"".join(conll(*cells, name=name, words=words) for name in names)


def test_documents_that_belong_to_another_key_are_named_those_of_the_key_are_not(tmp_path):
    found = outcome(tmp_path, key(f"{SECRET}-1", f"{SECRET}-2"), conll("(1)", "(1)", name="mine"))
    assert isinstance(found, Invalid)
    assert [f.code for f in found.findings] == ["CB201"]
    assert "mine" in said(found)
    assert SECRET not in found.message


def test_missing_documents_are_counted_not_named(tmp_path):
    found = outcome(tmp_path, key("a", f"{SECRET}-1", f"{SECRET}-2"), conll("(1)", "(1)", "-", name="a"))
    assert isinstance(found, Scored)
    assert "nothing on 2 documents" in said(found)
    assert SECRET not in said(found)


def test_an_only_document_is_paired_without_the_name_that_the_key_has_for_it(tmp_path):
    found = outcome(tmp_path, key(SECRET), conll("(1)", "(1)", "-", "-", name="mine"))
    assert isinstance(found, Scored)
    assert {f.code for f in found.evaluation.findings} == {"CB203", "CB204"}
    assert SECRET not in said(found)


@pytest.mark.parametrize("word", ["okapi", "2 of 3", "singleton", "twin", "key's singletons"])
def test_nothing_is_told_of_singletons_repeats_and_twins(tmp_path, word):
    gold = key("a", cells=("(1)|(2)", "(1)", "(2)"))
    task = Task(name="t", title="T", scored="conll-2012", choices={"singletons": "strip"})
    found = outcome(tmp_path, gold, conll("-", "-", "(3)", name="a"), task)
    assert word not in said(found)


def test_a_broken_key_is_not_the_participants_fault(tmp_path):
    found = outcome(tmp_path, key("a").replace(b"(1)", b"1)", 1), conll("(1)", "(1)", name="a"))
    assert type(found).__name__ == "Failed"
    assert SECRET not in str(found)


def test_errors_of_reading_quote_the_answers(tmp_path):
    found = outcome(tmp_path, key("a"), b"#begin document (a);\nw 1)\n#end document\n")
    assert isinstance(found, Invalid)
    assert found.findings[0].code == "CB104"
    assert found.findings[0].place.source == "run.conll"
    assert found.findings[0].place.line == 2
