"""What the resolvers by salience keep in mind of a document while they read it."""

from collections.abc import Callable

from msgspec.structs import replace

from corefbench.language.agreement import Clash
from corefbench.preprocess.discourse import Discourse
from corefbench.preprocess.phrase import Phrase
from corefbench.resolvers.resolution import Decision
from corefbench.resolvers.rules.appositions import appositions_of
from corefbench.resolvers.rules.considered import Considered
from corefbench.resolvers.rules.names import Names
from corefbench.resolvers.rules.salience import Classes, Coref, Factors
from corefbench.resolvers.rules.window import near


class Attention:
    """The classes of a document, and what was decided so far."""

    def __init__(
        self,
        discourse: Discourse,
        classes: Classes,
        factors: Callable[[Phrase], Factors],
        *,
        link_names: bool,
        class_gender: bool,
        appositions: bool,
    ) -> None:
        self.discourse = discourse
        self.classes = classes
        self.decisions: list[Decision] = []
        self.links: list[tuple[int, int]] = []
        """Names that were linked."""
        self._factors = factors
        self._class_gender = class_gender
        self._named: dict[int, Phrase] = {}
        if link_names:
            matches = Names(discourse).matches()
            self._named = {name.index: earlier[0] for name, earlier in matches if earlier}
        self._renamed = appositions_of(discourse) if appositions else {}

    def introduce(self, phrase: Phrase) -> None:
        """Open a class for a phrase that is no anaphor; a name may be of a class that is known, and
        an apposition is of that of what it renames."""
        earlier = self._renamed.get(phrase.index) or self._named.get(phrase.index)
        coref = self.classes.of[earlier.index] if earlier is not None else None
        if earlier is not None and coref is not None:
            self.links.append((earlier.index, phrase.index))
        self.classes.add(phrase, self._factors(phrase), coref)

    def class_of(self, phrase: Phrase) -> Coref:
        """The class of a phrase; a pronoun that is still to be resolved has one of its own."""
        found = self.classes.of[phrase.index]
        return found or self.classes.add(phrase, self._factors(phrase))

    def referents(self, anaphor: Phrase, back: int) -> list[tuple[Phrase, Coref]]:
        """The interpreted phrases of the sentence and some before it whose classes are in mind."""
        own = self.classes.of[anaphor.index]
        return [
            (phrase, coref)
            for phrase in near(self.discourse, anaphor, back)
            if (coref := self.classes.salient(phrase)) is not None and coref is not own
        ]

    def clash(self, anaphor: Phrase, phrase: Phrase, coref: Coref | None) -> Clash:
        """What an anaphor and a phrase disagree in, or the gender of the phrase's class."""
        clash = anaphor.agreement.clash(phrase.agreement)
        if clash or coref is None or not self._class_gender:
            return clash
        if coref.gender & anaphor.agreement.gender:
            return ""
        return anaphor.agreement.clash(replace(phrase.agreement, gender=coref.gender))

    def bind(self, anaphor: Phrase, binders: set[int]) -> Considered:
        """Weigh the phrases of the sentence that may bind a reflexive or reciprocal."""
        considered = Considered(anaphor, preceding_first=True)
        for phrase in near(self.discourse, anaphor):
            if phrase.pleonastic:
                continue
            coref = self.class_of(phrase) if phrase.index in binders else None
            clash = self.clash(anaphor, phrase, coref)
            if coref is None or clash:
                considered.drop(phrase, clash or "binding")
            else:
                considered.keep(phrase, coref, coref.salience)
        return considered

    def settle(self, anaphor: Phrase, antecedent: Phrase | None, decision: Decision) -> None:
        """Note a decision and put the anaphor, with what it binds, into its antecedent's class."""
        self.decisions.append(decision)
        own = self.classes.of[anaphor.index]
        if antecedent is None:
            self.class_of(anaphor)
            return
        coref = self.class_of(antecedent)
        for member in own.members if own is not None else [anaphor]:
            self.classes.add(member, self._factors(member), coref)
