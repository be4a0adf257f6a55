"""Sizes and lengths, each counted by hand."""

import pytest

from corefbench.model.builder import CorpusBuilder
from corefbench.stats import count, figures
from tests.unit.stats.corpora import ann_and_the_dog, corpus


@pytest.fixture
def values():
    return figures(count(ann_and_the_dog()))


def test_sizes_are_those_counted_by_hand(values):
    sizes = ("documents", "sentences", "tokens", "mentions")
    assert [values[key] for key in sizes] == [1, 4, 21, 10]


def test_chains_count_singletons_and_coreferent_chains_do_not(values):
    assert (values["chains"], values["coreferent_chains"], values["singletons"]) == (4, 3, 1)


def test_the_singleton_rate_is_singletons_by_mentions(values):
    assert values["singleton_rate"] == 1 / 10


def test_mention_lengths_are_in_tokens_and_told_apart(values):
    # coreferent: Ann 1, the dog of Bob 4, Bob 1, It 1, her 1, She 1, herself 1, His dog 2, His 1
    assert values["coreferent_mention_length"] == (1 + 4 + 1 + 1 + 1 + 1 + 1 + 2 + 1) / 9
    assert values["singleton_mention_length"] == 1
    assert values["mention_length"] == (13 + 1) / 10


def test_densities_are_by_token(values):
    assert values["mention_density"] == 10 / 21
    assert values["coreferent_mention_density"] == 9 / 21
    assert values["singleton_mention_density"] == 1 / 21
    assert values["coreferent_chain_density"] == 3 / 21


def test_the_chain_size_is_of_coreferent_chains_only(values):
    assert values["coreferent_chain_size"] == (4 + 3 + 2) / 3


def test_rates_of_an_empty_document_are_none():
    empty = figures(count(corpus("")))
    rates = ("singleton_rate", "mention_length", "mention_density", "coreferent_chain_size")
    assert [empty[key] for key in rates] == [None] * 4
    assert (empty["documents"], empty["mentions"], empty["pronouns"]) == (1, 0, 0)


def test_a_discontinuous_mention_is_as_long_as_its_parts():
    build = CorpusBuilder("made")
    build.begin_document("d")
    build.sentence(["Ann", "picked", "it", "all", "up"])
    build.mention("e", [(1, 2), (4, 5)])
    build.mention("f", [(2, 3)])
    values = figures(count(build.finish()))
    assert values["discontinuous_mentions"] == 1
    assert values["mention_length"] == (2 + 1) / 2


def test_a_zero_is_no_token_and_has_length_0():
    build = CorpusBuilder("made")
    build.begin_document("d")
    build.sentence(["_", "llueve", "aquí"], empty=[True, False, False])
    build.mention("e", [(0, 1)], head=0)
    build.mention("e", [(2, 3)], head=2)
    values = figures(count(build.finish()))
    assert (values["tokens"], values["empty_nodes"], values["zeros"]) == (2, 1, 1)
    assert values["mention_length"] == (0 + 1) / 2


def test_repeated_spans_count_every_mention_after_the_first():
    values = figures(count(corpus("a b", mentions=[("1", 0, 1), ("2", 0, 1), ("3", 0, 1)])))
    assert values["repeated_spans"] == 2


def test_non_referring_markables_are_counted_apart():
    build = CorpusBuilder("made")
    build.begin_document("d")
    build.sentence(["It", "rains", "on", "Ann"])
    build.mention("x", [(0, 1)], referring=False)
    build.mention("ann", [(3, 4)])
    values = figures(count(build.finish()))
    assert (values["mentions"], values["chains"], values["non_referring"]) == (1, 1, 1)
