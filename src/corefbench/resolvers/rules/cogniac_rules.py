"""The rules of CogNIAC: each picks the antecedent of a pronoun, or passes.

A rule that asks for uniqueness counts entities, not mentions: a name that is repeated is one
possible antecedent. When it picks an entity, it answers its last mention in the rule's window.
"""

from collections.abc import Callable, Iterator
from itertools import islice, takewhile
from typing import TypeAlias

from corefbench.preprocess.discourse import Discourse
from corefbench.preprocess.phrase import Phrase
from corefbench.record import Record
from corefbench.resolvers.rules.backward_center import BackwardCenter
from corefbench.resolvers.rules.binding import Binding, is_bound
from corefbench.resolvers.rules.candidates import preceding
from corefbench.resolvers.rules.cogniac_settings import Settings
from corefbench.resolvers.rules.entities import Entities, Entity
from corefbench.resolvers.rules.reflexives import bound_by


class View:
    """What is before a pronoun when it is read."""

    def __init__(
        self,
        discourse: Discourse,
        anaphor: Phrase,
        entities: Entities,
        binding: Binding,
        center: BackwardCenter,
        excluded: set[int],
        prior: int,
        settings: Settings,
    ) -> None:
        self.discourse = discourse
        self.anaphor = anaphor
        self.entities = entities
        self.binding = binding
        self.center = center
        self.excluded = excluded
        """The entities, by ``id``, that syntax excludes."""
        self.prior = prior
        """The prior sentence; that of the pronoun where there is none."""
        self.settings = settings

    def possible(self, since: int = 0) -> Iterator[Entity]:
        """The possible antecedents that are mentioned from a sentence on, the latest first."""
        found = self.entities.possible(self.anaphor.agreement)
        if since:
            found = takewhile(lambda entity: entity.latest.sentence >= since, found)
        return (entity for entity in found if id(entity) not in self.excluded)

    def allows(self, entity: Entity) -> bool:
        """Whether an entity is a possible antecedent."""
        clash = self.anaphor.agreement.clash(entity.agreement)
        return not clash and id(entity) not in self.excluded

    def only(self, since: int = 0) -> Phrase | None:
        """The last mention of the only possible antecedent from a sentence on."""
        found = list(islice(self.possible(since), 2))
        if len(found) != 1 or (
            self.settings.count == "mentions" and found[0].mentions_since(since) != 1
        ):
            return None
        return found[0].latest


def unique_in_discourse(view: View) -> Phrase | None:
    """The only possible antecedent of everything read so far."""
    return view.only()


def reflexive(view: View) -> Phrase | None:
    """A reflexive has the nearest possible antecedent of its sentence, one that binds it first."""
    if not is_bound(view.anaphor):
        return None
    agreeing = (
        phrase
        for phrase in preceding(view.discourse, view.anaphor, 0)
        if (entity := view.entities.of(phrase)) is not None and view.allows(entity)
    )
    return bound_by(view.discourse, view.binding, view.anaphor, agreeing, subjects=False)


def unique_in_current_and_prior(view: View) -> Phrase | None:
    """The only possible antecedent of the prior sentence and what is read of the current one."""
    return view.only(view.prior)


def possessive(view: View) -> Phrase | None:
    """A possessive pronoun has the one that the prior sentence repeats, if there is just one."""
    pronoun = view.anaphor.pronoun
    if pronoun is None or pronoun.kind != "possessive" or view.prior == view.anaphor.sentence:
        return None
    same = [
        phrase
        for phrase in view.discourse.by_sentence[view.prior]
        if phrase.pronoun is not None
        and phrase.pronoun.kind == "possessive"
        and phrase.pronoun.form == pronoun.form
    ]
    owners = {id(entity): entity for one in same if (entity := view.entities.of(one)) is not None}
    if not same or len(same if view.settings.possessives == "tokens" else owners) != 1:
        return None
    return same[-1] if all(map(view.allows, owners.values())) else None


def unique_in_current(view: View) -> Phrase | None:
    """The only possible antecedent of what is read of the current sentence."""
    return view.only(view.anaphor.sentence)


def unique_subject(view: View) -> Phrase | None:
    """Subject to subject: the only possible antecedent inside the prior sentence's subject."""
    if view.prior == view.anaphor.sentence or not is_main_subject(view.discourse, view.anaphor):
        return None
    phrases = view.discourse.by_sentence[view.prior]
    subject = next((one for one in phrases if is_main_subject(view.discourse, one)), None)
    if subject is None:
        return None
    inside = view.settings.subjects == "inside"
    found: dict[int, Phrase] = {}
    for phrase in phrases:
        within = subject.start <= phrase.start and phrase.end <= subject.end
        entity = view.entities.of(phrase) if within and (inside or phrase is subject) else None
        if entity is not None and view.allows(entity):
            found[id(entity)] = phrase
    return next(iter(found.values())) if len(found) == 1 else None


def is_main_subject(discourse: Discourse, phrase: Phrase) -> bool:
    """Whether a phrase is the subject of its sentence's main finite clause."""
    if phrase.function != "subject" or phrase.clause < 0:
        return False
    clause = discourse.clauses[phrase.clause]
    return clause.parent < 0 and clause.finite


def backward_center(view: View) -> Phrase | None:
    """The Cb of the pronoun's clause, where it is a possible antecedent."""
    entity = view.center.before(view.anaphor, view.entities)
    return entity.latest if entity is not None and view.allows(entity) else None


def most_recent(view: View) -> Phrase | None:
    """The possible antecedent that was mentioned last."""
    window = view.settings.window
    since = max(0, view.anaphor.sentence - window) if window else 0
    entity = next(view.possible(since), None)
    return None if entity is None else entity.latest


def unique_further_back(view: View) -> Phrase | None:
    """The only one of the last 3 sentences, else of 8, of 12, and so on by 4 (MUC-6)."""
    nearest = next(view.possible(), None)
    if nearest is None:
        return None
    distance = view.anaphor.sentence - nearest.latest.sentence
    steps = next(steps for steps in _steps() if steps >= distance)
    return view.only(max(0, view.anaphor.sentence - steps))


def _steps() -> Iterator[int]:
    yield from (3, 8)
    step = 12
    while True:
        yield step
        step += 4


def subject_of_clause(view: View) -> Phrase | None:
    """The subject of the pronoun's own clause, where it is a possible antecedent (MUC-6)."""
    for phrase in preceding(view.discourse, view.anaphor, 0):
        if phrase.function == "subject" and phrase.clause == view.anaphor.clause:
            entity = view.entities.of(phrase)
            if entity is not None and view.allows(entity):
                return phrase
    return None


class Rule(Record, frozen=True):
    """A rule with the share of its answers that were right in Baldwin's test."""

    name: str
    precision: float
    pick: Callable[[View], Phrase | None]


ONE = Rule(name="unique in discourse", precision=32 / 32, pick=unique_in_discourse)
TWO = Rule(name="reflexive", precision=10 / 10, pick=reflexive)
THREE = Rule(
    name="unique in current and prior sentence",
    precision=104 / 110,
    pick=unique_in_current_and_prior,
)
FOUR = Rule(name="possessive", precision=2 / 2, pick=possessive)
FIVE = Rule(name="unique in current sentence", precision=18 / 22, pick=unique_in_current)
SIX = Rule(name="unique subject", precision=24 / 30, pick=unique_subject)
SEVEN = Rule(name="backward center", precision=13 / 31, pick=backward_center)
EIGHT = Rule(name="most recent", precision=29 / 61, pick=most_recent)
FURTHER = Rule(name="unique further back", precision=85 / 116, pick=unique_further_back)
SAME_CLAUSE = Rule(name="subject of the clause", precision=0.57, pick=subject_of_clause)

Rules: TypeAlias = tuple[Rule, ...]

HIGH_PRECISION: Rules = (ONE, TWO, THREE, FOUR, FIVE, SIX)
RESOLVE_ALL: Rules = (*HIGH_PRECISION, SEVEN, EIGHT)
MUC6: Rules = (ONE, TWO, THREE, FIVE, SIX, FURTHER, SAME_CLAUSE)
