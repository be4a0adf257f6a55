"""Reads WinoBias: all lines at once where all are as they should be, else line by line."""

import re
from pathlib import Path

import numpy as np

from corefbench.errors import Place
from corefbench.formats.base import Reading
from corefbench.formats.layout import token_span
from corefbench.formats.plain import NotPlain, require
from corefbench.formats.source import Source
from corefbench.formats.text_documents import add_documents
from corefbench.formats.tokenise import Span, segment_texts, tokenise
from corefbench.formats.whole import contents
from corefbench.formats.whole import text as decoded
from corefbench.model.builder import CorpusBuilder, firsts
from corefbench.model.corpus import Corpus

_NUMBERED = re.compile(r"(\d{1,9}) (.*\S)\s*")
_FILE = re.compile(r"(pro|anti)_stereotyped_type([12])\.txt\.(\w+)")
_BRACKET = re.compile(r"([][])")
_LABEL = "1"
"""That of the one chain of every sentence."""


def read(source: Source, reading: Reading) -> Corpus:
    """The corpus of a file, a document a line, named by the file and the line's number."""
    text = decoded(contents(source, reading), source.name)
    try:
        return read_at_once(text, source, reading)
    except NotPlain:
        return read_line_by_line(text, source, reading)


def read_at_once(text: str, source: Source, reading: Reading) -> Corpus:
    """The lines, if all have a number and two mentions or more in brackets that pair."""
    pieces = _BRACKET.split(text)
    require("".join(pieces[1::2]) == "[]" * (len(pieces) // 4))
    edges = firsts(list(map(len, pieces[::2])))[1:]  # where the brackets were
    bare = "".join(pieces[::2])
    lines = bare.split("\n")
    starts = firsts([len(line) + 1 for line in lines])
    filled = [number for number, line in enumerate(lines) if line.strip()]
    found = [_NUMBERED.fullmatch(lines[number]) for number in filled]
    texts = [match[2] for match in found if match]
    require(found and len(texts) == len(found))
    begins = starts[filled] + np.array([match.start(2) for match in found if match])
    ends = begins + np.array(list(map(len, texts)))
    start, end = edges[::2], edges[1::2]
    document = np.searchsorted(begins, start, "right") - 1
    require((document >= 0).all() and (end <= ends[document]).all())
    require((np.bincount(document, minlength=len(texts)) >= 2).all())
    moved = (firsts([len(one) + 1 for one in texts]) - begins)[document]
    tokens = segment_texts(texts, np.concatenate((start, end)) + np.tile(moved, 2), tokenised=False)
    first = np.searchsorted(tokens.begin, start + moved)
    past = np.searchsorted(tokens.begin, end + moved)
    require((first < past).all())
    file, columns = _file(source)
    names = [f"{file}/{match[1]}" for match in found if match]
    same = {name: [value] * len(texts) for name, value in columns.items()}
    build = CorpusBuilder(source.stem, words=reading.words)
    add_documents(build, names, texts, tokens, columns=same)
    build.add_chains([_LABEL] * len(texts), np.arange(len(texts), dtype=np.int32))
    before = tokens.offsets[document]
    build.add_mentions(first - before, past - before, document, document=document.astype(np.int32))
    return build.finish()


def read_line_by_line(text: str, source: Source, reading: Reading) -> Corpus:
    """The same, one by one; lines that are not as they should be are faults, with their places."""
    file, columns = _file(source)
    build = CorpusBuilder(source.stem, words=reading.words)
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        match = _NUMBERED.fullmatch(line)
        bare, spans = _unbracketed(match[2]) if match else ("", [])
        if match is None or len(spans) < 2:
            reading.strictness.fault(
                "CB144",
                "the sentence does not have its number and two bracketed mentions",
                place=Place(source=source.name, line=number),
                found=line[:80],
                expected="1 [The cook] thanked the guard because [she] was kind.",
                repair="line left out",
            )
            continue
        build.begin_document(f"{file}/{match[1]}", columns=columns, text=bare)
        _add_sentences(build, bare, spans)
    return build.finish()


def _file(source: Source) -> tuple[str, dict[str, str]]:
    """The name of the file, and what it says of its sentences."""
    file = Path(source.name).name.removesuffix(".gz")
    named = _FILE.fullmatch(file)
    names = ("stereotype", "type", "split")
    return file, dict(zip(names, named.groups(), strict=True)) if named else {}


def _add_sentences(build: CorpusBuilder, text: str, spans: list[Span]) -> None:
    sentences = tokenise(text, [edge for span in spans for edge in span])
    for tokens in sentences:
        build.sentence([text[a:b] for a, b in tokens], offsets=tokens)
    begins = [begin for tokens in sentences for begin, _ in tokens]
    for start, end in spans:
        build.mention(_LABEL, [token_span(begins, start, end)])


def _unbracketed(line: str) -> tuple[str, list[Span]]:
    """The text without its brackets, and where they were; none where they do not pair.

    >>> _unbracketed("[A cook] ran")
    ('A cook ran', [(0, 6)])
    """
    pieces: list[str] = []
    spans: list[Span] = []
    length, start = 0, -1
    for piece in _BRACKET.split(line):
        if (piece == "[" and start >= 0) or (piece == "]" and start in (-1, length)):
            return "", []
        if piece == "[":
            start = length
        elif piece == "]":
            spans.append((start, length))
            start = -1
        else:
            pieces.append(piece)
            length += len(piece)
    text = "".join(pieces)
    return text, spans if start < 0 and all(text[a:b].strip() for a, b in spans) else []
