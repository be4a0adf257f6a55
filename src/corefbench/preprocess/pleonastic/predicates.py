"""*It* before other predicates that take a clause, beyond the published lists."""

from corefbench.language.pleonastic_words import (
    CLAUSE_VERBS,
    EXTRAPOSING_NOUNS,
)
from corefbench.preprocess.pleonastic.setting import Setting

_ADJECTIVES = ("JJ", "JJR", "JJS")


def adjective(it: Setting) -> bool:
    """It is (more, most, not) ADJ with a clause, of any adjective; it is said that S.

    Not *so heavy that*, *large enough to*, *ready to*: there the adjective is of something.
    """
    place = it.predicate()
    if place < 0 or it.word(place - 1) in ("so", "too"):
        return False
    if it.tag(place) in ("VBN", "VBD"):
        return it.clause_follows(place + 1, infinitive=False, wh=False)
    if it.word(place) in ("ready", "able", "unable", "likely", "bound", "sure", "worthy"):
        return False
    if it.word(place) == "worth":
        return it.tag(place + 1) == "VBG"
    return it.tag(place) in _ADJECTIVES and it.clause_follows(place + 1)


def fronted(it: Setting) -> bool:
    """How hard it is to VP; what it means to VP; whatever it is that S."""
    verb = it.verb()
    if verb < 0 or it.lemma(verb) not in ("be", "mean", "take"):
        return False
    closed = it.is_infinitive(verb + 1) or it.is_infinitive(verb + 2) or it.word(verb + 1) == "that"
    return closed and (
        it.tag(it.at - 1) in _ADJECTIVES or it.word(it.at - 1) in ("what", "whatever")
    )


def noun(it: Setting) -> bool:
    """It is a pity, no wonder, my job … with a clause."""
    place = it.predicate()
    if place < 0:
        return False
    while it.tag(place) in ("DT", "PRP$", "PDT", "POS", "NNP", *_ADJECTIVES):
        place += 1
    return it.word(place) in EXTRAPOSING_NOUNS and it.clause_follows(place + 1)


def clause_verb(it: Setting) -> bool:
    """It struck me that S; it takes years to VP; it doesn't matter whether S."""
    place = it.verb()
    if place < 0 or it.lemma(place) not in CLAUSE_VERBS:
        return False
    for end in range(place + 1, min(place + 14, len(it.words))):
        if it.is_infinitive(end):
            return it.word(place + 1) != "to" or end != place + 1
        if it.word(end) in ("that", "whether", "if") and it.tag(end) == "IN":
            return it.lemma(place) not in ("take", "cost", "require", "make", "need")
        if it.tag(end).startswith(("VB", ".", ":")):
            return False
    return False
