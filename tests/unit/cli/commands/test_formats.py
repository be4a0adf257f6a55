"""Checking and converting files, as commands."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from corefbench.cli.main import app
from corefbench.errors import VerificationFailed
from tests.conll import conll

RUN = CliRunner()


@pytest.mark.parametrize(
    ("text", "code"), [(conll("(1)", "(1)"), 0), (conll("(1)", "(2)"), 0), (conll("1)", "(1)"), 1), (b"no format\n", 3)]
)
def test_the_exit_code_says_how_bad_it_is(text: bytes, code: int, tmp_path: Path) -> None:
    (tmp_path / "a.conll").write_bytes(text)
    assert RUN.invoke(app, ["check", str(tmp_path / "a.conll")]).exit_code == code


def test_a_missing_file_cannot_be_read(tmp_path: Path) -> None:
    result = RUN.invoke(app, ["check", str(tmp_path / "nowhere")])
    assert result.exit_code == 3
    assert "CB006" in result.stdout


def test_text_names_place_severity_code_and_remedy(tmp_path: Path) -> None:
    path = tmp_path / "a.conll"
    path.write_bytes(b"#begin document (a);\nAnn (1)\nleft 2)\nshe (1)\n#end document\n")
    first, last = RUN.invoke(app, ["check", str(path)]).stdout.splitlines()
    assert first.startswith(f"{path}:3:6: error CB104 ")
    assert "--lenient" in first
    assert last == "checked: 1 error"


def test_json_has_counts_and_findings(tmp_path: Path) -> None:
    (tmp_path / "a.conll").write_bytes(conll("(1)", "(2)"))
    result = RUN.invoke(app, ["check", str(tmp_path / "a.conll"), "--format", "json"])
    report = json.loads(result.stdout)
    assert (report["errors"], report["warnings"], report["notes"]) == (0, 0, 1)
    assert report["findings"][0]["code"] == "CB153"


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
    report = json.loads(RUN.invoke(app, arguments).stdout)
    assert report["lossless"] is True
    assert report["lost"] == {}
    assert report["written"] == {"documents": 1, "tokens": 3, "mentions": 3, "chains": 2}


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
