"""Verdicts: the paper's rounding is the only tolerance, and an erratum explains one value."""

import pytest

from corefbench.papers.printed import Erratum, PrintedRow, PrintedTable, read_value
from corefbench.papers.reproduction import compare_values, f1_with_bounds, judge_cell


@pytest.mark.parametrize(
    ("printed", "ours", "verdict"),
    [
        ("66.7", 66.65, "same"),
        ("66.7", 66.7499, "same"),
        ("66.7", 66.75, "differs"),
        ("66.7", 66.649, "differs"),
        ("594", 593.5, "same"),
        ("594", 574, "differs"),
        ("12.2M", 12_151_000, "same"),
        ("12.2M", 12_251_000, "differs"),
    ],
)
def test_same_is_what_rounds_to_the_printed_value(printed, ours, verdict):
    assert compare_values(read_value(printed), ours) == verdict


def test_a_cut_value_is_the_same_only_where_the_paper_cuts():
    # 21 / 51 = 41.176 is printed as 41.17 in Barbu & Mitkov's Table 1
    assert compare_values(read_value("41.17"), 2100 / 51) == "differs"
    assert compare_values(read_value("41.17"), 2100 / 51, cut=True) == "same"


def test_what_follows_from_printed_cells_is_consistent_at_best():
    # 79.3 and 69.1 give 73.85, but 79.35 and 69.15 give 73.90 (Chen et al. 2018, Table 3)
    ours, bounds = f1_with_bounds(read_value("69.1"), read_value("79.3"))
    assert ours == pytest.approx(2 * 69.1 * 79.3 / (69.1 + 79.3))
    assert compare_values(read_value("73.9"), ours, bounds=bounds) == "consistent"
    assert compare_values(read_value("73.8"), ours, bounds=bounds) == "consistent"
    assert compare_values(read_value("74.1"), ours, bounds=bounds) == "differs"


@pytest.fixture
def table():
    row = PrintedRow(name="r", values={"a": read_value("66.6"), "b": read_value("1.0")})
    slip = Erratum(table="9", row="r", columns=("a",), correct="66.7", evidence="cut")
    return PrintedTable(number="9", title="", columns=("a", "b"), rows=(row,), errata=(slip,))


def verdict(table, column, ours):
    return judge_cell(table, table["r"], column, ours).verdict


def test_an_erratum_explains_the_value_that_it_names_and_no_other(table):
    assert verdict(table, "a", 200 / 3) == "erratum"
    assert verdict(table, "a", 70.0) == "differs"
    assert verdict(table, "a", 66.6) == "same"
    assert verdict(table, "b", 2.0) == "differs"


def test_without_a_value_of_ours_a_cell_needs_data(table):
    assert verdict(table, "b", None) == "needs data"
