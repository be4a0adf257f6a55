"""Where to cut the words of a block that is too long for the network to see at once."""

from collections.abc import Iterator, Sequence

USUAL = 190
"""Pieces; the network has learnt on windows of at most so many."""
LONGEST = 400
"""Pieces; past that a window ends wherever it is."""

_ENDS = frozenset({".", "!", "?", "...", "…", "!!", "??", "?!", "!!!", "???"})
_CLOSING = frozenset("\"'”’)]»") | {"''"}


def windows(
    words: Sequence[str], sizes: Sequence[int], starts: Sequence[bool] | None = None
) -> Iterator[tuple[int, int]]:
    """Spans of words that have few enough pieces and, where possible, end with a sentence.

    ``sizes``: how many pieces a word has; ``starts``: which words begin sentences, if known.
    """
    begin, used, good = 0, 0, 0
    for place, size in enumerate(sizes):
        if place > begin and (starts[place] if starts else _ends_before(words, place)):
            if used > USUAL:
                yield begin, place
                begin, used, good = place, 0, 0
            else:
                good = place
        if used + size > USUAL and good > begin:
            yield begin, good
            begin, used, good = good, sum(sizes[good:place]), 0
        if used + size > LONGEST:
            yield begin, place
            begin, used, good = place, 0, 0
        used += size
    if begin < len(words):
        yield begin, len(words)


def _ends_before(words: Sequence[str], place: int) -> bool:
    """Whether a sentence surely begins here: after a full stop and what closes with it."""
    if not words[place][:1].isupper():
        return False
    before = place - 1
    while before > 0 and words[before] in _CLOSING:
        before -= 1
    return words[before] in _ENDS
