"""Cattan et al. 2021, *Realistic evaluation principles for cross-document coreference*: Table 2."""

import pytest

import corefbench as cb
from tests.clusters import percent

SPANS = {
    "News": (0, 0), "News that": (0, 1), "Emory University": (2, 3), "Emory": (2, 2),
    "confirmed": (4, 4), "yesterday": (5, 5), "announcement": (6, 6), "name": (7, 7),
    "approached": (8, 8), "names": (9, 9), "nominates": (10, 10), "decision": (11, 11),
}  # fmt: skip
GOLD = (
    "News; Emory University; confirmed; yesterday; announcement; name, approached; "
    "names, nominates, decision"
)
SYSTEMS = {
    "S1": "News; Emory University; confirmed; yesterday; "
    "announcement, name, approached, names, nominates, decision",
    "S2": "News that; Emory; announcement, name, approached; names, nominates, decision",
}
TABLE_2 = {  # MUC, B³, CEAFe, LEA, CoNLL
    ("coval-remove", "S1"): (75.0, 53.1, 44.4, 42.1, 57.5),
    ("coval-remove", "S2"): (85.7, 83.9, 90.0, 80.0, 86.5),
    ("coval-keep", "S1"): (75.0, 77.6, 77.8, 69.0, 76.8),
    ("coval-keep", "S2"): (85.7, 59.2, 32.7, 50.0, 59.2),
}


def chains(text: str) -> list[list[tuple[int, int]]]:
    return [[SPANS[name] for name in chain.split(", ")] for chain in text.split("; ")]


def row(profile: str, system: str) -> tuple[float, ...]:
    result = cb.score_clusters(chains(GOLD), chains(SYSTEMS[system]), profile=profile)
    assert result.conll is not None
    scores = [percent(result[name])[2] for name in ("muc", "b_cubed", "ceaf_e", "lea")]
    return *scores, int(result.conll.f1 * 1000 + 0.5) / 10


@pytest.mark.parametrize(("profile", "system"), TABLE_2)
def test_table_2_comes_out(profile: str, system: str) -> None:
    assert row(profile, system) == TABLE_2[profile, system]


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_profile_of_the_paper_scores_chains_without_singletons(system: str) -> None:
    assert row("cattan-2021", system) == TABLE_2["coval-remove", system]


@pytest.mark.parametrize(("system", "expected"), [("S1", (100, 100, 100)), ("S2", (60, 75, 66.7))])
def test_mention_detection_sees_all_mentions(system: str, expected: tuple[float, ...]) -> None:
    result = cb.score_clusters(chains(GOLD), chains(SYSTEMS[system]), profile="cattan-2021")
    assert percent(result["mentions"]) == expected


def test_the_evaluator_of_many_resolvers_gives_neither_figure() -> None:
    result = cb.score_clusters(chains(GOLD), chains(SYSTEMS["S2"]), profile="e2e-python")
    assert percent(result["ceaf_e"]) == (25.7, 90.0, 40.0)
    assert result.conll is not None
    assert round(100 * result.conll.f1, 1) == 69.9
