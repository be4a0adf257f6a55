"""Bridging at its three levels, counted by hand and by the Universal Anaphora scorer."""

import os
import random
import sys
from pathlib import Path

import pytest

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.scoring.matching.alignment import Alignment, Twins
from corefbench.scoring.matching.exact import match
from corefbench.scoring.measures.bridging import Bridging

LEVELS = ("anaphor", "mention", "entity")


def corpus(text: str, bridges: dict[str, str], *, silent: str = "") -> Corpus:
    """Chains of one-letter mentions; anaphors and their antecedents by letter."""
    build = CorpusBuilder("test")
    build.begin_document("d")
    build.sentence([chr(ord("a") + n) for n in range(26)])
    numbers = {}
    for label, mentions in enumerate(text.split()):
        for letter in mentions:
            start = ord(letter) - ord("a")
            numbers[letter] = build.mention(str(label), [(start, start + 1)], referring=letter not in silent)
    for anaphor, antecedent in bridges.items():
        build.bridge(numbers[anaphor], mention=numbers[antecedent])
    return build.finish()


def counts(key: Corpus, response: Corpus, level: str) -> list[float]:
    alignment = Alignment(key=key, response=response, twins=match(key, response))
    tally = Bridging(level=level).tally(alignment)
    return tally.values.sum(axis=0).tolist()


KEY = corpus("ab c d e", {"d": "b", "e": "c"})


def test_equal_antecedents_are_right_at_every_level():
    for level in LEVELS:
        assert counts(KEY, KEY, level) == [2, 2, 2, 2]


def test_another_mention_of_the_key_entity_is_right_at_entity_level_only():
    response = corpus("a b c d e", {"d": "a", "e": "c"})
    assert counts(KEY, response, "anaphor") == [2, 2, 2, 2]
    assert counts(KEY, response, "mention") == [1, 2, 1, 2]
    assert counts(KEY, response, "entity") == [2, 2, 2, 2]


def test_a_wrong_antecedent_costs_recall_and_precision():
    response = corpus("ab c d e", {"d": "c"})
    assert counts(KEY, response, "anaphor") == [1, 2, 1, 1]
    assert counts(KEY, response, "entity") == [0, 2, 0, 1]


def test_missed_and_spurious_anaphors_count_against_their_side():
    response = corpus("ab c d e f", {"f": "a", "e": "c"})
    assert counts(KEY, response, "mention") == [1, 2, 1, 2]


def test_antecedents_that_the_key_does_not_have_are_wrong():
    response = corpus("ab c d e x", {"d": "x"})
    assert counts(KEY, response, "entity") == [0, 2, 0, 1]
    key, response = corpus("bc d", {"d": "b"}), corpus("a bc d", {"d": "a"})
    assert counts(key, response, "entity") == [0, 1, 0, 1]


def test_non_referring_antecedents_count_by_span_only():
    key = corpus("ab d", {"d": "b"}, silent="ab")
    assert counts(key, corpus("ab d", {"d": "a"}, silent="ab"), "entity") == [0, 1, 0, 1]
    assert counts(key, corpus("ab d", {"d": "b"}), "entity") == [1, 1, 1, 1]


def test_the_matching_rule_is_not_consulted():
    none = Twins(key=match(KEY, KEY).key * 0 - 1)
    alignment = Alignment(key=KEY, response=KEY, twins=none)
    assert Bridging().tally(alignment).values.tolist() == [[2, 2, 2, 2]]


def test_a_chain_as_antecedent_is_its_last_mention_before_the_anaphor():
    build = CorpusBuilder("test")
    build.begin_document("d")
    build.sentence(list("abcde"))
    for start in (0, 1, 4):
        build.mention("house", [(start, start + 1)])
    door = build.mention("door", [(3, 4)])
    build.bridge(door, chain=0)
    response = build.finish()
    assert counts(corpus("abe d", {"d": "b"}), response, "mention") == [1, 1, 1, 1]


def houses(*, mention: int, chain: int) -> Corpus:
    """A house, a garden, a gate and a door, each a chain; the door bridges to one of them."""
    build = CorpusBuilder("test")
    build.begin_document("d")
    build.sentence(list("abcd"))
    numbers = [build.mention(str(n), [(n, n + 1)]) for n in range(4)]
    build.bridge(numbers[3], mention=mention, chain=chain)
    return build.finish()


def test_a_chain_as_antecedent_is_a_mention_of_that_chain():
    """The gate stands nearer to the door, but it is not the house."""
    key, response = houses(mention=0, chain=-1), houses(mention=-1, chain=0)
    assert counts(key, response, "mention") == [1, 1, 1, 1]


def test_where_mention_and_chain_are_named_the_mention_is_the_antecedent():
    for mention in (0, 1):
        key, response = houses(mention=mention, chain=-1), houses(mention=mention, chain=2)
        assert counts(key, response, "mention") == [1, 1, 1, 1]


def test_no_bridging_is_zero_of_zero():
    empty = corpus("ab", {})
    assert counts(empty, empty, "entity") == [0, 0, 0, 0]


def _import_from_peer(monkeypatch, name: str) -> None:
    """Import the packages of another scorer; several of them use the same package names."""
    folder = os.environ.get("COREFBENCH_PEERS")
    if not folder:
        pytest.skip("COREFBENCH_PEERS does not name the folder of the other scorers")
    for module in [m for m in sys.modules if m.partition(".")[0] in ("coval", "scorer")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.syspath_prepend(str(Path(folder) / name))


@pytest.mark.slow
def test_the_universal_anaphora_scorer_has_the_same_scores(monkeypatch):
    _import_from_peer(monkeypatch, "universal-anaphora-scorer")
    from coval.eval.evaluator import evaluate_bridgings

    rng = random.Random(17)

    def generated() -> tuple[list[str], dict[str, str]]:
        letters = rng.sample("abcdefgh", rng.randint(3, 8))
        cut = rng.randint(1, len(letters))
        text = ["".join(letters[:cut]), *letters[cut:]]
        anaphors = rng.sample(letters, rng.randint(1, 3))
        return text, {a: rng.choice(letters) for a in anaphors}

    for _ in range(10_000):
        (key, key_pairs), (response, response_pairs) = generated(), generated()
        homes = {letter: n for n, chain in enumerate(key) for letter in chain}
        expected = evaluate_bridgings({"d": (key_pairs, response_pairs, homes)})
        sides = corpus(" ".join(key), key_pairs), corpus(" ".join(response), response_pairs)
        alignment = Alignment(key=sides[0], response=sides[1], twins=match(*sides))
        for level, numbers in zip(LEVELS, expected, strict=True):
            measure = Bridging(level=level)
            score = measure.score(measure.tally(alignment).sum())
            theirs = pytest.approx(numbers, rel=1e-9, abs=1e-9)
            assert (score.recall, score.precision, score.f1) == theirs
