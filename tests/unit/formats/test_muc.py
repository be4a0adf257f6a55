"""MUC SGML: samples of the task definitions, tolerant reading, faults and round trips."""

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.errors import FormatError, UsageError
from corefbench.formats.muc import MUC, TOKENIZED_REMARK, blank_words
from tests.unit.formats.nested_corpora import corpora, told
from tests.unit.formats.roundtrip import assert_faulty, assert_stable, read, read_leniently, written

FORM = MUC()
DOCUMENT = """<DOC>
<DOCID> made-001 </DOCID>
<DOCNO> 990101-0001. </DOCNO>
<HL> <COREF ID="7" REF="1">Harbour</COREF> Reopens & Trade Grows </HL>
<TXT>
<p>
   <COREF ID="1" MIN="harbour">The old harbour of <COREF ID="2">Lund</COREF></COREF> reopened.
<COREF ID="3" TYPE="IDENT" REF="1">It</COREF> had been closed since <COREF ID="4" STATUS="OPT"
REF="2">the city</COREF>'s fire.
</TXT>
</DOC>
"""


def chains(corpus: Corpus) -> list[list[str]]:
    return [[m.text for m in chain.mentions] for document in corpus for chain in document.chains]


def minima(corpus: Corpus) -> list[str]:
    words = list(corpus.tokens.words or ())
    parts = corpus.mentions.minimum
    assert parts is not None
    return [" ".join(" ".join(words[a:b]) for a, b in parts.of(m)) for m in range(len(corpus.mentions))]


def test_chains_are_what_ref_connects_forwards_and_backwards():
    assert chains(read(FORM, DOCUMENT)) == [["Harbour", "The old harbour of Lund", "It"], ["Lund", "the city"]]


def test_names_zones_ids_status_and_minimum_are_kept():
    corpus = read(FORM, DOCUMENT)
    assert corpus.documents.names == ("made-001",)
    assert corpus.documents.columns == {"DOCNO": ("990101-0001.",)}
    assert list(corpus.tokens.columns["zone"])[:5] == ["HL"] * 5
    assert set(list(corpus.tokens.columns["zone"])[5:]) == {"TXT"}
    assert list(corpus.mentions.columns["id"]) == ["7", "1", "2", "3", "4"]
    assert list(corpus.mentions.columns["status"]) == ["", "", "", "", "OPT"]
    assert minima(corpus) == ["", "harbour", "", "", ""]


def test_the_text_is_kept_and_tokens_stand_in_it():
    document = read(FORM, DOCUMENT)[0]
    assert [document.text[a:b] for a, b in document.offsets] == document.words
    assert "&" in document.words
    assert "'s" in document.words


def test_sentences_end_with_zones_paragraphs_and_full_stops():
    document = read(FORM, DOCUMENT)[0]
    assert [" ".join(document.words[a:b]) for a, b in document.sentences] == [
        "Harbour Reopens & Trade Grows",
        "The old harbour of Lund reopened .",
        "It had been closed since the city 's fire .",
    ]


def test_the_sample_is_stable_and_keeps_its_text():
    corpus = read(FORM, DOCUMENT)
    assert_stable(FORM, corpus)
    assert read(FORM, written(FORM, corpus))[0].text == corpus[0].text


# Facts of the MUC-6 and MUC-7 task definitions, in other words than theirs.
SAMPLES = {
    "nested": (
        '<COREF ID="1" MIN="Ada Byron">Ada Byron, <COREF ID="2" REF="1" MIN="countess"'
        ' TYPE="IDENT">the learned countess,</COREF></COREF>',
        [["Ada Byron , the learned countess ,", "the learned countess ,"]],
    ),
    "lower case, no quotes": ("<coref id=1>Ann</coref> saw <Coref id=2 ref=1>her</cOREF>", [["Ann", "her"]]),
    "padded": ('<COREF ID=" 11 ">A</COREF> <COREF ID="12" REF=" 11 ">b</COREF>', [["A", "b"]]),
    "single quotes": ("<COREF ID='1'>A</COREF> <COREF ID = '2' REF = '1'>b</COREF>", [["A", "b"]]),
    "glued attributes": ('<COREF ID="1">A</COREF> <COREF ID="2"REF="1">b</COREF>', [["A", "b"]]),
    "a forgotten quote": ('<COREF ID="1>A</COREF> <COREF ID="2" REF=1>b</COREF>', [["A", "b"]]),
    "TYPE without REF": ('<COREF ID="1" TYPE="IDENT">A</COREF> b', [["A"]]),
    "stray tags": ('<p><COREF ID="1">A <ENAMEX TYPE="X">b</ENAMEX></COREF><br/>', [["A b"]]),
    "bare ampersand and angle": ('<COREF ID="1">AT&T</COREF> < 3 > 2 &MD; x', [["AT & T"]]),
    "references": ('<COREF ID="1">R&amp;D &#65;</COREF>', [["R & D A"]]),
    "a link to itself": ('<COREF ID="1" REF="1">A</COREF>', [["A"]]),
    "a circle": ('<COREF ID="1" REF="2">A</COREF> <COREF ID="2" REF="1">b</COREF>', [["A", "b"]]),
    "inside a word": ('pro-<COREF ID="1">Lund</COREF>ish', [["Lund"]]),
    "over a line": ('<COREF ID="1">the\nking</COREF>', [["the king"]]),
}


@pytest.mark.parametrize("sample", SAMPLES)
def test_sgml_is_read_as_it_comes(sample):
    text, expected = SAMPLES[sample]
    corpus = read(FORM, text)
    assert chains(corpus) == expected
    assert_stable(FORM, corpus)


@pytest.mark.parametrize(
    ("minimum", "found"), [("king", 3), ("the old  king", 1), ("Ann", 6), ("the old king of Ann", 1), ("son", 0)]
)
def test_minimum_is_found_outside_nested_mentions_first(minimum, found):
    text = f'<COREF ID="1" MIN="{minimum}">son of <COREF ID="2">the king</COREF>, the old king of Ann</COREF>'
    corpus = read(FORM, text)
    assert corpus.mentions.minimum is not None
    words = list(corpus.tokens.words)
    start = corpus.mentions.minimum.of(0)[0][0]
    expected = {"king": 7, "the old  king": 5, "Ann": 9, "the old king of Ann": 5, "son": 0}
    assert words[start] in minimum
    assert start == expected[minimum]
    assert found >= 0


def test_links_of_other_types_are_bridging_not_identity():
    corpus = read(FORM, '<COREF ID="1">a car</COREF> <COREF ID="2" TYPE="PART" REF="1">door</COREF>')
    assert chains(corpus) == [["a car"], ["door"]]
    assert corpus.relations.bridging_label == ("PART",)
    assert corpus.relations.bridging_mention.tolist() == [0]


def test_several_documents_and_files_without_names():
    bare = "<DOC><TXT>One.</TXT></DOC>\n<DOC><TXT>Two.</TXT></DOC>\n"
    assert read(FORM, bare).documents.names == ("memory", "memory-2")
    corpus = read(FORM, DOCUMENT + DOCUMENT.replace("001 ", "002 "))
    assert corpus.documents.names == ("made-001", "made-002")
    assert len(corpus.chains) == 4


def test_latin_1_is_read_where_it_is_not_utf8():
    corpus = read(FORM, '<COREF ID="1">Café</COREF>'.encode("latin-1"))
    assert chains(corpus) == [["Café"]]


def test_key_and_response_have_the_same_tokens_whatever_is_annotated():
    key = '<COREF ID="1">Poe</COREF>\'s <COREF ID="2">Paris</COREF>-based cat'
    response = '<COREF ID="1">Poe\'s</COREF> Paris-based cat'
    assert list(read(FORM, key).tokens.words) == list(read(FORM, response).tokens.words)


FAULTS = {
    "closed, never opened": ("CB123", "a</COREF> b", 1),
    "opened, never closed": ("CB124", 'x\n<COREF ID="1">a b', 2),
    "open past its zone": ("CB124", '<HL><COREF ID="1">a</HL><TXT>b</COREF></TXT>', 1),
    "no ID": ("CB125", "<COREF>a</COREF>", 1),
    "empty ID": ("CB125", '<COREF ID="">a</COREF>', 1),
    "an ID twice": ("CB126", '<COREF ID="1">a</COREF>\n<COREF ID="1">b</COREF>', 2),
    "REF to nothing": ("CB115", '<COREF ID="1" REF="9">a</COREF>', 1),
    "MIN elsewhere": ("CB127", '<COREF ID="1" MIN="dog">a cat</COREF> dog', 1),
    "no words": ("CB129", '<COREF ID="1"> </COREF>', 1),
    "an empty tag": ("CB129", 'a <COREF ID="1"/> b', 1),
    "in a name": ("CB129", '<DOCID><COREF ID="1">n</COREF></DOCID> b', 1),
    "a name twice": ("CB109", "<DOC><DOCID>a</DOCID></DOC>\n<DOC><DOCID>a</DOCID></DOC>", 2),
    "DOC in DOC": ("CB107", "<DOC>a\n<DOC>b</DOC>", 2),
    "DOC left open": ("CB124", "<DOC>a", 1),
    "DOC closed twice": ("CB123", "<DOC>a</DOC></DOC>", 1),
    "text between": ("CB108", "<DOC>a</DOC> words <DOC>b</DOC>", 1),
    "text behind": ("CB108", "<DOC>a</DOC> words", 1),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_raised_with_its_line_or_repaired_and_reported(fault):
    corpus = assert_faulty(FORM, *FAULTS[fault])
    again = read(FORM, written(FORM, corpus))
    assert chains(again) == chains(corpus)


@pytest.mark.parametrize(
    ("code", "content"),
    [
        ("CB102", b""),
        ("CB102", b" \n"),
        ("CB122", b'<COREF ID="1">' * 201 + b"a" + b"</COREF>" * 201),
        ("CB103", '<COREF ID="1">a</COREF>'.encode("utf-16")),
        ("CB103", b'<?xml version="1.0" encoding="utf-7"?><COREF ID="1">a</COREF>'),
    ],
)
def test_what_cannot_be_read_is_refused(code, content):
    with pytest.raises(FormatError) as caught:
        read_leniently(FORM, content)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("head", "sure"),
    [
        (DOCUMENT, 0.95),
        ('<COREF ID="1">a</COREF>', 0.7),
        ('<COREF ID="1">a</COREF> <COREF ID="1">b</COREF>', 0),
        ('<DOC DOCNO="x"><TEXT PARTNO="000">', 0),
        ('<S><w ID=0>a</w><COREF ID="1" REF="2">', 0),
        ("#begin document (a); part 000\n", 0),
        ('{"sentences": []}', 0),
        ("<p>Just a page.</p>", 0),
    ],
)
def test_the_format_recognises_itself(head, sure):
    assert FORM.recognises(head.encode()) == sure


@given(corpora(FORM.card.holds, same_span=True))
def test_what_is_written_is_read_again(corpus):
    if not len(corpus):
        return
    text = written(FORM, corpus)
    again = read(FORM, text)
    assert told(again, FORM.card.holds) == told(corpus, FORM.card.holds)
    assert written(FORM, again) == text


@given(st.text("<>COREFIDcoref /=\"'&;#1 \n-!s", max_size=60))
def test_no_text_makes_it_stumble(text):
    if text.strip():
        corpus, _ = read_leniently(FORM, text)
        assert not len(corpus) or chains(read(FORM, written(FORM, corpus))) == chains(corpus)


def test_of_two_mentions_that_cross_the_earlier_is_written():
    build = CorpusBuilder("made")
    build.begin_document("d")
    build.sentence(list("abcd"))
    for label, span in enumerate([(0, 2), (1, 3), (1, 2)]):
        build.mention(str(label), [span])
    assert chains(read(FORM, written(FORM, build.finish()))) == [["a b"], ["b"]]


def test_a_corpus_without_words_is_not_written():
    with pytest.raises(UsageError):
        written(FORM, read(FORM, DOCUMENT, words=False))


PIECES = st.one_of(
    st.sampled_from(['<COREF ID="1">', '<COREF ID="2" REF="1">', "</COREF>", "<coref id=3>", "<P>"]),
    st.sampled_from(["<TXT>", "</TXT>", "<HL>", "<DOCID>", "</DOCID>", TOKENIZED_REMARK, "<!-- a", "-->", ">"]),
    st.sampled_from(["<x a='>'>", '<COREF ID="&lt;" ID="4"/>', "<", '"', "&amp;", " a", "it's ", "\n"]),
)


@given(st.text(" \nab\té", max_size=20), st.sets(st.integers(0, 20)))
def test_words_between_blanks_break_where_they_must(text: str, breaks: set[int]) -> None:
    edges = sorted(edge for edge in breaks if edge <= len(text))
    pieces = [text[a:b] for a, b in itertools.pairwise([0, *edges, len(text)])]
    words = [[word for word in re.split("[ \n]+", piece) if word] for piece in pieces]
    rows, before = blank_words(text, edges)
    assert [word for row in rows for word in row] == [word for some in words for word in some]
    assert before == {edge: sum(map(len, words[: n + 1])) for n, edge in enumerate(edges)}
    ends = [len(blank_words(line, [])[0][0]) for line in text.split("\n") if line.strip(" ")]
    if not edges:
        assert [len(row) for row in rows] == ends
