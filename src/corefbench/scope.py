"""Scope: which documents are scored as one.

``document`` scores each for itself; coarser scopes join documents into one and, with them, the
chains that carry the same label. A chain that crosses the border of a scope is cut, on both sides.
"""

import re
from typing import Literal, TypeAlias

import numpy as np
from msgspec.structs import replace

from corefbench.model.assemble import take_documents
from corefbench.model.corpus import Chains, Corpus, Documents, Parts
from corefbench.record import Ints, Longs

Scope: TypeAlias = Literal["document", "subtopic", "topic", "corpus"]
SCOPES: tuple[Scope, ...] = ("document", "subtopic", "topic", "corpus")
Clustering: TypeAlias = Literal["labels", "document", "subtopic", "topic", "corpus"]
"""How far the chains of a response may reach; ``labels``: wherever their labels are."""

_ECB = re.compile(r"(?:.*/)?(\d+)_\d+(ecb|ecbplus)?(?:\.xml)?(?:_\d+)?$")


def apply_scope(corpus: Corpus, scope: Scope) -> Corpus:
    """The corpus with the documents of each group made one."""
    if scope == "document":
        return corpus
    groups = group_names(corpus, scope)
    names = tuple(dict.fromkeys(groups))
    number = {name: i for i, name in enumerate(names)}
    return _join(corpus, np.array([number[g] for g in groups], np.int64), names)


def group_names(corpus: Corpus, scope: Scope) -> list[str]:
    """The name of each document's group: its ``topic`` or ``subtopic`` column, else read off an
    ECB+ name (``36_1ecbplus`` is of topic 36, subtopic 36ecbplus), else the folder it is in."""
    if scope == "corpus":
        return ["corpus"] * len(corpus)
    column = corpus.documents.columns.get(scope)
    if column is not None:
        return list(column)
    return [_group_of(name, scope) for name in corpus.documents.names]


def _group_of(name: str, scope: Scope) -> str:
    ecb = _ECB.match(name)
    if ecb:
        return ecb[1] + (ecb[2] or "" if scope == "subtopic" else "")
    return name.rpartition("/")[0] or name


def cut_chains(corpus: Corpus, clustering: Clustering) -> Corpus:
    """The corpus with chains that reach no further: one label in two groups is two chains.

    For responses made group by group, whose labels begin anew in each.
    """
    if clustering == "labels":
        return corpus
    chains = corpus.chains
    group = group_numbers(corpus, clustering)[chains.document]
    _, label = np.unique(chains.labels, return_inverse=True)
    return replace(corpus, chains=replace(chains, labels=group * (len(chains) + 1) + label))


def chain_reach(corpus: Corpus) -> Scope:
    """The narrowest scope that holds every chain, chains of one label taken for one."""
    chains = corpus.chains
    used = corpus.chain_sizes() > 0
    _, label = np.unique(chains.labels[used], return_inverse=True)
    for scope in SCOPES[:-1]:
        group = group_numbers(corpus, scope)[chains.document[used]]
        if len(np.unique(np.stack([label, group]), axis=1).T) == label.max(initial=-1) + 1:
            return scope
    return "corpus"


def group_numbers(corpus: Corpus, scope: Scope) -> Longs:
    """The number of each document's group."""
    if scope == "document":
        return np.arange(len(corpus))
    return np.unique(group_names(corpus, scope), return_inverse=True)[1].astype(np.int64)


def _join(corpus: Corpus, group: Longs, names: tuple[str, ...]) -> Corpus:
    """Documents of one group laid end to end, chains of one label made one."""
    order = np.argsort(group, kind="stable")
    labels = [(corpus.documents.names[d], int(corpus.documents.parts[d])) for d in order]
    corpus, group = take_documents(corpus, order, labels), group[order]
    first = np.searchsorted(group, np.arange(len(names)))
    offsets = corpus.tokens.offsets
    moved = (offsets[:-1] - offsets[first][group])[corpus.mentions.document].astype(np.int32)
    mentions, relations = corpus.mentions, corpus.relations
    chain, chains = _joined_chains(corpus.chains, group)
    return Corpus(
        name=corpus.name,
        documents=Documents(names=names, parts=np.full(len(names), -1, np.int32)),
        tokens=replace(corpus.tokens, offsets=np.append(offsets[first], offsets[-1]), digests=None),
        mentions=replace(
            mentions,
            document=group[mentions.document].astype(np.int32),
            start=mentions.start + moved,
            end=mentions.end + moved,
            chain=chain[mentions.chain],
            head=None
            if mentions.head is None
            else np.where(mentions.head < 0, -1, mentions.head + moved),
            parts=_moved(mentions.parts, moved),
            minimum=_moved(mentions.minimum, moved),
        ),
        chains=chains,
        relations=replace(
            relations,
            plural=chain[relations.plural],
            element=chain[relations.element],
            bridging_chain=np.where(
                relations.bridging_chain < 0, -1, chain[relations.bridging_chain]
            ).astype(np.int32),
        ),
    )


def _joined_chains(chains: Chains, group: Longs) -> tuple[Ints, Chains]:
    """Each chain's number after joining, and the joined chains in order of first appearance."""
    _, label = np.unique(chains.labels, return_inverse=True)
    code = group[chains.document] * (len(chains) + 1) + label
    _, first, where = np.unique(code, return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int32)
    rank[np.argsort(first)] = np.arange(len(first))
    kept = np.sort(first)
    document = group[chains.document[kept]].astype(np.int32)
    return rank[where], Chains(document=document, labels=chains.labels[kept])


def _moved(parts: Parts | None, by: Ints) -> Parts | None:
    if parts is None:
        return None
    each = np.repeat(by, np.diff(parts.offsets))
    return replace(parts, start=parts.start + each, end=parts.end + each)
