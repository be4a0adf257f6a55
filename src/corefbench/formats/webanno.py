"""WebAnno TSV 3.2, as GUM and INCEpTION have it: a token a line, spans numbered in its cells.

``#T_SP=LAYER|feature|…`` declares a layer of spans, ``#T_RL=LAYER|type|BT_LAYER`` one of relations;
a line is ``2-3<TAB>41-44<TAB>his<TAB>abstract[6]|person[7]<TAB>…<TAB>ana<TAB>3-10[23_7]<TAB>``:
sentence and token, characters, the word, a cell a feature, then type and source of the relations
that end at a span here: ``3-10[23_7]`` comes from span 23, which begins at 3-10, to span 7. Chains
are what coref, ana, cata, appos and pred connect; ``bridge…`` is bridging, and ``bridge:aggr``
marks split antecedents.
"""

from collections.abc import Iterator, Sequence
from typing import BinaryIO

from corefbench.errors import FormatError, Place
from corefbench.formats.base import FormatCard, Reading
from corefbench.formats.layout import require_words
from corefbench.formats.plain import NotPlain
from corefbench.formats.source import Source
from corefbench.formats.webanno_lines import DECLARING, FORMAT, pieces, read_lines
from corefbench.formats.webanno_plain import header_of, read_plain
from corefbench.formats.webanno_spans import SPLIT, Annotation, annotation, bridging_label
from corefbench.formats.webanno_write import document_text
from corefbench.formats.whole import contents
from corefbench.formats.whole import text as decoded
from corefbench.model.builder import CorpusBuilder
from corefbench.model.corpus import Corpus

NOT_IDENTITY = ("bridge",)


class WebAnno:
    """Reads and writes WebAnno TSV; relations whose type begins with one of ``apart`` make no
    chains.

    >>> lines = ["#FORMAT=WebAnno TSV 3.2", "#T_SP=custom.Referent|entity",
    ...     "#T_RL=custom.Coref|type|BT_custom.Referent", "", "#Text=Ann saw her",
    ...     "1-1\\t0-3\\tAnn\\tperson[1]\\tana\\t1-3[2_1]\\t", "1-2\\t4-7\\tsaw\\t_\\t_\\t_\\t",
    ...     "1-3\\t8-11\\ther\\tperson[2]\\t_\\t_\\t"]
    >>> next(WebAnno().read(Source.of("\\n".join(lines).encode()), Reading()))[0].clusters()
    [[(0, 1), (2, 3)]]
    """

    card = FormatCard(
        name="webanno",
        title="WebAnno TSV 3.2",
        description="A token a line, numbered spans with features, relations; GUM, INCEpTION.",
        extensions=(".tsv",),
        holds=frozenset(
            {
                "document names",
                "text",
                "words",
                "sentences",
                "singletons",
                "crossing mentions",
                "crossing mentions of one chain",
                "repeated mentions",
                "mentions across sentences",
                "mention attributes",
                "bridging",
                "split antecedents",
            }
        ),
        appends=True,
        cites=("yimam2013", "zeldes2017"),
    )

    def __init__(self, *, apart: Sequence[str] = NOT_IDENTITY) -> None:
        self.apart = tuple(apart)

    def recognises(self, head: bytes) -> float:
        """Sure of the first line."""
        return 1.0 if head.startswith(FORMAT.encode()) else 0.0

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        """A document a file, or, as we write them, a document from every first line on."""
        text = decoded(contents(source, reading), source.name)
        if not text.startswith(FORMAT):
            raise FormatError(
                "the first line does not declare the format",
                code="CB117",
                place=Place(source=source.name, line=1),
                found=text.split("\n", 1)[0][:60],
                expected=f"{FORMAT} 3.2",
            )
        for batch in _batches(text, reading.block_bytes):
            try:
                yield read_plain([piece for _, piece in batch], source, reading, self.apart)
            except NotPlain:
                yield from (self._by_lines(*some, source, reading) for some in batch)

    def _by_lines(self, number: int, piece: str, source: Source, reading: Reading) -> Corpus:
        """Read a document that may not be plain, and say what is wrong with it."""
        lines = read_lines(piece, number, source, reading.strictness)
        build = CorpusBuilder(source.stem, words=reading.words)
        build.begin_document(lines.name or source.stem, lines.part, text=lines.text)
        for sentence in lines.sentences:
            build.sentence(sentence.words, offsets=sentence.offsets)
        self._add(build, annotation(lines, self.apart, reading.strictness))
        return build.finish()

    def _add(self, build: CorpusBuilder, found: Annotation) -> None:
        numbers = [0] * len(found.spans)
        for index in sorted(range(len(numbers)), key=lambda i: found.spans[i].order):
            span = found.spans[index]
            label = str(found.chains[index])
            numbers[index] = build.mention(label, span.parts, columns=span.columns)
        for kind, anaphor, antecedent in found.others:
            if kind == SPLIT:
                chains = [build.chain(str(found.chains[span])) for span in (anaphor, antecedent)]
                build.split_antecedent(*chains)
            else:
                label = bridging_label(kind)
                build.bridge(numbers[anaphor], mention=numbers[antecedent], label=label)

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """The documents one after another, each with its first line and ``#Document=``."""
        require_words(corpus)
        for document in corpus:
            stream.write(document_text(document).encode())


def _batches(text: str, size: int) -> Iterator[list[tuple[int, str]]]:
    """Documents that declare the same layers, together up to some size, with their lines."""
    batch: list[tuple[int, str]] = []
    held, layers = 0, None
    for line, piece in pieces(text):
        declared = [(key, value) for key, value in header_of(piece) if key in DECLARING]
        if batch and (declared != layers or held + len(piece) > size):
            yield batch
            batch, held = [], 0
        batch.append((line, piece))
        held, layers = held + len(piece), declared
    yield batch
