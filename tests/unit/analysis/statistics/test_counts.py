"""The OOV and low-frequency rates of Chen et al. 2018, section 3.4, by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefbench.analysis.statistics import compute_figures, count_corpus, counts, describe
from corefbench.analysis.statistics.counts import learn_vocabulary
from corefbench.corpus.builder import CorpusBuilder
from tests.unit.analysis.statistics.corpora import ann_and_the_dog, corpus


@pytest.fixture
def values():
    return compute_figures(count_corpus(ann_and_the_dog()))


def test_sizes_are_those_counted_by_hand(values):
    sizes = ("documents", "sentences", "tokens", "mentions")
    assert [values[key] for key in sizes] == [1, 4, 21, 10]


def test_chains_count_singletons_and_coreferent_chains_do_not(values):
    assert (values["chains"], values["coreferent_chains"], values["singletons"]) == (4, 3, 1)


def test_the_singleton_rate_is_singletons_by_mentions(values):
    assert values["singleton_rate"] == 1 / 10


def test_mention_lengths_of_singletons_and_chains_are_in_tokens(values):
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
    empty = compute_figures(count_corpus(corpus("")))
    rates = ("singleton_rate", "mention_length", "mention_density", "coreferent_chain_size")
    assert [empty[key] for key in rates] == [None] * 4
    assert (empty["documents"], empty["mentions"], empty["pronouns"]) == (1, 0, 0)


def test_a_discontinuous_mention_is_as_long_as_its_parts():
    build = CorpusBuilder("made")
    build.begin_document("d")
    build.sentence(["Ann", "picked", "it", "all", "up"])
    build.mention("e", [(1, 2), (4, 5)])
    build.mention("f", [(2, 3)])
    values = compute_figures(count_corpus(build.finish()))
    assert values["discontinuous_mentions"] == 1
    assert values["mention_length"] == (2 + 1) / 2


def test_a_zero_is_not_a_token_and_has_length_0():
    build = CorpusBuilder("made")
    build.begin_document("d")
    build.sentence(["_", "llueve", "aquí"], empty=[True, False, False])
    build.mention("e", [(0, 1)], head=0)
    build.mention("e", [(2, 3)], head=2)
    values = compute_figures(count_corpus(build.finish()))
    assert (values["tokens"], values["empty_nodes"], values["zeros"]) == (2, 1, 1)
    assert values["mention_length"] == (0 + 1) / 2


def test_repeated_spans_count_every_mention_after_the_first():
    values = compute_figures(count_corpus(corpus("a b", mentions=[("1", 0, 1), ("2", 0, 1), ("3", 0, 1)])))
    assert values["repeated_spans"] == 2


def test_non_referring_markables_are_counted_apart():
    build = CorpusBuilder("made")
    build.begin_document("d")
    build.sentence(["It", "rains", "on", "Ann"])
    build.mention("x", [(0, 1)], referring=False)
    build.mention("ann", [(3, 4)])
    values = compute_figures(count_corpus(build.finish()))
    assert (values["mentions"], values["chains"], values["non_referring"]) == (1, 1, 1)


SPANS = st.tuples(st.integers(0, 9), st.integers(1, 6)).map(lambda s: (s[0], s[0] + s[1]))


def test_depth_is_the_number_of_mentions_around():
    # Bob lies in the dog of Bob, His in His dog; the other eight are outermost.
    assert count_corpus(ann_and_the_dog()).overlaps.depths == {0: 8, 1: 2}


def test_three_mentions_in_one_another_have_depths_0_1_and_2():
    values = compute_figures(count_corpus(corpus("a b c", mentions=[("1", 0, 3), ("2", 0, 2), ("3", 1, 2)])))
    assert (values["nested_mentions"], values["nesting_depth"]) == (2, 2)


def test_crossing_pairs_of_one_chain_and_of_two_are_counted_separately():
    # 0–2 crosses 1–3 (chains 1 and 1) and 1–4 (chains 1 and 2); 1–3 lies within 1–4.
    values = compute_figures(count_corpus(corpus("a b c d", mentions=[("1", 0, 2), ("1", 1, 3), ("2", 1, 4)])))
    assert values["crossing_pairs"] == 2
    assert values["crossing_pairs_same_chain"] == 1
    assert values["crossing_pairs_other_chain"] == 1


def test_neighbours_and_equal_spans_neither_cross_nor_nest():
    values = compute_figures(count_corpus(corpus("a b c", mentions=[("1", 0, 1), ("2", 1, 2), ("3", 1, 2)])))
    assert (values["crossing_pairs"], values["nested_mentions"]) == (0, 0)


@given(st.lists(st.tuples(SPANS, st.integers(0, 2)), max_size=12))
def test_counts_of_overlaps_agree_with_the_definition(mentions):
    made = corpus("w " * 16, mentions=[(str(chain), a, b) for (a, b), chain in mentions])
    depths, same, other = [], 0, 0
    for (a, b), chain in mentions:
        around = [(c, d) for (c, d), _ in mentions if c <= a and b <= d and (c, d) != (a, b)]
        depths.append(len(around))
        crossed = [chain == its for (c, d), its in mentions if a < c < b < d]
        same, other = same + sum(crossed), other + len(crossed) - sum(crossed)
    found = counts.count_overlaps(made, made.mentions.chain)
    assert found.depths == dict(zip(*np.unique(depths, return_counts=True), strict=True))
    assert (found.crossing_same_chain, found.crossing_other_chain) == (same, other)


TRAINING = corpus("the " * 12 + "dog " * 10 + "cat " * 9 + "B2B well-known 7")


def rates(*sentences: str, **options: int) -> tuple[float | None, float | None]:
    values = compute_figures(describe(corpus(*sentences), train=TRAINING, **options).counts)
    return values["oov_rate"], values["low_frequency_rate"]


def test_tokens_with_non_alphabetic_characters_are_ignored_above_and_below_the_line():
    # the, dog, bird remain; B2B, 's, 7 and . are ignored: 1 of 3 is unknown
    assert rates("the dog 's B2B bird 7 .")[0] == 1 / 3


def test_every_token_counts_not_every_word():
    assert rates("bird bird bird the")[0] == 3 / 4


def test_a_word_below_ten_occurrences_in_training_is_of_low_frequency():
    # the 12, dog 10: frequent; cat 9, bird 0: not
    assert rates("the dog cat bird")[1] == 2 / 4


def test_the_border_of_low_frequency_can_be_set():
    # at least 1 occurrence: the low-frequency rate is the OOV rate
    assert rates("the dog cat bird", low_frequency=1) == (1 / 4, 1 / 4)


def test_upper_and_lower_case_are_different_words():
    assert rates("The the")[0] == 1 / 2


def test_without_training_or_without_words_there_is_no_rate():
    assert compute_figures(describe(corpus("the dog")).counts)["oov_rate"] is None
    assert rates("7 .") == (None, None)


def test_training_adds_over_blocks_and_leaves_out_empty_nodes():
    build = CorpusBuilder("made")
    build.begin_document("d")
    build.sentence(["zero", "dog"], empty=[True, False])
    training = learn_vocabulary([build.finish(), corpus("the dog", mentions=[("1", 0, 1)])])
    assert training.words == {"dog": 2, "the": 1}
    assert (training.documents, training.tokens, training.chain_sizes) == (2, 3, {1: 1})
