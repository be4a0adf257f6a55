"""PreCo: one JSON object a document, spans counted within their sentence.

``{"id": "train_00001", "sentences": [["Ann", "left"], [" "], …], "mention_clusters": [[[0, 0, 1],
…], …]}``: sentence, begin and end, from zero, the end exclusive. A sentence of one blank marks a
paragraph: it counts for the numbers of sentences and is not part of the document. Sets derived
from PreCo store inclusive ends: a span whose begin is its end gives them away.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import BinaryIO, Literal, TypeAlias, TypeVar

import msgspec
import numpy as np

from corefbench.errors import Place, UsageError
from corefbench.findings import Finding
from corefbench.formats.base import FormatCard, Reading
from corefbench.formats.conllu import blocks
from corefbench.formats.json_decode import decoded
from corefbench.formats.layout import require_words
from corefbench.formats.source import Source
from corefbench.model.builder import CorpusBuilder, firsts
from corefbench.model.corpus import Corpus
from corefbench.model.document import Document
from corefbench.record import Longs

Ends: TypeAlias = Literal["", "exclusive", "inclusive"]
Spot: TypeAlias = tuple[int, int, int]
"""Sentence, begin and end."""

PARAGRAPH = [" "]

Shape = TypeVar("Shape")


class _Clusters(msgspec.Struct):
    """As much of a line as tells whether ends are inclusive."""

    mention_clusters: list[list[Spot]]


class _Line(msgspec.Struct):
    """One document as the file has it; other members are passed over."""

    id: str
    sentences: list[list[str]]
    mention_clusters: list[list[Spot]]


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
        holds=frozenset(
            {
                "document names",
                "words",
                "sentences",
                "singletons",
                "crossing mentions",
                "crossing mentions of one chain",
                "repeated mentions",
            }
        ),
        appends=True,
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
        if b'"mention_clusters"' in first:
            return 0.95
        # The clusters come last: a long first document may push them past the head.
        return 0.6 if first.startswith(b'{"id"') and b'"sentences"' in first else 0.0

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        """The documents, a line each."""
        past = int(self._inclusive(source, reading))
        decoder = msgspec.json.Decoder(_Line)
        for block in blocks(source, reading.block_bytes, b"\n"):
            build = CorpusBuilder(source.stem, words=reading.words)
            for number, text in _lines(block.content, block.line):
                place = Place(source=source.name, line=number)
                _add(build, _decoded(decoder, text, place), past, place, reading)
            reading.taken(len(block.content))
            if build.document_count:
                yield build.finish()

    def _inclusive(self, source: Source, reading: Reading) -> bool:
        """Whether the file's spans include their last token: looked for in all of it, since one
        answer must hold for all of it."""
        if self.ends:
            return self.ends == "inclusive"
        decoder = msgspec.json.Decoder(_Clusters)
        for block in blocks(source, reading.block_bytes, b"\n"):
            for number, text in _lines(block.content, block.line):
                place = Place(source=source.name, line=number)
                clusters = _decoded(decoder, text, place).mention_clusters
                spots = _spots(clusters)
                if spots is not None and not (spots[:, 1] == spots[:, 2]).any():
                    continue
                for spot in chain.from_iterable(clusters):
                    if spot[1] == spot[2]:
                        _report_inclusive(spot, place, reading)
                        return True
        return False

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """One line a document; a mention across sentences is left out."""
        require_words(corpus)
        for document in corpus:
            stream.write(msgspec.json.encode(_line(document, self.ends == "inclusive")) + b"\n")


def _lines(content: bytes, first: int) -> Iterator[tuple[int, bytes]]:
    """The lines that hold something, numbered."""
    content = content.removeprefix(b"\xef\xbb\xbf" if first == 1 else b"")
    for number, text in enumerate(content.split(b"\n"), first):
        if text.strip():
            yield number, text


def _add(build: CorpusBuilder, line: _Line, past: int, place: Place, reading: Reading) -> None:
    build.begin_document(line.id)
    lengths = [0 if words == PARAGRAPH else len(words) for words in line.sentences]
    starts = firsts(lengths)
    kept = (words for words in line.sentences if words != PARAGRAPH)
    build.sentences(list(chain.from_iterable(kept)), firsts([n for n in lengths if n]))
    spans = None
    if not reading.strictness.lenient:
        spans = _inside(line.mention_clusters, starts, np.array(lengths, np.int64), past)
    if spans is not None:
        build.chains(*spans, list(map(len, line.mention_clusters)))
        return
    build.clusters(
        [
            (starts[sentence] + begin, starts[sentence] + end)
            for sentence, begin, end in _good_spots(cluster, lengths, past, place, reading)
        ]
        for cluster in line.mention_clusters
    )


def _good_spots(
    cluster: list[Spot], lengths: Sequence[int], past: int, place: Place, reading: Reading
) -> list[Spot]:
    """The spans that lie in their sentence, with exclusive ends; each once, when lenient."""
    good: list[Spot] = []
    seen: set[Spot] = set()
    for sentence, begin, last in cluster:
        spot = (sentence, begin, last + past)
        inside = 0 <= sentence < len(lengths) and 0 <= begin < spot[2] <= lengths[sentence]
        if inside and not (reading.strictness.lenient and spot in seen):
            good.append(spot)
            seen.add(spot)
            continue
        reading.strictness.fault(
            "CB113" if inside else "CB112",
            "a mention occurs twice" if inside else "a span lies outside its sentence",
            place=place,
            found=str([sentence, begin, last]),
            expected="" if inside else "[sentence, begin, end] within the sentences",
            repair="one of them left out" if inside else "span left out",
        )
    return good


def _spots(clusters: list[list[Spot]]) -> Longs | None:
    """All spans as rows; None where a number is too large."""
    try:
        flat = np.fromiter(chain.from_iterable(chain.from_iterable(clusters)), np.int64)
    except OverflowError:
        return None
    return flat.reshape(-1, 3)


def _inside(
    clusters: list[list[Spot]], starts: Longs, lengths: Longs, past: int
) -> tuple[Longs, Longs] | None:
    """Starts and ends, if all spans lie in their sentences: as is the rule, and quickly told."""
    spots = _spots(clusters)
    if spots is None:
        return None
    sentence, begin, last = spots.T
    if not bool(((sentence >= 0) & (sentence < len(lengths)) & (begin >= 0)).all()):
        return None
    if not bool(((begin - past < last) & (last <= lengths[sentence] - past)).all()):
        return None
    return starts[sentence] + begin, starts[sentence] + last + past


def _report_inclusive(spot: Spot, place: Place, reading: Reading) -> None:
    reading.strictness.report(
        Finding(
            code="CB135",
            severity="warning",
            message="the ends of spans are taken as inclusive",
            place=place,
            found=f"{list(spot)}, whose begin is its end",
        )
    )


def _line(document: Document, inclusive: bool) -> dict[str, object]:
    words, sentences = document.words, document.sentences
    sentence_of = [number for number, (a, b) in enumerate(sentences) for _ in range(a, b)]
    clusters: dict[int, list[Spot]] = {}
    for mention in document.mentions:
        sentence = sentence_of[mention.start]
        first, past = sentences[sentence]
        if mention.end <= past:
            spot = (sentence, mention.start - first, mention.end - first - inclusive)
            number = int(document.corpus.mentions.chain[mention.index])
            clusters.setdefault(number, []).append(spot)
    return {
        "id": document.label,
        # A word that is one blank, alone in its sentence, would be taken for a paragraph.
        "sentences": [[""] if words[a:b] == PARAGRAPH else words[a:b] for a, b in sentences],
        "mention_clusters": [clusters[number] for number in sorted(clusters)],
    }


def _decoded(decoder: "msgspec.json.Decoder[Shape]", text: bytes, place: Place) -> Shape:
    shape = '{"id": …, "sentences": [[…]], "mention_clusters": [[[sentence, begin, end]]]'
    return decoded(decoder, text, place, what="of PreCo", expected=shape)
