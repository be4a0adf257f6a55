"""Spans as numbers: one int64 a mention, equal exactly where document and span are equal."""

from functools import lru_cache

import numpy as np

from corefbench.model.corpus import Corpus, Mentions
from corefbench.record import Ints, Longs

_LENGTH_BITS = 24


def span_codes(mentions: Mentions, base: Longs) -> Longs:
    """Code (document, start, length); ``base`` says where each document's positions begin.

    Both corpora of a comparison use one base. Discontinuous mentions are told apart by their
    length in tokens only; rules that meet them look at the parts as well.
    """
    position = base[mentions.document] + mentions.start
    return (position << _LENGTH_BITS) + (mentions.end - mentions.start)


def shared_base(*corpora: Corpus) -> Longs:
    """Where each document's positions begin, wide enough for every corpus given."""
    width = np.max([c.token_counts() for c in corpora], axis=0)
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(width + 1)])[:-1]


@lru_cache(maxsize=4)
def identity(corpus: Corpus) -> Ints | None:
    """For every mention the last mention with the same span; None where no span is repeated.

    Several stages of one comparison ask for it, so the last few answers are kept.
    """
    mentions = corpus.mentions
    codes = mention_codes(corpus)
    ordered = np.sort(codes)
    ends = np.append(ordered[1:] != ordered[:-1], True)
    if ends.all():
        return None
    order = np.argsort(codes, kind="stable")
    groups = np.flatnonzero(ends)
    last = np.empty(len(mentions), np.int32)
    last[order] = order[groups][np.searchsorted(groups, np.arange(len(order)))]
    return last


def count_distinct(corpus: Corpus, same: Ints | None) -> Longs:
    """How many mentions of each document are not repeated by a later one; see ``identity``."""
    document = corpus.mentions.document
    if same is not None:
        document = document[same == np.arange(len(same))]
    return np.bincount(document, minlength=len(corpus))


def mention_codes(corpus: Corpus) -> Longs:
    """Numbers that are equal exactly where document and word set are equal."""
    codes = span_codes(corpus.mentions, shared_base(corpus))
    parts = corpus.mentions.parts
    if parts is None:
        return codes
    split = np.flatnonzero(np.diff(parts.offsets) > 1)
    known: dict[tuple[int, ...], int] = {}
    for mention in split.tolist():
        words = (int(corpus.mentions.document[mention]), *(n for p in parts.of(mention) for n in p))
        codes[mention] = -1 - known.setdefault(words, len(known))
    return codes
