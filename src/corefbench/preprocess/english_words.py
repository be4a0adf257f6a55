"""English words as Universal Dependencies cuts them: marks, clitics and hyphens stand alone.

A stretch without white space is cut from both ends inwards: opening marks, closing marks, clitics
(*is|n't*, *John|'s*), then inside (*self|-|made*, *and|/|or*). Addresses, numbers and abbreviations
stay in one piece; *cannot*, *gonna* and contractions without apostrophe are cut by a table.
"""

import re
from collections.abc import Iterator

from corefbench.preprocess.english_marks import (
    ABBREVIATION,
    CLITIC,
    CLOSING,
    INITIAL,
    INSIDE,
    OPENING,
    UNIT,
    WHOLE,
    WRITTEN_AS_ONE,
)

Spans = tuple[tuple[int, int], ...]

_REMEMBERED = 200_000
"""Stretches; a text that has more different ones makes it start anew."""

_STRETCH = re.compile(r"\S+")


class Words:
    """Cuts text into words and remembers how it has cut a stretch."""

    def __init__(self) -> None:
        self._known: dict[str, Spans] = {}

    def __call__(self, text: str) -> Iterator[tuple[int, int]]:
        """The spans of the words of a text, in order."""
        for match in _STRETCH.finditer(text):
            begin = match.start()
            for start, end in self.spans(match[0]):
                yield begin + start, begin + end

    def spans(self, stretch: str) -> Spans:
        """The words of a stretch without white space.

        >>> words = Words()
        >>> for text in ("(isn't)", "well-known,", "John's", "U.S.", "$5", "and/or"):
        ...     print([text[a:b] for a, b in words.spans(text)])
        ['(', 'is', "n't", ')']
        ['well', '-', 'known', ',']
        ['John', "'s"]
        ['U.S.']
        ['$', '5']
        ['and', '/', 'or']
        """
        found = self._known.get(stretch)
        if found is None:
            if len(self._known) > _REMEMBERED:
                self._known.clear()
            found = self._known[stretch] = tuple(_cut(stretch, 0, len(stretch)))
        return found


def _cut(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Opening marks one by one, the core, closing marks."""
    closing: list[tuple[int, int]] = []
    while begin < end and not _is_whole(text, begin, end):
        if mark := OPENING.match(text, begin, end):
            yield begin, mark.end()
            begin = mark.end()
        elif mark := _closing(text, begin, end):
            closing.append((mark.start(), end))
            end = mark.start()
        else:
            yield from _core(text, begin, end)
            begin = end
    if begin < end:
        yield from _whole(text, begin, end)
    yield from reversed(closing)


def _is_whole(text: str, begin: int, end: int) -> bool:
    return bool(
        text[begin:end].lower() in WRITTEN_AS_ONE
        or WHOLE.fullmatch(text, begin, end)
        or ABBREVIATION.fullmatch(text, begin, end)
        or INITIAL.fullmatch(text, begin, end)
    )


def _whole(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    for length in WRITTEN_AS_ONE.get(text[begin:end].lower(), (end - begin,)):
        yield begin, begin + length
        begin += length


def _core(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """A stretch without marks at its ends."""
    for pattern in (CLITIC, UNIT):
        mark = pattern.search(text, begin, end)
        if mark and mark.start(mark.lastgroup or 0) > begin:
            middle = mark.start(mark.lastgroup or 0)
            yield from _cut(text, begin, middle)
            yield middle, end
            return
    if mark := INSIDE.search(text, begin + 1, end):
        yield from _cut(text, begin, mark.start())
        yield mark.span()
        yield from _cut(text, mark.end(), end)
        return
    yield begin, end


def _closing(text: str, begin: int, end: int) -> re.Match[str] | None:
    if CLITIC.search(text, begin, end):
        return None
    return CLOSING.search(text, max(begin + 1, end - 40), end)
