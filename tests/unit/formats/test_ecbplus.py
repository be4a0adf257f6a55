"""ECB+: the published counts, curated sentences, round trips and faults."""

from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given

from corefbench.corpus.combine import concatenate
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.scope import apply_scope
from corefbench.diagnostics import Finding, Strictness
from corefbench.errors import FormatError, UsageError
from corefbench.formats.base import FolderFormat, Reading
from corefbench.formats.ecbplus import EcbPlus
from corefbench.formats.source import Source
from tests.data import data
from tests.unit.formats.annotated_corpora import corpora, facts
from tests.unit.formats.roundtrip import contents, read, read_leniently, written

FORM = EcbPlus(curated=False)
LIST = "ECBplus_coreference_sentences.csv"
TOKENS = "".join(
    f'<token t_id="{n}" sentence="{(n - 1) // 4}" number="{(n - 1) % 4}">w{n}</token>\n' for n in range(1, 13)
)
MARKABLES = """<ACTION_OCCURRENCE m_id="3">
<token_anchor t_id="7"/><token_anchor t_id="5"/></ACTION_OCCURRENCE>
<NEG_ACTION_STATE m_id="4" note="byCROMER"><token_anchor t_id="2"/></NEG_ACTION_STATE>
<HUMAN_PART_PER m_id="5"><token_anchor t_id="1"/></HUMAN_PART_PER>
<LOC_GEO m_id="6"><token_anchor t_id="9"/><token_anchor t_id="10"/></LOC_GEO>
<ACTION_OCCURRENCE m_id="9" RELATED_TO="" TAG_DESCRIPTOR="t1_fire" instance_id="ACT77"/>
"""
RELATIONS = """<CROSS_DOC_COREF r_id="11" note="ACT77">
<source m_id="3"/><source m_id="4"/><target m_id="9"/></CROSS_DOC_COREF>
<INTRA_DOC_COREF r_id="12"><source m_id="5"/><target m_id="9"/></INTRA_DOC_COREF>
"""


def text(
    tokens: str = TOKENS, markables: str = MARKABLES, relations: str = RELATIONS, name: str = "36_2ecbplus.xml"
) -> str:
    return (
        f'<Document doc_name="{name}" doc_id="DOC1">\n{tokens}'
        f"<Markables>\n{markables}</Markables>\n"
        f"<Relations>\n{relations}</Relations>\n</Document>\n"
    )


def chains(corpus: Corpus, index: int = 0) -> dict[str, list[list[tuple[int, int]]]]:
    return {c.label: [m.parts for m in c.mentions] for c in corpus[index].chains}


def test_mentions_are_discontinuous_and_chains_bear_the_names_of_instances():
    corpus = read(FORM, text())
    assert chains(corpus) == {
        "ACT77": [[(1, 2)], [(4, 5), (6, 7)]],
        "36_2ecbplus:r12": [[(0, 1)]],
        "36_2ecbplus:m6": [[(8, 10)]],
    }
    assert corpus.documents.columns == {"topic": ("36",), "subtopic": ("36ecbplus",), "doc_id": ("DOC1",)}
    assert list(corpus.mentions.columns["kind"]) == ["entity", "event", "event", "entity"]
    assert corpus.tokens.sentences.tolist() == [0, 4, 8]


@pytest.mark.parametrize(("mentions", "count"), [("events", 2), ("entities", 2), ("both", 4)])
def test_mentions_can_be_chosen(mentions, count):
    assert len(read(EcbPlus(mentions, curated=False), text()).mentions) == count


def test_another_choice_is_refused():
    with pytest.raises(UsageError, match="no mentions"):
        EcbPlus("verbs")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A corpus as it is released: a list, and a folder of topics."""
    for name in ("36_2ecbplus", "36_10ecb", "7_1ecb"):
        place = tmp_path / "ECB+" / name.split("_")[0]
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{name}.xml").write_text(text(name=f"{name}.xml"), "utf-8")
    (tmp_path / LIST).write_text("Topic,File,Sentence Number\n36,2ecbplus,2 \n36,2ecbplus,0\n7,1ecb,1", "utf-8")
    (tmp_path / "README.txt").write_text("not a document", "utf-8")
    return tmp_path


def test_of_a_folder_the_documents_are_read_and_other_files_are_not(folder):
    assert isinstance(FORM, FolderFormat)
    names = [path.stem for path in FORM.documents_in(folder)]
    assert names == ["7_1ecb", "36_10ecb", "36_2ecbplus"]
    assert FORM.documents_in(folder / "ECB+" / "nothing") == []


def test_only_curated_sentences_are_read_and_documents_without_one_left_out(folder):
    corpus = concatenate("all", list(EcbPlus().read(Source.of(folder), Reading())))
    assert corpus.documents.names == ("7_1ecb", "36_2ecbplus")
    assert corpus[0].words == ["w5", "w6", "w7", "w8"]
    assert corpus[1].words == [f"w{n}" for n in (1, 2, 3, 4, 9, 10, 11, 12)]
    assert chains(corpus, 0) == {"ACT77": [[(0, 1), (2, 3)]]}
    assert chains(corpus, 1) == {"36_2ecbplus:r12": [[(0, 1)]], "ACT77": [[(1, 2)]], "36_2ecbplus:m6": [[(4, 6)]]}
    joined = apply_scope(corpus, "corpus")
    assert sorted(joined.chain_sizes().tolist()) == [1, 1, 2]


def test_written_curated_sentences_keep_their_numbers_so_that_the_list_still_fits(folder):
    path = folder / "ECB+" / "36" / "36_2ecbplus.xml"
    first = concatenate("x", list(EcbPlus().read(Source.of(path), Reading())))
    path.write_bytes(written(FORM, first))
    second = concatenate("x", list(EcbPlus().read(Source.of(path), Reading())))
    assert contents(second) == contents(first)


def test_without_a_list_all_is_read_and_that_is_said():
    corpus, heard = read_leniently(EcbPlus(), text())
    assert len(corpus.tokens) == 12
    assert [(f.code, f.severity) for f in heard] == [("CB134", "warning")]


@pytest.mark.parametrize("rows", ["", "36,2ecbplus\n", "36,2ecbplus,first\n"])
def test_a_broken_list_is_refused(tmp_path, rows):
    path = tmp_path / "list.csv"
    path.write_text("Topic,File,Sentence Number\n" + rows, "utf-8")
    with pytest.raises(FormatError) as caught:
        read(EcbPlus(sentences=path), text())
    assert caught.value.code == "CB134"


def test_a_list_that_is_not_there_is_refused(tmp_path):
    from corefbench.errors import DataError

    with pytest.raises(DataError) as caught:
        read(EcbPlus(sentences=tmp_path / "none.csv"), text())
    assert caught.value.code == "CB006"


DEV = {"2", "5", "12", "18", "21", "23", "34", "35"}
TEST = {str(topic) for topic in range(36, 46)}
SPLITS = ("train", "dev", "test")


def split(topic: str) -> str:
    return "dev" if topic in DEV else "test" if topic in TEST else "train"


@cache
def ecbplus(mentions: str) -> tuple[Corpus, tuple[Finding, ...]]:
    heard: list[Finding] = []
    reading = Reading(strictness=Strictness(report=heard.append))
    source = Source.of(data("ecbplus") / "ECB+")
    return concatenate("ecb+", list(EcbPlus(mentions).read(source, reading))), tuple(heard)


@pytest.mark.parametrize(
    ("kind", "mentions", "clusters", "singletons"),
    [
        ("events", (3808, 1245, 1780), (1527, 409, 805), (1116, 280, 623)),
        ("entities", (4758, 1476, 2055), (1286, 330, 608), (814, 205, 412)),
    ],
)
@pytest.mark.slow
def test_the_counts_of_the_splits_are_those_published(kind, mentions, clusters, singletons):
    corpus, heard = ecbplus(kind)
    assert heard == ()
    of = [split(topic) for topic in corpus.documents.columns["topic"]]
    sizes = {name: Counter() for name in SPLITS}
    for document, chain in zip(corpus.mentions.document, corpus.mentions.chain, strict=True):
        sizes[of[document]][corpus.chains.label(chain)] += 1
    assert tuple(sizes[name].total() for name in SPLITS) == mentions
    assert tuple(len(sizes[name]) for name in SPLITS) == clusters
    lone = [sum(size == 1 for size in sizes[name].values()) for name in SPLITS]
    assert tuple(lone) == singletons


def test_the_splits_have_574_196_and_206_documents_and_1037_346_and_457_sentences():
    corpus, _ = ecbplus("events")
    of = [split(topic) for topic in corpus.documents.columns["topic"]]
    assert tuple(of.count(name) for name in SPLITS) == (574, 196, 206)
    sentences = Counter()
    for document, name in zip(corpus, of, strict=True):
        sentences[name] += len(document.sentences)
    assert tuple(sentences[name] for name in SPLITS) == (1037, 346, 457)


def test_the_scope_of_the_corpus_joins_the_chains_of_the_test_topics():
    corpus, _ = ecbplus("events")
    wanted = [split(topic) == "test" for topic in corpus.documents.columns["topic"]]
    pieces = EcbPlus("events").documents_in(data("ecbplus"))
    test = [p for p in pieces if split(p.parent.name) == "test"]
    read_test = [c for p in test for c in EcbPlus("events").read(Source.of(p), Reading())]
    joined = apply_scope(concatenate("test", read_test), "corpus")
    assert len(read_test) == sum(wanted)
    assert (len(joined.mentions), len(joined.chains)) == (1780, 805)


def test_real_documents_are_stable(tmp_path):
    form = EcbPlus(curated=False)
    paths = form.documents_in(data("ecbplus") / "ECB+")[:20]
    corpus = concatenate("x", [c for p in paths for c in form.read(Source.of(p), Reading())])
    content = written(form, corpus)
    again = read(form, content)
    assert contents(again) == contents(corpus)
    assert written(form, again) == content
    form.write_folder(corpus, tmp_path)
    assert [p.name for p in form.documents_in(tmp_path)] == [p.name for p in paths]
    from_folder = concatenate("x", list(form.read(Source.of(tmp_path), Reading())))
    assert contents(from_folder) == contents(corpus)


REFUSED = {
    "a token without an id": ("CB125", text(tokens='<token sentence="0">a</token>')),
    "a token without a sentence": ("CB125", text(tokens='<token t_id="1">a</token>')),
    "a sentence that is no number": ("CB125", text(tokens='<token t_id="1" sentence="x">a</token>')),
    "sentences out of order": (
        "CB125",
        text(tokens='<token t_id="1" sentence="1">a</token><token t_id="2" sentence="0">b</token>'),
    ),
    "another root": ("CB132", "<TEI><token t_id='1'/></TEI>"),
    "unclosed": ("CB121", text()[:-20]),
    "a document type": ("CB119", "<!DOCTYPE Document SYSTEM 'x.dtd'>" + text()),
    "an entity": ("CB119", '<!DOCTYPE a [<!ENTITY e "x">]>' + text(tokens="&e;")),
    "nothing": ("CB102", " \n"),
    "UTF-16": ("CB103", text().encode("utf-16")),
    "not UTF-8": ("CB103", text().encode().replace(b"w5", b"\xff")),
    "not XML": ("CB121", "doc_name t_id"),
}


@pytest.mark.parametrize("fault", REFUSED)
def test_a_broken_file_is_refused(fault):
    code, content = REFUSED[fault]
    with pytest.raises(FormatError) as caught:
        read_leniently(FORM, content)
    assert caught.value.code == code


def cross(more: str, m_id: str) -> str:
    return f'<CROSS_DOC_COREF {more}><source m_id="{m_id}"/></CROSS_DOC_COREF>'


LOST = '<LOC m_id="1"><token_anchor t_id="99"/></LOC>'
AGAIN = '<INTRA_DOC_COREF r_id="12"><source m_id="6"/></INTRA_DOC_COREF>'
REPAIRED = {
    "an anchor to nothing": ("CB115", text(markables=LOST, relations="")),
    "a source that is nothing": ("CB115", text(relations=cross('note="A"', "99"))),
    "a token twice": ("CB126", text(tokens=TOKENS + '<token t_id="1" sentence="9">x</token>')),
    "a markable twice": ("CB126", text(markables=MARKABLES + '<LOC m_id="3"/>')),
    "a markable without an id": ("CB125", text(markables=MARKABLES + "<LOC/>")),
    "a mention in two relations": (
        "CB113",
        text(relations=RELATIONS + '<CROSS_DOC_COREF note="B"><source m_id="3"/></CROSS_DOC_COREF>'),
    ),
    "an instance without a name": ("CB125", text(relations=cross('r_id="1"', "3"))),
    "an r_id twice": (
        "CB126",
        text(relations=RELATIONS + '<INTRA_DOC_COREF r_id="12"><source m_id="6"/></INTRA_DOC_COREF>'),
    ),
}


@pytest.mark.parametrize("fault", REPAIRED)
def test_a_fault_is_raised_with_its_place_or_repaired_and_reported(fault):
    code, content = REPAIRED[fault]
    with pytest.raises(FormatError) as caught:
        read(FORM, content)
    assert caught.value.code == code
    assert caught.value.place.line
    assert caught.value.place.document == "36_2ecbplus"
    corpus, heard = read_leniently(FORM, content)
    assert [(f.code, f.severity) for f in heard] == [(code, "repair")]
    assert read(FORM, written(FORM, corpus)).documents.names == ("36_2ecbplus",)


def test_a_relation_without_a_note_is_named_by_its_instance():
    relation = '<CROSS_DOC_COREF r_id="1"><source m_id="3"/><target m_id="9"/></CROSS_DOC_COREF>'
    assert "ACT77" in chains(read(FORM, text(relations=relation)))


def test_it_recognises_itself():
    assert FORM.recognises(text().encode()) == 0.95
    assert FORM.recognises(b"<Corpus>\n" + text().encode()) == 0.95
    assert FORM.recognises(b"<Document><text>a</text></Document>") == 0
    assert FORM.recognises(b'{"doc_name": 1}') == 0


def test_a_corpus_without_words_is_not_written():
    with pytest.raises(UsageError, match="without its words"):
        written(FORM, read(FORM, text(), words=False))


@given(corpora(FORM.card.holds))
def test_what_is_written_is_read_again(corpus):
    content = written(FORM, corpus)
    again = read(FORM, content)
    keys = tuple(corpus.mentions.columns)
    assert facts(again, keys, labels=True) == facts(corpus, keys, labels=True)
    assert written(FORM, again) == content
