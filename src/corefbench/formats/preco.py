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

from corefbench.errors import Place, UsageError
from corefbench.findings import Finding
from corefbench.formats.base import FormatCard, Reading
from corefbench.formats.conllu import Block, blocks
from corefbench.formats.json_decode import decoded
from corefbench.formats.layout import require_words
from corefbench.formats.preco_plain import Words, plain_documents
from corefbench.formats.preco_spots import Spot, plain_spots
from corefbench.formats.preco_write import PARAGRAPH, document_line
from corefbench.formats.source import Source
from corefbench.model.builder import CorpusBuilder, firsts
from corefbench.model.corpus import Corpus

Ends: TypeAlias = Literal["", "exclusive", "inclusive"]

Shape = TypeVar("Shape")


class _Clusters(msgspec.Struct):
    """As much of a line as tells whether ends are inclusive."""

    mention_clusters: msgspec.Raw


class _Spots(msgspec.Struct):
    """The same, the spans one by one."""

    mention_clusters: list[list[Spot]]


class _Line(msgspec.Struct):
    """One document as the file has it; other members are passed over."""

    id: str
    sentences: list[list[str]]
    mention_clusters: list[list[Spot]]


_FIELD = b'"mention_clusters"'
_WORDS = msgspec.json.Decoder(Words)
_CLUSTERS = msgspec.json.Decoder(_Clusters)
_SPOTS = msgspec.json.Decoder(_Spots)
_LINE = msgspec.json.Decoder(_Line)


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
        for block in blocks(source, reading.block_bytes, b"\n"):
            build = CorpusBuilder(source.stem, words=reading.words)
            texts = _lines(block, source)
            plain = None
            # Of a field that comes twice, all of it must be looked at, though the last one counts.
            once = all(text.count(_FIELD) == 1 for _, text in texts)
            if once and not reading.strictness.lenient:
                lines = [_decoded(_WORDS, text, place) for place, text in texts]
                plain = plain_documents(lines, past)
            if plain is not None:
                plain.add_to(build)
            else:
                for place, text in texts:
                    _add(build, _decoded(_LINE, text, place), past, place, reading)
            reading.taken(len(block.content))
            if build.document_count:
                yield build.finish()

    def _inclusive(self, source: Source, reading: Reading) -> bool:
        """Whether the file's spans include their last token: looked for in all of it, since one
        answer must hold for all of it."""
        if self.ends:
            return self.ends == "inclusive"
        for block in blocks(source, reading.block_bytes, b"\n"):
            texts = _lines(block, source)
            lines = [_decoded(_CLUSTERS, text, place) for place, text in texts]
            spots = plain_spots([bytes(line.mention_clusters) for line in lines])
            if spots is not None and not (spots.begin == spots.end).any():
                continue
            for place, text in texts:
                for spot in chain.from_iterable(_decoded(_SPOTS, text, place).mention_clusters):
                    if spot[1] == spot[2]:
                        _report_inclusive(spot, place, reading)
                        return True
        return False

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """One line a document; a mention across sentences is left out."""
        require_words(corpus)
        for document in corpus:
            stream.write(
                msgspec.json.encode(document_line(document, self.ends == "inclusive")) + b"\n"
            )


def _lines(block: Block, source: Source) -> list[tuple[Place, bytes]]:
    """The lines that hold something, and where they stand."""
    content = block.content.removeprefix(b"\xef\xbb\xbf" if block.line == 1 else b"")
    numbered = enumerate(content.split(b"\n"), block.line)
    return [(Place(source=source.name, line=at), text) for at, text in numbered if text.strip()]


def _add(build: CorpusBuilder, line: _Line, past: int, place: Place, reading: Reading) -> None:
    """One document, its spans looked at one by one."""
    build.begin_document(line.id)
    lengths = [0 if words == PARAGRAPH else len(words) for words in line.sentences]
    starts = firsts(lengths)
    kept = (words for words in line.sentences if words != PARAGRAPH)
    build.sentences(list(chain.from_iterable(kept)), firsts([n for n in lengths if n]))
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


def _decoded(decoder: "msgspec.json.Decoder[Shape]", text: bytes, place: Place) -> Shape:
    shape = '{"id": …, "sentences": [[…]], "mention_clusters": [[[sentence, begin, end]]]'
    return decoded(decoder, text, place, what="of PreCo", expected=shape)
