"""Words as an uncased BERT takes them: the numbers of their pieces, and a sign of how spelt."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

LONGEST = 12
"""Pieces of a word; the rest of a longer one (an address, a row of marks) says nothing more."""
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_REMEMBERED = 200_000
"""Words; a text that has more different ones makes it start anew."""

OTHER, SMALL, INITIAL, LARGE, MIXED = range(5)
SHAPES = 5


def shape_of(word: str) -> int:
    """How a word is spelt, which the uncased pieces do not tell.

    >>> [shape_of(word) for word in ("42", "cat", "Cat", "NATO", "iPod", "I")]
    [0, 1, 2, 3, 4, 2]
    """
    if word.islower():
        return SMALL
    if word.isupper():
        return LARGE if len(word) > 1 else INITIAL
    if word[:1].isupper() and word[1:].islower():
        return INITIAL
    return MIXED if word.lower() != word.upper() else OTHER


class WordPieces:
    """A tokenizer (of the package ``tokenizers``) that remembers the words it has seen."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._known: dict[str, tuple[int, ...]] = {}
        self.first: int = tokenizer.token_to_id("[CLS]")
        self.last: int = tokenizer.token_to_id("[SEP]")

    def __call__(self, words: Sequence[str]) -> list[tuple[int, ...]]:
        """The pieces of every word; none for a word of control characters."""
        known = self._known
        if not known.keys() >= set(words):
            if len(known) > _REMEMBERED:
                known.clear()
            self._learn(dict.fromkeys(word for word in words if word not in known))
        return [known[word] for word in words]

    def _learn(self, words: Iterable[str]) -> None:
        words = list(words)
        whole = [_LONE_SURROGATE.sub("\ufffd", word) for word in words]
        encoded = self._tokenizer.encode_batch(whole, add_special_tokens=False)
        for word, found in zip(words, encoded, strict=True):
            self._known[word] = tuple(found.ids[:LONGEST])
