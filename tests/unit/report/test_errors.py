"""Error analyses as tables, JSON, pages and charts."""

import csv
import io
import json
from html.parser import HTMLParser

import pytest

from corefbench.analysis.errors import CLASSES, error_analysis
from corefbench.report.errors import ErrorReport, error_tables, report_errors, strata_score_table
from corefbench.report.renderers import render_csv
from corefbench.report.table import Table
from tests.unit.analysis.errors.texts import analyse, corpus

KEY = "[1 Ann ] met [2 Bob ] . / [1 She ] saw [2 him ] . / [1 Her ] dog bit [2 the man ] ."
RESPONSE = "[1 Ann ] met [2 Bob ] . / [1 She ] saw [1 him ] . / [1 Her ] dog bit [3 the man ] ."


@pytest.fixture(scope="module")
def analysis():
    return analyse(KEY, RESPONSE)


def test_every_taxonomy_has_a_table_whose_last_row_is_the_sum(analysis):
    for table in error_tables(analysis, ErrorReport(name="r")):
        *rows, total = table.rows
        assert total[0] == "all"
        assert sum(int(row[1]) for row in rows) == int(total[1])
        assert total[2] == "100.00"


def test_operations_tell_what_the_response_would_score(analysis):
    (table,) = error_tables(analysis, ErrorReport(name="r", taxonomies=("operations",)))
    rows = {row[0]: row for row in table.rows}
    assert table.headers[3:] == ("CoNLL F1 if fixed", "Gain", "With those above")
    assert rows["all"][3] == rows["all"][5] == "100.00"
    assert rows["none"][4] == "+0.00"


def test_a_selection_leaves_out_other_classes_and_says_what_the_scores_are_of(analysis):
    output = ErrorReport(name="r", taxonomies=("operations",))
    (table,) = error_tables(analysis.filter(kind="divided-entity", type="nominal"), output)
    rows = {row[0]: row for row in table.rows}
    assert rows["divided-entity"][1] == rows["all"][1] == "1"
    assert "conflated-entities" not in rows
    assert "not those selected alone" in table.notes[0]


def test_strata_have_a_row_each_and_a_sum(analysis):
    tables = error_tables(analysis, ErrorReport(name="r", taxonomies=("decisions",), by="type"))
    # Counted by hand: him and Her are wrong links, the man is false-new.
    assert tables[1].rows[0][:3] == ("pronoun", "3", "33.33")
    assert tables[2].rows == (
        ("pronoun", "0", "0", "2", "2"),
        ("nominal", "1", "0", "0", "1"),
        ("all", "1", "0", "2", "3"),
    )


def test_gender_has_the_bias_as_a_note(analysis):
    # Feminine: She right of She and Her: R ½, P ½. Masculine: nothing right, so no ratio.
    assert strata_score_table(analysis, "gender").notes == ()
    even = analyse(KEY, KEY)
    assert strata_score_table(even, "gender").notes == ("bias, F1 feminine ÷ masculine: 1.00",)


def test_what_is_not_there_has_no_score():
    table = strata_score_table(analyse(KEY, "Ann met Bob"), "type")
    assert [row[4] for row in table.rows] == [""] * len(table.rows)


def test_low_frequency_has_a_column_where_training_is_given():
    result = error_analysis(corpus(KEY), corpus(RESPONSE), train=corpus("Ann met Bob"))
    tables = error_tables(result, ErrorReport(name="r"))
    assert all("Low-frequency" in table.headers for table in tables)


def test_json_has_the_keys_that_programs_rely_on(analysis):
    output = ErrorReport(name="r", by="gender", examples=1)
    result = json.loads(report_errors(analysis, output, "json"))
    assert result["errors"] == analysis.counts
    assert result["decisions"]["anaphoric"] == 4
    assert [row["kind"] for row in result["if_fixed"]] == ["none", *CLASSES["operations"], "all"]
    assert result["strata"]["feminine"]["f1"] == 0.5
    assert result["bias"] is None
    assert result["examples"][0]["class"] == "false-new"
    assert result["examples"][0]["mention"]["span"] == [11, 13]


def test_csv_has_the_examples_too(analysis):
    output = ErrorReport(name="r", taxonomies=("decisions",), examples=1)
    rows = list(csv.reader(io.StringIO(report_errors(analysis, output, "csv"))))
    context = ". She saw him . Her dog bit [the man] ."  # eight words before, one is left after
    assert ["false-new", "d0", "3", context, "him (2)", ""] in rows


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.open, self.faults, self.marks = [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        if tag not in {"meta", "br"}:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(tag)

    def handle_data(self, data):
        if self.open and self.open[-1] == "mark":
            self.marks.append(data)


def test_a_page_marks_with_symbols_as_well_as_colours(analysis):
    page = Page(report_errors(analysis, ErrorReport(name="r", examples=2), "html"))
    assert not page.faults
    assert not page.open
    assert "▸ him" in page.marks
    assert "✓ Bob" in page.marks
    assert "✗ She" in page.marks


def test_a_page_escapes_the_words_of_the_text():
    result = analyse("[1 <b> ] saw [1 it ]", "[1 <b> ] saw it")
    assert "<b>" not in report_errors(result, ErrorReport(name="r", examples=1), "html")


def test_charts_draw_what_there_is(analysis):
    altair = pytest.importorskip("altair")
    from corefbench.report.errors import strata_chart, strata_rows

    rows = strata_rows(analysis, "type")
    assert {"stratum": "nominal", "measure": "Recall", "score": 0.0, "links": 1} in rows
    assert not any(r["stratum"] == "nominal" and r["measure"] == "Precision" for r in rows)
    assert isinstance(strata_chart(analysis, "type", "r"), altair.LayerChart)
    assert "line" in strata_chart(analysis, "distance", "r").to_json()


def test_too_many_strata_are_not_drawn(analysis, monkeypatch):
    pytest.importorskip("altair")
    from corefbench.errors import UsageError
    from corefbench.report import errors

    monkeypatch.setattr(errors, "MAX_STRATA", 1)
    with pytest.raises(UsageError, match="too many"):
        errors.strata_chart(analysis, "type", "r")


def test_numbers_of_csv_stay_numbers() -> None:
    table = Table(caption="c", headers=("System", "Change"), rows=(("=cmd()", "+0.00"), ("-x", "-1.50")))
    assert list(csv.reader(io.StringIO(render_csv(table)))) == [
        ["System", "Change"],
        ["'=cmd()", "+0.00"],
        ["'-x", "-1.50"],
    ]
