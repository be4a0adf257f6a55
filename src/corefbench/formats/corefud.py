"""CorefUD 1.x: coreference in the MISC column of CoNLL-U.

``# global.Entity = eid-etype-head-other`` declares the fields of an opening bracket;
``Entity=(e27-abstract-3-(e28-event-1-)`` opens e27 and marks the one word e28, ``e27)`` closes.
Heads and minimal spans count the mention's own words from 1; here they are token offsets.
Where no head is declared (GUM), it is the first word whose governor lies outside the mention.
Paragraphs (``# newpar``) and speakers (``# speaker = …``) become columns of the tokens.
"""

import re
from collections.abc import Iterator
from typing import BinaryIO

from corefbench.formats.base import FormatCard, Reading
from corefbench.formats.conllu import COLUMNS
from corefbench.formats.corefud_read import read_blocks
from corefbench.formats.corefud_said import PARAGRAPH
from corefbench.formats.corefud_write import write_corpus
from corefbench.formats.source import Source
from corefbench.model.corpus import Corpus


class CorefUD:
    """Reads and writes CorefUD.

    >>> text = b"# global.Entity = eid\\n1\\tI" + b"\\t_" * 7 + b"\\tEntity=(e1)\\n"
    >>> list(CorefUD().read(Source.of(text), Reading()))
    [<Corpus 'memory': 1 documents, 1 tokens, 1 mentions, 1 chains>]
    """

    card = FormatCard(
        name="corefud",
        title="CorefUD (CoNLL-U)",
        description="Universal Dependencies with entities, bridging and split antecedents in MISC.",
        extensions=(".conllu",),
        holds=frozenset(
            {
                "document names",
                "document attributes",
                "words",
                "sentences",
                "speakers",
                "token attributes",
                "zeros",
                "chain labels",
                "singletons",
                "crossing mentions",
                "repeated mentions",
                "discontinuous mentions",
                "heads",
                "minimal spans",
                "mention attributes",
                "bridging",
                "split antecedents",
            }
        ),
        token_columns=(*COLUMNS, PARAGRAPH),
        appends=True,
        cites=("nedoluzhko2022",),
    )

    def recognises(self, head: bytes) -> float:
        """Sure of ``# global.Entity``; plain CoNLL-U, without entities, is read too."""
        if b"# global.columns" in head:
            return 0.0
        if b"# global.Entity" in head:
            return 1.0
        rows = (line for line in head.split(b"\n") if line.strip() and line[:1] != b"#")
        cells = next(rows, b"").split(b"\t")
        if len(cells) != len(COLUMNS) or not re.fullmatch(rb"\d+([-.]\d+)?", cells[0]):
            return 0.0
        return 0.95 if b"Entity=" in head else 0.6

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        """The documents, each begun by ``# newdoc``; without one the file is one document."""
        return read_blocks(source, reading)

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """One declaration for all documents; multiword tokens are not kept."""
        write_corpus(corpus, stream)
