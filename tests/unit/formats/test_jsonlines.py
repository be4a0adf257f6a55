"""e2e jsonlines: worked samples, round trips and faults."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.errors import FormatError, UsageError
from corefbench.formats.base import Reading
from corefbench.formats.jsonlines import JsonLines
from corefbench.formats.source import Source
from tests.unit.formats.roundtrip import assert_stable, contents, read, read_leniently, written

FORM = JsonLines()
SAMPLE = {
    "doc_key": "bn/abc/00/abc_0010_1",
    "sentences": [["Ann", "saw", "her", "dog", "."], ["It", "barked", "."]],
    "speakers": [["A"] * 5, ["B"] * 3],
    "clusters": [[[0, 0], [2, 2]], [[2, 3], [5, 5]]],
    "ner": [[0, 0, "PERSON"]],
}


def text(**changes: object) -> str:
    return json.dumps({k: v for k, v in (SAMPLE | changes).items() if v is not None}) + "\n"


def clusters(corpus: Corpus) -> list[list[list[tuple[int, int]]]]:
    return [document.clusters() for document in corpus]


def test_inclusive_ends_become_half_open():
    assert clusters(read(FORM, text())) == [[[(0, 1), (2, 3)], [(2, 4), (5, 6)]]]


def test_words_sentences_and_speakers_are_kept():
    tokens = read(FORM, text()).tokens
    assert list(tokens.words)[5:] == ["It", "barked", "."]
    assert tokens.sentences.tolist() == [0, 5]
    assert list(tokens.columns["speaker"]) == ["A"] * 5 + ["B"] * 3
    assert read(FORM, text(), words=False).tokens.columns == {}


@pytest.mark.parametrize(
    ("key", "name", "part"),
    [
        ("bn/abc/00/abc_0010_1", "bn/abc/00/abc_0010", 1),
        ("wsj_0020", "wsj_0020", -1),
        ("litbank", "litbank", -1),
        ("d_0", "d", 0),
    ],
)
def test_the_key_ends_in_the_part(key, name, part):
    corpus = read(FORM, text(doc_key=key))
    assert (corpus.documents.names, corpus.documents.parts.tolist()) == ((name,), [part])
    assert corpus.documents.labels() == (key,)


def test_predicted_clusters_are_read_where_there_are_no_others_or_on_request():
    predicted = [[[1, 1], [4, 4]]]
    assert clusters(read(FORM, text(clusters=None, predicted_clusters=predicted))) == [[[(1, 2), (4, 5)]]]
    both = text(predicted_clusters=predicted)
    assert len(clusters(read(FORM, both))[0]) == 2
    chosen = JsonLines(field="predicted_clusters")
    assert clusters(read(chosen, both)) == [[[(1, 2), (4, 5)]]]
    assert b'"predicted_clusters":[[[1,1],[4,4]]]' in written(chosen, read(chosen, both))
    with pytest.raises(UsageError):
        JsonLines(field="ner")


def test_the_sample_is_stable():
    assert_stable(FORM, read(FORM, text() + text(doc_key="e", clusters=[], speakers=None)))


def test_small_blocks_give_the_same_corpus():
    lines = "".join(text(doc_key=f"d_{n}") for n in range(9))
    assert contents(read(FORM, lines, block_bytes=50)) == contents(read(FORM, lines))
    assert len(list(FORM.read(Source.of(lines.encode()), Reading(block_bytes=50)))) == 9


def test_the_format_recognises_itself():
    assert FORM.recognises(text().encode()) == 0.95
    assert FORM.recognises(b'{"sentences": [["a"]], "mention_clusters": []}') == 0
    assert FORM.recognises(b"#begin document (a); part 000\n") == 0


REFUSED = {
    "not JSON": ("CB111", "{]\n"),
    "another shape": ("CB111", '{"doc_key": "d", "sentences": "a b"}\n'),
    "no sentences": ("CB111", '{"doc_key": "d"}\n'),
    "a span of three": ("CB111", text(clusters=[[[0, 1, 2]]])),
}


@pytest.mark.parametrize("fault", REFUSED)
def test_a_line_of_another_shape_is_refused_with_its_number(fault):
    code, line = REFUSED[fault]
    with pytest.raises(FormatError) as caught:
        read_leniently(FORM, text() + "\n" + line)
    assert (caught.value.code, caught.value.place.line) == (code, 3)


def test_bytes_that_are_not_utf8_are_refused_with_their_line():
    with pytest.raises(FormatError) as caught:
        read(FORM, text().encode() + text().encode().replace(b"Ann", b"\xff\xfe\xfd"))
    assert (caught.value.code, caught.value.place.line) == ("CB103", 2)


REPAIRED = {
    "a span past the end": ("CB112", {"clusters": [[[0, 0], [7, 8]]]}, [(0, 1)]),
    "a span turned round": ("CB112", {"clusters": [[[3, 2], [0, 0]]]}, [(0, 1)]),
    "a negative span": ("CB112", {"clusters": [[[-1, 2], [0, 0]]]}, [(0, 1)]),
    "too few speakers": ("CB111", {"speakers": [["A"]], "clusters": [[[0, 0]]]}, [(0, 1)]),
}


@pytest.mark.parametrize("fault", REPAIRED)
def test_a_fault_is_raised_with_its_line_or_repaired_and_reported(fault):
    code, changes, left = REPAIRED[fault]
    lines = text(doc_key="first") + text(**changes)
    with pytest.raises(FormatError) as caught:
        read(FORM, lines)
    assert (caught.value.code, caught.value.place.line) == (code, 2)
    corpus, heard = read_leniently(FORM, lines)
    assert [(f.code, f.severity, f.place.line) for f in heard] == [(code, "repair", 2)]
    assert clusters(corpus)[1] == [left]
    assert_stable(FORM, corpus)


def test_a_span_given_twice_is_kept_unless_reading_leniently():
    twice = text(clusters=[[[0, 0], [0, 0]]])
    assert clusters(read(FORM, twice)) == [[[(0, 1), (0, 1)]]]
    corpus, heard = read_leniently(FORM, twice)
    assert clusters(corpus) == [[[(0, 1)]]]
    assert [(f.code, f.severity) for f in heard] == [("CB113", "repair")]


@st.composite
def corpora(draw: st.DrawFn) -> Corpus:
    build = CorpusBuilder("made")
    for document in range(draw(st.integers(1, 3))):
        build.begin_document(draw(st.sampled_from(["a_b", "c_07", "d"])), document)
        for _ in range(draw(st.integers(1, 3))):
            words = draw(st.lists(st.text(min_size=1, max_size=4), min_size=1, max_size=5))
            build.sentence(words, columns={"speaker": ["x"] * len(words)})
        span = st.tuples(st.integers(0, build.position - 1), st.integers(1, 4))
        for label in range(draw(st.integers(0, 3))):
            for start, length in draw(st.sets(span, min_size=1, max_size=4)):
                if start + length <= build.position:
                    build.mention(f"{label}", [(start, start + length)])
    return build.finish()


@given(corpora())
def test_what_is_written_is_read_again(corpus):
    again = read(FORM, written(FORM, corpus))
    assert list(again.tokens.words) == list(corpus.tokens.words)
    assert clusters(again) == clusters(corpus)
    assert_stable(FORM, again)
