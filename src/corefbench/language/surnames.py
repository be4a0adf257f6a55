"""Surnames, from the United States Census of 1990.

The table is made by ``recipes/knowledge/surnames.py``.
"""

import gzip
from functools import cache
from importlib.resources import files


@cache
def _table() -> frozenset[str]:
    packed = (files("corefbench.language") / "data" / "surnames.txt.gz").read_bytes()
    return frozenset(gzip.decompress(packed).decode().split(" "))


def is_surname(word: str) -> bool:
    """Whether a word is a surname and no place, time or group.

    >>> is_surname("Garrett"), is_surname("Paris")
    (True, False)
    """
    return word.lower() in _table()
