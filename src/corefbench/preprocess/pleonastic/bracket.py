"""*It* as the opening of a bracket that a conjunction closes, after Paice & Husk 1987."""

from corefbench.language.pleonastic_words import (
    COGNITIVE_VERBS,
    PREPOSITIONS,
    RAISING_VERBS,
    STATE,
    STATUS,
)
from corefbench.preprocess.pleonastic.setting import Setting

_CLOSER_WITHIN = 27
_COMMAS = frozenset((",", "-", "--", "–", "—"))


def bracket(it: Setting) -> bool:
    """Paice & Husk: *it* and a closer within 27 words, no comma or at least two between them.

    it STATUS to; it !PREP that; it STATE whether, if. *It* must be a subject, *to* have its verb,
    and *that* be a conjunction that follows no noun, which they had no tags to ask for.
    """
    if not it.is_subject:
        return False
    words = it.words[it.at + 1 : it.at + 1 + _CLOSER_WITHIN]
    commas, status, state = 0, False, False
    for place, word in enumerate(words, it.at + 1):
        if commas != 1 and (
            (status and it.is_infinitive(place))
            or (state and word in ("whether", "if"))
            or (word == "that" and _is_conjunction(it, place))
        ):
            return True
        if it.tag(place) == "." or word == ";":
            return False
        commas += word in _COMMAS
        status, state = status or word in STATUS, state or word in STATE
    return False


def _is_conjunction(it: Setting, place: int) -> bool:
    before = place - 1
    return (
        it.tag(place) == "IN"
        and it.tag(before).startswith(("JJ", "VBN", "RB"))
        and it.word(before) not in PREPOSITIONS
        and it.word(before) not in ("so", "such", "now", "just", "not", "n't")
        and it.word(before - 1) not in ("so", "such")
    )


def parenthesis(it: Setting) -> bool:
    """Paice & Husk: *it* after a comma, another comma within four words: *, it seems,*."""
    if it.word(it.at - 1) != ",":
        return False
    words = it.words[it.at + 1 : it.at + 5]
    return "," in words and it.lemma(it.verb()) in RAISING_VERBS | COGNITIVE_VERBS | {"say"}
