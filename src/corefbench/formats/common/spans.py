"""Spans of tokens (merging, nesting, writing as tags) and chains of linked mentions."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from corefbench.corpus.views import Document

Span: TypeAlias = tuple[int, int]


def merge_spans(spans: Iterable[Span]) -> list[Span]:
    """Return the spans in order, those that touch or overlap made one.

    >>> merge_spans([(4, 6), (0, 2), (2, 3)])
    [(0, 3), (4, 6)]
    """
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def split_spans(spans: Iterable[Span], breaks: Sequence[int]) -> list[Span]:
    """Return the spans, split at the breaks that lie inside them; both are in order.

    >>> split_spans([(0, 3), (4, 6)], [2, 4])
    [(0, 2), (2, 3), (4, 6)]
    """
    # Texts have many tokens and few breaks: what lies between two breaks is copied as it is.
    rest = list(spans)
    begins = [begin for begin, _ in rest]
    pieces: list[Span] = []
    copied = 0
    for offset in breaks:
        number = bisect_left(begins, offset, copied) - 1
        if number >= copied and offset < rest[number][1]:
            begin, end = rest[number]
            pieces += rest[copied:number]
            pieces.append((begin, offset))
            rest[number], begins[number] = (offset, end), offset
            copied = number
    return pieces + rest[copied:]


def token_span(begins: Sequence[int], start: int, end: int) -> Span:
    """Return the tokens of a span of characters, given where tokens begin.

    The edges of the span must break tokens.

    >>> token_span([0, 5, 9], 5, 12)
    (1, 3)
    """
    return bisect_left(begins, start), bisect_left(begins, end)


def select_nested(spans: Sequence[Span], walls: Sequence[int] = ()) -> list[int]:
    """Return the numbers of spans that nest, in opening order.

    Of two spans that cross the earlier one is kept, of two that begin together the longer one.
    ``walls`` are tokens, in order, that no span may cross.

    >>> select_nested([(0, 3), (1, 2), (2, 5), (3, 6)])
    [0, 1, 3]
    >>> select_nested([(0, 3), (2, 4)], walls=[2])
    [1]
    """
    kept: list[int] = []
    open_ends: list[int] = []
    for number in sorted(range(len(spans)), key=lambda i: (spans[i][0], -spans[i][1])):
        start, end = spans[number]
        while open_ends and open_ends[-1] <= start:
            open_ends.pop()
        wall = bisect_right(walls, start)
        if (open_ends and end > open_ends[-1]) or (wall < len(walls) and walls[wall] < end):
            continue
        open_ends.append(end)
        kept.append(number)
    return kept


def tags_by_token(
    spans: Sequence[Span], kept: Sequence[int], tags: Sequence[str], closing: str
) -> tuple[dict[int, str], dict[int, str]]:
    """Return what is written before the first and after the last token of spans that nest.

    >>> tags_by_token([(0, 2), (0, 1)], [0, 1], ["<a>", "<b>"], "</>")
    ({0: '<a><b>'}, {1: '</>', 0: '</>'})
    """
    before: dict[int, str] = {}
    after: dict[int, str] = {}
    for number in kept:
        start, end = spans[number]
        before[start] = before.get(start, "") + tags[number]
        after[end - 1] = after.get(end - 1, "") + closing
    return before, after


def unique_labels(document: Document, chains: Iterable[int]) -> dict[int, str]:
    """Return a label for every chain that is not empty and differs from all others."""
    labels: dict[int, str] = {}
    used: set[str] = set()
    for chain in dict.fromkeys(chains):
        label = document.corpus.chains.label(chain).strip() or str(chain)
        while label in used:
            label += "-2"
        used.add(label)
        labels[chain] = label
    return labels


def connected_components(count: int, links: Iterable[tuple[int, int]]) -> list[int]:
    """Return the component of each of ``count`` nodes, numbered by first appearance.

    >>> connected_components(5, [(4, 1), (2, 4)])
    [0, 1, 1, 2, 1]
    """
    parent = list(range(count))

    def find_root(node: int) -> int:
        while parent[node] != node:
            parent[node] = node = parent[parent[node]]
        return node

    for first, second in links:
        low, high = sorted((find_root(first), find_root(second)))
        parent[high] = low
    components: list[int] = []
    new = 0
    for node, above in enumerate(parent):  # a parent comes before its children
        components.append(components[above] if above < node else new)
        new += above == node
    return components
