"""Agreement in person, number and gender, and the table of English pronouns.

Agreement is kept in bit masks, because resolvers compare it by the thousand: two phrases clash if
their masks do not overlap.

Two forms are ambiguous: *her* is possessive or object (``classify_her``), *that* is demonstrative
or relative (by its tag).
"""

from typing import Literal, TypeAlias

from corefbench.records import Record

FIRST, SECOND, THIRD = 1, 2, 4
SINGULAR, PLURAL = 1, 2
MASCULINE, FEMININE, NEUTER = 1, 2, 4

ANIMATE = MASCULINE | FEMININE
ANY_NUMBER = SINGULAR | PLURAL
ANY_GENDER = MASCULINE | FEMININE | NEUTER

Clash: TypeAlias = Literal["", "person", "number", "gender", "animacy"]


class Agreement(Record, frozen=True):
    """Agreement features of a phrase; a mask with several bits leaves the value open.

    Animacy is part of gender: he and she are animate, it is neuter; a person of unknown gender is
    ``ANIMATE``, an organisation ``NEUTER``.
    """

    person: int = THIRD
    number: int = ANY_NUMBER
    gender: int = ANY_GENDER

    def clash(self, other: "Agreement") -> Clash:
        """Return the first of person, number, animacy and gender that two phrases disagree in.

        >>> Agreement(number=PLURAL).clash(Agreement(number=SINGULAR))
        'number'
        >>> Agreement(gender=MASCULINE).clash(Agreement(gender=NEUTER))
        'animacy'
        >>> Agreement(gender=MASCULINE).clash(Agreement(gender=ANIMATE))
        ''
        """
        if not self.person & other.person:
            return "person"
        if not self.number & other.number:
            return "number"
        if self.gender & other.gender:
            return ""
        return "gender" if self.gender & ANIMATE and other.gender & ANIMATE else "animacy"

    def merge(self, other: "Agreement") -> "Agreement":
        """Return what both phrases leave open; where they clash, the first wins.

        >>> Agreement(number=ANY_NUMBER, gender=ANIMATE).merge(Agreement(number=SINGULAR))
        Agreement(person=4, number=1, gender=3)
        """
        if self == other:
            return self
        return Agreement(
            person=self.person & other.person or self.person,
            number=self.number & other.number or self.number,
            gender=self.gender & other.gender or self.gender,
        )


_FOLLOWS_AN_OBJECT = """
a about after again ago all also although am among an and any anymore anyway are around as at
away back be because been before being but by can could did do does down during either else ever
every everything except for from going had has have he here him his how i if in into is it just
like may me might must never nor not now of off on once one or out outside over please quite
rather she should since so some something sometimes somewhere soon still such than that the
their them then there these they this those though through till to today together tomorrow too
toward towards under unless until up upon us was we were what when where whether which while who
whom why will with within without would yesterday yet you your 's ’s 'll ’ll 'd ’d n't n’t
"""
_NOT_POSSESSED = frozenset(_FOLLOWS_AN_OBJECT.split())
"""Words that do not begin what *her* possesses."""
PronounKind: TypeAlias = Literal[
    "personal", "possessive", "reflexive", "reciprocal", "demonstrative", "relative", "indefinite"
]
_ROWS: tuple[tuple[PronounKind, int, int, int, str], ...] = (
    ("personal", THIRD, SINGULAR, MASCULINE, "he him"),
    ("possessive", THIRD, SINGULAR, MASCULINE, "his"),
    ("reflexive", THIRD, SINGULAR, MASCULINE, "himself"),
    ("personal", THIRD, SINGULAR, FEMININE, "she her"),
    ("possessive", THIRD, SINGULAR, FEMININE, "hers"),
    ("reflexive", THIRD, SINGULAR, FEMININE, "herself"),
    ("personal", THIRD, SINGULAR, NEUTER, "it"),
    ("possessive", THIRD, SINGULAR, NEUTER, "its"),
    ("reflexive", THIRD, SINGULAR, NEUTER, "itself"),
    ("personal", THIRD, PLURAL, ANY_GENDER, "they them 'em ’em"),
    ("possessive", THIRD, PLURAL, ANY_GENDER, "their theirs"),
    ("reflexive", THIRD, PLURAL, ANY_GENDER, "themselves"),
    ("reflexive", THIRD, SINGULAR, ANY_GENDER, "themself"),
    ("reciprocal", THIRD, PLURAL, ANY_GENDER, "each_other one_another"),
    ("personal", FIRST, SINGULAR, ANIMATE, "i me"),
    ("possessive", FIRST, SINGULAR, ANIMATE, "my mine"),
    ("reflexive", FIRST, SINGULAR, ANIMATE, "myself"),
    ("personal", FIRST, PLURAL, ANIMATE, "we us 's ’s"),
    ("possessive", FIRST, PLURAL, ANIMATE, "our ours"),
    ("reflexive", FIRST, PLURAL, ANIMATE, "ourselves ourself"),
    ("personal", SECOND, ANY_NUMBER, ANIMATE, "you ya thou thee ye"),
    ("possessive", SECOND, ANY_NUMBER, ANIMATE, "your yours thy thine"),
    ("reflexive", SECOND, SINGULAR, ANIMATE, "yourself thyself"),
    ("reflexive", SECOND, PLURAL, ANIMATE, "yourselves"),
    ("indefinite", THIRD, SINGULAR, ANY_GENDER, "one one's one’s oneself"),
    ("demonstrative", THIRD, SINGULAR, NEUTER, "this that"),
    ("demonstrative", THIRD, PLURAL, ANY_GENDER, "these those"),
    ("relative", THIRD, ANY_NUMBER, ANIMATE, "who whom whoever whomever"),
    ("relative", THIRD, ANY_NUMBER, ANY_GENDER, "whose"),
    ("relative", THIRD, ANY_NUMBER, NEUTER, "which whichever what whatever"),
    (
        # *they* takes them up as readily as *he* and *she*: "Everyone took their hat."
        "indefinite", THIRD, ANY_NUMBER, ANIMATE,
        "someone somebody anyone anybody everyone everybody no_one no-one nobody",
    ),
    ("indefinite", THIRD, SINGULAR, NEUTER, "something anything everything nothing"),
)  # fmt: skip
_ANAPHORIC = frozenset(("personal", "possessive", "reflexive", "reciprocal"))
_ELSEWHERE: dict[str, frozenset[str]] = {
    "that": frozenset(("IN", "RB", "CC")),
    "'s": frozenset(("", "POS", "VBZ")),
    "one": frozenset(("CD", "NN", "JJ", "NNP")),
    "mine": frozenset(("NN", "NNP", "VB", "VBP")),
}
"""Tags under which a form is no pronoun: conjunction, possessive ending, numeral, noun."""


def classify_her(next_word: str | None, tag: str = "") -> Literal["possessive", "personal"]:
    """Whether *her* is possessive: by its tag (``PRP$``), else by the word that follows.

    Without a tag it is taken to be possessive before a word that can begin a noun phrase's inside,
    and personal before punctuation, a function word or the end of the sentence.

    >>> classify_her("dog"), classify_her("."), classify_her("to"), classify_her("dog", "PRP")
    ('possessive', 'personal', 'personal', 'personal')
    """
    if tag.startswith("PRP"):
        return "possessive" if tag == "PRP$" else "personal"
    if next_word is None or not next_word[:1].isalnum():
        return "personal"
    return "personal" if next_word.lower() in _NOT_POSSESSED else "possessive"


class Pronoun(Record, frozen=True):
    """One form of the table, in lower case."""

    form: str
    kind: PronounKind
    agreement: Agreement
    is_anaphor: bool
    """Whether the classic systems resolve it: third person personal, possessive, reflexive,
    reciprocal."""


def _row(kind: PronounKind, person: int, number: int, gender: int, form: str) -> Pronoun:
    return Pronoun(
        form=form,
        kind=kind,
        agreement=Agreement(person=person, number=number, gender=gender),
        is_anaphor=person == THIRD and kind in _ANAPHORIC,
    )


def lookup_pronoun(form: str, tag: str = "", next_word: str | None = None) -> Pronoun | None:
    """The row of a form, or None where the word, by its Penn tag, is no pronoun.

    Reciprocals are looked up with both words: ``lookup("each other")``. Without a tag *that* is
    taken to be demonstrative and *'s* to be no pronoun; *US* and *IT* tagged as nouns are none.

    >>> lookup_pronoun("Her", "PRP$").kind, lookup_pronoun("her", next_word="dog").kind
    ('possessive', 'possessive')
    >>> lookup_pronoun("that", "IN") is None, lookup_pronoun("that", "WDT").kind
    (True, 'relative')
    """
    key = form.lower().replace("’", "'")
    row = _FORMS.get(key)
    if row is None or tag in _ELSEWHERE.get(key, ()):
        return None
    if key == "her":
        return _HER if classify_her(next_word, tag) == "possessive" else row
    if key == "that" and tag == "WDT":
        return _THAT
    if tag.startswith("NN") and len(form) > 1 and form.isupper() and row.kind != "indefinite":
        return None
    return row


_FORMS: dict[str, Pronoun] = {
    form.replace("_", " "): _row(kind, person, number, gender, form.replace("_", " "))
    for kind, person, number, gender, forms in _ROWS
    for form in forms.split()
}
_HER = _row("possessive", THIRD, SINGULAR, FEMININE, "her")
_THAT = _row("relative", THIRD, ANY_NUMBER, ANY_GENDER, "that")
THIRD_PERSON: dict[str, PronounKind] = {
    form: row.kind for form, row in _FORMS.items() if row.is_anaphor and row.kind != "reciprocal"
}
"""The anaphors of one word that the classic systems resolve: lower-case form → kind. *her* stands
as personal; ``classify_her`` tells its two uses apart."""
