"""English words and sentences by rules, without syntax."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from corefbench.formats.common.tokenize import sentence_starts
from corefbench.preprocess.analysis import Analysis
from corefbench.preprocess.base import Input, PreprocessorCard
from corefbench.preprocess.compose import compose_analysis
from corefbench.preprocess.english.pronouns import lookup_pronoun
from corefbench.preprocess.english.tokenizer import tokenize

Spans = tuple[tuple[int, int], ...]


class PlainEnglish:
    """Splits text into words as Universal Dependencies does, and into sentences at final marks.

    It tags pronouns and punctuation only, and every word is a root.
    """

    card = PreprocessorCard(
        name="en-words",
        title="English words and sentences",
        description="Words and sentences by rules, pronouns by a table, no syntax: for resolvers "
        "that need none, and fast.",
    )
    identity = "en-words 1"

    def analyse(self, inputs: Iterable[Input]) -> Iterator[Analysis]:
        """Yield the analyses in the order of the inputs."""
        return map(self._analysis, inputs)

    def _analysis(self, source: Input) -> Analysis:
        offsets = tokenize(source.text) if source.offsets is None else source.offsets
        words = [source.text[begin:end] or "_" for begin, end in offsets]
        tags = {word: _coarse_tag(word) for word in set(words)}
        blank = [""] * len(words)
        return compose_analysis(
            source,
            words=words,
            offsets=offsets,
            sentences=split_sentences(source.text, offsets) if source.sentences is None else (),
            lemmas=blank,
            upos=[tags[word] for word in words],
            xpos=blank,
            features=blank,
            heads=[-1] * len(words),
            relations=["root"] * len(words),
            pipeline=self.identity,
        )


def split_sentences(text: str, offsets: Sequence[tuple[int, int]]) -> Spans:
    """Split tokens into sentences, by the rule with which plain text is read.

    >>> split_sentences("Ann ran. She hid.", [(0, 3), (4, 7), (7, 8), (9, 12), (13, 16), (16, 17)])
    ((0, 3), (3, 6))
    """
    if not offsets:
        return ()
    starts = sentence_starts(text, offsets)
    return tuple(pairwise([0, *(start for start in starts if start), len(offsets)]))


def _coarse_tag(word: str) -> str:
    if not any(character.isalnum() for character in word):
        return "PUNCT"
    return "X" if lookup_pronoun(word) is None else "PRON"
