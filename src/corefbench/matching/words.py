"""What identifies a word in key and response alike, although their empty nodes may differ.

A *place* is a number that means the same word in both corpora. Where neither has empty nodes it is
the position of the token; else surface tokens are counted without empty nodes, and an empty node
stands, by the number after the dot of its ID (``8.1``), behind the surface token it follows.
"""

import numpy as np

from corefbench.model.assemble import ranges
from corefbench.model.corpus import Corpus, Mentions, Tokens
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
            surface = self.place % self.step == self.step // 2
            known = np.append(0, np.cumsum(surface))
            inside = np.append(0, np.cumsum(known[self.end] - known[self.start]))
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
        base = _bases(key.token_counts(), response.token_counts())
        return _positions(key.mentions, base), _positions(response.mentions, base)
    surface = [_surface_counts(key.tokens), _surface_counts(response.tokens)]
    # One place to spare in each document: for empty nodes behind its last sentence.
    base = _bases(surface[0] + 1, surface[1] + 1)
    minors = [_minors(key.tokens), _minors(response.tokens)]
    gap = 1 + max(int(m.max(initial=0)) for m in minors)
    return (
        _places(key, base, minors[0], gap),
        _places(response, base, minors[1], gap),
    )


def heads(corpus: Corpus, words: WordSets) -> Longs:
    """The place of each mention's head; its first word where the head is unknown."""
    head = corpus.mentions.head
    if head is None:
        return words.first
    tokens = corpus.tokens.offsets[corpus.mentions.document] + np.maximum(head, 0)
    if words.place is not None:
        return np.where(head >= 0, words.place[tokens], words.first)
    shift = words.first - corpus.mentions.start
    return np.where(head >= 0, shift + head, words.first)


def overlaps(key: WordSets, response: WordSets, k: Longs, r: Longs) -> Longs:
    """|k ∩ r| for the pairs of mentions ``k[i]``, ``r[i]``."""
    if key.solid and response.solid:
        low = np.maximum(key.first[k], response.first[r])
        return np.asarray(np.maximum(np.minimum(key.last[k], response.last[r]) - low + 1, 0))
    some, number = np.unique(k, return_inverse=True)
    counts, words = key.expand(some)
    width = 1 + max(int(key.last.max(initial=0)), int(response.last.max(initial=0)))
    known = np.sort(np.repeat(np.arange(len(some)), counts) * width + words)
    counts, words = response.expand(r)
    pair = np.repeat(np.arange(len(r)), counts)
    wanted = number[pair] * width + words
    found = known[np.minimum(np.searchsorted(known, wanted), len(known) - 1)] == wanted
    return np.bincount(pair, found, minlength=len(r)).astype(np.int64)


def _bases(key_counts: Longs, response_counts: Longs) -> Longs:
    """Where the places of each document begin, wide enough for both sides."""
    return np.append(0, np.cumsum(np.maximum(key_counts, response_counts)))


def _positions(mentions: Mentions, base: Longs) -> WordSets:
    """Places where there are no empty nodes: the positions of the tokens."""
    first, past = base[mentions.document] + mentions.start, base[mentions.document] + mentions.end
    sets = WordSets(
        document=mentions.document,
        first=first,
        last=past - 1,
        size=past - first,
        step=1,
        start=first,
        end=past,
    )
    return sets if mentions.parts is None else _with_parts(sets, mentions, base[mentions.document])


def _with_parts(sets: WordSets, mentions: Mentions, shift: Longs) -> WordSets:
    parts = mentions.parts
    if parts is None:
        return sets
    shifts = np.repeat(shift, np.diff(parts.offsets))
    length = np.append(0, np.cumsum((parts.end - parts.start).astype(np.int64)))
    return WordSets(
        document=sets.document,
        first=sets.first,
        last=sets.last,
        size=np.diff(length[parts.offsets]),
        step=sets.step,
        start=shifts + parts.start,
        end=shifts + parts.end,
        runs=parts.offsets,
        place=sets.place,
    )


def _surface_counts(tokens: Tokens) -> Longs:
    counts = np.diff(tokens.offsets)
    if tokens.empty is None:
        return counts
    empties = np.append(0, np.cumsum(tokens.empty))
    return counts - np.diff(empties[tokens.offsets])


def _minors(tokens: Tokens) -> Longs:
    """For each token 0, for an empty node its number behind the surface token it follows."""
    minor = np.zeros(len(tokens), np.int64)
    if tokens.empty is None:
        return minor
    where = np.flatnonzero(tokens.empty)
    # By rank: how far behind the last token that is not empty, or the start of the sentence.
    fence = np.where(tokens.empty, -1, np.arange(len(tokens)))
    starts = tokens.sentences[tokens.sentences < len(tokens)]
    fence[starts] = np.maximum(fence[starts], starts - 1)
    minor[where] = where - np.maximum.accumulate(fence)[where]
    ids = tokens.columns.get("id")
    if ids is not None:
        for index in where.tolist():
            number = ids[index].rpartition(".")[2]
            if number.isdecimal() and len(number) < 5:
                minor[index] = int(number)
    return minor


def _places(corpus: Corpus, base: Longs, minor: Longs, gap: int) -> WordSets:
    """Places where one side has empty nodes: 2 · surface rank + 1 slots of ``gap`` places."""
    tokens, mentions = corpus.tokens, corpus.mentions
    empty = np.zeros(len(tokens), np.bool_) if tokens.empty is None else tokens.empty
    behind = np.append(0, np.cumsum(~empty))
    rank = behind[:-1] - np.repeat(behind[tokens.offsets[:-1]], np.diff(tokens.offsets))
    rank += np.repeat(base[:-1], np.diff(tokens.offsets))
    # An empty node belongs to the slot of the token before it; before the first token of a
    # sentence (0.1) it has a slot of its own, lest it meet the end of the sentence before.
    slot = np.where(empty, 2 * rank - 1, 2 * rank + 1)
    starts = np.append(0, tokens.sentences)
    sentence = np.searchsorted(starts, np.arange(len(tokens)), side="right") - 1
    opening = empty & (behind[:-1] == behind[starts[sentence]])
    place = np.where(opening, 2 * rank, slot) * gap + minor
    shift = tokens.offsets[mentions.document]
    start, end = shift + mentions.start, shift + mentions.end
    sets = WordSets(
        document=mentions.document,
        first=place[start],
        last=place[end - 1],
        size=end - start,
        step=2 * gap,
        start=start,
        end=end,
        place=place,
    )
    return sets if mentions.parts is None else _with_parts(sets, mentions, shift)
