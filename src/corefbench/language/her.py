"""The two uses of *her*: possessive (*her dog*) and personal (*saw her*)."""

from typing import Literal

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


def kind_of_her(next_word: str | None, tag: str = "") -> Literal["possessive", "personal"]:
    """Whether *her* is possessive: by its tag (``PRP$``), else by the word that follows.

    Without a tag it is taken to be possessive before a word that can begin a noun phrase's inside,
    and personal before punctuation, a function word or the end of the sentence.

    >>> kind_of_her("dog"), kind_of_her("."), kind_of_her("to"), kind_of_her("dog", "PRP")
    ('possessive', 'personal', 'personal', 'personal')
    """
    if tag.startswith("PRP"):
        return "possessive" if tag == "PRP$" else "personal"
    if next_word is None or not next_word[:1].isalnum():
        return "personal"
    return "personal" if next_word.lower() in _NOT_POSSESSED else "possessive"
