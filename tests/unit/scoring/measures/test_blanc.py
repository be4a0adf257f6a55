"""BLANC: links counted, not listed."""

import pytest

from corefbench.scoring.measures import parse
from corefbench.scoring.measures.blanc import BLANC
from tests.tables import table

NAMES = (
    "shared_coreferent", "key_coreferent", "response_coreferent",
    "shared_separate", "key_separate", "response_separate",
)  # fmt: skip


def counts(key: str, response: str, links: str = "sets") -> tuple[float, ...]:
    total = parse(f"blanc(links={links})").tally(table(key, response)).sum()
    return tuple(total[name] for name in NAMES)


def test_links_of_the_worked_example() -> None:
    """Key ABC DE has the links AB AC BC DE, response BC ADE has BC AD AE DE."""
    assert counts("ABC DE", "BC ADE") == (2, 4, 4, 4, 6, 6)


def test_mentions_of_one_side_have_links_of_that_side_only() -> None:
    assert counts("AB", "ABX") == (1, 1, 3, 0, 0, 0)
    assert counts("AB Z", "AB X") == (1, 1, 1, 0, 2, 2)


def test_links_do_not_cross_documents() -> None:
    assert counts("AB|CD", "AB|CD") == (2, 2, 2, 0, 0, 0)


def test_old_scorers_take_a_stray_mention_for_one_of_the_first_chain() -> None:
    """Y in the response: 3 pairs with A, B, C are wrongly apart, 2 with D and E rightly."""
    attracted, key, response, repelled, key_apart, apart = counts("ABC DE", "BC ADE Y", "response")
    assert (attracted, response - attracted) == (2, 2)
    assert (key - attracted, repelled) == (5, 6)
    assert (key_apart, apart) == (8, 11)
    measure = BLANC(links="response")
    score = measure.score(measure.tally(table("ABC DE", "BC ADE Y")).sum())
    assert score.recall == pytest.approx((2 / 7 + 6 / 8) / 2)
    assert score.precision == pytest.approx((2 / 4 + 6 / 11) / 2)
    assert score.f1 == pytest.approx((4 / 11 + 12 / 19) / 2)


def test_which_chain_is_first_matters_to_old_scorers() -> None:
    assert counts("ABC DE", "BC ADE Y", "response") != counts("DE ABC", "BC ADE Y", "response")


def test_a_document_without_key_chains_is_one_chain_of_strays() -> None:
    assert counts("|AB", "XY Z|AB", "response") == (2, 4, 2, 0, 0, 2)


def test_the_first_chain_is_that_of_the_document() -> None:
    """X counts as one of CD, not of AB or EFG: of 15 pairs 3 + 3 are coreferent in the key."""
    assert counts("AB|CD EFG", "AB|CD EFG X", "response") == (5, 7, 5, 9, 9, 11)


def test_without_response_chains_there_are_no_pairs() -> None:
    assert counts("AB", "", "response") == (0, 0, 0, 0, 0, 0)


@pytest.mark.parametrize(("edge", "f1"), [("key", 8 / 19), ("both", 4 / 19)])
def test_a_half_that_only_the_response_has(edge: str, f1: float) -> None:
    """Key ABCDEF has 15 links, the response 4 of them and 11 that are none."""
    measure = parse(f"blanc(edge={edge})")
    score = measure.score(measure.tally(table("ABCDEF", "AB CDE F")).sum())
    assert score.f1 == pytest.approx(f1)


def test_f1_is_the_mean_of_the_halves_not_of_recall_and_precision() -> None:
    measure = BLANC()
    score = measure.score(measure.tally(table("ABC DE", "AB CDE Y")).sum())
    harmonic = 2 * score.recall * score.precision / (score.recall + score.precision)
    assert score.f1 != pytest.approx(harmonic)


def test_the_edge_is_judged_by_the_totals_of_all_documents() -> None:
    """The first document of the key has no links apart, the second has: both halves count."""
    measure = BLANC()
    total = measure.tally(table("AB|C D", "AB|C D")).sum()
    assert (total["key_coreferent"], total["key_separate"]) == (1, 1)
    assert measure.score(total).f1 == 1
