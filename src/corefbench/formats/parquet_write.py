"""A corpus as a table of Arrow: columns are cut at documents, not copied mention by mention."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from corefbench.formats.parquet_schema import arrow, schema
from corefbench.model.corpus import Corpus, Parts
from corefbench.model.strings import Strings
from corefbench.record import Longs


def table_of(corpus: Corpus) -> Any:
    """The rows of every document."""
    made = {**_documents(corpus), **_tokens(corpus), **_mentions(corpus), **_relations(corpus)}
    pa, columns = arrow(), schema()
    nothing = pa.nulls(len(corpus))
    return pa.table(
        [made.get(field.name, nothing).cast(field.type) for field in columns], schema=columns
    )


def _documents(corpus: Corpus) -> dict[str, Any]:
    pa, documents = arrow(), corpus.documents
    columns = [list(values) for values in documents.columns.values()]
    attributes = [
        [(key, value) for key, value in zip(documents.columns, row, strict=True) if value]
        for row in zip(*columns, strict=True)
    ]
    parts = np.asarray(documents.parts, np.int32)
    return {
        "name": pa.array(documents.names, pa.string()),
        "part": pa.array(parts, mask=parts < 0),
        **(
            {"attributes": pa.array(attributes, schema().field("attributes").type)}
            if columns
            else {}
        ),
        **({"text": _texts(documents.texts)} if documents.texts is not None else {}),
    }


def _tokens(corpus: Corpus) -> dict[str, Any]:
    pa, tokens = arrow(), corpus.tokens
    edges = tokens.offsets
    sentences = np.searchsorted(tokens.sentences, edges)
    first = tokens.sentences - np.repeat(edges[:-1], np.diff(sentences))
    made = {
        "words": _lists(edges, _texts(tokens.words or Strings.of([]))),
        "sentences": _lists(sentences, pa.array(first.astype(np.int32))),
    }
    if tokens.empty is not None:
        made["empty"] = _lists(edges, pa.array(tokens.empty))
    if tokens.begin is not None and tokens.finish is not None:
        made["token_begin"] = _lists(edges, pa.array(tokens.begin.astype(np.int32)))
        made["token_end"] = _lists(edges, pa.array(tokens.finish.astype(np.int32)))
    if tokens.columns:
        made["token_attributes"] = _attributes(tokens.columns, edges)
    return made


def _mentions(corpus: Corpus) -> dict[str, Any]:
    pa, mentions = arrow(), corpus.mentions
    edges = np.searchsorted(mentions.document, np.arange(len(corpus) + 1))
    made = {
        "mention_start": _lists(edges, pa.array(mentions.start)),
        "mention_end": _lists(edges, pa.array(mentions.end)),
        "mention_chain": _lists(edges, _labels(corpus, mentions.chain)),
    }
    if mentions.head is not None:
        made["mention_head"] = _lists(edges, pa.array(mentions.head))
    if mentions.parts is not None:
        made["mention_parts"] = _lists(edges, _spans(mentions.parts))
    if mentions.minimum is not None:
        made["mention_minimum"] = _lists(edges, _spans(mentions.minimum))
    if mentions.referring is not None:
        made["mention_referring"] = _lists(edges, pa.array(mentions.referring))
    if mentions.columns:
        made["mention_attributes"] = _attributes(mentions.columns, edges)
    return made


def _relations(corpus: Corpus) -> dict[str, Any]:
    pa, relations, mentions = arrow(), corpus.relations, corpus.mentions
    made: dict[str, Any] = {}
    documents = np.arange(len(corpus) + 1)
    if len(relations.plural):
        owner = corpus.chains.document[relations.plural]
        order = np.argsort(owner, kind="stable")
        edges = np.searchsorted(owner[order], documents)
        made["split_plural"] = _lists(edges, _labels(corpus, relations.plural[order]))
        made["split_element"] = _lists(edges, _labels(corpus, relations.element[order]))
    if len(relations.bridging_anaphor):
        owner = mentions.document[relations.bridging_anaphor]
        order = np.argsort(owner, kind="stable")
        edges = np.searchsorted(owner[order], documents)
        first = np.searchsorted(mentions.document, owner[order]).astype(np.int32)
        anchor = relations.bridging_mention[order]
        kinds = [relations.bridging_label[number] for number in order.tolist()]
        made["bridging_anaphor"] = _lists(
            edges, pa.array(relations.bridging_anaphor[order] - first)
        )
        made["bridging_mention"] = _lists(edges, pa.array(anchor - first, mask=anchor < 0))
        made["bridging_chain"] = _lists(edges, _labels(corpus, relations.bridging_chain[order]))
        made["bridging_label"] = _lists(edges, pa.array(kinds, pa.string()))
    return made


def _labels(corpus: Corpus, chains: np.ndarray) -> Any:
    """The labels of chains; null for -1."""
    known = corpus.chains.labels
    said = [f"{x}" for x in known.tolist()] if known.dtype == np.int64 else _decoded(known)
    return arrow().array([said[c] if c >= 0 else None for c in chains.tolist()], arrow().string())


def _decoded(labels: np.ndarray) -> list[str]:
    return [label.decode("utf-8", "replace") for label in labels.tolist()]


def _texts(strings: Strings) -> Any:
    """Strings as Arrow has them: bytes, and where each begins."""
    pa = arrow()
    edges = pa.py_buffer(np.ascontiguousarray(strings.offsets).tobytes())
    wide = pa.LargeStringArray.from_buffers(len(strings), edges, pa.py_buffer(strings.blob))
    return wide.cast(pa.string())


def _lists(edges: Longs, values: Any) -> Any:
    """The values, cut at the edges."""
    pa = arrow()
    return pa.ListArray.from_arrays(pa.array(edges.astype(np.int32)), values)


def _spans(parts: Parts) -> Any:
    """Beginning and end of every part, one after another."""
    flat = np.column_stack([parts.start, parts.end]).ravel().astype(np.int32)
    return _lists(2 * parts.offsets, arrow().array(flat))


def _attributes(columns: Mapping[str, Strings], edges: Longs) -> Any:
    """Of every document, each column in which it says anything."""
    rows = []
    for start, end in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        row = [(key, column.slice(start, end)) for key, column in columns.items()]
        rows.append([(key, values) for key, values in row if any(values)])
    return arrow().array(rows, schema().field("token_attributes").type)
