r"""Text with brackets in it, for people and for language models: ``[John]1 said [[his]1 dog]2``.

A mention is bracketed and followed by the label of its chain, in braces where the text goes on
with a letter (``[he]{1}s``); mentions nest and may not cross. A backslash stands before a bracket
or backslash that is text. ``# document NAME`` (``; part 0``), between blank lines, begins a
document; without it the file is one. ``[John](#1)``, as models write it, is read too.

Given the source text, the reader follows it, not the marked copy: mentions are carried over to the
tokens of the source where words were dropped, added or changed, and what finds no place is
reported. The source is an argument, or the ``.txt`` file beside an ``.inline`` file.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import BinaryIO

from corefbench.findings import Finding
from corefbench.formats.base import FormatCard, Reading
from corefbench.formats.inline_documents import Body, bodies
from corefbench.formats.inline_parse import Marked, parse, place_of
from corefbench.formats.inline_plain import add_plain
from corefbench.formats.inline_source import Target, carry_over, target_of, text_beside
from corefbench.formats.inline_write import document_text
from corefbench.formats.layout import require_words, token_span
from corefbench.formats.plain import NotPlain, require
from corefbench.formats.source import Source
from corefbench.formats.tokenise import segment
from corefbench.formats.whole import contents
from corefbench.formats.whole import text as decoded
from corefbench.model.builder import CorpusBuilder
from corefbench.model.corpus import Corpus

_MENTION = re.compile(rb"\](?:\d+\b|\{[^}\n]+\}|\(#\w+\))")


class Inline:
    """Reads and writes bracketed text.

    >>> corpus = next(Inline().read(Source.of(b"[Ann]1 fed [[her]1 cat]2."), Reading()))
    >>> corpus[0].text, corpus[0].clusters()
    ('Ann fed her cat.', [[(0, 1), (2, 3)], [(2, 4)]])
    >>> aligned = Inline(source_text="So Ann fed her old cat.")
    >>> next(aligned.read(Source.of(b"[Ann]1 fed [[her]1 cat]2."), Reading()))[0].clusters()
    [[(1, 2), (3, 4)], [(3, 6)]]
    """

    card = FormatCard(
        name="inline",
        title="Inline brackets",
        description="Text with bracketed, labelled mentions, for people and language models.",
        extensions=(".inline",),
        holds=frozenset(
            {
                "document names",
                "text",
                "words",
                "sentences",
                "chain labels",
                "singletons",
                "repeated mentions",
                "mentions across sentences",
            }
        ),
        appends=True,
    )

    def __init__(self, source_text: str | Mapping[str, str] | Corpus | None = None) -> None:
        """``source_text`` is what was marked: a text, texts by document name, or a corpus."""
        self.source_text = source_text

    def recognises(self, head: bytes) -> float:
        """Sure of the header; fairly sure of brackets that have labels."""
        if head.startswith(b"# document "):
            return 0.9
        lines = head.split(b"\n")
        if b"\t" in head or head[:1] in b"#<{" or not any(map(_MENTION.search, lines)):
            return 0.0
        return 0.6

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        """The documents, each from its header on."""
        text = decoded(contents(source, reading), source.name)
        documents = list(bodies(text, source.stem))
        try:
            require(self.source_text is None and text_beside(source) is None)
            build = CorpusBuilder(source.stem, words=reading.words)
            add_plain(build, documents)
        except NotPlain:
            build = self.one_by_one(documents, source, reading)
        yield build.finish()

    def one_by_one(
        self, documents: Sequence[Body], source: Source, reading: Reading
    ) -> CorpusBuilder:
        """The documents, with faults where brackets have no partners or labels."""
        build = CorpusBuilder(source.stem, words=reading.words)
        for body in documents:
            marked = parse(body.text, source.name, body.line, reading.strictness)
            given = target_of(self.source_text, body.name, body.part, source)
            if given is None:
                _add(build, body.name, body.part, marked)
            else:
                _add_aligned(build, body.name, body.part, marked, given, reading, source)
        return build

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """Every document under its header; a mention that crosses an earlier one is left out."""
        require_words(corpus)
        stream.write("".join(document_text(document) for document in corpus).encode())


def _add(build: CorpusBuilder, name: str, part: int, marked: Marked) -> None:
    """The document as it is marked."""
    text = marked.text
    build.begin_document(name, part, text=text)
    sentences = segment(text, {edge for _, *span in marked.mentions for edge in span})
    for tokens in sentences:
        build.sentence([text[a:b] for a, b in tokens], offsets=tokens)
    begins = [begin for tokens in sentences for begin, _ in tokens]
    for label, start, end in marked.mentions:
        build.mention(label, [token_span(begins, start, end)])


def _add_aligned(
    build: CorpusBuilder,
    name: str,
    part: int,
    marked: Marked,
    given: Target,
    reading: Reading,
    source: Source,
) -> None:
    """The source, with the mentions of the marked text carried over."""
    build.begin_document(name, part, text=given.text)
    for a, b in given.sentences:
        offsets = given.offsets[a:b] if given.offsets is not None else ()
        build.sentence(given.words[a:b], offsets=offsets)
    carried, lost = carry_over(marked, given.words)
    for label, start, end in carried:
        build.mention(label, [(start, end)])
    for message, place, found in lost:
        at = place_of(marked, place, source.name, name)
        reading.strictness.report(
            Finding(code="CB146", severity="warning", message=message, place=at, found=found)
        )
