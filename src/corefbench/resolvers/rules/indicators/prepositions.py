"""What follows a preposition is a poorer antecedent."""

from typing import ClassVar

from corefbench.preprocess.phrase import Phrase
from corefbench.resolvers.rules.indicators.text import Text


class NonPrepositional:
    """One point less for a noun phrase in a prepositional phrase."""

    name: ClassVar[str] = "prepositional noun phrase"
    scores: ClassVar[tuple[int, ...]] = (0, -1)

    def __init__(self, text: Text) -> None:
        del text

    def __call__(self, candidate: Phrase, anaphor: Phrase) -> int:
        return -candidate.prepositional
