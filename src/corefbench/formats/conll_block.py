"""One block of a bracket-column file, from bytes to a corpus."""

import numpy as np

from corefbench.formats.base import Reading
from corefbench.formats.conll_cells import find_cells
from corefbench.formats.conll_columns import column_names, read_tokens
from corefbench.formats.conll_documents import Block, find_documents, find_tokens
from corefbench.formats.conll_mentions import read_mentions
from corefbench.formats.source import Source
from corefbench.model.corpus import Corpus, Documents, Relations


def read_block(
    text: bytes, source: Source, reading: Reading, first_line: int, *, semeval: bool = False
) -> Corpus:
    """The documents of a block; ``first_line`` is the number of its first line in the file."""
    block = Block.of(text, source, reading, first_line)
    documents = find_documents(block)
    tokens = find_tokens(block, documents)
    mentions, chains = read_mentions(block, tokens, find_cells(block.lines, tokens.line))
    names = column_names(block.lines, tokens.line, semeval=semeval)
    return Corpus(
        name=source.stem,
        documents=Documents(
            names=tuple(d.name for d in documents),
            parts=np.array([d.part for d in documents], np.int32),
        ),
        tokens=read_tokens(block, tokens, names),
        mentions=mentions,
        chains=chains,
        relations=Relations.none(),
    )
