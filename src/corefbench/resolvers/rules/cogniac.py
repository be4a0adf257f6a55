"""CogNIAC (Baldwin 1997): ordered high-precision rules.

Pronouns are resolved from left to right, each by the first rule that picks an antecedent. The text
read so far is kept as entities: a resolved pronoun joins the entity of its antecedent, a name that
of a matching name, appositions and predicates that of the phrase they describe. A pronoun that no
rule resolves stays unresolved and is an entity of its own.

Rules that ask for uniqueness count entities, not mentions: a repeated name is one possible
antecedent. A rule that picks an entity answers with its last mention in the window of the rule.
"""

from collections.abc import Callable, Iterator
from heapq import merge
from itertools import chain, count, islice, takewhile
from typing import ClassVar, TypeAlias

from corefbench.preprocess.discourse import Discourse, Phrase
from corefbench.preprocess.english.pronouns import Agreement
from corefbench.records import Record
from corefbench.resolvers.base import (
    Candidate,
    Decision,
    Dropped,
    Resolution,
    ResolverCard,
    RuleResolver,
    choice,
    parameter,
)
from corefbench.resolvers.rules.binding import Binding, find_reflexive_antecedent, is_bound
from corefbench.resolvers.rules.candidates import iter_preceding
from corefbench.resolvers.rules.links import Names, Quotations, find_descriptions

_Masks: TypeAlias = tuple[int, int, int]


class Entity:
    """Phrases that refer to one thing, in text order."""

    __slots__ = ("agreement", "mentions")

    def __init__(self, phrase: Phrase) -> None:
        self.agreement = phrase.agreement
        self.mentions = [phrase]

    @property
    def latest(self) -> Phrase:
        """The last mention."""
        return self.mentions[-1]

    @property
    def masks(self) -> _Masks:
        """The agreement by which it is indexed."""
        return self.agreement.person, self.agreement.number, self.agreement.gender

    def mentions_since(self, sentence: int) -> int:
        """Return the number of mentions from a sentence on."""
        count = 0
        for phrase in reversed(self.mentions):
            if phrase.sentence < sentence:
                break
            count += 1
        return count


class Entities:
    """The entities of the text read so far.

    They are indexed by agreement, the last mentioned at the end, so that the entities that a pronoun
    may refer to are found without scanning the whole text.
    """

    def __init__(self) -> None:
        self._of: dict[int, Entity] = {}
        # Dictionaries without values serve as ordered sets.
        self._kept: dict[_Masks, dict[Entity, None]] = {}

    def of(self, phrase: Phrase) -> Entity | None:
        """Return the entity of a phrase that has been read."""
        return self._of.get(phrase.index)

    def add(self, phrase: Phrase, entity: Entity | None = None) -> None:
        """Add a phrase as a mention of an entity, or of a new one."""
        if entity is None:
            entity = Entity(phrase)
        else:
            del self._kept[entity.masks][entity]
            entity.agreement = entity.agreement.merge(phrase.agreement)
            entity.mentions.append(phrase)
        self._of[phrase.index] = entity
        self._kept.setdefault(entity.masks, {})[entity] = None

    def describe(self, phrase: Phrase, entity: Entity) -> None:
        """Add an apposition or predicate, which describes an entity but is no further mention."""
        agreement = entity.agreement.merge(phrase.agreement)
        if agreement != entity.agreement:
            del self._kept[entity.masks][entity]
            entity.agreement = agreement
            self._insert(entity)
        self._of[phrase.index] = entity

    def possible(self, agreement: Agreement) -> Iterator[Entity]:
        """Yield the entities that do not clash with an agreement, the last mentioned first."""
        person, number, gender = agreement.person, agreement.number, agreement.gender
        # There are few different masks, and within each the entities are sorted by recency, so that
        # a merge of the matching rows yields the latest entity first.
        rows = [
            reversed(row)
            for masks, row in self._kept.items()
            if row and masks[0] & person and masks[1] & number and masks[2] & gender
        ]
        return rows[0] if len(rows) == 1 else merge(*rows, key=lambda entity: -entity.latest.index)

    def _insert(self, entity: Entity) -> None:
        """Insert an entity at its place by recency; most often that is the end."""
        row = self._kept.setdefault(entity.masks, {})
        later = []
        while row and (last := next(reversed(row))).latest.index >= entity.latest.index:
            later.append(last)
            del row[last]
        row.update(dict.fromkeys((entity, *reversed(later))))


class BackwardCenter:
    """Cb: the highest-ranked entity of the prior finite clause that a pronoun of the clause names.

    The subject ranks above all else; between other phrases there is no order, so that two of them
    make no center (Baldwin 1997, note 3).
    """

    def __init__(self, discourse: Discourse) -> None:
        self._clauses = discourse.clauses
        self._finite = [index for index, clause in enumerate(self._clauses) if clause.finite]
        self._prior = dict(zip(self._finite[1:], self._finite, strict=False))
        self._phrases: dict[int, list[Phrase]] = {}
        for phrase in discourse.phrases:
            self._phrases.setdefault(self.clause_of(phrase), []).append(phrase)

    def clause_of(self, phrase: Phrase) -> int:
        """The innermost finite clause that a phrase is in, -1 for none."""
        clause = phrase.clause
        while clause >= 0 and not self._clauses[clause].finite:
            clause = self._clauses[clause].parent
        return clause

    def before(self, anaphor: Phrase, entities: Entities) -> Entity | None:
        """The center of an anaphor's clause, by the pronouns before it that are resolved."""
        clause = self.clause_of(anaphor)
        prior = self._prior.get(clause)
        if prior is None:
            return None
        realised = {
            entity
            for phrase in self._phrases.get(clause, ())
            if phrase.index < anaphor.index
            and phrase.anaphoric
            and (entity := entities.of(phrase)) is not None
            and len(entity.mentions) > 1
        }
        subjects, others = set[Entity](), set[Entity]()
        for phrase in self._phrases.get(prior, ()):
            entity = entities.of(phrase)
            if entity in realised:
                (subjects if phrase.function == "subject" else others).add(entity)
        # Between non-subjects there is no order, so two of them make no center.
        candidates = subjects or others
        return candidates.pop() if len(candidates) == 1 else None


class Reader:
    """The text read so far: entities grow, and pronouns meet the rules one by one."""

    anaphor: Phrase
    """The pronoun that is being resolved …"""
    excluded: set[Entity]
    """… the entities that syntax excludes …"""
    prior: int
    """… and the sentence before; its own if there is none."""

    def __init__(self, discourse: Discourse, settings: "CogNIAC") -> None:
        self.discourse = discourse
        self.settings = settings
        self.entities = Entities()
        self.binding = Binding(discourse)
        self.center = BackwardCenter(discourse)
        self.links: list[tuple[int, int]] = []
        self._quotations = Quotations(discourse) if settings.skip_speakers else None
        self._described = find_descriptions(discourse) if settings.descriptions else {}
        self._names = {phrase.index: earlier for phrase, earlier in Names(discourse).matches()}

    def possible(self, since: int = 0) -> Iterator[Entity]:
        """The possible antecedents that are mentioned from a sentence on, the latest first."""
        entities = self.entities.possible(self.anaphor.agreement)
        if since:
            entities = takewhile(lambda entity: entity.latest.sentence >= since, entities)
        return (entity for entity in entities if entity not in self.excluded)

    def allows(self, entity: Entity) -> bool:
        """Whether an entity is a possible antecedent."""
        clash = self.anaphor.agreement.clash(entity.agreement)
        return not clash and entity not in self.excluded

    def only(self, since: int = 0) -> Phrase | None:
        """The last mention of the only possible antecedent from a sentence on."""
        candidates = list(islice(self.possible(since), 2))
        if len(candidates) != 1 or (self.settings.count == "mentions" and candidates[0].mentions_since(since) != 1):
            return None
        return candidates[0].latest

    def decisions(self) -> Iterator[Decision]:
        """The decisions on all anaphors; afterwards ``links`` has the names that match."""
        for phrase in self.discourse.phrases:
            if phrase.anaphoric:
                yield self._resolve(phrase)
            elif not phrase.pleonastic:
                self._read(phrase)

    def _read(self, phrase: Phrase) -> None:
        """Add a phrase: a name or description of a known entity, else a new one."""
        for name in self._names.get(phrase.index, ()):
            entity = self.entities.of(name)
            if entity is not None and not phrase.agreement.clash(entity.agreement):
                self.links.append((name.index, phrase.index))
                self.entities.add(phrase, entity)
                return
        subject = self._described.get(phrase.index)
        entity = self.entities.of(subject) if subject is not None else None
        if entity is not None and not phrase.agreement.clash(entity.agreement):
            self.entities.describe(phrase, entity)
        else:
            self.entities.add(phrase)

    def _resolve(self, anaphor: Phrase) -> Decision:
        self.anaphor = anaphor
        self.excluded = self._excluded(anaphor)
        self.prior = self._prior(anaphor.sentence)
        rule, chosen = self._first()
        candidates = self._candidates()
        if chosen is not None:
            self.entities.add(anaphor, self.entities.of(chosen))
        elif self.settings.unresolved == "entity":
            self.entities.add(anaphor)
        reason = "ambiguous" if any(not candidate.dropped for candidate in candidates) else "no candidate"
        return Decision(
            anaphor=anaphor.index,
            antecedent=None if chosen is None else chosen.index,
            candidates=candidates,
            rule=reason if rule is None else rule.name,
            confidence=None if rule is None else rule.precision,
        )

    def _first(self) -> tuple["Rule | None", Phrase | None]:
        """Return the first rule that picks an antecedent, and the antecedent."""
        rules = self.settings.rules
        # Rule 2 is the one for reflexives.
        stop = self.settings.reflexives == "stop" and is_bound(self.anaphor)
        for rule in rules[:2] if stop else rules:
            chosen = rule.pick(self)
            if chosen is not None:
                return rule, chosen
        return None, None

    def _prior(self, sentence: int) -> int:
        paragraphs = self.discourse.analysis.paragraphs
        if sentence == 0 or (not self.settings.paragraphs and paragraphs[sentence - 1] != paragraphs[sentence]):
            return sentence
        return sentence - 1

    def _excluded(self, anaphor: Phrase) -> set[Entity]:
        """The entities that the anaphor cannot be, because it cannot be one of their mentions."""
        barred = list(self._quotations.speakers(anaphor)) if self._quotations else []
        for phrase in self.discourse.by_sentence[anaphor.sentence]:
            if phrase.index >= anaphor.index:
                break
            if phrase.start == anaphor.start or self._apart(anaphor, phrase):
                barred.append(phrase)
        return {entity for phrase in barred if (entity := self.entities.of(phrase)) is not None}

    def _apart(self, anaphor: Phrase, phrase: Phrase) -> bool:
        """Return whether syntax excludes coreference."""
        if is_bound(anaphor):
            return phrase.end > anaphor.start and not self.binding.binds(phrase, anaphor)
        return self.binding.disjoint(anaphor, phrase)

    def _candidates(self) -> tuple[Candidate, ...]:
        """The phrases of the current and prior sentence, and the last two entities before these.

        Listing the whole text before every pronoun would take quadratic space; two entities are
        enough to show whether there was a choice.
        """
        nearby = list(iter_preceding(self.discourse, self.anaphor, self.anaphor.sentence - self.prior))
        earlier = (entity.latest for entity in self.possible() if entity.latest.sentence < self.prior)
        phrases = [*nearby, *islice(earlier, 2)][::-1]
        return tuple(Candidate(phrase=phrase.index, dropped=self._dropped(phrase)) for phrase in phrases)

    def _dropped(self, phrase: Phrase) -> Dropped:
        entity = self.entities.of(phrase)
        clash = self.anaphor.agreement.clash(phrase.agreement)
        if clash or entity is None:
            return clash or "other"
        clash = self.anaphor.agreement.clash(entity.agreement)
        return clash or ("binding" if entity in self.excluded else "")


def unique_in_discourse(text: Reader) -> Phrase | None:
    """The only possible antecedent of everything read so far."""
    return text.only()


def reflexive(text: Reader) -> Phrase | None:
    """A reflexive has the nearest possible antecedent of its sentence, one that binds it first."""
    if not is_bound(text.anaphor):
        return None
    agreeing = (
        phrase
        for phrase in iter_preceding(text.discourse, text.anaphor, 0)
        if (entity := text.entities.of(phrase)) is not None and text.allows(entity)
    )
    return find_reflexive_antecedent(text.discourse, text.binding, text.anaphor, agreeing, subjects=False)


def unique_in_current_and_prior(text: Reader) -> Phrase | None:
    """The only possible antecedent of the prior sentence and what is read of the current one."""
    return text.only(text.prior)


def possessive(text: Reader) -> Phrase | None:
    """A possessive pronoun has the one that the prior sentence repeats, if there is just one."""
    pronoun = text.anaphor.pronoun
    if pronoun is None or pronoun.kind != "possessive" or text.prior == text.anaphor.sentence:
        return None
    same = [
        phrase
        for phrase in text.discourse.by_sentence[text.prior]
        if phrase.pronoun is not None and phrase.pronoun.kind == "possessive" and phrase.pronoun.form == pronoun.form
    ]
    owners = {entity for phrase in same if (entity := text.entities.of(phrase)) is not None}
    if not same or len(same if text.settings.possessives == "tokens" else owners) != 1:
        return None
    return same[-1] if all(map(text.allows, owners)) else None


def unique_in_current(text: Reader) -> Phrase | None:
    """The only possible antecedent of what is read of the current sentence."""
    return text.only(text.anaphor.sentence)


def unique_subject(text: Reader) -> Phrase | None:
    """Subject to subject: the only possible antecedent inside the prior sentence's subject."""
    if text.prior == text.anaphor.sentence or not is_main_subject(text.discourse, text.anaphor):
        return None
    phrases = text.discourse.by_sentence[text.prior]
    subject = next((phrase for phrase in phrases if is_main_subject(text.discourse, phrase)), None)
    if subject is None:
        return None
    inside = text.settings.subjects == "inside"
    candidates: dict[Entity, Phrase] = {}
    for phrase in phrases:
        within = subject.contains(phrase) if inside else phrase is subject
        entity = text.entities.of(phrase) if within else None
        if entity is not None and text.allows(entity):
            candidates[entity] = phrase
    return next(iter(candidates.values())) if len(candidates) == 1 else None


def is_main_subject(discourse: Discourse, phrase: Phrase) -> bool:
    """Whether a phrase is the subject of its sentence's main finite clause."""
    if phrase.function != "subject" or phrase.clause < 0:
        return False
    clause = discourse.clauses[phrase.clause]
    return clause.parent < 0 and clause.finite


def backward_center(text: Reader) -> Phrase | None:
    """The Cb of the pronoun's clause, where it is a possible antecedent."""
    entity = text.center.before(text.anaphor, text.entities)
    return entity.latest if entity is not None and text.allows(entity) else None


def most_recent(text: Reader) -> Phrase | None:
    """The possible antecedent that was mentioned last."""
    window = text.settings.window
    since = max(0, text.anaphor.sentence - window) if window else 0
    entity = next(text.possible(since), None)
    return None if entity is None else entity.latest


def unique_further_back(text: Reader) -> Phrase | None:
    """The only one of the last 3 sentences, else of 8, of 12, and so on by 4 (MUC-6)."""
    nearest = next(text.possible(), None)
    if nearest is None:
        return None
    distance = text.anaphor.sentence - nearest.latest.sentence
    window = next(size for size in chain((3, 8), count(12, 4)) if size >= distance)
    return text.only(max(0, text.anaphor.sentence - window))


def subject_of_clause(text: Reader) -> Phrase | None:
    """The subject of the pronoun's own clause, where it is a possible antecedent (MUC-6)."""
    for phrase in iter_preceding(text.discourse, text.anaphor, 0):
        if phrase.function == "subject" and phrase.clause == text.anaphor.clause:
            entity = text.entities.of(phrase)
            if entity is not None and text.allows(entity):
                return phrase
    return None


class Rule(Record, frozen=True):
    """A rule with its precision in Baldwin's test."""

    name: str
    precision: float
    pick: Callable[[Reader], Phrase | None]


Rules: TypeAlias = tuple[Rule, ...]

_FIRST_THREE: Rules = (
    Rule(name="unique in discourse", precision=32 / 32, pick=unique_in_discourse),
    Rule(name="reflexive", precision=10 / 10, pick=reflexive),
    Rule(name="unique in current and prior sentence", precision=104 / 110, pick=unique_in_current_and_prior),
)
_FOURTH = Rule(name="possessive", precision=2 / 2, pick=possessive)
_FIFTH_AND_SIXTH: Rules = (
    Rule(name="unique in current sentence", precision=18 / 22, pick=unique_in_current),
    Rule(name="unique subject", precision=24 / 30, pick=unique_subject),
)
HIGH_PRECISION: Rules = (*_FIRST_THREE, _FOURTH, *_FIFTH_AND_SIXTH)
RESOLVE_ALL: Rules = (
    *HIGH_PRECISION,
    Rule(name="backward center", precision=13 / 31, pick=backward_center),
    Rule(name="most recent", precision=29 / 61, pick=most_recent),
)
MUC6: Rules = (
    *_FIRST_THREE,
    *_FIFTH_AND_SIXTH,
    Rule(name="unique further back", precision=85 / 116, pick=unique_further_back),
    Rule(name="subject of the clause", precision=0.57, pick=subject_of_clause),
)


class CogNIAC(RuleResolver):
    """Rules 1 to 6: high precision, and no answer if the pronoun is ambiguous."""

    card = ResolverCard(
        name="cogniac",
        title="CogNIAC",
        description="Ordered rules of high precision that leave ambiguous pronouns unresolved.",
        cites=("baldwin1997",),
    )
    rules: ClassVar[Rules] = HIGH_PRECISION
    skip_speakers: ClassVar[bool] = False
    """Whether speakers are excluded as antecedents inside what they are quoted with."""

    count = choice(
        "E1", ("entities", "mentions"), "what must be unique: entities, or mentions as in some later systems"
    )
    descriptions = parameter("E1", True, "whether appositions and predicates count with what they describe")
    unresolved = choice(
        "E1", ("entity", "ignored"), "whether an unresolved pronoun is an entity of its own, or ignored"
    )
    reflexives = choice(
        "E2", ("continue", "stop"), "whether a reflexive without antecedent in its sentence may continue, or stops"
    )
    possessives = choice("E3", ("tokens", "entities"), "what rule 4 counts in the prior sentence: tokens or entities")
    paragraphs = parameter("E4", True, "whether the prior sentence may be in another paragraph")
    subjects = choice(
        "E5", ("inside", "whole"), "whether rule 6 looks at all phrases inside the subject or at the whole only"
    )
    window = parameter("E6", 0, "how many sentences rule 8 looks back; 0: to the beginning of the text")

    def resolve(self, discourse: Discourse) -> Resolution:
        """Resolve one document."""
        reader = Reader(discourse, self)
        return self.resolution(discourse, list(reader.decisions()), links=reader.links)


class CogNIACRobust(CogNIAC):
    """Rules 1 to 8, "resolve all": an answer wherever there is a possible antecedent."""

    card = ResolverCard(
        name="cogniac-robust",
        title="CogNIAC, resolve-all",
        description="CogNIAC with the two rules that resolve ambiguous pronouns as well.",
        cites=("baldwin1997",),
    )
    rules = RESOLVE_ALL


class CogNIACMuc6(CogNIAC):
    """The MUC-6 variant: looks further back for a unique antecedent, respects quotations.

    Rules 4, 7 and 8 are off; the subject of a pronoun's own clause is its last resort.
    """

    card = ResolverCard(
        name="cogniac-muc6",
        title="CogNIAC for MUC-6",
        description="CogNIAC as entered in MUC-6, for newspaper text.",
        cites=("baldwin1997", "baldwin1995"),
    )
    rules = MUC6
    skip_speakers = True
