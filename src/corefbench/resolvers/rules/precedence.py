"""Disjoint reference without a parse (Kennedy & Boguraev 1996, §2.2.3).

What configuration would tell is inferred from grammatical functions, from the flags EMBED and
ADJUNCT, and from what precedes what:

1. co-arguments: an object or oblique that follows a subject or object, no subject in between;
2. command: a noun that follows a pronoun which is neither in an adjunct nor in a noun phrase;
3. containment: an embedded pronoun that follows a referent which is not, none such in between;
   and the phrase that a pronoun is part of.
"""

from collections.abc import Iterable
from itertools import accumulate
from typing import Literal, TypeAlias

from corefbench.preprocess.discourse import Discourse
from corefbench.preprocess.phrase import Phrase
from corefbench.resolvers.rules.binding import is_bound
from corefbench.resolvers.rules.window import near

Condition: TypeAlias = Literal["", "co-arguments", "command", "containment"]

_HIGHER = frozenset(("subject", "object"))
_LOWER = frozenset(("object", "indirect", "oblique"))
_SUBJECTS = frozenset(("nsubj", "nsubj:pass", "nsubj:outer", "expl"))
_RELATIVE_TAGS = frozenset(("WP", "WDT"))


class Precedence:
    """The order of subjects and of embedded and free referents, over one document."""

    def __init__(self, discourse: Discourse, *, literal: bool = False, tree: bool = False) -> None:
        """``literal``: co-arguments only where the pronoun comes first, as printed;
        ``tree``: contexts are clauses and phrases, not runs of flags."""
        self._discourse = discourse
        self._literal = literal
        self._tree = tree
        relations = discourse.analysis.relations
        self._subject_tokens = [t for t, relation in enumerate(relations) if relation in _SUBJECTS]
        self._subjects = _counts(relation in _SUBJECTS for relation in relations)
        referring = [phrase for phrase in discourse.phrases if not phrase.pleonastic]
        free = {phrase.head for phrase in referring if not phrase.embedded}
        arguments = {phrase.head for phrase in referring if not phrase.adjunct}
        tokens = range(len(relations))
        self._free = _counts(token in free for token in tokens)
        self._arguments = _counts(token in arguments for token in tokens)

    def condition(self, pronoun: Phrase, other: Phrase) -> Condition:
        """Why a pronoun and another phrase of its sentence are disjoint; empty if they are not."""
        if self._contains(other, pronoun):
            return "containment"
        if self._co_arguments(pronoun, other):
            return "co-arguments"
        follows = other.start > pronoun.start
        free = not pronoun.embedded and not pronoun.adjunct
        return "command" if follows and free and other.pronoun is None else ""

    def share_embedding(self, one: Phrase, other: Phrase) -> bool:
        """Whether both are in the same noun phrase or relative clause."""
        return one.embedded and other.embedded and self._share(one, other, self._free, "acl")

    def share_adjunct(self, one: Phrase, other: Phrase) -> bool:
        """Whether both are in the same adverbial."""
        return one.adjunct and other.adjunct and self._share(one, other, self._arguments, "advcl")

    def binders(self, anaphor: Phrase) -> list[Phrase]:
        """What may bind a reflexive: the closest subject before it and, unless it is the direct
        object, the closest direct object after that subject."""
        before = [
            phrase
            for phrase in near(self._discourse, anaphor)
            if phrase.head < anaphor.head and not phrase.pleonastic and not is_bound(phrase)
        ]
        found = self._closest_subject(anaphor, before)
        if anaphor.function != "object":
            objects = [
                phrase
                for phrase in before
                if phrase.function == "object"
                and _none_between(self._subjects, phrase.head, anaphor.head)
            ]
            found += _closest(objects)
        return found

    def _closest_subject(self, anaphor: Phrase, before: list[Phrase]) -> list[Phrase]:
        """The closest subject; for a relative pronoun, the referent that it follows."""
        subjects = _closest(phrase for phrase in before if phrase.function == "subject")
        relative = self._relative_subject(anaphor)
        if relative >= 0 and (not subjects or subjects[-1].head < relative):
            return _closest(phrase for phrase in before if phrase.head < relative)
        return subjects

    def _relative_subject(self, anaphor: Phrase) -> int:
        """The closest relative pronoun before an anaphor that is a subject, or -1."""
        analysis = self._discourse.analysis
        start, _ = analysis.sentences[anaphor.sentence]
        before = self._subjects[anaphor.head]
        token = self._subject_tokens[before - 1] if before else -1
        return token if token >= start and analysis.xpos[token] in _RELATIVE_TAGS else -1

    def _co_arguments(self, pronoun: Phrase, other: Phrase) -> bool:
        first, second = sorted((pronoun, other), key=lambda phrase: phrase.head)
        if (self._literal and first is not pronoun) or is_bound(other) or is_bound(pronoun):
            return False
        return (
            first.function in _HIGHER
            and second.function in _LOWER
            and _none_between(self._subjects, first.head, second.head)
        )

    def _contains(self, other: Phrase, pronoun: Phrase) -> bool:
        if other.start <= pronoun.start and pronoun.end <= other.end:
            return True
        return (
            pronoun.embedded
            and not other.embedded
            and other.head < pronoun.head
            and _none_between(self._free, other.head, pronoun.head)
        )

    def _share(self, one: Phrase, other: Phrase, outside: list[int], clause: str) -> bool:
        if not self._tree:
            first, second = sorted((one.head, other.head))
            return _none_between(outside, first, second)
        if one.clause == other.clause and one.clause >= 0:
            relation = self._discourse.clauses[one.clause].relation
            if relation.partition(":")[0] == clause:
                return True
        return one.parent == other.parent and one.parent >= 0


def _counts(flags: Iterable[bool]) -> list[int]:
    """How many of the flags before each place are set."""
    return list(accumulate(flags, initial=0))


def _none_between(counts: list[int], first: int, second: int) -> bool:
    """Whether no flag is set after the first place and before the second."""
    return counts[second] <= counts[first + 1]


def _closest(phrases: Iterable[Phrase]) -> list[Phrase]:
    """Of phrases that all precede, those whose last word is closest; coordinations come along."""
    found = list(phrases)
    if not found:
        return []
    last = max(found, key=lambda phrase: (phrase.head, phrase.end)).head
    return [
        phrase
        for phrase in found
        if phrase.head == last or (phrase.coordination and phrase.start <= last < phrase.end)
    ]
