"""What of a coreference corpus the exercise keeps.

Of links: identity, synonymy, generalisation and specialisation, between noun phrases, and of which
the annotators were sure (Orăsan et al. 2008, section 3.2). An attribute of mentions tells of links
if all its values are words of ``WORDS``: relations, kinds of links, or how sure they are. A corpus
that says nothing of its links keeps them all.

Corpora say which mentions corefer, rarely which link joined them, so a mention whose link is
dropped leaves its chain. The first mention of a chain has no link that could be dropped.
"""

from collections.abc import Mapping

import numpy as np
from msgspec.structs import replace

from corefbench.model.assemble import keep_mentions
from corefbench.model.builder import labels
from corefbench.model.corpus import Chains, Corpus, Relations
from corefbench.record import Flags, Longs, Record

KEPT = ("IDENTITY", "SYNONYMY", "GENERALISATION", "SPECIALISATION")
"""The relations that count."""

WORDS: Mapping[str, bool] = dict.fromkeys(
    (
        *KEPT,
        "IDENT",
        "SYNONYM",
        "GENERALIZATION",
        "SPECIALIZATION",
        "NP",
        "COREF",
        "CERTAIN",
        "NONE",
    ),
    True,
) | dict.fromkeys(
    (
        "COPULAR",
        "APPOSITION",
        "APPOS",
        "BRACKETED TEXT",
        "SPEECH PRONOUN",
        "OTHER",
        "INDIRECT",
        "UCOREF",
        "UNCERTAIN",
        "OPT",
    ),
    False,
)
"""What attributes say of links, and whether such a link is kept. ``OPT`` is MUC's optional link."""

_VERBAL = ("VERB", "AUX", "VB", "MD")
_TAGS = ("upos", "xpos", "pos")


class Dropped(Record, frozen=True):
    """What was left out."""

    links: int = 0
    """Mentions that left their chains."""
    mentions: int = 0
    """Mentions that are no noun phrases, or do not refer."""


def filtered(corpus: Corpus) -> tuple[Corpus, Dropped]:
    """The corpus with what the exercise keeps, and how much that left out."""
    keep = _noun_phrases(corpus)
    if corpus.mentions.referring is not None:
        keep &= corpus.mentions.referring
    kept = keep_mentions(corpus, keep)
    leaving = dropped_links(kept)
    leaving &= ~_first_of_chain(kept)
    dropped = Dropped(links=int(leaving.sum()), mentions=int((~keep).sum()))
    return _regrouped(kept, leaving), dropped


def dropped_links(corpus: Corpus) -> Flags:
    """Which mentions have an attribute that says of their link what the exercise does not keep."""
    found = np.zeros(len(corpus.mentions), np.bool_)
    for column in corpus.mentions.columns.values():
        words = [" ".join(value.upper().replace("_", " ").split()) for value in column]
        said = {word for word in words if word}
        # "other" is a value of many attributes that have nothing to do with links.
        if said - {"OTHER"} and said <= WORDS.keys():
            found |= np.array([bool(word) and not WORDS[word] for word in words], np.bool_)
    return found


def _noun_phrases(corpus: Corpus) -> Flags:
    """Which mentions are not known to be something else: a verb, or an event of ECB+."""
    mentions, tokens = corpus.mentions, corpus.tokens
    keep = np.ones(len(mentions), np.bool_)
    if "kind" in mentions.columns:
        keep &= np.array([kind != "event" for kind in mentions.columns["kind"]], np.bool_)
    head = np.where(mentions.end - mentions.start == 1, mentions.start, -1)
    if mentions.head is not None:
        head = np.where(mentions.head >= 0, mentions.head, head)
    places = (tokens.offsets[mentions.document] + head).tolist()
    for name in _TAGS:
        if name in tokens.columns:
            tags = tokens.columns[name]
            verbal = [
                known >= 0 and tags[place].startswith(_VERBAL)
                for known, place in zip(head.tolist(), places, strict=True)
            ]
            keep &= ~np.array(verbal, np.bool_)
            break
    return keep


def _first_of_chain(corpus: Corpus) -> Flags:
    first = np.zeros(len(corpus.mentions), np.bool_)
    first[np.unique(corpus.mentions.chain, return_index=True)[1]] = True
    return first


def _regrouped(corpus: Corpus, leaving: Flags) -> Corpus:
    """Mentions that leave are singletons; chains are numbered by first appearance again."""
    group: Longs = corpus.mentions.chain.astype(np.int64)
    group[leaving] = len(corpus.chains) + np.arange(int(leaving.sum()))
    _, first, number = np.unique(group, return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int32)
    rank[np.argsort(first)] = np.arange(len(first))
    opening = np.sort(first)
    names = [
        f"{corpus.chains.label(int(corpus.mentions.chain[m]))}{'-' + str(m) if leaving[m] else ''}"
        for m in opening.tolist()
    ]
    return replace(
        corpus,
        mentions=replace(corpus.mentions, chain=rank[number.reshape(-1)]),
        chains=Chains(document=corpus.mentions.document[opening], labels=labels(names)),
        relations=Relations.none(),
    )
