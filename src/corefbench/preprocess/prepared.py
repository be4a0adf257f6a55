"""A text on its way through a spaCy pipeline: its slices as documents of words alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from corefbench.preprocess.slices import pieces, slices

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_INVISIBLE = re.compile("[\x00-\x1f\x7f-\x9f\xad\u200b-\u200f\u2060-\u2064\ufe0e\ufe0f\ufeff]")


class Prepared(NamedTuple):
    """A text, where its words stand, and its slices ready to be annotated."""

    text: str
    offsets: list[tuple[int, int]]
    parts: list[Doc]


def prepare(nlp: Language, text: str) -> Prepared:
    """The words as the pipeline's tokeniser finds them.

    Lone surrogates, which no Unicode text has, become U+FFFD: spaCy cannot hold them.
    """
    text = _LONE_SURROGATE.sub("\ufffd", text)
    spans = [offsets for offsets in _tokenised(nlp, text) if offsets]
    parts = [_words(nlp, text, offsets) for offsets in spans]
    return Prepared(text, [offset for offsets in spans for offset in offsets], parts)


def _tokenised(nlp: Language, text: str) -> Iterator[list[tuple[int, int]]]:
    for begin, end in slices(text):
        offsets = []
        for piece in pieces(text[begin:end]):
            for token in nlp.tokenizer(piece):
                if not token.is_space:
                    start = begin + token.idx
                    offsets.append((start, start + len(token)))
            begin += len(piece)
        yield offsets


def _words(nlp: Language, text: str, offsets: list[tuple[int, int]]) -> Doc:
    """The words of a slice; what cannot be seen inside a word is kept from the pipeline."""
    from spacy.tokens import Doc

    words = [text[begin:end] for begin, end in offsets]
    if _INVISIBLE.search(text, offsets[0][0], offsets[-1][1]):
        words = [_INVISIBLE.sub("", word) or word for word in words]
    following = [begin for begin, _ in offsets[1:]]
    spaces = [end < begin for (_, end), begin in zip(offsets, following, strict=False)]
    return Doc(nlp.vocab, words=words, spaces=[*spaces, False])
