"""How Kennedy & Boguraev's resolver goes through a document, sentence by sentence."""

from math import log2

from msgspec.structs import replace

from corefbench.preprocess.discourse import Discourse
from corefbench.preprocess.phrase import Phrase
from corefbench.resolvers.rules.attention import Attention
from corefbench.resolvers.rules.binding import is_bound
from corefbench.resolvers.rules.considered import Considered
from corefbench.resolvers.rules.kennedy_boguraev_settings import WEIGHTS, Settings
from corefbench.resolvers.rules.precedence import Precedence
from corefbench.resolvers.rules.salience import Classes, Coref, Shown
from corefbench.resolvers.rules.window import near


class Reading:
    """One document on its way."""

    def __init__(self, settings: Settings, discourse: Discourse) -> None:
        self._settings = settings
        self._discourse = discourse
        self._classes = Classes(
            len(discourse.phrases), WEIGHTS, additive=False, threshold=settings.min_salience
        )
        self.attention = Attention(
            discourse,
            self._classes,
            settings.factors,
            link_names=settings.link_names,
            class_gender=settings.class_gender,
            appositions=settings.appositions,
        )
        self._precedence = Precedence(
            discourse,
            literal=settings.co_arguments == "literal",
            tree=settings.context == "tree",
        )
        self._back = _reach(settings.min_salience, len(discourse.by_sentence))
        self._pairs: set[tuple[str, str]] = set()

    def sentence(self, number: int, phrases: list[Phrase]) -> None:
        """Halve, open classes for what is no anaphor, bind reflexives, resolve pronouns."""
        self._enter(number)
        for phrase in phrases:
            if not phrase.anaphoric and self._is_referent(phrase):
                self.attention.introduce(phrase)
        anaphors = [phrase for phrase in phrases if phrase.anaphoric]
        for phrase in anaphors:
            if is_bound(phrase):
                self._bind(phrase)
        for phrase in anaphors:
            if not is_bound(phrase):
                self._settle(phrase, self._weigh(phrase))

    def _enter(self, number: int) -> None:
        self._classes.next_sentence()
        paragraphs = self._discourse.analysis.paragraphs
        changes = number > 0 and paragraphs[number] != paragraphs[number - 1]
        if changes and self._settings.segment == "paragraph":
            self._classes.forget("CNTX-S")
        if self._settings.memory == "sentence":
            self._pairs.clear()

    def _is_referent(self, phrase: Phrase) -> bool:
        """Base noun phrases are; nouns within them are not."""
        relation = self._discourse.analysis.relations[phrase.head]
        return self._settings.modifiers or not relation.startswith("compound")

    def _bind(self, anaphor: Phrase) -> None:
        """Give a reflexive or reciprocal to the most salient of its co-arguments."""
        binders = {phrase.index for phrase in self._precedence.binders(anaphor)}
        considered = self.attention.bind(anaphor, binders)
        if considered.best() is None and self._settings.unbound == "pronoun":
            considered = self._weigh(anaphor)
        self._settle(anaphor, considered)

    def _weigh(self, pronoun: Phrase) -> Considered:
        """Look at all referents that are in mind."""
        considered = Considered(pronoun, preceding_first=True)
        referents = self.attention.referents(pronoun, self._back)
        disjoint, classes = self._disjoint(pronoun, referents)
        for phrase, coref in referents:
            clash = self.attention.clash(pronoun, phrase, coref)
            if clash or phrase.index in disjoint or coref in classes:
                considered.drop(phrase, clash or "binding")
            else:
                local = self._adjustments(pronoun, phrase, coref.salience)
                considered.keep(phrase, coref, coref.salience + _sum(local), local)
        return considered

    def _disjoint(
        self, pronoun: Phrase, referents: list[tuple[Phrase, Coref]]
    ) -> tuple[set[int], set[Coref]]:
        """The referents of the sentence that are disjoint, and the classes that are with them.

        Command does not spread: "Apple and its partners … Apple's offerings" is one class.
        """
        phrases: set[int] = set()
        classes: set[Coref] = set()
        for phrase, coref in referents:
            if phrase.sentence != pronoun.sentence:
                continue
            condition = self._precedence.condition(pronoun, phrase)
            if condition:
                phrases.add(phrase.index)
                if self._settings.propagate and condition != "command":
                    classes.add(coref)
        return phrases, classes

    def _adjustments(self, pronoun: Phrase, phrase: Phrase, salience: float) -> Shown:
        """What a candidate of the sentence gains and loses for this pronoun alone."""
        if phrase.sentence != pronoun.sentence:
            return ()
        local: list[tuple[str, float]] = []
        if self._precedence.share_embedding(phrase, pronoun):
            local.append(("locality HEAD-S", WEIGHTS["HEAD-S"]))
        if self._precedence.share_adjunct(phrase, pronoun):
            local.append(("locality ARG-S", WEIGHTS["ARG-S"]))
        if (phrase.function, pronoun.function) in self._pairs:
            local.append(("parallelism", self._settings.parallelism))
        if phrase.start > pronoun.start:
            total = salience + _sum(tuple(local))
            local.append(("cataphora", total / self._settings.cataphora - total))
        return tuple(local)

    def _settle(self, anaphor: Phrase, considered: Considered) -> None:
        """Decide, and remember the functions of antecedent and anaphor."""
        nearest = self._settings.member == "nearest"
        antecedent = considered.nearest() if nearest else considered.best()
        decision = considered.decision(antecedent)
        if antecedent is None and self._settings.empty == "recent":
            antecedent = self._most_recent(anaphor)
            if antecedent is not None:
                decision = replace(decision, antecedent=antecedent.index, rule="most recent")
        self.attention.settle(anaphor, antecedent, decision)
        if antecedent is not None:
            self._pairs.add((antecedent.function, anaphor.function))

    def _most_recent(self, anaphor: Phrase) -> Phrase | None:
        """The nearest phrase before an anaphor that agrees with it and has no part in it."""
        for phrase in reversed(near(self._discourse, anaphor, anaphor.sentence)):
            agrees = not phrase.pleonastic and not anaphor.agreement.clash(phrase.agreement)
            if agrees and phrase.end <= anaphor.start:
                return phrase
        return None


def _sum(local: Shown) -> float:
    return sum(gain for _, gain in local)


def _reach(threshold: float, sentences: int) -> int:
    """After how many sentences without mention even the most salient class has faded."""
    if threshold <= 0:
        return sentences
    return max(0, int(log2(sum(WEIGHTS.values()) / threshold)))
