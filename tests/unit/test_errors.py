import pytest

import corefbench.errors as module
from corefbench.diagnostics import Finding, Strictness
from corefbench.errors import CODES, CorefbenchError, DataError, FormatError, MissingExtra, Place

KINDS = [kind for kind in vars(module).values() if isinstance(kind, type) and issubclass(kind, CorefbenchError)]


@pytest.mark.parametrize("kind", KINDS)
def test_every_error_has_a_code_that_is_in_the_table(kind: type[CorefbenchError]) -> None:
    assert kind.default_code in CODES
    assert kind.exit_code in (1, 2, 3, 4)


@pytest.mark.parametrize(
    ("place", "text"),
    [
        (Place(), ""),
        (Place(source="a.conll"), "a.conll"),
        (Place(source="a.conll", line=3), "a.conll:3"),
        (Place(source="a.conll", line=3, column=9), "a.conll:3:9"),
        (Place(source="a.conll", document="d"), "a.conll (document d)"),
        (Place(document="d"), "document d"),
    ],
)
def test_a_place_prints_as_compilers_print_it(place: Place, text: str) -> None:
    assert str(place) == text


def test_an_error_says_where_what_was_found_what_was_expected_and_what_to_do() -> None:
    error = FormatError(
        "a bracket is opened and never closed",
        code="CB105",
        place=Place(source="a.conll", line=3, column=9),
        found="(1",
        expected="a closing 1)",
        remedy="--lenient",
    )
    assert str(error).splitlines() == [
        "a.conll:3:9: CB105 a bracket is opened and never closed",
        "  found: (1",
        "  expected: a closing 1)",
        "  try: --lenient",
    ]


def test_a_missing_package_names_its_extra() -> None:
    assert "pip install 'corefbench[neural]'" in str(MissingExtra("torch", "neural"))


def test_strict_raises_and_lenient_reports_the_repair() -> None:
    with pytest.raises(FormatError) as error:
        Strictness().fault("CB113", "a mention occurs twice", place=Place(line=7))
    assert (error.value.code, error.value.place.line) == ("CB113", 7)
    heard: list[Finding] = []
    strictness = Strictness(lenient=True, report=heard.append)
    strictness.fault("CB113", "a mention occurs twice", repair="the second was left out")
    assert [(f.code, f.severity, f.remedy) for f in heard] == [("CB113", "repair", "the second was left out")]


def test_a_finding_prints_in_one_line() -> None:
    finding = Finding(
        code="CB206", severity="warning", message="repeats", place=Place(source="r"), found="3", remedy="x"
    )
    assert str(finding) == "r: warning CB206 repeats (found 3); x"


def test_control_characters_of_the_data_do_not_reach_the_terminal() -> None:
    place = Place(source="a\x1b[31m.conll", line=3, document="d\x1b]0;title\x07\nerror CB001")
    error = DataError("not valid", place=place, found="x\x1b[2J\x9b")
    finding = Finding(code="CB109", severity="error", message="twice", place=place, found="y\x1b[2J")
    for text in (str(error), str(finding), str(place)):
        assert "\x1b" not in text
        assert "\x07" not in text
        assert "\x9b" not in text
        assert "\nerror" not in text
