"""Reads bracketed text all at once, where every bracket has its partner and its label."""

from collections.abc import Sequence

import numpy as np

from corefbench.formats.inline_documents import Body
from corefbench.formats.inline_marks import unmarked
from corefbench.formats.plain import require
from corefbench.formats.text_documents import add_documents
from corefbench.formats.tokenise import segment_texts
from corefbench.model.builder import CorpusBuilder, firsts
from corefbench.record import Ints, Longs

_BEHIND = "\0"
"""What stands behind every document while the marks are taken out."""


def add_plain(build: CorpusBuilder, documents: Sequence[Body]) -> None:
    """Add the documents; gives up where any bracket is not plain."""
    base = build.document_count
    found = unmarked("".join(f"{body.text}{_BEHIND}" for body in documents).encode())
    texts = found.text.split(_BEHIND)[:-1]
    require(len(texts) == len(documents))
    lengths = [len(text) + 1 for text in texts]
    bounds = np.append(firsts(lengths), sum(lengths))
    document = np.repeat(np.arange(len(texts)), np.diff(np.searchsorted(found.start, bounds)))
    require((found.end < bounds[document + 1]).all())
    tokens = segment_texts(texts, np.concatenate((found.start, found.end)))
    first, past = (np.searchsorted(tokens.begin, edges) for edges in (found.start, found.end))
    require((first < past).all())
    names, parts = [body.name for body in documents], [body.part for body in documents]
    add_documents(build, names, texts, tokens, parts=parts)
    before = tokens.offsets[document]
    where = (document + base).astype(np.int32)
    chain = _add_chains(build, where, found.labels)
    build.add_mentions(first - before, past - before, chain, document=where)


def _add_chains(build: CorpusBuilder, document: Ints, labels: list[bytes]) -> Longs:
    """Make a chain of every label in a document; returns the chain of every mention."""
    names = list(dict.fromkeys(labels))
    number = {name: at for at, name in enumerate(names)}
    label = np.fromiter(map(number.__getitem__, labels), np.int64, len(labels))
    _, first, chain = np.unique(
        document * len(names) + label, return_index=True, return_inverse=True
    )
    order = np.argsort(first)  # chains are numbered as they appear
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    appear = first[order]
    where = document[appear]
    return rank[chain] + build.add_chains([labels[at].decode() for at in appear.tolist()], where)
