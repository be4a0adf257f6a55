"""The text of a document, with the place of every token in it and where paragraphs begin.

Where the original text is known it is shown as it is; else words are joined as English is printed,
with no space before commas and after opening brackets.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

from corefbench.language.words import words as word_set
from corefbench.record import Record
from corefbench.runs.schema import Layer, Words

_SENTENCES = 6
"""A paragraph where the text has none."""
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_CLOSING = word_set(
    ", . ; : ! ? ) ] } % ' '' ’ ” 's ’s 'S n't n’t 're 've 'll 'd 'm ’re ’ve ’ll ’d ’m "
    "-RRB- -RSB- -RCB- … /."
)
_OPENING = word_set("( [ { `` “ ‘ $ £ € -LRB- -LSB- -LCB-")
_NOBODY = frozenset(("", "-", "_"))


class Prose(Record, frozen=True):
    """What is read."""

    text: str
    begin: Sequence[int]
    finish: Sequence[int]
    """Where each token stands in the text, in characters."""
    paragraphs: tuple[tuple[int, int], ...]
    """Half-open, in tokens; none is empty."""
    sentences: Sequence[int]
    """The first token of each."""
    speakers: Sequence[str] | None = None

    def said(self, start: int, end: int) -> str:
        """The tokens as they stand in the text."""
        if not 0 <= start < end <= len(self.begin):
            return ""
        return " ".join(self.text[self.begin[start] : self.finish[end - 1]].split())

    def sentence(self, token: int) -> int:
        """The number of its sentence, from 1."""
        return max(1, bisect_right(self.sentences, token))

    def speaker(self, token: int) -> str:
        """Who says it; empty where nobody is named."""
        if self.speakers is None or self.speakers[token] in _NOBODY:
            return ""
        return self.speakers[token]


def prose(layer: Layer) -> Prose:
    """The text of a layer."""
    tokens = layer.tokens
    text, begin, finish = _written(tokens)
    sentences = [first for first in tokens.sentences if first < tokens.count] or [0]
    speakers = tokens.columns.get("speaker")
    breaks = _breaks(text, begin, finish, sentences)
    if speakers is not None:
        turns = (token for token in sentences if token and speakers[token - 1] != speakers[token])
        breaks = sorted({*breaks, *turns})
    edges = [0, *(token for token in breaks if 0 < token < tokens.count), tokens.count]
    return Prose(
        text=text,
        begin=begin,
        finish=finish,
        paragraphs=tuple((a, b) for a, b in pairwise(edges) if a < b),
        sentences=sentences,
        speakers=speakers,
    )


def _breaks(
    text: str, begin: Sequence[int], finish: Sequence[int], sentences: Sequence[int]
) -> list[int]:
    """The tokens after blank lines, or every so many sentences."""
    if _BLANK_LINE.search(text):
        return [
            token
            for token, (end, start) in enumerate(zip(finish, begin[1:], strict=False), 1)
            if start - end > 1 and _BLANK_LINE.search(text, end, start)
        ]
    return list(sentences[::_SENTENCES])


def _written(tokens: Words) -> tuple[str, Sequence[int], Sequence[int]]:
    if tokens.text is not None and tokens.begin is not None and tokens.finish is not None:
        places = zip(tokens.begin, tokens.finish, strict=True)
        if _in_order(tokens.begin, tokens.finish) and all(a <= b for a, b in places):
            return tokens.text, tokens.begin, tokens.finish
    words = tokens.words or tuple(f"#{number}" for number in range(tokens.count))
    return joined(words, frozenset(tokens.empty or ()))


def _in_order(begin: Sequence[int], finish: Sequence[int]) -> bool:
    return all(end <= start for end, start in zip(finish, begin[1:], strict=False))


def joined(
    words: Sequence[str], empty: frozenset[int] = frozenset()
) -> tuple[str, list[int], list[int]]:
    """Words as a text, and where each begins and ends; empty nodes are shown as ∅.

    >>> joined(["Ann", "'s", "dog", "(", "old", ")", "."])[0]
    "Ann's dog (old)."
    """
    parts: list[str] = []
    begin, finish, place, tight = [], [], 0, True
    for number, word in enumerate(words):
        shown = f"∅{'' if word == '_' else word}" if number in empty else word
        if not (tight or word in _CLOSING):
            parts.append(" ")
            place += 1
        parts.append(shown)
        begin.append(place)
        place += len(shown)
        finish.append(place)
        tight = word in _OPENING
    return "".join(parts), begin, finish
