"""Quotations and their speakers.

A speaker is not *he* or *she* inside the quotation, but *I*.
"""

from collections.abc import Iterator

from corefbench.preprocess.discourse import Discourse, Phrase
from corefbench.preprocess.english.agreement import FIRST, SINGULAR

_OPENING = frozenset({"“", "``", "«"})
_CLOSING = frozenset({"”", "''", "»"})
_EITHER = '"'
_MARKS = _OPENING | _CLOSING | {_EITHER}
_SPEECH_VERB_LIST = """
say tell add ask reply answer note explain declare claim insist announce argue shout whisper
cry remark observe warn admit deny suggest state write think conclude continue joke
"""
_SPEECH_VERBS = frozenset(_SPEECH_VERB_LIST.split())


class Quotations:
    """The quoted words of a text and their speakers."""

    def __init__(self, discourse: Discourse) -> None:
        analysis = discourse.analysis
        self._quoted = mark_quoted(analysis.words)
        self._speakers: dict[int, list[Phrase]] = {}
        for phrase in discourse.phrases:
            governor = analysis.heads[phrase.head]
            if (
                phrase.function == "subject"
                and governor >= 0
                and analysis.lemmas[governor] in _SPEECH_VERBS
                and not self._quoted[phrase.head]
            ):
                self._speakers.setdefault(phrase.sentence, []).append(phrase)

    def quotes(self, phrase: Phrase) -> bool:
        """Return whether a phrase is in a quotation."""
        return self._quoted[phrase.head]

    def speakers(self, anaphor: Phrase) -> list[Phrase]:
        """Return the speakers of the quotation around an anaphor; none outside quotations."""
        return self._speakers.get(anaphor.sentence, []) if self._quoted[anaphor.head] else []


def mark_quoted(words: tuple[str, ...]) -> list[bool]:
    """Return which words are between quotation marks.

    >>> mark_quoted(("“", "He", "”", "she", '"', "it", '"'))
    [False, True, False, False, False, True, False]
    """
    inside, flags = False, []
    for word in words:
        if word in _OPENING:
            inside = True
        elif word in _CLOSING:
            inside = False
        elif word == _EITHER:
            inside = not inside
        flags.append(inside and word not in _MARKS)
    return flags


def find_speaker_links(discourse: Discourse) -> Iterator[tuple[Phrase, Phrase]]:
    """Yield first- and second-person pronouns with an earlier or quoting phrase as antecedent.

    *I* and *me* of one speaker are one; where nobody is named, all of a stretch outside quotations
    are the narrator. Inside a quotation *I* is who says it. *you* and *we* are linked to the last
    of their kind in the same turn or stretch.
    """
    speakers = discourse.analysis.speakers
    quotations = Quotations(discourse)
    last: dict[tuple[object, ...], Phrase] = {}
    for phrase in discourse.phrases:
        pronoun = phrase.pronoun
        if pronoun is None or pronoun.kind not in ("personal", "possessive", "reflexive"):
            continue
        if pronoun.is_anaphor:
            continue
        quoting = quotations.speakers(phrase)
        # *I* in a quotation is its speaker; *we* may include others.
        singular = pronoun.agreement.person == FIRST and pronoun.agreement.number == SINGULAR
        if singular and quoting and quoting[0].index != phrase.index:
            yield phrase, quoting[0]
            continue
        turn = speakers[phrase.head] if speakers is not None else ""
        quoted = (phrase.sentence,) if quotations.quotes(phrase) else ()
        key = (turn, pronoun.agreement.person, pronoun.agreement.number, *quoted)
        if key in last:
            yield phrase, last[key]
        last[key] = phrase
