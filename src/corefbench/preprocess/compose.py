"""An analysis put together from the columns of a pipeline, with what every pipeline leaves open."""

from collections.abc import Sequence

from corefbench.preprocess.analysis import Analysis, Constituent, Entity
from corefbench.preprocess.base import Input
from corefbench.preprocess.headings import with_headings
from corefbench.preprocess.paragraphs import paragraphs_of

LONGEST = 300
"""Words of a sentence: text without full stops would else make one that takes hours to resolve."""


def compose(
    given: Input,
    *,
    words: Sequence[str],
    offsets: Sequence[tuple[int, int]],
    sentences: Sequence[tuple[int, int]],
    lemmas: Sequence[str],
    upos: Sequence[str],
    xpos: Sequence[str],
    features: Sequence[str],
    heads: Sequence[int],
    relations: Sequence[str],
    entities: Sequence[Entity] = (),
    trees: Sequence[Constituent | None] | None = None,
    pipeline: str,
) -> Analysis:
    """The analysis with paragraphs and headings; a missing lemma is the word, in small letters
    unless it is a name. Sentences that a pipeline found are cut where they pass all measure."""
    spans = tuple(sentences)
    if given.sentences is None and any(end - start > LONGEST for start, end in spans):
        spans = cut(spans)
        heads, relations = _inside(spans, heads, relations)
    paragraphs = given.paragraphs
    if paragraphs is None or len(paragraphs) != len(spans):
        paragraphs = paragraphs_of(given.text, offsets, spans)
    return with_headings(
        Analysis(
            name=given.name,
            text=given.text,
            words=tuple(words),
            offsets=tuple(offsets),
            sentences=spans,
            paragraphs=tuple(paragraphs),
            headings=(),
            lemmas=tuple(
                _lemma(lemma, word, tag)
                for lemma, word, tag in zip(lemmas, words, upos, strict=True)
            ),
            upos=tuple(upos),
            xpos=tuple(xpos),
            features=tuple(features),
            heads=tuple(heads),
            relations=tuple(relations),
            entities=tuple(entities),
            speakers=given.speakers,
            trees=None if trees is None else tuple(trees),
            pipeline=pipeline,
        )
    )


def cut(
    sentences: Sequence[tuple[int, int]], longest: int = LONGEST
) -> tuple[tuple[int, int], ...]:
    """The sentences, none longer than so many words.

    >>> cut([(0, 2), (2, 7)], longest=3)
    ((0, 2), (2, 5), (5, 7))
    """
    return tuple(
        (first, min(first + longest, end))
        for start, end in sentences
        for first in range(start, end, longest)
    )


def _inside(
    sentences: Sequence[tuple[int, int]], heads: Sequence[int], relations: Sequence[str]
) -> tuple[list[int], list[str]]:
    """Governors and relations; a word whose governor is in another sentence becomes a root."""
    kept, names = list(heads), list(relations)
    for start, end in sentences:
        for token in range(start, end):
            if not start <= kept[token] < end:
                kept[token], names[token] = -1, "root"
    return kept, names


def _lemma(lemma: str, word: str, tag: str) -> str:
    if lemma not in ("", "_", "-"):
        return lemma
    return word if tag == "PROPN" else word.lower()
