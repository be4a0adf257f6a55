"""Corpora that benchmark inputs are made from."""

import os
import re
import tarfile
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

ROOT = Path(__file__).resolve().parent.parent
INPUTS = ROOT / "benchmarks" / ".inputs"
_ARCHIVES = ROOT.parent / "shared" / "data"
_UNPACKED = ROOT / "benchmarks" / ".data"


def corpus_folder(name: str) -> Path:
    """The folder of an unpacked corpus (``gum``, ``litbank``)."""
    root = os.environ.get("COREFBENCH_DATA")
    if root:
        return _existing(Path(root) / name)
    folder = _UNPACKED / name
    if not folder.exists():
        _unpack(_existing(_ARCHIVES / f"{name}.tar.xz"))
    return _existing(folder)


def _unpack(archive: Path) -> None:
    _UNPACKED.mkdir(parents=True, exist_ok=True)
    with tarfile.open(archive) as packed:
        packed.extractall(_UNPACKED, filter="data")


def _existing(path: Path) -> Path:
    if not path.exists():
        raise SystemExit(f"{path} is missing: set COREFBENCH_DATA to a folder of unpacked corpora")
    return path


Span: TypeAlias = tuple[int, int]
"""Half-open token offsets in the document."""
Chains: TypeAlias = list[list[Span]]


@dataclass(frozen=True, eq=False)
class Text:
    """Words in sentences, with the columns that an OntoNotes file shows beside them.

    Compared by identity, so that what was rendered for a text can be kept for its copies.
    """

    name: str
    words: list[str]
    tags: list[str]
    lemmas: list[str]
    speakers: list[str]
    sentences: list[int]
    """The first token of each sentence, then the number of tokens."""

    def sentence_of(self, token: int) -> Span:
        """The sentence that holds a token."""
        at = bisect_right(self.sentences, token) - 1
        return self.sentences[at], self.sentences[at + 1]

    def holds(self, span: Span) -> bool:
        """Whether a span is not empty and stays inside one sentence."""
        if not 0 <= span[0] < span[1] <= len(self.words):
            return False
        return span[1] <= self.sentence_of(span[0])[1]

    def cut(self, start: int, end: int) -> "Text":
        """The part between two sentence boundaries."""
        inside = [s - start for s in self.sentences if start <= s <= end]
        return Text(
            self.name,
            self.words[start:end],
            self.tags[start:end],
            self.lemmas[start:end],
            self.speakers[start:end],
            inside,
        )


@dataclass(frozen=True)
class Pair:
    """One document as key and response."""

    name: str
    part: int
    text: Text
    key: Chains
    response: Chains


def within(chains: Chains, start: int, end: int, *, smallest: int = 1) -> Chains:
    """The chains of a part: their spans inside it, renumbered; chains that become too small go."""
    moved = ([(s - start, e - start) for s, e in c if start <= s and e <= end] for c in chains)
    return [chain for chain in moved if len(chain) >= smallest]


def without_crossing(spans: Iterable[Span]) -> list[Span]:
    """The spans without those that cross an earlier one.

    Two crossing mentions of one chain cannot be written in CoNLL: the brackets would read back as
    two nested ones.

    >>> without_crossing([(0, 3), (2, 5), (2, 3), (4, 6)])
    [(0, 3), (2, 3), (4, 6)]
    """
    kept: list[Span] = []
    opened: list[int] = []
    for start, end in sorted(set(spans), key=lambda span: (span[0], -span[1])):
        while opened and opened[-1] <= start:
            opened.pop()
        if not opened or end <= opened[-1]:
            opened.append(end)
            kept.append((start, end))
    return kept


def writable(chains: Iterable[list[Span]]) -> Chains:
    """Chains that CoNLL can write: no crossing inside a chain, none empty."""
    return [kept for chain in chains if (kept := without_crossing(chain))]


_BRACKET = re.compile(r"\([^()|]+\)?|[^()|]+\)")


def ontogum() -> Iterator[tuple[Text, Chains]]:
    """OntoGUM: the OntoNotes scheme, no singletons."""
    for text, labelled in _gum("ontogum-conll"):
        yield text, [chain for chain in labelled.values() if len(chain) > 1]


def gum() -> Iterator[tuple[Text, dict[str, list[Span]]]]:
    """GUM with singletons; a chain of a named entity is labelled by that name."""
    for text, labelled in _gum("gum-conll"):
        named: dict[str, list[Span]] = defaultdict(list)
        for label, chain in labelled.items():
            _, _, identity = (*label.split("-", 2), "", "")[:3]
            named[f"={identity}" if identity else f"{text.name}-{label}"] += chain
        yield text, named


def litbank() -> Iterator[tuple[Text, Chains]]:
    """LitBank: the first two thousand words of a hundred novels."""
    for path in sorted((corpus_folder("litbank") / "conll").glob("*.conll")):
        words, cells, sentences = [], [], [0]
        for line in path.read_text(encoding="utf-8").split("\n"):
            if line.startswith("#begin") or line.startswith("#end"):
                continue
            if line:
                columns = line.split("\t")
                words.append(columns[3])
                cells.append(columns[12])
            elif words and sentences[-1] != len(words):
                sentences.append(len(words))
        blank = ["-"] * len(words)
        text = Text(path.stem, words, blank, blank, blank, _closed(sentences, len(words)))
        yield text, list(_chains(text, cells).values())


def _gum(scheme: str) -> Iterator[tuple[Text, dict[str, list[Span]]]]:
    folder = corpus_folder("gum")
    for path in sorted((folder / "dep").glob("*.conllu")):
        text = _tree_bank_text(path)
        lines = (folder / scheme / f"{path.stem}.conll").read_text(encoding="utf-8").split("\n")
        cells = [line.rsplit("\t", 1)[1] for line in lines if line.count("\t") == 2]
        yield text, _chains(text, cells)


def _tree_bank_text(path: Path) -> Text:
    words: list[str] = []
    tags, lemmas, speakers, sentences = [], [], [], [0]
    speaker = "-"
    for line in path.read_text(encoding="utf-8").split("\n"):
        if line.startswith("# speaker = "):
            speaker = line.removeprefix("# speaker = ").replace(" ", "_")
        elif not line and sentences[-1] != len(words):
            sentences.append(len(words))
            speaker = "-"
        elif line and not line.startswith("#"):
            columns = line.split("\t")
            if columns[0].isdigit():
                words.append(columns[1])
                lemmas.append(columns[2])
                tags.append(columns[4])
                speakers.append(speaker)
    return Text(path.stem, words, tags, lemmas, speakers, _closed(sentences, len(words)))


def _closed(sentences: list[int], tokens: int) -> list[int]:
    return sentences if sentences[-1] == tokens else [*sentences, tokens]


def _chains(text: Text, cells: list[str]) -> dict[str, list[Span]]:
    """The spans of each label; brackets that do not pair and repeated spans are left out."""
    opened: dict[str, list[int]] = defaultdict(list)
    chains: dict[str, list[Span]] = defaultdict(list)
    taken: set[Span] = set()
    for token, cell in enumerate(cells):
        for bracket in _BRACKET.findall(cell):
            label = bracket.strip("()")
            if bracket.startswith("("):
                opened[label].append(token)
            if bracket.endswith(")") and opened[label]:
                span = (opened[label].pop(), token + 1)
                if span not in taken and text.holds(span):
                    taken.add(span)
                    chains[label].append(span)
    return chains
