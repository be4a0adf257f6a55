"""Universal Anaphora, the "CONLL-UA exact" format: markables in columns of their own.

``(EntityID=1|MarkableID=markable_a|Min=3,4|SemType=dn|ElementOf=4`` opens, a bare ``)`` closes the
markable opened last in the document, so markables nest. Min counts the document's tokens from 1,
both ends included. The announced columns are counted from the left: files may lack the last ones.
"""

import re
from collections.abc import Iterator
from typing import BinaryIO, Literal, TypeAlias

from corefbench.errors import UsageError
from corefbench.formats.base import FormatCard, Reading
from corefbench.formats.source import Source
from corefbench.formats.universal_anaphora_columns import COLUMNS, LAYERS
from corefbench.formats.universal_anaphora_read import read_blocks
from corefbench.formats.universal_anaphora_write import write_corpus
from corefbench.model.corpus import Corpus

Layer: TypeAlias = Literal["identity", "deixis"]


class UniversalAnaphora:
    """Reads and writes the identity column, or that of discourse deixis.

    >>> text = b"# newdoc id = d\\n1 I" + b" _" * 8 + b" (EntityID=1|MarkableID=m1) _ _\\n"
    >>> list(UniversalAnaphora().read(Source.of(text), Reading()))
    [<Corpus 'memory': 1 documents, 1 tokens, 1 mentions, 1 chains>]
    """

    card = FormatCard(
        name="ua",
        title="Universal Anaphora (CONLL-UA exact)",
        description="Markables with minimal spans, split antecedents, bridging and non-referring.",
        extensions=(".CONLL", ".conll", ".ua"),
        holds=frozenset(
            {
                "document names",
                "document attributes",
                "words",
                "sentences",
                "token attributes",
                "zeros",
                "chain labels",
                "singletons",
                "repeated mentions",
                "mentions across sentences",
                "minimal spans",
                "mention attributes",
                "non-referring mentions",
                "bridging",
                "split antecedents",
            }
        ),
        token_columns=COLUMNS,
        appends=True,
        cites=("yu2023",),
    )

    def __init__(self, column: Layer = "identity") -> None:
        if column not in LAYERS:
            raise UsageError(f"there is no column {column!r}", remedy="identity or deixis")
        self.column = column

    def recognises(self, head: bytes) -> float:
        """Sure of ``# global.columns`` that names IDENTITY."""
        return 1.0 if re.search(rb"# global\.columns *=.*\bIDENTITY\b", head) else 0.0

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        """The documents, each begun by ``# newdoc``."""
        return read_blocks(source, reading, LAYERS[self.column])

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """All fifteen columns, separated by TAB; discontinuous markables as their hull."""
        write_corpus(corpus, stream, LAYERS[self.column])
