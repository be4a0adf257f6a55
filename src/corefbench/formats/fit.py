"""A corpus cut down to what a format can hold, so that a written file reads back as it says."""

from collections.abc import Callable, Collection

import numpy as np
from msgspec.structs import replace

from corefbench.formats.base import Feature
from corefbench.formats.crossing import crossing_in_chains, crossing_mentions
from corefbench.formats.features import across_sentences, repeated_mentions
from corefbench.model.assemble import keep_mentions, take_mentions
from corefbench.model.corpus import Chains, Corpus, Relations
from corefbench.record import Flags


def fit(corpus: Corpus, holds: Collection[Feature]) -> Corpus:
    """The corpus without what a format that holds only ``holds`` would say wrongly.

    Discontinuous mentions become their hull and empty nodes become tokens; mentions that do not
    refer, cross the end of a sentence, repeat one of their chain or do not nest go; of two that
    cross the earlier stays, at one beginning the longer. Singletons are judged by what is left.
    """
    corpus = _plainer(in_order(corpus), holds)
    for feature, flagged in _UNWRITABLE:
        if feature not in holds:
            corpus = keep_mentions(corpus, ~flagged(corpus))
    return _without_empty_chains(corpus)


def in_order(corpus: Corpus) -> Corpus:
    """The corpus with its mentions by beginning, at one beginning the longest first: a file may
    have opened them in another order, and writers of nested brackets rely on this one."""
    mentions, relations = corpus.mentions, corpus.relations
    order = np.lexsort((-mentions.end, mentions.start, mentions.document))
    if (order == np.arange(len(order))).all():
        return corpus
    number = np.full(len(order) + 1, -1, np.int32)
    number[order] = np.arange(len(order))
    return replace(
        corpus,
        mentions=take_mentions(mentions, order),
        relations=replace(
            relations,
            bridging_anaphor=number[relations.bridging_anaphor],
            bridging_mention=number[relations.bridging_mention],
        ),
    )


def _plainer(corpus: Corpus, holds: Collection[Feature]) -> Corpus:
    mentions, tokens, relations, none = (
        corpus.mentions,
        corpus.tokens,
        corpus.relations,
        Relations.none(),
    )
    if "discontinuous mentions" not in holds:
        mentions = replace(mentions, parts=None)
    if "heads" not in holds:
        mentions = replace(mentions, head=None)
    if "minimal spans" not in holds:
        mentions = replace(mentions, minimum=None)
    if "zeros" not in holds:
        tokens = replace(tokens, empty=None)
    if "split antecedents" not in holds:
        relations = replace(relations, plural=none.plural, element=none.element)
    if "bridging" not in holds:
        kept = {"plural": relations.plural, "element": relations.element}
        relations = replace(none, **kept)
    return replace(corpus, mentions=mentions, tokens=tokens, relations=relations)


def _silent(corpus: Corpus) -> Flags:
    referring = corpus.mentions.referring
    return np.zeros(len(corpus.mentions), np.bool_) if referring is None else ~referring


def _singletons(corpus: Corpus) -> Flags:
    return np.asarray(corpus.chain_sizes()[corpus.mentions.chain] == 1)


_UNWRITABLE: tuple[tuple[Feature, Callable[[Corpus], Flags]], ...] = (
    ("non-referring mentions", _silent),
    ("mentions across sentences", across_sentences),
    ("repeated mentions", repeated_mentions),
    ("crossing mentions of one chain", crossing_in_chains),
    ("crossing mentions", crossing_mentions),
    ("singletons", _singletons),
)


def _without_empty_chains(corpus: Corpus) -> Corpus:
    """The corpus without chains that have no mentions, and without relations to them."""
    there = corpus.chain_sizes() > 0
    if there.all():
        return corpus
    number = np.full(len(there) + 1, -1, np.int32)
    number[:-1][there] = np.arange(there.sum())
    relations = corpus.relations
    plural = (number[relations.plural] >= 0) & (number[relations.element] >= 0)
    anchored = (relations.bridging_mention >= 0) | (number[relations.bridging_chain] >= 0)
    return replace(
        corpus,
        mentions=replace(corpus.mentions, chain=number[corpus.mentions.chain]),
        chains=Chains(document=corpus.chains.document[there], labels=corpus.chains.labels[there]),
        relations=Relations(
            plural=number[relations.plural[plural]],
            element=number[relations.element[plural]],
            bridging_anaphor=relations.bridging_anaphor[anchored],
            bridging_mention=relations.bridging_mention[anchored],
            bridging_chain=number[relations.bridging_chain[anchored]],
            bridging_label=tuple(
                label
                for label, kept in zip(relations.bridging_label, anchored.tolist(), strict=True)
                if kept
            ),
        ),
    )
