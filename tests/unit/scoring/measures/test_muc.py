"""MUC by the examples of its paper, Vilain et al. 1995, and by hand."""

import pytest

from corefbench.scoring.measures.muc import MUC
from tests.tables import table


def counts(key: str, response: str) -> tuple[float, ...]:
    total = MUC().tally(table(key, response)).sum()
    names = ("recall_hits", "recall_total", "precision_hits", "precision_total")
    return tuple(total[name] for name in names)


@pytest.mark.parametrize(
    ("key", "response", "expected"),
    [
        ("ABCD", "AB CD", (2, 3, 2, 2)),
        ("AB CD", "ABCD", (2, 2, 2, 3)),
        ("ABCD", "AB DC", (2, 3, 2, 2)),
        ("ABC", "AC", (1, 2, 1, 1)),
        ("AB CDE", "ABE CD", (2, 3, 2, 3)),
    ],
)
def test_the_links_of_the_paper(key: str, response: str, expected: tuple[int, ...]) -> None:
    assert counts(key, response) == expected


def test_singletons_have_no_links() -> None:
    assert counts("A B", "A B") == (0, 0, 0, 0)
    assert counts("AB C", "AB D E") == counts("AB", "AB")


def test_a_twinless_mention_breaks_a_link() -> None:
    assert counts("ABC", "ABX") == (1, 2, 1, 2)


def test_the_hits_of_recall_and_of_precision_are_the_same() -> None:
    hits = counts("ABCD EF GH", "AEX BCG DFH")
    assert hits[0] == hits[2]
