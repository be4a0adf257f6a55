"""GAP: worked samples, the published counts, answers of systems, faults."""

from pathlib import Path

import pytest

from corefbench.corpus.corpus import Corpus
from corefbench.errors import FormatError
from corefbench.formats.base import Reading
from corefbench.formats.gap import COLUMNS, Gap
from corefbench.formats.source import Source
from tests.data import data
from tests.unit.formats.roundtrip import assert_stable, read, read_leniently, written

FORM = Gap()
HEADER = "\t".join(COLUMNS)
ROW = 'x-1\tEve Ray met Ann. "Later she left.\tshe\t24\tEve Ray\t0\tTRUE\tAnn\t12\tFALSE\thttp://x'


def rows(*lines: str) -> str:
    return "\n".join([HEADER, *lines]) + "\n"


def test_an_example_is_a_document_with_three_mentions() -> None:
    document = read(FORM, rows(ROW))[0]
    assert document.name == "x-1"
    assert [mention.text for mention in document.mentions] == ["Eve Ray", "Ann", "she"]
    assert [[m.text for m in chain.mentions] for chain in document.chains] == [["Eve Ray", "she"], ["Ann"]]
    assert list(document.corpus.mentions.columns["role"]) == ["A", "B", "pronoun"]
    assert document.corpus.documents.columns["gender"] == ("feminine",)
    assert document.text is not None
    assert '"' in document.text


@pytest.mark.parametrize(
    ("name", "examples", "neither"), [("development", 2000, 201), ("validation", 454, 62), ("test", 2000, 227)]
)
@pytest.mark.slow
def test_the_published_files_have_their_counts_and_are_written_again(name: str, examples: int, neither: int) -> None:
    """Half of the pronouns are feminine (Webster et al. 2018); every offset is right."""
    path = data("pronouns") / "gap" / f"gap-{name}.tsv"
    corpus = next(FORM.read(Source.of(path), Reading()))
    assert len(corpus) == examples
    assert len(corpus.mentions) == 3 * examples
    assert len(corpus.chains) == 2 * examples + neither
    assert corpus.documents.columns["gender"].count("feminine") == examples // 2
    assert written(FORM, corpus) == path.read_bytes()


def answered(tmp_path: Path, answers: str, form: Gap = FORM) -> Corpus:
    (tmp_path / "gap-x.tsv").write_text(rows(ROW, ROW.replace("x-1", "x-2")))
    (tmp_path / "system.tsv").write_text(answers)
    return next(form.read(Source.of(tmp_path / "system.tsv"), Reading()))


def test_answers_are_read_with_the_examples_beside_them(tmp_path: Path) -> None:
    corpus = answered(tmp_path, "x-2\tFALSE\tTRUE\nx-1\tTRUE\tTRUE\n")
    chains = [[[m.text for m in c.mentions] for c in document.chains] for document in corpus]
    assert chains == [[["Eve Ray", "Ann", "she"]], [["Eve Ray"], ["Ann", "she"]]]


def test_answers_are_read_with_named_examples_and_written(tmp_path: Path) -> None:
    answers = "x-1\tFALSE\tFALSE\n"
    form = Gap(examples=tmp_path / "gap-x.tsv", answers=True)
    corpus = answered(tmp_path, answers, form)
    assert written(form, corpus) == answers.encode()


def test_the_sample_is_stable() -> None:
    assert_stable(FORM, read(FORM, rows(ROW)))


def test_a_document_without_the_roles_is_not_written() -> None:
    from corefbench.formats.text import Text

    assert written(FORM, read(Text(), "Ann left.")) == f"{HEADER}\n".encode()


def test_the_format_recognises_itself_and_no_other() -> None:
    assert FORM.recognises(rows(ROW).encode()) == 1
    assert FORM.recognises(b"x-1\tTRUE\tFALSE\nx-2\tFALSE\tFALSE\n") == 0.9
    assert FORM.recognises(b"a\tb\tc\n") == 0
    assert FORM.recognises(b"") == 0


REPAIRED = {
    "too few columns": ("CB110", "x-2\tAnn\tshe"),
    "an offset in words": ("CB141", ROW.replace("\t24\t", "\tlate\t")),
    "a negative offset": ("CB141", ROW.replace("\t24\t", "\t-4\t")),
    "an offset past the end": ("CB142", ROW.replace("\t24\t", "\t240\t")),
    "an offset that is one off": ("CB142", ROW.replace("\t24\t", "\t25\t")),
    "another name": ("CB142", ROW.replace("\tEve Ray\t0", "\tEva Ray\t0")),
    "no name": ("CB142", ROW.replace("\tAnn\t12", "\t\t12")),
    "no truth": ("CB143", ROW.replace("\tTRUE", "\tYES")),
    "an empty truth": ("CB143", ROW.replace("\tFALSE", "\t")),
    "blanks for tabs": ("CB110", ROW.replace("\t", " ")),
    "a huge offset": ("CB142", ROW.replace("\t24\t", "\t" + "9" * 300 + "\t")),
}


@pytest.mark.parametrize("fault", REPAIRED)
def test_a_fault_is_raised_with_its_line_or_the_example_left_out(fault: str) -> None:
    code, line = REPAIRED[fault]
    with pytest.raises(FormatError) as caught:
        read(FORM, rows(ROW, line))
    assert (caught.value.code, caught.value.place.line) == (code, 3)
    corpus, heard = read_leniently(FORM, rows(ROW, line))
    assert [(f.code, f.severity, f.place.line) for f in heard] == [(code, "repair", 3)]
    assert len(corpus) == 1


@pytest.mark.parametrize(
    ("code", "answers"),
    [
        ("CB110", "x-1\tTRUE\n"),
        ("CB143", "x-1\tTRUE\t0\n"),
        ("CB109", "x-1\tTRUE\tTRUE\nx-1\tTRUE\tTRUE\n"),
        ("CB115", "x-9\tTRUE\tTRUE\n"),
        ("CB140", "y-1\tTRUE\tTRUE\n"),
        ("CB140", "../x-1\tTRUE\tTRUE\n"),
    ],
)
def test_a_fault_in_the_answers_is_raised(tmp_path: Path, code: str, answers: str) -> None:
    with pytest.raises(FormatError) as caught:
        answered(tmp_path, answers)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("code", "content"), [("CB102", b""), ("CB103", HEADER.encode("utf-16")), ("CB103", HEADER.encode() + b"\n\xff")]
)
def test_what_cannot_be_read_is_refused(code: str, content: bytes) -> None:
    with pytest.raises(FormatError) as caught:
        read(FORM, content)
    assert caught.value.code == code
