"""How CogNIAC reads a document: entities grow from left to right, pronouns meet the rules."""

from collections.abc import Iterator
from itertools import islice

from corefbench.preprocess.discourse import Discourse
from corefbench.preprocess.phrase import Phrase
from corefbench.resolvers.resolution import Candidate, Decision, Dropped
from corefbench.resolvers.rules.backward_center import BackwardCenter
from corefbench.resolvers.rules.binding import Binding, is_bound
from corefbench.resolvers.rules.candidates import preceding
from corefbench.resolvers.rules.cogniac_rules import Rule, Rules, View
from corefbench.resolvers.rules.cogniac_settings import Settings
from corefbench.resolvers.rules.descriptions import described
from corefbench.resolvers.rules.entities import Entities
from corefbench.resolvers.rules.names import Names
from corefbench.resolvers.rules.quotations import Quotations


class Reading:
    """One document, read from left to right."""

    def __init__(
        self, discourse: Discourse, rules: Rules, settings: Settings, quotations: bool
    ) -> None:
        self.discourse = discourse
        self.rules = rules
        self.settings = settings
        self.entities = Entities()
        self.binding = Binding(discourse)
        self.center = BackwardCenter(discourse)
        self.quotations = Quotations(discourse) if quotations else None
        self.described = described(discourse) if settings.descriptions else {}
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
        """A name may be of a known entity, a description tells of one, all else is new."""
        for name in self.names.get(phrase.index, ()):
            known = self.entities.of(name)
            if known is not None and not phrase.agreement.clash(known.agreement):
                self.links.append((name.index, phrase.index))
                self.entities.add(phrase, known)
                return
        subject = self.described.get(phrase.index)
        known = self.entities.of(subject) if subject is not None else None
        if known is not None and not phrase.agreement.clash(known.agreement):
            self.entities.describe(phrase, known)
        else:
            self.entities.add(phrase)

    def _resolve(self, anaphor: Phrase) -> Decision:
        view = self._view(anaphor)
        rule, chosen = self._first(view)
        listed = self._candidates(view)
        if chosen is not None:
            self.entities.add(anaphor, self.entities.of(chosen))
        elif self.settings.unresolved == "entity":
            self.entities.add(anaphor)
        left = "ambiguous" if any(not one.dropped for one in listed) else "no candidate"
        return Decision(
            anaphor=anaphor.index,
            antecedent=None if chosen is None else chosen.index,
            candidates=listed,
            rule=left if rule is None else rule.name,
            confidence=None if rule is None else rule.precision,
        )

    def _first(self, view: View) -> tuple[Rule | None, Phrase | None]:
        """The first rule that picks an antecedent, and that."""
        stop = self.settings.reflexives == "stop" and is_bound(view.anaphor)
        for rule in self.rules[:2] if stop else self.rules:
            chosen = rule.pick(view)
            if chosen is not None:
                return rule, chosen
        return None, None

    def _view(self, anaphor: Phrase) -> View:
        return View(
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
        if sentence == 0 or (
            not self.settings.paragraphs and paragraphs[sentence - 1] != paragraphs[sentence]
        ):
            return sentence
        return sentence - 1

    def _excluded(self, anaphor: Phrase) -> set[int]:
        """The entities that the anaphor cannot be, because it cannot be one of their mentions."""
        barred = list(self.quotations.speakers(anaphor)) if self.quotations else []
        for phrase in self.discourse.by_sentence[anaphor.sentence]:
            if phrase.index >= anaphor.index:
                break
            if phrase.start == anaphor.start or self._apart(anaphor, phrase):
                barred.append(phrase)
        return {id(one) for phrase in barred if (one := self.entities.of(phrase)) is not None}

    def _apart(self, anaphor: Phrase, phrase: Phrase) -> bool:
        """Whether syntax says that the two cannot be the same."""
        if is_bound(anaphor):
            return phrase.end > anaphor.start and not self.binding.binds(phrase, anaphor)
        return self.binding.disjoint(anaphor, phrase)

    def _candidates(self, view: View) -> tuple[Candidate, ...]:
        """The phrases of the current and prior sentence, and the last two entities before these.

        To list all that was read before every pronoun would take quadratic space; two are enough
        to tell whether there was a choice.
        """
        near = list(preceding(self.discourse, view.anaphor, view.anaphor.sentence - view.prior))
        before = (one.latest for one in view.possible() if one.latest.sentence < view.prior)
        listed = [*reversed(list(islice(before, 2))), *reversed(near)]
        return tuple(
            Candidate(phrase=phrase.index, dropped=self._dropped(view, phrase)) for phrase in listed
        )

    def _dropped(self, view: View, phrase: Phrase) -> Dropped:
        entity = self.entities.of(phrase)
        clash = view.anaphor.agreement.clash(phrase.agreement)
        if clash or entity is None:
            return clash or "other"
        clash = view.anaphor.agreement.clash(entity.agreement)
        return clash or ("binding" if id(entity) in view.excluded else "")
