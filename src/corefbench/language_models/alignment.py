"""From a marked copy to mentions on the words of the source."""

import re
from collections import Counter
from collections.abc import Sequence

from corefbench.findings import Finding, Strictness
from corefbench.formats.inline_parse import Marked, parse
from corefbench.formats.layout import token_span
from corefbench.formats.realign import realign
from corefbench.formats.tokenise import segment
from corefbench.language_models.marking import UNKNOWN
from corefbench.language_models.passage import Labelled
from corefbench.record import Record

_REASONS = {
    "CB104": "never opened",
    "CB105": "never closed",
    "CB112": "without words",
    "CB147": "without a number",
}
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_STRETCH = 3
"""A mention may become so many words longer than twice what it was in the copy."""


class Aligned(Record, frozen=True):
    """What a copy says, on the words of its source."""

    mentions: tuple[Labelled, ...]
    dropped: dict[str, int]
    """Brackets that are no mention, by reason."""
    marked: int
    """How many mentions the copy has."""
    lost_chains: int
    """Chains of the copy of which no mention has a place."""
    unaligned: int
    """Words of the source that the copy does not have."""
    added: int
    """Words of the copy that the source does not have."""
    changed: int
    """Words that are another word in the copy."""
    missing_end: int
    """Words after the last that the copy has."""


def align(copy: str, words: Sequence[str]) -> Aligned:
    """Read the marks of a copy and carry them over; nothing in it is an error.

    >>> source = "So Ann fed her dog .".split()
    >>> made = align("[Ann](#1) fed [her](#1) small [dog](#2). [", source)
    >>> made.mentions, made.dropped, made.unaligned, made.added
    (((1, 2, '1'), (3, 4, '1'), (4, 5, '2')), {'never closed': 1}, 1, 1)
    """
    dropped: Counter[str] = Counter()

    def hear(finding: Finding) -> None:
        dropped[_REASONS[finding.code]] += 1

    marked = _parsed(copy, Strictness(lenient=True, report=hear))
    edges = {edge for _, *span in marked.mentions for edge in span}
    tokens = [token for row in segment(marked.text, edges) for token in row]
    copies = [marked.text[a:b] for a, b in tokens]
    places = realign(copies, words)
    mentions = _carried(marked, [begin for begin, _ in tokens], places, dropped)
    covered = {word for first, last in places for word in range(first, last)}
    labels = {label for label, *_ in marked.mentions if label != UNKNOWN}
    return Aligned(
        mentions=tuple(mentions),
        dropped=dict(dropped),
        marked=len(marked.mentions),
        lost_chains=len(labels - {label for *_, label in mentions}),
        unaligned=len(words) - len(covered),
        added=sum(first >= last for first, last in places),
        changed=sum(
            last - first == 1 and not _alike(copies[number], words[first])
            for number, (first, last) in enumerate(places)
        ),
        missing_end=len(words) - 1 - max(covered, default=-1),
    )


def _parsed(copy: str, strictness: Strictness) -> Marked:
    """The text without its marks, read paragraph by paragraph: a bracket that lacks its partner
    does no harm beyond."""
    pieces: list[str] = []
    mentions: list[tuple[str, int, int]] = []
    length = 0
    for paragraph in _PARAGRAPH.split(copy):
        found = parse(paragraph, "", 1, strictness)
        mentions += [(label, length + start, length + end) for label, start, end in found.mentions]
        pieces.append(found.text)
        length += len(found.text) + 2
    return Marked(text="\n\n".join(pieces), mentions=mentions, line=1)


def _alike(copy: str, word: str) -> bool:
    """Whether two words are the same, or one a piece of the other."""
    one, other = copy.casefold(), word.casefold()
    return one in other or other in one


def _carried(
    marked: Marked,
    begins: Sequence[int],
    places: Sequence[tuple[int, int]],
    dropped: Counter[str],
) -> list[Labelled]:
    """The mentions that have a place, each once; a place belongs to the first that takes it."""
    found: dict[tuple[int, int], str] = {}
    for label, start, end in marked.mentions:
        first, last = token_span(begins, start, end)
        there = [place for place in places[first:last] if place[1] > place[0]]
        if label == UNKNOWN:
            dropped["without a number"] += 1
            continue
        if not there:
            dropped["not in the text"] += 1
            continue
        span = there[0][0], max(place[1] for place in there)
        if span[1] - span[0] > 2 * (last - first) + _STRETCH:
            dropped["not in the text"] += 1
        elif span in found:
            dropped["marked twice"] += 1
        else:
            found[span] = label
    order = sorted(found, key=lambda span: (span[0], -span[1]))
    return [(*span, found[span]) for span in order]
