"""Reproductions as tables: hand-made cells, and what readers see of them."""

import csv
import io
import json

import pytest

from corefbench.papers.printed import Erratum
from corefbench.papers.reproduction import Cell, Paper, RebuiltTable, Reproduction
from corefbench.report.reproduction import report_reproductions, reproduction_points, reproduction_tables


def cell(row, column, verdict, printed="", ours=None, digits=1):
    value = float(printed) if printed and ours is not None else None
    difference = None if value is None else ours - value
    return Cell(
        row=row, column=column, verdict=verdict, printed=printed, ours=ours, difference=difference, digits=digits
    )


COMPARED = RebuiltTable(
    number="2",
    title="Scores",
    how="an example",
    needs="a licence",
    cells=(
        cell("one", "R", "same", "66.7", 200 / 3),
        cell("one", "P", "erratum", "66.6", 200 / 3),
        cell("one", "F1", "differs", "70.0", 60.0),
        cell("two", "R", "needs data", "1.0"),
        cell("two", "P", "needs data", "2.0"),
        cell("three", "R", "same", "28272", 28272.0, 0),
    ),
)
FREE = RebuiltTable(
    number="2",
    title="others",
    how="free texts",
    cells=(cell("a", "R", "free data", ours=12.345, digits=2), cell("b", "P", "free data", ours=1)),
)
SLIP = Erratum(table="2", row="one", columns=("P",), correct="66.7", evidence="it was cut")
MADE = Reproduction(
    paper=Paper(number="001", name="cattan-2021", cite="cattan2021"),
    tables=(COMPARED, FREE),
    errata=(SLIP, Erratum(table="text", row="page 3", printed="5", correct="6", evidence="sum")),
)


def test_the_summary_counts_the_cells_of_every_table():
    summary = reproduction_tables([MADE])[0]
    assert summary.headers == (
        "Paper", "Table", "Same", "Erratum", "Differs", "Needs data", "Free data",
    )  # fmt: skip
    assert summary.rows == (("Cattan et al. 2021", "2", "2", "1", "1", "2", "2"),)


def test_every_cell_has_printed_value_ours_difference_and_verdict():
    table = reproduction_tables([MADE])[1]
    assert table.rows == (
        ("one", "R", "66.7", "66.7", "0", "same"),
        ("one", "P", "66.6", "66.7", "+0.1", "erratum"),
        ("one", "F1", "70.0", "60.0", "−10.0", "differs"),
        ("two", "R, P", "1.0, 2.0", "", "", "needs data"),
        ("three", "R", "28272", "28,272", "0", "same"),
    )
    assert table.caption == "Cattan et al. 2021, Table 2: Scores; an example; needs a licence"


def test_free_data_is_laid_out_as_in_a_paper_and_labelled():
    table = reproduction_tables([MADE])[2]
    assert table.caption == "Cattan et al. 2021, Table 2 on free data: others; free texts"
    assert table.headers == ("Row", "R", "P")
    assert table.rows == (("a", "12.35", "–"), ("b", "–", "1.0"))


def test_errata_say_where_what_and_why():
    table = reproduction_tables([MADE])[-1]
    assert table.rows == (
        ("Cattan et al. 2021", "Table 2", "one, P", "66.6", "66.7", "it was cut"),
        ("Cattan et al. 2021", "Text", "page 3", "5", "6", "sum"),
    )


def test_brief_leaves_out_what_came_out():
    tables = reproduction_tables([MADE], brief=True)
    assert [len(table.rows) for table in tables] == [1, 2, 2]
    assert {row[-1] for row in tables[1].rows} == {"erratum", "differs"}


def test_an_experiment_without_its_data_says_what_it_needs():
    absent = RebuiltTable(number="3", title="t", how="", cells=(), needs="texts")
    result = Reproduction(paper=MADE.paper, tables=(absent,))
    table = reproduction_tables([result])[1]
    assert table.caption.endswith("needs texts")
    assert table.rows == (("all", "needs data"),)
    assert len(reproduction_tables([result], brief=True)) == 1


def test_a_reproduction_holds_unless_a_cell_differs():
    assert not MADE.holds
    assert Reproduction(paper=MADE.paper, tables=(FREE,)).holds


def test_json_has_unrounded_values():
    (paper,) = json.loads(report_reproductions([MADE], "json"))["papers"]
    assert paper["paper"]["name"] == "cattan-2021"
    assert paper["holds"] is False
    assert paper["tables"][0]["counts"]["same"] == 2
    assert paper["tables"][0]["cells"][1]["ours"] == pytest.approx(200 / 3)
    assert paper["tables"][0]["cells"][3]["ours"] is None
    assert paper["errata"][0]["evidence"] == "it was cut"


@pytest.mark.parametrize("format", ["table", "markdown", "latex", "html", "csv"])
def test_every_format_has_the_verdicts(format):
    text = report_reproductions([MADE], format)
    assert all(word in text for word in ("same", "erratum", "differs", "needs data", "it was cut"))


def test_no_cell_of_a_csv_file_is_taken_for_a_formula():
    rows = list(csv.reader(io.StringIO(report_reproductions([MADE], "csv"))))
    assert not [cell for row in rows for cell in row if cell.startswith(("-", "="))]


def test_the_chart_has_the_scores_and_draws_what_did_not_come_out_last():
    points = reproduction_points([MADE])
    assert [point["verdict"] for point in points] == ["same", "erratum", "differs"]
    assert points[2]["printed"] == 70
