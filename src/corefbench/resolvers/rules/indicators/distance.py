"""What was said last is nearest at hand."""

from collections import Counter
from typing import ClassVar

from corefbench.preprocess.phrase import Phrase
from corefbench.resolvers.rules.indicators.text import Text


class ReferentialDistance:
    """Two points in the pronoun's sentence, one in that before, none two back, one less further.

    The paper has 2 for the previous clause of a complex sentence, that is one of several finite
    clauses. It is silent on the pronoun's own clause (``same_clause``) and on simple sentences
    (``same_sentence``); any earlier clause counts as the previous one does. ``two_back`` is -1 in
    the Bulgarian version (Tanev & Mitkov 2002).
    """

    name: ClassVar[str] = "referential distance"
    scores: ClassVar[tuple[int, ...]] = (2, 1, 0, -1)

    def __init__(
        self, text: Text, *, same_sentence: int = 2, same_clause: int = 2, two_back: int = 0
    ) -> None:
        self._points = {1: 1, 2: two_back}
        self._same_sentence = same_sentence
        self._same_clause = same_clause
        finite = Counter(clause.sentence for clause in text.discourse.clauses if clause.finite)
        self._complex = {sentence for sentence, clauses in finite.items() if clauses > 1}

    def __call__(self, candidate: Phrase, anaphor: Phrase) -> int:
        back = anaphor.sentence - candidate.sentence
        if back:
            return self._points.get(back, -1)
        if anaphor.sentence not in self._complex:
            return self._same_sentence
        return self._same_clause if candidate.clause == anaphor.clause else 2
