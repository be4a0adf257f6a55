r"""Text with brackets in it, for people and for language models: ``[John]1 said [[his]1 dog]2``.

A mention is bracketed and followed by the label of its chain, in braces where the text goes on
with a letter (``[he]{1}s``); mentions nest and may not cross. A backslash stands before a bracket
or backslash that is text. ``# document NAME`` (``; part 0``), between blank lines, begins a
document; without it the file is one. ``[John](#1)``, as models write it, is read too.

Given the source text, the reader follows it, not the marked copy: mentions are carried over to the
tokens of the source where words were dropped, added or changed, and what finds no place is
reported. The source is an argument, or the ``.txt`` file beside an ``.inline`` file.
"""

import itertools
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import BinaryIO

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.views import Document
from corefbench.diagnostics import Strictness
from corefbench.errors import FormatError, Place
from corefbench.formats.base import (
    DOCUMENTS,
    NESTED_MENTIONS,
    FormatCard,
    Reading,
    document_part,
    write_documents,
)
from corefbench.formats.common.align import align_tokens
from corefbench.formats.common.decode import decode_text, read_text
from corefbench.formats.common.sgml import TextLocator
from corefbench.formats.common.spans import Span, select_nested, token_span
from corefbench.formats.common.tokenize import add_text_document, detokenize, segment
from corefbench.formats.source import Source
from corefbench.records import Record

# A literal first and then a look behind for the beginning of the line: that is searched faster.
_HEADER = re.compile(r"(?m)# document (?<![^\n]# document )(.*?)(?:; part (\d{1,9}))?$")

Mention = tuple[str, int, int]
"""Label, start and end, in characters."""

_MARK = re.compile(
    r"""\\(?P<escaped>[\[\]\\\#r])
      | (?P<open>\[)
      | \](?:\{(?:[^}\\\n]++|\\.)+\}|\(\#\w+\)|\w+)
      | (?P<unlabelled>\])
    """,
    re.VERBOSE,
)

ESCAPED = {rf"\{character}": character for character in r"[]\#"} | {r"\r": "\r"}
"""Escape sequences and the characters they stand for."""
LostMention = tuple[str, int, str]
"""Message, offset in the marked text, and the text there."""

_BARE = re.compile(r"\w+")
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
        holds=DOCUMENTS | NESTED_MENTIONS | {"text", "chain labels", "mentions across sentences"},
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
        """Yield the documents, each from its header on, as one corpus."""
        text = read_text(source, reading)
        build = CorpusBuilder(source.stem, words=reading.words)
        for body in split_documents(text, source.stem):
            marked = parse_marked(body.text, source.name, body.line, reading.strictness)
            original = find_source_text(self.source_text, body, source)
            if original is None:
                _add_document(build, body, marked)
            else:
                _add_aligned(build, body, marked, original, reading, source)
        yield build.finish()

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """Write every document under its header, without mentions that cross an earlier one."""
        write_documents(corpus, stream, _document_text)


class DocumentBody(Record, frozen=True):
    """A document in the file: its name and part, and the text with its brackets."""

    name: str
    part: int
    line: int
    """The line of the file on which the text begins."""
    text: str


def split_documents(text: str, stem: str) -> Iterator[DocumentBody]:
    """Yield the documents; text before the first header has the name of the file.

    >>> list(split_documents("# document a; part 2\\n\\nHi\\n", "file"))
    [DocumentBody(name='a', part=2, line=3, text='Hi')]
    """
    headers = list(_HEADER.finditer(text))
    before = text[: headers[0].start()] if headers else text
    if before.strip():
        yield DocumentBody(name=stem, part=-1, line=1, text=before.removesuffix("\n"))
    ends = [*(header.start() for header in headers), len(text)][1:]
    line, position = 2, 0
    for header, end in zip(headers, ends, strict=True):
        line += text.count("\n", position, header.end())
        position = header.end()
        body = text[header.end() + 1 : end].removesuffix("\n")
        blank = body.startswith("\n")
        yield DocumentBody(
            name=header[1].strip(),
            part=int(header[2]) if header[2] else -1,
            line=line + blank,
            text=(body[1:] if blank else body).removesuffix("\n"),
        )


class MarkedText(Record, frozen=True):
    """A text and its mentions in opening order."""

    text: str
    mentions: list[Mention]
    line: int
    """The line of the file on which the text begins."""


def parse_marked(body: str, source: str, line: int, strictness: Strictness) -> MarkedText:
    r"""Parse the brackets of a text that begins on ``line``.

    >>> parse_marked(r"[[A]1 b]{x y} \[c", "", 1, Strictness())
    MarkedText(text='A b [c', mentions=[('x y', 0, 3), ('1', 0, 1)], line=1)
    """
    pieces: list[str] = []
    mentions: dict[int, Mention] = {}
    bracket_offsets: dict[int, int] = {}
    opened: list[tuple[int, int, int]] = []  # number, offset in the text, offset in the body
    length = position = count = 0

    locator = TextLocator(body, source, first_line=line)

    def fault(code: str, message: str, offset: int) -> None:
        found = body[offset : offset + 30].split("\n", 1)[0]
        strictness.fault(code, message, place=locator.at(offset), found=found, repair="left out")

    for match in _MARK.finditer(body):
        pieces.append(body[position : match.start()])
        length += match.start() - position
        position = match.end()
        if match["escaped"]:
            pieces.append(ESCAPED[match[0]])
            length += 1
        elif match["open"]:
            opened.append((count, length, match.start()))
            count += 1
        elif not opened:
            fault("CB104", "a bracket is closed that was never opened", match.start())
        else:
            number, start, offset = opened.pop()
            if match["unlabelled"]:
                fault("CB147", "a bracket has no chain label", match.start())
            else:
                mentions[number] = (chain_label(match[0]), start, length)
                bracket_offsets[number] = offset
    pieces.append(body[position:])
    text = "".join(pieces)
    for *_, offset in opened:
        fault("CB105", "a bracket is opened and never closed", offset)
    # Only now is the text without its marks complete.
    for number in [n for n, (_, a, b) in mentions.items() if not text[a:b].strip()]:
        fault("CB112", "a mention has no text", bracket_offsets[number])
        del mentions[number]
    return MarkedText(text=text, mentions=[mentions[n] for n in sorted(mentions)], line=line)


def chain_label(mark: str) -> str:
    r"""Return the label in a mark that closes a mention.

    >>> chain_label("]1"), chain_label(r"]{a\}}"), chain_label("](#2)")
    ('1', 'a}', '2')
    """
    if mark[1] == "(":
        return mark[3:-1]
    return re.sub(r"\\(.)", r"\1", mark[2:-1]) if mark[1] == "{" else mark[1:]


class SourceText(Record, frozen=True):
    """The text that was marked, in tokens."""

    words: list[str]
    sentences: list[Span]
    text: str | None = None
    offsets: list[Span] | None = None


def find_source_text(
    source_text: str | Mapping[str, str] | Corpus | None, body: DocumentBody, source: Source
) -> SourceText | None:
    """Return the source of a document, if one was given or lies beside the file."""
    if isinstance(source_text, str):
        return _tokenized_source(source_text)
    if source_text is None:
        path = source.path.with_suffix(".txt") if source.path is not None else None
        if source.path is None or path is None or source.path.suffix != ".inline" or not path.is_file():
            return None
        return _tokenized_source(decode_text(path.read_bytes(), str(path)))
    if isinstance(source_text, Corpus):
        for document in source_text:
            if document.name == body.name and document_part(document) == body.part:
                words, sentences = document.words, document.sentences
                return SourceText(words=words, sentences=sentences, text=document.text, offsets=document.offsets)
    elif body.name in source_text:
        return _tokenized_source(source_text[body.name])
    raise FormatError(
        "the source text of a marked document is missing",
        code="CB140",
        place=Place(source=source.name, document=body.name),
        remedy="name the document as its source is named",
    )


def _tokenized_source(text: str) -> SourceText:
    sentences = segment(text)
    spans = list(itertools.pairwise(itertools.accumulate(map(len, sentences), initial=0)))
    offsets = [token for tokens in sentences for token in tokens]
    words = [text[a:b] for a, b in offsets]
    return SourceText(words=words, sentences=spans, text=text, offsets=offsets)


def transfer_mentions(marked: MarkedText, words: Sequence[str]) -> tuple[list[Mention], list[LostMention]]:
    """Return the mentions on the tokens of the source, and what could not be transferred."""
    edges = {edge for _, *span in marked.mentions for edge in span}
    tokens = [token for row in segment(marked.text, edges) for token in row]
    copies = [marked.text[a:b] for a, b in tokens]
    alignment = align_tokens(copies, words)
    begins = [begin for begin, _ in tokens]
    transferred: dict[Mention, None] = {}
    lost: list[LostMention] = []
    for label, start, end in marked.mentions:
        first, last = token_span(begins, start, end)
        aligned = [span for span in alignment[first:last] if span[1] > span[0]]
        mention = (label, aligned[0][0], max(end for _, end in aligned)) if aligned else None
        text = marked.text[start:end]
        if mention is None:
            lost.append(("a mention has no place in the source", start, text))
        elif mention in transferred:
            lost.append(("two mentions fall on one place of the source", start, text))
        else:
            transferred[mention] = None
    unaligned = [n for n, span in enumerate(alignment) if span[1] <= span[0]]
    if unaligned:
        sample = " ".join(copies[n] for n in unaligned[:5])
        message = f"{len(unaligned)} tokens are not in the source"
        lost.append((message, begins[unaligned[0]], sample))
    return list(transferred), lost


def _document_text(document: Document) -> str:
    """Return the header, the marked text, and a blank line after each."""
    part = document_part(document)
    name = " ".join(document.name.split())
    header = f"# document {name}" + (f"; part {part}" if part >= 0 else "")
    return f"{header}\n\n{_marked_text(document)}\n\n"


def _marked_text(document: Document) -> str:
    mentions = document.mentions
    spans = [(mention.start, mention.end) for mention in mentions]
    kept = select_nested(spans)
    text, offsets = detokenize(document, spans=[spans[number] for number in kept])
    opening: dict[int, int] = defaultdict(int)
    closing: dict[int, list[str]] = defaultdict(list)
    for number in kept:
        start, end = spans[number]
        opening[offsets[start][0]] += 1
        # Spans come outer first, and inner ones close first.
        closing[offsets[end - 1][1]].insert(0, mentions[number].chain.label)
    pieces: list[str] = []
    position = 0
    for offset in sorted({*opening, *closing}):
        pieces.append(_escape_piece(text, position, offset))
        following = text[offset : offset + 1] if offset not in opening else "["
        for label in closing.get(offset, ()):
            pieces.append(f"]{_format_label(label, following)}")
        pieces.append("[" * opening.get(offset, 0))
        position = offset
    pieces.append(_escape_piece(text, position, len(text)))
    return "".join(pieces)


def _escape_piece(text: str, start: int, end: int) -> str:
    """Escape a piece of the text; only at the beginning of a line a hash may begin a header."""
    piece = text[start:end].replace("\\", "\\\\").replace("[", r"\[").replace("]", r"\]")
    piece = re.sub(r"\n#(?= document )", r"\n\\#", piece).replace("\r", r"\r")
    begins_line = start == 0 or text[start - 1] == "\n"
    return "\\" + piece if begins_line and piece.startswith("# document ") else piece


def _format_label(label: str, following: str) -> str:
    """Return a label, in braces if it, or what follows, would be misread.

    >>> _format_label("1", " "), _format_label("1", "s"), _format_label("a}", "")
    ('1', '{1}', '{a\\\\}}')
    """
    if _BARE.fullmatch(label) and not _BARE.match(following):
        return label
    plain = " ".join(label.split("\n")) or "_"
    return "{" + plain.replace("\\", "\\\\").replace("}", "\\}") + "}"


def _add_document(build: CorpusBuilder, body: DocumentBody, marked: MarkedText) -> None:
    """Add a document as it is marked."""
    breaks = {edge for _, *span in marked.mentions for edge in span}
    tokens = add_text_document(build, body.name, marked.text, part=body.part, breaks=breaks)
    begins = [begin for begin, _ in tokens]
    for label, start, end in marked.mentions:
        build.mention(label, [token_span(begins, start, end)])


def _add_aligned(
    build: CorpusBuilder, body: DocumentBody, marked: MarkedText, original: SourceText, reading: Reading, source: Source
) -> None:
    """Add the source text, with the mentions of its marked copy."""
    build.begin_document(body.name, body.part, text=original.text)
    for a, b in original.sentences:
        offsets = original.offsets[a:b] if original.offsets is not None else ()
        build.sentence(original.words[a:b], offsets=offsets)
    mentions, lost = transfer_mentions(marked, original.words)
    for label, start, end in mentions:
        build.mention(label, [(start, end)])
    # Brackets do not change lines, so the text without them tells the line.
    locator = TextLocator(marked.text, source.name, first_line=marked.line)
    for message, offset, found in lost:
        place = Place(source=source.name, line=locator.at(offset).line, document=body.name)
        reading.warn("CB146", message, place, found)
