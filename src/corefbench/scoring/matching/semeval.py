"""SemEval-2010's matching: exact spans, then greedily what lies inside a key mention with its head.

A greedy rule depends on order. Chains come in the order in which their first bracket is met: on one
token, mentions of that token alone come before those that open there. The mentions of a chain come
in the order in which they close.
"""

from collections.abc import Iterator

import numpy as np
from msgspec.structs import replace

from corefbench.corpus.arrays import search_sorted
from corefbench.corpus.corpus import Corpus, Mentions
from corefbench.corpus.spans import shared_base, span_codes
from corefbench.records import Columns, Flags, Floats, Ints, Longs
from corefbench.scoring.matching.alignment import Twins


def match(key: Corpus, response: Corpus) -> Twins:
    """Every response span that is in the key, then the rest as scorer 1.04 does it.

    A response span [s, e) without exact twin takes the first key mention still free that contains
    it and has its head in it. The search then goes on: in each later key chain, the first mention
    still free is tried as well and, if it fits, replaces the match, while both stay taken. An
    exact match is worth 1, a partial one ½ each time it was made. All occurrences of a response
    span share its twin; the first of them has the credit.

    >>> from corefbench.corpus.builder import CorpusBuilder
    >>> def corpus(*mentions):
    ...     build = CorpusBuilder("tiny")
    ...     build.begin_document("d")
    ...     build.sentence(list("abcdefg"))
    ...     _ = [build.mention(chain, [span], head=head) for chain, span, head in mentions]
    ...     return build.finish()
    >>> key = corpus(("e", (0, 5), 2), ("e", (6, 7), 6))
    >>> twins = match(key, corpus(("e", (1, 4), -1), ("e", (6, 7), -1)))
    >>> twins.key.tolist(), twins.credit.tolist()
    ([0, 1], [0.5, 1.0])
    """
    base = shared_base(key, response)
    key, response = _without_empty_nodes(key), _without_empty_nodes(response)
    of_key = _Spans.of(key.mentions, span_codes(key.mentions, base))
    of_response = _Spans.of(response.mentions, span_codes(response.mentions, base))
    twin, credit = _match_exact(of_key, of_response)
    taken = np.zeros(len(of_key.codes), np.bool_)
    taken[twin[twin >= 0]] = True
    for document in _unfinished_documents(of_key, taken, of_response, twin):
        _match_partial(document, of_key, taken, of_response, twin, credit)
    numbers = np.append(of_key.last, -1)[twin].astype(np.int32)
    worth = np.zeros(len(response.mentions))
    worth[of_response.first] = credit
    return Twins(key=numbers[of_response.span], credit=worth)


def _without_empty_nodes(corpus: Corpus) -> Corpus:
    """Mentions counted in words: the scorer knows no empty nodes, which one side may lack."""
    tokens, mentions = corpus.tokens, corpus.mentions
    if tokens.empty is None:
        return corpus
    before = np.append(0, np.cumsum(~tokens.empty))
    first = tokens.offsets[mentions.document]

    def words(place: Ints) -> Ints:
        return np.asarray(before[first + place] - before[first], np.int32)

    head = mentions.head
    if head is not None:
        head = np.where(head < 0, head, words(np.maximum(head, 0)))
    return replace(corpus, mentions=replace(mentions, start=words(mentions.start), end=words(mentions.end), head=head))


class _Spans(Columns, frozen=True, eq=False):
    """The mentions of one side in the scorer's order, and their distinct spans."""

    mentions: Mentions
    order: Longs
    """The numbers of the mentions, document after document."""
    codes: Longs
    """The distinct spans, ascending, so that those of one document stand together."""
    span: Longs
    """The distinct span of every mention."""
    first: Longs
    """The first mention, in order, of every distinct span …"""
    last: Longs
    """… and the last."""

    @classmethod
    def of(cls, mentions: Mentions, codes: Longs) -> "_Spans":
        order = _scorer_order(mentions)
        distinct, span = np.unique(codes, return_inverse=True)
        first, last = np.zeros(len(distinct), np.int64), np.zeros(len(distinct), np.int64)
        last[span[order]] = order
        first[span[order[::-1]]] = order[::-1]
        return cls(mentions=mentions, order=order, codes=distinct, span=span, first=first, last=last)


def _scorer_order(mentions: Mentions) -> Longs:
    """Mentions by document, chain and closing bracket; of one end, the inner before the outer."""
    longer = mentions.end - mentions.start > 1
    opening = 2 * mentions.start.astype(np.int64) + longer
    met = np.full(int(mentions.chain.max(initial=-1)) + 1, np.iinfo(np.int64).max)
    np.minimum.at(met, mentions.chain, opening)
    return np.lexsort((-mentions.start, mentions.end, mentions.chain, met[mentions.chain], mentions.document))


def _match_exact(key: _Spans, response: _Spans) -> tuple[Longs, Floats]:
    """For every distinct response span the equal distinct key span, or -1, and its credit."""
    place = np.searchsorted(key.codes, response.codes)
    found = np.append(key.codes, -1)[place] == response.codes
    return np.where(found, place, -1), found.astype(np.float64)


def _unfinished_documents(key: _Spans, taken: Flags, response: _Spans, twin: Longs) -> Iterator[int]:
    """The documents that have free mentions on both sides."""
    free_keys = key.mentions.document[key.first[~taken]]
    yield from np.intersect1d(free_keys, response.mentions.document[response.first[twin < 0]]).tolist()


def _match_partial(document: int, key: _Spans, taken: Flags, response: _Spans, twin: Longs, credit: Floats) -> None:
    """Match greedily within a document."""
    candidates = _Candidates(key, document)
    a, b = search_sorted(response.mentions.document, document, document + 1)
    starts, ends = response.mentions.start, response.mentions.end
    for mention in response.order[a:b].tolist():
        span = int(response.span[mention])
        if twin[span] >= 0:
            continue
        for made in candidates.take(int(starts[mention]), int(ends[mention]), taken):
            twin[span] = made
            credit[span] += 0.5


class _Candidates:
    """The key mentions of a document, by head, so that few are looked at for a response span."""

    def __init__(self, key: _Spans, document: int) -> None:
        mentions = key.mentions
        a, b = search_sorted(mentions.document, document, document + 1)
        numbers = key.order[a:b]
        self.start, self.end = mentions.start[numbers], mentions.end[numbers]
        head = np.full(len(numbers), -1) if mentions.head is None else mentions.head[numbers]
        head = np.where(head < 0, self.start, head)
        self.by_head: Longs = np.argsort(head, kind="stable")
        self.heads: Ints = head[self.by_head]
        self.span: list[int] = key.span[numbers].tolist()
        self.chain: list[int] = mentions.chain[numbers].tolist()
        self.first_free: dict[int, int] = {}
        for place in reversed(range(len(numbers))):
            self.first_free[self.chain[place]] = place

    def take(self, start: int, end: int, taken: Flags) -> Iterator[int]:
        """Take what the scorer takes for [start, end); yields the key spans, the last one stays."""
        a, b = np.searchsorted(self.heads, [start, end])
        near = self.by_head[a:b]
        near = np.sort(near[(self.start[near] <= start) & (end <= self.end[near])])
        matched_chain = -1
        for place in near.tolist():
            span, chain = self.span[place], self.chain[place]
            if taken[span] or chain == matched_chain:
                continue
            if matched_chain >= 0 and self._first_free(chain, taken) != place:
                continue
            taken[span] = True
            matched_chain = chain
            yield span

    def _first_free(self, chain: int, taken: Flags) -> int:
        """The place of the chain's first mention that is still free; there is one."""
        place = self.first_free[chain]
        while taken[self.span[place]]:
            place += 1
        self.first_free[chain] = place
        return place
