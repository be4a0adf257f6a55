"""Speed of error analysis.

Perturbed responses to every fourth document of GUM with singletons and of OntoGUM (66 documents
each, about as many as development and test parts have together) and to LitBank. Measured are
reading, the three taxonomies with strata, and the scores of the fifteen repaired responses.
Processor time, least of three runs. Writes docs/results/explaining.md.
"""

import argparse
from collections.abc import Iterable, Iterator
from itertools import islice
from random import Random

from benchmarks import data, generate
from benchmarks.data import Chains, Pair, Text, writable
from benchmarks.page import Page, markdown_table
from benchmarks.process import best_time
from benchmarks.render import SIDES, conll

_RUNS = 3
_GOALS = {"OntoGUM": 3.0, "GUM": 3.0, "LitBank": 10.0}


def run(arguments: argparse.Namespace) -> Page:
    """Measure."""
    rows = [_row(name, *_sides(texts)) for name, texts in _texts()]
    counts, times = ("Documents", "Key mentions", "Errors"), ("Taxonomies", "Repairs", "Goal")
    headers = ("Corpus", *counts, *(f"{time} (s)" for time in times))
    text = f"# Speed of error analysis\n\n{_about()}\n\n{markdown_table(headers, rows)}\n"
    return Page("error-analysis", text)


def _about() -> str:
    return (
        "Perturbed responses, CoNLL files from memory: reading and all three taxonomies with "
        "strata, then the scores of the repaired responses. Processor time, least of three "
        "runs. Made by `python -m benchmarks error-analysis`."
    )


def _texts() -> Iterator[tuple[str, Iterable[tuple[Text, Chains]]]]:
    yield "OntoGUM", islice(data.ontogum(), 0, None, 4)
    yield "GUM", ((text, list(named.values())) for text, named in islice(data.gum(), 0, None, 4))
    yield "LitBank", data.litbank()


def _sides(texts: Iterable[tuple[Text, Chains]]) -> tuple[bytes, bytes]:
    """Key and response as CoNLL files."""
    written: dict[str, list[str]] = {side: [] for side in SIDES}
    for text, chains in texts:
        key = writable(chains)
        pair = Pair(text.name, 0, text, key, generate.make_response(text, key, Random(text.name)))
        for side in SIDES:
            written[side].append(conll(pair, side))
    key, response = ("".join(written[side]).encode() for side in SIDES)
    return key, response


def _row(name: str, key: bytes, response: bytes) -> tuple[str, ...]:
    import corefbench as cb

    analysis = cb.error_analysis(key, response)
    return (
        name,
        f"{len(analysis.pair.key.corpus):,}",
        f"{len(analysis.pair.key):,}",
        f"{len(analysis):,}",
        f"{best_time(lambda: cb.error_analysis(key, response)):.2f}",
        f"{best_time(analysis.if_fixed):.2f}",
        f"{_GOALS[name]:.0f}",
    )
