"""Paragraphs as what the network sees at a time: a few sentences, in numbers."""

from collections.abc import Iterable, Iterator
from random import Random
from typing import NamedTuple

from corefbench.preprocess.word_pieces import WordPieces, shape_of
from recipes.english.conllu import Paragraph, Word
from recipes.english.noise import JOINED, VARIANTS, join
from recipes.english_accurate.labels import TASKS, UNKNOWN, columns, has_entities

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
            task: {value: number for number, value in enumerate(values)}
            for task, values in classes.items()
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
                found.shapes.extend([shape_of(word.form)] * len(row))
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
