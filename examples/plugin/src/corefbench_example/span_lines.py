"""A format for corefbench: words, then a line for each mention.

    document	letters
    sentence	Ann fed her cat .
    mention	1	0	1
    mention	1	2	3

Columns stand between tabs. A mention has the label of its chain, its first word and the word after
its last, counted over the document.
"""

from collections.abc import Iterator
from typing import BinaryIO

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.errors import Place
from corefbench.formats.base import FormatCard, Reading
from corefbench.formats.common.decode import decode_text, read_bytes
from corefbench.formats.source import Source


class SpanLines:
    """Reads and writes span lines."""

    card = FormatCard(
        name="span-lines",
        title="Span lines",
        description="Words, then a line for each mention.",
        extensions=(".spans",),
        holds=frozenset(
            {
                "document names",
                "words",
                "sentences",
                "chain labels",
                "singletons",
                "crossing mentions",
                "crossing mentions of one chain",
                "repeated mentions",
                "mentions across sentences",
            }
        ),
        appends=True,
    )

    def recognises(self, head: bytes) -> float:
        """Sure of a file that begins with a document."""
        return 0.95 if head.startswith(b"document\t") else 0.0

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        """All documents; a line that cannot be understood is a fault at its place."""
        build = CorpusBuilder(source.stem, words=reading.words)
        # Both helpers have coded errors of their own: too large a file, text that is not UTF-8.
        lines = decode_text(read_bytes(source, reading), source.name).split("\n")
        for number, line in enumerate(lines, 1):
            if line.strip() and not _add(build, line.rstrip("\r").split("\t")):
                reading.strictness.fault(
                    "CB141",
                    "a line has the wrong shape",
                    place=Place(source=source.name, line=number),
                    found=line[:60],
                    expected="document, sentence or mention, and its columns",
                    repair="left out",
                )
        yield build.finish()

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """Every document, its sentences and its mentions."""
        for document in corpus:
            rows = [("document", document.label)]
            words = document.words
            rows += [("sentence", " ".join(words[a:b])) for a, b in document.sentences if a < b]
            rows += [
                ("mention", m.chain.label, str(m.start), str(m.end)) for m in document.mentions
            ]
            stream.write("".join("\t".join(row) + "\n" for row in rows).encode())


def _add(build: CorpusBuilder, columns: list[str]) -> bool:
    """Add what a line says; false where it says nothing that can be understood."""
    match columns:
        case ["document", name] if name.strip():
            build.begin_document(name)
        case ["sentence", words] if words.split() and build.document_count:
            build.sentence(words.split(" "))
        case ["mention", label, start, end] if _is_span(start, end, build):
            build.mention(label, [(int(start), int(end))])
        case _:
            return False
    return True


def _is_span(start: str, end: str, build: CorpusBuilder) -> bool:
    numbers = all(text.isdecimal() and len(text) < 10 for text in (start, end))
    return numbers and bool(build.document_count) and int(start) < int(end) <= build.position
