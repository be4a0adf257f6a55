"""Infer person, number and gender of noun phrases.

Evidence comes from the words, the tree and the entity type; what is not known stays open.
"""

from functools import cached_property

from corefbench.preprocess.analysis import Analysis, normalize_entity_type
from corefbench.preprocess.english.lexicon import (
    FirstName,
    animacy_share,
    gender_of_noun,
    gender_of_title,
    group_share,
    is_surname,
    lookup_first_name,
    person_share,
)
from corefbench.preprocess.english.pronouns import (
    ANIMATE,
    ANY_GENDER,
    ANY_NUMBER,
    FEMININE,
    MASCULINE,
    NEUTER,
    PLURAL,
    SINGULAR,
    THIRD_PERSON,
    Agreement,
    lookup_pronoun,
)
from corefbench.preprocess.english.word_lists import (
    COLLECTIVES,
    EPICENE,
    INVARIANT,
    OPEN_DETERMINERS,
    PLURAL_FORMS,
    PLURAL_QUANTIFIERS,
)

_NAME_MODIFIERS = frozenset(("appos", "compound", "flat", "nmod:desc"))
_DEFINITE_GENDERS = (MASCULINE, FEMININE)
_OPENERS = frozenset(".!?:;…\"'“”‘’([-–—*•")
_PERSON_SHARE, _BEING_SHARE, _THING_SHARE = 0.9, 0.5, 0.1
"""Shares of a noun's senses: from the first on it is a person, below the last a thing."""
_GENDER_ADJECTIVES = {"male": MASCULINE, "female": FEMININE}
_PREDICATES = frozenset(("VERB", "AUX"))
_GENDER_BY_TYPE = {"person": ANIMATE, "animal": ANY_GENDER, "group": ANY_GENDER, "place": NEUTER | FEMININE}
"""All other types are of things and organisations: neuter."""
_COLLECTIVE_SHARE = _ANIMATE_SHARE = 0.5
_NUMBERLESS_NOUNS = PLURAL_FORMS | INVARIANT
_ALTERNATIVE = frozenset(("or", "nor"))
_NOMINAL = frozenset(("NOUN", "PROPN", "PRON", "NUM", "DET", "X"))


def infer_agreement(
    analysis: Analysis, head: int, start: int, end: int, entity: str = "", coordination: bool = False
) -> Agreement:
    """Infer the agreement of the phrase at a span, by its head.

    A pronoun agrees as its row of the table says. ``coordination`` takes the phrase as a whole:
    conjuncts joined by *and* are plural, by *or* of any number; their genders are united.
    """
    if coordination:
        return _agreement_of_coordination(analysis, head, start, end)
    if analysis.upos[head] in ("PRON", "DET") or analysis.words[head].lower() in THIRD_PERSON:
        following = analysis.words[head + 1] if head + 1 < len(analysis.words) else None
        row = lookup_pronoun(analysis.words[head], analysis.xpos[head], following)
        if row is not None:
            return row.agreement
    noun = _Noun(analysis, head, start, end, entity)
    return Agreement(number=noun.number(), gender=noun.gender)


def _agreement_of_coordination(analysis: Analysis, head: int, start: int, end: int) -> Agreement:
    """Infer the agreement of a coordination.

    Conjuncts under one determiner may be one entity: *a friend and colleague*.
    """
    tokens = range(start, end)
    heads, relations = analysis.heads, analysis.relations
    conjuncts = [head]
    for token in tokens:
        if heads[token] == head and relations[token] == "conj" and _is_same_kind(analysis, head, token):
            conjuncts.append(token)
    if len(conjuncts) == 1:
        return infer_agreement(analysis, head, start, end)
    # Each conjunct is judged with the words up to the next one, so that determiners count
    # for their own conjunct only.
    borders = [start, *conjuncts[1:], end]
    parts = [
        infer_agreement(analysis, token, min(token, left + (left != start)), max(token + 1, right))
        for token, left, right in zip(conjuncts, borders, borders[1:], strict=False)
    ]
    gender = 0
    for part in parts:
        gender |= part.gender
    return Agreement(
        person=min(part.person for part in parts),
        number=_number_of_coordination(analysis, conjuncts, parts, tokens),
        gender=gender,
    )


def _is_same_kind(analysis: Analysis, head: int, other: int) -> bool:
    """Whether a conjunct is of the kind of the first: a parser may join adjectives to nouns."""
    upos = analysis.upos
    return upos[other] == upos[head] or (upos[head] in _NOMINAL and upos[other] in _NOMINAL)


def _number_of_coordination(analysis: Analysis, conjuncts: list[int], parts: list[Agreement], tokens: range) -> int:
    if analysis.upos[conjuncts[0]] in ("VERB", "AUX"):
        return SINGULAR
    if any(analysis.relations[token] == "cc" and analysis.lemmas[token].lower() in _ALTERNATIVE for token in tokens):
        return ANY_NUMBER
    determined = {
        analysis.heads[token] for token in tokens if analysis.relations[token] in ("det", "nmod:poss", "nummod")
    }
    # "a friend and colleague" may be one person, "a man and a woman" are two.
    is_one = (
        analysis.xpos[conjuncts[0]] == "NN"
        and all(part.number & SINGULAR for part in parts)
        and determined.isdisjoint(conjuncts[1:])
    )
    return ANY_NUMBER if is_one else PLURAL


class _Noun:
    """A noun or name, with the evidence that the phrase it heads has for number and gender."""

    def __init__(self, analysis: Analysis, head: int, start: int, end: int, entity: str) -> None:
        self.analysis = analysis
        self.head, self.start, self.end = head, start, end
        self.word = analysis.words[head]
        self.lemma = analysis.lemmas[head].lower()
        self.entity = entity
        self.kind = normalize_entity_type(entity)
        self.dependents = [token for token in range(start, end) if analysis.heads[token] == head]
        """Those inside the phrase."""

    def number(self) -> int:
        """Infer the numbers that the phrase leaves open.

        *They* may refer to organisations, collectives, names that are not known to be persons', and
        unknown persons (*any user … they*) as well as *it*, *he* and *she*. Plural forms in
        singular use (*data*, *the United States*) are open too.
        """
        if self._is_clause():
            return SINGULAR
        form = self._number_of_form()
        if form == ANY_NUMBER or self.kind == "organization":
            return ANY_NUMBER
        if self.lemma in _NUMBERLESS_NOUNS or self.word.lower() in _NUMBERLESS_NOUNS:
            return ANY_NUMBER
        if is_name(self.analysis, self.head):
            return self._number_of_name(form)
        return PLURAL if form == PLURAL else self._number_of_singular()

    def _number_of_form(self) -> int:
        """Return the number by tag, features or quantifier."""
        tag, features = self.analysis.xpos[self.head], self.analysis.features[self.head]
        if tag in ("NNS", "NNPS") or "Number=Plur" in features:
            return PLURAL
        if tag in ("NN", "NNP") or "Number=Sing" in features:
            return SINGULAR
        return PLURAL if self.word.lower() in PLURAL_QUANTIFIERS else ANY_NUMBER

    def _number_of_name(self, form: int) -> int:
        if form == PLURAL:
            # "General Motors" is one company, "Wells" one man, "Americans" are many.
            several = self.head > self.start and is_name(self.analysis, self.head - 1)
            return ANY_NUMBER if several or is_surname(self.word) or lookup_first_name(self.word) else PLURAL
        is_person = self.gender & ~ANIMATE == 0
        return SINGULAR if is_person or self.entity else ANY_NUMBER

    def _number_of_singular(self) -> int:
        if self.lemma in COLLECTIVES or self.lemma in EPICENE or group_share(self.lemma) >= _COLLECTIVE_SHARE:
            return ANY_NUMBER
        words = self.analysis.words
        # Singular *they*: "every user … they", but not "the user … they".
        if not any(token < self.head and words[token].lower() in OPEN_DETERMINERS for token in self.dependents):
            return SINGULAR
        share = animacy_share(self.lemma) or 0
        is_being = self.gender == ANIMATE or (self.gender == ANY_GENDER and share >= _ANIMATE_SHARE)
        return ANY_NUMBER if is_being else SINGULAR

    @cached_property
    def gender(self) -> int:
        """The genders that the phrase leaves open.

        A title, noun or first name that tells the sex takes precedence. Entity type and dictionary
        together leave open what either does, because pipelines make mistakes with types; if neither
        knows the noun, *who* makes it a person. A clause is neuter. Animals may be *it*, *he* and
        *she*.
        """
        if is_name(self.analysis, self.head):
            return self._gender_of_name()
        if self._is_clause() or is_figure(self.word):
            return NEUTER
        gender = self._explicit_gender()
        if gender:
            return gender
        if self._has_who_clause():
            return ANIMATE
        of_noun = _gender_by_animacy(self.lemma) if self.analysis.upos[self.head] == "NOUN" else 0
        # A clear dictionary entry decides, because pipelines make mistakes with types.
        if of_noun in (NEUTER, ANIMATE):
            return of_noun
        of_type = NEUTER if self.kind == "place" else _GENDER_BY_TYPE.get(self.kind, NEUTER) if self.kind else 0
        return of_noun | of_type or ANY_GENDER

    def _gender_of_name(self) -> int:
        """Return the genders of a name with an entity type.

        Pipelines take many persons for places and companies, so the type decides alone only if the
        name ends in an inanimate noun (*London*, *Stanford University*) or has an article. Likewise,
        events (*World War*) and months that are also first names are neuter.
        """
        kind, (left, right) = self.kind, self._name_span()
        gender = self._gender_by_names(list(self.analysis.words[left:right]))
        last = self.analysis.words[right - 1]
        if kind in ("organization", "place"):
            share = 0 if self._has_determiner() else animacy_share(last)
            may_be_person = is_surname(last) or share is None or share >= _BEING_SHARE
            return _GENDER_BY_TYPE.get(kind, NEUTER) | (gender or (ANIMATE if may_be_person else 0))
        if not gender and kind != "person":
            if not kind and self._has_who_clause():
                return ANIMATE
            if _is_known_thing(last):
                return NEUTER if kind else NEUTER | FEMININE
            if kind == "time" and _is_common_word(last):
                return NEUTER
        return gender or ANY_GENDER

    def _gender_by_names(self, name: list[str]) -> int:
        """Return the genders that the words of a name leave open; 0 without evidence of a person.

        A name with an article (*the James Webb Telescope*) needs other evidence. First names that
        are also places or times count only for known persons; single names that are more often
        surnames, or are rare, say only that they name a person.
        """
        titles = [gender_of_title(word) for word in name[:-1]]
        genders = [title for title in titles if title in _DEFINITE_GENDERS] or self._genders_of_apposed_nouns()
        if genders:
            return genders[0]
        is_person = self.kind == "person" or any(titles[:1])
        while len(name) > 1 and gender_of_title(name[0]):
            name = name[1:]
        row = lookup_first_name(name[0])
        if row is None or (not is_person and self._has_determiner()):
            return ANIMATE if is_person else 0
        return _gender_of_first_name(row, len(name) == 1, is_person)

    def _name_span(self) -> tuple[int, int]:
        """Return the unbroken run of proper nouns and capitalised nouns around the head."""
        left, right = self.head, self.head + 1
        while left > self.start and _is_name_part(self.analysis, left - 1):
            left -= 1
        while right < self.end and _is_name_part(self.analysis, right):
            right += 1
        return left, right

    def _genders_of_apposed_nouns(self) -> list[int]:
        """Return the genders of nouns in apposition to or before the name: *actress Jane Doe*."""
        analysis = self.analysis
        genders = (
            gender_of_noun(analysis.lemmas[token])
            for token in self.dependents
            if analysis.relations[token] in _NAME_MODIFIERS and analysis.upos[token] == "NOUN"
        )
        return [gender for gender in genders if gender in _DEFINITE_GENDERS]

    def _has_determiner(self) -> bool:
        return any(token < self.head and self.analysis.upos[token] == "DET" for token in self.dependents)

    def _is_clause(self) -> bool:
        """Return whether the head is a verb, or has a copula in the phrase: *that she is a doctor*."""
        relations = self.analysis.relations
        is_predicate = self.analysis.upos[self.head] in _PREDICATES
        return is_predicate or any(relations[token] == "cop" for token in self.dependents)

    def _explicit_gender(self) -> int:
        """Return the genders that the noun and its adjective leave; 0 without such evidence."""
        for token in self.dependents:
            sex = _GENDER_ADJECTIVES.get(self.analysis.words[token].lower())
            if sex:
                return sex
        return gender_of_noun(self.lemma) or gender_of_noun(self.word)

    def _has_who_clause(self) -> bool:
        """Return whether *who* or *whom* opens a relative clause on the head."""
        for token in self.dependents:
            if token > self.head and self.analysis.relations[token] == "acl:relcl":
                before = self.analysis.words[self.head + 1 : token]
                return any(word.lower() in ("who", "whom") for word in before)
        return False


def is_name(analysis: Analysis, head: int) -> bool:
    """Return whether the head is a proper noun, or is spelt like one though tagged otherwise.

    The latter are capitalised first names, surnames and words in no dictionary of nouns; where any
    word may be capitalised, only names that are no other noun.
    """
    if analysis.upos[head] in ("PROPN", "PRON", "DET", "NUM"):
        return analysis.upos[head] == "PROPN"
    word = analysis.words[head]
    if not (word[:1].isupper() and word[1:].islower()):
        return False
    if gender_of_title(word) and "".join(analysis.words[head + 1 : head + 2])[:1].isupper():
        return True  # "Miss Bates", whatever "Miss" was tagged
    is_known_name = lookup_first_name(word) is not None or is_surname(word)
    is_noun = animacy_share(word) is not None
    before = analysis.words[head - 1] if head else "."
    # Sentence starts and titles capitalise any word, so capitals prove nothing there.
    if before[-1:] in _OPENERS or before[:1].isupper():
        return is_known_name and not is_noun
    return is_known_name or not is_noun


def _gender_of_first_name(row: FirstName, alone: bool, is_person: bool) -> int:
    if not is_person and (row.is_word or (alone and (row.is_surname or row.is_rare))):
        return 0
    return ANIMATE if alone and (row.is_surname or row.is_rare) else row.gender


def _is_name_part(analysis: Analysis, token: int) -> bool:
    upos = analysis.upos[token]
    return upos == "PROPN" or (upos == "NOUN" and analysis.words[token][:1].isupper())


def _is_common_word(word: str) -> bool:
    """Whether a first name is also a time or a place: *May*, *April*."""
    row = lookup_first_name(word)
    return row is not None and row.is_word


def _is_known_thing(word: str) -> bool:
    """Whether the dictionary has a capitalised word as a thing alone, and nobody is called so."""
    share = animacy_share(word)
    is_person_name = is_surname(word) or lookup_first_name(word) is not None
    return share is not None and share <= _THING_SHARE and not is_person_name


def is_figure(word: str) -> bool:
    """Whether a word is written in digits: years, sums and scores are never *he* or *she*.

    >>> is_figure("1801"), is_figure("$5"), is_figure("two"), is_figure("R2D2")
    (True, True, False, False)
    """
    return any(map(str.isdigit, word)) and not any(map(str.isalpha, word))


def _gender_by_animacy(lemma: str) -> int:
    """The genders that the senses of a noun leave open; 0 for unknown nouns."""
    share = animacy_share(lemma)
    if share is None:
        return 0
    if _THING_SHARE < share < _BEING_SHARE:
        return ANY_GENDER
    if share <= _THING_SHARE:
        return NEUTER
    return ANIMATE if person_share(lemma) >= _PERSON_SHARE else ANY_GENDER
