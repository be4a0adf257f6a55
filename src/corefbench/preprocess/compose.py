"""Compose an analysis from the columns of a pipeline."""

from collections.abc import Sequence
from itertools import groupby

from msgspec.structs import replace

from corefbench.preprocess.analysis import Analysis, Constituent, Entity
from corefbench.preprocess.base import Input
from corefbench.preprocess.segmentation import number_paragraphs

_MAX_HEADING_WORDS = 15
_MAX_HEADING_RUN = 2
_SENTENCE_FINAL = frozenset(".!?;,…—–-")
_FINITE_TAGS = frozenset({"VBD", "VBZ", "VBP", "MD"})
_FUNCTION_TAGS = frozenset({"DET", "ADP", "CCONJ", "SCONJ", "PART", "PUNCT", "AUX", "PRON", "NUM", "SYM"})
MAX_SENTENCE = 300
"""Words; text without full stops would otherwise be one sentence that takes hours to resolve."""


def compose_analysis(
    source: Input,
    *,
    words: Sequence[str] | None = None,
    offsets: Sequence[tuple[int, int]] | None = None,
    sentences: Sequence[tuple[int, int]] = (),
    lemmas: Sequence[str],
    upos: Sequence[str],
    xpos: Sequence[str],
    features: Sequence[str],
    heads: Sequence[int],
    relations: Sequence[str],
    entities: Sequence[Entity] = (),
    trees: Sequence[Constituent | None] | None = None,
    predicates: Sequence[bool] | None = None,
    pipeline: str,
) -> Analysis:
    """Compose an analysis from columns, and add paragraphs and headings.

    Words are by default what the text has at the offsets, and offsets and sentences those that the
    source gives. A missing lemma becomes the word, in lower case unless it is a name. Sentences
    that the pipeline found are split if they are too long.
    """
    offsets = offsets if offsets is not None else source.offsets or ()
    words = words if words is not None else [source.text[begin:end] for begin, end in offsets]
    spans = tuple(sentences) if source.sentences is None else source.sentences
    # Sentences of a corpus are kept whatever their length: answers must refer to the same sentences.
    if source.sentences is None and any(end - start > MAX_SENTENCE for start, end in spans):
        spans = split_long_sentences(spans)
        heads, relations = _cut_arcs(spans, heads, relations)
    paragraphs = source.paragraphs
    if paragraphs is None or len(paragraphs) != len(spans):
        paragraphs = number_paragraphs(source.text, offsets, spans)
    return mark_headings(
        Analysis(
            name=source.name,
            text=source.text,
            words=tuple(words),
            offsets=tuple(offsets),
            sentences=spans,
            paragraphs=tuple(paragraphs),
            headings=(),
            lemmas=tuple(_fill_lemma(lemma, word, tag) for lemma, word, tag in zip(lemmas, words, upos, strict=True)),
            upos=tuple(upos),
            xpos=tuple(xpos),
            features=tuple(features),
            heads=tuple(heads),
            relations=tuple(relations),
            entities=tuple(entities),
            speakers=source.speakers,
            trees=None if trees is None else tuple(trees),
            predicates=None if predicates is None else tuple(predicates),
            pipeline=pipeline,
        )
    )


def split_long_sentences(
    sentences: Sequence[tuple[int, int]], longest: int = MAX_SENTENCE
) -> tuple[tuple[int, int], ...]:
    """Split sentences that are longer than ``longest`` words.

    >>> split_long_sentences([(0, 2), (2, 7)], longest=3)
    ((0, 2), (2, 5), (5, 7))
    """
    return tuple((first, min(first + longest, end)) for start, end in sentences for first in range(start, end, longest))


def _cut_arcs(
    sentences: Sequence[tuple[int, int]], heads: Sequence[int], relations: Sequence[str]
) -> tuple[list[int], list[str]]:
    """Make a root of every word whose governor is in another sentence."""
    new_heads, new_relations = list(heads), list(relations)
    for start, end in sentences:
        for token in range(start, end):
            if not start <= new_heads[token] < end:
                new_heads[token], new_relations[token] = -1, "root"
    return new_heads, new_relations


def _fill_lemma(lemma: str, word: str, tag: str) -> str:
    if lemma not in ("", "_", "-"):
        return lemma
    return word if tag == "PROPN" else word.lower()


def mark_headings(analysis: Analysis) -> Analysis:
    """Return the analysis with its headings marked.

    A heading is alone in its paragraph or on its line, is short, ends without punctuation, has no
    finite verb (or is typed as a title, or opens the document), and running text follows it, after
    at most one more heading: longer runs are addresses and lists. If most sentences look like
    headings (transcripts, verse), none is one. The rule is our own: papers take headings as marked.
    """
    sentences = range(len(analysis.sentences))
    likely = [_is_alone(analysis, n) and _is_title(analysis, n) for n in sentences]
    # Transcripts and verse consist of short lines without being headings.
    if 2 * sum(likely) > len(likely):
        return replace(analysis, headings=(False,) * len(likely))
    marked: list[bool] = []
    for is_likely, run in groupby(likely):
        length = len(list(run))
        followed = len(marked) + length < len(likely)
        marked += [is_likely and followed and length <= _MAX_HEADING_RUN] * length
    return replace(analysis, headings=tuple(marked))


def _is_alone(analysis: Analysis, sentence: int) -> bool:
    """Return whether the sentence is alone in its paragraph or on its line."""
    start, end = analysis.sentences[sentence]
    if start == end:
        return False
    return _ends_line(analysis, sentence - 1, start) and _ends_line(analysis, sentence, end)


def _ends_line(analysis: Analysis, sentence: int, token: int) -> bool:
    """Return whether a line or paragraph ends after a sentence; ``token`` begins the next."""
    paragraphs, offsets = analysis.paragraphs, analysis.offsets
    if token in (0, len(offsets)) or paragraphs[sentence] != paragraphs[sentence + 1]:
        return True
    return "\n" in analysis.text[offsets[token - 1][1] : offsets[token][0]]


def _is_title(analysis: Analysis, sentence: int) -> bool:
    start, end = analysis.sentences[sentence]
    words = analysis.words[start:end]
    if len(words) > _MAX_HEADING_WORDS or words[-1][-1:] in _SENTENCE_FINAL:
        return False
    letters = sum(character.isalpha() for word in words for character in word)
    if 2 * letters <= sum(map(len, words)) or any("@" in w or "://" in w for w in words):
        return False
    return sentence == 0 or not _is_finite(analysis, start, end) or _is_typed_as_title(words, analysis.upos[start:end])


def _is_finite(analysis: Analysis, start: int, end: int) -> bool:
    return not _FINITE_TAGS.isdisjoint(analysis.xpos[start:end]) or any(
        "VerbForm=Fin" in features for features in analysis.features[start:end]
    )


def _is_typed_as_title(words: tuple[str, ...], tags: tuple[str, ...]) -> bool:
    """Return whether every content word begins with a capital."""
    pairs = zip(words, tags, strict=True)
    content = [word for word, tag in pairs if tag not in _FUNCTION_TAGS and word[:1].isalpha()]
    return len(content) > 1 and all(word[0].isupper() for word in content)
