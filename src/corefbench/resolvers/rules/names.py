"""Which proper names are the same: equal, or one a part of the other (*Clinton*, *Bill Clinton*).

Titles and company forms do not count (*Mr. Clinton*, *Ford Inc.*), initials stand for names.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TypeAlias

from corefbench.language.agreement import NEUTER, PLURAL
from corefbench.language.animacy import animacy
from corefbench.language.titles import gender_of_title
from corefbench.preprocess.discourse import Discourse
from corefbench.preprocess.entity_labels import entity_type
from corefbench.preprocess.phrase import Phrase
from corefbench.record import Record

_SUFFIXES = "jr sr ii iii iv esq phd md inc corp corporation co company ltd limited llc plc gmbh ag"

_IGNORED = frozenset({*_SUFFIXES.split(), "the"})
"""Suffixes and company forms: like titles, they neither make nor break a match."""

_LINKS = frozenset({"of", "de", "del", "la", "von", "van", "der", "den", "du", "di", "da", "for"})
"""What joins the words of a name to those that follow its base phrase: *University of Chicago*."""

_NAME_TAGS = frozenset({"PROPN", "X", "NUM"})
_NOT_NAMES = frozenset({"DET", "PRON", "PART", "PUNCT"})
_OF_PERSONS = frozenset({"", "person", "animal"})
"""The types of what may have a first and a last name."""
_LONGEST = 3
"""More parts than these has no name of a person about whom nothing else is known."""

Parts: TypeAlias = tuple[str, ...]


class Name(Record, frozen=True):
    """The words that make a name, in lower case, and whether it is or may be a person's."""

    parts: Parts
    kind: str
    """The type of entity, where it is known."""
    is_person: bool
    may_be_person: bool


class Names:
    """The names of a discourse, worked out once."""

    def __init__(self, discourse: Discourse) -> None:
        self._phrases = discourse.phrases
        self._names = {
            phrase.index: name_of(discourse, phrase)
            for phrase in discourse.phrases
            if phrase.kind == "name"
        }
        self.parts: dict[int, Parts] = {index: name.parts for index, name in self._names.items()}
        """For every name the words that it is matched by."""

    def same(self, one: Phrase, other: Phrase) -> bool:
        """Whether two phrases are names that may be of one entity.

        Equal names match. *Clinton* and *Bill* match *Bill Clinton* where nothing says that one is
        not a person; of names about which nothing is known the last part must match. Names that
        clash in number or gender never match, nor do names one in the other.
        """
        name, another = self._names.get(one.index), self._names.get(other.index)
        if name is None or another is None or one.agreement.clash(other.agreement):
            return False
        nested = one.start < other.end and other.start < one.end
        if nested or _one_is_no_person(name.kind, another.kind):
            return False
        if name.parts == another.parts:
            return True
        plural = PLURAL in (one.agreement.number, other.agreement.number)
        return not plural and _is_short_for(name, another)

    def matches(self) -> Iterator[tuple[Phrase, list[Phrase]]]:
        """Every name in text order, with one earlier match of each form, the nearest first."""
        seen: dict[str, dict[Name, Phrase]] = {}
        for index, name in self._names.items():
            phrase = self._phrases[index]
            ends = {name.parts[0], name.parts[-1]}
            near = {earlier.index for end in ends for earlier in seen.get(end, {}).values()}
            earlier = (self._phrases[one] for one in sorted(near, reverse=True))
            yield phrase, [one for one in earlier if self.same(phrase, one)]
            for end in ends:
                # A form that comes again replaces its last use, so lists stay short.
                seen.setdefault(end, {})[name] = phrase


def same_name(discourse: Discourse, one: Phrase, other: Phrase) -> bool:
    """``Names.same`` of two phrases; to compare many, make ``Names`` of the discourse once."""
    return Names(discourse).same(one, other)


def name_of(discourse: Discourse, phrase: Phrase) -> Name:
    """The name that a phrase is."""
    parts = name_parts(discourse, phrase)
    kind, gender = entity_type(phrase.entity), phrase.agreement.gender
    is_person = kind == "person" or not gender & NEUTER
    may_be = kind in _OF_PERSONS and gender != NEUTER
    if may_be and not is_person:
        share = animacy(parts[-1])
        article = discourse.analysis.upos[phrase.core[0]] == "DET"
        may_be = not article and len(parts) <= _LONGEST and (share is None or share > 0.5)
    return Name(parts=parts, kind=kind, is_person=is_person and may_be, may_be_person=may_be)


def name_parts(discourse: Discourse, phrase: Phrase) -> Parts:
    """The words that make the name, in lower case: no titles, possessors or descriptions.

    Where only titles are left (*the President of France*), the whole phrase is the name.
    """
    analysis = discourse.analysis
    words, tags = analysis.words, analysis.upos
    first, end = phrase.core
    for token in range(first, phrase.head):
        if analysis.heads[token] == phrase.head and analysis.relations[token] == "nmod:poss":
            first = token + 1
    opening = analysis.sentences[phrase.sentence][0]
    tokens = [
        token
        for token in range(first, end)
        if tags[token] in _NAME_TAGS
        or (words[token][:1].isupper() and token > opening and tags[token] not in _NOT_NAMES)
    ]
    parts = _told(words[token] for token in tokens)
    if not parts:
        whole = range(phrase.start, phrase.end)
        return tuple(words[token].lower() for token in whole if tags[token] != "DET")
    if phrase.agreement.gender & NEUTER:
        parts += _told(words[token] for token in _continued(discourse, end, phrase.end))
    return parts


def _told(words: Iterable[str]) -> Parts:
    """The words that tell one name from another."""
    forms = (word.lower().rstrip(".") for word in words)
    return tuple(form for form in forms if form not in _IGNORED and not gender_of_title(form))


def _continued(discourse: Discourse, start: int, end: int) -> list[int]:
    """The name words that follow the base phrase by *of* and the like."""
    words, tags = discourse.analysis.words, discourse.analysis.upos
    found = []
    for token in range(start, end):
        if tags[token] in _NAME_TAGS:
            found.append(token)
        elif words[token].lower() not in _LINKS and tags[token] != "DET":
            break
    return found


def _one_is_no_person(kind: str, other: str) -> bool:
    """Whether one is known to be a person and the other to be something else."""
    return bool(kind and other) and (kind == "person") != (other == "person")


def _is_short_for(one: Name, other: Name) -> bool:
    """Whether one name is a part of the other as a first or last name is."""
    short, long = sorted((one, other), key=lambda name: len(name.parts))
    if not (short.may_be_person and long.may_be_person and _is_part(short.parts, long.parts)):
        return False
    return one.is_person or other.is_person or short.parts[-1] == long.parts[-1]


@lru_cache(maxsize=4096)
def _is_part(parts: Parts, others: Parts) -> bool:
    """Whether the first name is in the second, in order, and takes in its first or last part.

    >>> _is_part(("clinton",), ("bill", "clinton")), _is_part(("b", "clinton"), ("bill", "clinton"))
    (True, True)
    >>> _is_part(("hillary", "clinton"), ("bill", "clinton"))
    False
    >>> _is_part(("jefferson",), ("william", "jefferson", "clinton"))
    False
    >>> _is_part(("b",), ("bill", "clinton"))
    False
    """
    if parts[0] != others[0] and parts[-1] != others[-1]:
        return False
    rest = iter(others)
    return all(any(_stands_for(part, other) for other in rest) for part in parts)


def _stands_for(part: str, other: str) -> bool:
    """Whether two parts are equal or one is the initial of the other."""
    return part == other or (min(len(part), len(other)) == 1 and part[:1] == other[:1])
