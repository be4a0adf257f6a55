"""What is said again and again is what the paragraph is about."""

from collections import Counter
from typing import ClassVar, Literal

from corefbench.preprocess.phrase import Phrase
from corefbench.resolvers.rules.indicators.text import Text


class LexicalReiteration:
    """Two points if the noun comes twice more in its paragraph, one if once more.

    Phrases with the same head count: *toner bottle*, *bottle of toner*, *the bottle*. So do words
    of one group of ``synonyms``, written ``bottle/flask;guide/manual``. A pronoun
    repeats what it is known to stand for, else nothing.
    ``repeats`` is whether the candidate counts itself ("all") or the "others" only.
    """

    name: ClassVar[str] = "lexical reiteration"
    scores: ClassVar[tuple[int, ...]] = (2, 1, 0)

    def __init__(
        self, text: Text, *, synonyms: str = "", repeats: Literal["others", "all"] = "others"
    ) -> None:
        self._text = text
        self._itself = repeats == "others"
        self._group = _groups(synonyms)
        self._counts = Counter(self._place(phrase) for phrase in text.nouns)

    def __call__(self, candidate: Phrase, anaphor: Phrase) -> int:
        noun = self._text.noun(candidate)
        if noun.pronoun is not None:
            return 0
        return min(2, max(0, self._counts[self._place(noun)] - self._itself))

    def _place(self, phrase: Phrase) -> tuple[int, str]:
        word = self._text.words[phrase.index]
        return self._text.paragraph(phrase), self._group.get(word, word)


def _groups(synonyms: str) -> dict[str, str]:
    """For every word the first of its group.

    >>> _groups("bottle/flask; guide/manual")["manual"]
    'guide'
    """
    groups = [[word.strip().lower() for word in row.split("/")] for row in synonyms.split(";")]
    return {word: group[0] for group in groups for word in group}
