"""The numbers behind matching: equal exactly where they should be, never by accident."""

from itertools import product

import numpy as np
import pytest

from corefbench.matching import assignment, minimum, semeval
from corefbench.matching.assignment import assign_by_document
from corefbench.matching.identity import identities, last_same, with_heads
from corefbench.matching.mina import minimal_words
from corefbench.matching.parse_bits import tree_of
from corefbench.matching.spans import mention_codes
from corefbench.matching.words import heads, overlaps, word_sets
from corefbench.matching.zeros import agreement
from corefbench.model.builder import CorpusBuilder
from corefbench.model.corpus import Corpus

Span = tuple[int, int]
Mention = tuple[list[Span], int, Span | None]
"""Parts, head and minimal span."""


def corpus(*mentions: Mention, empty: frozenset[int] | None = None) -> Corpus:
    build = CorpusBuilder("test")
    build.begin_document("d")
    marks = None if empty is None else [n in empty for n in range(12)]
    build.sentence([f"w{n}" for n in range(12)], empty=marks)
    for number, (parts, head, least) in enumerate(mentions):
        build.mention(str(number), parts, head=head, minimum=[least] if least else [])
    return build.finish()


def test_words_and_head_together_make_a_number():
    for heads_of_words in (0, 1, 2, 3), (0, 1):
        pairs = np.array([*product((4, 9, 11), heads_of_words)])
        key, response = with_heads((pairs[:, 0], pairs[::-1, 0]), pairs[:, 1], pairs[::-1, 1])
        assert len(set(key.tolist())) == len(pairs)
        assert key.tolist() == response[::-1].tolist()


def test_the_numbers_of_spans_rise_in_the_order_in_which_mentions_open():
    spans = [(0, 5), (0, 2), (0, 1), (1, 6), (1, 2), (4, 5)]
    found = corpus(*(([span], -1, None) for span in spans))
    codes, _ = identities(*word_sets(found, found))
    assert codes.tolist() == sorted(set(codes.tolist()))


def test_of_equal_neighbours_the_one_of_the_last_chain_counts():
    assert last_same(np.array([5, 5]), np.array([5]), np.array([1, 0])).tolist() == [0]
    assert last_same(np.array([5, 5]), np.array([5])).tolist() == [1]


def test_mentions_with_gaps_never_have_the_number_of_a_span():
    gaps = [[(a, a + 1), (a + 2, a + 3)] for a in range(8)]
    spans = [[(a, b)] for a in range(2) for b in range(a + 1, 6)]
    found = corpus(*((parts, -1, None) for parts in [*gaps, *spans]))
    assert len(set(mention_codes(found).tolist())) == len(gaps) + len(spans)


def test_the_length_of_a_span_is_in_the_low_bits_of_its_number_wherever_it_starts():
    (code,) = mention_codes(corpus(([(3, 8)], -1, None))).tolist()
    assert code % 2**24 == 5


def test_a_head_that_is_the_first_token_of_all_stands_at_its_place():
    found = corpus(([(0, 3)], 0, None), ([(4, 7)], 5, None), empty=frozenset({2}))
    words, _ = word_sets(found, found)
    assert heads(found, words).tolist() == [words.first[0], words.place[5]]


def test_surface_words_from_the_first_token_of_all_are_known_by_their_ends():
    found = corpus(([(0, 3)], -1, None), ([(4, 7)], -1, None), empty=frozenset({5}))
    words, _ = word_sets(found, found)
    assert words.plain().tolist() == [True, False]


def test_shared_words_are_counted_pair_by_pair_with_gaps_and_without():
    mentions = [[(0, 4)], [(1, 2), (3, 6)], [(5, 9)], [(0, 1), (8, 10)]]
    found = corpus(*((parts, -1, None) for parts in mentions))
    sets = [
        {n for a, b in found.mentions.parts.of(m) for n in range(a, b)}
        for m in range(len(mentions))
    ]
    words, _ = word_sets(found, found)
    k, r = (np.array(side) for side in zip(*product(range(4), range(4)), strict=True))
    expected = [len(sets[a] & sets[b]) for a, b in zip(k, r, strict=True)]
    assert overlaps(words, words, k, r).tolist() == expected


def test_dependencies_agree_as_much_one_way_as_the_other():
    assert agreement("1:nsubj", "1:nsubj|2:obj") == agreement("1:nsubj|2:obj", "1:nsubj") < 11


def test_empty_cells_agree_with_nothing():
    assert agreement("", "") == agreement("", "_") == 0


def test_of_two_key_mentions_the_answer_goes_to_that_of_which_it_is_more():
    key = corpus(([(0, 8)], -1, (2, 3)), ([(0, 4)], -1, (2, 3)))
    twin = minimum.match(key, corpus(([(1, 3)], -1, None))).key.tolist()
    assert key.mentions.end[twin].tolist() == [4]


def test_the_head_of_semeval_is_counted_in_words():
    """Token 2 of the key is empty: its mention is words 3 to 6 with the head 5."""
    key = corpus(([(4, 8)], 6, None), empty=frozenset({2}))
    assert semeval.match(key, corpus(([(4, 6)], -1, None))).key.tolist() == [0]
    assert semeval.match(key, corpus(([(6, 7)], -1, None))).key.tolist() == [-1]


def test_what_is_too_large_for_a_matrix_is_paired_the_same(monkeypatch):
    documents = np.array([0, 0, 1, 1, 2, 2])
    rows, columns = np.array([0, 0, 1, 2, 2, 3, 4, 5]), np.array([0, 1, 0, 2, 3, 2, 4, 4])
    weights = np.array([3.0, 2.0, 2.0, 1.0, 5.0, 4.0, 1.0, 2.0])
    usual = assign_by_document(documents, documents, rows, columns, weights)
    monkeypatch.setattr(assignment, "MATRIX_CELLS", 0)
    other = assign_by_document(documents, documents, rows, columns, weights)
    chosen = {(0, 1), (1, 0), (2, 3), (3, 2), (5, 4)}
    for made in (usual, other):
        assert set(zip(*(side.tolist() for side in made), strict=True)) == chosen


@pytest.mark.parametrize("label", ["NP-SBJ", "NML", "NP"])
def test_the_kind_of_a_phrase_is_in_the_first_two_letters_of_its_label(label):
    bits = [f"({label}({label}*", "*)", "(PP*", "(NP*)))"]
    root = tree_of(bits, ["the", "man", "with", "it"], ["DT", "NN", "IN", "PRP"], 0)
    assert minimal_words(root) == {("the man", 1)}


def test_per_cent_is_a_word_though_it_has_no_letter():
    root = tree_of(["(NP*", "*)"], ["5", "%"], ["DT", "NN"], 0)
    assert {words for words, _ in minimal_words(root)} == {"5 %"}
