"""Bugert et al. 2021: gold and system files with the figures printed beside them."""

from pathlib import Path

import pytest

import corefbench as cb
from tests.data import data

RUNS = [
    "ecbp_evaluate_clustering/0",
    "ecbp_lemma_baselines/lemma",
    "ecbp_lemma_baselines/lemma-delta",
    "ecbp_lemma_baselines/lemma-wd",
]
NAMES = {"muc": "muc", "bcub": "b_cubed", "ceafe": "ceaf_e", "lea": "lea"}


def printed(folder: Path) -> dict[str, list[str]]:
    """Measure to F1, precision and recall, as printed with six significant digits."""
    (file,) = folder.glob("eval_*.txt")
    rows = [line.split() for line in file.read_text().splitlines()[2:]]
    return {row[0]: row[1:] for row in rows}


@pytest.mark.parametrize("level", ["cross_doc", "within_doc"])
@pytest.mark.parametrize("run", RUNS)
def test_every_printed_figure_comes_out(run: str, level: str) -> None:
    folder = data("ecbplus-outputs") / run / level
    result = cb.score(folder / "gold.conll", folder / "system.conll", profile="coval-keep")
    assert result.conll is not None
    figures = printed(folder)
    assert set(figures) == {*NAMES, "conll"}
    for name, ours in NAMES.items():
        score = result[ours]
        values = [score.f1, score.precision, score.recall]
        assert [f"{value:.6g}" for value in values] == figures[name], name
    assert f"{result.conll.f1:.6g}" == figures["conll"][0]
