"""``corefbench oracle``: what it prints, draws and refuses."""

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from corefbench.errors import UsageError
from tests import cli
from tests.unit.bench.texts import CONLLU


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.conllu"
    path.write_bytes(CONLLU)
    return path


def run(corpus: Path, *arguments: object) -> str:
    options = ("--mode", "annotated", "-r", "most-recent", "--input-format", "corefud")
    return cli.run("oracle", corpus, *options, *arguments)


def test_the_table_has_a_row_for_each_set_of_mentions(corpus: Path) -> None:
    rows = [line.split() for line in run(corpus).splitlines() if line.startswith("most-recent ")]
    assert [row[1] for row in rows] == ["detected", "gold", "non-singleton"]
    assert rows[2][2:4] == ["gold", "7"]
    assert rows[2][-1] == "100.00"


def test_json_has_the_keys_that_programs_rely_on(corpus: Path) -> None:
    result = json.loads(run(corpus, "--format", "json"))
    assert result["mentions_given"] == {"detected": 0, "gold": 9, "non-singleton gold": 7}
    best = result["resolvers"]["most-recent"]["non-singleton gold"]
    assert best["conll"] == 1.0
    assert best["signature"].startswith("most-recent|given:non-singleton gold|")
    assert result["own_mentions"] == []


@pytest.mark.parametrize("format", ["markdown", "latex", "csv", "html"])
def test_other_formats_have_the_table(corpus: Path, format: str) -> None:
    assert "non-singleton gold" in run(corpus, "--format", format)


@pytest.mark.skipif(find_spec("vl_convert") is None, reason="needs the extra charts")
def test_the_chart_is_drawn(corpus: Path, tmp_path: Path) -> None:
    run(corpus, "--chart", tmp_path / "chart.svg")
    assert "non-singleton gold" in (tmp_path / "chart.svg").read_text(encoding="utf-8")


def test_an_unknown_mode_is_refused(corpus: Path) -> None:
    with pytest.raises(UsageError, match="mode"):
        run(corpus, "--mode", "guessed")
