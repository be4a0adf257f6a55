from corefbench.corpus.builder import CorpusBuilder
from corefbench.scoring.matching import exact


def corpus(*documents):
    """Documents of ten words, each a list of (chain, part, …)."""
    build = CorpusBuilder("test")
    for number, mentions in enumerate(documents):
        build.begin_document(f"d{number}")
        build.sentence([f"w{n}" for n in range(10)])
        for chain, *parts in mentions:
            build.mention(chain, parts)
    return build.finish()


def twins(key, response):
    return exact.match(corpus(*key), corpus(*response)).key.tolist()


def test_mentions_of_the_same_span_are_twins():
    key = [[("a", (0, 1)), ("a", (2, 5))]]
    response = [[("x", (0, 2)), ("x", (2, 5)), ("x", (3, 5))]]
    assert twins(key, response) == [-1, 1, -1]


def test_documents_are_kept_apart():
    assert twins([[("a", (0, 1))], []], [[], [("a", (0, 1))]]) == [-1]
    assert twins([[], [("a", (0, 1))]], [[], [("a", (0, 1))]]) == [0]


def test_a_longer_mention_of_one_side_is_not_taken_for_another_of_the_other():
    assert twins([[("a", (2, 3))]], [[("x", (3, 5))]]) == [-1]
    assert twins([[("a", (3, 5))]], [[("x", (2, 3))]]) == [-1]


def test_documents_are_kept_apart_though_one_side_has_more_words_in_them():
    """The response mention is behind the last word of the key's first document."""
    sides = []
    for words, mention in ((2, (1, 1, 3)), (5, (0, 3, 5))):
        build = CorpusBuilder("test")
        for number, size in enumerate((words, 4)):
            build.begin_document(f"d{number}")
            build.sentence([f"w{n}" for n in range(size)])
            if number == mention[0]:
                build.mention("a", [mention[1:]])
        sides.append(build.finish())
    assert exact.match(*sides).key.tolist() == [-1]
    assert exact.match(*reversed(sides)).key.tolist() == [-1]


def test_every_occurrence_of_a_span_has_the_last_key_mention_as_its_twin():
    key = [[("a", (0, 1)), ("b", (0, 1)), ("b", (4, 5))]]
    response = [[("x", (0, 1)), ("y", (0, 1))]]
    assert twins(key, response) == [1, 1]


def test_discontinuous_mentions_match_by_their_words():
    key = [[("a", (0, 1), (2, 3)), ("a", (4, 5), (7, 8))]]
    response = [[("x", (0, 3)), ("x", (4, 5), (7, 8)), ("x", (4, 6), (7, 8))]]
    assert twins(key, response) == [-1, 1, -1]


def test_mentions_with_gaps_are_never_taken_for_the_longest_without():
    key = [[("a", (0, 1), (2, 3)), ("a", (0, 1), (3, 4))]]
    assert twins(key, [[("x", (0, 4))]]) == [-1]


def test_an_empty_side_has_no_twins():
    mention = [[("a", (0, 1))]]
    assert twins([[]], mention) == [-1]
    assert twins(mention, [[]]) == []
