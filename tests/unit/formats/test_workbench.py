"""Workbench XML: the paper's printed example, well-formed writing, faults and round trips."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.errors import FormatError, UsageError
from corefbench.formats.common.xml import parse
from corefbench.formats.load import load
from corefbench.formats.workbench import Workbench
from tests.unit.formats.nested_corpora import corpora, told
from tests.unit.formats.roundtrip import assert_faulty, assert_stable, read, read_leniently, written

FORM = Workbench()

# The form of example 2 of Barbu & Mitkov (2001) on other words, with all its oddities: numbers
# without quotes, blanks inside words, tags opened in capitals and closed in small letters, a wrong
# SENT at the end.
PRINTED = """<P><S><w ID=0 SENT=0 PAR=1 LEMMA="that" DEP="2"
GFUN="SUBJ" POS="PRON" NR="SG">That</w><w ID=1
SENT=0 PAR=1 LEMMA="be" DEP="0" GFUN="+FMAINV"
POS="V"> is </w><COREF ID="ref1"><NP> <w ID=2
SENT=0 PAR=1 LEMMA="a" DEP="5" GFUN="DN" POS="DET"
NR="SG">a </w> <w ID=3 SENT=0 PAR=1 LEMMA="stone"
DEP="5" GFUN="A" POS="N" NR="SG">stone</w><w ID=4
SENT=0 PAR=1 LEMMA="bridge" DEP="2" GFUN="PCOMPL"
POS="N" NR="SG">bridge</w> </NP></COREF><w ID=5
SENT=0 PAR=1 LEMMA="." POS="PUNCT">.</w> </s>
<s><COREF ID="ref2" REF="ref1"><NP><w ID=0 SENT=1
PAR=1 LEMMA="it" DEP="2" GFUN="SUBJ" POS="PRON"> It
</w></NP></COREF> <w ID=1 SENT=1 PAR=1 LEMMA="be"
DEP="3" GFUN="+FAUXV" POS="V">was </w><w ID=2 SENT=1
PAR=1 LEMMA="build" DEP="0" GFUN="-FMAINV" POS="EN">
built</w><w ID=3 SENT=1 PAR=1 LEMMA="for" DEP="3"
GFUN="ADVL" POS="PREP">for</w> <NP><w ID=4 SENT=1
PAR=1 LEMMA="trade" DEP="4" GFUN="PCOMP"
POS="N"> trade</w></NP> <w ID=5 SENT=0 PAR=1
LEMMA="." POS="PUNCT">.</w></s></p>
"""


def chains(corpus: Corpus) -> list[list[str]]:
    return [[m.text for m in chain.mentions] for document in corpus for chain in document.chains]


def test_the_printed_example_is_read():
    corpus = read(FORM, PRINTED)
    document = corpus[0]
    assert " ".join(document.words) == "That is a stone bridge . It was built for trade ."
    assert document.sentences == [(0, 6), (6, 12)]
    assert chains(corpus) == [["a stone bridge", "It"]]
    columns = {name: list(values) for name, values in corpus.tokens.columns.items()}
    assert columns["dep"] == ["2", "0", "5", "5", "2", "", "2", "3", "0", "3", "4", ""]
    assert columns["gfun"][:5] == ["SUBJ", "+FMAINV", "DN", "A", "PCOMPL"]
    assert columns["lemma"][7] == "be"
    assert columns["nr"] == ["SG", "", "SG", "SG", "SG", "", "", "", "", "", "", ""]
    assert columns["np"] == ["*", "*", "(*", "*", "*)", "*", "(*)", "*", "*", "*", "(*)", "*"]
    assert "par" not in columns


def test_every_dependency_of_the_example_counts_from_one():
    corpus = read(FORM, PRINTED)
    heads = [int(d) for d in corpus.tokens.columns["dep"] if d]
    words = corpus[0].words
    assert words[heads[0] - 1] == "is"
    assert words[heads[2] - 1] == "bridge"
    assert words[6 + heads[5] - 1] == "was"


def test_what_is_written_is_well_formed_and_stable():
    corpus = read(FORM, PRINTED)
    assert_stable(FORM, corpus)
    root = parse(written(FORM, corpus), "written")
    assert root.tag == "TEXT"
    assert [w.get("ID") for w in root.iter("w")][5:8] == ["5", "0", "1"]
    assert [w.get("SENT") for w in root.iter("w")][-1] == "1"


def test_the_printed_form_can_be_imitated():
    text = written(Workbench(strict_sample=True), read(FORM, PRINTED)).decode()
    assert text.startswith('<P><S><w ID=0 SENT=0 PAR=1 LEMMA="that" DEP="2" GFUN="SUBJ"')
    assert "</s>\n" in text
    assert text.endswith("</s></p>\n")
    assert told(read(FORM, text), FORM.card.holds) == told(read(FORM, PRINTED), FORM.card.holds)
    with pytest.raises(UsageError):
        written(Workbench(strict_sample=True), read(FORM, "<TEXT/><TEXT/><TEXT><w>a</w></TEXT>"))


def test_paragraphs_are_kept_where_there_are_several():
    text = "<P><S><w PAR=1>a</w></S></P><P><S><w PAR=2>b</w></S><S><w PAR=2>c</w></S></P>"
    corpus = read(FORM, text)
    assert list(corpus.tokens.columns["par"]) == ["1", "2", "2"]
    assert written(FORM, corpus).count(b"<P>") == 2
    assert_stable(FORM, corpus)


def test_without_sentence_tags_the_numbers_divide_sentences():
    corpus = read(FORM, "<w SENT=0>a</w><w SENT=0>b</w><w SENT=1>c</w>")
    assert corpus.tokens.sentences.tolist() == [0, 2]


def test_mentions_win_over_noun_phrases_that_cross_them():
    build = CorpusBuilder("made")
    build.begin_document("d")
    build.sentence(list("abc"), columns={"np": ["(*", "*)", "*"]})
    build.mention("1", [(1, 3)])
    again = read(FORM, written(FORM, build.finish()))
    assert chains(again) == [["b c"]]
    assert list(again.tokens.columns["np"]) == ["*", "(*", "*)"]


FAULTS = {
    "a word closed twice": ("CB123", "<w LEMMA=a>a</w>\n</w>", 2),
    "a word left open": ("CB124", "<w LEMMA=a>a\n<w>b</w>", 1),
    "the last word left open": ("CB124", "<w>a</w>\n<w>b", 2),
    "text outside words": ("CB108", "<w>a</w>\nb", 1),
    "a mention closed twice": ("CB123", "<w>a</w>\n</COREF>", 2),
    "a mention left open": ("CB124", "<COREF ID=1><w>a</w>", 1),
    "a phrase left open": ("CB124", "<NP><w>a</w>", 1),
    "a phrase closed twice": ("CB123", "<w>a</w></NP>", 1),
    "a mention without words": ("CB129", "<COREF ID=1></COREF><w>a</w>", 1),
    "a phrase without words": ("CB129", "<NP/><w>a</w>", 1),
    "no ID": ("CB125", "<COREF><w>a</w></COREF>", 1),
    "an ID twice": ("CB126", "<COREF ID=1><w>a</w></COREF><COREF ID=1><w>b</w></COREF>", 1),
    "REF to nothing": ("CB115", "<COREF ID=1 REF=7><w>a</w></COREF>", 1),
    "a part that is no number": ("CB125", "<TEXT PART=x><w>a</w></TEXT>", 1),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_raised_with_its_line_or_repaired_and_reported(fault):
    corpus = assert_faulty(FORM, *FAULTS[fault])
    assert chains(read(FORM, written(FORM, corpus))) == chains(corpus)


@pytest.mark.parametrize(
    ("code", "content"), [("CB102", b""), ("CB101", b"<P><S></S></P>"), ("CB103", "<w>a</w>".encode("utf-16"))]
)
def test_what_cannot_be_read_is_refused(code, content):
    with pytest.raises(FormatError) as caught:
        read_leniently(FORM, content)
    assert caught.value.code == code


def test_the_format_recognises_itself():
    assert FORM.recognises(PRINTED.encode()) == 0.95
    assert FORM.recognises(b'<words><word id="word_1">a</word></words>') == 0
    assert FORM.recognises(b'<COREF ID="1">a</COREF>') == 0
    assert FORM.recognises(b"#begin document (a); part 000\n") == 0


@given(corpora(FORM.card.holds, same_span=True))
def test_what_is_written_is_read_again_and_well_formed(corpus):
    if not len(corpus):
        return
    text = written(FORM, corpus)
    parse(text, "written")
    again = read(FORM, text)
    assert told(again, FORM.card.holds) == told(corpus, FORM.card.holds)
    assert written(FORM, again) == text


@given(st.lists(st.sampled_from(["SUBJ", "", '"<&', " x "]), min_size=1, max_size=5))
def test_token_columns_come_back(values):
    build = CorpusBuilder("made")
    build.begin_document("d")
    build.sentence(["w"] * len(values), columns={"gfun": values, "speaker": values})
    again = read(FORM, written(FORM, build.finish()))
    for name in ("gfun", "speaker"):
        assert list(again.tokens.columns.get(name, [""] * len(values))) == values


@given(st.text("<>wCOREFNPS /=\"'&;#1 \n-!ID", max_size=60))
def test_no_text_makes_it_stumble(text):
    corpus, _ = read_leniently(FORM, "<w>a</w>" + text)
    assert chains(read(FORM, written(FORM, corpus))) == chains(corpus)


def test_prepositions_and_copulas_of_universal_dependencies_govern():
    rows = [  # word, tag, governor, relation
        ("She", "PRON", 4, "nsubj"), ("was", "AUX", 4, "cop"), ("the", "DET", 4, "det"), ("head", "NOUN", 0, "root"),
        ("of", "ADP", 6, "case"), ("Rome", "PROPN", 4, "nmod"), ("and", "CCONJ", 8, "cc"), ("Bonn", "PROPN", 6, "conj"),
    ]  # fmt: skip
    lines = [f"{n}\t{w}\t{w}\t{tag}\t_\t_\t{h}\t{r}\t_\t_" for n, (w, tag, h, r) in enumerate(rows, 1)]
    stream = io.BytesIO()
    Workbench().write(load(("# newdoc id = d\n" + "\n".join(lines) + "\n\n").encode(), format="corefud"), stream)
    columns = load(stream.getvalue(), format="workbench").tokens.columns
    assert [*columns["dep"]] == ["2", "0", "4", "2", "4", "5", "8", "6"]
    assert [*columns["gfun"]] == ["SUBJ", "+FMAINV", "DN", "PCOMPL", "ADVL", "PCOMP", "CC", "ADVL"]
    assert [*columns["pos"]] == ["PRON", "V", "DET", "N", "PREP", "N", "CC", "N"]
