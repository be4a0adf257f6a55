"""A text cut where chains open and close: what a page writes one after another.

Chains are told by brackets and numbers, so that they need no colour and may cross.
"""

from collections.abc import Iterator, Sequence
from typing import Literal

from corefbench.record import Record

Span = tuple[int, int]


class Piece(Record, frozen=True):
    """A stretch of text, or the bracket of a mention."""

    kind: Literal["text", "open", "close"]
    text: str = ""
    chain: int = 0
    """The number of the bracket's chain, from 1."""
    within: tuple[int, ...] = ()
    """The chains whose mentions cover the stretch."""


def pieces(text: str, offsets: Sequence[Span], chains: Sequence[Sequence[Span]]) -> Iterator[Piece]:
    """The pieces in the order of the text; of two brackets the outer opens first.

    >>> made = pieces("Ann saw her.", [(0, 3), (4, 7), (8, 11), (11, 12)], [[(0, 1), (2, 3)]])
    >>> "".join({"open": "[", "close": f"]{one.chain}"}.get(one.kind, one.text) for one in made)
    '[Ann]1 saw [her]1.'
    """
    opens: dict[int, list[tuple[int, int]]] = {}
    closes: dict[int, list[tuple[int, int]]] = {}
    for number, chain in enumerate(chains, 1):
        for start, end in chain:
            begin, finish = offsets[start][0], offsets[end - 1][1]
            opens.setdefault(begin, []).append((-finish, number))
            closes.setdefault(finish, []).append((-begin, number))
    covering: list[int] = []
    at = 0
    for place in sorted({*opens, *closes}):
        if place > at:
            yield Piece(kind="text", text=text[at:place], within=tuple(sorted(set(covering))))
        for _, number in sorted(closes.get(place, ())):
            covering.remove(number)
            yield Piece(kind="close", chain=number)
        for _, number in sorted(opens.get(place, ())):
            covering.append(number)
            yield Piece(kind="open", chain=number)
        at = place
    if at < len(text):
        yield Piece(kind="text", text=text[at:])
