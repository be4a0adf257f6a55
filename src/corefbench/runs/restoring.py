"""Layers back to corpora, as they were read."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace

from corefbench.model.builder import labels
from corefbench.model.corpus import Chains, Corpus, Documents, Mentions, Parts, Relations, Tokens
from corefbench.model.digest import digest_documents
from corefbench.model.strings import Strings
from corefbench.record import Ints, Longs
from corefbench.runs.checking import broken
from corefbench.runs.layers import COLUMN
from corefbench.runs.schema import Layer, Marked, Span, Words


def with_key_words(layer: Layer, key: Layer | None) -> Layer:
    """The layer with all its tokens."""
    if not layer.as_key:
        return layer
    shared: dict[str, Any] = {}
    if key is not None and key.tokens.count == layer.tokens.count:
        shared = {COLUMN + name: values for name, values in key.tokens.columns.items()}
        shared |= {"words": key.tokens.words, "text": key.tokens.text}
    if any(shared.get(name) is None for name in layer.as_key):
        raise broken(layer.name, "a response with tokens that the key does not have")
    columns = {name: shared[name] for name in layer.as_key}
    fields: dict[str, Any] = {
        name: columns.pop(name) for name in ("words", "text") if name in columns
    }
    fields["columns"] = layer.tokens.columns | {
        name.removeprefix(COLUMN): values for name, values in columns.items()
    }
    return replace(layer, tokens=replace(layer.tokens, **fields), as_key=())


def corpus_of(layer: Layer, name: str = "") -> Corpus:
    """A corpus of the one document; the layer has been checked and has all its tokens."""
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
        tokens=_tokens(tokens, words, edges),
        mentions=_mentions(layer.mentions),
        chains=Chains(document=np.zeros(len(layer.chains), np.int32), labels=labels(layer.chains)),
        relations=Relations(
            plural=_ints([chain for chain, _ in layer.split]),
            element=_ints([chain for _, chain in layer.split]),
            bridging_anaphor=_ints([bridge.anaphor for bridge in bridging]),
            bridging_mention=_ints([bridge.mention for bridge in bridging]),
            bridging_chain=_ints([bridge.chain for bridge in bridging]),
            bridging_label=tuple(bridge.label for bridge in bridging),
        ),
    )


def _tokens(tokens: Words, words: Strings | None, edges: Longs) -> Tokens:
    empty = None
    if tokens.empty is not None:
        empty = np.zeros(tokens.count, np.bool_)
        empty[list(tokens.empty)] = True
    digests = None
    if words is not None:
        written = words if empty is None else words.take(np.flatnonzero(~empty))
        digests = digest_documents(written, np.array([0, len(written)], np.int64))
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


def _mentions(marked: Marked) -> Mentions:
    referring = marked.referring
    return Mentions(
        document=np.zeros(len(marked.start), np.int32),
        start=_ints(marked.start),
        end=_ints(marked.end),
        chain=_ints(marked.chain),
        head=None if marked.head is None else _ints(marked.head),
        parts=_parts(marked.parts),
        minimum=_parts(marked.minimum),
        referring=None if referring is None else np.array(referring, np.bool_),
        columns={key: Strings.of(values) for key, values in marked.columns.items()},
    )


def _parts(spans: tuple[tuple[Span, ...], ...] | None) -> Parts | None:
    if spans is None:
        return None
    flat = [span for some in spans for span in some]
    return Parts(
        offsets=np.append(0, np.cumsum([len(some) for some in spans], dtype=np.int64)),
        start=_ints([start for start, _ in flat]),
        end=_ints([end for _, end in flat]),
    )


def _ints(values: Sequence[int]) -> Ints:
    return np.array(values, np.int32)


def _longs(values: Sequence[int]) -> Longs:
    return np.array(values, np.int64)
