"""ECB+: one XML file a document, and a folder of them a corpus.

Tokens carry the number of their sentence; markables list their tokens, and may be discontinuous; a
markable without tokens is the instance that mentions of several documents share.
``CROSS_DOC_COREF`` joins mentions under the identifier of an instance, which labels the chain, so
that scopes above the document join it; ``INTRA_DOC_COREF`` is local to its document; a mention in
neither is a singleton.

Only some sentences are annotated in full. Where their list is found (``ECBplus_coreference_
sentences.csv``, in the file's folder or up to two above it) only they are read: documents without
one are left out, and a mention belongs to the sentence in which it begins.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Literal, TypeAlias

from corefbench.errors import FormatError, Place, UsageError
from corefbench.formats import xml
from corefbench.formats.base import FormatCard, Reading
from corefbench.formats.ecbplus_curated import Curated, curated_sentences, report_missing
from corefbench.formats.ecbplus_document import Annotation, Kind
from corefbench.formats.ecbplus_write import write_corpus, write_folder
from corefbench.formats.source import Source
from corefbench.model.builder import CorpusBuilder
from corefbench.model.corpus import Corpus

Choice: TypeAlias = Literal["events", "entities", "both"]

_KINDS: dict[str, tuple[Kind, ...]] = {
    "events": ("event",),
    "entities": ("entity",),
    "both": ("event", "entity"),
}
_ROOT = re.compile(rb"<Document\s[^>]*\bdoc_name\s*=")
_FILE = re.compile(r"(\d+)_(\d+)(ecb|ecbplus)\.xml")


class EcbPlus:
    """Reads and writes ECB+; ``mentions`` chooses actions, participants, times and places, or all.

    >>> text = b'<Document doc_name="1_1ecb"><token t_id="1" sentence="0">Go</token></Document>'
    >>> list(EcbPlus(curated=False).read(Source.of(text), Reading()))
    [<Corpus 'memory': 1 documents, 1 tokens, 0 mentions, 0 chains>]
    """

    card = FormatCard(
        name="ecbplus",
        title="ECB+",
        description="Events and entities across documents; a file of XML for each document.",
        extensions=(".xml",),
        holds=frozenset(
            {
                "document names",
                "document attributes",
                "words",
                "sentences",
                "chain labels",
                "singletons",
                "crossing mentions",
                "crossing mentions of one chain",
                "repeated mentions",
                "discontinuous mentions",
                "mentions across sentences",
                "mention attributes",
            }
        ),
        cites=("cybulska2014",),
    )

    def __init__(
        self, mentions: Choice = "both", curated: bool = True, sentences: str | Path | None = None
    ) -> None:
        """``sentences`` is the list of the curated sentences where it is not near the files."""
        if mentions not in _KINDS:
            raise UsageError(
                f"there are no mentions {mentions!r}", remedy="events, entities or both"
            )
        self.kinds = _KINDS[mentions]
        self.curated = curated
        self.sentences = sentences

    def recognises(self, head: bytes) -> float:
        """Sure of a document that names itself and numbers its tokens."""
        if not _ROOT.search(head):
            return 0.0
        return 0.95 if b"<token " in head and b" t_id=" in head else 0.5

    def documents_in(self, folder: Path) -> list[Path]:
        """The XML files named like ``36_1ecbplus.xml``, by topic and number."""
        found = ((_FILE.fullmatch(path.name), path) for path in folder.rglob("*.xml"))
        named = [(int(m[1]), m[3], int(m[2]), path) for m, path in found if m]
        return [path for *_, path in sorted(named)]

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        """The document of a file, or the documents of a folder, one at a time."""
        if source.path is not None and source.path.is_dir():
            for path in self.documents_in(source.path):
                yield from self.read(Source.of(path), reading)
            return
        curated = curated_sentences(source, self.sentences) if self.curated else None
        if self.curated and curated is None:
            report_missing(source, reading)
        root = xml.read(source, reading)
        build = CorpusBuilder(source.stem, words=reading.words)
        for document in _documents(root, source):
            self._add(build, Annotation(document, source, reading), curated)
        if build.document_count:
            yield build.finish()

    def _add(self, build: CorpusBuilder, document: Annotation, curated: Curated | None) -> None:
        if curated is None:
            document.add(build, self.kinds, None)
        elif document.name in curated:
            document.add(build, self.kinds, curated[document.name])

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """One document as a file of ECB+ has it; several within ``<Corpus>``."""
        write_corpus(corpus, stream)

    def write_folder(self, corpus: Corpus, folder: Path) -> None:
        """A file for each document, in a folder for each topic."""
        write_folder(corpus, folder)


def _documents(root: xml.Element, source: Source) -> list[xml.Element]:
    if root.tag == "Document":
        return [root]
    if root.tag == "Corpus":
        return [element for element in root if element.tag == "Document"]
    raise FormatError(
        "the file is not a document of ECB+",
        code="CB132",
        place=Place(source=source.name, line=root.sourceline or 0),
        found=f"<{root.tag}>",
        expected="<Document doc_name=…>",
    )
