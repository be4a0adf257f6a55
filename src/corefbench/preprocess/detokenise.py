"""Words laid out as English is typed, and where each stands."""

from collections.abc import Sequence
from itertools import pairwise

from corefbench.language.words import words

_CLITICS = words("'s ’s n't n’t 'll ’ll 're ’re 've ’ve 'd ’d 'm ’m ' ’")
_CLOSING = words(". , ; : ? ! ) ] } % … ” '' -RRB- -RSB- -RCB-")
_OPENING = words("( [ { $ £ € “ ‘ `` -LRB- -LSB- -LCB-")
_AFTER_THE_END = words("\" ' ” ’ '' ) ] -RRB- -RSB-")
_ENDS = words(". ! ? … : ; /. /?")


def lay_out(
    words: Sequence[str],
    sentences: Sequence[tuple[int, int]],
    glued: Sequence[bool] | None = None,
    paragraphs: Sequence[int] | None = None,
) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The text and the place of every word.

    ``glued`` says after which words no space stands; left out, the rules of typing tell. Between
    ``paragraphs`` stands an empty line; where they are not known, before and after a sentence
    without a final mark, which could not be told from its neighbours otherwise.

    >>> lay_out(["He", "did", "n't", "go", "."], [(0, 5)])
    ("He didn't go.", ((0, 2), (3, 6), (6, 9), (10, 12), (12, 13)))
    """
    pieces: list[str] = []
    offsets: list[tuple[int, int]] = []
    position = 0
    between = _between(words, sentences, paragraphs)
    for (start, end), after in zip(sentences, between, strict=True):
        gaps = _gaps(words[start:end], glued[start:end] if glued is not None else None)
        for token, gap in zip(range(start, end), [*gaps, after], strict=True):
            word = words[token]
            offsets.append((position, position + len(word)))
            pieces.append(word + gap)
            position += len(word) + len(gap)
    return "".join(pieces), tuple(offsets)


def _between(
    words: Sequence[str], sentences: Sequence[tuple[int, int]], paragraphs: Sequence[int] | None
) -> list[str]:
    """What stands after every sentence."""
    if paragraphs is not None:
        breaks = [a != b for a, b in pairwise(paragraphs)]
    else:
        finished = [_is_finished(words[start:end]) for start, end in sentences]
        breaks = [not (a and b) for a, b in pairwise(finished)]
    return [*("\n\n" if new else " " for new in breaks), ""][: len(sentences)]


def _is_finished(words: Sequence[str]) -> bool:
    """Whether a sentence ends with a final mark, quotes and brackets aside."""
    last = len(words) - 1
    while last > 0 and words[last] in _AFTER_THE_END:
        last -= 1
    return words[last] in _ENDS


def _gaps(words: Sequence[str], glued: Sequence[bool] | None) -> list[str]:
    """What stands between the words of a sentence."""
    following = words[1:]
    if glued is not None:
        # Inside a word that CoNLL-U splits (*don't*) nothing says that no space stands.
        return [
            "" if tight or word.lower() in _CLITICS else " "
            for tight, word in zip(glued[:-1], following, strict=True)
        ]
    gaps, inside = [], False
    for word, after in zip(words, following, strict=False):
        inside ^= word == '"'
        tight = after in _CLOSING or after.lower() in _CLITICS or word in _OPENING
        if '"' in (word, after):
            # A straight quote stands close to what it encloses.
            tight = tight or (inside if word == '"' else inside and after == '"')
        gaps.append("" if tight else " ")
    return gaps
