"""GAP and Winogender, some megabytes of them: GUM has next to nothing that they could hold.

The real files are small: their records come again and again, under other numbers or names, so
that no two are the same.
"""

import re
import string
from collections.abc import Callable, Iterator
from itertools import count, product
from pathlib import Path

from benchmarks.inputs import corpus

_SIZE = 3_000_000


def gap() -> bytes:
    """The examples of GAP's test file, numbered on."""
    header, rows = _rows(corpus("pronouns") / "gap" / "gap-test.tsv")
    numbers = count(1)

    def renumbered(row: str, _: str) -> str:
        _, _, rest = row.partition("\t")
        return f"test-{next(numbers)}\t{rest}"

    return _repeated(header, rows, renumbered)


def winogender() -> bytes:
    """Winogender's sentences, about ever other occupations and participants."""
    header, rows = _rows(corpus("pronouns") / "winogender" / "data" / "all_sentences.tsv")

    def renamed(row: str, ending: str) -> str:
        people = "|".join(row.split(".")[:2])
        return re.sub(rf"(?i)\b({people})\b", rf"\g<1>{ending}", row)

    return _repeated(header, rows, renamed)


INPUTS: dict[str, Callable[[], bytes]] = {"gap": gap, "winogender": winogender}
"""What is measured in place of GUM."""


def _repeated(header: str, rows: list[str], change: Callable[[str, str], str]) -> bytes:
    """The rows, changed with another ending every time, until there are enough."""
    made, size = [header], 0
    for ending in _endings():
        again = [change(row, ending) for row in rows]
        made += again
        size += sum(map(len, again))
        if size >= _SIZE:
            break
    return ("\n".join(made) + "\n").encode()


def _endings() -> Iterator[str]:
    """Letters to put after a name: none at first, then ever more."""
    for length in count():
        yield from map("".join, product(string.ascii_lowercase, repeat=length))


def _rows(path: Path) -> tuple[str, list[str]]:
    header, *rows = path.read_text(encoding="utf-8").rstrip("\n").split("\n")
    return header, rows
