"""Corpora from what a trainer has in memory: lists of clusters of spans."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, TypeAlias

import numpy as np

from corefbench.corpus.corpus import Chains, Corpus, Documents, Mentions, Relations, Tokens
from corefbench.errors import DataError
from corefbench.records import Longs

Span: TypeAlias = Sequence[int]
Clusters: TypeAlias = Sequence[Sequence[Span]]
"""The chains of one document; a span is (start, end), the end inclusive or not, as long as both
sides agree."""
ManyClusters: TypeAlias = Clusters | Sequence[Clusters] | Mapping[str, Clusters]


def corpora_from_clusters(key: ManyClusters, response: ManyClusters) -> tuple[Corpus, Corpus]:
    """Return key and response as corpora; both are one document, or both are several."""
    several = _is_many(key) or _is_many(response)
    return (
        corpus_from_clusters(key, "key", several=several),
        corpus_from_clusters(response, "response", several=several),
    )


def corpus_from_clusters(clusters: ManyClusters, name: str, *, several: bool = False) -> Corpus:
    """Return a corpus without words: one document, several in a list, or documents by name.

    >>> corpus_from_clusters([[(0, 1), (4, 4)], [(2, 3)]], "response")
    <Corpus 'response': 1 documents, 5 tokens, 3 mentions, 2 chains>
    """
    try:
        names, documents = _documents(clusters, several)
        per_document = np.fromiter(map(len, documents), np.int64, len(documents))
        chains = list(chain.from_iterable(documents))
        sizes = np.fromiter(map(len, chains), np.int64, len(chains))
    except TypeError as error:
        raise _not_clusters_error(str(error)) from error
    spans = _spans(chains, int(sizes.sum()))
    chain_document = np.repeat(np.arange(len(documents), dtype=np.int32), per_document)
    document = np.repeat(chain_document, sizes)
    length = np.zeros(len(documents), np.int64)
    first = np.searchsorted(document, np.arange(len(documents)))
    used = np.flatnonzero(np.diff(np.append(first, len(document))))
    length[used] = np.maximum.reduceat(spans[:, 1], first[used]) + 1
    return Corpus(
        name=name,
        documents=Documents(names=names, parts=np.full(len(names), -1, np.int32)),
        tokens=Tokens(
            offsets=np.concatenate([np.zeros(1, np.int64), np.cumsum(length)]), sentences=np.zeros(0, np.int64)
        ),
        mentions=Mentions(
            document=document,
            start=spans[:, 0].astype(np.int32),
            end=spans[:, 1].astype(np.int32) + 1,
            chain=np.repeat(np.arange(len(chains), dtype=np.int32), sizes),
        ),
        chains=Chains(document=chain_document, labels=np.arange(len(chains))),
        relations=Relations.none(),
    )


def _documents(clusters: Any, several: bool) -> tuple[tuple[str, ...], list[Clusters]]:
    if isinstance(clusters, Mapping):
        return tuple(map(str, clusters)), list(clusters.values())
    documents = list(clusters) if several else [clusters]
    return tuple(map(str, range(len(documents)))), documents


def _is_many(clusters: Any) -> bool:
    """Return whether there is one level more than in clusters of spans of numbers."""
    if isinstance(clusters, Mapping):
        return True
    try:
        for cluster in clusters:
            for span in cluster:
                for edge in span:
                    return isinstance(edge, Iterable)
    except TypeError as error:
        raise _not_clusters_error(str(error)) from error
    return False


def _spans(chains: list[Sequence[Span]], count: int) -> Longs:
    try:
        edges = chain.from_iterable(chain.from_iterable(chains))
        flat = np.fromiter(edges, np.int64)
    except (TypeError, ValueError) as error:
        raise _not_clusters_error(str(error)) from error
    if len(flat) != 2 * count:
        raise _not_clusters_error("spans that do not have two numbers")
    spans = flat.reshape(count, 2)
    if len(spans) and (spans[:, 0].min() < 0 or (spans[:, 1] < spans[:, 0]).any()):
        raise _not_clusters_error("a span that ends before it starts, or a negative one")
    return spans


def _not_clusters_error(found: str) -> DataError:
    return DataError(
        "these are not clusters of spans",
        code="CB112",
        found=found,
        expected="a list of clusters, each a list of (start, end) pairs of numbers",
        remedy="pass [[(0, 1), (5, 5)], …] for one document, or a list of such lists",
    )
