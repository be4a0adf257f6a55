"""Scores in the layout of the papers: columns such as ``B³ R``, in per cent."""

from collections.abc import Iterable, Mapping
from itertools import pairwise

from corefbench.scoring.result import Result

NAMES: Mapping[str, str] = {
    "IM": "mentions",
    "MUC": "muc",
    "B³": "b_cubed",
    "CEAF": "ceaf_m",
    "CEAFm": "ceaf_m",
    "CEAFe": "ceaf_e",
    "BLANC": "blanc",
    "LEA": "lea",
}
"""What the papers call a measure, and what it is called here."""
_PARTS = {"R": "recall", "P": "precision", "F1": "f1"}

Span = tuple[int, int]
Chains = list[list[Span]]


def score_in(result: Result, column: str) -> float:
    """The score that a column names; without R, P or F1 it is F1. ``CoNLL`` is the average.

    The papers' own scorers print cut values; these are not cut.
    """
    measure, _, part = column.partition(" ")
    if measure == "CoNLL":
        return 100 * result.conll.f1 if result.conll is not None else 0.0
    return 100 * float(getattr(result[NAMES[measure]], _PARTS[part or "F1"]))


def letters(text: str) -> Chains:
    """One chain a word, one mention a letter.

    >>> letters("AC B")
    [[(0, 0), (2, 2)], [(1, 1)]]
    """
    return [[(ord(one) - 65, ord(one) - 65) for one in word] for word in text.split()]


def listed(text: str, mentions: Iterable[str]) -> Chains:
    """Chains divided by semicolons, mentions by commas; a mention's span is its place in a list.

    >>> listed("name, approached; News", ["News", "name", "approached"])
    [[(1, 1), (2, 2)], [(0, 0)]]
    """
    place = {name: (number, number) for number, name in enumerate(mentions)}
    return [[place[name] for name in chain.split(", ")] for chain in text.split("; ")]


def of_sizes(sizes: Iterable[int]) -> Chains:
    """Chains of those sizes, of mentions of one word each.

    >>> of_sizes([2, 1])
    [[(0, 0), (1, 1)], [(2, 2)]]
    """
    edges = [0]
    for size in sizes:
        edges.append(edges[-1] + size)
    return [[(i, i) for i in range(a, b)] for a, b in pairwise(edges)]
