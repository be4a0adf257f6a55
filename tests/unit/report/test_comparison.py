"""What a comparison looks like in every format."""

import csv
import io
import json
import re

import pytest

import corefbench as cb
from corefbench.analysis.comparison import Comparison, compare
from corefbench.report.comparison import report_comparison, superscript, superscripts_as_html, superscripts_as_latex

KEY = {f"d{n}": [[(0, 0), (1, 1), (2, 2)], [(4, 4), (5, 5)]] for n in range(8)}
NONE: dict[str, list] = {name: [] for name in KEY}
HALF = {name: [chains[0]] for name, chains in KEY.items()}


def comparison(**options: object) -> Comparison:
    results = {
        name: cb.score_clusters(KEY, response) for name, response in (("all", KEY), ("half_of", HALF), ("none", NONE))
    }
    return compare(results, **options)


@pytest.fixture(scope="module")
def found() -> Comparison:
    return comparison()


def test_letters_name_the_systems_that_are_beaten(found: Comparison) -> None:
    lines = report_comparison(found, "table", brief=True).splitlines()
    assert lines[3].split()[:6] == ["all", "a", "100.00", "bc", "100.00", "bc"]
    # Mentions: F1 of R 3/5 and P 1 is 3/4, which this profile cuts at 74.99 as its program does.
    assert lines[4].split()[:6] == ["half_of", "b", "74.99", "c", "80.00", "c"]
    assert lines[5].split()[:4] == ["none", "c", "0.00", "0.00"]


def test_numbers_of_a_column_end_under_each_other(found: Comparison) -> None:
    lines = report_comparison(found, "table", brief=True).splitlines()[3:6]
    assert len({line.index(".") for line in lines}) == 1


def test_the_table_says_test_correction_and_threshold(found: Comparison) -> None:
    text = report_comparison(found, "table")
    assert "exact paired randomisation over documents, all 256 swaps" in text
    assert "adjusted after Holm for 3 pairs" in text
    assert "p ≤ 0.05" in text
    assert found.signature in text


def test_latex_has_booktabs_and_marks_of_one_width(found: Comparison) -> None:
    text = report_comparison(found, "latex")
    assert r"\toprule" in text
    assert r"half\_of\textsuperscript{b}" in text
    assert r"80.00\textsuperscript{c}\hphantom{\textsuperscript{c}}" in text
    caption = re.search(r"\\caption\{(.*)\}", text)[1]
    assert "all 256 swaps" in caption
    assert "Holm" in caption
    assert r"p $\le$ 0.05" in caption
    assert not re.search("[−≤*]", re.sub(r"\\textsuperscript\{\*\}|, \* p", "", text))


def test_markdown_raises_letters_by_a_tag(found: Comparison) -> None:
    assert "| all<sup>a</sup> | 100.00<sup>bc</sup> |" in report_comparison(found, "markdown")


def test_a_page_has_all_tables_and_no_private_signs(found: Comparison) -> None:
    page = report_comparison(found, "html", by_document=True, more="<p>more</p>")
    assert page.count("<table>") == 6
    assert "<sup>bc</sup>" in page
    assert "<p>more</p>" in page
    assert not re.search("[\ue000-\ue00f]", page)


@pytest.mark.parametrize("format", ["table", "markdown", "latex", "html"])
def test_no_format_shows_private_signs(found: Comparison, format: str) -> None:
    assert not re.search("[\ue000-\ue00f]", report_comparison(found, format))


def test_csv_has_a_row_for_every_figure_of_every_pair(found: Comparison) -> None:
    rows = list(csv.DictReader(io.StringIO(report_comparison(found, "csv"))))
    assert len(rows) == 3 * (7 * 3 + 1)
    last = rows[-1]
    assert (last["first"], last["second"], last["score"]) == ("half_of", "none", "conll")
    # MUC 0.8, B³ 0.75, CEAFe: φ₄ 1 of 2 and 1 chains: R 1/2, P 1, F 2/3.
    assert float(last["value"]) == pytest.approx((0.8 + 0.75 + 2 / 3) / 3)
    assert (last["p"], last["wins"]) == (str(2 / 256), "8")
    text = report_comparison(compare({"b": scored(HALF), "a": scored(KEY)}), "csv")
    assert ",-0." in text


def scored(response: dict) -> cb.Result:
    return cb.score_clusters(KEY, response)


def test_json_has_the_keys_that_programs_rely_on(found: Comparison) -> None:
    result = json.loads(report_comparison(found, "json", by_document=True, cite=True))
    assert result["signature"] == found.signature
    assert result["settings"]["seed"] == 0
    assert result["systems"][0]["beats"]["conll"]["f1"] == ["half_of", "none"]
    assert result["systems"][0]["by_document"]["lea"]["d0"] == 1.0
    assert result["pairs"][0]["scores"]["muc"]["f1"]["wins"] == 8
    assert "@article{holm1979," in result["bibtex"]


def test_what_was_used_is_cited(found: Comparison) -> None:
    text = report_comparison(found, "table", cite=True)
    for key in ("vilain1995", "moosavi2016", "pradhan2012", "yeh2000", "efron1979", "holm1979"):
        assert f"{{{key}," in text
    assert "koehn2004" not in text
    other = comparison(test="bootstrap", correction="bh", samples=50)
    assert {"koehn2004", "benjamini1995"} <= set(other.cites)
    assert "holm1979" not in other.cites


def test_one_document_is_said_and_shown_as_a_dash() -> None:
    key = [[(0, 0), (1, 1)]]
    results = {"all": cb.score_clusters(key, key), "none": cb.score_clusters(key, [])}
    text = report_comparison(compare(results), "table")
    assert "One document: nothing to resample" in text
    (row,) = re.findall(r"^all − none +MUC .*$", text, re.MULTILINE)
    assert row.split()[4:8] == ["+100.00", "–", "–", "–"]


def test_few_documents_that_can_never_be_significant_are_said() -> None:
    few = {name: KEY[name] for name in ("d0", "d1", "d2")}
    results = {"all": cb.score_clusters(few, few), "none": cb.score_clusters(few, {name: NONE[name] for name in few})}
    text = report_comparison(compare(results), "table")
    assert "With 3 documents no p can be less than 0.25." in text
    drawn = report_comparison(compare(results, test="bootstrap", samples=50), "table")
    assert "With 3 documents the bootstrap finds differences too easily" in drawn


def test_a_single_system_has_intervals_and_no_marks() -> None:
    text = report_comparison(compare({"only": scored(HALF)}), "table")
    assert "only " in text
    assert "Letters" not in text
    assert "Differences" not in text
    rows = list(csv.DictReader(io.StringIO(report_comparison(compare({"x": scored(HALF)}), "csv"))))
    assert len(rows) == 22


def test_marks_of_many_systems_are_told_apart_by_commas() -> None:
    results = {f"s{n}": scored(KEY if n == 27 else NONE) for n in range(28)}
    lines = report_comparison(compare(results, correction="none", samples=256), "table", brief=True)
    (best,) = (line for line in lines.splitlines() if line.startswith("s27 "))
    assert best.split()[1] == "ab"
    assert best.split()[3].split(",") == [*"abcdefghijklmnopqrstuvwxyz", "aa"]


def test_raised_letters_are_as_wide_as_the_longest() -> None:
    assert superscripts_as_latex(superscript("1.00", "", "ab")) == r"1.00\hphantom{\textsuperscript{ab}}"
    assert superscripts_as_latex(superscript("1.00", "ab", "ab")) == r"1.00\textsuperscript{ab}"
    assert superscripts_as_html(superscript("1.00", "", "a")) == "1.00<sup></sup>"
    assert superscript("1.00", "", "") == "1.00"
