"""The three indicators that MARS adds: parallel syntax, pronouns, frequent candidates."""

from collections import Counter
from collections.abc import Iterable
from typing import ClassVar

from corefbench.preprocess.phrase import Phrase
from corefbench.resolvers.rules.indicators.text import Text


class SyntacticParallelism:
    """A point for a candidate with the grammatical function of the pronoun."""

    name: ClassVar[str] = "syntactic parallelism"
    scores: ClassVar[tuple[int, ...]] = (1, 0)

    def __init__(self, text: Text) -> None:
        del text

    def __call__(self, candidate: Phrase, anaphor: Phrase) -> int:
        return int(candidate.function == anaphor.function != "other")


class BoostPronoun:
    """A point for a candidate that is a pronoun of the third person: it was in focus already."""

    name: ClassVar[str] = "boost pronoun"
    scores: ClassVar[tuple[int, ...]] = (1, 0)

    def __init__(self, text: Text) -> None:
        del text

    def __call__(self, candidate: Phrase, anaphor: Phrase) -> int:
        return int(candidate.anaphoric)


class FrequentCandidates:
    """A point for the three nouns that compete most often, over all pronouns of the text.

    ``competing`` are the candidates of all pronouns that passed the filters. A noun that the text
    has fewer than ``least`` times is not frequent, however many pronouns it competes for.
    """

    name: ClassVar[str] = "frequent candidates"
    scores: ClassVar[tuple[int, ...]] = (1, 0)

    def __init__(
        self, text: Text, competing: Iterable[Phrase], *, top: int = 3, least: int = 1
    ) -> None:
        self._text = text
        said = Counter(text.words[phrase.index] for phrase in text.nouns)
        counts = Counter(text.words[phrase.index] for phrase in competing if phrase.pronoun is None)
        self._frequent = {word for word, _ in counts.most_common(top) if said[word] >= least}

    def __call__(self, candidate: Phrase, anaphor: Phrase) -> int:
        noun = self._text.noun(candidate)
        return int(noun.pronoun is None and self._text.words[noun.index] in self._frequent)
