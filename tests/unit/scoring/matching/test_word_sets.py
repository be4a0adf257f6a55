from itertools import product

import numpy as np
import pytest
from msgspec.structs import replace

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus, Tokens
from corefbench.corpus.spans import mention_codes
from corefbench.errors import MismatchError
from corefbench.scoring.matching import assignment, craft, mina, minimum, semeval
from corefbench.scoring.matching.assignment import assign_by_document
from corefbench.scoring.matching.mina import minimal_words, parse_tree
from corefbench.scoring.matching.word_sets import (
    heads,
    identity_codes,
    last_same,
    overlaps,
    token_positions,
    with_heads,
    word_sets,
)
from corefbench.scoring.matching.zeros import dependency_agreement, is_zero

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
    assert dict(zip(found.mentions.end.tolist(), is_zero(found).tolist(), strict=True)) == {2: False, 4: True, 6: True}


Mention = tuple[list[Span], int, Span | None]
"""Parts, head and minimal span."""


def corpus_numbers_of_words(*mentions: Mention, empty: frozenset[int] | None = None) -> Corpus:
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
    found = corpus_numbers_of_words(*(([span], -1, None) for span in spans))
    codes, _ = identity_codes(*word_sets(found, found))
    assert codes.tolist() == sorted(set(codes.tolist()))


def test_of_equal_neighbours_the_one_of_the_last_chain_counts():
    assert last_same(np.array([5, 5]), np.array([5]), np.array([1, 0])).tolist() == [0]
    assert last_same(np.array([5, 5]), np.array([5])).tolist() == [1]


def test_mentions_with_gaps_never_have_the_number_of_a_span():
    gaps = [[(a, a + 1), (a + 2, a + 3)] for a in range(8)]
    spans = [[(a, b)] for a in range(2) for b in range(a + 1, 6)]
    found = corpus_numbers_of_words(*((parts, -1, None) for parts in [*gaps, *spans]))
    assert len(set(mention_codes(found).tolist())) == len(gaps) + len(spans)


def test_the_length_of_a_span_is_in_the_low_bits_of_its_number_wherever_it_starts():
    (code,) = mention_codes(corpus_numbers_of_words(([(3, 8)], -1, None))).tolist()
    assert code % 2**24 == 5


def test_a_head_that_is_the_first_token_of_all_stands_at_its_place():
    found = corpus_numbers_of_words(([(0, 3)], 0, None), ([(4, 7)], 5, None), empty=frozenset({2}))
    words, _ = word_sets(found, found)
    assert heads(found, words).tolist() == [words.first[0], words.position[5]]


def test_surface_words_from_the_first_token_of_all_are_known_by_their_ends():
    found = corpus_numbers_of_words(([(0, 3)], -1, None), ([(4, 7)], -1, None), empty=frozenset({5}))
    words, _ = word_sets(found, found)
    assert words.determined_by_ends().tolist() == [True, False]


def test_shared_words_are_counted_pair_by_pair_with_gaps_and_without():
    mentions = [[(0, 4)], [(1, 2), (3, 6)], [(5, 9)], [(0, 1), (8, 10)]]
    found = corpus_numbers_of_words(*((parts, -1, None) for parts in mentions))
    sets = [{n for a, b in found.mentions.parts.of(m) for n in range(a, b)} for m in range(len(mentions))]
    words, _ = word_sets(found, found)
    k, r = (np.array(side) for side in zip(*product(range(4), range(4)), strict=True))
    expected = [len(sets[a] & sets[b]) for a, b in zip(k, r, strict=True)]
    assert overlaps(words, words, k, r).tolist() == expected


def test_dependencies_agree_as_much_one_way_as_the_other():
    assert dependency_agreement("1:nsubj", "1:nsubj|2:obj") == dependency_agreement("1:nsubj|2:obj", "1:nsubj") < 11


def test_empty_cells_agree_with_nothing():
    assert dependency_agreement("", "") == dependency_agreement("", "_") == 0


def test_of_two_key_mentions_the_answer_goes_to_that_of_which_it_is_more():
    key = corpus_numbers_of_words(([(0, 8)], -1, (2, 3)), ([(0, 4)], -1, (2, 3)))
    twin = minimum.match(key, corpus_numbers_of_words(([(1, 3)], -1, None))).key.tolist()
    assert key.mentions.end[twin].tolist() == [4]


def test_the_head_of_semeval_is_counted_in_words():
    """Token 2 of the key is empty: its mention is words 3 to 6 with the head 5."""
    key = corpus_numbers_of_words(([(4, 8)], 6, None), empty=frozenset({2}))
    assert semeval.match(key, corpus_numbers_of_words(([(4, 6)], -1, None))).key.tolist() == [0]
    assert semeval.match(key, corpus_numbers_of_words(([(6, 7)], -1, None))).key.tolist() == [-1]


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
    root = parse_tree(bits, ["the", "man", "with", "it"], ["DT", "NN", "IN", "PRP"], 0)
    assert minimal_words(root) == {("the man", 1)}


def test_per_cent_is_a_word_though_it_has_no_letter():
    root = parse_tree(["(NP*", "*)"], ["5", "%"], ["DT", "NN"], 0)
    assert {words for words, _ in minimal_words(root)} == {"5 %"}


def tokens(*sentences: list[str], ids: bool = True) -> Tokens:
    build = CorpusBuilder("test")
    build.begin_document("d")
    for sentence in sentences:
        empty = ["." in name for name in sentence]
        build.sentence(sentence, empty=empty, columns={"id": sentence} if ids else None)
    return build.finish().tokens


def test_an_id_that_gives_no_rank_leaves_the_node_where_it_is_counted():
    plain, _, _ = token_positions(tokens(["1", "1.1", "1.2", "2"]), tokens(["1", "2"]))
    for odd in ("1.x", "1.", "1.12345"):
        strange, _, _ = token_positions(tokens(["1", "1.1", odd, "2"]), tokens(["1", "2"]))
        assert strange.tolist() == plain.tolist()


def test_a_rank_of_four_digits_is_taken_as_it_is():
    one, _, step = token_positions(tokens(["1", "1.1234"]), tokens(["1"]))
    assert one[1] - one[0] == 1234
    assert step == 2 * 1235


def test_without_ids_nodes_are_counted_from_the_word_before():
    with_ids, _, _ = token_positions(tokens(["1", "1.1", "1.2", "2"]), tokens(["1", "2"]))
    without, _, _ = token_positions(tokens(["1", "1.1", "1.2", "2"], ids=False), tokens(["1", "2"]))
    assert without.tolist() == with_ids.tolist()


def test_a_node_before_a_sentence_does_not_meet_one_behind_the_sentence_before():
    one, two, _ = token_positions(tokens(["1", "1.1"], ["1"]), tokens(["1"], ["0.1", "1"]))
    assert one[0] == two[0]
    assert one[2] == two[2]
    assert one[0] < one[1] < one[2]
    assert two[0] < two[1] < two[2]
    assert one[1] != two[1]


def test_without_ids_nodes_at_the_start_of_a_sentence_are_counted_from_there():
    text = ["1", "1.1"], ["0.1", "0.2", "1"]
    with_ids, _, _ = token_positions(tokens(*text), tokens(["1"], ["1"]))
    without, _, _ = token_positions(tokens(*text, ids=False), tokens(["1"], ["1"]))
    assert without.tolist() == with_ids.tolist()


def test_a_sentence_without_words_at_the_end_changes_nothing():
    text = ["1", "1.1"], ["0.1", "1"]
    one, two, _ = token_positions(tokens(*text, [], ids=False), tokens(*text, ids=False))
    assert one.tolist() == two.tolist()


def test_a_text_without_sentences_is_one_sentence():
    text = ["0.1", "1", "1.1", "1.2", "2"]
    one = tokens(text, ids=False)
    other = replace(one, sentences=np.zeros(0, np.int64))
    of_one, of_other, _ = token_positions(one, other)
    assert of_one.tolist() == of_other.tolist()
    plain, _, _ = token_positions(other, other)
    assert plain.tolist() == of_one.tolist()
    inner = replace(tokens(text[1:], ids=False), sentences=np.zeros(0, np.int64))
    of_inner, _, _ = token_positions(inner, inner)
    assert (of_inner[1:3] - of_inner[0]).tolist() == [1, 2]


def test_documents_begin_together_though_one_side_has_more_words_in_the_first():
    def documents(first: list[str]) -> Tokens:
        build = CorpusBuilder("test")
        for number, ids in enumerate((first, ["1", "1.1", "2"])):
            build.begin_document(str(number))
            build.sentence(ids, empty=["." in one for one in ids], columns={"id": ids})
        return build.finish().tokens

    one, two, _ = token_positions(documents(["1", "1.1"]), documents(["1", "2", "2.1", "3", "4"]))
    assert one[-3:].tolist() == two[-3:].tolist()
    assert two[4] < two[5]
    assert one[0] == two[0]


def test_documents_do_not_share_places():
    def three(*ids: str) -> Tokens:
        build = CorpusBuilder("test")
        for name in "abc":
            build.begin_document(name)
            build.sentence(ids, empty=["." in one for one in ids], columns={"id": list(ids)})
        return build.finish().tokens

    one, two, _ = token_positions(three("1", "2", "2.1"), three("0.1", "1", "2"))
    assert (one[1:] > one[:-1]).all()
    assert (two[1:] > two[:-1]).all()
    assert one.reshape(3, 3)[:, :2].tolist() == two.reshape(3, 3)[:, 1:].tolist()
    assert not set(one.reshape(3, 3)[:, 2].tolist()) & set(two.tolist())


def corpus_words(ids, *mentions, sentences=1):
    """A document whose sentences have the tokens ``ids``; mentions are lists of parts."""
    build = CorpusBuilder("test")
    build.begin_document("before")
    build.sentence(["some", "words"])
    build.begin_document("d")
    for _ in range(sentences):
        build.sentence(ids, empty=["." in i for i in ids], columns={"id": ids})
    for parts in mentions:
        build.mention("e", parts, head=parts[0][0])
    return build.finish()


def words_of(sets, mention):
    return sets.expand(np.array([mention]))[1].tolist()


def test_without_empty_nodes_a_place_is_a_position():
    both = [corpus_words(["1", "2", "3"], [(0, 2)]), corpus_words(["1", "2", "3"], [(1, 3)])]
    key, response = word_sets(*both)
    assert key.is_contiguous
    assert words_of(key, 0) == [2, 3]
    assert words_of(response, 0) == [3, 4]
    assert overlaps(key, response, np.array([0]), np.array([0])).tolist() == [1]


def test_surface_words_are_the_same_whatever_the_empty_nodes():
    key = corpus_words(["1", "2", "3"], [(1, 3)])
    response = corpus_words(["0.1", "1", "1.1", "2", "3"], [(3, 5)])
    sets = word_sets(key, response)
    assert words_of(sets[0], 0) == words_of(sets[1], 0)
    codes = identity_codes(*sets)
    assert codes[0].tolist() == codes[1].tolist()


def test_empty_nodes_are_compared_by_their_id():
    key = corpus_words(["1", "1.1", "1.2", "2"], [(1, 2)], [(2, 3)])
    response = corpus_words(["1", "1.2", "2"], [(1, 2)])
    codes = identity_codes(*word_sets(key, response))
    assert last_same(*codes).tolist() == [1]


def test_empty_nodes_at_the_end_of_a_sentence_and_the_start_of_the_next_differ():
    key = corpus_words(["0.1", "1", "1.1"], [(2, 3)], [(3, 4)], sentences=2)
    codes, _ = identity_codes(*word_sets(key, key))
    assert codes[0] != codes[1]


def test_a_mention_split_by_an_empty_node_is_the_whole_one_of_the_other_side():
    key = corpus_words(["1", "2", "3"], [(0, 2)])
    response = corpus_words(["1", "1.1", "2", "3"], [(0, 1), (2, 3)], [(0, 3)])
    codes = identity_codes(*word_sets(key, response))
    assert sorted(last_same(*codes).tolist()) == [-1, 0]


def test_discontinuous_mentions_share_the_words_of_their_parts():
    key = corpus_words(["1", "2", "3", "4"], [(0, 1), (2, 4)])
    response = corpus_words(["1", "2", "3", "4"], [(0, 3)])
    sets = word_sets(key, response)
    assert sets[0].size.tolist() == [3]
    assert overlaps(*sets, np.array([0]), np.array([0])).tolist() == [2]


def test_mentions_of_different_words_share_none():
    sets = word_sets(*(corpus_words(["1", "2", "3", "4"], span) for span in ([(0, 1)], [(2, 4)])))
    assert overlaps(*sets, np.array([0]), np.array([0])).tolist() == [0]


def test_words_behind_the_last_of_the_other_side_are_not_taken_for_others():
    """With key mentions as wide as their highest word, a later word would be one of the next."""
    key = corpus_words(["1", "2", "3", "4", "5", "6"], [(0, 1)], [(0, 1), (2, 3)])
    response = corpus_words(["1", "2", "3", "4", "5", "6"], [(0, 1), (3, 6)])
    for sides in (key, response), (response, key):
        sets = word_sets(*sides)
        k, r = (np.arange(len(side)) for side in sets)
        pairs = np.repeat(k, len(r)), np.tile(r, len(k))
        assert overlaps(*sets, *pairs).tolist() == [1, 1]


def test_a_mention_of_one_word_or_of_surface_words_without_gap_is_known_by_its_ends():
    spans = {
        ((0, 1),): True,  # a single word
        ((0, 2),): False,  # with an empty node
        ((0, 3),): False,
        ((0, 1), (2, 4)): True,  # the empty node between surface words is no gap
        ((0, 1), (3, 4)): False,
        ((1, 2),): True,  # an empty node alone
        ((2, 4),): True,
        ((2, 5),): True,
        ((2, 3), (4, 5)): False,
    }
    ids = ["1", "1.1", "2", "3", "4"]
    gaps = corpus_words(ids, *map(list, spans))
    assert known_by_their_ends(gaps) == spans
    solid = {span: plain for span, plain in spans.items() if len(span) == 1}
    assert known_by_their_ends(corpus_words(ids, *map(list, solid))) == solid


def test_without_empty_nodes_only_gaps_matter():
    spans = {((0, 3),): True, ((0, 1), (2, 3)): False, ((1, 2),): True, ((2, 4),): True}
    assert known_by_their_ends(corpus_words(["1", "2", "3", "4"], *map(list, spans))) == spans


def known_by_their_ends(found):
    sets, _ = word_sets(found, found)
    mentions = found.mentions
    parts = [
        ((start, end),) if mentions.parts is None else tuple(mentions.parts.of(m))
        for m, (start, end) in enumerate(zip(mentions.start, mentions.end, strict=True))
    ]
    return dict(zip(parts, sets.determined_by_ends().tolist(), strict=True))


def test_an_unknown_head_is_the_first_word():
    known, unknown = corpus_words(["1", "1.1", "2"], [(1, 3)]), corpus_words(["1", "2"], [(1, 2)])
    sets = word_sets(known, unknown)
    assert heads(known, sets[0]).tolist() == [words_of(sets[0], 0)[0]]
    assert heads(unknown, sets[1]).tolist() == [words_of(sets[1], 0)[0]]
