"""What the heading names is what the section is about."""

from typing import ClassVar

from corefbench.preprocess.phrase import Phrase
from corefbench.resolvers.rules.indicators.text import Text


class SectionHeading:
    """A point for a noun that is in the heading of the pronoun's section."""

    name: ClassVar[str] = "section heading"
    scores: ClassVar[tuple[int, ...]] = (1, 0)

    def __init__(self, text: Text) -> None:
        self._text = text
        self._heading = heading_of(text)
        self._words: dict[int, set[str]] = {}
        for phrase in text.nouns:
            if text.analysis.headings[phrase.sentence]:
                self._words.setdefault(phrase.sentence, set()).add(text.words[phrase.index])

    def __call__(self, candidate: Phrase, anaphor: Phrase) -> int:
        named = self._words.get(self._heading[anaphor.sentence])
        if named is None:
            return 0
        noun = self._text.noun(candidate)
        return int(noun.pronoun is None and self._text.words[noun.index] in named)


def heading_of(text: Text) -> list[int]:
    """For every sentence the nearest heading before it, -1 where there is none."""
    found, last = [], -1
    for sentence, is_heading in enumerate(text.analysis.headings):
        found.append(last)
        if is_heading:
            last = sentence
    return found
