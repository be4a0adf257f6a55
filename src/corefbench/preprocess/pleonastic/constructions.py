"""Clefts, weather and time, and idioms: the classes of Boyd et al. 2005."""

from corefbench.language.pleonastic_words import (
    IDIOMS,
    MEASURES,
    TIMES,
    WEATHER,
    WEATHER_VERBS,
)
from corefbench.preprocess.pleonastic.setting import Setting

_ADJECTIVES = ("JJ", "JJR", "JJS")


def cleft(it: Setting) -> bool:
    """It be X who S; it be X that S, where X is a name, a pronoun, a phrase or an adverb.

    *It is the book that I read* is as often said of something; only *who*, or *only* and *not*
    before it, make a cleft of a noun with an article.
    """
    place = it.predicate()
    if place < 0 or it.tag(place).startswith(("VB", "JJ")) or it.word(place) in ("a", "an", "all"):
        return False
    sure = it.tag(place) in ("NNP", "PRP", "IN") or it.word(place - 1) in ("only", "not", "n't")
    for end in range(place + 1, min(place + 13, len(it.words))):
        word, tag = it.words[end], it.tags[end]
        if word in ("who", "whom"):
            return it.lemma(end - 1) not in ("one", "someone")
        if word == "that" and tag in ("WDT", "IN"):
            return sure and it.word(end - 1) not in ("fact", "idea", "something", "anything")
        if tag.startswith(("VB", ".", "MD")) or tag in (",", ":", "CC"):
            return False
    return False


def weather(it: Setting) -> bool:
    """It rains; it is cold, dark, snowing; it is nice outside."""
    verb = it.verb()
    if verb >= 0 and it.lemma(verb) in WEATHER_VERBS:
        return it.is_subject
    place = it.predicate()
    if place < 0:
        return False
    if it.word(place) in WEATHER or it.lemma(place) in WEATHER_VERBS:
        return True
    return it.tag(place) in _ADJECTIVES and it.word(place + 1) in ("outside", "out")


def time_and_place(it: Setting) -> bool:
    """It is late, Monday, five o'clock, two years since S, ten miles to NP."""
    place = it.predicate()
    if place < 0:
        return False
    if it.word(place) in TIMES or (it.tag(place) == "CD" and it.word(place + 1) in TIMES):
        return True
    while it.tag(place) in ("DT", "CD", "JJ", "RB"):
        place += 1
    return it.lemma(place) in MEASURES and it.word(place + 1) in ("since", "before", "until", "to")


def idiom(it: Setting) -> bool:
    """When it comes to; call it a day; were it not for …"""
    return any(_matches(it, words) for words in IDIOMS)


def _matches(it: Setting, words: tuple[str, ...]) -> bool:
    first = it.at - words.index("it")
    return first >= 0 and all(
        want == it.lemma(place) or want.strip("=") == it.word(place)
        for place, want in enumerate(words, first)
    )
