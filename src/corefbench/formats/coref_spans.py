"""The words that COREF tags span, of a text that is taken apart at its tags."""

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from corefbench.formats.muc_tokens import blank_words
from corefbench.formats.xml import DEPTH


class Spanned(NamedTuple):
    """Words by sentence, and where the mentions start and end among them, as they open."""

    sentences: list[list[str]]
    start: list[int]
    finish: list[int]


def spanned(texts: Sequence[str], ids: Sequence[str | None]) -> Spanned | None:
    """What tags span that stand between texts; an ID opens, and None closes what opened last.

    None where a tag stands alone or spans no word, or where tags are nested too deep.

    >>> spanned(["", "Ann", " left"], ["1", None])
    Spanned(sentences=[['Ann', 'left']], start=[0], finish=[1])
    """
    edges = list(accumulate(map(len, texts[:-1])))
    sentences, before = blank_words("".join(texts), edges)
    start: list[int] = []
    finish: list[int] = []
    unclosed: list[int] = []
    for name, edge in zip(ids, edges, strict=True):
        if name is not None:
            unclosed.append(len(start))
            start.append(before[edge])
            finish.append(0)
            if len(unclosed) > DEPTH:
                return None
        elif unclosed and start[unclosed[-1]] < before[edge]:
            finish[unclosed.pop()] = before[edge]
        else:
            return None
    return None if unclosed else Spanned(sentences, start, finish)
