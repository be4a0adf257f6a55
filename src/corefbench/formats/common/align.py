"""Align the tokens of an inexact copy with those of its source.

Words that occur once in both texts, in threes or alone, anchor the alignment; between anchors the
longest common runs are matched (difflib); what then differs is matched by its characters, so that
``do n't`` finds ``don't``, and, where as many tokens were replaced as stand there, one by one.
The cost grows with the length of the texts, not with its square.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

Run = tuple[int, int, int]
"""Where an equal run begins in the copy and in the source, and its length."""
MAX_TOKEN_PAIRS = 60_000
"""How many pairs of tokens difflib is given at a time."""
MAX_CHARACTER_PAIRS = 40_000
"""How many pairs of characters are compared where tokens differ."""


def align_tokens(copy: Sequence[str], source: Sequence[str]) -> list[tuple[int, int]]:
    """For every token of the copy the half-open span of source tokens that it is; empty if none.

    >>> align_tokens(["Ann", "do", "n't", "lie"], ["So", "Ann", "don't", "lies"])
    [(1, 2), (2, 3), (2, 3), (3, 4)]
    """
    copy, source = [word.casefold() for word in copy], [word.casefold() for word in source]
    alignment = [(0, 0)] * len(copy)
    i = j = 0
    for a, b, length in [*_equal_runs(copy, source, 0, len(copy), 0, len(source)), (len(copy), len(source), 0)]:
        _match_between_runs(copy, source, (i, a), (j, b), alignment)
        for step in range(length):
            alignment[a + step] = (b + step, b + step + 1)
        i, j = a + length, b + length
    return alignment


def _equal_runs(copy: Sequence[str], source: Sequence[str], a: int, b: int, c: int, d: int) -> Iterator[Run]:
    """Equal runs of ``copy[a:b]`` and ``source[c:d]``, in order."""
    start = a
    while a < b and c < d and copy[a] == source[c]:
        a, c = a + 1, c + 1
    if a > start:
        yield start, c - (a - start), a - start
    tail = 0
    while a < b - tail and c < d - tail and copy[b - tail - 1] == source[d - tail - 1]:
        tail += 1
    b, d = b - tail, d - tail
    if (b - a) * (d - c) <= MAX_TOKEN_PAIRS:
        matcher = SequenceMatcher(None, copy[a:b], source[c:d], autojunk=False)
        blocks = matcher.get_matching_blocks()[:-1] if a < b and c < d else []
        yield from ((a + block.a, c + block.b, block.size) for block in blocks)
    else:
        yield from _between_anchors(copy, source, a, b, c, d)
    if tail:
        yield b, d, tail


def _between_anchors(copy: Sequence[str], source: Sequence[str], a: int, b: int, c: int, d: int) -> Iterator[Run]:
    """The runs between and at the anchors; without anchors a long stretch is not matched."""
    anchors = _anchors(copy[a:b], source[c:d], 3) or _anchors(copy[a:b], source[c:d], 1)
    i, j = a, c
    for x, y in anchors:
        if a + x >= i and c + y >= j:
            yield from _equal_runs(copy, source, i, a + x, j, c + y)
            yield a + x, c + y, 1
            i, j = a + x + 1, c + y + 1
    if anchors:
        yield from _equal_runs(copy, source, i, b, j, d)


def _anchors(copy: Sequence[str], source: Sequence[str], size: int) -> list[tuple[int, int]]:
    """Places of the n-grams that both have once, in an order that both keep (patience)."""
    # Patience sorting: the piles give the longest sequence that rises in both texts.
    grams = [_unique_ngrams(words, size) for words in (copy, source)]
    places = sorted((place, grams[1][gram]) for gram, place in grams[0].items() if gram in grams[1])
    tops: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for number, (_, y) in enumerate(places):
        pile = bisect_left(tops, y)
        before.append(last[pile - 1] if pile else -1)
        tops[pile : pile + 1] = [y]
        last[pile : pile + 1] = [number]
    chain: list[tuple[int, int]] = []
    number = last[-1] if last else -1
    while number >= 0:
        chain.append(places[number])
        number = before[number]
    return chain[::-1]


def _unique_ngrams(words: Sequence[str], size: int) -> dict[tuple[str, ...], int]:
    grams = list(zip(*(words[shift:] for shift in range(size)), strict=False))
    counts = Counter(grams)
    return {gram: place for place, gram in enumerate(grams) if counts[gram] == 1}


def _match_between_runs(
    copy: Sequence[str],
    source: Sequence[str],
    copy_gap: tuple[int, int],
    source_gap: tuple[int, int],
    alignment: list[tuple[int, int]],
) -> None:
    """Match what differs between two equal runs: by characters, else one by one."""
    copied, originals = copy[slice(*copy_gap)], source[slice(*source_gap)]
    if not copied or not originals:
        return
    letters, owners = "".join(copied), _owners(copied)
    source_letters, source_owners = "".join(originals), _owners(originals)
    shared: dict[int, list[int]] = {}
    if len(letters) * len(source_letters) <= MAX_CHARACTER_PAIRS:
        matcher = SequenceMatcher(None, letters, source_letters, autojunk=False)
        for a, b, size in matcher.get_matching_blocks():
            for step in range(size):
                shared.setdefault(owners[a + step], []).append(source_owners[b + step])
    for number, word in enumerate(copied):
        hits = shared.get(number, [])
        if 2 * len(hits) >= len(word) and hits:
            alignment[copy_gap[0] + number] = (source_gap[0] + hits[0], source_gap[0] + hits[-1] + 1)
        elif len(copied) == len(originals):
            alignment[copy_gap[0] + number] = (source_gap[0] + number, source_gap[0] + number + 1)


def _owners(words: Sequence[str]) -> list[int]:
    return [number for number, word in enumerate(words) for _ in word]
