"""The gender of a noun phrase: titles, first names, nouns, entity type, relatives, animacy."""

from corefbench.language.agreement import ANIMATE, ANY_GENDER, FEMININE, MASCULINE, NEUTER
from corefbench.language.animacy import animacy, personhood
from corefbench.language.first_names import first_name
from corefbench.language.gendered_nouns import gender_of_noun
from corefbench.language.surnames import is_surname
from corefbench.preprocess.analysis import Analysis
from corefbench.preprocess.entity_labels import entity_type
from corefbench.preprocess.person_names import gender_of_name, has_determiner, is_name, name_span

_PERSON, _BEING, _THING = 0.9, 0.5, 0.1
"""Shares of a noun's senses: from the first on it is a person, below the last a thing."""

_SEXES = {"male": MASCULINE, "female": FEMININE}
_PREDICATES = frozenset(("VERB", "AUX"))

_OF_TYPE = {
    "person": ANIMATE,
    "animal": ANY_GENDER,
    "group": ANY_GENDER,
    "place": NEUTER | FEMININE,
}
"""All other types are of things and organisations: neuter."""


def gender_of(analysis: Analysis, head: int, start: int, end: int, entity: str = "") -> int:
    """The genders that the phrase leaves open.

    A title, noun or first name that tells the sex goes before all else. Entity type and dictionary
    together leave open what either does, because pipelines err with types; where neither knows
    the noun, *who* makes it a person. A clause is neuter. Animals may be *it*, *he* and *she*.
    """
    kind = entity_type(entity)
    if is_name(analysis, head):
        return _of_name(analysis, head, start, end, kind)
    if is_clause(analysis, head, start, end) or is_figure(analysis.words[head]):
        return NEUTER
    sex = _sex(analysis, head, start, end)
    if sex:
        return sex
    if _has_who(analysis, head, end):
        return ANIMATE
    of_noun = _of_animacy(analysis.lemmas[head]) if analysis.upos[head] == "NOUN" else 0
    if of_noun in (NEUTER, ANIMATE):
        return of_noun
    of_type = NEUTER if kind == "place" else _OF_TYPE.get(kind, NEUTER) if kind else 0
    return of_noun | of_type or ANY_GENDER


def _of_name(analysis: Analysis, head: int, start: int, end: int, kind: str) -> int:
    """A place or firm of a person's name may be a person; other types say nothing of a name.

    Pipelines take many persons for places and firms, so the type counts alone only where the name
    ends in a thing of the dictionary (*London*, *Stanford University*) or has an article. Events
    and the like (*World War*), and months that are names too, are neuter by the same token.
    """
    found = gender_of_name(analysis, head, start, end, kind == "person")
    if kind in ("organization", "place"):
        last = analysis.words[name_span(analysis, head, start, end)[1] - 1]
        share = 0 if has_determiner(analysis, head, start) else animacy(last)
        may_be_person = is_surname(last) or share is None or share >= _BEING
        return _OF_TYPE.get(kind, NEUTER) | (found or (ANIMATE if may_be_person else 0))
    if not found and kind != "person":
        if not kind and _has_who(analysis, head, end):
            return ANIMATE
        last = analysis.words[name_span(analysis, head, start, end)[1] - 1]
        if _is_known_thing(last):
            return NEUTER if kind else NEUTER | FEMININE
        if kind == "time" and _is_word_too(last):
            return NEUTER
    return found or ANY_GENDER


def _is_word_too(word: str) -> bool:
    """Whether a first name is also a time or a place: *May*, *April*."""
    row = first_name(word)
    return row is not None and row.is_word


def _is_known_thing(word: str) -> bool:
    """Whether the dictionary has a capitalised word as a thing alone, and nobody is called so."""
    share = animacy(word)
    known = is_surname(word) or first_name(word) is not None
    return share is not None and share <= _THING and not known


def is_figure(word: str) -> bool:
    """Whether a word is written in digits: years, sums and scores are never *he* or *she*.

    >>> is_figure("1801"), is_figure("$5"), is_figure("two"), is_figure("R2D2")
    (True, True, False, False)
    """
    return any(map(str.isdigit, word)) and not any(map(str.isalpha, word))


def is_clause(analysis: Analysis, head: int, start: int, end: int) -> bool:
    """Whether the head is a verb, or has a copula in the phrase: *that she is a doctor*."""
    if analysis.upos[head] in _PREDICATES:
        return True
    heads, relations = analysis.heads, analysis.relations
    return any(heads[token] == head and relations[token] == "cop" for token in range(start, end))


def _sex(analysis: Analysis, head: int, start: int, end: int) -> int:
    """The genders that the noun and its adjective leave; 0 without such evidence."""
    for token in range(start, end):
        if analysis.heads[token] == head:
            sex = _SEXES.get(analysis.words[token].lower())
            if sex:
                return sex
    return gender_of_noun(analysis.lemmas[head]) or gender_of_noun(analysis.words[head])


def _has_who(analysis: Analysis, head: int, end: int) -> bool:
    """Whether *who* or *whom* opens a relative clause on the head."""
    for token in range(head + 1, end):
        if analysis.heads[token] == head and analysis.relations[token] == "acl:relcl":
            before = (word.lower() for word in analysis.words[head + 1 : token])
            return any(word in ("who", "whom") for word in before)
    return False


def _of_animacy(lemma: str) -> int:
    """The genders that the senses of a noun leave open; 0 for unknown nouns."""
    share = animacy(lemma)
    if share is None:
        return 0
    if _THING < share < _BEING:
        return ANY_GENDER
    if share <= _THING:
        return NEUTER
    return ANIMATE if personhood(lemma) >= _PERSON else ANY_GENDER
