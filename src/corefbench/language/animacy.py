"""Which nouns name persons, animals and groups: shares of their senses in WordNet 3.0.

The table is made by ``recipes/knowledge/animacy.py``; WordNet's licence stands beside it.
"""

import gzip
from functools import cache
from importlib.resources import files

_UNKNOWN = (0, 0, 0)


@cache
def _table() -> dict[str, tuple[int, int, int]]:
    table: dict[str, tuple[int, int, int]] = {}
    packed = (files("corefbench.language") / "data" / "animacy.txt.gz").read_bytes()
    for line in gzip.decompress(packed).decode().splitlines():
        animacy, person, group, *nouns = line.split(" ")
        table.update(dict.fromkeys(nouns, (int(animacy), int(person), int(group))))
    return table


def animacy(lemma: str) -> float | None:
    """How much of a noun's use is of persons and animals, 0 to 1; None for unknown nouns.

    >>> animacy("waiter"), animacy("president"), animacy("printer"), animacy("xyzzy")
    (1.0, 0.96, 0.33, None)
    """
    row = _table().get(lemma.lower())
    return row[0] / 100 if row else None


def personhood(lemma: str) -> float:
    """How much of a noun's use is of persons, 0 to 1; 0 for unknown nouns.

    >>> personhood("waiter"), personhood("crab"), animacy("crab")
    (1.0, 0.22, 0.67)
    """
    return _table().get(lemma.lower(), _UNKNOWN)[1] / 100


def collectivity(lemma: str) -> float:
    """How much of a noun's use is of groups, 0 to 1; 0 for unknown nouns.

    >>> collectivity("orchestra"), collectivity("violin")
    (0.88, 0.0)
    """
    return _table().get(lemma.lower(), _UNKNOWN)[2] / 100
