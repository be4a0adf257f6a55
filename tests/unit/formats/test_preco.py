"""PreCo: the sample documents, paragraphs, inclusive ends, round trips and faults."""

import json
from typing import Any

import pytest
from hypothesis import given

from corefbench.errors import FormatError, UsageError
from corefbench.formats import preco
from corefbench.formats.jsonlines import JsonLines
from corefbench.formats.preco import PreCo
from tests.data import data
from tests.unit.formats.annotated_corpora import corpora, facts
from tests.unit.formats.roundtrip import contents, read, read_leniently, written

FORM = PreCo()
SAMPLE = {
    "id": "dev_00007",
    "sentences": [["Ann", "saw", "her", "dog", "."], [" "], ["It", "barked", "."]],
    "mention_clusters": [[[0, 0, 1], [0, 2, 3]], [[0, 2, 4], [2, 0, 1]], [[2, 1, 2]]],
}


def text(**changes: object) -> str:
    return json.dumps({k: v for k, v in (SAMPLE | changes).items() if v is not None}) + "\n"


def test_spans_count_within_their_sentence_and_paragraphs_are_no_words():
    corpus = read(FORM, text())
    assert list(corpus.tokens.words) == ["Ann", "saw", "her", "dog", ".", "It", "barked", "."]
    assert corpus.tokens.sentences.tolist() == [0, 5]
    assert corpus[0].clusters() == [[(0, 1), (2, 3)], [(2, 4), (5, 6)], [(6, 7)]]
    assert corpus.documents.labels() == ("dev_00007",)


@pytest.mark.parametrize("number", [0, 1, 2])
def test_the_sample_documents_are_read_exactly(number):
    line = (data("preco-sample") / "preco.jsonl").read_text("utf-8").splitlines()[number]
    given = json.loads(line)
    corpus = read(FORM, line)
    kept = [words for words in given["sentences"] if words != [" "]]
    assert list(corpus.tokens.words) == [word for words in kept for word in words]
    assert len(corpus.tokens.sentences) == len(kept)
    mentions = [m.text for chain in corpus[0].chains for m in sorted(chain.mentions, key=place)]
    assert mentions == [
        " ".join(given["sentences"][s][a:b])
        for cluster in given["mention_clusters"]
        for s, a, b in sorted(cluster, key=lambda spot: (spot[0], spot[1], -spot[2]))
    ]


def place(mention):
    return mention.start, -mention.end


def test_the_sample_has_347_mentions_in_225_chains_of_which_182_are_singletons():
    corpus = read(FORM, (data("preco-sample") / "preco.jsonl").read_bytes())
    sizes = corpus.chain_sizes()
    assert (len(corpus.mentions), len(corpus.chains), (sizes == 1).sum()) == (347, 225, 182)


def test_inclusive_ends_are_noticed_anywhere_in_the_file_and_reported():
    first = text(mention_clusters=[[[0, 2, 3]]])
    corpus, heard = read_leniently(FORM, first + text(mention_clusters=[[[2, 0, 0]]]))
    assert [document.clusters() for document in corpus] == [[[(2, 4)]], [[(5, 6)]]]
    assert [(f.code, f.severity, f.place.line) for f in heard] == [("CB135", "warning", 2)]


def test_ends_can_be_said():
    lines = text(mention_clusters=[[[0, 2, 3]]])
    assert read(PreCo("inclusive"), lines)[0].clusters() == [[(2, 4)]]
    assert read(PreCo("exclusive"), lines)[0].clusters() == [[(2, 3)]]
    assert b"[[[0,2,3]]]" in written(PreCo("inclusive"), read(PreCo("inclusive"), lines))
    with pytest.raises(UsageError):
        PreCo("open")


def test_it_recognises_itself_and_not_jsonlines():
    assert FORM.recognises(text().encode()) == 0.95
    assert FORM.recognises(b'{"doc_key": "d", "sentences": [["a"]], "clusters": []}') == 0
    assert FORM.recognises(b"#begin document (a); part 000\n") == 0
    assert JsonLines().recognises(text().encode()) == 0


def test_a_mention_across_sentences_is_not_written_and_a_blank_stays_a_word():
    from corefbench.corpus.builder import CorpusBuilder

    build = CorpusBuilder("made")
    build.begin_document("d")
    build.sentence(["a", "b"])
    build.sentence([" "])
    for span in ((0, 1), (1, 3), (2, 3)):
        build.mention("1", [span])
    again = read(FORM, written(FORM, build.finish()))
    assert again[0].clusters() == [[(0, 1), (2, 3)]]
    assert len(again.tokens) == 3


REFUSED = {
    "not JSON": ("CB111", "{]\n"),
    "no clusters": ("CB111", text(mention_clusters=None)),
    "no sentences": ("CB111", text(sentences=None)),
    "no id": ("CB111", text(id=None)),
    "sentences of another shape": ("CB111", text(sentences="a b")),
    "a span of two": ("CB111", text(mention_clusters=[[[0, 1]]])),
    "a span of text": ("CB111", text(mention_clusters=[[["a", "b", "c"]]])),
    "a list": ("CB111", "[1, 2]\n"),
    "not UTF-8": ("CB103", text().encode().replace(b"Ann", b"\xff\xfe\xfd")),
}


@pytest.mark.parametrize("fault", REFUSED)
def test_a_line_of_another_shape_is_refused_with_its_number(fault):
    code, line = REFUSED[fault]
    line = line.encode() if isinstance(line, str) else line
    with pytest.raises(FormatError) as caught:
        read_leniently(FORM, text().encode() + b"\n" + line)
    assert (caught.value.code, caught.value.place.line) == (code, 3)


REPAIRED = {
    "a sentence that is not there": ("CB112", [[0, 0, 1], [9, 0, 1]]),
    "a negative sentence": ("CB112", [[0, 0, 1], [-1, 0, 1]]),
    "a span past the end of its sentence": ("CB112", [[0, 0, 1], [0, 4, 6]]),
    "a span turned round": ("CB112", [[0, 3, 1], [0, 0, 1]]),
    "a negative begin": ("CB112", [[0, -1, 1], [0, 0, 1]]),
    "a span in a paragraph mark": ("CB112", [[1, 0, 1], [0, 0, 1]]),
}


@pytest.mark.parametrize("fault", REPAIRED)
def test_a_fault_is_raised_with_its_line_or_repaired_and_reported(fault):
    code, cluster = REPAIRED[fault]
    lines = text() + text(mention_clusters=[cluster])
    with pytest.raises(FormatError) as caught:
        read(FORM, lines)
    assert (caught.value.code, caught.value.place.line) == (code, 2)
    corpus, heard = read_leniently(FORM, lines)
    assert [(f.code, f.severity, f.place.line) for f in heard] == [(code, "repair", 2)]
    assert corpus[1].clusters() == [[(0, 1)]]


def test_a_repeated_mention_is_kept_or_when_lenient_left_out_and_reported():
    lines = text(mention_clusters=[[[0, 0, 1], [0, 0, 1]]])
    assert read(FORM, lines)[0].clusters() == [[(0, 1), (0, 1)]]
    corpus, heard = read_leniently(FORM, lines)
    assert corpus[0].clusters() == [[(0, 1)]]
    assert [(f.code, f.severity) for f in heard] == [("CB113", "repair")]


def test_small_blocks_and_a_byte_order_mark_change_nothing():
    lines = "".join(text(id=f"d{n}") for n in range(9))
    assert contents(read(FORM, lines, block_bytes=50)) == contents(read(FORM, lines))
    assert contents(read(FORM, b"\xef\xbb\xbf" + lines.encode())) == contents(read(FORM, lines))


@given(corpora(FORM.card.holds))
def test_what_is_written_is_read_again(corpus):
    within = written(FORM, corpus)
    again = read(FORM, within)
    crossing = {
        (m.start, m.end)
        for document in corpus
        for m in document.mentions
        if not any(a <= m.start and m.end <= b for a, b in document.sentences)
    }
    if not crossing:
        assert facts(again) == facts(corpus)
    assert written(FORM, again) == within


PRECO = {
    "id": "d",
    "sentences": [["Ann", "saw", "her", "dog"], [" "], [], ["It", "barked"]],
    "mention_clusters": [[[0, 0, 1], [0, 2, 3]], [[0, 2, 4], [3, 0, 1]]],
}


@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": ")])
@pytest.mark.parametrize("ends", ["", "exclusive", "inclusive"])
@pytest.mark.parametrize(
    "clusters",
    [
        PRECO["mention_clusters"],
        [],
        [[]],
        [[[0, 0, 1]], [], [[3, 1, 2]]],
        [[[0, 0, 0]]],
        [[[0, 3, 4], [0, 3, 4]]],
        [[[1, 0, 1]]],
        [[[4, 0, 1]]],
        [[[3, 0, 3]]],
        [[[0, -1, 1]]],
        [[[0, 2, 1]]],
        [[[0, 0, 1 << 31]]],
        [[[0, 0, 1 << 70]]],
        [[[0, 0]]],
        [[[0, 0, 1.0]]],
        [[0, 0, 1]],
        [[["0", 0, 1]]],
        7,
        None,
    ],
)  # fmt: skip
def test_plain_clusters_of_preco_are_what_they_are_one_by_one(
    clusters: object, ends: Any, separators: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [PRECO, PRECO | {"id": "e", "mention_clusters": clusters}, PRECO | {"id": "f"}]
    text = "\n".join(json.dumps(line, separators=separators) for line in lines)

    def tried() -> object:
        try:
            return contents(read(PreCo(ends), text))
        except FormatError as error:
            return str(error)

    at_once = tried()
    monkeypatch.setattr(preco, "_add_columnar", lambda build, lines, past: False)
    monkeypatch.setattr(preco, "parse_spans", lambda documents: None)
    assert at_once == tried()
