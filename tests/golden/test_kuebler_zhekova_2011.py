"""Kübler & Zhekova 2011, *Singletons and coreference resolution evaluation*: Tables 1 and 2."""

from itertools import pairwise

import pytest

import corefbench as cb
from tests.clusters import clusters, percent

COLUMNS = ("mentions", "muc", "b_cubed", "ceaf_e", "blanc")
PARTS = ("recall", "precision", "f1")
EXAMPLES = {
    "": ("ABC DE", "BC ADE"),
    "Y": ("ABC DE", "BC ADE Y"),
    "X": ("ABC DE X", "BC ADE"),
}
TABLE_2 = {
    ("semeval-2010", ""): "100 100 100 66.7 66.7 66.7 73.3 73.3 73.3 80.0 80.0 80.0 58.3 58.3 58.3",
    (
        "semeval-2010",
        "Y",
    ): "100 83.3 90.9 66.7 66.7 66.7 73.3 61.1 66.7 80.0 53.3 64.0 51.8 52.3 49.8",
    (
        "semeval-2010",
        "X",
    ): "83.3 100 90.9 66.7 66.7 66.7 61.1 73.3 66.6 53.3 80.0 64.0 58.3 58.3 58.3",
    ("conll-2011", ""): "100 100 100 66.7 66.7 66.7 73.3 73.3 73.3 80.0 80.0 80.0 58.3 58.3 58.3",
    (
        "conll-2011",
        "Y",
    ): "100 83.3 90.9 66.7 66.7 66.7 73.3 73.3 73.3 80.0 80.0 80.0 58.3 58.3 58.3",
    ("conll-2011", "X"): "100 100 100 66.7 66.7 66.7 77.8 77.8 77.8 86.7 86.7 86.7 65.9 65.9 65.9",
}
ERRATA = {
    # The programs take mention detection before they touch any mention: 5 of the key's 6 spans
    # are found. The printed row comes out only if X is in the response file as well.
    ("conll-2011", "X", "mentions", "recall"): (100.0, 83.3),
    ("conll-2011", "X", "mentions", "f1"): (100.0, 90.9),
    # The value is 2/3, which the paper prints as 66.7 everywhere else; here it was truncated.
    ("semeval-2010", "X", "b_cubed", "f1"): (66.6, 66.7),
}


def table_2_cells() -> dict[tuple[str, str, str, str], tuple[float, float]]:
    """Every cell: what is printed and what comes out."""
    cells = {}
    for (profile, row), printed in TABLE_2.items():
        key, response = map(clusters, EXAMPLES[row])
        result = cb.score_clusters(key, response, profile=profile)
        values = [value for name in COLUMNS for value in percent(result[name])]
        where = [(profile, row, name, part) for name in COLUMNS for part in PARTS]
        cells |= dict(
            zip(where, zip(map(float, printed.split()), values, strict=True), strict=True)
        )
    return cells


def test_table_2_has_ninety_cells_of_which_87_come_out_and_three_are_errata() -> None:
    cells = table_2_cells()
    differing = {where: both for where, both in cells.items() if both[0] != both[1]}
    assert len(cells) == 90
    assert differing == ERRATA


def test_the_erroneous_conll_row_comes_out_if_x_is_in_the_response_too() -> None:
    result = cb.score_clusters(clusters("ABC DE X"), clusters("BC ADE X"), profile="conll-2011")
    values = [value for name in COLUMNS for value in percent(result[name])]
    assert values == [float(cell) for cell in TABLE_2["conll-2011", "X"].split()]


TABLE_1 = {
    "singletons": "71.2 71.2 71.2 0.0 0.0 0.0 71.2 100 83.2 50.0 49.2 49.6",
    "all-in-one": "10.5 10.5 10.5 100 29.2 45.2 100 3.5 6.7 50.0 0.8 1.6",
}
WITNESS = [
    *([[7, 4, 3, 3, 3, 2] + [1] * 24] * 55),
    *([[8, 4, 4, 4, 4, 4, 3, 3, 2, 2] + [1] * 77] * 30),
]
"""Chain sizes of 85 documents that agree with every figure of Table 1 (the data is not free)."""


def witness() -> list[list[list[tuple[int, int]]]]:
    documents = []
    for sizes in WITNESS:
        edges = [sum(sizes[:i]) for i in range(len(sizes) + 1)]
        spans = [(i, i) for i in range(edges[-1])]
        documents.append([spans[a:b] for a, b in pairwise(edges)])
    return documents


def baseline(name: str, document: list[list[tuple[int, int]]]) -> list[list[tuple[int, int]]]:
    spans = [span for chain in document for span in chain]
    return [[span] for span in spans] if name == "singletons" else [spans]


@pytest.mark.parametrize("name", TABLE_1)
def test_table_1_baseline_comes_out_on_a_corpus_of_the_same_proportions(name: str) -> None:
    key = witness()
    response = [baseline(name, document) for document in key]
    result = cb.score_clusters(key, response, profile="semeval-2010")
    values = [
        v for measure in ("ceaf_m", "muc", "b_cubed", "blanc") for v in percent(result[measure])
    ]
    assert values == [float(cell) for cell in TABLE_1[name].split()]


def test_the_corpus_has_5980_mentions_in_4260_chains() -> None:
    assert sum(map(sum, WITNESS)) == 5_980
    assert sum(map(len, WITNESS)) == 4_260
