"""Repaired responses: hand-worked, and on random corpora the key itself."""

from random import Random

import pytest

import corefbench as cb
from benchmarks.random_documents import make_cases
from benchmarks.render import corefud
from corefbench.analysis.errors import CLASSES, error_analysis
from corefbench.analysis.errors.operations import find_operations
from corefbench.analysis.errors.repair import Repairs
from corefbench.scoring.clusters import corpora_from_clusters
from tests.unit.analysis.errors.texts import analyse, chains, corpus

ALL = CLASSES["operations"]
KEY = "[1 Ann ] met [2 Bob ] . / [1 She ] saw [2 him ] . / [2 Bob ] left ."
RESPONSE = "[1 Ann ] met [2 Bob ] . / [1 She ] saw [1 him ] . / [3 Bob ] left ."


def repaired(key: str, response: str, *kinds: str) -> list[set[tuple[int, int, int]]]:
    analysis = analyse(key, response)
    return chains(Repairs(analysis.operations).apply(kinds))


def test_without_operations_the_response_stays_as_it_is():
    assert repaired(KEY, RESPONSE) == chains(corpus(RESPONSE))


def test_a_split_takes_the_piece_out_of_its_chain_and_no_more():
    # him leaves the chain of Ann and She and is alone.
    ann, bob, she, him, bob2 = ((0, 0, 1), (0, 2, 3), (0, 4, 5), (0, 6, 7), (0, 8, 9))
    assert repaired(KEY, RESPONSE, "conflated-entities") == [{ann, she}, {bob}, {him}, {bob2}]


def test_a_merge_joins_whole_chains_while_they_are_conflated():
    # him and the second Bob are merged with the first; him brings Ann and She along.
    everything = {(0, 0, 1), (0, 2, 3), (0, 4, 5), (0, 6, 7), (0, 8, 9)}
    assert repaired(KEY, RESPONSE, "divided-entity") == [everything]


def test_splits_and_merges_together_make_the_key():
    assert repaired(KEY, RESPONSE, "conflated-entities", "divided-entity") == chains(corpus(KEY))


def test_scores_of_a_repaired_response_are_those_of_the_same_response_written_by_hand():
    split = "[1 Ann ] met [2 Bob ] . / [1 She ] saw [4 him ] . / [3 Bob ] left ."
    expected = cb.score(corpus(KEY), corpus(split))
    rows = {row.kind: row for row in analyse(KEY, RESPONSE).if_fixed()}
    assert rows["conflated-entities"].alone["conll"] == pytest.approx(expected.conll.f1)
    assert rows["conflated-entities"].alone["lea"] == pytest.approx(expected["lea"].f1)
    assert rows["none"].alone["conll"] == cb.score(corpus(KEY), corpus(RESPONSE)).conll.f1


def test_a_missing_mention_joins_the_piece_that_is_there():
    key = "[1 Ann ] said [1 she ] would bring [1 her ] dog"
    response = "[1 Ann ] said [1 she ] would bring her dog"
    assert repaired(key, response, "missing-mention") == chains(corpus(key))


def test_an_altered_span_keeps_its_chain():
    key = "[1 the old mayor of Rome ] spoke . / [1 He ] left ."
    response = "[1 the old mayor ] of Rome spoke . / [1 He ] left ."
    assert repaired(key, response, "span-error") == chains(corpus(key))


@pytest.mark.parametrize("seed", range(40))
def test_all_operations_together_yield_the_key(seed):
    """On random documents with nested, crossing and repeated mentions of every difficulty."""
    for case in make_cases(12, seed):
        key, response = corpora_from_clusters(
            *(
                [[(start, end - 1) for start, end in chain] for chain in side]
                for side in (case.pair.key, case.pair.response)
            )
        )
        analysis = error_analysis(key, response)
        made = chains(Repairs(analysis.operations).apply(ALL))
        assert made == chains(analysis.pair.key.corpus)


@pytest.mark.parametrize("seed", range(6))
def test_under_lenient_matching_all_operations_yield_the_key_too(seed):
    """Twins by their heads have other spans; those are no errors, but the key's in the end."""
    for case in make_cases(12, seed):
        if not case.repeats():
            key, response = (
                corefud(case.pair, side, heads).encode()
                for side, heads in (("key", case.key_heads), ("response", case.response_heads))
            )
            analysis = error_analysis(key, response, "corefud", singletons="keep")
            made = Repairs(analysis.operations)
            assert chains(made.apply(ALL)) == chains(analysis.pair.key.corpus)
            before = cb.score(key, response, "corefud", singletons="keep")
            again = cb.score(key, made.apply([]), "corefud", singletons="keep")
            assert again["muc"] == before["muc"]


@pytest.mark.parametrize("seed", range(20))
def test_any_order_of_classes_ends_at_the_key_with_f1_of_one(seed):
    """Random words, so that spans are altered and pronouns lead, too."""
    key, response = random_texts(Random(seed))
    analysis = error_analysis(key, response)
    rows = analysis.if_fixed()
    assert set(rows[-1].alone.values()) | set(rows[-2].together.values()) == {1.0}
    assert rows[0].alone["conll"] == cb.score(key, response).conll.f1
    assert sum(row.errors for row in rows[:-1]) == rows[-1].errors
    assert rows[-1].errors == len(find_operations(analysis.pair).errors)


def random_texts(random: Random):
    """A text of names, nouns and pronouns with two sets of chains that share most mentions."""
    words = [
        random.choice(["Ann", "Bob", "she", "he", "the", "old", "mayor", "of", "Rome", "dog", "'s", ","])
        for _ in range(60)
    ]
    spans = sorted({(a, min(a + random.randint(1, 4), 60)) for a in random.sample(range(59), 30)})

    def chosen() -> str:
        kept = [span for span in spans if random.random() < 0.8]
        return written(words, [(span, random.randrange(8)) for span in without_crossing(kept)])

    return corpus(chosen()), corpus(chosen())


def without_crossing(spans):
    kept = []
    for span in spans:
        if not any(a < span[0] < b < span[1] for a, b in kept):
            kept.append(span)
    return kept


def written(words, mentions) -> str:
    pieces = []
    for place, word in enumerate(words):
        opening = sorted((s for s in mentions if s[0][0] == place), key=lambda s: -s[0][1])
        closing = sum(s[0][1] == place + 1 for s in mentions)
        pieces += [*(f"[{chain}" for _, chain in opening), word, *["]"] * closing]
        pieces += ["/"] if place % 9 == 8 else []
    return " ".join(pieces)
