"""Evaluations say what ``corefbench score`` and ``corefbench are score`` say."""

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from corefbench.campaign.domain.config import Data, Task
from corefbench.campaign.domain.ranking import compute_headline
from corefbench.campaign.jobs.feedback import build_feedback
from corefbench.campaign.jobs.scoring import read_key, score_answers, select_public_documents
from corefbench.corpus.combine import take_documents
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


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_campaign(tmp_path / "tiny")


@pytest.mark.parametrize("quality", ["key", "good", "poor", "none"])
def test_scores_are_those_of_the_command(folder, quality):
    made = score_answers(folder, TASK, DATA, 1.0, load(answers(quality)))
    expected = score(answers("key"), answers(quality))
    assert made.scores == expected.scores
    assert made.headline == pytest.approx(expected.conll.f1, abs=1e-12)
    assert made.public == made.headline


def test_another_score_may_rank(folder):
    made = score_answers(folder, replace(TASK, rank="lea"), DATA, 1.0, load(answers("good")))
    assert made.headline == pytest.approx(score(answers("key"), answers("good"))["lea"].f1)


def test_rows_add_up_to_the_scores(folder):
    made = score_answers(folder, TASK, DATA, 1.0, load(answers("poor")))
    assert compute_headline(TASK, made).value == made.headline
    assert len(made.rows) == 6


def test_macro_averages_are_the_means_of_documents(folder):
    task = replace(TASK, choices={"average": "macro"})
    made = score_answers(folder, task, DATA, 1.0, load(answers("good", documents=4)))
    expected = score(answers("key"), answers("good", documents=4), average="macro")
    assert made.headline == pytest.approx(expected.conll.f1, abs=1e-12)


def test_coverage_counts_documents_in_which_something_is_marked(folder):
    some = answers("good", documents=4) + conll("-", "-", name="test/4")
    made = score_answers(folder, TASK, DATA, 1.0, load(some))
    assert (made.covered, len(made.rows)) == (4, 6)
    assert [row.answered for row in made.rows] == [True] * 4 + [False] * 2


def test_the_public_score_is_over_the_public_share(folder):
    given = answers("good", documents=3)
    made = score_answers(folder, TASK, DATA, 0.5, load(given))
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
    made = score_answers(tmp_path, task, data, 1.0, told)
    expected = played[name]
    assert made.scores[made.ranking] == expected.score
    wanted = expected.success_rate if number == 1 else expected.score.f1
    assert made.headline == pytest.approx(wanted, abs=1e-12)
    assert 0 < made.headline < 1
    assert len(made.rows) == 3
    micro = score_answers(tmp_path, replace(task, choices={"average": "micro"}), data, 1.0, told)
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
