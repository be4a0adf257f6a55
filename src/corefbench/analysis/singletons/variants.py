"""What a response does with its singletons: the four settings of Kübler & Zhekova 2011, Table 6.

* ``AllS``: all singletons stay;
* ``NoS``: all singletons go;
* ``PronS``: singletons go unless they are pronouns;
* ``AttP``: a pronoun that is a singleton joins the chain of the closest preceding mention; then
  singletons go unless they are pronouns (those that no mention precedes).

The closest preceding mention is the one of the same document that ends last at or before the
pronoun; of several that end there, the shortest. Singletons are antecedents like any other mention.
The paper does not say how it measures; a mention around the pronoun does not precede it.
"""

from typing import Literal, TypeAlias

import numpy as np
from msgspec.structs import replace

from corefbench.analysis.singletons.pronouns import is_pronoun
from corefbench.model.assemble import keep_mentions
from corefbench.model.corpus import Corpus
from corefbench.record import Flags, Longs
from corefbench.scope import Scope, group_numbers

Variant: TypeAlias = Literal["AllS", "NoS", "PronS", "AttP"]
VARIANTS: tuple[Variant, ...] = ("AllS", "NoS", "PronS", "AttP")
NEED_WORDS: frozenset[Variant] = frozenset({"PronS", "AttP"})


def vary(corpus: Corpus, variant: Variant, scope: Scope = "document") -> Corpus:
    """The response in one of the settings; ``scope`` says where a chain is alone."""
    if corpus.mentions.referring is not None:
        corpus = keep_mentions(corpus, corpus.mentions.referring)
    if variant == "AllS":
        return corpus
    if variant == "NoS":
        return keep_mentions(corpus, ~is_singleton(corpus, scope))
    pronoun = is_pronoun(corpus)
    if variant == "AttP":
        corpus = _attached(corpus, np.flatnonzero(pronoun & is_singleton(corpus, scope)))
    return keep_mentions(corpus, pronoun | ~is_singleton(corpus, scope))


def is_singleton(corpus: Corpus, scope: Scope = "document") -> Flags:
    """For every mention whether it is alone in its chain, chains joined by label in the scope."""
    if scope == "document":
        return np.asarray(corpus.chain_sizes()[corpus.mentions.chain] == 1)
    _, label = np.unique(corpus.chains.labels, return_inverse=True)
    group = group_numbers(corpus, scope)[corpus.chains.document]
    entity = (group * (len(label) + 1) + label)[corpus.mentions.chain]
    _, where, size = np.unique(entity, return_inverse=True, return_counts=True)
    return np.asarray(size[where] == 1)


def _attached(corpus: Corpus, pronouns: Longs) -> Corpus:
    """The corpus with these mentions in the chains of the mentions that they follow."""
    chain = corpus.mentions.chain.copy()
    # In text order: a pronoun that follows a pronoun joins the chain that the first has joined.
    for pronoun, antecedent in zip(*_closest(corpus, pronouns), strict=True):
        chain[pronoun] = chain[antecedent]
    return replace(corpus, mentions=replace(corpus.mentions, chain=chain))


def _closest(corpus: Corpus, pronouns: Longs) -> tuple[list[int], list[int]]:
    """Those of the pronouns that some mention precedes, in text order, and the closest to each."""
    mentions, offsets = corpus.mentions, corpus.tokens.offsets
    first = offsets[mentions.document]
    start, end = first + mentions.start, first + mentions.end
    pronouns = pronouns[np.argsort(start[pronouns], kind="stable")]
    order = np.lexsort((start, end))
    before = np.searchsorted(end[order], start[pronouns], side="right") - 1
    closest = order[np.maximum(before, 0)]
    same = (before >= 0) & (mentions.document[closest] == mentions.document[pronouns])
    return pronouns[same].tolist(), closest[same].tolist()
