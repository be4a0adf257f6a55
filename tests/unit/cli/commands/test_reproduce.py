"""``corefbench reproduce``: what it prints, draws and refuses, and how it leaves."""

import json
from importlib.util import find_spec

import pytest

from corefbench.errors import UnknownName, UsageError
from tests import cli

EXAMPLE = ("kuebler-zhekova-2011", "--table", "2")


def run(*arguments, code=0):
    done = cli.invoke("reproduce", *arguments)
    assert done.exit_code == code
    return done.stdout


@pytest.mark.parametrize("arguments", [(), ("--list",)])
def test_the_papers_are_listed_with_their_tables(arguments):
    lines = run(*arguments).splitlines()
    assert [line.split()[:2] for line in lines] == [
        ["000", "kuebler-zhekova-2011"],
        ["001", "cattan-2021"],
        ["002", "chen-2018"],
        ["003", "barbu-mitkov-2001"],
        ["004", "orasan-2008"],
    ]
    assert lines[0].endswith("Tables: 1, 2, 5, 6.")


def test_a_number_is_as_good_as_a_name():
    assert run("000", "--table", "2") == run(*EXAMPLE)


def test_brief_shows_the_three_errata_and_their_evidence():
    text = run(*EXAMPLE, "--brief")
    assert text.count("erratum") == 3
    assert "83.3" in text
    assert "5 of the 6 spans" in text


def test_json_counts_ninety_cells():
    (paper,) = json.loads(run(*EXAMPLE, "--format", "json"))["papers"]
    assert len(paper["tables"][0]["cells"]) == 90
    assert paper["counts"] == {"same": 87, "erratum": 3}
    assert paper["holds"] is True


def test_the_output_goes_to_a_file(tmp_path):
    path = tmp_path / "new" / "page.md"
    assert not run(*EXAMPLE, "--format", "markdown", "--output", path)
    assert "| CONLL: ABC, DE, X | IM R | 100 | 83.3 | −16.7 | erratum |" in path.read_text("utf-8")


def test_a_folder_without_the_data_is_no_fault(tmp_path):
    text = run("cattan-2021", "--table", "4", "--data", tmp_path)
    assert text.count("needs data") == 9  # one a row
    assert "ECB+ (free)" in text


def test_the_exit_code_is_1_if_a_value_differs(monkeypatch):
    from msgspec.structs import replace

    from corefbench.papers import cattan_2021
    from corefbench.papers.reproduction import Cell, RebuiltTable

    wrong = Cell(row="r", column="c", verdict="differs", printed="1", ours=2.0, difference=1.0)
    table = RebuiltTable(number="2", title="", how="", cells=(wrong,))
    changed = replace(cattan_2021.RECIPE, tables={"2": lambda printed, setting: [table]})
    monkeypatch.setattr(cattan_2021, "RECIPE", changed)
    assert "differs" in run("cattan-2021", code=1)


def test_what_makes_no_sense_is_refused(tmp_path):
    with pytest.raises(UnknownName, match="did you mean"):
        run("cattan")
    with pytest.raises(UnknownName, match="table"):
        run("cattan-2021", "--table", "7")
    with pytest.raises(UsageError, match="one paper"):
        run("all", "--table", "2")
    with pytest.raises(UsageError, match="does not exist"):
        run("cattan-2021", "--data", tmp_path / "nothing")


@pytest.mark.skipif(find_spec("altair") is None, reason="charts need altair")
def test_printed_values_are_drawn_against_ours(tmp_path):
    path = tmp_path / "chart.svg"
    run(*EXAMPLE, "--chart", path)
    assert "<svg" in path.read_text("utf-8")
