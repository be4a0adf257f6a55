"""Twinless mentions: each step on the table is what it would be on the chains themselves."""

import pytest
from hypothesis import given

from corefbench.scoring.clusters import corpus_from_clusters
from corefbench.scoring.measures.b_cubed import BCubed
from corefbench.scoring.measures.ceaf import CEAFe, CEAFm
from corefbench.scoring.measures.contingency import Contingency, contingency
from corefbench.scoring.policy.twinless import (
    apply_twinless,
    with_missing_as_response,
    with_spurious_as_key,
    without_twinless_response,
    without_twinless_singletons,
)
from tests.properties.partitions import Pair, Spans, pairs
from tests.tables import table

MEASURES = (BCubed(), CEAFm(), CEAFe())


def rebuilt(key: Spans, response: Spans) -> Contingency:
    from corefbench.scoring.matching.alignment import Alignment
    from corefbench.scoring.matching.exact import match

    sides = [corpus_from_clusters({"d": side}, "x") for side in (key, response)]
    return contingency(Alignment(key=sides[0], response=sides[1], twins=match(*sides)))


def spans(chains: Spans) -> set[tuple[int, int]]:
    return {span for chain in chains for span in chain}


def assert_same(one: Contingency, other: Contingency) -> None:
    for measure in MEASURES:
        expected = measure.tally(other).sum()
        assert measure.tally(one).sum() == pytest.approx(expected, abs=1e-12), measure


@given(pairs())
def test_missing_key_mentions_become_response_singletons(pair: Pair) -> None:
    key, response = pair
    missing = [[span] for span in sorted(spans(key) - spans(response))]
    assert_same(with_missing_as_response(rebuilt(key, response)), rebuilt(key, response + missing))


@given(pairs())
def test_spurious_mentions_become_key_singletons(pair: Pair) -> None:
    key, response = pair
    spurious = [[span] for span in sorted(spans(response) - spans(key))]
    assert_same(with_spurious_as_key(rebuilt(key, response)), rebuilt(key + spurious, response))


@given(pairs())
def test_twinless_response_singletons_are_deleted(pair: Pair) -> None:
    key, response = pair
    known = spans(key)
    kept = [chain for chain in response if len(chain) > 1 or chain[0] in known]
    assert_same(without_twinless_singletons(rebuilt(key, response)), rebuilt(key, kept))


@given(pairs())
def test_twinless_response_mentions_are_deleted(pair: Pair) -> None:
    key, response = pair
    known = spans(key)
    kept = [[span for span in chain if span in known] for chain in response]
    kept = [chain for chain in kept if chain]
    assert_same(without_twinless_response(rebuilt(key, response)), rebuilt(key, kept))


def test_no_rule_leaves_the_table_as_it_is() -> None:
    found = table("ABC", "ABX")
    tables = apply_twinless(found, "none")
    assert tables.recall is tables.precision is found


def test_the_rule_of_2011_is_the_same_for_recall_and_precision() -> None:
    tables = apply_twinless(table("ABC", "ABX Y"), "conll-2011")
    assert tables.recall is tables.precision
    assert tables.recall.key_mentions.tolist() == tables.recall.response_mentions.tolist() == [4]


def test_the_rule_of_cai_and_strube_has_two_tables() -> None:
    tables = apply_twinless(table("ABC", "ABX Y"), "cai-strube")
    assert tables.recall.key_mentions.tolist() == [3]
    assert tables.recall.response_mentions.tolist() == [3]
    assert tables.precision.key_mentions.tolist() == [4]
    assert tables.precision.response_mentions.tolist() == [4]
