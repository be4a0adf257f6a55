"""``corefbench convert`` on the command line."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from corefbench.cli.main import app
from corefbench.errors import VerificationFailed
from tests.conll import conll

RUN = CliRunner()


@pytest.fixture
def source(tmp_path: Path) -> str:
    (tmp_path / "in.conll").write_bytes(conll("(1)", "(2)", "(1)"))
    return str(tmp_path / "in.conll")


def test_the_account_says_what_is_lost(source: str, tmp_path: Path) -> None:
    result = RUN.invoke(app, ["convert", source, str(tmp_path / "out.jsonlines")])
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "wrote jsonlines: 1 documents, 3 tokens, 3 mentions, 2 chains",
        "jsonlines cannot hold chain labels: 2",
    ]


def test_json_has_the_account(source: str, tmp_path: Path) -> None:
    arguments = ["convert", source, str(tmp_path / "out.conll"), "--format", "json"]
    told = json.loads(RUN.invoke(app, arguments).stdout)
    assert told["lossless"] is True
    assert told["lost"] == {}
    assert told["written"] == {"documents": 1, "tokens": 3, "mentions": 3, "chains": 2}


def test_standard_output_gets_the_file_and_standard_error_the_account(source: str) -> None:
    result = RUN.invoke(app, ["convert", source, "-", "--output-format", "jsonlines"])
    assert json.loads(result.stdout)["doc_key"] == "d_0"
    assert "chain labels" in result.stderr


def test_fail_on_loss_ends_with_one(source: str, tmp_path: Path) -> None:
    arguments = ["convert", source, str(tmp_path / "out.jsonlines"), "--fail-on-loss"]
    result = RUN.invoke(app, arguments)
    assert isinstance(result.exception, VerificationFailed)
    assert result.exception.exit_code == 1
    assert not (tmp_path / "out.jsonlines").exists()
