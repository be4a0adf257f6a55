"""Bracket-column files, block by block, from bytes to corpora."""

from collections.abc import Iterator

import numpy as np

from corefbench.formats.base import Reading
from corefbench.formats.blocks import Blocks
from corefbench.formats.conll_cells import find_cells
from corefbench.formats.conll_columns import column_names, read_tokens
from corefbench.formats.conll_documents import BEGINS, Block, find_documents, find_tokens
from corefbench.formats.conll_mentions import read_mentions
from corefbench.formats.source import Source, unreadable
from corefbench.model.corpus import Corpus, Documents, Relations


def read_blocks(source: Source, reading: Reading, *, semeval: bool = False) -> Iterator[Corpus]:
    """The documents of the source, those of a block at a time."""
    line = 1
    with source.open() as stream:
        try:
            for data in Blocks(stream, reading.block_bytes, BEGINS):
                block = Block.of(data, source, reading, line)
                corpus = _read_block(block, semeval=semeval)
                if len(corpus):
                    yield corpus
                line = block.next_line
                reading.taken(len(data))
        except (OSError, EOFError) as error:
            raise unreadable(source.name, error) from error


def _read_block(block: Block, *, semeval: bool) -> Corpus:
    documents = find_documents(block)
    tokens = find_tokens(block, documents)
    mentions, chains = read_mentions(block, tokens, find_cells(block.lines, tokens.line))
    names = column_names(block.lines, tokens.line, semeval=semeval)
    return Corpus(
        name=block.source.stem,
        documents=Documents(
            names=tuple(d.name for d in documents),
            parts=np.array([d.part for d in documents], np.int32),
        ),
        tokens=read_tokens(block, tokens, names),
        mentions=mentions,
        chains=chains,
        relations=Relations.none(),
    )
