"""Mentions as numbers: equal exactly where document and words are equal."""

import pytest

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.spans import count_distinct, last_same_span, mention_codes, shared_base

Span = tuple[int, int]


def corpus(*documents: list[list[Span]]) -> Corpus:
    """Every mention in a chain of its own; in each document they stand in opening order."""
    build = CorpusBuilder("test")
    for number, mentions in enumerate(documents):
        build.begin_document(f"d{number}")
        build.sentence([f"w{n}" for n in range(10)])
        for chain, parts in enumerate(mentions):
            build.mention(str(chain), parts)
    return build.finish()


SPLIT, OTHER_SPLIT, SOLID = [(0, 1), (3, 5)], [(0, 2), (4, 5)], [(0, 5)]


def groups(found: Corpus) -> list[int]:
    """For each mention the first with the same code."""
    codes = mention_codes(found).tolist()
    return [codes.index(code) for code in codes]


def test_no_two_spans_of_a_corpus_have_one_code():
    every = [[(a, b)] for a in range(10) for b in range(a + 1, 11)]
    assert len(set(mention_codes(corpus(every, every)).tolist())) == 2 * len(every)


def test_mentions_with_gaps_are_equal_where_all_their_parts_are():
    # The order of the corpus is that of opening, longer first: all five have one hull.
    found = corpus([SPLIT, OTHER_SPLIT, SOLID, SPLIT, SOLID])
    parts = [tuple(found.mentions.parts.of(m)) for m in range(5)]
    assert groups(found) == [parts.index(p) for p in parts]
    assert len(set(groups(found))) == 3


def test_the_same_parts_in_another_document_are_another_mention():
    assert groups(corpus([SPLIT], [SPLIT])) == [0, 1]


def test_the_identity_of_a_mention_is_the_last_with_its_span():
    found = corpus([[(0, 1)], [(0, 1)], [(2, 4)], [(0, 1)]])
    assert last_same_span(found).tolist() == [2, 2, 2, 3]
    assert last_same_span(corpus([[(0, 1)], [(0, 2)]])) is None


def test_repeats_are_counted_once():
    found = corpus([[(0, 1)], [(0, 1)], [(2, 4)]], [], [[(5, 6)]])
    assert count_distinct(found, last_same_span(found)).tolist() == [2, 0, 1]
    assert count_distinct(found, None).tolist() == [3, 0, 1]


def test_documents_begin_where_no_span_of_the_one_before_can_end():
    short, long = CorpusBuilder("short"), CorpusBuilder("long")
    for build, words in ((short, 3), (long, 7)):
        for name in "ab":
            build.begin_document(name)
            build.sentence(["w"] * words)
    assert shared_base(short.finish(), long.finish()).tolist() == [0, 8]


@pytest.mark.parametrize("length", [1, 10])
def test_a_code_has_the_length_of_the_span_in_its_low_bits(length):
    (code,) = mention_codes(corpus([[(0, length)]])).tolist()
    assert code % 2**24 == length
