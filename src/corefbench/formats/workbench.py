"""The XML of the evaluation workbench: parsed words, noun phrases and coreference in one file.

``<P><S><COREF ID="ref1"><NP><w ID="0" SENT="0" PAR="1" LEMMA="it" DEP="2" GFUN="SUBJ" POS="PRON">
It</w></NP></COREF> …`` as in example 2 of Barbu & Mitkov (2001). DEP counts words from 1, 0 is the
root, while ID counts from 0. The printed example is not well-formed (numbers without quotes, tags
in both cases, no root), so the reader is tolerant; the writer writes well-formed XML.
"""

import re
from collections.abc import Iterator
from typing import BinaryIO

from corefbench.errors import UsageError
from corefbench.formats.base import FormatCard, Reading
from corefbench.formats.nesting import needs_words
from corefbench.formats.plain import NotPlain
from corefbench.formats.source import Source
from corefbench.formats.whole import contents, text
from corefbench.formats.workbench_plain import PlainReader
from corefbench.formats.workbench_read import WorkbenchReader
from corefbench.formats.workbench_write import document_text
from corefbench.model.corpus import Corpus

_WORD = re.compile(rb"(?i)<w\s[^<>]*\b(?:lemma|sent|gfun)\s*=")


class Workbench:
    """Reads and writes the workbench XML, a ``<TEXT>`` a document.

    The attributes of words are token columns: lemma, dep, gfun, pos, nr, and par where there is
    more than one paragraph; the column ``np`` has a bracket for every noun phrase that begins or
    ends at a word. ``strict_sample`` writes one document as the paper prints it.

    >>> sample = b'<S><COREF ID=1><w LEMMA="it"> It </w></COREF> <w LEMMA="be">is</w></s>'
    >>> list(Workbench().read(Source.of(sample), Reading()))
    [<Corpus 'memory': 1 documents, 2 tokens, 1 mentions, 1 chains>]
    """

    card = FormatCard(
        name="workbench",
        title="Workbench XML",
        description="Words with lemma, dependency and function, noun phrases and COREF tags, as "
        "the evaluation workbench of Barbu and Mitkov kept them.",
        extensions=(".xml",),
        holds=frozenset(
            {
                "document names",
                "document attributes",
                "words",
                "sentences",
                "speakers",
                "speakers within sentences",
                "token attributes",
                "singletons",
                "repeated mentions",
                "mention attributes",
            }
        ),
        cites=("barbu2001",),
    )

    def __init__(self, strict_sample: bool = False) -> None:
        self.strict_sample = strict_sample

    def recognises(self, head: bytes) -> float:
        """Sure of words with a lemma, a sentence number or a function."""
        return 0.95 if _WORD.search(head) else 0.0

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        """The documents, each a ``<TEXT>``; without one the file is one document."""
        raw = text(contents(source, reading), source.name, fallback="latin-1")
        try:
            corpus = PlainReader(raw, source, reading).corpus()
        except NotPlain:
            corpus = WorkbenchReader(raw, source, reading).corpus()
        yield corpus

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """Well-formed XML in UTF-8; mentions that cross another or a sentence are left out."""
        needs_words(corpus)
        if self.strict_sample:
            if len(corpus) != 1:
                raise UsageError(
                    "the printed form has no room for several documents",
                    remedy="write each document to a file of its own",
                )
            stream.write(document_text(corpus[0], as_printed=True).encode())
            return
        several = len(corpus) != 1
        stream.write(b'<?xml version="1.0" encoding="UTF-8"?>\n')
        stream.write(b"<TEXTS>\n" if several else b"")
        for document in corpus:
            stream.write(document_text(document).encode())
        stream.write(b"</TEXTS>\n" if several else b"")
