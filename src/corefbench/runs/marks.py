"""What became of each mention: right, wrong, missed, spurious, or not counted.

A mention that both sides have is *right* if the response decides about it as the key does: both
begin a chain with it, or the mention before it in its response chain is in its key chain. It is
*wrong* otherwise: a chain begun anew, a link where the key has none, or a link into another chain.
"""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from corefbench.record import Record
from corefbench.runs.schema import RunDocument, Twinned

Mark: TypeAlias = Literal["right", "wrong", "missed", "spurious", "uncounted"]

SYMBOLS: dict[Mark, str] = {
    "right": "✓",
    "wrong": "✗",
    "missed": "○",
    "spurious": "+",
    "uncounted": "·",
}


class Marks(Record, frozen=True):
    """A mark for every mention."""

    key: tuple[Mark, ...]
    response: tuple[Mark, ...]


def marks(document: RunDocument, response: str) -> Marks:
    """The marks of one document, as its key and a response have it."""
    layer, asked = document.responses.get(response), document.key
    matched = document.matched.get(response, Twinned())
    key_chain = asked.mentions.chain if asked is not None else ()
    if layer is None:
        return Marks(key=tuple("missed" for _ in key_chain), response=())
    twins = matched.twins or (-1,) * len(layer.mentions.chain)
    before, key_before = _before(layer.mentions.chain), _before(key_chain)
    made: list[Mark] = []
    of_key: list[Mark] = ["missed"] * len(key_chain)
    for mention, twin in enumerate(twins):
        mark: Mark = "spurious"
        if twin >= 0:
            link = before[mention]
            linked = link is not None and twins[link] >= 0
            if link is None:
                right = key_before[twin] is None
            else:
                right = linked and key_chain[twins[link]] == key_chain[twin]
            mark = "right" if right else "wrong"
            of_key[twin] = mark
        made.append(mark)
    for mention in matched.uncounted:
        made[mention] = "uncounted"
    for mention in matched.uncounted_key:
        of_key[mention] = "uncounted"
    return Marks(key=tuple(of_key), response=tuple(made))


def _before(chains: Sequence[int]) -> list[int | None]:
    """For each mention the one before it in its chain.

    >>> _before([0, 1, 0, 0])
    [None, None, 0, 2]
    """
    last: dict[int, int] = {}
    found = []
    for mention, chain in enumerate(chains):
        found.append(last.get(chain))
        last[chain] = mention
    return found
