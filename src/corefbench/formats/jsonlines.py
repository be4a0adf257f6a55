"""The jsonlines of end-to-end resolvers: one JSON object per document.

``{"doc_key": "bn/a_0", "sentences": [["Ann", "left"]], "clusters": [[[0, 0], …], …]}``; spans count
the document's tokens and include their last one. The key ends in the number of the part.
Discontinuous mentions are written as their hull; empty nodes become tokens like others.
"""

from collections.abc import Iterator
from itertools import chain
from typing import BinaryIO, Literal, TypeAlias

import msgspec
import numpy as np

from corefbench.corpus.arrays import run_starts
from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus, split_label
from corefbench.corpus.views import Document
from corefbench.errors import Place, UsageError
from corefbench.formats.base import ANY_MENTIONS, DOCUMENTS, SPEAKERS, FormatCard, Reading, require_words
from corefbench.formats.common.decode import decode_json, iter_blocks
from corefbench.formats.source import Source
from corefbench.records import Longs

Field: TypeAlias = Literal["", "clusters", "predicted_clusters"]
Clusters: TypeAlias = list[list[tuple[int, int]]]


class _Line(msgspec.Struct):
    """One document as it is in the file; other members are ignored."""

    doc_key: str
    sentences: list[list[str]]
    speakers: list[list[str]] | None = None
    clusters: Clusters | None = None
    predicted_clusters: Clusters | None = None


class JsonLines:
    """Reads and writes e2e jsonlines; ``field`` chooses between given and predicted clusters.

    >>> text = b'{"doc_key": "d_0", "sentences": [["I", "am"]], "clusters": [[[0, 0]]]}'
    >>> list(JsonLines().read(Source.of(text), Reading()))
    [<Corpus 'memory': 1 documents, 2 tokens, 1 mentions, 1 chains>]
    """

    card = FormatCard(
        name="jsonlines",
        title="e2e jsonlines",
        description="One JSON object a line with sentences and clusters, as neural resolvers use.",
        extensions=(".jsonlines", ".jsonl"),
        holds=DOCUMENTS | SPEAKERS | ANY_MENTIONS,
        appends=True,
        by_document=True,
        cites=("lee2017",),
    )

    def __init__(self, field: Field = "") -> None:
        if field not in ("", "clusters", "predicted_clusters"):
            raise UsageError(f"there is no field {field!r}", remedy="clusters or predicted_clusters")
        self.field = field

    def recognises(self, head: bytes) -> float:
        """Sure of an object that begins a line and names sentences and clusters."""
        first = head.lstrip(b"\xef\xbb\xbf \t\r\n").split(b"\n", 1)[0]
        if first[:1] != b"{" or b'"sentences"' not in first:
            return 0.0
        if b'"mention_clusters"' in first:  # PreCo
            return 0.0
        return 0.95 if b'clusters"' in first or b'"doc_key"' in first else 0.5

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        """Yield the documents, one per line; ``predicted_clusters`` if ``clusters`` is absent."""
        decoder = msgspec.json.Decoder(_Line)
        for block in iter_blocks(source, reading.block_bytes, b"\n"):
            build = CorpusBuilder(source.stem, words=reading.words)
            content = block.content.removeprefix(b"\xef\xbb\xbf" if block.line == 1 else b"")
            for number, text in enumerate(content.split(b"\n"), block.line):
                if text.strip():
                    place = Place(source=source.name, line=number)
                    self._add(build, _decode_line(decoder, text, place), place, reading)
            if build.document_count:
                yield build.finish()

    def _add(self, build: CorpusBuilder, line: _Line, place: Place, reading: Reading) -> None:
        build.begin_document(*split_label(line.doc_key))
        speakers = _speakers(line, place, reading)
        columns = {"speaker": list(chain.from_iterable(speakers))} if speakers else None
        words = list(chain.from_iterable(line.sentences))
        build.sentences(words, run_starts(list(map(len, line.sentences))), columns=columns)
        clusters: Clusters = self._clusters(line)
        # Repeated mentions are a fault only when lenient, and only the slow way finds them.
        spans = None if reading.strictness.lenient else _spans_inside(clusters, build.position)
        if spans is None:
            valid = (_valid_spans(spans, build.position, place, reading) for spans in clusters)
            build.clusters([(start, last + 1) for start, last in spans] for spans in valid)
        else:
            build.chains(spans[:, 0], spans[:, 1] + 1, list(map(len, clusters)))

    def _clusters(self, line: _Line) -> Clusters:
        if self.field:
            return (line.clusters if self.field == "clusters" else line.predicted_clusters) or []
        return (line.predicted_clusters if line.clusters is None else line.clusters) or []

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """Write one line per document, the clusters under the chosen field."""
        require_words(corpus)
        for document in corpus:
            stream.write(msgspec.json.encode(self._line(document)) + b"\n")

    def _line(self, document: Document) -> dict[str, object]:
        words, spans = document.words, document.sentences
        line: dict[str, object] = {"doc_key": document.label, "sentences": [words[a:b] for a, b in spans]}
        speakers = document.corpus.tokens.columns.get("speaker")
        if speakers is not None:
            first = int(document.corpus.tokens.offsets[document.index])
            names = speakers.slice(first, first + len(document))
            line["speakers"] = [names[a:b] for a, b in spans]
        clusters: dict[int, list[tuple[int, int]]] = {}
        for mention in document.mentions:
            number = int(document.corpus.mentions.chain[mention.index])
            clusters.setdefault(number, []).append((mention.start, mention.end - 1))
        line[self.field or "clusters"] = [clusters[number] for number in sorted(clusters)]
        return line


def _decode_line(decoder: "msgspec.json.Decoder[_Line]", text: bytes, place: Place) -> _Line:
    shape = '{"doc_key": …, "sentences": [[…]], "clusters": [[[first, last], …], …]}'
    return decode_json(decoder, text, place, description="in jsonlines", expected=shape)


def _speakers(line: _Line, place: Place, reading: Reading) -> list[list[str]] | None:
    """Return the speakers, if there are as many as words."""
    if not line.speakers or list(map(len, line.speakers)) == list(map(len, line.sentences)):
        return line.speakers
    reading.fault(
        "CB111",
        "the speakers are not as many as the words",
        place,
        f"{sum(map(len, line.speakers))} speakers in {len(line.speakers)} sentences",
        "speakers left out",
        expected=f"{sum(map(len, line.sentences))} in {len(line.sentences)}",
    )
    return None


def _spans_inside(clusters: Clusters, tokens: int) -> Longs | None:
    """Return the spans as an array if all lie in the document, which is checked fast."""
    try:
        flat = np.fromiter(chain.from_iterable(chain.from_iterable(clusters)), np.int64)
    except OverflowError:
        return None
    spans = flat.reshape(-1, 2)
    start, last = spans.T
    return spans if bool(((start >= 0) & (start <= last) & (last < tokens)).all()) else None


def _valid_spans(
    cluster: list[tuple[int, int]], tokens: int, place: Place, reading: Reading
) -> Iterator[tuple[int, int]]:
    """Yield the spans that lie in the document, each once."""
    seen: set[tuple[int, int]] = set()
    for span in cluster:
        if not 0 <= span[0] <= span[1] < tokens:
            reading.fault(
                "CB112",
                "a span lies outside its document",
                place,
                str(list(span)),
                "span left out",
                expected=f"first ≤ last < {tokens}",
            )
        elif span in seen and reading.strictness.lenient:
            reading.fault("CB113", "a mention occurs twice", place, str(list(span)), "one of them left out")
        else:
            seen.add(span)
            yield span
