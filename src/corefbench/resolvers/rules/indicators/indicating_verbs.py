"""What is discussed, presented or defined is what the text goes on about."""

from typing import ClassVar

from corefbench.preprocess.phrase import Phrase
from corefbench.resolvers.rules.indicators.text import Text

_LISTED = """
    discuss present illustrate identify summarise examine describe define show check develop review
    report outline consider investigate explore assess analyse synthesise study survey deal cover
"""
VERBS = frozenset(_LISTED.split())
"""The 24 verbs of Mitkov (1998)."""

_SPELLINGS = VERBS | {"summarize", "analyze", "synthesize"}


class IndicatingVerbs:
    """A point for the first noun phrase after one of 24 verbs, in the same sentence."""

    name: ClassVar[str] = "indicating verbs"
    scores: ClassVar[tuple[int, ...]] = (1, 0)

    def __init__(self, text: Text) -> None:
        self._indicated = set()
        for sentence, phrases in enumerate(text.discourse.by_sentence):
            for verb in _verbs(text, sentence):
                first = next((phrase for phrase in phrases if phrase.start > verb), None)
                if first is not None:
                    self._indicated.add(first.index)

    def __call__(self, candidate: Phrase, anaphor: Phrase) -> int:
        return int(candidate.index in self._indicated)


def _verbs(text: Text, sentence: int) -> list[int]:
    tokens = range(*text.analysis.sentences[sentence])
    return [t for t in tokens if text.lemmas[t] in _SPELLINGS and text.analysis.upos[t] == "VERB"]
