"""Columns and rows of CONLL-UA files, and the contents of their brackets."""

from functools import lru_cache

import numpy as np

from corefbench.corpus.builder import Span
from corefbench.corpus.byte_search import byte_windows
from corefbench.formats.common.conllu import COLUMNS as CONLLU_COLUMNS
from corefbench.formats.common.conllu import TokenRows
from corefbench.records import Flags, Hashes, Longs

LAYERS = {"identity": "identity", "deixis": "discourse_deixis"}
COLUMNS = (*CONLLU_COLUMNS, "identity", "bridging", "discourse_deixis", "reference", "nom_sem")
RESERVED_KEYS = ("EntityID", "MarkableID", "Min", "ElementOf")
NOT_COLUMNS = frozenset(RESERVED_KEYS) - {"MarkableID"}
PSEUDO_SUFFIX = "-Pseudo"
"""Ends the EntityID of what does not refer."""

_MAX_DIGITS = 9
"""No document has more tokens than these can count."""
_TAB, _BLANK, _DEL = b"\t \x7f"
_HIGH_SPACES = [c for c in map(chr, range(0x80, 0x3001)) if c.isspace()]
_TWO, _THREE = (
    np.array([int.from_bytes(c.encode(), "little") for c in _HIGH_SPACES if len(c.encode()) == n]) for n in (2, 3)
)


class NeedsFallback(Exception):
    """A block is not well formed and must be read sentence by sentence."""


def fall_back_unless(condition: object) -> None:
    """Raise ``NeedsFallback`` unless the condition holds."""
    if not condition:
        raise NeedsFallback


@lru_cache(maxsize=8)
def column_positions(announced: str) -> dict[str, int]:
    """Where each column stands, by the announcement or by custom.

    >>> column_positions("ID FORM IDENTITY")["identity"]
    2
    """
    names = {name: index for index, name in enumerate(announced.lower().split() or COLUMNS)}
    for name in COLUMNS:
        names.setdefault(name, len(names))
    return names


def parse_attributes(chunk: str) -> dict[str, str]:
    """The named values of a bracket.

    >>> parse_attributes("(EntityID=1|Min=3,4)")
    {'EntityID': '1', 'Min': '3,4'}
    """
    fields = chunk.strip("()").split("|")
    return dict([field.split("=", 1) for field in fields if "=" in field])


def minimal_span(span: Span, text: str) -> Span | None:
    """The minimal span, one token number or the first and the last; None where it lies outside.

    >>> minimal_span((2, 6), "3,4"), minimal_span((2, 6), "7")
    ((2, 4), None)
    """
    numbers = [int(n) if n.isascii() and n.isdigit() and len(n) <= _MAX_DIGITS else 0 for n in text.split(",")]
    start, end = numbers[0] - 1, numbers[-1]
    inside = len(numbers) <= 2 and span[0] <= start < end <= span[1]
    return (start, end) if inside else None


def regular_rows(content: bytes) -> TokenRows:
    """The rows: every line that is no comment is one."""
    fall_back_unless(b"\0" not in content)
    rows = TokenRows(content if b"\t" in content else _with_tabs(content), 1, multiword=True)
    lines = rows.lines
    fall_back_unless(len(rows))
    # A line of blanks may or may not end a sentence.
    fall_back_unless(not (lines.blank & (lines.end > lines.start)).any())
    fall_back_unless(not _has_outer_white_space(rows))
    return rows


def _with_tabs(content: bytes) -> bytes:
    """The lines that are no comments with TABs for their white space."""
    lines = content.decode().split("\n")
    return "\n".join(
        line if line[:1] == "#" or line[:1].isspace() else "\t".join(line.split()) for line in lines
    ).encode()


def _has_outer_white_space(rows: TokenRows) -> bool:
    """Whether any cell is empty, or has white space at an edge."""
    data = rows.data
    tab, space, high = data == _TAB, data <= _BLANK, data > _DEL
    beside = space[1:] & space[:-1] & (tab[1:] | tab[:-1])
    first, last = rows.lines.start[rows.line], rows.lines.end[rows.line]
    if beside.any() or space[first].any() or space[last - 1].any():
        return True
    after = np.append(np.flatnonzero(tab[:-1] & high[1:]) + 1, first)
    before = np.append(np.flatnonzero(tab[1:] & high[:-1]) + 1, last)
    window = byte_windows(data)
    begins, ends = window[after], window[np.maximum(before - 3, 0)]
    return bool(
        (_contains_any(begins, 0, _TWO) | _contains_any(begins, 0, _THREE)).any()
        or (_contains_any(ends, 1, _TWO) | _contains_any(ends, 0, _THREE)).any()
    )


def _contains_any(window: Hashes, skipped: int, characters: Longs) -> Flags:
    """Whether one of some characters stands in each window, after some bytes."""
    size = 2 if characters is _TWO else 3
    mask = np.uint64((1 << 8 * size) - 1)
    return np.isin((window >> np.uint64(8 * skipped)) & mask, characters)


def number_by_appearance(values: np.ndarray) -> tuple[Longs, Longs]:
    """The places where values first appear, and the number of each value in that order.

    >>> [found.tolist() for found in number_by_appearance(np.array([7, 3, 7, 5]))]
    [[0, 1, 3], [0, 1, 0, 2]]
    """
    _, first, inverse = np.unique(values, return_index=True, return_inverse=True)
    order = np.argsort(first)
    number = np.empty(len(order), np.int64)
    number[order] = np.arange(len(order))
    return first[order], number[inverse]
