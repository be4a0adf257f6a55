"""*It* in the place of a clause that follows: *it is clear that S*, *find it hard to VP*.

The patterns of Lappin & Leass 1994 and the additions of Baldwin et al. 1995 (Penn).
"""

from corefbench.language.pleonastic_words import (
    COGNITIVE_VERBS,
    MODAL_ADJECTIVES,
    OBJECT_VERBS,
    RAISING_VERBS,
)
from corefbench.preprocess.pleonastic.setting import Setting

_ADJECTIVES = ("JJ", "JJR", "JJS")


def modal_adjective(it: Setting) -> bool:
    """It is MODADJ that S; it is MODADJ (for NP) to VP; so with negation, modals, inversion."""
    place = it.predicate()
    if place < 0 or it.word(place) not in MODAL_ADJECTIVES:
        return False
    if it.word(place) in ("likely", "unlikely", "certain"):
        return it.clause_follows(
            place + 1, infinitive=False
        )  # "it is likely to rain" has a subject
    return it.clause_follows(place + 1)


def cognitive_verb(it: Setting) -> bool:
    """It is COGV-ed that S."""
    place = it.predicate()
    return place >= 0 and it.lemma(place) in COGNITIVE_VERBS and it.word(place + 1) == "that"


def raising_verb(it: Setting) -> bool:
    """It seems, appears, means, follows (that) S; it seems to me that S, as if S, like S."""
    place = it.verb()
    if place < 0:
        return False
    word, tag = it.word(place + 1), it.tag(place + 1)
    if it.lemma(place) in ("look", "sound"):
        return word == "like" and it.tag(place + 2) in ("PRP", "EX")
    if it.lemma(place) not in RAISING_VERBS:
        return False
    if it.lemma(place) in ("mean", "follow"):
        return word == "that"
    if word in ("as", "like"):
        return it.word(place + 2) in ("if", "though") or it.tag(place + 2) in ("PRP", "EX")
    return (word == "that" and tag == "IN") or tag in ("PRP", "EX") or _is_to_me(it, place + 1)


def _is_to_me(it: Setting, place: int) -> bool:
    return it.word(place) == "to" and it.tag(place + 1) == "PRP" and it.clause_follows(place + 2)


def object_adjective(it: Setting) -> bool:
    """NP makes, finds it MODADJ (for NP) to VP; made it clear that S."""
    if it.lemma(it.at - 1) not in OBJECT_VERBS:
        return False
    place = it.past_adverbs(it.at + 1)
    if it.tag(place) in ("DT", "PRP$"):
        place += 1
        while it.tag(place) in _ADJECTIVES:
            place += 1
        return it.tag(place) == "NN" and it.clause_follows(place + 1, wh=False)
    if it.tag(place) not in (*_ADJECTIVES, "NN", "VBN"):
        return False
    return it.clause_follows(place + 1)


def conditional_object(it: Setting) -> bool:
    """MV appreciate, believe it if S; like, hate it when S."""
    verbs = ("appreciate", "believe", "like", "love", "hate", "prefer", "dislike", "resent")
    return it.lemma(it.at - 1) in verbs and it.word(it.at + 1) in ("if", "when", "that")


def time_to(it: Setting) -> bool:
    """It is time to VP; it is (about) time that S."""
    place = it.predicate()
    return (
        place >= 0
        and "time" in (it.word(place), it.word(place + 1))
        and (it.word(place) in ("time", "high", "about"))
    )


def thanks_to(it: Setting) -> bool:
    """It is thanks to NP that S."""
    place = it.predicate()
    return place >= 0 and it.word(place) == "thanks" and it.word(place + 1) == "to"
