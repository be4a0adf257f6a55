"""WinoBias: numbered sentences with a bracketed occupation and its pronouns (Zhao et al. 2018).

``1 [The developer] argued with the designer because [he] did not like the design.`` Every sentence
is a document; what is bracketed is one chain: an occupation and one pronoun, in some sentences two
or three. The name of the file says whether the sentences follow the stereotype (pro) or
contradict it (anti), their type, 1 or 2, and their part, dev or test.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.views import Document
from corefbench.errors import Place
from corefbench.formats.base import FormatCard, Reading, require_words
from corefbench.formats.common.decode import read_text
from corefbench.formats.common.spans import Span, select_nested
from corefbench.formats.common.tokenize import add_text_documents, detokenize, segment_texts, text_starts, tokenize
from corefbench.formats.source import Source

_LINE = re.compile(rb"\d+ [^][\n]*(?:\[[^][\n]+\](?![\w{(])[^][\n]*){2,}")
_NUMBERED = re.compile(r"(\d{1,9}) (.*\S)\s*")
_FILE_NAME = re.compile(r"(pro|anti)_stereotyped_type([12])\.txt\.(\w+)")
_BRACKET = re.compile(r"([][])")
_CHAIN_LABEL = "1"


class WinoBias:
    """Reads and writes WinoBias sentences.

    >>> text = b"1 [The cook] thanked the guard because [she] was kind.\\n"
    >>> next(WinoBias().read(Source.of(text), Reading()))[0].clusters()
    [[(0, 2), (6, 7)]]
    """

    card = FormatCard(
        name="winobias",
        title="WinoBias",
        description="Numbered sentences in which an occupation and its pronouns are bracketed.",
        extensions=(".dev", ".test"),
        holds=frozenset(),
        selects=True,
        cites=("zhao2018",),
    )

    def recognises(self, head: bytes) -> float:
        """Sure of numbered lines that all have two brackets or more, without labels."""
        lines = [line.rstrip() for line in head.split(b"\n")[:50] if line.strip()]
        complete = lines[:-1] if len(lines) > 1 and not head.endswith(b"\n") else lines
        return 0.9 if complete and all(_LINE.fullmatch(line) for line in complete) else 0.0

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        """One document per sentence, named by the file and the number."""
        text = read_text(source, reading)
        file_name = Path(source.name).name.removesuffix(".gz")
        names: list[str] = []
        texts: list[str] = []
        spans: list[list[Span]] = []
        for number, line in enumerate(text.split("\n"), 1):
            if not line.strip():
                continue
            match = _NUMBERED.fullmatch(line)
            plain_text, brackets = _remove_brackets(match[2]) if match else ("", [])
            if match is None or len(brackets) < 2:
                reading.fault(
                    "CB144",
                    "the sentence does not have its number and two bracketed mentions",
                    Place(source=source.name, line=number),
                    line[:80],
                    "line left out",
                    expected="1 [The cook] thanked the guard because [she] was kind.",
                )
                continue
            names.append(f"{file_name}/{match[1]}")
            texts.append(plain_text)
            spans.append(brackets)
        build = CorpusBuilder(source.stem, words=reading.words)
        if texts:
            _add_documents(build, names, texts, spans, _file_columns(file_name))
        yield build.finish()

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """Write a numbered sentence per document, its largest chain bracketed."""
        require_words(corpus)
        for number, document in enumerate(corpus, 1):
            line = _bracketed_line(document)
            if line:
                stream.write(f"{number} {line}\n".encode())


def _add_documents(
    build: CorpusBuilder, names: list[str], texts: list[str], spans: list[list[Span]], columns: dict[str, str]
) -> None:
    """Add all sentences at once: a corpus of many small documents is built faster by columns."""
    document = np.repeat(np.arange(len(texts), dtype=np.int32), list(map(len, spans)))
    edges = np.array([span for some in spans for span in some], np.int64)
    edges += text_starts(texts)[document, None]
    tokens = segment_texts(texts, edges.ravel(), tokenized=False)
    same = {name: [value] * len(texts) for name, value in columns.items()}
    add_text_documents(build, names, texts, tokens, columns=same)
    build.add_chains([_CHAIN_LABEL] * len(texts), np.arange(len(texts), dtype=np.int32))
    start, end = (np.searchsorted(tokens.begin, edges) - tokens.offsets[document, None]).T
    build.add_mentions(start, end, document, document=document)


def _file_columns(file_name: str) -> dict[str, str]:
    """Return what the name of a file says of its sentences."""
    match = _FILE_NAME.fullmatch(file_name)
    return dict(zip(("stereotype", "type", "split"), match.groups(), strict=True)) if match else {}


def _remove_brackets(line: str) -> tuple[str, list[Span]]:
    """Return the text without its brackets, and where they were; none where they do not pair.

    >>> _remove_brackets("[A cook] ran")
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


def _bracketed_line(document: Document) -> str:
    """Return the sentence with its largest chain in brackets; "" if no chain has two mentions."""
    # The format has no labels, so there is room for one chain.
    chains = [chain.mentions for chain in document.chains]
    mentions = max(chains, key=len, default=[])
    spans = [(mention.start, mention.end) for mention in mentions]
    nested = [spans[number] for number in select_nested(spans)]
    # Brackets without labels cannot nest, so mentions inside others are left out.
    outer: list[Span] = []
    reach = 0
    for start, end in nested:
        if start >= reach:
            outer.append((start, end))
        reach = max(reach, end)
    if len(outer) < 2:
        return ""
    text, offsets = detokenize(document, tokenize, spans=outer)
    opening = {offsets[start][0] for start, _ in outer}
    closing = {offsets[end - 1][1] for _, end in outer}
    marked = (
        ("]" if i in closing else "") + ("[" if i in opening else "") + _escape(text[i : i + 1])
        for i in range(len(text) + 1)
    )
    return "".join(marked).strip()


def _escape(character: str) -> str:
    return {"[": "(", "]": ")", "\n": " ", "\r": " "}.get(character, character)
