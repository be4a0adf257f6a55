"""Aligning the tokens of a text that was copied, not quite faithfully, with those of its source.

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
"""Where equal runs begin in the one and in the other, and how long they are."""

SMALL = 60_000
"""How many pairs of tokens difflib is given at a time."""
CHARACTERS = 40_000
"""How many pairs of characters are compared where tokens differ."""


def realign(copy: Sequence[str], source: Sequence[str]) -> list[tuple[int, int]]:
    """For every token of the copy the half-open span of source tokens that it is; empty if none.

    >>> realign(["Ann", "do", "n't", "lie"], ["So", "Ann", "don't", "lies"])
    [(1, 2), (2, 3), (2, 3), (3, 4)]
    """
    one, other = [word.casefold() for word in copy], [word.casefold() for word in source]
    found = [(0, 0)] * len(one)
    i = j = 0
    for a, b, length in [*_runs(one, other, 0, len(one), 0, len(other)), (len(one), len(other), 0)]:
        _match_rest(one, other, (i, a), (j, b), found)
        for step in range(length):
            found[a + step] = (b + step, b + step + 1)
        i, j = a + length, b + length
    return found


def _runs(
    one: Sequence[str], other: Sequence[str], a: int, b: int, c: int, d: int
) -> Iterator[Run]:
    """Equal runs of ``one[a:b]`` and ``other[c:d]``, in order."""
    start = a
    while a < b and c < d and one[a] == other[c]:
        a, c = a + 1, c + 1
    if a > start:
        yield start, c - (a - start), a - start
    tail = 0
    while a < b - tail and c < d - tail and one[b - tail - 1] == other[d - tail - 1]:
        tail += 1
    b, d = b - tail, d - tail
    if (b - a) * (d - c) <= SMALL:
        matcher = SequenceMatcher(None, one[a:b], other[c:d], autojunk=False)
        blocks = matcher.get_matching_blocks()[:-1] if a < b and c < d else []
        yield from ((a + block.a, c + block.b, block.size) for block in blocks)
    else:
        yield from _between_anchors(one, other, a, b, c, d)
    if tail:
        yield b, d, tail


def _between_anchors(
    one: Sequence[str], other: Sequence[str], a: int, b: int, c: int, d: int
) -> Iterator[Run]:
    """The runs between and at the anchors; without anchors a long stretch is not matched."""
    anchors = _anchors(one[a:b], other[c:d], 3) or _anchors(one[a:b], other[c:d], 1)
    i, j = a, c
    for x, y in anchors:
        if a + x >= i and c + y >= j:
            yield from _runs(one, other, i, a + x, j, c + y)
            yield a + x, c + y, 1
            i, j = a + x + 1, c + y + 1
    if anchors:
        yield from _runs(one, other, i, b, j, d)


def _anchors(one: Sequence[str], other: Sequence[str], size: int) -> list[tuple[int, int]]:
    """Places of the n-grams that both have once, in an order that both keep (patience)."""
    grams = [_unique(words, size) for words in (one, other)]
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


def _unique(words: Sequence[str], size: int) -> dict[tuple[str, ...], int]:
    grams = list(zip(*(words[shift:] for shift in range(size)), strict=False))
    counts = Counter(grams)
    return {gram: place for place, gram in enumerate(grams) if counts[gram] == 1}


def _match_rest(
    one: Sequence[str],
    other: Sequence[str],
    here: tuple[int, int],
    there: tuple[int, int],
    found: list[tuple[int, int]],
) -> None:
    """Match what differs between two equal runs: by characters, else one by one."""
    words, others = one[slice(*here)], other[slice(*there)]
    if not words or not others:
        return
    letters, owners = "".join(words), _owners(words)
    theirs, their_owners = "".join(others), _owners(others)
    shared: dict[int, list[int]] = {}
    if len(letters) * len(theirs) <= CHARACTERS:
        matcher = SequenceMatcher(None, letters, theirs, autojunk=False)
        for a, b, size in matcher.get_matching_blocks():
            for step in range(size):
                shared.setdefault(owners[a + step], []).append(their_owners[b + step])
    for number, word in enumerate(words):
        hits = shared.get(number, [])
        if 2 * len(hits) >= len(word) and hits:
            found[here[0] + number] = (there[0] + hits[0], there[0] + hits[-1] + 1)
        elif len(words) == len(others):
            found[here[0] + number] = (there[0] + number, there[0] + number + 1)


def _owners(words: Sequence[str]) -> list[int]:
    return [number for number, word in enumerate(words) for _ in word]
