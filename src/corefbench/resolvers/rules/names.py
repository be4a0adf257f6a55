"""Match proper names: equal, or one a part of the other (*Clinton*, *Bill Clinton*).

Titles and company forms are ignored (*Mr. Clinton*, *Ford Inc.*), and initials match names.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TypeAlias

from corefbench.preprocess.discourse import Discourse, Phrase
from corefbench.preprocess.english.agreement import NEUTER, PLURAL
from corefbench.preprocess.english.names import gender_of_title
from corefbench.preprocess.english.nouns import animacy_share
from corefbench.preprocess.labels import normalize_entity_type
from corefbench.records import Record

_SUFFIXES = "jr sr ii iii iv esq phd md inc corp corporation co company ltd limited llc plc gmbh ag"

_IGNORED_WORDS = frozenset({*_SUFFIXES.split(), "the"})
"""Suffixes and company forms, which are ignored like titles."""

_LINKS = frozenset({"of", "de", "del", "la", "von", "van", "der", "den", "du", "di", "da", "for"})
"""Words that continue a name after its base phrase: *University of Chicago*."""

_NAME_TAGS = frozenset({"PROPN", "X", "NUM"})
_NOT_NAMES = frozenset({"DET", "PRON", "PART", "PUNCT"})
_PERSON_TYPES = frozenset({"", "person", "animal"})
"""Entity types that may have a first and a last name."""
_MAX_PARTS = 3
"""A longer name is no person's unless there is other evidence."""

Parts: TypeAlias = tuple[str, ...]


class Name(Record, frozen=True):
    """The words of a name in lower case, and whether it is or may be a person's."""

    parts: Parts
    kind: str
    """The entity type, if known."""
    is_person: bool
    may_be_person: bool


class Names:
    """The names of a discourse."""

    def __init__(self, discourse: Discourse) -> None:
        self._phrases = discourse.phrases
        self._names = {
            phrase.index: make_name(discourse, phrase) for phrase in discourse.phrases if phrase.kind == "name"
        }
        self.parts: dict[int, Parts] = {index: name.parts for index, name in self._names.items()}
        """For every name the words by which it is matched."""

    def same(self, phrase: Phrase, other: Phrase) -> bool:
        """Return whether two phrases are names of possibly one entity.

        Equal names match. *Clinton* and *Bill* match *Bill Clinton* where nothing says that one is
        not a person; of names about which nothing is known the last part must match. Names that
        clash in number or gender never match, nor do names one in the other.
        """
        name, another = self._names.get(phrase.index), self._names.get(other.index)
        if name is None or another is None or phrase.agreement.clash(other.agreement):
            return False
        # *Ford* inside *Ford Motor Company* is another entity.
        nested = phrase.start < other.end and other.start < phrase.end
        if nested or _one_is_no_person(name.kind, another.kind):
            return False
        if name.parts == another.parts:
            return True
        plural = PLURAL in (phrase.agreement.number, other.agreement.number)
        return not plural and _is_short_for(name, another)

    def matches(self) -> Iterator[tuple[Phrase, list[Phrase]]]:
        """Yield every name in text order with one earlier match of each form, the nearest first."""
        seen: dict[str, dict[Name, Phrase]] = {}
        for index, name in self._names.items():
            phrase = self._phrases[index]
            ends = {name.parts[0], name.parts[-1]}
            near = {earlier.index for end in ends for earlier in seen.get(end, {}).values()}
            earlier = (self._phrases[other] for other in sorted(near, reverse=True))
            yield phrase, [match for match in earlier if self.same(phrase, match)]
            for end in ends:
                # A form that comes again replaces its last use, so lists stay short.
                seen.setdefault(end, {})[name] = phrase


def make_name(discourse: Discourse, phrase: Phrase) -> Name:
    """Make the name of a phrase."""
    parts = name_parts(discourse, phrase)
    kind, gender = normalize_entity_type(phrase.entity), phrase.agreement.gender
    is_person = kind == "person" or not gender & NEUTER
    may_be = kind in _PERSON_TYPES and gender != NEUTER
    if may_be and not is_person:
        # *Times* or *Street* at the end speaks against a person.
        share = animacy_share(parts[-1])
        article = discourse.analysis.upos[phrase.core[0]] == "DET"
        may_be = not article and len(parts) <= _MAX_PARTS and (share is None or share > 0.5)
    return Name(parts=parts, kind=kind, is_person=is_person and may_be, may_be_person=may_be)


def name_parts(discourse: Discourse, phrase: Phrase) -> Parts:
    """Return the words of the name in lower case, without titles, possessors or descriptions.

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
    parts = _distinguishing_words(words[token] for token in tokens)
    if not parts:
        whole = range(phrase.start, phrase.end)
        return tuple(words[token].lower() for token in whole if tags[token] != "DET")
    if phrase.agreement.gender & NEUTER:
        parts += _distinguishing_words(words[token] for token in _continuation(discourse, end, phrase.end))
    return parts


def _distinguishing_words(words: Iterable[str]) -> Parts:
    """Return the words that distinguish names."""
    forms = (word.lower().rstrip(".") for word in words)
    return tuple(form for form in forms if form not in _IGNORED_WORDS and not gender_of_title(form))


def _continuation(discourse: Discourse, start: int, end: int) -> list[int]:
    """Return the name words that follow the base phrase after *of* and the like."""
    words, tags = discourse.analysis.words, discourse.analysis.upos
    tokens = []
    for token in range(start, end):
        if tags[token] in _NAME_TAGS:
            tokens.append(token)
        elif words[token].lower() not in _LINKS and tags[token] != "DET":
            break
    return tokens


def _one_is_no_person(kind: str, other: str) -> bool:
    """Whether one is known to be a person and the other to be something else."""
    return bool(kind and other) and (kind == "person") != (other == "person")


def _is_short_for(name: Name, other: Name) -> bool:
    """Return whether one name is a part of the other, as a first or last name is."""
    short, long = sorted((name, other), key=lambda name: len(name.parts))
    if not (short.may_be_person and long.may_be_person and _is_part(short.parts, long.parts)):
        return False
    return name.is_person or other.is_person or short.parts[-1] == long.parts[-1]


@lru_cache(maxsize=4096)
def _is_part(parts: Parts, others: Parts) -> bool:
    """Return whether the first name is in the second, in order, with its first or last part.

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
