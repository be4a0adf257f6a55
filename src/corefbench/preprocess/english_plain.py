"""English words and sentences by rules alone, for resolvers that want no syntax."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np

from corefbench.formats.characters import Characters
from corefbench.formats.sentences import first_tokens
from corefbench.language.pronouns import lookup
from corefbench.preprocess import slices
from corefbench.preprocess.analysis import Analysis
from corefbench.preprocess.base import Input, PreprocessorCard
from corefbench.preprocess.compose import compose
from corefbench.preprocess.english_words import Words

Spans = tuple[tuple[int, int], ...]


class EnglishPlain:
    """Cuts text into words as Universal Dependencies does, and into sentences at their marks.

    It knows pronouns and marks, and no more: every word is a root.
    """

    card = PreprocessorCard(
        name="en-words",
        title="English words and sentences",
        description="Words and sentences by rules, pronouns by a table, no syntax: for resolvers "
        "that need none, and fast.",
    )
    identity = "en-words 1"

    @cached_property
    def _words(self) -> Words:
        return Words()

    def analyse(self, inputs: Iterable[Input]) -> Iterator[Analysis]:
        """The analyses, in step with the inputs."""
        return map(self._analysis, inputs)

    def _analysis(self, given: Input) -> Analysis:
        offsets = self._tokenised(given.text) if given.offsets is None else given.offsets
        words = [given.text[begin:end] or "_" for begin, end in offsets]
        known = {word: _tag(word) for word in set(words)}
        nothing = [""] * len(words)
        return compose(
            given,
            words=words,
            offsets=offsets,
            sentences=sentences_of(given.text, offsets)
            if given.sentences is None
            else given.sentences,
            lemmas=nothing,
            upos=[known[word] for word in words],
            xpos=nothing,
            features=nothing,
            heads=[-1] * len(words),
            relations=["root"] * len(words),
            pipeline=self.identity,
        )

    def _tokenised(self, text: str) -> Spans:
        found, begin = [], 0
        for part in slices.pieces(text):
            found += [(begin + start, begin + end) for start, end in self._words(part)]
            begin += len(part)
        return tuple(found)


def sentences_of(text: str, offsets: Sequence[tuple[int, int]]) -> Spans:
    """The sentences that tokens make, by the rule that plain text is read with.

    >>> sentences_of("Ann ran. She hid.", [(0, 3), (4, 7), (7, 8), (9, 12), (13, 16), (16, 17)])
    ((0, 3), (3, 6))
    """
    if not offsets:
        return ()
    begin, finish = np.array(offsets, np.int64).T
    whole, no = np.zeros(1, np.int64), np.zeros(1, np.bool_)
    first = first_tokens(Characters(text), begin, finish, whole, no, None)
    return tuple(pairwise([0, *first[first > 0].tolist(), len(offsets)]))


def _tag(word: str) -> str:
    if not any(character.isalnum() for character in word):
        return "PUNCT"
    return "X" if lookup(word) is None else "PRON"
