"""The person, number and gender of a noun phrase, from its words, its tree and its entity type."""

from corefbench.language.agreement import ANY_NUMBER, PLURAL, SINGULAR, Agreement
from corefbench.language.pronouns import THIRD_PERSON, lookup
from corefbench.preprocess.analysis import Analysis
from corefbench.preprocess.gender import gender_of
from corefbench.preprocess.number import number_of

_ALTERNATIVE = frozenset(("or", "nor"))
_NOMINAL = frozenset(("NOUN", "PROPN", "PRON", "NUM", "DET", "X"))


def agreement_of(
    analysis: Analysis,
    head: int,
    start: int,
    end: int,
    entity: str = "",
    coordination: bool = False,
) -> Agreement:
    """What is known of the phrase at a span, by its head; what is not known stays open.

    A pronoun agrees as its row of the table says. ``coordination`` takes the phrase as a whole:
    conjuncts joined by *and* are plural, by *or* of any number; their genders add up.
    """
    if coordination:
        return _of_several(analysis, head, start, end)
    if analysis.upos[head] in ("PRON", "DET") or analysis.words[head].lower() in THIRD_PERSON:
        following = analysis.words[head + 1] if head + 1 < len(analysis.words) else None
        row = lookup(analysis.words[head], analysis.xpos[head], following)
        if row is not None:
            return row.agreement
    return Agreement(
        number=number_of(analysis, head, start, end, entity),
        gender=gender_of(analysis, head, start, end, entity),
    )


def _of_several(analysis: Analysis, head: int, start: int, end: int) -> Agreement:
    """Conjuncts under one determiner may be one being or matter: *a friend and colleague*."""
    tokens = range(start, end)
    heads, relations = analysis.heads, analysis.relations
    conjuncts = [head]
    for token in tokens:
        if heads[token] == head and relations[token] == "conj" and _is_alike(analysis, head, token):
            conjuncts.append(token)
    if len(conjuncts) == 1:
        return agreement_of(analysis, head, start, end)
    borders = [start, *conjuncts[1:], end]
    parts = [
        agreement_of(analysis, token, min(token, left + (left != start)), max(token + 1, right))
        for token, left, right in zip(conjuncts, borders, borders[1:], strict=False)
    ]
    gender = 0
    for part in parts:
        gender |= part.gender
    return Agreement(
        person=min(part.person for part in parts),
        number=_number_of_several(analysis, conjuncts, parts, tokens),
        gender=gender,
    )


def _is_alike(analysis: Analysis, head: int, other: int) -> bool:
    """Whether a conjunct is of the kind of the first: a parser may join adjectives to nouns."""
    upos = analysis.upos
    return upos[other] == upos[head] or (upos[head] in _NOMINAL and upos[other] in _NOMINAL)


def _number_of_several(
    analysis: Analysis, conjuncts: list[int], parts: list[Agreement], tokens: range
) -> int:
    if analysis.upos[conjuncts[0]] in ("VERB", "AUX"):
        return SINGULAR
    if any(
        analysis.relations[token] == "cc" and analysis.lemmas[token].lower() in _ALTERNATIVE
        for token in tokens
    ):
        return ANY_NUMBER
    determined = {
        analysis.heads[token]
        for token in tokens
        if analysis.relations[token] in ("det", "nmod:poss", "nummod")
    }
    is_one = (
        analysis.xpos[conjuncts[0]] == "NN"
        and all(part.number & SINGULAR for part in parts)
        and determined.isdisjoint(conjuncts[1:])
    )
    return ANY_NUMBER if is_one else PLURAL
