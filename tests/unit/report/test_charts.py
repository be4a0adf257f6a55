"""Charts that pages draw: the numbers behind the marks."""

from collections import Counter

from corefbench.analysis.comparison import Comparison, Estimate, Settings, System
from corefbench.analysis.errors import RepairScore
from corefbench.analysis.statistics import describe
from corefbench.report.bench import rate_rows
from corefbench.report.errors import fixing_rows
from corefbench.report.statistics import distance_rows


def test_rates_are_drawn_in_per_cent_and_without_an_interval_where_there_is_none() -> None:
    figures = {
        "recall": Estimate(value=0.5, low=0.25, high=0.75),
        "precision": Estimate(value=1.0),
        "f1": Estimate(value=0.625),
    }
    system = System(name="x", mark="a", signature="", scores={"p": figures}, by_document={})
    comparison = Comparison(
        title="",
        settings=Settings(),
        exact=False,
        documents=("d",),
        titles={"p": "Pronouns"},
        systems=(system,),
        pairs=(),
        cites=(),
    )
    rows = rate_rows(comparison)
    assert [(row["rate"], row["low"], row["value"], row["high"]) for row in rows] == [
        ("Success rate", 25, 50, 75),
        ("Precision", 100, 100, 100),
        ("F1", 62.5, 62.5, 62.5),
    ]


def test_a_bar_goes_from_the_score_as_it_is_to_the_score_as_it_would_be() -> None:
    fixed = [
        RepairScore(kind="none", errors=0, alone={"muc": 0.5}, together={"muc": 0.5}),
        RepairScore(kind="span-error", errors=2, alone={"muc": 0.75}, together={"muc": 0.75}),
        RepairScore(kind="all", errors=2, alone={"muc": 1.0}, together={"muc": 1.0}),
    ]
    (row,) = fixing_rows(fixed, "muc")
    assert row == {"class": "span error", "before": 50, "after": 75, "gain": "+25.0", "errors": 2}


def test_distances_of_pronouns_are_shares_that_add_up() -> None:
    text = (
        b"#begin document (a); part 000\na 0 0 Ann (1)\na 0 1 saw -\na 0 2 herself (1)\n\n"
        b"a 0 0 She (1)\na 0 1 left -\n#end document\n"
    )
    shares = Counter[str]()
    for row in distance_rows(describe(text)):
        shares[str(row["unit"])] += row["share"]  # type: ignore[assignment]
        if row["unit"] == "Sentences" and row["share"]:
            assert (row["distance"], row["share"]) in (("0", 50.0), ("1", 50.0))
    assert shares == {"Sentences": 100, "Noun phrases": 100}
