"""Checking: every problem with its place, and remarks on what the format allows."""

from pathlib import Path

import pytest

from corefbench.formats.check import LONG_SENTENCE, check
from tests.conll import conll


def codes(source: bytes | Path, **options: object) -> list[str]:
    return [finding.code for finding in check(source, **options)]  # type: ignore[arg-type]


def test_a_good_file_has_no_findings() -> None:
    assert check(conll("(1)", "-", "(1)")) == []


def test_all_faults_are_found_with_line_and_column() -> None:
    text = b"#begin document (a);\nAnn 1)\nleft (2\nher -\n\n#end document\n"
    found = [f for f in check(text) if f.severity == "error"]
    assert [(f.code, f.place.line) for f in found] == [("CB104", 2), ("CB105", 3)]
    assert found[0].place.column == 5
    assert all(f.remedy for f in found)


def test_what_cannot_be_repaired_is_an_error_and_ends_the_file() -> None:
    (finding,) = check(b'{"doc_key": "a", "sentences": 3, "clusters": []}')
    assert (finding.code, finding.severity, finding.place.line) == ("CB111", "error", 1)


def test_a_file_that_is_not_there_is_a_finding(tmp_path: Path) -> None:
    assert codes(tmp_path / "nowhere") == ["CB006"]


def test_a_file_of_no_format_is_a_finding() -> None:
    assert codes(b"what is this\n") == ["CB101"]


@pytest.mark.parametrize(
    ("text", "code", "severity"),
    [
        (conll("(1)|(1)", "(1)"), "CB113", "error"),
        (conll("(1)", "(1)") * 2, "CB109", "error"),
        (conll("(1", "(1", "1)", "1)"), None, ""),
        (conll("(1)|(2)", "(1)", "(2)"), "CB157", "warning"),
        (conll("(1)", "(2)"), "CB153", "note"),
        (conll("-", "-"), "CB154", "warning"),
        (conll("(1)", *["-"] * LONG_SENTENCE, "(1)"), "CB155", "note"),
        (conll("(1)", "(1)") + b"#begin document (e);\n#end document\n", "CB151", "warning"),
    ],
)
def test_what_the_format_allows_is_remarked_on(text: bytes, code: str | None, severity: str) -> None:
    expected = [(code, severity)] if code else []
    assert [(f.code, f.severity) for f in check(text)] == expected


def test_crossing_mentions_of_one_chain_are_remarked_on() -> None:
    line = b'{"doc_key": "a", "sentences": [["a", "b", "c"]], "clusters": [[[0, 1], [1, 2]]]}'
    (finding,) = check(line)
    assert finding.code == "CB152"
    assert "tokens 1–2" in finding.found


def test_odd_words_are_remarked_on() -> None:
    line = b'{"doc_key": "a", "sentences": [["a", "", "b c"]], "clusters": [[[0, 0], [1, 1]]]}'
    assert codes(line) == ["CB156", "CB156"]


def test_the_findings_of_a_rule_are_limited_and_the_rest_counted() -> None:
    found = check(conll(*["1)"] * 30, "(2)", "(2)"), limit=10)
    assert [f.code for f in found] == ["CB104"] * 11
    assert "20 more" in found[-1].message


def test_names_are_compared_across_the_files_of_a_folder(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.conll").write_bytes(conll("(1)", "(1)"))
    (finding,) = check(tmp_path)
    assert (finding.code, Path(finding.place.source).name) == ("CB109", "b.conll")


def test_a_broken_file_does_not_hide_the_others(tmp_path: Path) -> None:
    (tmp_path / "a.conll").write_bytes(b"what is this\n")
    (tmp_path / "b.conll").write_bytes(conll("1)", "(1)", "(1)"))
    assert codes(tmp_path) == ["CB101", "CB104"]


def test_a_file_that_is_cut_off_is_a_finding() -> None:
    whole = conll("(1)", "-", "(1)", name="a") + conll("(1)", "(1)", name="b")
    assert [f.code for f in check(whole)] == []
    cut = whole.removesuffix(b"\n#end document\n")
    assert [(f.code, f.severity, f.place.line) for f in check(cut)] == [("CB107", "warning", 7)]


def test_a_document_that_another_begins_in_is_a_finding() -> None:
    unended = conll("(1)", "(1)", name="a").replace(b"#end document\n", b"") + conll("(1)", "(1)", name="b")
    assert [(f.code, f.severity, f.place.line) for f in check(unended)] == [("CB107", "warning", 1)]
    # Documents without marks have no end to be missed.
    assert [f.code for f in check(b"Ann (1)\nher (1)\n", "conll")] == []
