"""GUM, OntoGUM and LitBank, read just far enough to make benchmark inputs of them."""

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from benchmarks.documents import Chains, Span, Text
from benchmarks.inputs import corpus

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
    for path in sorted((corpus("litbank") / "conll").glob("*.conll")):
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
    folder = corpus("gum")
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
    seen: set[Span] = set()
    for token, cell in enumerate(cells):
        for bracket in _BRACKET.findall(cell):
            label = bracket.strip("()")
            if bracket.startswith("("):
                opened[label].append(token)
            if bracket.endswith(")") and opened[label]:
                span = (opened[label].pop(), token + 1)
                if span not in seen and text.holds(span):
                    seen.add(span)
                    chains[label].append(span)
    return chains
