from corefbench.matching import exact
from corefbench.model.builder import CorpusBuilder


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


def test_every_occurrence_of_a_span_has_the_last_key_mention_as_its_twin():
    key = [[("a", (0, 1)), ("b", (0, 1)), ("b", (4, 5))]]
    response = [[("x", (0, 1)), ("y", (0, 1))]]
    assert twins(key, response) == [1, 1]


def test_discontinuous_mentions_match_by_their_words():
    key = [[("a", (0, 1), (2, 3)), ("a", (4, 5), (7, 8))]]
    response = [[("x", (0, 3)), ("x", (4, 5), (7, 8)), ("x", (4, 6), (7, 8))]]
    assert twins(key, response) == [-1, 1, -1]


def test_an_empty_side_has_no_twins():
    mention = [[("a", (0, 1))]]
    assert twins([[]], mention) == [-1]
    assert twins(mention, [[]]) == []
