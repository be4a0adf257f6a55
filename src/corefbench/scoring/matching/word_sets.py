"""The words of mentions, numbered so that key and response can be compared.

Every word has a *position*, the same in key and response. If neither corpus has empty nodes, it is
the number of the token. Otherwise ``token_positions`` counts surface tokens without empty nodes; an
empty node comes after the surface token it follows, in the order of its ID (``8.1``).
"""

import numpy as np

from corefbench.corpus.arrays import ranges
from corefbench.corpus.corpus import Corpus, Mentions, Tokens
from corefbench.records import Columns, Flags, Ints, Longs

_MAX_RANK_DIGITS = 4
"""Longer numbers after the dot are not ranks; the node is then counted instead."""


class WordSets(Columns, frozen=True, eq=False):
    """The words of every mention of a corpus, as positions; documents do not share positions."""

    document: Ints
    first: Longs
    """The position of the first word …"""
    last: Longs
    """… and of the last."""
    size: Longs
    step: int
    """The distance of the positions of adjacent surface words."""
    start: Longs
    """The token runs of the mentions: where they start …"""
    end: Longs
    """… and where they end."""
    runs: Longs | None = None
    """Mention *m* has the runs ``runs[m]`` to ``runs[m + 1]``; None if each has one."""
    position: Longs | None = None
    """The position of every token of a run; None if it is the number of the token."""

    def __len__(self) -> int:
        return len(self.first)

    @property
    def is_contiguous(self) -> bool:
        """Whether every mention consists of all words from its first to its last."""
        return self.runs is None and self.position is None

    def determined_by_ends(self) -> Flags:
        """Mark the mentions that their ends determine: one word, or surface words without a gap."""
        whole = self.last - self.first == self.step * (self.size - 1)
        if self.position is not None:
            surface = np.append(0, np.cumsum(self.position % self.step == self.step // 2))
            inside = np.append(0, np.cumsum(surface[self.end] - surface[self.start]))
            runs = np.arange(len(self) + 1) if self.runs is None else self.runs
            whole &= np.diff(inside[runs]) == self.size
        return np.asarray(whole | (self.size == 1))

    def expand(self, which: Longs) -> tuple[Longs, Longs]:
        """Return the number of words of some mentions, and the positions of these words."""
        runs = which
        if self.runs is not None:
            runs = ranges(self.runs[which], self.runs[which + 1] - self.runs[which])
        tokens = ranges(self.start[runs], self.end[runs] - self.start[runs])
        return self.size[which], tokens if self.position is None else self.position[tokens]


def word_sets(key: Corpus, response: Corpus) -> tuple[WordSets, WordSets]:
    """Return the words of all mentions of both corpora, as comparable positions."""
    if key.tokens.empty is None and response.tokens.empty is None:
        counts = np.maximum(key.token_counts(), response.token_counts())
        base = np.append(0, np.cumsum(counts))
        return _word_sets(key.mentions, base), _word_sets(response.mentions, base)
    key_position, response_position, step = token_positions(key.tokens, response.tokens)
    return (
        _word_sets(key.mentions, key.tokens.offsets, key_position, step),
        _word_sets(response.mentions, response.tokens.offsets, response_position, step),
    )


def heads(corpus: Corpus, words: WordSets) -> Longs:
    """Return the position of the head of each mention; of its first word if it is unknown."""
    head, mentions = corpus.mentions.head, corpus.mentions
    if head is None:
        return words.first
    if words.position is None:
        position = words.first - mentions.start + head
    else:
        position = words.position[corpus.tokens.offsets[mentions.document] + np.maximum(head, 0)]
    return np.where(head >= 0, position, words.first)


def overlaps(key: WordSets, response: WordSets, k: Longs, r: Longs) -> Longs:
    """Return |k ∩ r| for the pairs of mentions ``k[i]``, ``r[i]``."""
    if key.is_contiguous and response.is_contiguous:
        low = np.maximum(key.first[k], response.first[r])
        return np.asarray(np.maximum(np.minimum(key.last[k], response.last[r]) - low + 1, 0))
    distinct, number = np.unique(k, return_inverse=True)
    width = 1 + max(int(side.last.max(initial=0)) for side in (key, response))
    counts, words = key.expand(distinct)
    # Each word of a mention is one number, so that a single search finds all shared words.
    known = np.sort(np.repeat(np.arange(len(distinct)), counts) * width + words)
    counts, words = response.expand(r)
    pair = np.repeat(np.arange(len(r)), counts)
    wanted = number[pair] * width + words
    is_shared = known[np.minimum(np.searchsorted(known, wanted), len(known) - 1)] == wanted
    return np.bincount(pair, is_shared, minlength=len(r)).astype(np.int64)


def _word_sets(mentions: Mentions, base: Longs, position: Longs | None = None, step: int = 1) -> WordSets:
    """Return the word sets of mentions whose documents begin at the tokens ``base``."""
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
        first=first if position is None else position[first],
        last=past - 1 if position is None else position[past - 1],
        size=size,
        step=step,
        start=start,
        end=end,
        runs=runs,
        position=position,
    )


def identity_codes(key: WordSets, response: WordSets) -> tuple[Longs, Longs]:
    """Return a number for each mention of both sides, equal if document and words are equal.

    A run of surface words is encoded by its ends, in the order in which mentions open; every other
    set of words gets a negative number, in order of appearance.
    """
    width = 1 + max(int((side.last - side.first).max(initial=0)) for side in (key, response))
    others: dict[bytes, int] = {}
    return _codes(key, width, others), _codes(response, width, others)


def with_heads(codes: tuple[Longs, Longs], key_head: Longs, response_head: Longs) -> tuple[Longs, Longs]:
    """Return numbers that are equal if both the ``codes`` of the words and the heads are equal."""
    both = np.concatenate(codes)
    _, number = np.unique(both, return_inverse=True)
    head = np.concatenate((key_head, response_head))
    number = number * (1 + int(head.max(initial=0))) + head
    return number[: len(codes[0])], number[len(codes[0]) :]


def last_same(key: Longs, response: Longs, chain: Ints | None = None) -> Ints:
    """Return for each response mention the key mention of the same number, or -1.

    If the key repeats a mention, the last one counts or, given the chains, that of the last chain.

    >>> key, response = np.array([7, 3, 7]), np.array([7, 5])
    >>> last_same(key, response).tolist(), last_same(key, response, np.array([1, 0, 0])).tolist()
    ([2, -1], [0, -1])
    """
    if not len(key):
        return np.full(len(response), -1, np.int32)
    order = None
    if (key[1:] <= key[:-1]).any():
        order = np.argsort(key, kind="stable") if chain is None else np.lexsort((chain, key))
        key = key[order]
    at = np.maximum(np.searchsorted(key, response, side="right") - 1, 0)
    twin = at if order is None else order[at]
    return np.where(key[at] == response, twin, -1).astype(np.int32)


def _codes(side: WordSets, width: int, others: dict[bytes, int]) -> Longs:
    extent = side.last - side.first
    code = side.first * width + (width - 1 - extent)
    if side.is_contiguous:
        return code
    odd = np.flatnonzero(~side.determined_by_ends())
    counts, words = side.expand(odd)
    edges = np.append(0, np.cumsum(counts)).tolist()
    for index, a, b in zip(odd.tolist(), edges, edges[1:], strict=False):
        code[index] = -1 - others.setdefault(np.sort(words[a:b]).tobytes(), len(others))
    return code


def token_positions(key: Tokens, response: Tokens) -> tuple[Longs, Longs, int]:
    """Return the position of every token of both sides, and the distance of surface tokens.

    >>> from corefbench.corpus.builder import CorpusBuilder
    >>> def tokens(*ids):
    ...     build = CorpusBuilder("")
    ...     build.begin_document("d")
    ...     empty = ["." in i for i in ids]
    ...     build.sentence(ids, empty=empty, columns={"id": ids})
    ...     return build.finish().tokens
    >>> sides = tokens("1", "1.1", "2"), tokens("0.1", "1", "1.1", "1.2", "2")
    >>> key, response, step = token_positions(*sides)
    >>> key.tolist(), response.tolist(), step
    ([3, 4, 9], [1, 3, 4, 5, 9], 6)
    """
    surface = [_surface_counts(tokens) for tokens in (key, response)]
    # One spare slot in each document, for empty nodes after its last sentence.
    base = np.append(0, np.cumsum(np.maximum(*surface) + 1))
    rank = _ranks(key), _ranks(response)
    gap = 1 + max(int(r.max(initial=0)) for r in rank)
    return _positions(key, base, rank[0], gap), _positions(response, base, rank[1], gap), 2 * gap


def _surface_counts(tokens: Tokens) -> Longs:
    counts = np.diff(tokens.offsets)
    if tokens.empty is None:
        return counts
    return counts - np.diff(np.append(0, np.cumsum(tokens.empty))[tokens.offsets])


def _ranks(tokens: Tokens) -> Longs:
    """Return 0 for a surface token, for an empty node its rank after the token it follows."""
    rank = np.zeros(len(tokens), np.int64)
    if tokens.empty is None:
        return rank
    nodes = np.flatnonzero(tokens.empty)
    fence = np.where(tokens.empty, -1, np.arange(len(tokens)))
    starts = tokens.sentences[tokens.sentences < len(tokens)]
    fence[starts] = np.maximum(fence[starts], starts - 1)
    rank[nodes] = nodes - np.maximum.accumulate(fence)[nodes]
    ids = tokens.columns.get("id")
    if ids is None:
        return rank
    for index in nodes.tolist():
        _, dot, number = ids[index].rpartition(".")
        # SemEval numbers empty nodes like words.
        if dot and number.isdecimal() and len(number) <= _MAX_RANK_DIGITS:
            rank[index] = int(number)
    return rank


def _positions(tokens: Tokens, base: Longs, rank: Longs, gap: int) -> Longs:
    """Surface token *n* opens slot 2n + 1, of ``gap`` positions; empty nodes after it share it.

    Empty nodes before the first token of a sentence (0.1) have a slot of their own, so that they
    differ from those at the end of the sentence before.
    """
    empty = np.zeros(len(tokens), np.bool_) if tokens.empty is None else tokens.empty
    counts = np.diff(tokens.offsets)
    before = np.append(0, np.cumsum(~empty))
    number = before[:-1] + np.repeat(base[:-1] - before[tokens.offsets[:-1]], counts)
    starts = np.append(0, tokens.sentences)
    sentence = np.searchsorted(starts, np.arange(len(tokens)), side="right") - 1
    opening = empty & (before[:-1] == before[starts[sentence]])
    slot: Longs = 2 * number + np.where(opening, 0, np.where(empty, -1, 1))
    return slot * gap + rank
