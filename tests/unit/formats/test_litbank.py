"""LitBank's tab-separated files: worked samples, agreement with its other formats, faults."""

from pathlib import Path

import pytest
from hypothesis import given

from corefbench.corpus.corpus import Corpus
from corefbench.diagnostics import Finding, Strictness
from corefbench.errors import FormatError
from corefbench.formats.base import Reading
from corefbench.formats.brat import Brat
from corefbench.formats.common.standoff import StandoffDocument
from corefbench.formats.conll.format import CoNLL
from corefbench.formats.litbank import LitBank
from corefbench.formats.source import Source
from tests.data import data
from tests.unit.formats.roundtrip import assert_stable, contents, read, written
from tests.unit.formats.text_corpora import corpora, kept

FORM = LitBank()
TEXT = "Ann said she was a nurse .\n\nHer dog slept .\n"
SAMPLE = [
    "COP\tT3\tT2",
    "MENTION\tT1\t0\t0\t0\t0\tAnn\tPER\tPROP",
    "COREF\tT1\tAnn-0",
    "MENTION\tT2\t0\t2\t0\t2\tshe\tPER\tPRON",
    "COREF\tT2\tAnn-0",
    "MENTION\tT3\t0\t4\t0\t5\ta nurse\tPER\tNOM",
    "MENTION\tT4\t2\t0\t2\t0\tHer\tPER\tPRON",
    "COREF\tT4\tAnn-0",
]


def parse(lines: list[str], heard: list[Finding] | None = None) -> Corpus:
    strictness = Strictness() if heard is None else Strictness(lenient=True, report=heard.append)
    annotation = "".join(line + "\n" for line in lines).encode()
    pair = StandoffDocument(source="d.ann", name="d", part=-1, annotation=annotation, text=TEXT.encode())
    return FORM.corpus([pair], "corpus", Reading(strictness=strictness))


def load(form: LitBank | Brat | CoNLL, path: Path) -> Corpus:
    (corpus,) = form.read(Source.of(path), Reading())
    return corpus


def test_labels_make_chains_and_a_mention_without_one_stands_alone() -> None:
    corpus = parse(SAMPLE)
    assert corpus[0].clusters() == [[(0, 1), (2, 3), (7, 8)], [(4, 6)]]
    assert corpus.chains.label(0) == "Ann-0"
    assert corpus[0].sentences == [(0, 7), (7, 11)]
    assert list(corpus.mentions.columns["relation:cop"]) == ["", "", "2:3", ""]
    assert list(corpus.mentions.columns["class"]) == ["PROP", "PRON", "NOM", "PRON"]


def test_the_sample_is_stable() -> None:
    assert_stable(FORM, read(FORM, written(FORM, parse(SAMPLE))))


def test_the_format_recognises_itself_and_no_other() -> None:
    assert FORM.recognises("".join(line + "\n" for line in SAMPLE).encode()) == 0.95
    assert FORM.recognises(b"T1\tPerson 0 7\tAnn Lee\n") == 0
    assert FORM.recognises(b"") == 0


def sets(corpus: Corpus) -> set[frozenset[tuple[int, int]]]:
    return {frozenset(cluster) for cluster in corpus[0].clusters()}


@pytest.mark.slow
def test_brat_and_conll_agree_but_for_great_expectations() -> None:
    """There the published CoNLL file itself has other chains than the published brat file."""
    differing = []
    for path in sorted(data("litbank").glob("brat/*.ann")):
        brat = load(Brat(), path)
        conll = load(CoNLL(), data("litbank") / "conll" / f"{path.stem}.conll")
        assert brat[0].words == conll[0].words
        assert brat[0].sentences == conll[0].sentences
        assert sorted(m.parts for m in brat[0].mentions) == sorted(m.parts for m in conll[0].mentions)
        assert len(brat.chains) == len(conll.chains)
        if sets(brat) != sets(conll):
            differing.append((path.stem, len(sets(brat) - sets(conll))))
    assert differing == [("1400_great_expectations_brat", 5)]


def test_brat_and_tsv_agree_in_every_document() -> None:
    folder = data("litbank") / "tsv"
    if not folder.is_dir():
        pytest.skip("the data set has no tab-separated files")
    mentions = chains = 0
    for path in FORM.documents_in(folder):
        corpus = load(FORM, path)
        brat = load(Brat(), data("litbank") / "brat" / path.name)
        assert kept(corpus, labels=True)[0][2:7] == kept(brat, labels=True)[0][2:7]  # type: ignore[index]
        mentions += len(corpus.mentions)
        chains += len(corpus.chains)
    assert (mentions, chains) == (29_103, 7_927)


def test_a_file_and_its_text_lie_side_by_side(tmp_path: Path) -> None:
    with (tmp_path / "d.ann").open("wb") as stream:
        FORM.write(parse(SAMPLE), stream)
    again = load(FORM, tmp_path / "d.ann")
    assert again[0].clusters() == parse(SAMPLE)[0].clusters()
    assert FORM.documents_in(tmp_path) == [tmp_path / "d.ann"]


REPAIRED = {
    "a sentence too many": ("CB112", "MENTION\tT9\t5\t0\t5\t0\tx\tPER\tNOM"),
    "a word too many": ("CB112", "MENTION\tT9\t0\t0\t0\t7\tx\tPER\tNOM"),
    "a span turned round": ("CB112", "MENTION\tT9\t0\t4\t0\t2\tx\tPER\tNOM"),
    "a blank line": ("CB112", "MENTION\tT9\t1\t0\t1\t0\tx\tPER\tNOM"),
    "another text": ("CB142", "MENTION\tT9\t0\t0\t0\t0\tBob\tPER\tNOM"),
    "an id twice": ("CB126", "MENTION\tT1\t0\t1\t0\t1\tsaid\tPER\tNOM"),
    "no numbers": ("CB141", "MENTION\tT9\ta\tb\tc\td\tx\tPER\tNOM"),
    "a negative number": ("CB141", "MENTION\tT9\t-1\t0\t0\t0\tx\tPER\tNOM"),
    "too few cells": ("CB141", "MENTION\tT9\t0\t0"),
    "a label for nothing": ("CB115", "COREF\tT99\tAnn-0"),
    "an attribute of nothing": ("CB115", "APPOS\tT1\tT99"),
    "two labels": ("CB113", "COREF\tT1\tBob-1"),
    "no label": ("CB141", "COREF\tT1"),
    "an unknown kind of line": ("CB141", "EVENT\tT1\tT2"),
}


@pytest.mark.parametrize("fault", REPAIRED)
def test_a_fault_is_raised_with_its_line_or_repaired_and_reported(fault: str) -> None:
    code, line = REPAIRED[fault]
    with pytest.raises(FormatError) as caught:
        parse([*SAMPLE, line])
    assert (caught.value.code, caught.value.place.line) == (code, 9)
    heard: list[Finding] = []
    corpus = parse([*SAMPLE, line], heard)
    assert [(f.code, f.severity, f.place.line) for f in heard] == [(code, "repair", 9)]
    assert len(corpus.mentions) == (5 if code == "CB142" else 4)


@pytest.mark.parametrize(
    ("code", "content"), [("CB140", b"COREF\tT1\tx\n"), ("CB102", b" \n"), ("CB103", "COREF".encode("utf-16"))]
)
def test_what_cannot_be_read_is_refused(code: str, content: bytes) -> None:
    with pytest.raises(FormatError) as caught:
        read(FORM, content)
    assert caught.value.code == code


@given(corpora())
def test_what_is_written_is_read_again(corpus: Corpus) -> None:
    again = read(FORM, written(FORM, corpus))
    assert kept(again, labels=True) == kept(corpus, labels=True)
    assert_stable(FORM, again)
    assert contents(again)["chains.labels"] == contents(read(FORM, written(FORM, again)))["chains.labels"]
