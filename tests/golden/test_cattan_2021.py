"""Cattan et al. 2021, *Realistic evaluation principles for cross-document coreference*: Table 2."""

import pytest

import corefbench as cb
from corefbench.papers.printed import read_printed
from tests.clusters import percent

PRINTED = read_printed("cattan-2021")
SPANS = {
    "News": (0, 0), "News that": (0, 1), "Emory University": (2, 3), "Emory": (2, 2),
    "confirmed": (4, 4), "yesterday": (5, 5), "announcement": (6, 6), "name": (7, 7),
    "approached": (8, 8), "names": (9, 9), "nominates": (10, 10), "decision": (11, 11),
}  # fmt: skip


def chains(system: str) -> list[list[tuple[int, int]]]:
    text = PRINTED.example[system]
    return [[SPANS[name] for name in chain.split(", ")] for chain in text.split("; ")]


def row(profile: str, system: str) -> list[float]:
    result = cb.score_clusters(chains("G"), chains(system), profile=profile)
    assert result.conll is not None
    scores = [percent(result[name])[2] for name in ("muc", "b_cubed", "ceaf_e", "lea")]
    return [*scores, int(result.conll.f1 * 1000 + 0.5) / 10]


def printed(profile: str, system: str) -> list[float]:
    """MUC, B³, CEAFe, LEA, CoNLL."""
    (found,) = (r for r in PRINTED["2"].rows if r.given == {"profile": profile, "system": system})
    return [value.value for value in found.values.values()]


@pytest.mark.parametrize("profile", ["coval-remove", "coval-keep"])
@pytest.mark.parametrize("system", ["S1", "S2"])
def test_table_2_comes_out(profile: str, system: str) -> None:
    assert row(profile, system) == printed(profile, system)


def test_the_data_file_has_what_the_paper_prints() -> None:
    assert printed("coval-remove", "S1") == [75.0, 53.1, 44.4, 42.1, 57.5]
    assert printed("coval-keep", "S2") == [85.7, 59.2, 32.7, 50.0, 59.2]


@pytest.mark.parametrize("system", ["S1", "S2"])
def test_the_profile_of_the_paper_scores_chains_without_singletons(system: str) -> None:
    assert row("cattan-2021", system) == printed("coval-remove", system)


@pytest.mark.parametrize(("system", "expected"), [("S1", (100, 100, 100)), ("S2", (60, 75, 66.7))])
def test_mention_detection_sees_all_mentions(system: str, expected: tuple[float, ...]) -> None:
    result = cb.score_clusters(chains("G"), chains(system), profile="cattan-2021")
    assert percent(result["mentions"]) == expected


def test_the_evaluator_of_many_resolvers_gives_neither_figure() -> None:
    result = cb.score_clusters(chains("G"), chains("S2"), profile="e2e-python")
    assert percent(result["ceaf_e"]) == (25.7, 90.0, 40.0)
    assert result.conll is not None
    assert round(100 * result.conll.f1, 1) == 69.9
