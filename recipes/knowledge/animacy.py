"""Make ``animacy.txt.gz`` from WordNet 3.0: which nouns of English name beings, and which groups.

    python -m recipes animacy /usr/share/wordnet src/corefbench/preprocess/english/data

Every sense of a noun weighs its tag count (``cntlist.rev``) + 0.5. The animacy of the noun is the
share of the weight that lies in the lexicographer files of persons and animals, its personhood the
share of persons alone, its collectivity the share in the file of groups. The concepts *person* and
*animal* themselves stand among the top concepts (file 03) and count with theirs.

The table has one line for every triple of values, in percent, followed by the nouns that have it.
Debian has the files of WordNet 3.0 in the package ``wordnet-base``.
"""

import gzip
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

TOPS = "03"
KINDS = {"05": "animal", "14": "group", "18": "person"}
"""Lexicographer files."""
SMOOTHING = 0.5


def tag_counts(folder: Path) -> dict[tuple[str, int], int]:
    """How often each sense of a noun was met in the tagged texts, by lemma and sense number."""
    counts = {}
    for line in (folder / "cntlist.rev").read_text().splitlines():
        key, sense, count = line.split()
        lemma, place = key.split("%")
        if place.startswith("1:"):
            counts[lemma, int(sense)] = int(count)
    return counts


def kinds(folder: Path) -> dict[str, str]:
    """For every synset whether it is of a person, an animal, a group or none of these (empty)."""
    found = {}
    for line in (folder / "data.noun").read_text().splitlines():
        if line.startswith(" "):
            continue
        offset, file, _, _, first, *_ = line.split(" ", 5)
        top = first if file == TOPS and first in ("person", "animal") else ""
        found[offset] = KINDS.get(file, top)
    return found


def shares(folder: Path) -> Iterator[tuple[str, float, float, float]]:
    """Every noun of one word with its animacy, personhood and collectivity."""
    kind, count = kinds(folder), tag_counts(folder)
    for line in (folder / "index.noun").read_text().splitlines():
        if line.startswith(" "):
            continue
        lemma, _, senses, *rest = line.split()
        if not lemma.replace("-", "").isalpha():
            continue
        weight = {"person": 0.0, "animal": 0.0, "group": 0.0, "": 0.0}
        for number, offset in enumerate(rest[-int(senses) :], 1):
            weight[kind[offset]] += count.get((lemma, number), 0) + SMOOTHING
        total = sum(weight.values())
        person = weight["person"] / total
        yield lemma, person + weight["animal"] / total, person, weight["group"] / total


def write(wordnet: Path, target: Path) -> None:
    """Write the table."""
    groups: dict[str, list[str]] = defaultdict(list)
    for lemma, *values in shares(wordnet):
        groups[" ".join(str(round(100 * value)) for value in values)].append(lemma)
    lines = [f"{values} {' '.join(sorted(nouns))}\n" for values, nouns in sorted(groups.items())]
    # No file name and no time in the header: the same source gives the same bytes.
    with (target / "animacy.txt.gz").open("wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        packed.write("".join(lines).encode())


def main(words: Sequence[str]) -> None:
    """``WORDNET TARGET``."""
    write(*map(Path, words))
