"""Agreement of every two and of all, quality against a key, and Krippendorff's α against published examples."""

import random
from fractions import Fraction

import numpy as np
import pytest

import corefbench as cb
from corefbench.analysis.annotation import agreement, merge
from corefbench.analysis.annotation.agreement import MISSING, SIMILARITIES, compute_alpha, compute_alphas
from corefbench.analysis.annotation.annotations import UNMARKED
from corefbench.errors import MismatchError, UsageError
from tests.conll import conll

WORDS = list("abcdef")
ONE = conll("(1)", "(1)", "(1)", "(2)", "(2)", "-", words=WORDS)
TWO = conll("(1)", "(1)", "(2)", "(2)", "(2)", "-", words=WORDS)
THREE = conll("(1)", "(1)", "(1)", "-", "-", "(3)", words=WORDS)
KEY = conll("(1)", "(1)", "(1)", "(2)", "(2)", "(3)", words=WORDS)


def test_every_two_are_scored_and_the_mean_is_taken():
    agreed = agreement({"a": ONE, "b": TWO, "c": THREE})
    assert [(pair.one, pair.other) for pair in agreed.pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
    # MUC, links: abc de / ab cde share a-b and d-e, 2 of 3 and 2 of 3; abc de / abc f share 2 of
    # 2 and 2 of 3; ab cde / abc f share a-b, 1 of 3 and 1 of 2.
    muc = [pair.result["muc"].f1 for pair in agreed.pairs]
    assert muc == pytest.approx([2 / 3, 4 / 5, 2 / 5])
    assert agreed.f1["muc"] == pytest.approx(sum(muc) / 3)
    # Mentions: 5 of 5; 3 of 5 and 3 of 4; the same.
    mentions = [pair.result["mentions"].f1 for pair in agreed.pairs]
    assert mentions == pytest.approx([1, 2 / 3, 2 / 3])
    assert (agreed.spans.marked, agreed.spans.by_all, agreed.spans.by_one) == (6, 3, 1)


def test_annotators_can_change_places():
    one, other = agreement([ONE, THREE]), agreement([THREE, ONE])
    assert one.f1 == pytest.approx(other.f1)
    assert one.alphas == pytest.approx(other.alphas)


def test_the_same_annotation_twice_agrees_wholly():
    agreed = agreement([ONE, ONE])
    assert set(agreed.alphas.values()) == {1.0}
    assert set(agreed.f1.values()) == {1.0}


def test_alpha_of_two_looks_at_what_these_two_mark_only():
    # Whether or not a third marks f, a and b are as far apart.
    with_third = agreement([ONE, TWO, THREE]).pairs[0].alphas
    assert with_third == pytest.approx(agreement([ONE, TWO]).alphas)


def test_documents_have_their_own_alpha():
    other = conll("(1)", "(1)", name="e", words=["x", "y"])
    agreed = agreement([ONE + other, TWO + other])
    assert list(agreed.by_document) == ["d_0", "e_0"]
    assert agreed.by_document["d_0"] == pytest.approx(agreement([ONE, TWO]).alphas)
    assert agreed.by_document["e_0"]["masi"] is None  # one value: nothing to disagree on


def test_quality_is_the_mean_of_annotators_and_of_their_merges():
    agreed = agreement({"a": ONE, "b": TWO, "c": THREE}, key=KEY).quality
    assert [row.process for row in agreed.processes] == ["once", "merge of two", "vote of 3"]
    alone = [cb.score(KEY, each)["muc"] for each in (ONE, TWO, THREE)]
    once = agreed.processes[0].scores["muc"]
    assert once.recall == pytest.approx(sum(score.recall for score in alone) / 3)
    # By hand: MUC recall of the three is 3/3, 2/3 and 2/3, precision 3/3, 2/3 and 2/2.
    assert (once.recall, once.precision) == pytest.approx((7 / 9, 8 / 9))
    pairs = [(ONE, TWO), (ONE, THREE), (TWO, THREE)]
    merged = [cb.score(KEY, merge(pair).corpus)["b_cubed"].f1 for pair in pairs]
    assert agreed.processes[1].scores["b_cubed"].f1 == pytest.approx(sum(merged) / 3)
    voted = cb.score(KEY, merge([ONE, TWO, THREE]).corpus)
    assert agreed.processes[2].scores["average"].f1 == pytest.approx(voted.conll.f1)
    assert agreed.averaged == ("muc", "b_cubed", "ceaf_e")


def test_two_have_no_vote():
    agreed = agreement([ONE, TWO], key=KEY).quality
    assert [row.process for row in agreed.processes] == ["once", "merge of two"]


def test_profiles_can_be_chosen():
    agreed = agreement([ONE, TWO], profile="coval-remove")
    assert agreed.pairs[0].result.profile.name == "coval-remove"


def test_annotators_without_a_shared_document_are_not_compared():
    other = conll("(1)", "(1)", name="e", words=["x", "y"])
    agreed = agreement({"a": ONE, "b": TWO + other, "c": other}, lenient=True)
    assert [(pair.one, pair.other) for pair in agreed.pairs] == [("a", "b"), ("b", "c")]
    assert agreed.f1["muc"] == pytest.approx((2 / 3 + 1) / 2)


def test_invalid_settings_and_unknown_resolvers_raise():
    with pytest.raises(UsageError):
        agreement([ONE, TWO], missing="guess")
    with pytest.raises(UsageError):
        agreement([ONE, TWO], scope="world")
    with pytest.raises(MismatchError):
        agreement([ONE, conll("(1)", "(1)", words=["x", "y"])])


def nominal(*coders: str) -> float:
    """α of labels, a letter a unit and coder; a point is no value."""
    known = sorted(set("".join(coders)) - {"."})
    units = zip(*coders, strict=True)
    values = np.array([[known.index(c) if c != "." else -1 for c in unit] for unit in units])
    equal = np.arange(len(known)) * (len(known) + 1)
    return compute_alpha(values, len(known), equal, np.ones(len(known)))


def test_examples_of_krippendorff_2011():
    """*Computing Krippendorff's Alpha-Reliability*, examples A, B and C."""
    assert nominal("0100000010", "1110010000") == pytest.approx(0.095, abs=0.0005)
    assert nominal("aabbdcccedda", "babbbccceddd") == pytest.approx(0.692, abs=0.0005)
    four = ("123321412...", "1233224125.3", ".3332342251.", "12332441251.")
    assert nominal(*four) == pytest.approx(0.743, abs=0.0005)


def sheet(*annotators: str) -> np.ndarray:
    """Mentions A, B, C …; chains are words: ``sheet("ABC D", "AB CD")``."""
    letters = sorted(set("".join(annotators)) - {" "})
    chains = [
        [next((n for n, word in enumerate(text.split()) if letter in word), UNMARKED) for text in annotators]
        for letter in letters
    ]
    return np.array(chains, np.int64).reshape(-1, len(annotators))


def distance(name: str, a: frozenset[int], b: frozenset[int]) -> float:
    sizes = (np.array([size]) for size in (len(a), len(b), len(a & b)))
    return 1 - float(SIMILARITIES[name](*sizes)[0])


def test_an_example_worked_by_hand():
    """ABC D against AB CD, by the distances of Passonneau 2004.

    Units A and B: ABC ⊃ AB, ⅓ each; C: ABC and CD overlap, ⅔; D: D ⊂ CD, ⅓. So Dₒ = 2·(5/3) ÷ 8.
    Values 3×ABC, 1×D, 2×AB, 2×CD: 3·1·1 + 3·2·⅓ + 3·2·⅔ + 1·2·1 + 1·2·⅓ + 2·2·1 = 47/3 for the
    pairs, so Dₑ = (94/3) ÷ 56, and α = 1 − (5/12) ÷ (47/84) = 12/47.
    """
    assert compute_alphas([sheet("ABC D", "AB CD")])["passonneau"] == pytest.approx(12 / 47, abs=1e-12)


def test_an_unmarked_mention_is_a_singleton_or_has_no_value():
    """AB against A alone: with B a singleton of its own Dₒ = ⅓ (passonneau), values 2×AB, A, B:
    Dₑ = 2·(2·⅓ + 2·⅓ + 1) ÷ 12 = 7/18. Without a value only A counts, and its values 1×AB, 1×A."""
    both = [sheet("AB", "A")]
    assert compute_alphas(both)["passonneau"] == pytest.approx(1 - Fraction(1, 3) / Fraction(7, 18))
    assert compute_alphas(both, "absent")["passonneau"] == pytest.approx(0)


def test_distances_are_those_of_the_definitions():
    one, two, three, other = (frozenset(s) for s in ({1, 2, 3}, {1, 2}, {2, 3, 4}, {5}))
    expected = {
        "passonneau": (0, 1 / 3, 2 / 3, 1),
        "masi": (0, 1 - 2 / 3 * 2 / 3, 1 - 2 / 4 * 1 / 3, 1),
        "jaccard": (0, 1 / 3, 1 / 2, 1),
        "dice": (0, 1 - 4 / 5, 1 - 4 / 6, 1),
        "binary": (0, 1, 1, 1),
    }
    assert {name: tuple(distance(name, one, some) for some in (one, two, three, other)) for name in SIMILARITIES} == {
        name: pytest.approx(values) for name, values in expected.items()
    }


def slow(annotators: list[list[set[int]]], units: int, name: str, missing: str) -> float | None:
    """α straight from its definition, over sets."""
    table = []
    for unit in range(units):
        row = []
        for chains in annotators:
            own = [frozenset(chain) for chain in chains if unit in chain]
            if own or missing == "singleton":
                row.append(own[0] if own else frozenset({unit}))
        table.append(row)
    table = [row for row in table if len(row) > 1]
    n = sum(map(len, table))
    if n < 2:
        return None
    observed = sum(
        distance(name, a, b) / (len(row) - 1)
        for row in table
        for i, a in enumerate(row)
        for j, b in enumerate(row)
        if i != j
    )
    everything = [value for row in table for value in row]
    expected = sum(distance(name, a, b) for a in everything for b in everything)
    return None if expected < 1e-12 else 1 - (observed / n) / (expected / (n * (n - 1)))


@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("seed", range(12))
def test_the_fast_version_equals_the_definition(seed, missing):
    chance = random.Random(seed)
    units, texts, sets = 12, [], []
    for _ in range(chance.choice((2, 3, 4))):
        chains: list[set[int]] = [set() for _ in range(4)]
        for unit in range(units):
            if chance.random() < 0.8:
                chance.choice(chains).add(unit)
        sets.append([chain for chain in chains if chain])
        texts.append(" ".join("".join(chr(65 + u) for u in sorted(c)) for c in sets[-1]))
    marked = sorted(set().union(*(chain for chains in sets for chain in chains)))
    place = {unit: number for number, unit in enumerate(marked)}
    sets = [[{place[u] for u in chain} for chain in chains] for chains in sets]
    fast = compute_alphas([sheet(*texts)], missing)
    for name in SIMILARITIES:
        expected = slow(sets, len(marked), name, missing)
        assert fast[name] == (None if expected is None else pytest.approx(expected, abs=1e-9))


def test_chains_of_different_documents_share_nothing():
    one = sheet("AB C", "A BC")
    both = compute_alphas([one, one])["binary"]
    # Six units of 2 values each, all disagreeing but none: Dₒ and Dₑ counted by hand.
    # A, B, C: AB/A, AB/BC, C/BC: Dₒ = 1. Values in each document 2×AB, C, A, 2×BC: equal ordered
    # pairs 4 + 1 + 1 + 4 = 10, so Dₑ = (144 − 20) ÷ 132.
    assert both == pytest.approx(1 - 132 / 124)
