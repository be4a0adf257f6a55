"""What stood beside a verb once will stand there again."""

from typing import ClassVar, TypeAlias

from corefbench.preprocess.phrase import Phrase
from corefbench.resolvers.rules.indicators.text import Text

Pattern: TypeAlias = tuple[str, bool]
"""A verb, and whether the noun phrase comes before it."""

_ARGUMENTS = frozenset({"nsubj", "obj", "iobj"})


class Collocation:
    """Two points if candidate and pronoun stand on the same side of the same verb.

    The noun phrase is the subject or object of the verb; before or after it is what counts.
    """

    name: ClassVar[str] = "collocation"
    scores: ClassVar[tuple[int, ...]] = (2, 0)

    def __init__(self, text: Text) -> None:
        self._text = text
        self._patterns = [self._pattern(phrase) for phrase in text.discourse.phrases]

    def __call__(self, candidate: Phrase, anaphor: Phrase) -> int:
        pattern = self._patterns[anaphor.index]
        return 2 if pattern is not None and self._patterns[candidate.index] == pattern else 0

    def _pattern(self, phrase: Phrase) -> Pattern | None:
        text, tree = self._text, self._text.tree
        verb = tree.heads[phrase.head]
        if verb < 0 or tree.base[phrase.head] not in _ARGUMENTS:
            return None
        if text.analysis.upos[verb] != "VERB":
            return None
        return text.lemmas[verb], phrase.head < verb
