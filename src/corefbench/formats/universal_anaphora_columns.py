"""The columns of CONLL-UA, and what stands in its brackets."""

from functools import lru_cache

from corefbench.formats.conllu import COLUMNS as CONLLU_COLUMNS
from corefbench.model.builder import Span

LAYERS = {"identity": "identity", "deixis": "discourse_deixis"}
COLUMNS = (*CONLLU_COLUMNS, "identity", "bridging", "discourse_deixis", "reference", "nom_sem")
OWN = ("EntityID", "MarkableID", "Min", "ElementOf")
NOT_COLUMNS = frozenset(OWN) - {"MarkableID"}
PSEUDO = "-Pseudo"
"""Ends the EntityID of what does not refer."""

_DIGITS = 9
"""No document has more tokens than these can count."""


@lru_cache(maxsize=8)
def positions(announced: str) -> dict[str, int]:
    """Where each column stands, by the announcement or by custom.

    >>> positions("ID FORM IDENTITY")["identity"]
    2
    """
    names = {name: index for index, name in enumerate(announced.lower().split() or COLUMNS)}
    for name in COLUMNS:
        names.setdefault(name, len(names))
    return names


def attributes_of(chunk: str) -> dict[str, str]:
    """The named values of a bracket.

    >>> attributes_of("(EntityID=1|Min=3,4)")
    {'EntityID': '1', 'Min': '3,4'}
    """
    fields = chunk.strip("()").split("|")
    return dict([field.split("=", 1) for field in fields if "=" in field])


def minimal_span(span: Span, text: str) -> Span | None:
    """The minimal span, one token number or the first and the last; None where it lies outside.

    >>> minimal_span((2, 6), "3,4"), minimal_span((2, 6), "7")
    ((2, 4), None)
    """
    numbers = [
        int(n) if n.isascii() and n.isdigit() and len(n) <= _DIGITS else 0 for n in text.split(",")
    ]
    start, end = numbers[0] - 1, numbers[-1]
    inside = len(numbers) <= 2 and span[0] <= start < end <= span[1]
    return (start, end) if inside else None
