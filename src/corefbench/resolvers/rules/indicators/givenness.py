"""What a sentence begins with, or is about, is a better antecedent."""

from typing import ClassVar, Literal

from corefbench.preprocess.phrase import Phrase
from corefbench.resolvers.rules.indicators.imperatives import imperatives
from corefbench.resolvers.rules.indicators.text import Text


class Givenness:
    """A point for the first noun phrase of an earlier sentence that is not imperative."""

    name: ClassVar[str] = "givenness"
    scores: ClassVar[tuple[int, ...]] = (1, 0)

    def __init__(
        self,
        text: Text,
        *,
        scope: Literal["all", "previous"] = "previous",
        lenient: bool = True,
    ) -> None:
        self._all = scope == "all"
        orders = imperatives(text, lenient=lenient)
        self._first = set()
        for phrases, order in zip(text.discourse.by_sentence, orders, strict=True):
            first = next((phrase for phrase in phrases if not phrase.pleonastic), None)
            if first is not None and not order:
                self._first.add(first.index)

    def __call__(self, candidate: Phrase, anaphor: Phrase) -> int:
        in_scope = self._all or candidate.sentence < anaphor.sentence
        return int(in_scope and candidate.index in self._first)


class FirstNounPhrase(Givenness):
    """A point for the first noun phrase of any sentence that is not imperative, as in MARS."""

    name: ClassVar[str] = "first noun phrase"


_BY_FUNCTION = {"subject": 2, "object": 1, "existential": 1, "indirect": 0}


class Obliqueness:
    """Two points for subjects, one for objects, none for indirect objects, one less for others.

    What *there is* introduces is counted as an object: it is new.
    """

    name: ClassVar[str] = "obliqueness"
    scores: ClassVar[tuple[int, ...]] = (2, 1, 0, -1)

    def __init__(self, text: Text) -> None:
        del text

    def __call__(self, candidate: Phrase, anaphor: Phrase) -> int:
        return _BY_FUNCTION.get(candidate.function, -1)
