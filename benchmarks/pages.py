"""The pages that benchmarks write: Markdown tables under docs/results."""

from collections.abc import Sequence

from benchmarks.inputs import ROOT

RESULTS = ROOT / "docs" / "results"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table, first column to the left, the others to the right.

    >>> print(table(["tool", "S"], [["coval", "2.2 s"]]))
    | tool | S |
    |:---|---:|
    | coval | 2.2 s |
    """
    rule = ":---|" + "---:|" * (len(head) - 1)
    lines = [head, *rows]
    text = [f"| {' | '.join(cells)} |" for cells in lines]
    return "\n".join([text[0], f"|{rule}", *text[1:]])
