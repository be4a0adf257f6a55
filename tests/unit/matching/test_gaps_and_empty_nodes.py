"""Rules at the edge of what a corpus may lack: heads, minimal spans, words, empty nodes."""

import pytest

from corefbench.errors import MismatchError
from corefbench.matching import craft, mina, minimum, semeval
from corefbench.matching.zeros import is_zero
from corefbench.model.builder import CorpusBuilder
from corefbench.model.corpus import Corpus

Span = tuple[int, int]


def corpus(
    *mentions: list[Span],
    empty: frozenset[int] | None = None,
    minima: dict[int, Span] | None = None,
    words: bool = True,
) -> Corpus:
    build = CorpusBuilder("test", words=words, columns=("pos", "parse"))
    build.begin_document("d")
    marks = None if empty is None else [n in empty for n in range(12)]
    columns = {"pos": ["NN"] * 12, "parse": ["*"] * 12}
    build.sentence([f"w{n}" for n in range(12)], empty=marks, columns=columns)
    for number, parts in enumerate(mentions):
        least = (minima or {}).get(number)
        build.mention(str(number), parts, minimum=[least] if least else [])
    return build.finish()


def test_craft_looks_at_places_where_one_side_has_an_empty_node():
    """Token 2 of the response is empty: its tokens 3 and 4 are words 2 and 3 of the key."""
    key = corpus([(2, 5), (8, 9)])
    assert craft.match(key, corpus([(3, 5)], empty=frozenset({2}))).key.tolist() == [0]
    assert craft.match(key, corpus([(3, 5), (10, 11)], empty=frozenset({2}))).key.tolist() == [0]
    assert craft.match(key, corpus([(1, 2), (7, 8)], empty=frozenset({2}))).key.tolist() == [-1]


def test_semeval_counts_words_where_no_mention_has_a_head():
    key, response = corpus([(3, 5)]), corpus([(4, 6)], empty=frozenset({2}))
    assert semeval.match(key, response).key.tolist() == [0]
    assert semeval.match(key, corpus([(3, 5)], empty=frozenset({2}))).key.tolist() == [-1]


def test_without_any_minimal_span_only_equal_spans_match():
    assert minimum.match(corpus([(0, 4)]), corpus([(0, 4)], [(1, 3)])).key.tolist() == [0, -1]


def test_where_all_that_have_a_minimal_span_match_exactly_the_rest_stays_alone():
    key = corpus([(0, 4)], [(6, 9)], minima={0: (1, 2)})
    assert minimum.match(key, corpus([(0, 4)], [(6, 8)])).key.tolist() == [0, -1]


def test_mina_needs_the_words_of_the_key():
    with pytest.raises(MismatchError, match="the words column of the key") as caught:
        mina.match(corpus([(0, 1)], words=False), corpus([(0, 1)]))
    assert caught.value.code == "CB211"


def test_there_are_no_zeros_without_empty_nodes():
    assert is_zero(corpus([(0, 1)], [(2, 3)])).tolist() == [False, False]


def test_a_mention_of_unknown_head_is_a_zero_if_its_first_word_is():
    found = corpus([(0, 2)], [(3, 4)], [(3, 6)], empty=frozenset({1, 3}))
    assert dict(zip(found.mentions.end.tolist(), is_zero(found).tolist(), strict=True)) == {
        2: False,
        4: True,
        6: True,
    }
