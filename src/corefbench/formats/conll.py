"""CoNLL-2011/2012 and its relatives: a token a line, brackets in the last column.

Any number of columns, divided by tabs or blanks; ``-``, ``_``, ``*`` or nothing for "no mention";
LitBank's thirteen columns, the three of GUM, the two of cross-document outputs. Only lines whose
last column says something are looked at closely, which is why reading is fast.
"""

from collections.abc import Iterator
from typing import BinaryIO

from corefbench.formats.base import FormatCard, Reading
from corefbench.formats.conll_block import read_blocks
from corefbench.formats.conll_documents import HEADER
from corefbench.formats.conll_write import write_corpus
from corefbench.formats.source import Source
from corefbench.model.corpus import Corpus


class CoNLL:
    """The bracket column format of the CoNLL-2011 and CoNLL-2012 shared tasks."""

    card = FormatCard(
        name="conll",
        title="CoNLL-2011/2012 and relatives",
        description="A token a line, coreference brackets in the last column.",
        extensions=(".conll", ".v4_gold_conll", ".v4_auto_conll", ".gold_conll", ".auto_conll"),
        holds=frozenset(
            {
                "document names",
                "words",
                "sentences",
                "speakers",
                "speakers within sentences",
                "token attributes",
                "chain labels",
                "singletons",
                "crossing mentions",
                "repeated mentions",
                "mentions across sentences",
            }
        ),
        token_columns=("pos", "parse", "lemma", "frameset", "sense", "ne"),
        appends=True,
        by_document=True,
        cites=("pradhan2012",),
    )

    def recognises(self, head: bytes) -> float:
        if not head.strip() or head.lstrip()[:1] == b"{":
            return 0.0
        if HEADER.search(head):
            return 0.9
        lines = [line for line in head.split(b"\n")[:-1] if line.strip() and line[:1] != b"#"][:200]
        cells = [line.rstrip().rsplit(None, 1)[-1] for line in lines if len(line.split()) > 1]
        bracketed = sum(cell[:1] == b"(" or cell[-1:] == b")" for cell in cells)
        plain = sum(cell in (b"-", b"_", b"*") for cell in cells)
        return 0.5 if bracketed and bracketed + plain == len(lines) else 0.0

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        return read_blocks(source, reading)

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        write_corpus(corpus, stream)
