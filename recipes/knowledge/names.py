"""Make the tables of first names and surnames from the United States Census of 1990.

    python -m recipes names NAMES /usr/share/wordnet src/corefbench/preprocess/english/data

NAMES is a folder with ``dist.male.first``, ``dist.female.first`` and ``dist.all.last``, as the
Census Bureau published them (works of the United States government, in the public domain); the
Python package ``names`` has them. A first name is masculine or feminine if nine of ten bearers are,
else both. First names are marked that are more common as surnames, that are rare, and that are also
places, times or groups by the lexicographer files of WordNet. Surnames are those that at least one
in a hundred thousand people bears, except places, times and groups.
"""

import gzip
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

LOCATION, TIME, GROUP = "15", "28", "14"
SURE = 0.9
NO_FIRST_NAMES = {"santa", "man", "numbers", "see", "in", "son", "van", "le", "la", "da", "do", "so"}
RARE = 0.005
"""Percent of the people counted."""


def frequencies(path: Path) -> dict[str, float]:
    """Name → percent of the people counted."""
    rows = (line.split() for line in path.read_text().splitlines())
    return {row[0].lower(): float(row[1]) for row in rows if row}


def places_and_times(folder: Path) -> set[str]:
    """The words that have a sense among locations, times and groups."""
    found = set()
    for line in (folder / "data.noun").read_text().splitlines():
        if line.startswith(" "):
            continue
        _, file, _, size, *rest = line.split(" ")
        if file in (LOCATION, TIME, GROUP):
            found |= {rest[2 * place].lower() for place in range(int(size, 16))}
    return found


def code(male: float, female: float, last: float, other: bool) -> str:
    """The gender of a name (m, f or b for both); s marks surnames, r rare names, w other words."""
    share = male / (male + female)
    gender = "m" if share >= SURE else "f" if share <= 1 - SURE else "b"
    often = max(male, female)
    return gender + "s" * (last > often) + "r" * (often < RARE) + "w" * other


def write_first_names(names: Path, wordnet: Path, target: Path) -> None:
    """Write the table: one line for every code, followed by the names that have it."""
    male, female, last = (frequencies(names / f"dist.{part}") for part in ("male.first", "female.first", "all.last"))
    elsewhere = places_and_times(wordnet)
    groups: dict[str, list[str]] = defaultdict(list)
    for name in sorted((male.keys() | female.keys()) - NO_FIRST_NAMES):
        parts = male.get(name, 0), female.get(name, 0), last.get(name, 0)
        groups[code(*parts, name in elsewhere)].append(name)
    lines = [f"{key} {' '.join(found)}\n" for key, found in sorted(groups.items())]
    (target / "first-names.txt").write_text("".join(lines))


LEAST = 0.001
"""Percent of the people counted."""


def write_surnames(names: Path, wordnet: Path, target: Path) -> None:
    """Write the table: the surnames, separated by blanks."""
    frequency = frequencies(names / "dist.all.last")
    found = {name for name, percent in frequency.items() if percent >= LEAST}
    text = " ".join(sorted(found - places_and_times(wordnet)))
    (target / "surnames.txt.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def main(words: Sequence[str]) -> None:
    """``NAMES WORDNET TARGET``."""
    names, wordnet, target = map(Path, words)
    write_first_names(names, wordnet, target)
    write_surnames(names, wordnet, target)
