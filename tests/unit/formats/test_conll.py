"""The reader and writer of CoNLL-2011/2012 files and their many relatives."""

import gzip
import io
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefbench as cb
from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.combine import concatenate
from corefbench.corpus.corpus import Corpus
from corefbench.diagnostics import Finding, Strictness
from corefbench.formats.base import Format, Reading
from corefbench.formats.check import check
from corefbench.formats.conll.format import CoNLL, SemEval
from corefbench.formats.load import stream
from tests.conll import conll
from tests.data import data
from tests.unit.formats.roundtrip import contents, read, written

Found = list[tuple[str, int, int]]


def spans(corpus: Corpus, document: int = 0) -> Found:
    """Chain label, start and end of every mention, half-open."""
    return sorted((m.chain.label, m.start, m.end) for m in corpus[document].mentions)


def said(corpus: Corpus) -> list[tuple[str, int, list[tuple[int, int]], list[str], Found]]:
    """All that a corpus says, for comparing two of them."""
    return [(d.label, len(d), d.sentences, d.words, spans(corpus, i)) for i, d in enumerate(corpus)]


def rows(*lines: str, end: str = "\n") -> bytes:
    return end.join(["#begin document (d); part 000", *lines, "#end document", ""]).encode()


class TestColumns:
    @pytest.mark.parametrize("between", ["\t", " ", "   "], ids=["tab", "blank", "blanks"])
    @pytest.mark.parametrize("columns", [2, 3, 4, 5, 7, 11, 12, 13, 20])
    def test_any_number_of_columns_divided_by_tabs_or_blanks(self, columns: int, between: str) -> None:
        def row(word: str, cell: str) -> str:
            fields = ["x"] * (columns - 1)
            fields[0 if columns == 2 else 1 if columns < 5 else 3] = word
            return between.join([*fields, cell])

        corpus = cb.load(rows(row("Ann", "(1)"), row("saw", "-"), row("her", "(1)")))
        assert spans(corpus) == [("1", 0, 1), ("1", 2, 3)]
        assert corpus[0].words == ["Ann", "saw", "her"]

    @pytest.mark.parametrize("none", ["-", "_", "*"])
    @pytest.mark.parametrize("between", ["\t", "  "])
    def test_a_dash_an_underscore_or_a_star_is_no_mention(self, none: str, between: str) -> None:
        lines = [between.join(["d", "0", "0", "w", cell]) for cell in ("(1)", none, "(1)", none)]
        assert spans(cb.load(rows(*lines))) == [("1", 0, 1), ("1", 2, 3)]

    def test_an_empty_last_column_is_no_mention(self) -> None:
        lines = ["d\t0\t0\ta\t", "d\t0\t1\tb\t(1)", "d\t0\t2\t(9)\t", "d\t0\t3\td\t(1)"]
        assert spans(cb.load(rows(*lines))) == [("1", 1, 2), ("1", 3, 4)]

    def test_a_tab_too_many_at_the_end_of_a_line_does_not_matter(self) -> None:
        lines = ["d\t0\t0\ta\t(1)", "d\t0\t1\tb\t(1)\t", "d\t0\t2\tc\t-\t", "d\t0\t3\td\t-"]
        assert spans(cb.load(rows(*lines))) == [("1", 0, 1), ("1", 1, 2)]

    def test_blanks_at_the_end_of_a_line_do_not_matter(self) -> None:
        assert spans(cb.load(rows("d 0 0 a (1)  ", "d 0 1 b -   ", "d 0 2 c (1) "))) == [("1", 0, 1), ("1", 2, 3)]

    @pytest.mark.parametrize("between", ["\t", " "])
    def test_words_that_look_like_brackets_are_words(self, between: str) -> None:
        words = ["3)", "(7)", "(1", "-", "|", "(", ")"]
        cells = ["(1)", "-", "-", "(1)", "-", "-", "-"]
        lines = [between.join(["d", "0", "0", w, "NN", c]) for w, c in zip(words, cells, strict=True)]
        corpus = cb.load(rows(*lines))
        assert spans(corpus) == [("1", 0, 1), ("1", 3, 4)]
        assert corpus[0].words == words

    def test_the_columns_of_2012_have_their_names(self) -> None:
        line = "bn/x\t0\t0\tAnn\tNNP\t(TOP(NP*))\t-\t-\t-\tSpeaker#1\t(PERSON)\t*\t(1)"
        corpus = cb.load(rows(line))
        names = ("pos", "parse", "lemma", "frameset", "sense", "speaker", "ne")
        values = [corpus.tokens.columns[name][0] for name in names]
        assert values == ["NNP", "(TOP(NP*))", "-", "-", "-", "Speaker#1", "(PERSON)"]


class TestBrackets:
    @pytest.mark.parametrize(
        ("cells", "expected"),
        [
            (["(12)|(3|(4", "-", "4)|3)"], [("12", 0, 1), ("3", 0, 3), ("4", 0, 3)]),
            (["(42|(42", "-", "42)|42)"], [("42", 0, 3), ("42", 0, 3)]),
            (["(42", "(42", "42)|42)"], [("42", 0, 3), ("42", 1, 3)]),
            (["(1(2)", "1)"], [("1", 0, 2), ("2", 0, 1)]),
            (["(1(2(3", "3)2)1)"], [("1", 0, 2), ("2", 0, 2), ("3", 0, 2)]),
            (["(1", "1)|(1", "1)"], [("1", 0, 3), ("1", 1, 2)]),
            (["(1", "(1|1)", "1)"], [("1", 0, 3), ("1", 1, 2)]),
            (["(1", "(2", "1)", "2)"], [("1", 0, 3), ("2", 1, 4)]),
            (["(7", "7", "7)"], [("7", 0, 3)]),
            (["(7", "7|(8)", "7)"], [("7", 0, 3), ("8", 1, 2)]),
            (["(abstract-1", "(person_2)", "abstract-1)"], [("abstract-1", 0, 3), ("person_2", 1, 2)]),
            (["(01)", "(1)"], [("01", 0, 1), ("1", 1, 2)]),
            (["(18446744073709551617)", "(1)"], [("1", 1, 2), ("18446744073709551617", 0, 1)]),
            (["(é)", "(é)"], [("é", 0, 1), ("é", 1, 2)]),
        ],
    )
    def test_cell_notation(self, cells: list[str], expected: Found) -> None:
        assert spans(cb.load(conll(*cells))) == expected

    def test_a_chain_that_closes_and_opens_on_one_token_scores_as_in_the_reference_scorer(self) -> None:
        key, response = conll("(0", "0)|(0", "0)"), conll("(0", "(0)", "0)")
        # scorer.pl v8.01 prints 100 for MUC, B³, CEAFm, CEAFe and BLANC; so does coval, which has no BLANC.
        assert {name: score.f1 for name, score in cb.score(key, response).scores.items()} == dict.fromkeys(
            ("mentions", "muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "lea"), 1.0
        )

    def test_a_mention_may_cross_sentences(self) -> None:
        corpus = cb.load(conll("(1", "-", "", "-", "1)"))
        assert spans(corpus) == [("1", 0, 4)]
        assert corpus[0].sentences == [(0, 2), (2, 4)]

    def test_chains_of_one_label_in_two_documents_are_two_chains(self) -> None:
        corpus = cb.load(conll("(1)", "(1)", name="a") + conll("(1)", "(1)", name="b"))
        assert [len(document.chains) for document in corpus] == [1, 1]

    def test_chains_are_numbered_by_first_appearance_one_token_mentions_first(self) -> None:
        corpus = cb.load(conll("(9|(3)", "9)", "(5)"))
        assert [chain.label for chain in corpus[0].chains] == ["3", "9", "5"]


class TestDocuments:
    @pytest.mark.parametrize(
        ("header", "label"),
        [
            ("#begin document (bn/cnn_0001); part 000", "bn/cnn_0001_0"),
            ("#begin document (bn/cnn_0001); part 012", "bn/cnn_0001_12"),
            ("#begin document (LuoTestCase); ", "LuoTestCase"),
            ("#begin document(metadoc);", "metadoc"),
            ("# begin document GUM_bio_byron", "GUM_bio_byron"),
            ("#begin document plain", "plain"),
            ("#begin document (a (b)); part 3", "a (b)_3"),
        ],
    )
    def test_header_styles(self, header: str, label: str) -> None:
        text = f"{header}\nd 0 0 w (1)\n#end document\n".encode()
        assert cb.load(text)[0].label == label

    def test_a_file_without_marks_is_one_document_of_the_name_of_the_file(self, tmp_path: Path) -> None:
        file = tmp_path / "story.conll"
        file.write_bytes(b"Ann (1)\nsaw -\nher (1)\n")
        corpus = cb.load(file)
        assert (corpus[0].label, spans(corpus)) == ("story", [("1", 0, 1), ("1", 2, 3)])

    def test_documents_without_tokens_or_mentions_are_documents(self) -> None:
        empty = b"#begin document (e); part 000\n#end document\n"
        corpus = cb.load(conll("-", "-") + empty + conll("(1)", name="f"))
        assert [len(document) for document in corpus] == [2, 0, 1]
        assert [len(document.mentions) for document in corpus] == [0, 0, 1]

    def test_comments_are_not_tokens(self) -> None:
        corpus = cb.load(rows("d 0 0 a (1)", "# a remark (7", "d 0 1 b (1)"))
        assert spans(corpus) == [("1", 0, 1), ("1", 1, 2)]


class TestBytes:
    TEXT = conll("(1", "1)", "", "(1)", "-") + conll("(2)", "(2)", name="é")

    @pytest.mark.parametrize(
        "change",
        [
            lambda text: text.replace(b"\n", b"\r\n"),
            lambda text: b"\xef\xbb\xbf" + text,
            gzip.compress,
            lambda text: text.rstrip(b"\n"),
            lambda text: text.replace(b"\n\n", b"\n \t\n"),
            lambda text: text.replace(b"\t", b"   "),
        ],
        ids=["CRLF", "BOM", "gz", "no last newline", "blank lines with blanks", "blanks"],
    )
    def test_the_same_is_read_from_other_bytes(self, change) -> None:
        assert said(cb.load(change(self.TEXT))) == said(cb.load(self.TEXT))

    def test_standard_input_is_read(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(self.TEXT)))
        assert said(cb.load("-")) == said(cb.load(self.TEXT))

    def test_other_encodings_are_read_and_reported_with_the_line(self) -> None:
        heard: list[Finding] = []
        text = rows("d\t0\t0\tAnn\t(1)", "d\t0\t1\tcaf\t-").replace(b"caf", b"caf\xe9")
        corpus = cb.load(text, strictness=Strictness(report=heard.append))
        assert spans(corpus) == [("1", 0, 1)]
        assert [(f.code, f.place.line) for f in heard] == [("CB103", 3)]

    def test_without_words_mentions_and_digests_are_the_same(self) -> None:
        full, bare = cb.load(self.TEXT), cb.load(self.TEXT, words=False)
        assert bare.tokens.words is None
        assert bare.tokens.digests.tolist() == full.tokens.digests.tolist()
        assert [spans(bare, i) for i in range(2)] == [spans(full, i) for i in range(2)]


class TestFaults:
    @pytest.mark.parametrize(
        ("lines", "code", "place"),
        [
            (["d\t0\t0\ta\t(1", "d\t0\t1\tb\t-"], "CB105", (2, 9)),
            (["d\t0\t0\ta\t-", "d\t0\t1\tb\t1)"], "CB104", (3, 9)),
            (["d\t0\t0\ta\t(1)", "d\t0\t1\tb\t2"], "CB106", (3, 9)),
            (["d\t0\t0\ta\t(1", "d\t0\t1\tb\t1)", "d\t0\t2\tc\t1"], "CB106", (4, 9)),
            (["d\t0\t0\ta\t(1)", "d\t0\t1\tb\t()"], "CB106", (3, 9)),
            (["d\t0\t0\ta\t(1)", "d\t0\t1\tb\t(2|"], "CB105", (3, 9)),
            (["d\t0\t0\ta\t(1)", "(2)"], "CB110", (3, 1)),
        ],
    )
    def test_a_fault_is_raised_with_code_line_and_column_and_repaired_when_lenient(
        self, lines: list[str], code: str, place: tuple[int, int]
    ) -> None:
        with pytest.raises(cb.FormatError) as error:
            cb.load(rows(*lines))
        assert (error.value.code, (error.value.place.line, error.value.place.column)) == (code, place)
        assert error.value.exit_code == 3
        heard: list[Finding] = []
        cb.load(rows(*lines), strictness=Strictness(lenient=True, report=heard.append))
        repairs = [(f.code, f.severity, f.place.line) for f in heard]
        assert repairs == [(code, "repair", place[0])]

    def test_what_is_right_stays_when_the_rest_is_repaired(self) -> None:
        text = conll("(1)|(2", "3)", "(1)", "(4)|(5(6)")
        assert spans(cb.load(text, lenient=True)) == [("1", 0, 1), ("1", 2, 3), ("4", 3, 4), ("6", 3, 4)]

    def test_a_token_outside_every_document_is_a_fault(self) -> None:
        text = conll("(1)") + b"d\t0\t0\tstray\t-\n" + conll("(1)", name="e")
        with pytest.raises(cb.FormatError) as error:
            cb.load(text)
        assert (error.value.code, error.value.place.line) == ("CB108", 5)
        assert [len(d) for d in cb.load(text, lenient=True)] == [1, 1]

    def test_the_line_is_right_in_a_later_block(self) -> None:
        text = conll("(1)", "(1)") * 1 + conll("-", name="e") + conll("(1", name="f")
        with pytest.raises(cb.FormatError) as error:
            list(stream(text, reading=Reading(block_bytes=16)))
        assert error.value.place.line == 1 + text[: text.index(b"(1\n")].count(b"\n")

    def test_a_chain_that_has_a_span_twice_is_repaired_only_when_lenient(self) -> None:
        text = conll("(1)|(1)", "(1)")
        assert len(cb.load(text).mentions) == 3
        heard: list[Finding] = []
        repaired = cb.load(text, strictness=Strictness(lenient=True, report=heard.append))
        assert spans(repaired) == [("1", 0, 1), ("1", 1, 2)]
        assert [(f.code, f.place.line) for f in heard] == [("CB113", 2)]

    def test_an_empty_file_is_said_to_be_empty(self) -> None:
        with pytest.raises(cb.FormatError) as error:
            cb.load(b"")
        assert error.value.code == "CB102"


# Random files: documents of cells over a few chains, some tokens without a mention.
@st.composite
def texts(draw: st.DrawFn) -> bytes:
    made = b""
    for number in range(draw(st.integers(1, 5))):
        length = draw(st.integers(0, 8))
        cells = [""] * length
        for _ in range(draw(st.integers(0, 4)) if length else 0):
            start = draw(st.integers(0, length - 1))
            end = draw(st.integers(start, length - 1))
            label = draw(st.sampled_from(["1", "2", "33", "x-4"]))
            if start == end:
                cells[start] += f"|({label})"
            else:
                cells[start] += f"|({label}"
                cells[end] = f"{label})|" + cells[end]
        lines = [cell.strip("|").replace("||", "|") or "-" for cell in cells]
        made += conll(*lines, name=f"doc{number}" + "é" * draw(st.integers(0, 2)))
    return made


@given(texts(), st.integers(1, 200))
def test_where_blocks_are_cut_does_not_matter(text: bytes, size: int) -> None:
    whole = cb.load(text, lenient=True)
    reading = Reading(strictness=Strictness(lenient=True), block_bytes=size)
    pieces = list(stream(text, reading=reading))
    assert said(concatenate("memory", pieces)) == said(whole)


def test_many_documents_in_blocks_of_64_bytes_are_read_in_several_pieces() -> None:
    text = b"".join(conll("(1)", "-", "(1)", name=f"d{i}") for i in range(20))
    pieces = list(stream(text, reading=Reading(block_bytes=64)))
    assert len(pieces) > 5
    assert said(concatenate("memory", pieces)) == said(cb.load(text))


@given(texts())
def test_what_is_written_is_read_again(text: bytes) -> None:
    corpus = cb.load(text, lenient=True)
    written = io.BytesIO()
    CoNLL().write(corpus, written)
    again = cb.load(written.getvalue())
    assert said(again) == said(corpus)
    rewritten = io.BytesIO()
    CoNLL().write(again, rewritten)
    assert rewritten.getvalue() == written.getvalue()


def test_the_writer_closes_inner_before_outer_and_opens_outer_before_inner() -> None:
    written = io.BytesIO()
    CoNLL().write(cb.load(conll("(1|(2", "2)|(5", "(3)|1)|5)|(4", "4)")), written)
    cells = [line.split()[-1] for line in written.getvalue().decode().splitlines() if line[:2] == "d "]
    assert cells == ["(1|(2", "2)|(5", "5)|1)|(3)|(4", "4)"]


class TestRealFiles:
    def test_litbank_has_its_published_counts(self) -> None:
        corpus = cb.load(data("litbank") / "conll")
        assert len(corpus) == 100
        assert len(corpus.tokens) == 210_532
        assert len(corpus.mentions) == 29_103
        assert len(corpus.chains) == 7_927
        assert int((corpus.chain_sizes() == 1).sum()) == 5_763

    def test_litbank_has_three_crossing_pairs(self) -> None:
        corpus = cb.load(data("litbank") / "conll", words=False)
        crossing = 0
        for index in range(len(corpus)):
            here = [(a, b) for _, a, b in spans(corpus, index)]
            long = sorted(span for span in here if span[1] - span[0] > 1)
            for i, (a, b) in enumerate(long):
                later = (other for other in long[i + 1 :] if other[0] < b)
                crossing += sum(1 for c, d in later if a < c and d > b)
        assert crossing == 3

    def test_gum_with_three_columns_is_read(self) -> None:
        file = data("gum") / "gum-conll" / "GENTLE_dictionary_next.conll"
        corpus = cb.load(file)
        lines = [line.split("\t") for line in file.read_text().splitlines() if "\t" in line]
        assert {len(line) for line in lines} == {3}
        assert len(corpus.tokens) == len(lines)
        assert corpus[0].words == [line[1] for line in lines]
        assert len(corpus.mentions) == sum(line[2].count("(") for line in lines)

    def test_the_training_part_of_gum_has_its_published_counts(self) -> None:
        folder = data("gum")
        train = (folder / "splits.md").read_text().split("## train")[1].split("\n## ")[0]
        files = [folder / "gum-conll" / f"{line.strip(' *')}.conll" for line in train.splitlines()]
        corpora = [cb.load(file, words=False) for file in files if file.is_file()]
        sizes = [int(size) for corpus in corpora for size in corpus.chain_sizes()]
        assert len(corpora) == 177
        assert sum(sizes) == 49_649
        assert sum(size > 1 for size in sizes) == 7_007
        assert sum(size == 1 for size in sizes) == 18_750


def test_a_cell_of_very_many_faults_is_not_quoted_whole_by_each():
    text = b"#begin document (a);\nx " + b"(1" * 2_000 + b"\n#end document\n"
    found = check(text)
    assert {f.code for f in found if f.severity == "error"} == {"CB105"}
    assert all(len(f.found) < 250 for f in found)


LABELLED = conll("(set_14", "set_14)|(0)", "(Chancery-0)", "(é%20)|(5+3)", "(007)")


@pytest.mark.parametrize("form", [CoNLL(), SemEval()])
def test_chains_are_numbered_and_their_labels_are_read_again(form: Format) -> None:
    build = CorpusBuilder("labels")
    labels = ["set_14", "0", "a b", "x|(y", "", "é%20", "007"]
    for name in ("first", "second"):
        build.begin_document(name)
        build.sentence([f"w{i}" for i in range(8)])
        for index, label in enumerate(labels):
            build.mention(label, [(index, index + 2)])
    corpus = build.finish()
    text = written(form, corpus)
    cells = [line.split()[-1] for line in text.decode().splitlines() if line and line[0] != "#"]
    assert cells[:8] == ["(1", "1)|(0", "0)|(2", "2)|(3", "3)|(4", "4)|(5", "5)|(007", "007)"]
    again = read(form, text)
    assert [again.chains.label(chain) for chain in range(len(again.chains))] == labels * 2
    assert written(form, again) == text
    assert read(form, text, block_bytes=64).chains.labels.tolist() == again.chains.labels.tolist()


def test_labels_that_are_numbers_need_no_comment() -> None:
    text = written(CoNLL(), read(CoNLL(), conll("(3)", "(12", "12)")))
    assert b"# chain" not in text


def test_the_labels_of_chains_stand_outside_the_document() -> None:
    """The reference scorer counts every line between #begin and #end as a token."""
    lines = written(CoNLL(), read(CoNLL(), LABELLED)).decode().splitlines()
    assert [line[:7] for line in lines if line[0:1] == "#"] == ["#begin ", "#end do", *["# chain"] * 4]
    assert lines[-5] == "#end document"


def test_the_reference_scorer_reads_what_is_written(tmp_path: Path) -> None:
    scorer = Path(os.environ.get("COREFBENCH_PEERS", "")) / "perl" / "scorer.pl"
    if not scorer.is_file() or shutil.which("perl") is None:
        pytest.skip("COREFBENCH_PEERS has no folder perl")
    labelled = conll("(set_1", "set_1)", "(x-0)", "(x-0)", "(set_1)", name="a") + conll("(b)", "(b)", name="b")
    path = tmp_path / "labels.conll"
    path.write_bytes(written(CoNLL(), read(CoNLL(), labelled)))
    command = ["perl", str(scorer), "muc", str(path), str(path), "none"]
    output = subprocess.run(command, capture_output=True, text=True, check=True, cwd=scorer.parent).stdout
    # Three chains of two mentions each have three links.
    assert "Coreference: Recall: (3 / 3) 100%\tPrecision: (3 / 3) 100%" in output


def test_blanks_in_a_cell_do_not_separate_columns_where_tabs_do() -> None:
    cells = ["(1| (2", "2) |(3)", "1)", "(2) (3)"]
    blanks = read(CoNLL(), conll(*cells))
    plain = read(CoNLL(), conll(*(cell.replace(" |", "|").replace("| ", "|").replace(" ", "|") for cell in cells)))
    assert contents(blanks) == contents(plain)


def test_a_fault_in_a_cell_with_blanks_is_reported_where_the_cell_is() -> None:
    text = conll("(1| (2", "2)", words=["Ann", "saw"])
    (finding,) = (f for f in check(text) if f.severity == "error")
    # d, 0, 0, Ann and four tabs stand before the cell.
    assert (finding.code, finding.place.line, finding.place.column, finding.found) == ("CB105", 2, 11, "(1| (2")
