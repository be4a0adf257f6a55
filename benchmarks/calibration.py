"""Do the tests keep their level? ``python -m benchmarks calibration``.

Pairs of systems that are equally good on average: of every document each finds a share of the
mentions and adds some that are wrong, both drawn anew for each. A test at α = 0.05 should call
about 5 % of such pairs different in F1. Writes docs/results/calibration.md.
"""

import argparse

import numpy as np

from benchmarks.page import Page, markdown_table
from corefbench.analysis.significance import bootstrap_figures, bootstrap_p, randomisation_p
from corefbench.records import Floats
from corefbench.scoring.measures.tally import scores_of_ratios

_DOCUMENTS = (3, 5, 8, 10, 15, 20, 30, 50, 100)
_PAIRS, _SAMPLES, _ALPHA = 1500, 1000, 0.05
_COLUMNS = ("recall_hits", "recall_total", "precision_hits", "precision_total")


def run(arguments: argparse.Namespace) -> Page:
    """Count."""
    random = np.random.default_rng(0)
    rows = [[str(count), *_called_different(count, random)] for count in _DOCUMENTS]
    head = ["documents", "randomization", "bootstrap"]
    text = (
        "# Calibration of the tests\n\n`python -m benchmarks calibration`\n\n"
        f"Pairs of equally good systems, of {_PAIRS:,} generated in each row, that a test called "
        f"significantly different in F1 at α = {_ALPHA:g}, with {_SAMPLES:,} samples. A share of "
        f"5 % has a standard error of 0.6 %.\n\n{markdown_table(head, rows)}\n"
    )
    return Page("calibration", text)


def _called_different(documents: int, random: np.random.Generator) -> list[str]:
    rejections = np.zeros(2)
    for seed in range(_PAIRS):
        total = random.integers(5, 60, documents)
        first_system, second_system = (_system(total, random) for _ in range(2))
        swapped = randomisation_p([first_system, second_system], [(0, 1)], _figures, _SAMPLES, seed)[0]
        first, second = bootstrap_figures([first_system, second_system], _figures, _SAMPLES, seed)
        drawn = bootstrap_p(_observed(first_system) - _observed(second_system), first - second)
        rejections += swapped[2] <= _ALPHA, drawn[2] <= _ALPHA
    return [f"{100 * share:.1f} %" for share in rejections / _PAIRS]


def _system(total: np.ndarray, random: np.random.Generator) -> Floats:
    hits = random.binomial(total, _shares(0.6, 0.1, len(total), random))
    wrong = random.binomial(total, _shares(0.3, 0.08, len(total), random))
    return np.stack([hits, total, hits, hits + wrong], axis=1).astype(np.float64)


def _shares(mean: float, spread: float, count: int, random: np.random.Generator) -> Floats:
    return np.clip(random.normal(mean, spread, count), 0, 1)


def _figures(sums: Floats) -> Floats:
    scores = scores_of_ratios({name: sums[:, n] for n, name in enumerate(_COLUMNS)})
    return np.stack([scores.recall, scores.precision, scores.f1], axis=1)


def _observed(tallies: Floats) -> Floats:
    return np.asarray(_figures(tallies.sum(axis=0, keepdims=True))[0])
