"""The data files: complete, well formed, and equal to what the papers' own sums say."""

import pytest

from corefbench.citations import BIBLIOGRAPHY
from corefbench.errors import UnknownName
from corefbench.papers import PAPERS, find_recipe
from corefbench.papers.printed import read_printed, read_value


@pytest.mark.parametrize(
    ("text", "digits", "value", "unit"),
    [
        ("66.7", 0, 66.7, 0.1),
        ("100", 1, 100.0, 0.1),
        ("594", 0, 594.0, 1.0),
        ("2.8K", 0, 2800.0, 100.0),
        ("12.2M", 0, 12.2e6, 1e5),
        ("0.027", 0, 0.027, 0.001),
    ],
)
def test_a_printed_number_knows_its_last_digit(text, digits, value, unit):
    found = read_value(text, digits)
    assert (found.value, found.unit) == (pytest.approx(value), unit)


@pytest.mark.parametrize("name", PAPERS)
def test_every_table_of_a_data_file_is_rebuilt(name):
    printed, found = read_printed(name), find_recipe(name)
    numbers = {number.partition(",")[0] for number in printed.tables}
    assert numbers <= set(found.tables)
    assert found.paper.cite in BIBLIOGRAPHY
    assert found.paper.number == PAPERS[name]


@pytest.mark.parametrize("name", PAPERS)
def test_every_erratum_is_of_a_cell_that_is_printed_and_has_evidence(name):
    printed = read_printed(name)
    for erratum in printed.errata:
        assert len(erratum.evidence) > 40
        for column in erratum.columns:
            assert column in printed[erratum.table][erratum.row].values


def test_cells_without_a_value_are_left_out():
    row = read_printed("chen-2018")["6"]["all gold mentions"]
    assert {column: value.text for column, value in row.values.items()} == {"PreCo": "81.6"}


def test_a_row_that_is_not_there_is_refused():
    with pytest.raises(UnknownName, match="SINGLETON"):
        read_printed("kuebler-zhekova-2011")["1"]["SINGLETON"]


def test_the_counts_of_barbu_and_mitkov_add_up_to_their_total():
    rows = {row.name: row for row in read_printed("barbu-mitkov-2001")["1"].rows}
    correct = {name: [int(n) for n in row.given["correct"].split()] for name, row in rows.items()}
    files = [correct[name] for name in ("ACC", "WIN", "BEO", "CDR")]
    assert [sum(column) for column in zip(*files, strict=True)] == correct["Total"]
    assert correct["Total"] == [206, 180, 223]
