"""The words of mentions, as numbers that mean the same word in key and response.

Where neither corpus has empty nodes, the *place* of a word is the position of its token, and
nothing is computed; else ``places`` numbers the words.
"""

import numpy as np

from corefbench.matching.places import places
from corefbench.model.assemble import ranges
from corefbench.model.corpus import Corpus, Mentions
from corefbench.record import Columns, Flags, Ints, Longs


class WordSets(Columns, frozen=True, eq=False):
    """The words of every mention of a corpus, as places; documents do not share places."""

    document: Ints
    first: Longs
    """The place of the first word …"""
    last: Longs
    """… and of the last."""
    size: Longs
    step: int
    """How far apart the places of neighbouring surface words are."""
    start: Longs
    """The token runs of the mentions: where they start …"""
    end: Longs
    """… and where they end."""
    runs: Longs | None = None
    """Mention *m* has the runs ``runs[m]`` to ``runs[m + 1]``; None where each has one."""
    place: Longs | None = None
    """The place of every token that a run may name; None where it is the token's own number."""

    def __len__(self) -> int:
        return len(self.first)

    @property
    def solid(self) -> bool:
        """Whether every mention is all the words from its first to its last."""
        return self.runs is None and self.place is None

    def plain(self) -> Flags:
        """Which mentions their ends determine: a single word, or surface words without a gap."""
        whole = self.last - self.first == self.step * (self.size - 1)
        if self.place is not None:
            surface = np.append(0, np.cumsum(self.place % self.step == self.step // 2))
            inside = np.append(0, np.cumsum(surface[self.end] - surface[self.start]))
            runs = np.arange(len(self) + 1) if self.runs is None else self.runs
            whole &= np.diff(inside[runs]) == self.size
        return np.asarray(whole | (self.size == 1))

    def expand(self, which: Longs) -> tuple[Longs, Longs]:
        """The words of some mentions in order: their number for each, and the places."""
        runs = which
        if self.runs is not None:
            runs = ranges(self.runs[which], self.runs[which + 1] - self.runs[which])
        tokens = ranges(self.start[runs], self.end[runs] - self.start[runs])
        return self.size[which], tokens if self.place is None else self.place[tokens]


def word_sets(key: Corpus, response: Corpus) -> tuple[WordSets, WordSets]:
    """The words of all mentions of both corpora, in places that can be compared."""
    if key.tokens.empty is None and response.tokens.empty is None:
        counts = np.maximum(key.token_counts(), response.token_counts())
        base = np.append(0, np.cumsum(counts))
        return _sets(key.mentions, base), _sets(response.mentions, base)
    of_key, of_response, step = places(key.tokens, response.tokens)
    return (
        _sets(key.mentions, key.tokens.offsets, of_key, step),
        _sets(response.mentions, response.tokens.offsets, of_response, step),
    )


def heads(corpus: Corpus, words: WordSets) -> Longs:
    """The place of each mention's head; its first word where the head is unknown."""
    head, mentions = corpus.mentions.head, corpus.mentions
    if head is None:
        return words.first
    if words.place is None:
        place = words.first - mentions.start + head
    else:
        place = words.place[corpus.tokens.offsets[mentions.document] + np.maximum(head, 0)]
    return np.where(head >= 0, place, words.first)


def overlaps(key: WordSets, response: WordSets, k: Longs, r: Longs) -> Longs:
    """|k ∩ r| for the pairs of mentions ``k[i]``, ``r[i]``."""
    if key.solid and response.solid:
        low = np.maximum(key.first[k], response.first[r])
        return np.asarray(np.maximum(np.minimum(key.last[k], response.last[r]) - low + 1, 0))
    some, number = np.unique(k, return_inverse=True)
    width = 1 + max(int(side.last.max(initial=0)) for side in (key, response))
    counts, words = key.expand(some)
    known = np.sort(np.repeat(np.arange(len(some)), counts) * width + words)
    counts, words = response.expand(r)
    pair = np.repeat(np.arange(len(r)), counts)
    wanted = number[pair] * width + words
    found = known[np.minimum(np.searchsorted(known, wanted), len(known) - 1)] == wanted
    return np.bincount(pair, found, minlength=len(r)).astype(np.int64)


def _sets(mentions: Mentions, base: Longs, place: Longs | None = None, step: int = 1) -> WordSets:
    """Word sets of mentions whose documents begin at the tokens ``base``."""
    shift = base[mentions.document]
    first, past = shift + mentions.start, shift + mentions.end
    start, end, size, runs = first, past, past - first, None
    if mentions.parts is not None:
        runs = mentions.parts.offsets
        start = np.repeat(shift, np.diff(runs)) + mentions.parts.start
        end = np.repeat(shift, np.diff(runs)) + mentions.parts.end
        size = np.diff(np.append(0, np.cumsum(end - start))[runs])
    return WordSets(
        document=mentions.document,
        first=first if place is None else place[first],
        last=past - 1 if place is None else place[past - 1],
        size=size,
        step=step,
        start=start,
        end=end,
        runs=runs,
        place=place,
    )
