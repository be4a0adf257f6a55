"""From documents to inputs: text, tokens and sentences, with and without the original text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefbench.corpus.builder import CorpusBuilder
from corefbench.errors import UsageError
from corefbench.formats.load import load
from corefbench.preprocess.documents import detokenize, gold_mentions, make_input
from tests.data import data

ZEROS = b"""# newdoc id = d
# global.Entity = eid-etype-head-other
1\tAnn\tAnn\tPROPN\tNNP\t_\t2\tnsubj\t_\tEntity=(e1-person-1-)
2\tleft\tleave\tVERB\tVBD\t_\t0\troot\t_\tSpaceAfter=No
2.1\t_\t_\tPRON\t_\t_\t_\t_\t2:nsubj\tEntity=(e1-person-1-)
3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

1\tShe\tshe\tPRON\tPRP\t_\t2\tnsubj\t_\tEntity=(e1-person-1-)
2\tran\trun\tVERB\tVBD\t_\t0\troot\t_\tSpaceAfter=No
3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

"""


def test_the_text_is_detokenized_by_space_after():
    made = make_input(load(ZEROS)[0])
    assert made.text == "Ann left. She ran."
    assert made.sentences == ((0, 3), (3, 6))
    assert [made.text[a:b] for a, b in made.offsets or ()] == [
        "Ann", "left", ".", "She", "ran", ".",
    ]  # fmt: skip


def test_zeros_are_left_out_and_mentions_renumbered():
    assert gold_mentions(load(ZEROS)[0]) == [(0, 1, 0), (3, 4, 3)]


def test_annotation_can_be_withheld():
    document = load(ZEROS)[0]
    bare = make_input(document, "nothing")
    assert (bare.offsets, bare.sentences, bare.paragraphs) == (None, None, None)
    tokens = make_input(document, "tokens")
    assert tokens.offsets is not None
    assert tokens.sentences is None


def test_the_original_text_is_kept():
    corpus = load(b"Ann  left.\n\nShe ran.", format="text")
    made = make_input(corpus[0])
    assert made.text == "Ann  left.\n\nShe ran."
    assert made.paragraphs == (0, 1)


def test_speakers_are_kept_where_there_are_some():
    build = CorpusBuilder("c")
    build.begin_document("d")
    build.sentence(["I", "left"], columns={"speaker": ["Ann", "Ann"]})
    build.begin_document("e")
    build.sentence(["I"], columns={"speaker": ["-"]})
    corpus = build.finish()
    assert make_input(corpus[0]).speakers == ("Ann", "Ann")
    assert make_input(corpus[1]).speakers is None


def test_a_corpus_without_words_is_refused():
    with pytest.raises(UsageError, match="without its words"):
        make_input(load(ZEROS, words=False)[0])


def test_words_are_detokenized_as_english_is_typed():
    words = ["He", "said", '"', "no", '"', ",", "did", "n't", "he", "(", "Ann", "'s", "dog", ")", "?"]
    text, offsets = detokenize(words, [(0, len(words))])
    assert text == "He said \"no\", didn't he (Ann's dog)?"
    assert [text[a:b] for a, b in offsets] == words


def test_a_sentence_without_final_mark_is_set_apart():
    text, _ = detokenize(["A", ".", "Title", "B", ".", "C", "."], [(0, 2), (2, 3), (3, 5), (5, 7)])
    assert text == "A.\n\nTitle\n\nB. C."


def test_paragraphs_that_are_known_decide():
    text, _ = detokenize(["A", "B", "C"], [(0, 1), (1, 2), (2, 3)], paragraphs=[0, 0, 1])
    assert text == "A B\n\nC"


@given(st.lists(st.lists(st.text(min_size=0, max_size=4), min_size=1, max_size=5), max_size=5))
def test_every_word_is_at_its_offsets(sentences: list[list[str]]):
    words = [word for row in sentences for word in row]
    spans, start = [], 0
    for row in sentences:
        spans.append((start, start + len(row)))
        start += len(row)
    text, offsets = detokenize(words, spans)
    assert [text[a:b] for a, b in offsets] == words


def test_the_texts_of_gum_come_back():
    """The sentences say their text in a comment that the reader does not keep."""
    path = data("gum") / "dep" / "GUM_bio_byron.conllu"
    lines = path.read_text(encoding="utf-8").splitlines()
    wanted = [line.removeprefix("# text = ") for line in lines if line.startswith("# text = ")]
    made = make_input(load(path)[0])
    offsets, same = made.offsets or (), 0
    for (start, end), text in zip(made.sentences or (), wanted, strict=True):
        same += made.text[offsets[start][0] : offsets[end - 1][1]] == text
    assert same >= 0.98 * len(wanted)
