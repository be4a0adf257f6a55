"""``corefbench are``: from a corpus to tasks, from tasks to answers, from answers to scores."""

import json
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

from corefbench.cli.main import app
from corefbench.errors import FormatError, UsageError
from tests import cli
from tests.unit.bench.texts import CONLLU


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.conllu"
    path.write_bytes(CONLLU)
    return path


run = partial(cli.run, "are")


def take_part(task: int, corpus: Path, *more: object) -> str:
    chosen = ("--preprocess", "conllu", "--input-format", "corefud", "-r", "most-recent,sieve")
    return run("run", task, corpus, *chosen, *more)


def test_the_whole_exercise(corpus: Path, tmp_path: Path) -> None:
    report = run("make", corpus, tmp_path / "made", "--input-format", "corefud", "--format", "json")
    counts = {"documents": 2, "words": 19, "entities": 9, "chains": 3, "pronouns": 4}
    assert json.loads(report)["tasks"]["1"] == counts
    for task in (1, 2, 3, 4):
        result = json.loads(take_part(task, corpus, "-f", "json", "--answers", tmp_path / str(task)))
        key, answers = tmp_path / f"made/keys/task-{task}.xml", tmp_path / f"{task}/sieve.xml"
        scored = json.loads(run("score", task, key, answers, "--format", "json"))
        assert scored["task"] == task
        assert scored["by_document"] == result["participants"]["sieve"]["by_document"]
        names = ["success_rate"] if task == 1 else ["recall", "precision", "f1"]
        assert list(scored)[1 : len(names) + 1] == names
        assert all(scored[name] == scored["macro"][name] for name in names)


def test_a_table_shows_the_participants_of_2007_below(corpus: Path) -> None:
    rows = [line.split() for line in take_part(4, corpus).splitlines() if "|" not in line]
    assert [row[0] for row in rows if len(row) == 4][1:] == ["most-recent", "sieve"]
    assert ["2007:", "S3", "56.07", "62.34", "58.02"] in rows


@pytest.mark.parametrize("format", ["markdown", "latex", "csv", "html"])
def test_other_formats_have_the_table(corpus: Path, format: str) -> None:
    assert "33.16" in take_part(1, corpus, "--format", format)


def test_a_score_may_be_shown_by_document(corpus: Path, tmp_path: Path) -> None:
    take_part(1, corpus, "--answers", tmp_path / "a")
    given = (corpus, tmp_path / "a/sieve.xml")
    output = run("score", 1, *given, "--by", "document")
    assert [line.split()[0] for line in output.splitlines() if line.startswith(("first", "second"))]
    written = tmp_path / "score.txt"
    run("score", 1, *given, "--output", written, "--average", "micro")
    assert "average:micro" in written.read_text(encoding="utf-8")


def test_answers_that_do_not_fit_are_refused_or_said(corpus: Path, tmp_path: Path) -> None:
    answers = tmp_path / "answers.xml"
    stranger = '<pronoun id="99" antecedent="1"/>'
    answers.write_text(f'<are><document id="first">{stranger}</document></are>', encoding="utf-8")
    with pytest.raises(FormatError, match="does not have"):
        run("score", 1, corpus, answers)
    done = CliRunner().invoke(app, ["are", "score", "1", str(corpus), str(answers), "--lenient"])
    assert done.exit_code == 0
    assert "CB128" in done.stderr


@pytest.mark.parametrize("task", ["0", "5", "first"])
def test_there_are_four_tasks(corpus: Path, task: str) -> None:
    assert CliRunner().invoke(app, ["are", "score", task, str(corpus), str(corpus)]).exit_code == 2


def test_reports_go_by_document_or_not_at_all(corpus: Path) -> None:
    with pytest.raises(UsageError, match="topic"):
        run("score", 1, corpus, corpus, "--by", "topic")
