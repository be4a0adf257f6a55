"""Training examples of the accurate English pipeline."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from random import Random
from typing import NamedTuple

import torch
from torch import Tensor

from corefbench.preprocess.pipelines.joint_model import WordPieces, make_lemma_script, word_shape
from recipes.english import treebank
from recipes.english.treebank import JOINED, VARIANTS, Paragraph, Word, join

TASKS = ("upos", "xpos", "features", "lemma", "entity")
RAREST = {"features": 2, "lemma": 3}
"""How often a class must occur; words of rarer ones do not train the task."""
UNKNOWN = -100


def classes(paragraphs: Iterable[Paragraph]) -> dict[str, list[str]]:
    """For every task its classes, the most frequent first."""
    counts: dict[str, Counter[str]] = {task: Counter() for task in (*TASKS, "relation")}
    for paragraph in paragraphs:
        for sentence in paragraph.sentences:
            for task, values in columns(sentence, typed=True).items():
                counts[task].update(values)
    return {
        task: [
            value
            for value, count in sorted(counter.items(), key=lambda row: (-row[1], row[0]))
            if count >= RAREST.get(task, 1)
        ]
        for task, counter in counts.items()
    }


def columns(sentence: list[Word], *, typed: bool) -> dict[str, list[str]]:
    """The right class of every word for every task; none for entities that are not annotated."""
    return {
        "upos": [word.upos for word in sentence],
        "xpos": [word.xpos for word in sentence],
        "features": ["" if word.feats == "_" else word.feats for word in sentence],
        "lemma": [make_lemma_script(word.form, word.form if word.lemma == "_" else word.lemma) for word in sentence],
        "entity": treebank.tags(sentence) if typed else ["?"] * len(sentence),
        "relation": [word.relation for word in sentence],
    }


def has_entities(paragraph: Paragraph) -> bool:
    """Whether a paragraph is of GUM: EWT has no entities, which says nothing about its words."""
    return paragraph.document.startswith(("GUM_", "GENTLE_"))


NAMES = frozenset({"NNP", "NNPS", "ADD", "FW", "GW", "AFX"})
"""Tags of words whose lemma keeps capitals or says nothing about the next such word."""
SHARE = 0.6


def lemmas(paragraphs: Iterable[Paragraph]) -> dict[str, dict[str, str]]:
    """What a word usually has as its lemma, names left out."""
    counts: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for paragraph in paragraphs:
        for word in paragraph.words:
            if word.form.isalpha() and word.xpos not in NAMES and word.lemma != "_":
                counts[word.xpos, word.form.lower()][word.lemma] += 1
    found: dict[str, dict[str, str]] = {}
    for (tag, form), lemmas_of in sorted(counts.items()):
        lemma, count = lemmas_of.most_common(1)[0]
        if count >= SHARE * lemmas_of.total():
            found.setdefault(tag, {})[form] = lemma
    return found


LONGEST = 190
"""Pieces; a paragraph that has more is cut between sentences."""
HARD_LIMIT = 500
"""Pieces; a longer sentence is left out."""


class Chunk(NamedTuple):
    """Pieces of text, and per word where it is, its sentence, head and classes."""

    pieces: list[int]
    shapes: list[int]
    firsts: list[int]
    lasts: list[int]
    sentences: list[int]
    heads: list[int]
    """Counted from 1 over the chunk; 0 is the root."""
    relations: list[int]
    classes: list[list[int]]
    """One list per task."""


def varied(paragraphs: list[Paragraph], random: Random) -> Iterator[Paragraph]:
    """The paragraphs, some of them changed or joined with the next as if a break was lost."""
    waiting: Paragraph | None = None
    for paragraph in paragraphs:
        for share, change in VARIANTS:
            if random.random() < share:
                paragraph = change(paragraph)
                break
        if waiting and waiting.document == paragraph.document:
            paragraph = join(waiting, paragraph)
        elif waiting:
            yield waiting
        waiting = None
        if random.random() < JOINED:
            waiting = paragraph
        else:
            yield paragraph
    if waiting:
        yield waiting


class Encoder:
    """Makes chunks of paragraphs."""

    def __init__(self, pieces: WordPieces, classes: dict[str, list[str]]) -> None:
        self.pieces = pieces
        self.numbers = {
            task: {value: number for number, value in enumerate(values)} for task, values in classes.items()
        }

    def chunks(self, paragraphs: Iterable[Paragraph]) -> Iterator[Chunk]:
        """The chunks in text order."""
        for paragraph in paragraphs:
            typed = has_entities(paragraph)
            part: list[list[Word]] = []
            size = 0
            for sentence in paragraph.sentences:
                length = sum(len(row) for row in self.pieces([word.form for word in sentence]))
                if part and size + length > LONGEST:
                    yield self.chunk(part, typed)
                    part, size = [], 0
                if length <= HARD_LIMIT:
                    part.append(sentence)
                    size += length
            if part:
                yield self.chunk(part, typed)

    def chunk(self, sentences: list[list[Word]], typed: bool) -> Chunk:
        """Sentences in numbers."""
        found = Chunk([self.pieces.first], [0], [], [], [], [], [], [[] for _ in TASKS])
        for number, sentence in enumerate(sentences):
            offset = len(found.heads)
            for word, row in zip(sentence, self.pieces([w.form for w in sentence]), strict=True):
                found.firsts.append(len(found.pieces) if row else 0)
                found.pieces.extend(row)
                found.shapes.extend([word_shape(word.form)] * len(row))
                found.lasts.append(len(found.pieces) - 1 if row else 0)
                found.sentences.append(number)
                found.heads.append(offset + word.head if word.head else 0)
            values = columns(sentence, typed=typed)
            found.relations.extend(self._numbers("relation", values))
            for task, column in zip(TASKS, found.classes, strict=True):
                column.extend(self._numbers(task, values))
        found.pieces.append(self.pieces.last)
        found.shapes.append(0)
        return found

    def _numbers(self, task: str, values: dict[str, list[str]]) -> list[int]:
        return [self.numbers[task].get(value, UNKNOWN) for value in values[task]]


PIECES = 800
"""Pieces of a batch, padding included."""


class Batch(NamedTuple):
    """What a training step takes; ``classes`` is [task, batch, word]."""

    pieces: Tensor
    shapes: Tensor
    mask: Tensor
    edges: Tensor
    sentences: Tensor
    heads: Tensor
    relations: Tensor
    classes: Tensor


def batches(chunks: list[Chunk], random: Random) -> list[Batch]:
    """All chunks, those of about the same length together, in random order."""
    order = sorted(chunks, key=lambda chunk: len(chunk.pieces) + random.random() * 8)
    groups: list[list[Chunk]] = [[]]
    for chunk in order:
        if len(chunk.pieces) * (len(groups[-1]) + 1) > PIECES and groups[-1]:
            groups.append([])
        groups[-1].append(chunk)
    random.shuffle(groups)
    return [batch(group) for group in groups]


def batch(chunks: list[Chunk]) -> Batch:
    """Chunks as one batch; what is filled up trains nothing."""
    edges = [list(zip(c.firsts, c.lasts, strict=True)) for c in chunks]
    words = max(len(chunk.heads) for chunk in chunks)
    return Batch(
        pieces=_padded([c.pieces for c in chunks]),
        shapes=_padded([c.shapes for c in chunks]),
        mask=_padded([[1] * len(c.pieces) for c in chunks]),
        edges=torch.tensor([row + [(0, 0)] * (words - len(row)) for row in edges]),
        sentences=_padded([c.sentences for c in chunks], -1),
        heads=_padded([c.heads for c in chunks], UNKNOWN),
        relations=_padded([c.relations for c in chunks], UNKNOWN),
        classes=torch.stack(
            [_padded([c.classes[task] for c in chunks], UNKNOWN) for task in range(len(chunks[0].classes))]
        ),
    )


def _padded(rows: list[list[int]], fill: int = 0) -> Tensor:
    width = max(map(len, rows))
    return torch.tensor([row + [fill] * (width - len(row)) for row in rows])
