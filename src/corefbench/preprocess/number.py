"""The number of a noun phrase: by tag and features, with the exceptions of English."""

from corefbench.language.agreement import ANIMATE, ANY_GENDER, ANY_NUMBER, PLURAL, SINGULAR
from corefbench.language.animacy import animacy, collectivity
from corefbench.language.first_names import first_name
from corefbench.language.number import (
    COLLECTIVES,
    EPICENE,
    INVARIANT,
    OPEN_DETERMINERS,
    PLURAL_FORMS,
    PLURAL_QUANTIFIERS,
)
from corefbench.language.surnames import is_surname
from corefbench.preprocess.analysis import Analysis
from corefbench.preprocess.entity_labels import entity_type
from corefbench.preprocess.gender import gender_of, is_clause
from corefbench.preprocess.person_names import is_name

_COLLECTIVE = _BEING = 0.5
_OPEN = PLURAL_FORMS | INVARIANT


def number_of(analysis: Analysis, head: int, start: int, end: int, entity: str = "") -> int:
    """The numbers that the phrase leaves open.

    *They* takes up organisations, collectives, names of which nobody knows that they are persons',
    and persons that an indefinite leaves unknown (*any user … they*) as well as *it*, *he* and
    *she* do. Plural forms in singular use (*data*, *the United States*) are open too.
    """
    if is_clause(analysis, head, start, end):
        return SINGULAR
    form = _form(analysis, head)
    if form == ANY_NUMBER or entity_type(entity) == "organization":
        return ANY_NUMBER
    if not _OPEN.isdisjoint((analysis.lemmas[head].lower(), analysis.words[head].lower())):
        return ANY_NUMBER
    if is_name(analysis, head):
        return _of_name(analysis, head, start, end, entity, form)
    if form == PLURAL:
        return PLURAL
    return _of_singular(analysis, head, start, end, entity)


def _form(analysis: Analysis, head: int) -> int:
    """The number that tag, features or quantifier tell."""
    tag, features = analysis.xpos[head], analysis.features[head]
    if tag in ("NNS", "NNPS") or "Number=Plur" in features:
        return PLURAL
    if tag in ("NN", "NNP") or "Number=Sing" in features:
        return SINGULAR
    return PLURAL if analysis.words[head].lower() in PLURAL_QUANTIFIERS else ANY_NUMBER


def _of_name(analysis: Analysis, head: int, start: int, end: int, entity: str, form: int) -> int:
    if form == PLURAL:
        # "General Motors" is one company, "Wells" one man, "Americans" are many.
        word, several = analysis.words[head], head > start and is_name(analysis, head - 1)
        return ANY_NUMBER if several or is_surname(word) or first_name(word) else PLURAL
    is_person = gender_of(analysis, head, start, end, entity) & ~ANIMATE == 0
    return SINGULAR if is_person or entity else ANY_NUMBER


def _of_singular(analysis: Analysis, head: int, start: int, end: int, entity: str) -> int:
    lemma = analysis.lemmas[head].lower()
    if lemma in COLLECTIVES or lemma in EPICENE or collectivity(lemma) >= _COLLECTIVE:
        return ANY_NUMBER
    indefinite = any(
        analysis.heads[token] == head and analysis.words[token].lower() in OPEN_DETERMINERS
        for token in range(start, head)
    )
    if not indefinite:
        return SINGULAR
    gender = gender_of(analysis, head, start, end, entity)
    is_being = gender == ANIMATE or (gender == ANY_GENDER and (animacy(lemma) or 0) >= _BEING)
    return ANY_NUMBER if is_being else SINGULAR
