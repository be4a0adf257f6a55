"""Votes: quorums, abstentions, closure that never goes against the votes."""

import random
from itertools import combinations

import numpy as np
import pytest

from corefbench.analysis.annotation.annotations import ABSENT, UNMARKED, SpanTable
from corefbench.analysis.annotation.voting import (
    Rule,
    cluster_pieces,
    connect_pieces,
    elect_mentions,
    required_votes,
)
from corefbench.errors import UsageError


def sheet(*annotators: str, absent: str = "") -> SpanTable:
    """Mentions A, B, C …; chains are words: ``sheet("ABC D", "AB CD")``."""
    letters = sorted(set("".join(annotators)) - {" "})
    chains = [
        [next((n for n, word in enumerate(text.split()) if letter in word), UNMARKED) for text in annotators]
        for letter in letters
    ]
    spans = tuple((0, ((n, n + 1),)) for n in range(len(letters)))
    table = np.array(chains, np.int64).reshape(-1, len(annotators))
    for annotator in absent:
        table[:, int(annotator)] = ABSENT
    return SpanTable(label="d", spans=spans, chains=table, mentions=table)


def voted(*annotators: str, rule: Rule = Rule(), absent: str = "") -> str:
    """The merged chains, written as they came in."""
    made = sheet(*annotators, absent=absent)
    letters = sorted(set("".join(annotators)) - {" "})
    keep = elect_mentions(made, rule, {})
    chains = [rows for family in connect_pieces(made) for rows in cluster_pieces(family, keep, rule)]
    return " ".join(sorted("".join(letters[row] for row in rows) for rows in chains))


UNION = Rule(mentions="any", links="any")


def test_a_majority_marks_and_links():
    assert voted("AB C", "AB", "A BD") == "AB"
    assert voted("AB CD", "AB CD", "AC BD") == "AB CD"


def test_who_lacks_a_mention_abstains():
    # C is in one chain with A and B for the two who mark it; the third has AB only.
    assert voted("ABC", "ABC", "AB") == "ABC"


def test_closure_does_not_join_what_the_votes_keep_apart():
    # A-B 2:1 and B-C 2:1, but A-C 1:2.
    assert voted("ABC", "AB C", "A BC") == "AB C"


def test_of_competing_links_the_larger_majority_wins():
    # B-C is unanimous, A-B has 2:1, A-C has 2:1: all agree. Then A-C is denied by one more.
    assert voted("ABC", "ABC", "A BC") == "ABC"
    assert voted("ABC", "A BC", "A BC") == "A BC"


def test_a_union_takes_what_one_marks_and_none_contradicts():
    assert voted("AB", "CD", rule=UNION) == "AB CD"
    assert voted("AB", "BC", rule=UNION) == "ABC"
    assert voted("ABC", "AB C", rule=UNION) == "AB C"


def test_a_union_is_not_talked_into_a_denied_link_by_a_third_mention():
    # A and C are one chain for the first and two for the second, who has not marked B.
    assert voted("ABC", "A C", rule=UNION) == "AB C"


def test_ties_can_be_joined():
    assert voted("ABC", "AB C", rule=Rule(mentions="any", links="any", ties="join")) == "ABC"


def test_an_intersection_takes_what_all_say():
    assert voted("ABC D", "AB CD", rule=Rule(mentions="all", links="all")) == "AB C D"
    assert voted("AB", "A", rule=Rule(mentions="all", links="all")) == "A"


def test_a_mention_with_too_few_votes_for_a_link_stays_alone():
    assert voted("ABC", "A", "A", rule=Rule(mentions="any", links="majority")) == "A B C"


def test_who_does_not_have_the_document_has_no_vote():
    assert voted("AB", "AB", "", absent="2") == "AB"
    assert voted("AB C", "AB", "", absent="2") == "AB"


@pytest.mark.parametrize("asked", ["most", "0", "-1", ""])
def test_unknown_quorums_are_refused(asked):
    with pytest.raises(UsageError, match="quorum"):
        required_votes(asked, 3)


def random_annotations(seed: int, annotators: int) -> list[str]:
    chance = random.Random(seed)
    made = []
    for _ in range(annotators):
        chains = [""] * 4
        for letter in "ABCDEFGHIJ":
            if chance.random() < 0.85:
                chains[min(int(chance.random() * 5), 3)] += letter
        made.append(" ".join(filter(None, chains)))
    return made


@pytest.mark.parametrize("seed", range(40))
def test_the_result_is_a_partition_that_keeps_to_the_votes(seed):
    given = random_annotations(seed, annotators=2 + seed % 4)
    rule = (Rule(), UNION, Rule(mentions="2", links="any"))[seed % 3]
    chains = voted(*given, rule=rule).split()
    marked = [letter for letter in "ABCDEFGHIJ" if any(letter in text for text in given)]
    votes = {letter: sum(letter in text for text in given) for letter in marked}
    needed = required_votes(rule.mentions, len(given))
    assert sorted("".join(chains)) == [m for m in marked if votes[m] >= needed]
    for chain in chains:
        for a, b in combinations(chain, 2):
            together = sum(any(a in w and b in w for w in text.split()) for text in given)
            both = sum(a in text and b in text for text in given)
            assert 2 * together > both or both == 0


@pytest.mark.parametrize("seed", range(10))
def test_the_order_of_annotators_does_not_matter(seed):
    given = random_annotations(seed, annotators=3)
    assert len({voted(*order) for order in (given, given[::-1], given[1:] + given[:1])}) == 1


@pytest.mark.parametrize("rule", [Rule(), UNION, Rule(mentions="all", links="all")])
def test_annotations_that_agree_stay_as_they_are(rule):
    assert voted("ABC DE F", "ABC DE F", "ABC DE F", rule=rule) == "ABC DE F"
