"""Paragraphs in sheets: what is far from the screen is laid out by the sheet, or not at all.

A browser watches everything that it may leave out, so few sheets are better than many paragraphs;
and it lays out whole sheets, so they are no taller than about one screen.
"""

from collections.abc import Iterable, Iterator

from corefbench.record import Record
from corefbench.web.reading.flow import Paragraph

_HEIGHT = 80
"""Of a sheet in rem, unless one paragraph has more."""
_STEP = 10
"""The style sheet has so many rem to a step …"""
_STEPS = 16
"""… and so many steps."""


class Sheet(Record, frozen=True):
    """Some paragraphs."""

    first: int
    """The number of its first paragraph, from 0."""
    height: int
    """About how tall, in steps: what is not laid out can be scrolled all the same."""
    paragraphs: tuple[Paragraph, ...]


def sheets(paragraphs: Iterable[Paragraph]) -> Iterator[Sheet]:
    """All paragraphs in their order; a sheet is made when the one before it has been taken."""
    taken: list[Paragraph] = []
    first = height = 0
    for number, paragraph in enumerate(paragraphs):
        if taken and height + paragraph.height > _HEIGHT:
            yield _sheet(first, height, taken)
            first, height, taken = number, 0, []
        taken.append(paragraph)
        height += paragraph.height
    if taken:
        yield _sheet(first, height, taken)


def _sheet(first: int, height: int, taken: list[Paragraph]) -> Sheet:
    steps = min(_STEPS, max(1, round(height / _STEP)))
    return Sheet(first=first, height=steps, paragraphs=tuple(taken))
