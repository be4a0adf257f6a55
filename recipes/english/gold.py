"""The treebanks as raw text with its right analysis."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from corefbench.preprocess.analysis import Analysis, Entity
from corefbench.preprocess.base import Input
from corefbench.preprocess.compose import compose
from recipes.english import entities
from recipes.english.conllu import Paragraph, Word


def documents(paragraphs: Iterable[Paragraph]) -> Iterator[Analysis]:
    """Every document as one analysis; its text has a blank line between paragraphs."""
    for name, group in groupby(paragraphs, key=lambda paragraph: paragraph.document):
        yield _analysis(name, list(group))


def _analysis(name: str, paragraphs: list[Paragraph]) -> Analysis:
    sentences = [sentence for paragraph in paragraphs for sentence in paragraph.sentences]
    words = [word for sentence in sentences for word in sentence]
    spans = list(_spans(sentences))
    return compose(
        Input(name=name, text="\n\n".join(paragraph.text for paragraph in paragraphs)),
        words=[word.form for word in words],
        offsets=_offsets(paragraphs),
        sentences=spans,
        lemmas=[word.lemma for word in words],
        upos=[word.upos for word in words],
        xpos=[word.xpos for word in words],
        features=["" if word.feats == "_" else word.feats for word in words],
        heads=[start + word.head - 1 if word.head else -1 for start, word in _placed(sentences)],
        relations=[word.relation for word in words],
        entities=list(_entities(sentences)),
        pipeline="gold",
    )


def _spans(sentences: list[list[Word]]) -> Iterator[tuple[int, int]]:
    start = 0
    for sentence in sentences:
        yield start, start + len(sentence)
        start += len(sentence)


def _placed(sentences: list[list[Word]]) -> Iterator[tuple[int, Word]]:
    for (start, _), sentence in zip(_spans(sentences), sentences, strict=True):
        for word in sentence:
            yield start, word


def _offsets(paragraphs: list[Paragraph]) -> list[tuple[int, int]]:
    offsets, begin = [], 0
    for paragraph in paragraphs:
        place = begin
        for word in paragraph.words:
            offsets.append((place, place + len(word.form)))
            place += len(word.form) + word.space
        begin += len(paragraph.text) + len("\n\n")
    return offsets


def _entities(sentences: list[list[Word]]) -> Iterator[Entity]:
    for (start, _), sentence in zip(_spans(sentences), sentences, strict=True):
        tags = [*entities.tags(sentence), "O"]
        begin = -1
        for place, tag in enumerate(tags):
            if begin >= 0 and not tag.startswith("I-"):
                yield Entity(start=start + begin, end=start + place, type=tags[begin][2:])
                begin = -1
            if tag.startswith("B-"):
                begin = place
