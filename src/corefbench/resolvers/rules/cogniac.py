"""CogNIAC (Baldwin 1997): ordered high-precision rules.

Pronouns are resolved from left to right, each by the first rule that picks an antecedent. The text
read so far is kept as entities: a resolved pronoun joins the entity of its antecedent, a name that
of a matching name, appositions and predicates that of the phrase they describe. A pronoun that no
rule resolves stays unresolved and is an entity of its own.

Rules that ask for uniqueness count entities, not mentions: a repeated name is one possible
antecedent. A rule that picks an entity answers with its last mention in the window of the rule.
"""

from collections.abc import Callable, Iterator
from itertools import chain, count, islice, takewhile
from typing import ClassVar, Literal, TypeAlias

from corefbench.preprocess.discourse import Discourse, Phrase
from corefbench.records import Record
from corefbench.resolvers import signature
from corefbench.resolvers.base import ResolverCard, check_parameters, make_parameters
from corefbench.resolvers.resolution import Candidate, Decision, Dropped, Resolution
from corefbench.resolvers.rules.appositions import find_descriptions
from corefbench.resolvers.rules.binding import Binding, find_reflexive_antecedent, is_bound
from corefbench.resolvers.rules.candidates import iter_preceding
from corefbench.resolvers.rules.entities import Entities, Entity
from corefbench.resolvers.rules.names import Names
from corefbench.resolvers.rules.quotations import Quotations

_PARAMETERS = make_parameters(
    ("E1", "count", "entities",
     "what must be unique: entities, or mentions as in some later systems"),
    ("E1", "descriptions", True,
     "whether appositions and predicates count with what they describe"),
    ("E1", "unresolved", "entity",
     "whether an unresolved pronoun is an entity of its own, or ignored"),
    ("E2", "reflexives", "continue",
     "whether a reflexive without antecedent in its sentence may continue, or stops"),
    ("E3", "possessives", "tokens",
     "what rule 4 counts in the prior sentence: tokens or entities"),
    ("E4", "paragraphs", True, "whether the prior sentence may be in another paragraph"),
    ("E5", "subjects", "inside",
     "whether rule 6 looks at all phrases inside the subject or at the whole only"),
    ("E6", "window", 0,
     "how many sentences rule 8 looks back; 0: to the beginning of the text"),
)  # fmt: skip
"""What the paper leaves open, by the numbers of our decisions."""


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
        realised = [
            entity
            for phrase in self._phrases.get(clause, ())
            if phrase.index < anaphor.index
            and phrase.anaphoric
            and (entity := entities.of(phrase)) is not None
            and len(entity.mentions) > 1
        ]
        subjects, others = self._ranked(prior, entities, realised)
        # Between non-subjects there is no order, so two of them make no center.
        candidates = subjects or others
        return candidates[0] if len(candidates) == 1 else None

    def _ranked(self, prior: int, entities: Entities, realised: list[Entity]) -> tuple[list[Entity], list[Entity]]:
        """Return the subjects and the other entities of the prior clause that recur."""
        subjects: list[Entity] = []
        others: list[Entity] = []
        for phrase in self._phrases.get(prior, ()):
            entity = entities.of(phrase)
            if entity is None or not any(entity is known for known in realised):
                continue
            group = subjects if phrase.function == "subject" else others
            if not any(entity is known for known in group):
                group.append(entity)
        return subjects, others


class PronounContext(Record, frozen=True):
    """What a rule sees: a pronoun and the text before it."""

    discourse: Discourse
    anaphor: Phrase
    entities: Entities
    binding: Binding
    center: BackwardCenter
    excluded: set[int]
    """The entities, by ``id``, that syntax excludes."""
    prior: int
    """The prior sentence; the pronoun's own if there is none."""
    settings: "CogNIAC"

    def possible(self, since: int = 0) -> Iterator[Entity]:
        """The possible antecedents that are mentioned from a sentence on, the latest first."""
        entities = self.entities.possible(self.anaphor.agreement)
        if since:
            entities = takewhile(lambda entity: entity.latest.sentence >= since, entities)
        return (entity for entity in entities if id(entity) not in self.excluded)

    def allows(self, entity: Entity) -> bool:
        """Whether an entity is a possible antecedent."""
        clash = self.anaphor.agreement.clash(entity.agreement)
        return not clash and id(entity) not in self.excluded

    def only(self, since: int = 0) -> Phrase | None:
        """The last mention of the only possible antecedent from a sentence on."""
        candidates = list(islice(self.possible(since), 2))
        if len(candidates) != 1 or (self.settings.count == "mentions" and candidates[0].mentions_since(since) != 1):
            return None
        return candidates[0].latest


def unique_in_discourse(context: PronounContext) -> Phrase | None:
    """The only possible antecedent of everything read so far."""
    return context.only()


def reflexive(context: PronounContext) -> Phrase | None:
    """A reflexive has the nearest possible antecedent of its sentence, one that binds it first."""
    if not is_bound(context.anaphor):
        return None
    agreeing = (
        phrase
        for phrase in iter_preceding(context.discourse, context.anaphor, 0)
        if (entity := context.entities.of(phrase)) is not None and context.allows(entity)
    )
    return find_reflexive_antecedent(context.discourse, context.binding, context.anaphor, agreeing, subjects=False)


def unique_in_current_and_prior(context: PronounContext) -> Phrase | None:
    """The only possible antecedent of the prior sentence and what is read of the current one."""
    return context.only(context.prior)


def possessive(context: PronounContext) -> Phrase | None:
    """A possessive pronoun has the one that the prior sentence repeats, if there is just one."""
    pronoun = context.anaphor.pronoun
    if pronoun is None or pronoun.kind != "possessive" or context.prior == context.anaphor.sentence:
        return None
    same = [
        phrase
        for phrase in context.discourse.by_sentence[context.prior]
        if phrase.pronoun is not None and phrase.pronoun.kind == "possessive" and phrase.pronoun.form == pronoun.form
    ]
    owners = {id(entity): entity for phrase in same if (entity := context.entities.of(phrase)) is not None}
    if not same or len(same if context.settings.possessives == "tokens" else owners) != 1:
        return None
    return same[-1] if all(map(context.allows, owners.values())) else None


def unique_in_current(context: PronounContext) -> Phrase | None:
    """The only possible antecedent of what is read of the current sentence."""
    return context.only(context.anaphor.sentence)


def unique_subject(context: PronounContext) -> Phrase | None:
    """Subject to subject: the only possible antecedent inside the prior sentence's subject."""
    if context.prior == context.anaphor.sentence or not is_main_subject(context.discourse, context.anaphor):
        return None
    phrases = context.discourse.by_sentence[context.prior]
    subject = next((phrase for phrase in phrases if is_main_subject(context.discourse, phrase)), None)
    if subject is None:
        return None
    inside = context.settings.subjects == "inside"
    candidates: dict[int, Phrase] = {}
    for phrase in phrases:
        within = subject.start <= phrase.start and phrase.end <= subject.end
        entity = context.entities.of(phrase) if within and (inside or phrase is subject) else None
        if entity is not None and context.allows(entity):
            candidates[id(entity)] = phrase
    return next(iter(candidates.values())) if len(candidates) == 1 else None


def is_main_subject(discourse: Discourse, phrase: Phrase) -> bool:
    """Whether a phrase is the subject of its sentence's main finite clause."""
    if phrase.function != "subject" or phrase.clause < 0:
        return False
    clause = discourse.clauses[phrase.clause]
    return clause.parent < 0 and clause.finite


def backward_center(context: PronounContext) -> Phrase | None:
    """The Cb of the pronoun's clause, where it is a possible antecedent."""
    entity = context.center.before(context.anaphor, context.entities)
    return entity.latest if entity is not None and context.allows(entity) else None


def most_recent(context: PronounContext) -> Phrase | None:
    """The possible antecedent that was mentioned last."""
    window = context.settings.window
    since = max(0, context.anaphor.sentence - window) if window else 0
    entity = next(context.possible(since), None)
    return None if entity is None else entity.latest


def unique_further_back(context: PronounContext) -> Phrase | None:
    """The only one of the last 3 sentences, else of 8, of 12, and so on by 4 (MUC-6)."""
    nearest = next(context.possible(), None)
    if nearest is None:
        return None
    distance = context.anaphor.sentence - nearest.latest.sentence
    window = next(size for size in chain((3, 8), count(12, 4)) if size >= distance)
    return context.only(max(0, context.anaphor.sentence - window))


def subject_of_clause(context: PronounContext) -> Phrase | None:
    """The subject of the pronoun's own clause, where it is a possible antecedent (MUC-6)."""
    for phrase in iter_preceding(context.discourse, context.anaphor, 0):
        if phrase.function == "subject" and phrase.clause == context.anaphor.clause:
            entity = context.entities.of(phrase)
            if entity is not None and context.allows(entity):
                return phrase
    return None


class Rule(Record, frozen=True):
    """A rule with its precision in Baldwin's test."""

    name: str
    precision: float
    pick: Callable[[PronounContext], Phrase | None]


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


class _Reader:
    """Reads one document from left to right: entities grow, pronouns meet the rules."""

    def __init__(self, discourse: Discourse, settings: "CogNIAC") -> None:
        self.discourse = discourse
        self.settings = settings
        self.entities = Entities()
        self.binding = Binding(discourse)
        self.center = BackwardCenter(discourse)
        self.quotations = Quotations(discourse) if settings.skip_speakers else None
        self.described = find_descriptions(discourse) if settings.descriptions else {}
        self.names = {phrase.index: earlier for phrase, earlier in Names(discourse).matches()}
        self.links: list[tuple[int, int]] = []

    def decisions(self) -> Iterator[Decision]:
        """The decisions on all anaphors; afterwards ``links`` has the names that match."""
        for phrase in self.discourse.phrases:
            if phrase.anaphoric:
                yield self._resolve(phrase)
            elif not phrase.pleonastic:
                self._read(phrase)

    def _read(self, phrase: Phrase) -> None:
        """Add a phrase: a name or description of a known entity, else a new one."""
        for name in self.names.get(phrase.index, ()):
            entity = self.entities.of(name)
            if entity is not None and not phrase.agreement.clash(entity.agreement):
                self.links.append((name.index, phrase.index))
                self.entities.add(phrase, entity)
                return
        subject = self.described.get(phrase.index)
        entity = self.entities.of(subject) if subject is not None else None
        if entity is not None and not phrase.agreement.clash(entity.agreement):
            self.entities.describe(phrase, entity)
        else:
            self.entities.add(phrase)

    def _resolve(self, anaphor: Phrase) -> Decision:
        context = self._view(anaphor)
        rule, chosen = self._first(context)
        candidates = self._candidates(context)
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

    def _first(self, context: PronounContext) -> tuple[Rule | None, Phrase | None]:
        """Return the first rule that picks an antecedent, and the antecedent."""
        rules = self.settings.rules
        stop = self.settings.reflexives == "stop" and is_bound(context.anaphor)
        for rule in rules[:2] if stop else rules:
            chosen = rule.pick(context)
            if chosen is not None:
                return rule, chosen
        return None, None

    def _view(self, anaphor: Phrase) -> PronounContext:
        return PronounContext(
            discourse=self.discourse,
            anaphor=anaphor,
            entities=self.entities,
            binding=self.binding,
            center=self.center,
            excluded=self._excluded(anaphor),
            prior=self._prior(anaphor.sentence),
            settings=self.settings,
        )

    def _prior(self, sentence: int) -> int:
        paragraphs = self.discourse.analysis.paragraphs
        if sentence == 0 or (not self.settings.paragraphs and paragraphs[sentence - 1] != paragraphs[sentence]):
            return sentence
        return sentence - 1

    def _excluded(self, anaphor: Phrase) -> set[int]:
        """The entities that the anaphor cannot be, because it cannot be one of their mentions."""
        # An entity is excluded if the anaphor cannot corefer with one of its mentions.
        barred = list(self.quotations.speakers(anaphor)) if self.quotations else []
        for phrase in self.discourse.by_sentence[anaphor.sentence]:
            if phrase.index >= anaphor.index:
                break
            if phrase.start == anaphor.start or self._apart(anaphor, phrase):
                barred.append(phrase)
        return {id(entity) for phrase in barred if (entity := self.entities.of(phrase)) is not None}

    def _apart(self, anaphor: Phrase, phrase: Phrase) -> bool:
        """Return whether syntax excludes coreference."""
        if is_bound(anaphor):
            return phrase.end > anaphor.start and not self.binding.binds(phrase, anaphor)
        return self.binding.disjoint(anaphor, phrase)

    def _candidates(self, context: PronounContext) -> tuple[Candidate, ...]:
        """The phrases of the current and prior sentence, and the last two entities before these.

        Listing the whole text before every pronoun would take quadratic space; two entities are
        enough to show whether there was a choice.
        """
        nearby = list(iter_preceding(self.discourse, context.anaphor, context.anaphor.sentence - context.prior))
        earlier = (entity.latest for entity in context.possible() if entity.latest.sentence < context.prior)
        phrases = [*reversed(list(islice(earlier, 2))), *reversed(nearby)]
        return tuple(Candidate(phrase=phrase.index, dropped=self._dropped(context, phrase)) for phrase in phrases)

    def _dropped(self, context: PronounContext, phrase: Phrase) -> Dropped:
        entity = self.entities.of(phrase)
        clash = context.anaphor.agreement.clash(phrase.agreement)
        if clash or entity is None:
            return clash or "other"
        clash = context.anaphor.agreement.clash(entity.agreement)
        return clash or ("binding" if id(entity) in context.excluded else "")


class CogNIAC(Record, frozen=True, kw_only=True):
    """Rules 1 to 6: high precision, and no answer if the pronoun is ambiguous."""

    card = ResolverCard(
        name="cogniac",
        title="CogNIAC",
        description="Ordered rules of high precision that leave ambiguous pronouns unresolved.",
        parameters=_PARAMETERS,
        cites=("baldwin1997",),
    )
    rules: ClassVar[Rules] = HIGH_PRECISION
    skip_speakers: ClassVar[bool] = False
    """Whether speakers are excluded as antecedents inside what they are quoted with."""

    count: Literal["entities", "mentions"] = "entities"
    descriptions: bool = True
    unresolved: Literal["entity", "ignored"] = "entity"
    reflexives: Literal["continue", "stop"] = "continue"
    possessives: Literal["tokens", "entities"] = "tokens"
    paragraphs: bool = True
    subjects: Literal["inside", "whole"] = "inside"
    window: int = 0

    def __post_init__(self) -> None:
        check_parameters(self)

    def resolve(self, discourse: Discourse) -> Resolution:
        """Resolve one document."""
        reader = _Reader(discourse, self)
        return Resolution(
            resolver=signature(self),
            discourse=discourse,
            decisions=tuple(reader.decisions()),
            links=tuple(reader.links),
        )


class CogNIACRobust(CogNIAC, frozen=True, kw_only=True):
    """Rules 1 to 8, "resolve all": an answer wherever there is a possible antecedent."""

    card = ResolverCard(
        name="cogniac-robust",
        title="CogNIAC, resolve-all",
        description="CogNIAC with the two rules that resolve ambiguous pronouns as well.",
        parameters=_PARAMETERS,
        cites=("baldwin1997",),
    )
    rules = RESOLVE_ALL


class CogNIACMuc6(CogNIAC, frozen=True, kw_only=True):
    """The MUC-6 variant: looks further back for a unique antecedent, respects quotations.

    Rules 4, 7 and 8 are off; the subject of a pronoun's own clause is its last resort.
    """

    card = ResolverCard(
        name="cogniac-muc6",
        title="CogNIAC for MUC-6",
        description="CogNIAC as entered in MUC-6, for newspaper text.",
        parameters=_PARAMETERS,
        cites=("baldwin1997", "baldwin1995"),
    )
    rules = MUC6
    skip_speakers = True
