"""What a marked text was copied from, and carrying its mentions over."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from corefbench.errors import FormatError, Place
from corefbench.formats.inline_parse import Marked, Mention
from corefbench.formats.layout import token_span
from corefbench.formats.realign import realign
from corefbench.formats.source import Source
from corefbench.formats.tokenise import Span, segment
from corefbench.formats.whole import text as decoded
from corefbench.model.corpus import Corpus
from corefbench.record import Record

Lost = tuple[str, int, str]
"""What is wrong, where in the marked text, and what was found there."""


class Target(Record, frozen=True):
    """The tokens of the source."""

    words: list[str]
    sentences: list[Span]
    text: str | None = None
    offsets: list[Span] | None = None


def target_of(
    given: str | Mapping[str, str] | Corpus | None, name: str, part: int, source: Source
) -> Target | None:
    """The source of a document, where one was given or lies beside the file."""
    if isinstance(given, Corpus):
        return _in_corpus(given, name, part, source)
    if isinstance(given, str):
        return _of_text(given)
    if given is not None:
        if name not in given:
            raise _absent(name, source)
        return _of_text(given[name])
    beside = text_beside(source)
    return _of_text(decoded(beside.read_bytes(), str(beside))) if beside else None


def text_beside(source: Source) -> Path | None:
    """The ``.txt`` file beside an ``.inline`` file, if there is one."""
    if source.path is None or source.path.suffix != ".inline":
        return None
    beside = source.path.with_suffix(".txt")
    return beside if beside.is_file() else None


def _of_text(text: str) -> Target:
    sentences, spans, start = segment(text), [], 0
    for tokens in sentences:
        spans.append((start, start + len(tokens)))
        start += len(tokens)
    offsets = [token for tokens in sentences for token in tokens]
    words = [text[a:b] for a, b in offsets]
    return Target(words=words, sentences=spans, text=text, offsets=offsets)


def _in_corpus(corpus: Corpus, name: str, part: int, source: Source) -> Target:
    for document in corpus:
        if document.name == name and int(corpus.documents.parts[document.index]) == part:
            return Target(
                words=document.words,
                sentences=document.sentences,
                text=document.text,
                offsets=document.offsets,
            )
    raise _absent(name, source)


def _absent(name: str, source: Source) -> FormatError:
    return FormatError(
        "the source text of a marked document is missing",
        code="CB140",
        place=Place(source=source.name, document=name),
        remedy="name the document as its source is named",
    )


def carry_over(marked: Marked, words: Sequence[str]) -> tuple[list[Mention], list[Lost]]:
    """The mentions on the tokens of the source, and what could not be carried over."""
    edges = {edge for _, *span in marked.mentions for edge in span}
    tokens = [token for row in segment(marked.text, edges) for token in row]
    copies = [marked.text[a:b] for a, b in tokens]
    places = realign(copies, words)
    begins = [begin for begin, _ in tokens]
    carried: dict[Mention, None] = {}
    lost: list[Lost] = []
    for label, start, end in marked.mentions:
        first, last = token_span(begins, start, end)
        there = [place for place in places[first:last] if place[1] > place[0]]
        mention = (label, there[0][0], max(place[1] for place in there)) if there else None
        text = marked.text[start:end]
        if mention is None:
            lost.append(("a mention has no place in the source", start, text))
        elif mention in carried:
            lost.append(("two mentions fall on one place of the source", start, text))
        else:
            carried[mention] = None
    unplaced = [n for n, place in enumerate(places) if place[1] <= place[0]]
    if unplaced:
        some = " ".join(copies[n] for n in unplaced[:5])
        lost.append((f"{len(unplaced)} tokens are not in the source", begins[unplaced[0]], some))
    return list(carried), lost
