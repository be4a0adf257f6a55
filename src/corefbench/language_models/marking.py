r"""Writing mentions into text, for prompts and examples: ``[Ann](#1)`` or ``[Ann]1``.

A backslash stands before a bracket or backslash that is text, as in the inline format.
"""

import re
from collections.abc import Sequence
from typing import Literal, TypeAlias

from corefbench.formats.nesting import nesting
from corefbench.language_models.passage import Labelled, Passage

Notation: TypeAlias = Literal["links", "brackets"]
"""``[Ann](#1)``, as in Markdown, or the project's own ``[Ann]1``."""

UNKNOWN = "?"
"""What stands for the number of a chain that is asked for."""

_LETTER = re.compile(r"\w")


def marked(
    passage: Passage, start: int, end: int, mentions: Sequence[Labelled], notation: Notation
) -> str:
    """The words from ``start`` to before ``end``, with these mentions marked.

    Brackets cannot cross: of two mentions that do, the later is left out.

    >>> from corefbench.formats.load import load
    >>> from corefbench.language_models.passage import passage_of
    >>> ann = passage_of(load(b"[Ann]7 fed [[her]7 cat]9.", format="inline")[0])
    >>> marked(ann, 0, 5, ann.mentions, "links")
    '[Ann](#1) fed [[her](#1) cat](#2).'
    >>> marked(ann, 2, 4, ann.mentions[1:], "brackets")
    '[[her]1 cat]2'
    """
    kept = [mentions[number] for number in nesting([mention[:2] for mention in mentions])]
    opening: dict[int, int] = {}
    closing: dict[int, list[str]] = {}
    for first, last, label in kept:
        begin, finish = passage.offsets[first][0], passage.offsets[last - 1][1]
        opening[begin] = opening.get(begin, 0) + 1
        closing.setdefault(finish, []).insert(0, label)
    text, pieces = passage.text, list[str]()
    position, last_place = passage.offsets[start][0], passage.offsets[end - 1][1]
    for place in sorted({*opening, *closing}):
        pieces.append(escaped(text[position:place]))
        following = "[" if place in opening else text[place : place + 1]
        pieces += [_close(label, following, notation) for label in closing.get(place, ())]
        pieces.append("[" * opening.get(place, 0))
        position = place
    return "".join((*pieces, escaped(text[position:last_place])))


def escaped(text: str) -> str:
    r"""Text in which brackets are no marks.

    >>> escaped("see [1]")
    'see \\[1\\]'
    """
    return re.sub(r"([\[\]\\])", r"\\\1", text)


def _close(label: str, following: str, notation: Notation) -> str:
    if notation == "links":
        return f"](#{label})"
    return f"]{{{label}}}" if label == UNKNOWN or _LETTER.match(following) else f"]{label}"
