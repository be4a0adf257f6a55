import numpy as np

from corefbench.matching.identity import identities, last_same
from corefbench.matching.words import heads, overlaps, word_sets
from corefbench.model.builder import CorpusBuilder


def corpus(ids, *mentions, sentences=1):
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
    both = [corpus(["1", "2", "3"], [(0, 2)]), corpus(["1", "2", "3"], [(1, 3)])]
    key, response = word_sets(*both)
    assert key.solid
    assert words_of(key, 0) == [2, 3]
    assert words_of(response, 0) == [3, 4]
    assert overlaps(key, response, np.array([0]), np.array([0])).tolist() == [1]


def test_surface_words_are_the_same_whatever_the_empty_nodes():
    key = corpus(["1", "2", "3"], [(1, 3)])
    response = corpus(["0.1", "1", "1.1", "2", "3"], [(3, 5)])
    sets = word_sets(key, response)
    assert words_of(sets[0], 0) == words_of(sets[1], 0)
    codes = identities(*sets)
    assert codes[0].tolist() == codes[1].tolist()


def test_empty_nodes_are_compared_by_their_id():
    key = corpus(["1", "1.1", "1.2", "2"], [(1, 2)], [(2, 3)])
    response = corpus(["1", "1.2", "2"], [(1, 2)])
    codes = identities(*word_sets(key, response))
    assert last_same(*codes).tolist() == [1]


def test_empty_nodes_at_the_end_of_a_sentence_and_the_start_of_the_next_differ():
    key = corpus(["0.1", "1", "1.1"], [(2, 3)], [(3, 4)], sentences=2)
    codes, _ = identities(*word_sets(key, key))
    assert codes[0] != codes[1]


def test_a_mention_split_by_an_empty_node_is_the_whole_one_of_the_other_side():
    key = corpus(["1", "2", "3"], [(0, 2)])
    response = corpus(["1", "1.1", "2", "3"], [(0, 1), (2, 3)], [(0, 3)])
    codes = identities(*word_sets(key, response))
    assert sorted(last_same(*codes).tolist()) == [-1, 0]


def test_discontinuous_mentions_share_the_words_of_their_parts():
    key = corpus(["1", "2", "3", "4"], [(0, 1), (2, 4)])
    response = corpus(["1", "2", "3", "4"], [(0, 3)])
    sets = word_sets(key, response)
    assert sets[0].size.tolist() == [3]
    assert overlaps(*sets, np.array([0]), np.array([0])).tolist() == [2]


def test_mentions_of_different_words_share_none():
    sets = word_sets(*(corpus(["1", "2", "3", "4"], span) for span in ([(0, 1)], [(2, 4)])))
    assert overlaps(*sets, np.array([0]), np.array([0])).tolist() == [0]


def test_words_behind_the_last_of_the_other_side_are_not_taken_for_others():
    """With key mentions as wide as their highest word, a later word would be one of the next."""
    key = corpus(["1", "2", "3", "4", "5", "6"], [(0, 1)], [(0, 1), (2, 3)])
    response = corpus(["1", "2", "3", "4", "5", "6"], [(0, 1), (3, 6)])
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
    gaps = corpus(ids, *map(list, spans))
    assert known_by_their_ends(gaps) == spans
    solid = {span: plain for span, plain in spans.items() if len(span) == 1}
    assert known_by_their_ends(corpus(ids, *map(list, solid))) == solid


def test_without_empty_nodes_only_gaps_matter():
    spans = {((0, 3),): True, ((0, 1), (2, 3)): False, ((1, 2),): True, ((2, 4),): True}
    assert known_by_their_ends(corpus(["1", "2", "3", "4"], *map(list, spans))) == spans


def known_by_their_ends(found):
    sets, _ = word_sets(found, found)
    mentions = found.mentions
    parts = [
        ((start, end),) if mentions.parts is None else tuple(mentions.parts.of(m))
        for m, (start, end) in enumerate(zip(mentions.start, mentions.end, strict=True))
    ]
    return dict(zip(parts, sets.plain().tolist(), strict=True))


def test_an_unknown_head_is_the_first_word():
    known, unknown = corpus(["1", "1.1", "2"], [(1, 3)]), corpus(["1", "2"], [(1, 2)])
    sets = word_sets(known, unknown)
    assert heads(known, sets[0]).tolist() == [words_of(sets[0], 0)[0]]
    assert heads(unknown, sets[1]).tolist() == [words_of(sets[1], 0)[0]]
