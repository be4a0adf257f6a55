"""brat stand-off: worked samples, LitBank's dialect, round trips and faults."""

import io
import tarfile
from pathlib import Path

import pytest
from hypothesis import given

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.combine import concatenate
from corefbench.corpus.corpus import Corpus
from corefbench.diagnostics import Finding, Strictness
from corefbench.errors import FormatError, UsageError
from corefbench.formats.base import Reading
from corefbench.formats.brat import Brat
from corefbench.formats.common.standoff import StandoffDocument
from corefbench.formats.convert import convert
from corefbench.formats.source import Source
from tests.conll import conll
from tests.data import data
from tests.unit.formats.roundtrip import assert_stable, contents, read, written
from tests.unit.formats.text_corpora import corpora, kept

FORM = Brat()
TEXT = "Ann Lee, who sang, met Bob.\nShe greeted him and his wife."
SAMPLE = [
    "T1\tPerson 0 7\tAnn Lee",
    "T2\tPerson 23 26\tBob",
    "T3\tPronoun 28 31\tShe",
    "T4\tPronoun 40 43\thim",
    "T5\tPerson 48 56\this wife",
    "T6\tPronoun 48 51\this",
    "T7\tClause 0 7;9 17\tAnn Lee who sang",
    "R1\tCoreference Arg1:T3 Arg2:T1",
    "*\tCoref T2 T4 T6",
    "R2\tMarried Arg1:T5 Arg2:T2",
    "A1\tHuman T1",
    "A2\tConfidence T3 high",
    "N1\tReference T1 Wikipedia:42\tAnn Lee (singer)",
    "#1\tAnnotatorNotes T2\tsee above",
    "E1\tMeet:T7 Arg:T1",
]


def parse(lines: list[str], form: Brat = FORM, *, text: str = TEXT, heard: list[Finding] | None = None) -> Corpus:
    strictness = Strictness() if heard is None else Strictness(lenient=True, report=heard.append)
    annotation = "".join(line + "\n" for line in lines).encode()
    pair = StandoffDocument(source="d.ann", name="d", part=-1, annotation=annotation, text=text.encode())
    return form.corpus([pair], "corpus", Reading(strictness=strictness))


def texts(corpus: Corpus) -> list[list[str]]:
    return [[mention.text for mention in chain.mentions] for chain in corpus[0].chains]


def attributes(corpus: Corpus, text: str) -> dict[str, str]:
    (index,) = (m.index for m in corpus[0].mentions if m.text == text)
    columns = corpus.mentions.columns
    return {name: column[index] for name, column in columns.items() if column[index]}


def test_relations_and_equivalences_make_chains() -> None:
    assert texts(parse(SAMPLE)) == [["Ann Lee … who sang"], ["Ann Lee", "She"], ["Bob", "him", "his"], ["his wife"]]


def test_fragments_make_a_discontinuous_mention_and_touching_ones_do_not() -> None:
    assert parse(SAMPLE)[0].mentions[0].parts == [(0, 2), (3, 5)]
    touching = parse(["T1\tX 0 3;4 7\tAnn Lee"])
    assert touching[0].mentions[0].parts == [(0, 2)]


def test_the_text_and_the_places_of_its_tokens_are_kept() -> None:
    document = parse(SAMPLE)[0]
    assert document.text == TEXT
    assert [TEXT[a:b] for a, b in document.offsets or ()] == document.words
    assert len(document.sentences) == 2


def test_attributes_normalisations_notes_and_other_relations_are_attributes() -> None:
    corpus = parse(SAMPLE[:6] + SAMPLE[7:-1])
    assert attributes(corpus, "Ann Lee") == {
        "type": "Person",
        "Human": "true",
        "normalisation:Reference": "Wikipedia:42 Ann Lee (singer)",
    }
    assert attributes(corpus, "She")["Confidence"] == "high"
    assert attributes(corpus, "Bob")["note:AnnotatorNotes"] == "see above"
    assert attributes(corpus, "his wife")["relation:Married"] == "7:8"


def test_the_types_that_mean_identity_can_be_chosen() -> None:
    married = Brat(relations=["married"])
    assert ["Bob", "his wife"] in texts(parse(SAMPLE, married))
    with pytest.raises(UsageError):
        Brat(dialect="brut")  # type: ignore[arg-type]


def test_offsets_count_carriage_returns_and_wide_characters() -> None:
    corpus = parse(["T1\tX 6 9\tBob"], text="𝒳 a\r\n\nBob")
    assert texts(corpus) == [["Bob"]]


def test_annotation_inside_a_token_breaks_it() -> None:
    corpus = parse(["T1\tX 0 2\tun"], text="undone")
    assert corpus[0].words == ["un", "done"]


LITBANK = [
    "T1\tPROP_PER 0 3\tAnn",
    "T9\tAnn-0 0 3\tAnn",
    "T2\tPRON_PER 10 13\tshe",
    "T8\tAnn-0 10 13\tshe",
    "T3\tNOM_PER 19 26\ta nurse",
    "T4\tNOM_PER 19 26\ta nurse",
    "R1\tcop Arg1:T4 Arg2:T8",
    "R2\tcop Arg1:T4 Arg2:T77",
]


def test_litbank_joins_two_lines_a_mention_and_leaves_attributes_alone() -> None:
    heard: list[Finding] = []
    corpus = parse(LITBANK, text="Ann said  she was  a nurse .", heard=heard)
    assert texts(corpus) == [["Ann", "she"], ["a nurse"]]
    assert corpus.chains.label(0) == "Ann-0"
    assert attributes(corpus, "a nurse") == {"type": "NOM_PER", "relation:cop": "2:3"}
    assert {(f.code, f.severity) for f in heard if "nothing" in f.message} == {("CB115", "warning")}


def test_the_files_of_litbank_have_their_counts() -> None:
    folder = data("litbank") / "brat"
    files = FORM.documents_in(folder)
    assert len(files) == 100
    corpora = [next(FORM.read(Source.of(file), Reading())) for file in files]
    assert sum(len(corpus.mentions) for corpus in corpora) == 29_103
    assert sum(len(corpus.chains) for corpus in corpora) == 7_927
    assert sum(len(corpus.tokens) for corpus in corpora) == 210_532
    assert sum(corpus.chain_sizes().tolist().count(1) for corpus in corpora) == 5_763


def test_a_file_and_its_text_lie_side_by_side(tmp_path: Path) -> None:
    path = tmp_path / "d.ann"
    with path.open("wb") as stream:
        FORM.write(parse(SAMPLE), stream)
    assert (tmp_path / "d.txt").read_text() == TEXT
    for name in ("d.ann", "d.txt"):
        again = next(FORM.read(Source.of(tmp_path / name), Reading()))
        assert contents(again) == contents(parse(SAMPLE))
    (tmp_path / "other.txt").write_text("x")
    assert FORM.documents_in(tmp_path) == [path]


def test_a_document_without_mentions_has_an_empty_file(tmp_path: Path) -> None:
    with (tmp_path / "d.ann").open("wb") as stream:
        FORM.write(parse([]), stream)
    assert (tmp_path / "d.ann").read_bytes() == b""
    assert contents(next(FORM.read(Source.of(tmp_path / "d.ann"), Reading()))) == contents(parse([]))


def test_a_folder_gets_two_files_a_document(tmp_path: Path) -> None:
    twice = concatenate("two", [parse(SAMPLE), parse(SAMPLE[:2])])
    assert read(FORM, written(FORM, twice)).documents.names == ("d", "d-2")
    FORM.write_folder(twice, tmp_path)
    assert [p.name for p in sorted(tmp_path.iterdir())] == ["d-2.ann", "d-2.txt", "d.ann", "d.txt"]


def test_the_sample_is_stable() -> None:
    first = read(FORM, written(FORM, parse(SAMPLE)))
    assert contents(first) == contents(parse(SAMPLE))
    assert_stable(FORM, first)


def test_the_format_recognises_itself_and_no_other() -> None:
    head = "".join(line + "\n" for line in SAMPLE).encode()
    assert FORM.recognises(head) == 0.95
    assert FORM.recognises(written(FORM, parse(SAMPLE))) == 0.9
    assert FORM.recognises(b"MENTION\tT1\t0\t0\t0\t0\tAnn\tPER\tPROP\n") == 0
    assert FORM.recognises(b"T\n#begin document (a); part 000\na 0 0 x (1)\n") == 0
    assert FORM.recognises(b"") == 0


REPAIRED = {
    "a span past the end": ("CB112", "T9\tX 50 99\tx"),
    "a span turned round": ("CB112", "T9\tX 7 0\tx"),
    "an empty span": ("CB112", "T9\tX 3 3\t"),
    "a span of blanks": ("CB112", "T9\tX 3 4\t "),
    "another text": ("CB142", "T9\tX 0 3\tBob"),
    "an id twice": ("CB126", "T1\tX 0 3\tAnn"),
    "no offsets": ("CB141", "T9\tX\tAnn"),
    "a fragment cut short": ("CB141", "T9\tX 0 3;5\tAnn"),
    "a negative offset": ("CB141", "T9\tX -1 3\tAnn"),
    "a link to nothing": ("CB115", "R9\tCoref Arg1:T1 Arg2:T99"),
    "an equivalence with nothing": ("CB115", "*\tEquiv T1 T99"),
    "a relation with one end": ("CB141", "R9\tCoref Arg1:T1"),
    "an equivalence of nothing": ("CB141", "*\tEquiv"),
    "an attribute of nothing": ("CB141", "A9\tHuman"),
    "an unknown kind of line": ("CB141", "Q1\tWhat T1"),
    "a number no machine holds": ("CB112", "T9\tX 0 " + "9" * 400 + "\tx"),
}


@pytest.mark.parametrize("fault", REPAIRED)
def test_a_fault_is_raised_with_its_line_or_repaired_and_reported(fault: str) -> None:
    code, line = REPAIRED[fault]
    lines = [*SAMPLE, line]
    with pytest.raises(FormatError) as caught:
        parse(lines)
    assert (caught.value.code, caught.value.place.line) == (code, len(lines))
    heard: list[Finding] = []
    corpus = parse(lines, heard=heard)
    assert [(f.code, f.severity, f.place.line) for f in heard] == [(code, "repair", len(lines))]
    assert len(corpus.mentions) == (8 if code == "CB142" else 7)


REFUSED = {
    "no text beside it": ("CB140", b"T1\tX 0 1\ta\n"),
    "nothing": ("CB102", b""),
    "UTF-16": ("CB103", "T1\tX 0 1\ta\n".encode("utf-16")),
    "a broken archive": ("CB118", b"a.ann".ljust(100, b"\0") + b"x" * 157 + b"ustar" + bytes(400)),
}


@pytest.mark.parametrize("fault", REFUSED)
def test_what_cannot_be_read_is_refused(fault: str) -> None:
    code, content = REFUSED[fault]
    with pytest.raises(FormatError) as caught:
        read(FORM, content)
    assert caught.value.code == code


@pytest.mark.parametrize("bad", ["annotation", "text"])
def test_bytes_that_are_not_utf8_are_refused(bad: str) -> None:
    pair = {"annotation": b"T1\tX 0 1\ta\n", "text": b"a"} | {bad: b"T1\xff"}
    with pytest.raises(FormatError) as caught:
        FORM.corpus([StandoffDocument(source="d.ann", name="d", part=-1, **pair)], "corpus", Reading())
    assert caught.value.code == "CB103"


def test_an_archive_without_a_text_is_refused() -> None:
    broken = written(FORM, parse(SAMPLE)).replace(b"d.txt", b"d.doc")
    with pytest.raises(FormatError):
        read(FORM, broken)


@given(corpora(gaps=True, columns=["type", "status", "a b", "relation:coref", "note:x"]))
def test_what_is_written_is_read_again(corpus: Corpus) -> None:
    again = read(FORM, written(FORM, corpus))
    columns = ["status", "a b", "relation:coref", "note:x"]
    assert kept(again, columns=columns) == kept(corpus, columns=columns)
    assert_stable(FORM, again)


@pytest.mark.parametrize(
    "name", ["../../evil", "/etc/evil", "a/../evil", "a\\..\\evil", "C:evil", "a\0evil", "..", "a\nb"]
)
def test_an_archive_has_no_names_that_lead_out_of_its_folder(name: str) -> None:
    build = CorpusBuilder("hostile")
    build.begin_document(name)
    build.sentence(["Ann", "ran"])
    content = written(Brat(), build.finish())
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        for member in archive.getnames():
            assert not member.startswith("/")
            assert ".." not in member.split("/")
            assert not set(member) & set("\\:\0\n")


def test_a_text_that_nobody_named_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "one.conll").write_bytes(conll("(1)", "(1)"))
    (tmp_path / "doc.txt").write_text("my notes")
    with pytest.raises(UsageError) as error:
        convert(tmp_path / "one.conll", tmp_path / "doc.ann")
    assert error.value.found.endswith("doc.txt")
    assert (tmp_path / "doc.txt").read_text() == "my notes"
    assert not (tmp_path / "doc.ann").exists()
    convert(tmp_path / "one.conll", tmp_path / "new.ann")
    convert(tmp_path / "one.conll", tmp_path / "new.ann")
