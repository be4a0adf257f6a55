"""What the readers of CorefUD's brackets share: faults with their place, and spans of words."""

from collections.abc import Sequence

from corefbench.errors import Place
from corefbench.findings import Strictness
from corefbench.formats.conllu_rows import Rows
from corefbench.model.builder import Span


class Faults:
    """Says what is wrong at which row of a block."""

    def __init__(self, strictness: Strictness, source: str, rows: Rows) -> None:
        self.strictness = strictness
        self.source = source
        self.rows = rows

    def place(self, row: int) -> Place:
        return Place(source=self.source, line=self.rows.number(row))

    def fault(self, code: str, message: str, row: int, found: str, repair: str) -> None:
        self.strictness.fault(code, message, place=self.place(row), found=found, repair=repair)


def words_of(spans: Sequence[Span]) -> Sequence[int]:
    """The places of a mention's words.

    >>> words_of([(0, 2), (4, 5)])
    [0, 1, 4]
    """
    return range(*spans[0]) if len(spans) == 1 else [w for a, b in spans for w in range(a, b)]


def joined(spans: list[Span]) -> list[Span]:
    """The spans, adjoining ones made one.

    >>> joined([(0, 2), (2, 3), (5, 6)])
    [(0, 3), (5, 6)]
    """
    made = spans[:1]
    for start, end in spans[1:]:
        if start == made[-1][1]:
            made[-1] = (made[-1][0], end)
        else:
            made.append((start, end))
    return made
