"""Relations to entities without mentions: read, and counted as if they were not there."""

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.scoring.matching.alignment import Alignment
from corefbench.scoring.matching.exact import match
from corefbench.scoring.measures.bridging import Bridging
from corefbench.scoring.measures.split_antecedents import SplitAntecedents


def bridged(*chains: str) -> Corpus:
    """Mentions a, b and c; c bridges to each of these chains."""
    build = CorpusBuilder("test")
    build.begin_document("d")
    build.sentence(["a", "b", "c"])
    build.mention("e", [(0, 1)])
    build.mention("e", [(1, 2)])
    anaphor = build.mention("f", [(2, 3)])
    for label in chains:
        build.bridge(anaphor, chain=build.chain(label))
    return build.finish()


def aligned(key: Corpus, response: Corpus) -> Alignment:
    return Alignment(key=key, response=response, twins=match(key, response))


def test_an_entity_without_mentions_is_no_antecedent():
    for level in ("anaphor", "mention", "entity"):
        counts = Bridging(level=level).tally(aligned(bridged("e"), bridged("nowhere")))
        assert counts.values.tolist() == [[0, 1, 0, 0]]


def test_an_entity_stands_for_its_nearest_mention_before():
    counts = Bridging(level="mention").tally(aligned(bridged("e"), bridged("nowhere", "e")))
    assert counts.values.tolist() == [[1, 1, 1, 1]]


def bridges(*pairs: tuple[int, str]) -> Corpus:
    """Every one of four words is a mention, in the chains x, e, f and g; mention → chain."""
    build = CorpusBuilder("test")
    build.begin_document("d")
    build.sentence(["a", "b", "c", "d"])
    numbers = [build.mention(label, [(n, n + 1)]) for n, label in enumerate("xefg")]
    for anaphor, label in pairs:
        build.bridge(numbers[anaphor], chain=build.chain(label))
    return build.finish()


def test_the_first_mention_of_a_text_may_be_anaphor_or_antecedent():
    for pair in ((2, "x"), (0, "f"), (2, "e"), (1, "g")):
        counts = Bridging(level="mention").tally(aligned(bridges(pair), bridges(pair)))
        assert counts.values.tolist() == [[1, 1, 1, 1]]
        assert Bridging(level="mention").tally(aligned(bridges(pair), bridges((3, "e")))).values[0].tolist() == [
            0,
            1,
            0,
            1,
        ]


def plural(*elements: str, documents: int = 1, also: tuple[tuple[str, str], ...] = ()) -> Corpus:
    """Chains e = {a}, f = {b} and g = {c}, whose split antecedent these chains are."""
    build = CorpusBuilder("test")
    for number in range(documents):
        build.begin_document(f"d{number}")
        build.sentence(["a", "b", "c"])
        for label, start in zip("efg", range(3), strict=True):
            build.mention(label, [(start, start + 1)])
        for label in elements:
            build.split_antecedent(build.chain("g"), build.chain(label))
        for whole, part in also:
            build.split_antecedent(build.chain(whole), build.chain(part))
    return build.finish()


def test_documents_with_split_antecedents_are_counted_for_themselves():
    measure = SplitAntecedents(metric="b_cubed")
    (alone,) = measure.tally(aligned(plural("e", "f"), plural("e"))).values.tolist()
    many = measure.tally(aligned(plural("e", "f", documents=3), plural("e", documents=3))).values.tolist()
    assert many == [alone] * 3


def test_split_antecedents_that_go_round_in_a_circle_come_to_an_end():
    """g is made of e and h, h of i, i of h: nothing but e has mentions."""
    measure = SplitAntecedents(metric="b_cubed")
    circle = plural("e", "h", also=(("h", "i"), ("i", "h")))
    score = measure.score(measure.tally(aligned(plural("e"), circle)).sum())
    assert (score.recall, score.precision) == (1, 1)


def test_an_element_without_mentions_adds_nothing_to_a_split_antecedent():
    measure = SplitAntecedents(metric="b_cubed")
    counts = measure.tally(aligned(plural("e", "f"), plural("e", "f", "nowhere")))
    score = measure.score(counts.sum())
    assert (score.recall, score.precision) == (1, 1)


def test_an_element_fewer_is_noticed():
    measure = SplitAntecedents(metric="b_cubed")
    score = measure.score(measure.tally(aligned(plural("e", "f"), plural("e"))).sum())
    assert score.recall < 1
