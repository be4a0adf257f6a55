"""B³ by the example of its paper, Bagga & Baldwin 1998, and by hand."""

import pytest

from corefbench.errors import UsageError
from corefbench.scoring.measures import parse
from corefbench.scoring.measures.b_cubed import BCubed
from tests.tables import table


def test_the_example_of_the_paper() -> None:
    """Chains of 5, 2 and 5; one response joins the two long ones, the other a long and the short.

    MUC gives both a precision of 9/10; B³ charges more for joining the long ones.
    """
    key = "ABCDE FG HIJKL"
    long = BCubed().tally(table(key, "ABCDEHIJKL FG")).sum()
    short = BCubed().tally(table(key, "ABCDE FGHIJKL")).sum()
    measure = BCubed()
    assert measure.score(long).precision == pytest.approx(7 / 12)
    assert measure.score(short).precision == pytest.approx((5 + 4 / 7 + 25 / 7) / 12)
    assert measure.score(long).recall == measure.score(short).recall == 1


@pytest.mark.parametrize(
    ("twinless", "recall", "precision", "total"),
    [("zero", 4 / 3, 1.0, 4), ("credit", 5 / 3, 1.5, 4), ("skip", 4 / 3, 2.0, 2)],
)
def test_what_a_twinless_mention_earns(twinless: str, recall: float, precision: float, total: int) -> None:
    """Key ABC, response ABDE: A and B share a chain of 3 and of 4; C, D and E have no twin."""
    counted = parse(f"b_cubed(twinless={twinless})").tally(table("ABC", "ABDE")).sum()
    assert counted["recall_hits"] == pytest.approx(recall)
    assert counted["recall_total"] == 3
    assert counted["precision_hits"] == pytest.approx(precision)
    assert counted["precision_total"] == total


def test_skipping_may_leave_nothing() -> None:
    counted = BCubed(twinless="skip").tally(table("A", "X Y")).sum()
    assert BCubed().score(counted).precision == 0


def test_another_value_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="b_cubed"):
        parse("b_cubed(twinless=none)")
