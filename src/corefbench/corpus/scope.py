"""Scope: which documents are scored as one.

``document`` scores each document separately; wider scopes join documents and the chains that have
the same label. A chain that crosses the border of a scope is split, on both sides.
"""

import re
from typing import Literal, TypeAlias

import numpy as np
from msgspec.structs import replace

from corefbench.corpus.arrays import number_by_appearance
from corefbench.corpus.combine import take_documents
from corefbench.corpus.corpus import Chains, Corpus, Documents, Parts
from corefbench.records import Ints, Longs

Scope: TypeAlias = Literal["document", "subtopic", "topic", "corpus"]
SCOPES: tuple[Scope, ...] = ("document", "subtopic", "topic", "corpus")
Clustering: TypeAlias = Literal["labels", "document", "subtopic", "topic", "corpus"]
"""The scope of the chains of a response; ``labels``: wherever their labels occur."""

_ECB = re.compile(r"(?:.*/)?(\d+)_\d+(ecb|ecbplus)?(?:\.xml)?(?:_\d+)?$")


def apply_scope(corpus: Corpus, scope: Scope) -> Corpus:
    """Join the documents of each group."""
    if scope == "document":
        return corpus
    groups = group_names(corpus, scope)
    names = tuple(dict.fromkeys(groups))
    number = {name: i for i, name in enumerate(names)}
    return _join_documents(corpus, np.array([number[g] for g in groups], np.int64), names)


def group_names(corpus: Corpus, scope: Scope) -> list[str]:
    """Return the name of the group of each document.

    It is the ``topic`` or ``subtopic`` column, else part of an ECB+ name (``36_1ecbplus``: topic
    36, subtopic 36ecbplus), else the folder of the document.
    """
    if scope == "corpus":
        return ["corpus"] * len(corpus)
    column = corpus.documents.columns.get(scope)
    if column is not None:
        return list(column)
    return [_group_name(name, scope) for name in corpus.documents.names]


def _group_name(name: str, scope: Scope) -> str:
    ecb = _ECB.match(name)
    if ecb:
        return ecb[1] + (ecb[2] or "" if scope == "subtopic" else "")
    return name.rpartition("/")[0] or name


def split_chains_by_scope(corpus: Corpus, clustering: Clustering) -> Corpus:
    """Split chains at the borders of groups: one label in two groups is two chains.

    For responses that were made group by group, each with its own numbering of chains.
    """
    if clustering == "labels":
        return corpus
    chains = corpus.chains
    group = group_numbers(corpus, clustering)[chains.document]
    _, label = np.unique(chains.labels, return_inverse=True)
    return replace(corpus, chains=replace(chains, labels=group * (len(chains) + 1) + label))


def narrowest_scope(corpus: Corpus) -> Scope:
    """Return the narrowest scope that holds every chain, joining chains of one label."""
    chains = corpus.chains
    used = corpus.chain_sizes() > 0
    _, label = np.unique(chains.labels[used], return_inverse=True)
    for scope in SCOPES[:-1]:
        group = group_numbers(corpus, scope)[chains.document[used]]
        if len(np.unique(np.stack([label, group]), axis=1).T) == label.max(initial=-1) + 1:
            return scope
    return "corpus"


def group_numbers(corpus: Corpus, scope: Scope) -> Longs:
    """Return the number of the group of each document."""
    if scope == "document":
        return np.arange(len(corpus))
    return np.unique(group_names(corpus, scope), return_inverse=True)[1].astype(np.int64)


def _join_documents(corpus: Corpus, group: Longs, names: tuple[str, ...]) -> Corpus:
    """Concatenate the documents of each group and join chains of one label."""
    order = np.argsort(group, kind="stable")
    corpus, group = take_documents(corpus, order), group[order]
    first = np.searchsorted(group, np.arange(len(names)))
    offsets = corpus.tokens.offsets
    shift = (offsets[:-1] - offsets[first][group])[corpus.mentions.document].astype(np.int32)
    mentions, relations = corpus.mentions, corpus.relations
    chain, chains = _join_chains(corpus.chains, group)
    # Digests are of single documents, whose texts have been compared before they are joined.
    return Corpus(
        name=corpus.name,
        documents=Documents(names=names, parts=np.full(len(names), -1, np.int32)),
        tokens=replace(corpus.tokens, offsets=np.append(offsets[first], offsets[-1]), digests=None),
        mentions=replace(
            mentions,
            document=group[mentions.document].astype(np.int32),
            start=mentions.start + shift,
            end=mentions.end + shift,
            chain=chain[mentions.chain],
            head=None if mentions.head is None else np.where(mentions.head < 0, -1, mentions.head + shift),
            parts=_shift_parts(mentions.parts, shift),
            minimum=_shift_parts(mentions.minimum, shift),
        ),
        chains=chains,
        relations=replace(
            relations,
            plural=chain[relations.plural],
            element=chain[relations.element],
            bridging_chain=np.where(relations.bridging_chain < 0, -1, chain[relations.bridging_chain]).astype(np.int32),
        ),
    )


def _join_chains(chains: Chains, group: Longs) -> tuple[Ints, Chains]:
    """Return the new number of each chain, and the joined chains in order of appearance."""
    _, label = np.unique(chains.labels, return_inverse=True)
    kept, number = number_by_appearance(group[chains.document] * (len(chains) + 1) + label)
    document = group[chains.document[kept]].astype(np.int32)
    return number, Chains(document=document, labels=chains.labels[kept])


def _shift_parts(parts: Parts | None, shift: Ints) -> Parts | None:
    if parts is None:
        return None
    shifts = np.repeat(shift, np.diff(parts.offsets))
    return replace(parts, start=parts.start + shifts, end=parts.end + shifts)
