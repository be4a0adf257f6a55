"""The text of a document, its paragraphs and the offsets of its tokens.

The original text is shown if the run has it; otherwise words are joined as in printed English, with
no space before commas and after opening brackets.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

from corefbench.preprocess.english.word_lists import word_set
from corefbench.records import Record
from corefbench.runs.schema import Layer, LayerTokens

_SENTENCES_PER_PARAGRAPH = 6
"""Length of a paragraph if the text has none."""
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_CLOSING = word_set(
    ", . ; : ! ? ) ] } % ' '' ’ ” 's ’s 'S n't n’t 're 've 'll 'd 'm ’re ’ve ’ll ’d ’m -RRB- -RSB- -RCB- … /."
)
_OPENING = word_set("( [ { `` “ ‘ $ £ € -LRB- -LSB- -LCB-")
_NO_SPEAKER = frozenset(("", "-", "_"))


class DocumentText(Record, frozen=True):
    """A text with the offsets of its tokens."""

    text: str
    begin: Sequence[int]
    finish: Sequence[int]
    """Start and end of each token, in characters."""
    paragraphs: tuple[tuple[int, int], ...]
    """Half-open, in tokens; none is empty."""
    sentences: Sequence[int]
    """The first token of each."""
    speakers: Sequence[str] | None = None

    def excerpt(self, start: int, end: int) -> str:
        """Return the text of some tokens."""
        if not 0 <= start < end <= len(self.begin):
            return ""
        return " ".join(self.text[self.begin[start] : self.finish[end - 1]].split())

    def sentence(self, token: int) -> int:
        """Return the number of a token's sentence, from 1."""
        return max(1, bisect_right(self.sentences, token))

    def speaker(self, token: int) -> str:
        """Return the speaker of a token; empty if there is none."""
        if self.speakers is None or self.speakers[token] in _NO_SPEAKER:
            return ""
        return self.speakers[token]


def document_text(layer: Layer) -> DocumentText:
    """Return the text of a layer."""
    tokens = layer.tokens
    text, begin, finish = _text_and_offsets(tokens)
    sentences = [first for first in tokens.sentences if first < tokens.count] or [0]
    speakers = tokens.columns.get("speaker")
    breaks = _paragraph_starts(text, begin, finish, sentences)
    if speakers is not None:
        turns = (token for token in sentences if token and speakers[token - 1] != speakers[token])
        breaks = sorted({*breaks, *turns})
    edges = [0, *(token for token in breaks if 0 < token < tokens.count), tokens.count]
    return DocumentText(
        text=text,
        begin=begin,
        finish=finish,
        paragraphs=tuple((a, b) for a, b in pairwise(edges) if a < b),
        sentences=sentences,
        speakers=speakers,
    )


def _paragraph_starts(text: str, begin: Sequence[int], finish: Sequence[int], sentences: Sequence[int]) -> list[int]:
    """Return the tokens after blank lines, or every few sentences."""
    if _BLANK_LINE.search(text):
        return [
            token
            for token, (end, start) in enumerate(zip(finish, begin[1:], strict=False), 1)
            if start - end > 1 and _BLANK_LINE.search(text, end, start)
        ]
    return list(sentences[::_SENTENCES_PER_PARAGRAPH])


def _text_and_offsets(tokens: LayerTokens) -> tuple[str, Sequence[int], Sequence[int]]:
    if tokens.text is not None and tokens.begin is not None and tokens.finish is not None:
        spans = zip(tokens.begin, tokens.finish, strict=True)
        if _is_ordered(tokens.begin, tokens.finish) and all(a <= b for a, b in spans):
            return tokens.text, tokens.begin, tokens.finish
    words = tokens.words or tuple(f"#{number}" for number in range(tokens.count))
    return join_words(words, frozenset(tokens.empty or ()))


def _is_ordered(begin: Sequence[int], finish: Sequence[int]) -> bool:
    return all(end <= start for end, start in zip(finish, begin[1:], strict=False))


def join_words(words: Sequence[str], empty: frozenset[int] = frozenset()) -> tuple[str, list[int], list[int]]:
    """Return words as a text with their offsets; empty nodes are shown as ∅.

    >>> join_words(["Ann", "'s", "dog", "(", "old", ")", "."])[0]
    "Ann's dog (old)."
    """
    parts: list[str] = []
    begin, finish, offset, is_first_or_after_opening = [], [], 0, True
    for number, word in enumerate(words):
        shown = f"∅{'' if word == '_' else word}" if number in empty else word
        if not (is_first_or_after_opening or word in _CLOSING):
            parts.append(" ")
            offset += 1
        parts.append(shown)
        begin.append(offset)
        offset += len(shown)
        finish.append(offset)
        is_first_or_after_opening = word in _OPENING
    return "".join(parts), begin, finish
