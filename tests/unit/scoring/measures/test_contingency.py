import pytest

from corefbench.scoring.measures.contingency import Contingency, pairs
from tests.tables import table


def cells(found: Contingency) -> list[tuple[int, int, int]]:
    return list(zip(found.key.tolist(), found.response.tolist(), found.count.tolist(), strict=True))


def test_cells_count_the_mentions_that_two_chains_share() -> None:
    found = table("ABC DE", "BC ADE")
    assert cells(found) == [(0, 0, 2), (0, 1, 1), (1, 1, 2)]
    assert found.key_size.tolist() == [3, 2]
    assert found.response_size.tolist() == [2, 3]


def test_twinless_mentions_are_counted_by_chain_and_are_in_no_cell() -> None:
    found = table("ABC D", "ABX Y")
    assert cells(found) == [(0, 0, 2)]
    assert found.key_twinless.tolist() == [1, 1]
    assert found.response_twinless.tolist() == [1, 1]


def test_documents_are_segments_of_one_table() -> None:
    found = table("AB|CD E", "AB|CD E")
    assert found.documents == 2
    assert found.key_document.tolist() == [0, 1, 1]
    assert found.key_mentions.tolist() == [2, 3]
    assert found.per_document(found.count).tolist() == [2, 3]


def test_the_same_spans_in_two_documents_are_different_mentions() -> None:
    assert cells(table("AB|CD", "CD|AB")) == []


def test_documents_without_mentions_have_rows_of_zeros() -> None:
    found = table("|AB|", "||AB")
    assert found.key_mentions.tolist() == [0, 2, 0]
    assert found.response_mentions.tolist() == [0, 0, 2]


def test_a_key_span_in_two_chains_meets_both_and_is_indexed_in_the_last() -> None:
    found = table("AB AC", "ABC")
    assert cells(found) == [(0, 0, 2), (1, 0, 2)]
    assert found.indexed.tolist() == [1, 2]


def test_a_key_span_twice_in_one_chain_is_one_meeting() -> None:
    found = table("AAB", "AB")
    assert cells(found) == [(0, 0, 2)]
    assert found.key_size.tolist() == [3]


def test_a_response_span_in_two_chains_meets_both_and_is_indexed_in_the_last() -> None:
    found = table("ABC", "AB AC")
    assert cells(found) == [(0, 0, 2), (0, 1, 2)]
    assert found.key_count.tolist() == [2, 2]
    assert found.key_indexed.tolist() == [1, 2]


def test_the_last_chain_is_the_one_of_the_highest_number_not_the_last_to_open() -> None:
    """The second chain opens first, at A; C is indexed in it all the same."""
    assert table("BC AC", "ABC").indexed.tolist() == [1, 2]


def test_repeats_beside_mentions_that_the_response_lacks() -> None:
    found = table("AAB CD", "AB")
    assert cells(found) == [(0, 0, 2)]
    assert (found.key_count.tolist(), found.key_indexed.tolist()) == ([3], [3])
    assert found.key_twinless.tolist() == [0, 2]


def test_repeats_of_which_the_other_side_has_none() -> None:
    found = table("AAB", "CD")
    assert cells(found) == []
    assert found.key_twinless.tolist() == [3]


@pytest.mark.parametrize(("mentions", "links"), [(0, 0), (1, 0), (2, 1), (5, 10)])
def test_pairs_are_half_of_n_times_n_minus_one(mentions: int, links: int) -> None:
    assert pairs(mentions) == links
