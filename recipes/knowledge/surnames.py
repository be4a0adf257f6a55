"""Make ``surnames.txt.gz`` from the surname counts of the United States Census of 1990.

    python -m recipes.knowledge.surnames NAMES /usr/share/wordnet src/corefbench/language/data

NAMES is the folder of ``first_names``. Taken are the surnames that at least one in a hundred
thousand bears, but not those that are also places, times or groups.
"""

import gzip
import sys
from pathlib import Path

from recipes.knowledge.first_names import frequencies, places_and_times

LEAST = 0.001
"""Percent of the people counted."""


def write(names: Path, wordnet: Path, target: Path) -> None:
    """Write the table: the surnames, separated by blanks."""
    frequency = frequencies(names / "dist.all.last")
    found = {name for name, percent in frequency.items() if percent >= LEAST}
    text = " ".join(sorted(found - places_and_times(wordnet)))
    (target / "surnames.txt.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))


if __name__ == "__main__":
    write(*map(Path, sys.argv[1:4]))
