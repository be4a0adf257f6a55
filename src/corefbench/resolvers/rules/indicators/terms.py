"""Terms of the domain are better antecedents than other words."""

from collections import Counter
from typing import ClassVar

from corefbench.preprocess.phrase import Phrase
from corefbench.resolvers.rules.indicators.text import Text


class TermPreference:
    """A point for a term of the domain.

    The ``terms`` are given as ``drawer;toner bottle``; a phrase is a term if it has the words of
    one up to its head. Without a list the ``top`` most frequent common nouns of the text are the
    terms, if they come ``least`` times: in a short text every noun is among the most frequent.
    Persons and places that a text names often are none.
    """

    name: ClassVar[str] = "term preference"
    scores: ClassVar[tuple[int, ...]] = (1, 0)

    def __init__(self, text: Text, *, terms: str = "", top: int = 10, least: int = 1) -> None:
        self._text = text
        listed = [tuple(term.lower().split()) for term in terms.split(";")]
        self._listed = {term for term in listed if term}
        self._frequent = set() if self._listed else _most_frequent(text, top, least)

    def __call__(self, candidate: Phrase, anaphor: Phrase) -> int:
        noun = self._text.noun(candidate)
        if noun.pronoun is not None:
            return 0
        if self._listed:
            return int(any(self._ends_with(noun, term) for term in self._listed))
        return int(noun.kind == "nominal" and self._text.words[noun.index] in self._frequent)

    def _ends_with(self, phrase: Phrase, term: tuple[str, ...]) -> bool:
        lemmas, end = self._text.lemmas, phrase.head + 1
        return tuple(lemmas[max(phrase.start, end - len(term)) : end]) == term


def _most_frequent(text: Text, top: int, least: int) -> set[str]:
    """The most frequent common nouns; of equally frequent ones those that come first."""
    common = (phrase for phrase in text.nouns if phrase.kind == "nominal")
    counts = Counter(text.words[phrase.index] for phrase in common)
    return {word for word, count in counts.most_common(top) if count >= least}
