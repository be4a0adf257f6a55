"""``corefbench singletons``: what it prints, writes, draws and refuses."""

import csv
import io
import json
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import pytest

from corefbench.errors import UnknownName, UsageError
from tests import cli
from tests.conll import conll

WORDS = ["Ann", "she", "dogs", "Bob", "it"]


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    key, response = tmp_path / "key.conll", tmp_path / "response.conll"
    key.write_bytes(conll("(1)", "(1)", "(2)", "(3)", "-", words=WORDS))
    response.write_bytes(conll("(1)", "(2)", "(1)", "-", "(4)", words=WORDS))
    return str(key), str(response)


run = partial(cli.run, "singletons")


def test_the_table_has_a_row_for_every_profile_and_setting(files: tuple[str, str]) -> None:
    text = run(*files, "--quiet")
    for profile in ("semeval-2010", "conll-2011", "conll-2012"):
        for setting in ("G+S/S+S", "G+S/S-S", "G-S/S+S", "G-S/S-S", "AllS", "NoS", "PronS", "AttP"):
            assert any(line.split()[:2] == [profile, setting] for line in text.splitlines())
    assert "response.conll, in words:" in text


def test_json_has_the_keys_that_programs_rely_on(files: tuple[str, str]) -> None:
    result = json.loads(run(*files, "--format", "json", "--profiles", "conll-2012"))
    scores = result["results"]["conll-2012"]["G-S/S-S"]["scores"]
    # Key {Ann she}, response {Ann dogs}: one of two mentions is found, no link is.
    assert scores["mentions"] == {"recall": 0.5, "precision": 0.5, "f1": 0.5}
    assert scores["muc"]["f1"] == 0
    assert result["mentions"]["conll-2012"]["key"]["twinless_singletons"] == 1
    assert result["movements"][0].keys() >= {"profile", "before", "after", "measure", "points"}
    assert result["explanation"][0].startswith("The key has 4 mentions and 2 singletons (50.0 %)")


def test_several_responses_are_told_apart(files: tuple[str, str]) -> None:
    result = json.loads(run(files[0], files[1], files[0], "--format", "json"))
    assert list(result["studies"]) == ["response.conll", "key.conll"]
    assert result["rank_changes"] == []


def test_details_show_recall_and_precision(files: tuple[str, str]) -> None:
    text = run(*files, "--details", "--measures", "muc", "--format", "csv", "-p", "conll-2012")
    rows = list(csv.reader(io.StringIO(text)))
    assert rows[0] == ["Profile", "Setting", "MUC R", "MUC P", "MUC F1", "CoNLL"]


@pytest.mark.parametrize("format", ["markdown", "latex", "html"])
def test_other_formats_have_the_tables(files: tuple[str, str], format: str) -> None:
    assert "G+S/S-S" in run(*files, "--format", format, "--quiet")


@pytest.mark.skipif(find_spec("vl_convert") is None, reason="needs the extra charts")
def test_the_chart_is_drawn(files: tuple[str, str], tmp_path: Path) -> None:
    chart = tmp_path / "drawn" / "chart.svg"
    run(*files, "--chart", chart, "--quiet")
    assert "What the response keeps, key without singletons" in chart.read_text(encoding="utf-8")
    assert "<svg" in run(*files, "--format", "html", "--quiet")


def test_what_makes_no_sense_is_refused(files: tuple[str, str], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="one response"):
        run(*files, files[0], "--chart", tmp_path / "c.svg")
    with pytest.raises(UsageError, match="singletons"):
        run(*files, "--key-singletons", "drop")
    with pytest.raises(UnknownName, match="conll-2021"):
        run(*files, "--profiles", "conll-2021")
    with pytest.raises(UsageError, match="only once"):
        run("-", "-")
