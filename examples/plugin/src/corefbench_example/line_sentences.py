"""A pre-processor for corefbench: one sentence per line, words between blanks."""

import re
from collections.abc import Iterable, Iterator

from corefbench.preprocess.analysis import Analysis
from corefbench.preprocess.base import Input, PreprocessorCard
from corefbench.preprocess.compose import compose_analysis
from corefbench.preprocess.english.pronouns import lookup_pronoun

Spans = tuple[tuple[int, int], ...]


class LineSentences:
    """Cuts text at line ends and blanks; the first word of a sentence governs the others."""

    card = PreprocessorCard(
        name="line-sentences",
        title="A sentence a line",
        description="Text that has a sentence on every line and blanks between words.",
    )
    identity = "line-sentences 1"

    def analyse(self, inputs: Iterable[Input]) -> Iterator[Analysis]:
        """The analyses, in step with the inputs."""
        return map(self._analysis, inputs)

    def _analysis(self, given: Input) -> Analysis:
        offsets = given.offsets
        if offsets is None:
            offsets = tuple(word.span() for word in re.finditer(r"\S+", given.text))
        sentences = given.sentences
        if sentences is None:
            sentences = _lines(given.text, offsets)
        words = [given.text[begin:end] for begin, end in offsets]
        first = {token: start for start, end in sentences for token in range(start, end)}
        heads = [-1 if first[token] == token else first[token] for token in range(len(words))]
        return compose_analysis(
            given,
            words=words,
            offsets=offsets,
            sentences=sentences,
            lemmas=[""] * len(words),
            upos=["X" if lookup_pronoun(word) is None else "PRON" for word in words],
            xpos=[""] * len(words),
            features=[""] * len(words),
            heads=heads,
            relations=["root" if head < 0 else "dep" for head in heads],
            pipeline=self.identity,
        )


def _lines(text: str, offsets: Spans) -> Spans:
    """The words of every line that has some."""
    edges = [0]
    for number in range(1, len(offsets)):
        if "\n" in text[offsets[number - 1][1] : offsets[number][0]]:
            edges.append(number)
    return tuple(zip(edges, [*edges[1:], len(offsets)], strict=True)) if offsets else ()
