"""Where the persons and the pronoun of a Winogender sentence stand."""

import re
from collections.abc import Callable
from typing import TypeAlias

Edges: TypeAlias = tuple[int, int, int, int, int, int]
"""Where the occupation, the participant and the pronoun begin and end."""
Span: TypeAlias = tuple[int, int]
Search: TypeAlias = Callable[[str], re.Match[str] | None]

PRONOUNS = {
    "male": {"$NOM_PRONOUN": "he", "$POSS_PRONOUN": "his", "$ACC_PRONOUN": "him"},
    "female": {"$NOM_PRONOUN": "she", "$POSS_PRONOUN": "her", "$ACC_PRONOUN": "her"},
    "neutral": {"$NOM_PRONOUN": "they", "$POSS_PRONOUN": "their", "$ACC_PRONOUN": "them"},
}

_ARTICLES = ("the ", "an ", "a ")
_WORD = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_")
_PRONOUN: dict[str, Search] = {
    gender: re.compile(rf"\b(?:{'|'.join(sorted(set(forms.values())))})\b", re.IGNORECASE).search
    for gender, forms in PRONOUNS.items()
}


def find_mentions(text: str, occupation: str, participant: str, gender: str) -> Edges | None:
    """Where they stand, persons with their articles; None unless all three do, each elsewhere.
    Nothing is found for no gender.

    >>> find_mentions("The cook met a guest as he left.", "cook", "guest", "male")
    (0, 8, 13, 20, 24, 26)
    """
    pronoun = _PRONOUN[gender](text) if gender else None
    if text.isascii():
        small = text.lower()
        one, other = _find(small, occupation), _find(small, participant)
    else:
        one, other = _search(text, occupation), _search(text, participant)
    if one is None or other is None or pronoun is None:
        return None
    last = pronoun.span()
    return None if one == other or last in (one, other) else (*one, *other, *last)


def _find(small: str, person: str) -> Span | None:
    """A person in a text of small ASCII letters, without the cost of a pattern a person."""
    name = person.lower()
    if name[:1] not in _WORD or name[-1:] not in _WORD:
        return _search(small, person)
    at = small.find(name)
    while at >= 0:
        end = at + len(name)
        if small[end : end + 1] not in _WORD and not (at and small[at - 1] in _WORD):
            return _with_article(small, at), end
        at = small.find(name, at + 1)
    return None


def _with_article(small: str, at: int) -> int:
    """Where what begins there begins with the article before it, if one is."""
    for article in _ARTICLES:
        if small.endswith(article, 0, at):
            begin = at - len(article)
            return at if begin and small[begin - 1] in _WORD else begin
    return at


def _search(text: str, person: str) -> Span | None:
    """The same for any text and any name."""
    pattern = rf"\b(?:(?:the|an?) )?{re.escape(person)}\b"
    match = re.search(pattern, text, re.IGNORECASE)
    return match.span() if match is not None else None
