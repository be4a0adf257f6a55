"""Documents as resolvers see them: noun phrases, clauses and their analysis.

``build_discourse`` makes one discourse per document, from the noun phrases of the pipeline
(automatic mode) or from the mentions of a key (annotated mode). It is never changed: resolvers keep
state of their own.
"""

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from typing import Literal, TypeAlias

from corefbench.preprocess.analysis import Analysis
from corefbench.preprocess.english.pronouns import Agreement, Pronoun
from corefbench.records import Record

Kind: TypeAlias = Literal["pronoun", "name", "nominal"]

Function: TypeAlias = Literal["subject", "existential", "possessive", "object", "indirect", "oblique", "other"]
"""Grammatical function. Of a conjunct: that of the first. ``existential`` is the notional subject
of *there is*; ``oblique`` any nominal with a preposition; ``possessive`` one in nmod:poss."""

Definiteness: TypeAlias = Literal["definite", "indefinite", "neither"]
"""By article, demonstrative or possessive; names and pronouns are ``neither``."""


class Phrase(Record, frozen=True):
    """A noun phrase, or in annotated mode a mention of the key."""

    index: int
    """Its index in ``Discourse.phrases``."""
    start: int
    end: int
    """The whole phrase, with what follows its head; half-open token span."""
    core: tuple[int, int]
    """The base noun phrase: determiner, modifiers and head, without complements."""
    head: int
    """The token that the rest depends on."""
    sentence: int
    kind: Kind
    pronoun: Pronoun | None
    """The row of the pronoun table, for pronouns of any person."""
    agreement: Agreement
    function: Function
    embedded: bool
    """EMBED: inside another noun phrase, by a preposition or a clause (not as a possessor)."""
    adjunct: bool
    """ADJUNCT: inside an adverbial that opens its clause or is set off by a comma."""
    prepositional: bool
    """Whether a preposition introduces it."""
    definiteness: Definiteness
    clause: int
    """The innermost clause, an index into ``Discourse.clauses``."""
    parent: int = -1
    """The smallest phrase that properly contains it, -1 for none."""
    coordination: bool = False
    """Whether it is a whole coordination, which has its conjuncts as phrases of their own."""
    pleonastic: bool = False
    """Whether it is a pleonastic *it*."""
    entity: str = ""
    """The entity type of its head (person, organization, place …), if known."""

    @property
    def anaphoric(self) -> bool:
        """Whether the classic systems try to resolve it: third person, referring, definite."""
        return self.pronoun is not None and self.pronoun.is_anaphor and not self.pleonastic

    def contains(self, other: "Phrase") -> bool:
        """Return whether another phrase lies in this one, or has the same span."""
        return self.start <= other.start and other.end <= self.end


class Clause(Record, frozen=True):
    """A clause: its verb or predicate, and the clause it lies in."""

    head: int
    sentence: int
    parent: int
    """An index into ``Discourse.clauses``; -1 for a main clause."""
    finite: bool
    relation: str
    """Its dependency relation: root, conj, ccomp, advcl, acl:relcl …"""


class Discourse(Record, frozen=True, dict=True):
    """A document ready to be resolved.

    ``phrases`` are in the order in which they begin, the longer first; ``clauses`` in the order
    of their heads.
    """

    analysis: Analysis
    phrases: tuple[Phrase, ...]
    clauses: tuple[Clause, ...]
    mentions: str = "predicted"
    """``predicted`` or ``gold``: whether the phrases are the pipeline's or the key's mentions."""

    @cached_property
    def anaphors(self) -> tuple[Phrase, ...]:
        """The pronouns to resolve, in text order."""
        return tuple(phrase for phrase in self.phrases if phrase.anaphoric)

    @cached_property
    def by_sentence(self) -> tuple[tuple[Phrase, ...], ...]:
        """The phrases of every sentence."""
        sentences: list[list[Phrase]] = [[] for _ in self.analysis.sentences]
        for phrase in self.phrases:
            sentences[phrase.sentence].append(phrase)
        return tuple(map(tuple, sentences))

    def sentence_at(self, token: int) -> int:
        """Return the sentence of a token."""
        return bisect_right(self._sentence_starts, token) - 1

    @cached_property
    def _sentence_starts(self) -> tuple[int, ...]:
        return tuple(start for start, _ in self.analysis.sentences)

    def text_of(self, phrase: Phrase) -> str:
        """Return the phrase as in the text."""
        offsets = self.analysis.offsets
        return self.analysis.text[offsets[phrase.start][0] : offsets[phrase.end - 1][1]]

    def words_of(self, phrase: Phrase) -> Sequence[str]:
        """Return the words of the phrase."""
        return self.analysis.words[phrase.start : phrase.end]


MAX_BEFORE = 120
MAX_AFTER = 40


def nearby_phrases(discourse: Discourse, anaphor: Phrase, back: int = 0) -> list[Phrase]:
    """Return the other phrases of the anaphor's sentence and of ``back`` sentences before it.

    However long sentences are, at most ``MAX_BEFORE`` phrases before the anaphor and ``MAX_AFTER``
    after it are returned, so that the time to resolve a document is linear in its length. Six
    sentences have about fifty phrases.
    """
    phrases, index = discourse.phrases, anaphor.index
    first = index
    earliest = max(0, index - MAX_BEFORE)
    oldest = anaphor.sentence - back
    while first > earliest and phrases[first - 1].sentence >= oldest:
        first -= 1
    last = index + 1
    latest = min(len(phrases), last + MAX_AFTER)
    while last < latest and phrases[last].sentence <= anaphor.sentence:
        last += 1
    return [*phrases[first:index], *phrases[index + 1 : last]]
