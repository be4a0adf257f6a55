"""``corefbench prompts`` and ``corefbench answers``: there and back, and the recorded example."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from corefbench.cli.main import app
from corefbench.errors import UsageError
from corefbench.formats.load import load
from tests.cli import run

EXAMPLE = Path(__file__).parents[4] / "examples" / "language-model"


def answered(tmp_path, *options):
    return run(
        "answers", EXAMPLE / "key.conllu", EXAMPLE / "answers.jsonl", tmp_path / "response.conllu",
        "--prompts", EXAMPLE / "prompts.jsonl", *options,
    )  # fmt: skip


def test_the_prompts_of_the_example_are_made_again(tmp_path) -> None:
    result = tmp_path / "made" / "prompts.jsonl"
    printed = run("prompts", EXAMPLE / "key.conllu", result, "--window", 220)
    assert result.read_bytes() == (EXAMPLE / "prompts.jsonl").read_bytes()
    assert printed.startswith("8 prompts from 4 documents")


def test_the_account_of_the_example_names_every_fault_that_was_put_in(tmp_path) -> None:
    result = json.loads(answered(tmp_path, "--format", "json"))["account"]
    assert result["states"] == {"used": 5, "missing": 1, "not a copy": 1, "failed": 1}
    assert result["documents_without_anything"] == ["instructions-router"]
    # never closed: two where the answer is cut off, one that lacks its partner
    assert result["brackets_dropped"] == {
        "not in the text": 4,
        "never closed": 3,
        "without a number": 1,
        "never opened": 1,
    }
    # "The dog wagged its tail at the two of them ." has eleven words, and its tail is a chain
    assert result["in_used_answers"]["added"] == 11
    assert result["chains_lost"] == 1
    # learned for learnt; Over for More than, so that one word is also missing, as is a had
    assert result["in_used_answers"]["changed"] == 2
    assert result["in_used_answers"]["unaligned"] == 2 + 33
    removed = {row["id"][:16]: row["removed"] for row in result["answers"]}
    assert removed["news-ferry-m0-21"] == ["fence"]
    assert [row["cut"] for row in result["answers"]].count(True) == 1
    assert result["words_in_no_answer_used"] == 312 + 276 - 219


def test_the_response_is_a_corpus_with_the_words_of_the_key(tmp_path) -> None:
    answered(tmp_path)
    key, response = load(EXAMPLE / "key.conllu"), load(tmp_path / "response.conllu")
    assert [document.words for document in response] == [document.words for document in key]
    assert len(response[3].mentions) == 0


def test_scores_and_their_signature_stand_beside_the_account(tmp_path) -> None:
    result = json.loads(answered(tmp_path, "--score", "--profile", "semeval-2010", "--format", "json"))
    assert result["score"]["signature"].startswith("semeval-2010|")
    ours = json.loads(answered(tmp_path, "--score", "--format", "json"))["score"]
    scored = json.loads(run("score", EXAMPLE / "key.conllu", tmp_path / "response.conllu", "--format", "json"))
    assert ours["scores"] == scored["scores"]


@pytest.mark.parametrize("format", ["table", "markdown", "latex", "csv", "html"])
def test_the_account_comes_in_every_format(tmp_path, format: str) -> None:
    text = answered(tmp_path, "--score", "--by", "answer", "--format", format)
    for words in ("answers missing", "news-library", "CoNLL"):
        assert words in text


def test_standard_output_is_for_the_response(tmp_path) -> None:
    done = CliRunner().invoke(
        app,
        ["answers", str(EXAMPLE / "key.conllu"), str(EXAMPLE / "answers.jsonl"), "-",
         "--output-format", "inline"],
    )  # fmt: skip
    assert done.stdout.startswith("# document news-ferry")
    assert "answers used" in done.stderr


def test_a_batch_file_needs_a_model_and_its_answers_are_read(tmp_path) -> None:
    with pytest.raises(UsageError, match="--model"):
        run("prompts", EXAMPLE / "key.conllu", "-", "--shape", "openai-batch")
    batch, best = tmp_path / "batch.jsonl", tmp_path / "best.jsonl"
    run("prompts", EXAMPLE / "key.conllu", batch, "--shape", "openai-batch", "--model", "m",
        "--ceiling", best)  # fmt: skip
    rows = []
    for line in best.read_text().splitlines():
        row = json.loads(line)
        message = {"choices": [{"message": {"content": row["answer"]}}]}
        rows.append(json.dumps({"custom_id": row["id"], "response": {"body": message}}))
    (tmp_path / "back.jsonl").write_text("\n".join(rows))
    result = json.loads(
        run("answers", EXAMPLE / "key.conllu", tmp_path / "back.jsonl", tmp_path / "r.conll",
            "--prompts", batch, "--score", "--format", "json")
    )  # fmt: skip
    assert result["score"]["conll"] == 1.0
    assert result["account"]["used"] == 4


@pytest.mark.parametrize(
    "options", [["--singletons", "perhaps"], ["--shape", "tree"], ["--template", "mark-al"],
                ["--window", "10", "--overlap", "10"], ["--examples", "2"]],
)  # fmt: skip
def test_options_that_make_no_sense_are_refused(options) -> None:
    with pytest.raises(UsageError):
        run("prompts", EXAMPLE / "key.conllu", "-", *options)


def test_without_a_corpus_there_is_nothing_to_do_but_to_list() -> None:
    assert "given-mentions" in run("prompts", "--list")
    with pytest.raises(UsageError):
        run("prompts")
