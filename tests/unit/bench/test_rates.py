"""The rates against the vectors of the literature."""

import pytest
from msgspec.structs import replace

from corefbench.analysis.statistics.counts import Rate
from corefbench.bench.judge import Verdict
from corefbench.bench.rates import Disclosure, Rates, compute_disclosure, compute_rates

PLAIN = Verdict(
    document="d",
    token=0,
    form="it",
    kind="personal",
    anaphoric=True,
    mention=True,
    identified=True,
    attempted=True,
    correct=True,
    chosen=0,
    phrase=1,
    answer="",
    expected="",
    rule="",
    anchor="right",
    distance=0,
    candidates=0,
    agreeing=0,
    shared_candidates=0,
    shared_agreeing=0,
)


def verdict(candidates: int, agreeing: int, correct: bool | None) -> Verdict:
    """A gold anaphor; None as outcome: not attempted."""
    return replace(
        PLAIN, candidates=candidates, agreeing=agreeing, attempted=correct is not None, correct=bool(correct)
    )


SPURIOUS = replace(PLAIN, anaphoric=False, mention=False, correct=False)
EIGHT = [
    verdict(5, 3, True),
    verdict(4, 2, False),
    verdict(3, 1, True),
    verdict(1, 1, True),
    verdict(6, 2, None),
    verdict(2, 2, True),
    verdict(7, 0, False),
    verdict(2, 1, True),
]


def test_the_eight_anaphors_and_two_spurious_ones_of_the_specification() -> None:
    found = compute_rates([*EIGHT, SPURIOUS, SPURIOUS])
    assert found.precision == Rate(hits=5, total=9)
    assert found.recall_identified == Rate(hits=5, total=10)
    assert found.recall == found.success_rate == Rate(hits=5, total=8)
    assert found.critical_success_rate == Rate(hits=2, total=4)
    assert found.non_trivial_success_rate == Rate(hits=4, total=7)


def test_rates_of_documents_add_up_to_the_rates_of_all() -> None:
    every = [*EIGHT, SPURIOUS, SPURIOUS]
    assert compute_rates(every[:4]) + compute_rates(every[4:]) == compute_rates(every)


def test_a_rate_without_a_denominator_is_none() -> None:
    assert compute_rates([]).success_rate.value is None
    assert Rates().critical_success_rate.value is None


@pytest.mark.parametrize(
    ("pronouns", "anaphoric", "correct", "success", "precision"),
    [
        # Barbu & Mitkov 2001, Table 1: precision there is over all pronouns of the file.
        (51, 47, 26, "55.31", "50.98"),
        (51, 47, 21, "44.68", "41.17"),
        (51, 47, 30, "63.82", "58.82"),
        (92, 70, 34, "48.57", "36.95"),
        (92, 70, 30, "42.85", "32.60"),
        (92, 70, 39, "55.71", "42.39"),
        (97, 85, 61, "71.76", "62.88"),
        (97, 85, 57, "67.05", "58.76"),
        (97, 85, 63, "74.11", "64.94"),
    ],
)
def test_the_consistent_rows_of_barbu_and_mitkov(
    pronouns: int, anaphoric: int, correct: int, success: str, precision: str
) -> None:
    gold = [replace(PLAIN, correct=number < correct) for number in range(anaphoric)]
    found = compute_rates([*gold, *[SPURIOUS] * (pronouns - anaphoric)])
    # The paper cuts digits: 26/47 = 55.319 is printed 55.31. It prints 44.64 for 21/47 = 44.68, a
    # slip, and 64.95 for 63/97 = 64.948, rounded.
    assert _cut(found.success_rate) == success
    assert _cut(found.precision) == precision


def _cut(rate: Rate) -> str:
    return f"{rate.hits * 10000 // rate.total / 100:.2f}"


def test_etiquette_counts_correct_links_and_correct_non_links() -> None:
    linked = [PLAIN] * 12
    missed = [replace(PLAIN, correct=False)] * 5
    pleonastic = [replace(SPURIOUS, identified=False, attempted=False)] * 3
    assert compute_rates([*linked, *missed, *pleonastic]).etiquette == Rate(hits=15, total=20)


def test_byrons_second_table() -> None:
    alpha = Disclosure(raw=497, non_referential=12, excluded=198, correct=216)
    beta = Disclosure(raw=497, non_referential=12, excluded=198, correct=248)
    assert (alpha.referential, alpha.evaluated) == (485, 287)
    assert round(100 * (alpha.recall.value or 0), 1) == 75.3
    assert round(100 * (alpha.rate.value or 0), 1) == 44.5
    assert round(100 * (beta.recall.value or 0), 1) == 86.4
    assert round(100 * (beta.rate.value or 0), 1) == 51.1


def test_the_rows_of_disclosure_are_read_off_verdicts() -> None:
    alone = replace(PLAIN, anaphoric=False, correct=False)
    across = replace(PLAIN, distance=2, form="he", correct=False)
    found = compute_disclosure([PLAIN, PLAIN, across, alone, SPURIOUS])
    assert (found.raw, found.non_referential, found.referential) == (5, 1, 4)
    assert (found.excluded, found.evaluated, found.correct) == (1, 3, 2)
    assert found.intrasentential == Rate(hits=2, total=2)
    assert found.intersentential == Rate(hits=0, total=1)
    assert found.forms == {"it": Rate(hits=2, total=2), "he": Rate(hits=0, total=1)}


def test_anchors_count_only_links_that_end_in_the_chain() -> None:
    kinds = ("right", "wrong", "unknown", "none")
    found = compute_rates([replace(PLAIN, anchor=kind) for kind in kinds])
    assert found.anchor_precision == Rate(hits=1, total=3)
    assert found.anchor_recall == Rate(hits=1, total=4)
