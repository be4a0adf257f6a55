"""``corefbench check`` on the command line."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from corefbench.cli.main import app
from tests.conll import conll

RUN = CliRunner()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (conll("(1)", "(1)"), 0),
        (conll("(1)", "(2)"), 0),
        (conll("1)", "(1)"), 1),
        (b"no format\n", 3),
    ],
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
    told = json.loads(result.stdout)
    assert (told["errors"], told["warnings"], told["notes"]) == (0, 0, 1)
    assert told["findings"][0]["code"] == "CB153"
