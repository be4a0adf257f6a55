"""Convert documents to the layers of a run file and back, without loss."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace

from corefbench.corpus.arrays import search_sorted
from corefbench.corpus.builder import label_array
from corefbench.corpus.corpus import Chains, Corpus, Documents, Mentions, Parts, Relations, Tokens
from corefbench.corpus.hashing import digest_surface_words
from corefbench.corpus.strings import Strings
from corefbench.corpus.views import Document
from corefbench.records import Ints, Longs
from corefbench.runs.schema import BridgingLink, Layer, LayerMentions, LayerTokens, Span, inconsistent_run

COLUMN_PREFIX = "column "
"""Begins the names of columns among what a response has of the key."""


def document_to_layer(corpus: Corpus, index: int, key: Document | None = None) -> Layer:
    """Return a document as a layer.

    With a ``key``, token columns equal to those of the key are left out; ``restore_key_tokens``
    adds them again.
    """
    documents = corpus.documents
    shared = _shared_columns(corpus[index], key) if key is not None else ()
    return Layer(
        name=documents.names[index],
        part=int(documents.parts[index]),
        columns={name: values[index] for name, values in documents.columns.items()},
        tokens=_layer_tokens(corpus, index, shared),
        as_key=shared,
        **_annotation(corpus, index),
    )


def _layer_tokens(corpus: Corpus, index: int, shared: tuple[str, ...]) -> LayerTokens:
    tokens, texts = corpus.tokens, corpus.documents.texts
    first, last = tokens.offsets[index : index + 2].tolist()
    rows = slice(first, last)
    starts = slice(*search_sorted(tokens.sentences, first, last))
    words = None if "words" in shared else tokens.words
    return LayerTokens(
        count=last - first,
        words=None if words is None else tuple(words.slice(first, last)),
        sentences=_int_tuple(tokens.sentences[starts] - first) or (),
        text=None if texts is None or "text" in shared else texts[index],
        begin=None if tokens.begin is None else _int_tuple(tokens.begin[rows]),
        finish=None if tokens.finish is None else _int_tuple(tokens.finish[rows]),
        empty=None if tokens.empty is None else _int_tuple(np.flatnonzero(tokens.empty[rows])),
        columns={
            name: tuple(column.slice(first, last))
            for name, column in tokens.columns.items()
            if COLUMN_PREFIX + name not in shared
        },
        digest=int(tokens.digests[index]) if tokens.words is None and tokens.digests is not None else None,
    )


def _shared_columns(document: Document, key: Document) -> tuple[str, ...]:
    """Return the names of the token columns, and ``text``, that are equal in two documents."""
    columns, others = _string_columns(document.corpus), _string_columns(key.corpus)
    start, other = (int(d.corpus.tokens.offsets[d.index]) for d in (document, key))
    # Of texts of different lengths no column is worth comparing.
    if len(document) != len(key):
        return ()
    same = [
        name
        for name, column in columns.items()
        if name in others and column.same(start, start + len(document), others[name], other)
    ]
    return (*same, *(("text",) if document.text is not None and document.text == key.text else ()))


def _string_columns(corpus: Corpus) -> dict[str, Strings]:
    columns = {COLUMN_PREFIX + name: column for name, column in corpus.tokens.columns.items()}
    return columns if corpus.tokens.words is None else {"words": corpus.tokens.words, **columns}


def _annotation(corpus: Corpus, index: int) -> dict[str, Any]:
    """Return mentions, chains and relations, numbered within the document."""
    chains, relations = corpus.chains, corpus.relations
    top, bottom = search_sorted(chains.document, index, index + 1)
    first, last = search_sorted(corpus.mentions.document, index, index + 1)
    split = np.flatnonzero((relations.plural >= top) & (relations.plural < bottom))
    anaphors = relations.bridging_anaphor
    return {
        "mentions": _layer_mentions(corpus.mentions, first, last, top),
        "chains": tuple(map(chains.label, range(top, bottom))),
        "split": tuple(
            zip((relations.plural[split] - top).tolist(), (relations.element[split] - top).tolist(), strict=True)
        ),
        "bridging": tuple(
            _bridge(relations, row, first, top)
            for row in np.flatnonzero((anaphors >= first) & (anaphors < last)).tolist()
        ),
    }


def _bridge(relations: Relations, row: int, first: int, top: int) -> BridgingLink:
    mention, chain = int(relations.bridging_mention[row]), int(relations.bridging_chain[row])
    return BridgingLink(
        anaphor=int(relations.bridging_anaphor[row]) - first,
        mention=mention - first if mention >= 0 else -1,
        chain=chain - top if chain >= 0 else -1,
        label=relations.bridging_label[row],
    )


def _layer_mentions(mentions: Mentions, first: int, last: int, top: int) -> LayerMentions:
    rows, referring = slice(first, last), mentions.referring
    return LayerMentions(
        start=_int_tuple(mentions.start[rows]) or (),
        end=_int_tuple(mentions.end[rows]) or (),
        chain=_int_tuple(mentions.chain[rows] - top) or (),
        head=None if mentions.head is None else _int_tuple(mentions.head[rows]),
        parts=_spans(mentions.parts, first, last),
        minimum=_spans(mentions.minimum, first, last),
        referring=None if referring is None else tuple(referring[rows].tolist()),
        columns={key: tuple(column.slice(first, last)) for key, column in mentions.columns.items()},
    )


def _int_tuple(column: Ints | Longs | None) -> tuple[int, ...] | None:
    return None if column is None else tuple(column.tolist())


def _spans(parts: Parts | None, first: int, last: int) -> tuple[tuple[Span, ...], ...] | None:
    if parts is None:
        return None
    return tuple(tuple(parts.of(mention)) for mention in range(first, last))


def restore_key_tokens(layer: Layer, key: Layer | None) -> Layer:
    """Return the layer with all its tokens."""
    if not layer.as_key:
        return layer
    shared: dict[str, Any] = {}
    if key is not None and key.tokens.count == layer.tokens.count:
        shared = {COLUMN_PREFIX + name: values for name, values in key.tokens.columns.items()}
        shared |= {"words": key.tokens.words, "text": key.tokens.text}
    if any(shared.get(name) is None for name in layer.as_key):
        raise inconsistent_run(layer.name, "a response with tokens that the key does not have")
    columns = {name: shared[name] for name in layer.as_key}
    fields: dict[str, Any] = {name: columns.pop(name) for name in ("words", "text") if name in columns}
    fields["columns"] = layer.tokens.columns | {
        name.removeprefix(COLUMN_PREFIX): values for name, values in columns.items()
    }
    return replace(layer, tokens=replace(layer.tokens, **fields), as_key=())


def layer_to_corpus(layer: Layer, name: str = "") -> Corpus:
    """Return a corpus of one document from a checked layer with all its tokens."""
    tokens, bridging = layer.tokens, layer.bridging
    words = None if tokens.words is None else Strings.of(tokens.words)
    edges = np.array([0, tokens.count], np.int64)
    return Corpus(
        name=name or layer.name,
        documents=Documents(
            names=(layer.name,),
            parts=np.array([layer.part], np.int32),
            columns={key: (value,) for key, value in layer.columns.items()},
            texts=None if tokens.text is None else Strings.of([tokens.text]),
        ),
        tokens=_restore_tokens(tokens, words, edges),
        mentions=_restore_mentions(layer.mentions),
        chains=Chains(document=np.zeros(len(layer.chains), np.int32), labels=label_array(layer.chains)),
        relations=Relations(
            plural=_ints([chain for chain, _ in layer.split]),
            element=_ints([chain for _, chain in layer.split]),
            bridging_anaphor=_ints([bridge.anaphor for bridge in bridging]),
            bridging_mention=_ints([bridge.mention for bridge in bridging]),
            bridging_chain=_ints([bridge.chain for bridge in bridging]),
            bridging_label=tuple(bridge.label for bridge in bridging),
        ),
    )


def _restore_tokens(tokens: LayerTokens, words: Strings | None, edges: Longs) -> Tokens:
    empty = None
    if tokens.empty is not None:
        empty = np.zeros(tokens.count, np.bool_)
        empty[list(tokens.empty)] = True
    digests = None
    if words is not None:
        digests = digest_surface_words(words, edges, empty)
    elif tokens.digest is not None:
        digests = np.array([tokens.digest], np.uint64)
    return Tokens(
        offsets=edges,
        sentences=_longs(tokens.sentences),
        digests=digests,
        words=words,
        empty=empty,
        begin=None if tokens.begin is None else _longs(tokens.begin),
        finish=None if tokens.finish is None else _longs(tokens.finish),
        columns={key: Strings.of(values) for key, values in tokens.columns.items()},
    )


def _restore_mentions(marked: LayerMentions) -> Mentions:
    referring = marked.referring
    return Mentions(
        document=np.zeros(len(marked.start), np.int32),
        start=_ints(marked.start),
        end=_ints(marked.end),
        chain=_ints(marked.chain),
        head=None if marked.head is None else _ints(marked.head),
        parts=_restore_parts(marked.parts),
        minimum=_restore_parts(marked.minimum),
        referring=None if referring is None else np.array(referring, np.bool_),
        columns={key: Strings.of(values) for key, values in marked.columns.items()},
    )


def _restore_parts(spans: tuple[tuple[Span, ...], ...] | None) -> Parts | None:
    if spans is None:
        return None
    all_spans = [span for mention_spans in spans for span in mention_spans]
    return Parts(
        offsets=np.append(0, np.cumsum([len(mention_spans) for mention_spans in spans], dtype=np.int64)),
        start=_ints([start for start, _ in all_spans]),
        end=_ints([end for _, end in all_spans]),
    )


def _ints(values: Sequence[int]) -> Ints:
    return np.array(values, np.int32)


def _longs(values: Sequence[int]) -> Longs:
    return np.array(values, np.int64)
