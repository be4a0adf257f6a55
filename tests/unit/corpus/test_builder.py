"""A builder told of many things at once makes the corpus it makes of them one by one."""

import numpy as np
import pytest

from corefbench.corpus.builder import CorpusBuilder, StringsBuilder, label_array
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.hashing import digest_documents
from corefbench.corpus.strings import Strings
from tests.unit.formats.roundtrip import contents


def build() -> Corpus:
    made = CorpusBuilder("tiny")
    made.begin_document("d", 3, {"topic": "sea"})
    made.sentence(["The", "old", "man"], columns={"pos": ["DT", "JJ", "NN"]})
    made.sentence(["He", "slept"])
    made.mention("m", [(3, 4)], head=3)
    made.mention("m", [(0, 1), (2, 3)], head=2, minimum=[(2, 3)])
    made.mention("x", [(1, 2)], referring=False, columns={"etype": "time"})
    made.begin_document("e")
    made.sentence(["Nothing"])
    return made.finish()


def test_mentions_are_in_the_order_in_which_they_open() -> None:
    assert [(m.start, m.end) for m in build()[0].mentions] == [(0, 3), (1, 2), (3, 4)]


def test_views_show_what_was_built() -> None:
    document = build()[0]
    assert document.label == "d_3"
    assert document.sentences == [(0, 3), (3, 5)]
    assert document.words == ["The", "old", "man", "He", "slept"]
    first, second, third = document.mentions
    assert (first.parts, first.head, first.text) == ([(0, 1), (2, 3)], 2, "The … man")
    assert (second.head, second.chain.label, second.chain.is_singleton) == (None, "x", True)
    assert [m.start for m in third.chain.mentions] == [0, 3]
    assert len(build()[1].mentions) == 0


def test_what_some_mentions_lack_is_marked() -> None:
    mentions = build().mentions
    assert mentions.referring.tolist() == [True, False, True]
    assert list(mentions.columns["etype"]) == ["", "time", ""]
    assert [mentions.minimum.of(i) for i in range(3)] == [[(2, 3)], [], []]


def test_columns_that_came_late_are_empty_before() -> None:
    corpus = build()
    assert list(corpus.tokens.columns["pos"]) == ["DT", "JJ", "NN", "", "", ""]
    assert corpus.documents.columns["topic"] == ("sea", "")


def test_labels_of_one_document_are_not_those_of_the_next() -> None:
    made = CorpusBuilder("c")
    for name in "ab":
        made.begin_document(name)
        made.sentence(["w"])
        made.mention("1", [(0, 1)])
    corpus = made.finish()
    assert corpus.chains.document.tolist() == [0, 1]
    assert corpus.chains.labels.tolist() == [1, 1]


@pytest.mark.parametrize("texts", [["007"], ["-1"], ["1" * 19], ["²"], ["1", "e1"]])
def test_labels_that_are_not_plain_numbers_stay_text(texts: list[str]) -> None:
    assert [label.decode() for label in label_array(texts).tolist()] == texts


def test_a_document_past_the_end_is_an_index_error() -> None:
    corpus = build()
    assert corpus[-1].name == "e"
    with pytest.raises(IndexError):
        corpus[2]


def test_many_sentences_at_once_are_the_same_as_one_after_another() -> None:
    slow, fast = CorpusBuilder("c"), CorpusBuilder("c")
    for build in (slow, fast):
        build.begin_document("d", text="I ran. No!")
    slow.sentence(["I", "ran", "."], offsets=[(0, 1), (2, 5), (5, 6)])
    slow.sentence(["No", "!"], offsets=[(7, 9), (9, 10)])
    offsets = np.array([0, 2, 5, 7, 9]), np.array([1, 5, 6, 9, 10])
    fast.sentences(["I", "ran", ".", "No", "!"], np.array([0, 3]), offsets=offsets)
    one, other = slow.finish(), fast.finish()
    assert other[0].sentences == one[0].sentences == [(0, 3), (3, 5)]
    assert other[0].offsets == one[0].offsets
    assert other.tokens.digests.tolist() == one.tokens.digests.tolist()


def test_digests_do_not_depend_on_whether_words_are_kept() -> None:
    digests = []
    for words in (True, False):
        build = CorpusBuilder("c", words=words)
        for name in "ab":
            build.begin_document(name)
            build.sentence(["I", "", "ran"], empty=[False, True, False])
        build.begin_document("none")
        digests.append(build.finish().tokens.digests.tolist())
    assert digests[0] == digests[1]
    [digest] = digest_documents(Strings.of(["I", "ran"]), np.array([0, 2])).tolist()
    assert digests[0] == [digest, digest, 0]


def test_many_mentions_at_once_are_the_same_as_one_after_another() -> None:
    one, many = CorpusBuilder("c"), CorpusBuilder("c")
    for build in (one, many):
        build.begin_document("d")
        build.sentence(["Ann", "saw", "her", "dog"])
        build.mention("a", [(0, 1)], head=0)
    one.mention("b", [(2, 4)], head=3, minimum=[(3, 4)])
    one.mention("a", [(2, 3)])
    chains = np.array(many.chain_numbers(["b", "a"]), np.int32)
    start, end, head = np.array([2, 2]), np.array([4, 3]), np.array([3, -1])
    assert many.add_mentions(start, end, chains, head=head, minimum={0: [(3, 4)]}) == 1
    expected, found = one.finish(), many.finish()
    for name in ("start", "end", "chain", "head"):
        assert getattr(found.mentions, name).tolist() == getattr(expected.mentions, name).tolist()
    assert expected.mentions.minimum is not None
    assert found.mentions.minimum is not None
    assert found.mentions.minimum.offsets.tolist() == expected.mentions.minimum.offsets.tolist()
    assert found.mentions.minimum.start.tolist() == expected.mentions.minimum.start.tolist() == [3]
    assert found.chains.labels.tolist() == expected.chains.labels.tolist()


def one_by_one(words: bool) -> CorpusBuilder:
    build = CorpusBuilder("x", words=words)
    build.begin_document("a", 3, {"genre": "news"}, text="I am. No")
    build.sentence(["I", "am", "."], offsets=[(0, 1), (2, 4), (4, 5)])
    build.sentence(["No"], offsets=[(6, 8)])
    build.begin_document("b", text="")
    build.begin_document("c", 4, {"genre": "talk"}, text="Ça va")
    build.sentence(["Ça", "va"], offsets=[(0, 2), (3, 5)])
    return build


def at_once(words: bool) -> CorpusBuilder:
    build = CorpusBuilder("x", words=words)
    build.begin_documents(
        ["a", "b", "c"],
        np.array([4, 0, 2]),
        parts=[3, -1, 4],
        columns={"genre": ["news", "", "talk"]},
        texts=["I am. No", "", "Ça va"],
    )
    begin, end = np.array([0, 2, 4, 6, 0, 3]), np.array([1, 4, 5, 8, 2, 5])
    strings = Strings.of(["I", "am", ".", "No", "Ça", "va"])
    build.sentences(strings, np.array([0, 3, 4]), offsets=(begin, end))
    return build


@pytest.mark.parametrize("words", [True, False])
def test_documents_added_at_once_are_those_added_one_by_one(words: bool) -> None:
    one, many = one_by_one(words), at_once(words)
    for build in (one, many):  # and both go on alike
        build.begin_document("d", text="So")
        build.sentence(["So"], offsets=[(0, 2)])
    assert contents(one.finish()) == contents(many.finish())


def test_mentions_added_at_once_are_those_added_one_by_one() -> None:
    one, many = one_by_one(True), at_once(True)
    one.mention("x", [(1, 2)])
    one.mention("y", [(0, 1)], columns={"type": "person"})
    one.mention("x", [(0, 1)])
    one.begin_document("d")
    one.sentence(["So", "it", "is"])
    one.mention("x", [(0, 1), (2, 3)])
    document = np.array([2, 2], np.int32)
    first = many.add_chains(["x", "y"], document)
    many.add_mentions(
        np.array([1, 0, 0]),
        np.array([2, 1, 1]),
        np.array([0, 1, 0]) + first,
        document=np.array([2, 2, 2], np.int32),
        columns={1: {"type": "person"}},
    )
    many.begin_document("d")
    many.sentence(["So", "it", "is"])
    first = many.add_chains(["x"])
    many.add_mentions(np.array([0]), np.array([3]), np.array([first]), split={0: [(0, 1), (2, 3)]})
    assert contents(one.finish()) == contents(many.finish())


def test_columns_of_all_mentions_stand_beside_columns_of_few() -> None:
    one, many = one_by_one(True), at_once(True)
    one.mention("x", [(1, 2)])
    one.mention("x", [(0, 1)], columns={"role": "A", "type": "person"})
    one.mention("x", [(2, 3)], columns={"role": "B"})
    one.mention("x", [(3, 4)])
    many.mention("x", [(1, 2)])
    start, chain = np.array([0, 2]), np.full(2, many.chain("x"))
    columns = {0: {"type": "person"}}
    many.add_mentions(start, start + 1, chain, columns=columns, full={"role": ["A", "B"]})
    many.mention("x", [(3, 4)])
    assert contents(one.finish()) == contents(many.finish())


def test_strings_grow_from_lists_and_columns_in_any_order() -> None:
    words = StringsBuilder()
    assert list(words.joined()) == []
    words.extend(Strings.of(["a", ""]))
    words.extend(["é"])
    words.extend(iter(["b"]))
    words.extend(Strings.of(["c"]))
    assert (len(words), list(words.joined())) == (5, ["a", "", "é", "b", "c"])
    words.extend(["d"])
    assert list(words.joined()) == ["a", "", "é", "b", "c", "d"]
