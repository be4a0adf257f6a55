"""Pages of results under docs/results."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.data import ROOT

RESULTS = ROOT / "docs" / "results"


@dataclass(frozen=True)
class Page:
    """What a benchmark found."""

    name: str
    """File name under docs/results, without its ending; empty if there is only a text to print."""
    text: str
    is_complete: bool = True
    """Whether everything was measured; a partial result does not replace the page."""
    passed: bool = True
    """Whether the goals are met; the exit code says so."""

    @property
    def path(self) -> Path:
        return RESULTS / f"{self.name}.md"


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table, the first column aligned left, the others right.

    >>> print(markdown_table(["tool", "S"], [["coval", "2.2 s"]]))
    | tool | S |
    |:---|---:|
    | coval | 2.2 s |
    """
    rule = ":---|" + "---:|" * (len(head) - 1)
    lines = [f"| {' | '.join(cells)} |" for cells in [head, *rows]]
    return "\n".join([lines[0], f"|{rule}", *lines[1:]])
