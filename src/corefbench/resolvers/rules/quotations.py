"""Who speaks the quoted words of a sentence: they are not *he* or *she* inside the quotation."""

from corefbench.preprocess.discourse import Discourse
from corefbench.preprocess.phrase import Phrase

_OPENING = frozenset({"“", "``", "«"})
_CLOSING = frozenset({"”", "''", "»"})
_EITHER = '"'
_MARKS = _OPENING | _CLOSING | {_EITHER}
_SPEECH = """
say tell add ask reply answer note explain declare claim insist announce argue shout whisper
cry remark observe warn admit deny suggest state write think conclude continue joke
"""
_VERBS = frozenset(_SPEECH.split())


class Quotations:
    """The quoted stretches of a text and their speakers."""

    def __init__(self, discourse: Discourse) -> None:
        analysis = discourse.analysis
        self._quoted = quoted(analysis.words)
        self._speakers: dict[int, list[Phrase]] = {}
        for phrase in discourse.phrases:
            governor = analysis.heads[phrase.head]
            if (
                phrase.function == "subject"
                and governor >= 0
                and analysis.lemmas[governor] in _VERBS
                and not self._quoted[phrase.head]
            ):
                self._speakers.setdefault(phrase.sentence, []).append(phrase)

    def quotes(self, phrase: Phrase) -> bool:
        """Whether a phrase stands in a quotation."""
        return self._quoted[phrase.head]

    def speakers(self, anaphor: Phrase) -> list[Phrase]:
        """The speakers of the quotation that an anaphor stands in; none outside quotations."""
        return self._speakers.get(anaphor.sentence, []) if self._quoted[anaphor.head] else []


def quoted(words: tuple[str, ...]) -> list[bool]:
    """Which words stand between quotation marks.

    >>> quoted(("“", "He", "”", "she", '"', "it", '"'))
    [False, True, False, False, False, True, False]
    """
    inside, found = False, []
    for word in words:
        if word in _OPENING:
            inside = True
        elif word in _CLOSING:
            inside = False
        elif word == _EITHER:
            inside = not inside
        found.append(inside and word not in _MARKS)
    return found
