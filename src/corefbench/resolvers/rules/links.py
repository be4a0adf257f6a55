"""Match proper names: equal, or one a part of the other (*Clinton*, *Bill Clinton*).

Titles and company forms are ignored (*Mr. Clinton*, *Ford Inc.*), and initials match names.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TypeAlias

from corefbench.preprocess.analysis import normalize_entity_type
from corefbench.preprocess.discourse import Discourse, Phrase
from corefbench.preprocess.english.lexicon import animacy_share, gender_of_title
from corefbench.preprocess.english.pronouns import FIRST, NEUTER, PLURAL, SINGULAR
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
_OPENING = frozenset({"“", "``", "«"})
_CLOSING = frozenset({"”", "''", "»"})
_EITHER = '"'
_MARKS = _OPENING | _CLOSING | {_EITHER}
_SPEECH_VERB_LIST = """
say tell add ask reply answer note explain declare claim insist announce argue shout whisper
cry remark observe warn admit deny suggest state write think conclude continue joke
"""
_SPEECH_VERBS = frozenset(_SPEECH_VERB_LIST.split())


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
            # Names that match have their first or their last part in common: only those are compared.
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


def find_appositions(discourse: Discourse) -> dict[int, Phrase]:
    """Return for every apposition, by the index of its phrase, the phrase that it renames.

    An indefinite (*Julia, a lawyer*) says what somebody is and names nobody anew; what disagrees in
    number or gender is no apposition but a parser's mistake.
    """
    heads, relations = discourse.analysis.heads, discourse.analysis.relations
    by_head = {p.head: p for p in discourse.phrases if not p.coordination and p.pronoun is None}
    renamed: dict[int, Phrase] = {}
    for phrase in by_head.values():
        if relations[phrase.head] == "appos" and phrase.definiteness != "indefinite":
            head_phrase = by_head.get(heads[phrase.head])
            if head_phrase is not None and not phrase.agreement.clash(head_phrase.agreement):
                renamed[phrase.index] = head_phrase
    return renamed


def find_descriptions(discourse: Discourse) -> dict[int, Phrase]:
    """Return the phrases that appositions and nominal predicates describe.

    In "Ann, a doctor, is the owner" both *a doctor* and *the owner* describe *Ann*. Only phrases
    that come first are described, and only where the two do not clash.
    """
    heads, relations = discourse.analysis.heads, discourse.analysis.relations
    copulas = {heads[token] for token, relation in enumerate(relations) if relation == "cop"}
    by_head = {phrase.head: phrase for phrase in discourse.phrases if not phrase.coordination}
    # A coordination has the head of its first conjunct, and what is predicated is said of the whole.
    by_head |= {phrase.head: phrase for phrase in discourse.phrases if phrase.coordination}
    described: dict[int, Phrase] = {}
    for phrase in discourse.phrases:
        relation = relations[phrase.head]
        if relation == "appos" and heads[phrase.head] in by_head:
            _add_description(described, phrase, by_head[heads[phrase.head]])
        elif relation.startswith("nsubj") and heads[phrase.head] in copulas:
            predicate = by_head.get(heads[phrase.head])
            if predicate is not None:
                _add_description(described, predicate, phrase)
    return described


def _add_description(described: dict[int, Phrase], description: Phrase, phrase: Phrase) -> None:
    first = phrase.index < description.index
    if first and description.pronoun is None and not phrase.agreement.clash(description.agreement):
        described[description.index] = phrase


class Quotations:
    """The quoted words of a text and their speakers."""

    def __init__(self, discourse: Discourse) -> None:
        analysis = discourse.analysis
        self._quoted = mark_quoted(analysis.words)
        self._speakers: dict[int, list[Phrase]] = {}
        for phrase in discourse.phrases:
            governor = analysis.heads[phrase.head]
            if (
                phrase.function == "subject"
                and governor >= 0
                and analysis.lemmas[governor] in _SPEECH_VERBS
                and not self._quoted[phrase.head]
            ):
                self._speakers.setdefault(phrase.sentence, []).append(phrase)

    def quotes(self, phrase: Phrase) -> bool:
        """Return whether a phrase is in a quotation."""
        return self._quoted[phrase.head]

    def speakers(self, anaphor: Phrase) -> list[Phrase]:
        """Return the speakers of the quotation around an anaphor; none outside quotations."""
        return self._speakers.get(anaphor.sentence, []) if self._quoted[anaphor.head] else []


def mark_quoted(words: tuple[str, ...]) -> list[bool]:
    """Return which words are between quotation marks.

    >>> mark_quoted(("“", "He", "”", "she", '"', "it", '"'))
    [False, True, False, False, False, True, False]
    """
    inside, flags = False, []
    for word in words:
        if word in _OPENING:
            inside = True
        elif word in _CLOSING:
            inside = False
        elif word == _EITHER:
            inside = not inside
        flags.append(inside and word not in _MARKS)
    return flags


def find_speaker_links(discourse: Discourse) -> Iterator[tuple[Phrase, Phrase]]:
    """Yield first- and second-person pronouns with an earlier or quoting phrase as antecedent.

    *I* and *me* of one speaker are one; where nobody is named, all of a stretch outside quotations
    are the narrator. Inside a quotation *I* is who says it. *you* and *we* are linked to the last
    of their kind in the same turn or stretch.
    """
    speakers = discourse.analysis.speakers
    quotations = Quotations(discourse)
    last: dict[tuple[object, ...], Phrase] = {}
    for phrase in discourse.phrases:
        pronoun = phrase.pronoun
        if pronoun is None or pronoun.kind not in ("personal", "possessive", "reflexive"):
            continue
        if pronoun.is_anaphor:
            continue
        quoting = quotations.speakers(phrase)
        # *I* in a quotation is its speaker; *we* may include others.
        singular = pronoun.agreement.person == FIRST and pronoun.agreement.number == SINGULAR
        if singular and quoting and quoting[0].index != phrase.index:
            yield phrase, quoting[0]
            continue
        turn = speakers[phrase.head] if speakers is not None else ""
        quoted = (phrase.sentence,) if quotations.quotes(phrase) else ()
        key = (turn, pronoun.agreement.person, pronoun.agreement.number, *quoted)
        if key in last:
            yield phrase, last[key]
        last[key] = phrase
