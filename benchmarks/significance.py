"""Speed of significance tests.

348 document parts of OntoGUM (input S) and two responses that were made with different noise;
10,000 resamples, all measures of conll-2012, recall, precision and F1, and the CoNLL average.
Beside it, in the same run, what most scripts do: resample by a loop that adds up the tallies of the
drawn documents and scores them, on fewer resamples, put up to as many. Processor time, least of
three runs. Writes docs/results/comparing.md.
"""

import argparse
from collections.abc import Callable
from random import Random

import numpy as np

from benchmarks import generate
from benchmarks.page import Page, markdown_table
from benchmarks.process import best_time

_GOAL = 2.0
_SAMPLES, _FEW = 10_000, 200
_RUNS = 3


def run(arguments: argparse.Namespace) -> Page:
    """Measure."""
    from corefbench.analysis.comparison import compare

    results = _results()
    seconds = {
        test: best_time(lambda test=test: compare(results, test=test, samples=_SAMPLES))  # type: ignore[misc]
        for test in ("randomization", "bootstrap")
    }
    naive = {
        "randomization": best_time(lambda: _loop(results, _swapped), 1) * _SAMPLES / _FEW,
        "bootstrap": best_time(lambda: _loop(results, _drawn), 1) * _SAMPLES / _FEW,
    }
    many = {f"system {n}": result for n, result in enumerate(list(results.values()) * 4)}
    eight = best_time(lambda: compare(many, samples=_SAMPLES), 1)
    text = _page(results, seconds, naive, eight)
    return Page("significance", text)


def _results() -> dict[str, object]:
    import corefbench as cb

    pairs = list(generate.pairs("S"))
    names = [f"{pair.name}_{pair.part}" for pair in pairs]
    key = dict(zip(names, (pair.key for pair in pairs), strict=True))
    first = dict(zip(names, (pair.response for pair in pairs), strict=True))
    second = {
        name: generate.make_response(pair.text, pair.key, Random(f"second {name}"))
        for name, pair in zip(names, pairs, strict=True)
    }
    return {"one": cb.score_clusters(key, first), "two": cb.score_clusters(key, second)}


def _loop(results: dict, resample: Callable) -> None:
    """Resamples one after the other, each scored by the measures as they are."""
    one, two = results.values()
    random = np.random.default_rng(0)
    for _ in range(_FEW):
        for rows in resample(one, two, random):
            scores = {
                name: one.measures[name].score(dict(zip(columns, values, strict=True)))
                for name, (columns, values) in rows.items()
            }
            sum(scores[name].f1 for name in one.profile.conll)


def _drawn(one, two, random):  # type: ignore[no-untyped-def]
    chosen = random.integers(len(one.documents), size=len(one.documents)).tolist()
    for result in (one, two):
        yield {name: (tally.columns, _added(tally.values, chosen)) for name, tally in result.tallies.items()}


def _swapped(one, two, random):  # type: ignore[no-untyped-def]
    coins = random.integers(2, size=len(one.documents)).tolist()
    for side in (0, 1):
        yield {
            name: (tally.columns, _chosen(tally.values, two.tallies[name].values, coins, side))
            for name, tally in one.tallies.items()
        }


def _added(values: np.ndarray, chosen: list[int]) -> list[float]:
    total = np.zeros(values.shape[1])
    for document in chosen:
        total += values[document]
    return total.tolist()


def _chosen(one: np.ndarray, two: np.ndarray, coins: list[int], side: int) -> list[float]:
    total = np.zeros(one.shape[1])
    for document, coin in enumerate(coins):
        total += (two if coin != side else one)[document]
    return total.tolist()


def _page(results: dict, seconds: dict[str, float], naive: dict[str, float], eight: float) -> str:
    documents = len(next(iter(results.values())).documents)
    rows = [
        [
            f"paired {test}",
            f"{seconds[test]:.2f} s",
            f"{_GOAL:.0f} s",
            f"{naive[test]:,.0f} s",
            f"{naive[test] / seconds[test]:,.0f}",
        ]
        for test in seconds
    ]
    head = ["test", "corefbench", "goal", "loop over resamples", "times as fast"]
    return (
        "# Significance tests\n\n`python -m benchmarks significance`\n\n"
        f"{_SAMPLES:,} resamples of {documents} documents, two systems, seven measures (recall, "
        "precision, F1) and the CoNLL average, with intervals of all scores and differences. "
        f"Processor time, least of {_RUNS} runs. The loop adds up the tallies of the documents of "
        f"each resample and scores the sums; it ran {_FEW} resamples and is put up to "
        f"{_SAMPLES:,}.\n\n{markdown_table(head, rows)}\n\n"
        f"Eight systems, 28 pairs, randomization: {eight:.1f} s.\n"
    )
