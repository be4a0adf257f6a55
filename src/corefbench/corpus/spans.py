"""Spans as numbers: one int64 per mention, equal exactly where document and span are equal."""

from functools import lru_cache

import numpy as np

from corefbench.corpus.corpus import Corpus, Mentions
from corefbench.records import Ints, Longs

_LENGTH_BITS = 24


def span_codes(mentions: Mentions, base: Longs) -> Longs:
    """Encode document, start and length; ``base`` has the first position of each document.

    Both corpora of a comparison use one base. Of discontinuous mentions only the hull is encoded;
    rules that meet them look at the parts as well.
    """
    position = base[mentions.document] + mentions.start
    return (position << _LENGTH_BITS) + (mentions.end - mentions.start)


def shared_base(*corpora: Corpus) -> Longs:
    """Return the first position of each document, wide enough for every corpus given."""
    width = np.max([c.token_counts() for c in corpora], axis=0)
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(width + 1)])[:-1]


@lru_cache(maxsize=4)
def last_same_span(corpus: Corpus) -> Ints | None:
    """Return the last mention with the same span for every mention; None if no span is repeated.

    Several stages of one comparison ask for it, so the last few results are cached.
    """
    mentions = corpus.mentions
    codes = mention_codes(corpus)
    # Sorting values is cheaper than sorting indices, and most corpora repeat no span.
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
    """Count the mentions of each document that no later one repeats; see ``last_same_span``."""
    document = corpus.mentions.document
    if same is not None:
        document = document[same == np.arange(len(same))]
    return np.bincount(document, minlength=len(corpus))


def mention_codes(corpus: Corpus) -> Longs:
    """Return numbers that are equal exactly where document and word set are equal."""
    codes = span_codes(corpus.mentions, shared_base(corpus))
    parts = corpus.mentions.parts
    if parts is None:
        return codes
    known: dict[tuple[int, ...], int] = {}
    for mention in np.flatnonzero(np.diff(parts.offsets) > 1).tolist():
        words = (int(corpus.mentions.document[mention]), *(n for p in parts.of(mention) for n in p))
        codes[mention] = -1 - known.setdefault(words, len(known))
    return codes
