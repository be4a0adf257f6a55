"""OntoNotes .coref: chains by ID, appositions, traces, parts, faults and round trips."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.errors import FormatError, UsageError
from corefbench.formats.muc import MUC
from corefbench.formats.ontonotes import OntoNotes
from tests.unit.formats.nested_corpora import corpora, told
from tests.unit.formats.roundtrip import assert_faulty, assert_stable, read, read_leniently, written

FORM = OntoNotes()
SAMPLE = """<DOC DOCNO="wb/made/00/made_0001@0001@made@wb@en@on">
<TEXT PARTNO="000">
<COREF ID="12" TYPE="IDENT"><COREF ID="3" TYPE="APPOS" SUBTYPE="HEAD">Ada</COREF> , <COREF ID="3"
TYPE="APPOS" SUBTYPE="ATTRIB">the countess</COREF></COREF> , wants *PRO*-1 to write .
<COREF ID="12" TYPE="IDENT">She</COREF> did .
</TEXT>
<TEXT PARTNO="001">
<COREF ID="12" TYPE="IDENT" SPEAKER="Ada">I</COREF> know <COREF ID="12">myself</COREF> .
</TEXT>
</DOC>
"""


def chains(corpus: Corpus) -> list[dict[str, list[str]]]:
    return [{c.label: [m.text for m in c.mentions] for c in document.chains} for document in corpus]


def test_an_id_is_that_of_a_chain_within_its_part():
    # A tag may be broken over lines, and the words go on in the same sentence.
    assert chains(read(FORM, SAMPLE)) == [
        {"12": ["Ada , the countess", "She"], "3": ["Ada", "the countess"]},
        {"12": ["I", "myself"]},
    ]


def test_names_parts_types_and_further_attributes_are_kept():
    corpus = read(FORM, SAMPLE)
    assert corpus.documents.labels() == ("wb/made/00/made_0001_0", "wb/made/00/made_0001_1")
    assert corpus.documents.columns["DOCNO"][0].endswith("@0001@made@wb@en@on")
    assert list(corpus.mentions.columns["type"])[:4] == ["", "APPOS", "APPOS", ""]
    assert list(corpus.mentions.columns["subtype"])[:4] == ["", "HEAD", "ATTRIB", ""]
    assert "Ada" in list(corpus.mentions.columns["SPEAKER"])


def test_traces_are_empty_nodes_and_the_sample_is_stable():
    corpus = read(FORM, SAMPLE)
    words = list(corpus.tokens.words)
    assert [w for w, empty in zip(words, corpus.tokens.empty, strict=True) if empty] == ["*PRO*-1"]
    assert_stable(FORM, corpus)


def test_appositions_can_be_left_out_as_the_shared_tasks_did():
    assert chains(read(OntoNotes(appositions=False), SAMPLE))[0] == {"12": ["Ada , the countess", "She"]}


def test_an_id_of_an_apposition_and_of_a_chain_makes_two_chains():
    text = '<COREF ID="1">a</COREF> <COREF ID="1" TYPE="APPOS">b</COREF> <COREF ID="1">c</COREF>'
    assert chains(read(FORM, text)) == [{"1": ["a", "c"], "1-APPOS": ["b"]}]


def test_a_file_without_document_tags_is_one_document():
    corpus = read(FORM, "Yes .\n<coref id=e1>He</coref> left .")
    assert corpus.documents.names == ("memory",)
    assert corpus.tokens.sentences.tolist() == [0, 2]
    assert chains(corpus) == [{"e1": ["He"]}]


FAULTS = {
    "closed, never opened": ("CB123", "a\n</COREF> b", 2),
    "opened, never closed": ("CB124", 'x\n<COREF ID="1">a b', 2),
    "open past its text": ("CB124", '<TEXT><COREF ID="1">a</TEXT><TEXT>b</COREF></TEXT>', 1),
    "no ID": ("CB125", "<COREF>a</COREF>", 1),
    "empty ID": ("CB125", '<COREF ID="">a</COREF>', 1),
    "blank ID": ("CB125", '<COREF ID="  " TYPE="IDENT">a</COREF>', 1),
    "no words": ("CB129", '<COREF ID="1"> </COREF>', 1),
    "an empty tag": ("CB129", 'a <COREF ID="1"/> b', 1),
    "a part twice": ("CB109", "<TEXT PARTNO=1>a</TEXT>\n<TEXT PARTNO=1>b</TEXT>", 2),
    "a document twice": ("CB109", '<DOC DOCNO="a">x</DOC>\n<DOC DOCNO="a">x</DOC>', 1),
    "a part that is no number": ("CB125", '<TEXT PARTNO="x">a</TEXT>', 1),
    "a part beyond numbers": ("CB125", '<TEXT PARTNO="99999999999">a</TEXT>', 1),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_raised_with_its_line_or_repaired_and_reported(fault):
    corpus = assert_faulty(FORM, *FAULTS[fault])
    if len(corpus):
        assert_stable(FORM, corpus)


@pytest.mark.parametrize(
    ("code", "content"),
    [
        ("CB102", b""),
        ("CB103", b'<COREF ID="1">caf\xe9</COREF>'),
        ("CB103", '<COREF ID="1">a</COREF>'.encode("utf-16")),
    ],
)
def test_what_cannot_be_read_is_refused(code, content):
    with pytest.raises(FormatError) as caught:
        read_leniently(FORM, content)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("head", "sure"),
    [
        (SAMPLE, 0.95),
        ('<COREF ID="1">a</COREF> <COREF ID="1">b</COREF>', 0.95),
        ('<COREF ID="1">a</COREF> <COREF ID="2">b</COREF>', 0),
        ('<COREF ID="1">a</COREF> <COREF ID="1" REF="1">b</COREF>', 0),
        ('<S><w ID=0>a</w><COREF ID="1"></COREF><COREF ID="1">', 0),
        ("#begin document (a); part 000\n", 0),
    ],
)
def test_muc_and_ontonotes_are_told_apart(head, sure):
    assert FORM.recognises(head.encode()) == sure
    assert not (sure and MUC().recognises(head.encode()))


@given(corpora(FORM.card.holds, same_span=True))
def test_what_is_written_is_read_again(corpus):
    if not len(corpus):
        return
    text = written(FORM, corpus)
    again = read(FORM, text)
    assert told(again, FORM.card.holds) == told(corpus, FORM.card.holds)
    assert [sorted(c.label for c in d.chains) for d in again] == [sorted(c.label for c in d.chains) for d in corpus]
    assert written(FORM, again) == text


@given(st.text("<>COREFIDcoref /=\"'&;#1 \n-!s*T", max_size=60))
def test_no_text_makes_it_stumble(text):
    if text.strip():
        corpus, _ = read_leniently(FORM, text)
        assert not len(corpus) or chains(read(FORM, written(FORM, corpus))) == chains(corpus)


def test_a_chain_that_is_only_partly_appositive_stays_one_chain():
    build = CorpusBuilder("made")
    build.begin_document("d")
    build.sentence(["a", "b"])
    build.mention("1", [(0, 1)], columns={"type": "APPOS"})
    build.mention("1", [(1, 2)])
    assert chains(read(FORM, written(FORM, build.finish()))) == [{"1": ["a", "b"]}]


def test_a_corpus_without_words_is_not_written():
    with pytest.raises(UsageError):
        written(FORM, read(FORM, SAMPLE, words=False))
