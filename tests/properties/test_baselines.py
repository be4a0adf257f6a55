"""The two baselines that need no text: every mention alone, all mentions together."""

import pytest
from hypothesis import given

import corefbench as cb
from tests.properties.partitions import Pair, Spans, pairs


def everything(key: Spans) -> list[tuple[int, int]]:
    return [span for chain in key for span in chain]


@given(pairs())
def test_of_singletons_b_cubed_recall_is_chains_over_mentions(pair: Pair) -> None:
    key, _ = pair
    spans = everything(key)
    result = cb.score_clusters(key, [[span] for span in spans])
    expected = len(key) / len(spans) if spans else 0.0
    assert result["b_cubed"].recall == pytest.approx(expected)
    assert result["ceaf_m"].recall == pytest.approx(expected)
    assert result["b_cubed"].precision == bool(spans)
    assert result["muc"].f1 == 0


@given(pairs())
def test_of_all_in_one_muc_precision_is_links_over_possible_links(pair: Pair) -> None:
    key, _ = pair
    spans = everything(key)
    result = cb.score_clusters(key, [spans] if spans else [])
    links, possible = len(spans) - len(key), max(len(spans) - 1, 0)
    assert result["muc"].recall == bool(links)
    assert result["muc"].precision == pytest.approx(links / possible if possible else 0.0)
    assert result["b_cubed"].recall == pytest.approx(float(bool(spans)))


@given(pairs())
def test_of_all_in_one_ceaf_finds_the_largest_chain(pair: Pair) -> None:
    key, _ = pair
    spans = everything(key)
    result = cb.score_clusters(key, [spans] if spans else [])
    largest = max(map(len, key), default=0)
    assert result["ceaf_m"].f1 == pytest.approx(largest / len(spans) if spans else 0.0)
