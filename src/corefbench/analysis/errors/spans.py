"""Response mentions that are key mentions but for their boundaries (Kummerfeld & Klein 2013).

Among the mentions without a twin, a response mention has the boundaries of a key mention wrong if

1. both are the same but for *the*, a possessive *'s* and punctuation at their ends, or else
2. both have the same head word, and no other mention without a twin has it.
"""

from collections import defaultdict
from collections.abc import Hashable

from corefbench.analysis.errors.pair import Pair, with_twins
from corefbench.analysis.errors.side import Side

_LEADING = frozenset(("the",))
_TRAILING = frozenset(("'s", "’s"))


def wrong_spans(pair: Pair) -> list[tuple[int, int]]:
    """The (response mention, key mention) pairs that differ in their boundaries only."""
    trimmed = _by_trimmed_span(pair)
    return sorted(trimmed + _by_head(with_twins(pair, trimmed)))


def _by_trimmed_span(pair: Pair) -> list[tuple[int, int]]:
    if not pair.key.words:
        return []
    wanted: dict[Hashable, list[int]] = defaultdict(list)
    for mention in _free(pair.twin_of_key):
        wanted[_trimmed(pair.key, mention)].append(mention)
    found = []
    for mention in _free(pair.twin_of_response):
        candidates = wanted.get(_trimmed(pair.response, mention))
        if candidates:
            found.append((mention, candidates.pop(0)))
    return found


def _by_head(pair: Pair) -> list[tuple[int, int]]:
    if not pair.key.words:
        return []
    heads: dict[Hashable, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for number, (side, twins) in enumerate(
        ((pair.key, pair.twin_of_key), (pair.response, pair.twin_of_response))
    ):
        for mention in _free(twins):
            heads[_head(side, mention)][number].append(mention)
    return [(r[0], k[0]) for k, r in heads.values() if len(k) == len(r) == 1]


def _free(twins: list[int]) -> list[int]:
    return [mention for mention, twin in enumerate(twins) if twin < 0]


def _head(side: Side, mention: int) -> Hashable:
    document = side.document[mention]
    return document, side.kinds.head[mention] - int(side.tokens.offsets[document])


def _trimmed(side: Side, mention: int) -> Hashable:
    """The span without what says nothing at its ends; one word always stays."""
    start, end = side.place(mention)
    words = side.words[start:end]
    first, last = 0, len(words)
    while first < last - 1 and (words[first].lower() in _LEADING or _is_mark(words[first])):
        first += 1
    while first < last - 1 and (words[last - 1].lower() in _TRAILING or _is_mark(words[last - 1])):
        last -= 1
    begin, _ = side.span(mention)
    return side.document[mention], begin + first, begin + last


def _is_mark(word: str) -> bool:
    return len(word) == 1 and not word.isalnum()
