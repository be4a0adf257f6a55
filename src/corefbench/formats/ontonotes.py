"""OntoNotes ``.coref``: words with COREF tags whose ID is that of the chain.

``<DOC DOCNO="bn/abc_0001@…"><TEXT PARTNO="000">``, a sentence a line, words between blanks,
``<COREF ID="12" TYPE="IDENT">``; appositions are chains of TYPE="APPOS" whose mentions are the
SUBTYPE HEAD or ATTRIB. It looks like MUC, where an ID is that of a mention.
"""

import re
from collections.abc import Iterator
from typing import BinaryIO

from corefbench.formats.base import FormatCard, Reading
from corefbench.formats.nesting import needs_words
from corefbench.formats.ontonotes_read import OntoNotesReader
from corefbench.formats.ontonotes_write import document_text
from corefbench.formats.source import Source
from corefbench.formats.whole import contents, text
from corefbench.model.corpus import Corpus

_COREF = re.compile(rb"(?i)<coref\s[^<>]*>")
_ID = re.compile(rb"(?i)\sid\s*=\s*[\"']?\s*([^\"'\s>]+)")


class OntoNotes:
    """Reads and writes ``.coref``; a document is a ``<TEXT>``, named by DOCNO up to its ``@``.

    ``appositions=False`` leaves out the chains of TYPE="APPOS", as the CoNLL shared tasks did;
    else their mentions carry ``type`` and ``subtype``. Traces become empty nodes. A mention's own
    ``id``, from other formats, is the attribute MENTION.

    >>> sample = b'<COREF ID="1">Ann</COREF> saw <COREF ID="1">her</COREF> dog .'
    >>> list(OntoNotes().read(Source.of(sample), Reading()))
    [<Corpus 'memory': 1 documents, 5 tokens, 2 mentions, 1 chains>]
    """

    card = FormatCard(
        name="ontonotes",
        title="OntoNotes coref",
        description="Words with <COREF ID= TYPE=> tags that name the chain, a sentence a line.",
        extensions=(".coref", ".v4_gold_coref", ".onf_coref"),
        holds=frozenset(
            {
                "document names",
                "words",
                "sentences",
                "chain labels",
                "singletons",
                "repeated mentions",
                "mentions across sentences",
                "mention attributes",
            }
        ),
        appends=True,
        cites=("pradhan2012",),
    )

    def __init__(self, appositions: bool = True) -> None:
        self.appositions = appositions

    def recognises(self, head: bytes) -> float:
        """Sure of DOCNO in the document tag, of SUBTYPE, and of IDs that recur without REF."""
        found = _COREF.findall(head)
        if re.search(rb"(?i)<w\s", head) or any(re.search(rb"(?i)\sref\s*=", t) for t in found):
            return 0.0
        if re.search(rb"(?i)<doc\s+docno\s*=", head):
            return 0.95
        ids = [match[1] for tag in found if (match := _ID.search(tag))]
        return 0.95 if len(set(ids)) < len(ids) else 0.0

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        raw = text(contents(source, reading), source.name)
        yield OntoNotesReader(raw, source, reading, self.appositions).corpus()

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """Every document in UTF-8; of two mentions that cross the earlier is kept."""
        needs_words(corpus)
        for document in corpus:
            stream.write(document_text(document).encode())
