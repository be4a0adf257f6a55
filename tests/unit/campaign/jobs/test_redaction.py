"""What is said about answers has nothing of the key in it."""

from pathlib import Path

import pytest

from corefbench.campaign.domain.config import Data, Task
from corefbench.campaign.domain.evaluation import Invalid, Outcome, Scored
from corefbench.campaign.jobs.job import Job, perform
from tests.conll import conll

TASK = Task(name="t", title="T", scored="conll-2012")
SECRET = "zebra"


def outcome(tmp_path: Path, key: bytes, answers: bytes, task: Task = TASK) -> Outcome:
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
    found = outcome(tmp_path, key("a", f"{SECRET}-1", f"{SECRET}-2"), conll("(1)", "(1)", name="a"))
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
