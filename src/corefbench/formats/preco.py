"""PreCo: one JSON object per document, spans counted within their sentence.

``{"id": "train_00001", "sentences": [["Ann", "left"], [" "], …], "mention_clusters": [[[0, 0, 1],
…], …]}``: sentence, begin and end, from zero, the end exclusive. A sentence of one blank marks a
paragraph: it counts for the numbers of sentences and is not part of the document. Sets derived
from PreCo store inclusive ends: a span whose begin is its end gives them away.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import BinaryIO, Literal, TypeAlias, TypeVar

import msgspec
import numpy as np

from corefbench.corpus.arrays import run_starts
from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.views import Document
from corefbench.errors import Place, UsageError
from corefbench.formats.base import ANY_MENTIONS, DOCUMENTS, FormatCard, Reading, require_words
from corefbench.formats.common.decode import Block, decode_json, iter_blocks
from corefbench.formats.source import Source
from corefbench.records import Columns, Longs

SentenceSpan: TypeAlias = tuple[int, int, int]
"""Sentence, begin and end."""

# What is left of the clusters of documents without their numbers; no cluster may be empty.
_SHAPE = re.compile(rb"(?:\[(?:\[(?:\[,,\],?)++\],?)*+\])*+")
_BLANKS, _DIGITS = b" \t\r\n", b"0123456789"
_MAX_NUMBER = 1 << 31

PARAGRAPH_MARK = [" "]
"""The sentence that marks a paragraph."""
Ends: TypeAlias = Literal["", "exclusive", "inclusive"]
Shape = TypeVar("Shape")

_FIELD = b'"mention_clusters"'


class RawDocument(msgspec.Struct):
    """One document as the file has it, its clusters undecoded; other members are passed over."""

    id: str
    sentences: list[list[str]]
    mention_clusters: msgspec.Raw


_RAW_DECODER = msgspec.json.Decoder(RawDocument)


class _RawClusterLine(msgspec.Struct):
    """As much of a line as tells whether ends are inclusive."""

    mention_clusters: msgspec.Raw


_RAW_CLUSTER_DECODER = msgspec.json.Decoder(_RawClusterLine)


class _ClusterLine(msgspec.Struct):
    """The same, the spans one by one."""

    mention_clusters: list[list[SentenceSpan]]


_CLUSTER_DECODER = msgspec.json.Decoder(_ClusterLine)


class _Line(msgspec.Struct):
    """One document as the file has it; other members are passed over."""

    id: str
    sentences: list[list[str]]
    mention_clusters: list[list[SentenceSpan]]


_LINE_DECODER = msgspec.json.Decoder(_Line)


class PreCo:
    """Reads and writes PreCo; ``ends`` says how spans end where the file does not tell.

    >>> text = b'{"id": "d", "sentences": [[" "], ["I", "am"]], "mention_clusters": [[[1, 0, 1]]]}'
    >>> list(PreCo().read(Source.of(text), Reading()))
    [<Corpus 'memory': 1 documents, 2 tokens, 1 mentions, 1 chains>]
    """

    card = FormatCard(
        name="preco",
        title="PreCo",
        description="One JSON object a line with sentences and mention clusters, singletons too.",
        extensions=(".jsonl", ".jsonlines", ".json"),
        holds=DOCUMENTS | (ANY_MENTIONS - {"mentions across sentences"}),
        appends=True,
        by_document=True,
        cites=("chen2018",),
    )

    def __init__(self, ends: Ends = "") -> None:
        if ends not in ("", "exclusive", "inclusive"):
            raise UsageError(f"spans cannot end {ends!r}", remedy="exclusive or inclusive")
        self.ends = ends

    def recognises(self, head: bytes) -> float:
        """Sure of an object that begins a line and has mention clusters."""
        first = head.lstrip(b"\xef\xbb\xbf \t\r\n").split(b"\n", 1)[0]
        if first[:1] != b"{":
            return 0.0
        if _FIELD in first:
            return 0.95
        # The clusters come last: a long first document may push them past the head.
        return 0.6 if first.startswith(b'{"id"') and b'"sentences"' in first else 0.0

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        """The documents, a line each."""
        past = int(self._inclusive(source, reading))
        for block in iter_blocks(source, reading.block_bytes, b"\n"):
            build = CorpusBuilder(source.stem, words=reading.words)
            texts = _lines(block, source)
            # Of a field that comes twice, all of it must be looked at, though the last one counts.
            is_regular = all(text.count(_FIELD) == 1 for _, text in texts) and not reading.strictness.lenient
            raw = [_decode_line(_RAW_DECODER, text, place) for place, text in texts] if is_regular else []
            if not _add_columnar(build, raw, past):
                for place, text in texts:
                    _add_document(build, _decode_line(_LINE_DECODER, text, place), past, place, reading)
            reading.report_progress(len(block.content))
            if build.document_count:
                yield build.finish()

    def _inclusive(self, source: Source, reading: Reading) -> bool:
        """Whether the file's spans include their last token: looked for in all of it, since one
        answer must hold for all of it."""
        if self.ends:
            return self.ends == "inclusive"
        for block in iter_blocks(source, reading.block_bytes, b"\n"):
            texts = _lines(block, source)
            lines = [_decode_line(_RAW_CLUSTER_DECODER, text, place) for place, text in texts]
            spans = parse_spans([bytes(line.mention_clusters) for line in lines])
            # An exclusive end is beyond its begin, so equal ones can only be inclusive.
            if spans is not None and not (spans.begin == spans.end).any():
                continue
            for place, text in texts:
                for span in chain.from_iterable(_decode_line(_CLUSTER_DECODER, text, place).mention_clusters):
                    if span[1] == span[2]:
                        found = f"{list(span)}, whose begin is its end"
                        reading.warn("CB135", "the ends of spans are taken as inclusive", place, found)
                        return True
        return False

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """One line a document; a mention across sentences is left out."""
        require_words(corpus)
        for document in corpus:
            stream.write(msgspec.json.encode(encode_document(document, self.ends == "inclusive")) + b"\n")


class SpanColumns(Columns, frozen=True, eq=False):
    """Spans, document after document and cluster after cluster."""

    sentence: Longs
    begin: Longs
    end: Longs
    shapes: list[bytes]
    """The clusters of every document without their numbers: ``[[[,,],[,,]],[[,,]]]``."""

    def counts(self) -> list[int]:
        """How many spans each document has."""
        return [shape.count(b",,") for shape in self.shapes]

    def sizes(self) -> list[list[int]]:
        """How many spans each cluster of each document has."""
        clusters = (shape[3:-3].split(b"]],[[") if len(shape) > 2 else [] for shape in self.shapes)
        return [[(len(cluster) + 3) // 5 for cluster in document] for document in clusters]


def parse_spans(documents: Sequence[bytes]) -> SpanColumns | None:
    """The spans of the clusters of documents, in well-formed JSON, if they are nothing but triples
    of numbers, not negative and not too large, and no cluster is empty.

    >>> spans = parse_spans([b"[[[0, 1, 2], [3, 0, 1]], [[2, 5, 6]]]", b"[[[7, 0, 1]]]"])
    >>> spans.sentence.tolist(), spans.sizes(), parse_spans([b"[[[0, 1]]]"])
    ([0, 3, 2, 7], [[2, 1], [1]], None)
    """
    shapes = [clusters.translate(None, _BLANKS + _DIGITS) for clusters in documents]
    if not all(shapes) or _SHAPE.fullmatch(b"".join(shapes)) is None:
        return None
    numbers = (clusters.translate(None, _BLANKS + b"[]") for clusters in documents)
    joined = b",".join(filter(None, numbers)).decode()
    flat = np.fromstring(joined, np.int64, sep=",") if joined else np.zeros(0, np.int64)
    if flat.max(initial=0) >= _MAX_NUMBER:
        return None
    sentence, begin, end = flat.reshape(-1, 3).T
    return SpanColumns(sentence=sentence, begin=begin, end=end, shapes=shapes)


def encode_document(document: Document, inclusive: bool) -> dict[str, object]:
    """The members of the line; a mention across sentences is left out."""
    words, sentences = document.words, document.sentences
    sentence_of = [number for number, (a, b) in enumerate(sentences) for _ in range(a, b)]
    clusters: dict[int, list[SentenceSpan]] = {}
    for mention in document.mentions:
        sentence = sentence_of[mention.start]
        first, past = sentences[sentence]
        if mention.end <= past:
            span = (sentence, mention.start - first, mention.end - first - inclusive)
            number = int(document.corpus.mentions.chain[mention.index])
            clusters.setdefault(number, []).append(span)
    return {
        "id": document.label,
        # A word that is one blank, alone in its sentence, would be taken for a paragraph.
        "sentences": [[""] if words[a:b] == PARAGRAPH_MARK else words[a:b] for a, b in sentences],
        "mention_clusters": [clusters[number] for number in sorted(clusters)],
    }


def _add_columnar(build: CorpusBuilder, lines: Sequence[RawDocument], past: int) -> bool:
    """Add the documents if all spans lie in their sentences, as is the rule; return whether they do.

    The ends of spans are ``past`` short of being exclusive.
    """
    spans = parse_spans([bytes(line.mention_clusters) for line in lines])
    if spans is None or not lines:
        return False
    document = np.repeat(np.arange(len(lines), dtype=np.int32), spans.counts())
    counts = np.array([len(line.sentences) for line in lines], np.int64)
    if (spans.sentence >= counts[document]).any():
        return False
    sentences = list(chain.from_iterable(line.sentences for line in lines))
    lengths = np.array([0 if s == PARAGRAPH_MARK else len(s) for s in sentences], np.int64)
    sentence = run_starts(counts.tolist())[document] + spans.sentence
    end = spans.end + past
    if not bool(((spans.begin < end) & (end <= lengths[sentence])).all()):
        return False
    before = np.append(0, np.cumsum(lengths))
    edges = before[np.append(0, np.cumsum(counts))]
    build.begin_documents([line.id for line in lines], np.diff(edges))
    words = list(chain.from_iterable(words for words in sentences if words != PARAGRAPH_MARK))
    build.sentences(words, run_starts(lengths[lengths > 0].tolist()))
    sizes = spans.sizes()
    cluster_counts = list(map(len, sizes))
    labels = list(map(str, chain.from_iterable(map(range, cluster_counts))))
    first_chain = build.add_chains(labels, np.repeat(np.arange(len(lines), dtype=np.int32), cluster_counts))
    cluster_sizes = list(chain.from_iterable(sizes))
    number = np.repeat(np.arange(first_chain, first_chain + len(cluster_sizes)), cluster_sizes)
    first = before[sentence] - edges[document]
    build.add_mentions(first + spans.begin, first + end, number, document=document)
    return True


def _lines(block: Block, source: Source) -> list[tuple[Place, bytes]]:
    """The lines that hold something, and where they stand."""
    content = block.content.removeprefix(b"\xef\xbb\xbf" if block.line == 1 else b"")
    numbered = enumerate(content.split(b"\n"), block.line)
    return [(Place(source=source.name, line=at), text) for at, text in numbered if text.strip()]


def _add_document(build: CorpusBuilder, line: _Line, past: int, place: Place, reading: Reading) -> None:
    """One document, its spans looked at one by one."""
    build.begin_document(line.id)
    lengths = [0 if words == PARAGRAPH_MARK else len(words) for words in line.sentences]
    starts = run_starts(lengths)
    kept = (words for words in line.sentences if words != PARAGRAPH_MARK)
    build.sentences(list(chain.from_iterable(kept)), run_starts([n for n in lengths if n]))
    build.clusters(
        [
            (starts[sentence] + begin, starts[sentence] + end)
            for sentence, begin, end in _valid_spans(cluster, lengths, past, place, reading)
        ]
        for cluster in line.mention_clusters
    )


def _valid_spans(
    cluster: list[SentenceSpan], lengths: Sequence[int], past: int, place: Place, reading: Reading
) -> list[SentenceSpan]:
    """The spans that lie in their sentence, with exclusive ends; each once, when lenient."""
    valid: list[SentenceSpan] = []
    seen: set[SentenceSpan] = set()
    for sentence, begin, last in cluster:
        span, found = (sentence, begin, last + past), str([sentence, begin, last])
        if not (0 <= sentence < len(lengths) and 0 <= begin < span[2] <= lengths[sentence]):
            message, expected = "a span lies outside its sentence", "[sentence, begin, end] within the sentences"
            reading.fault("CB112", message, place, found, "span left out", expected=expected)
        elif reading.strictness.lenient and span in seen:
            reading.fault("CB113", "a mention occurs twice", place, found, "one of them left out")
        else:
            valid.append(span)
            seen.add(span)
    return valid


def _decode_line(decoder: "msgspec.json.Decoder[Shape]", text: bytes, place: Place) -> Shape:
    shape = '{"id": …, "sentences": [[…]], "mention_clusters": [[[sentence, begin, end]]]'
    return decode_json(decoder, text, place, description="of PreCo", expected=shape)
