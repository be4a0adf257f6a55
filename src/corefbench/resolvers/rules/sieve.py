"""A deterministic sieve for all noun phrases, after Lee et al. (2013).

Passes run from the most to the least certain; each sees the clusters that earlier ones made:

    speaker       *I* and *me* in quotations are those who say them; *you* among *you*
    exact         the same words, unless indefinite
    apposition    *Ann, a doctor*
    name          equal names, parts of names, and acronyms
    strict head   the same head, no new word, no other modifier
    loose head    the same head and no new word
    proper head   the same last name, no other number or place in it
    pronoun       what the chosen pronoun resolver decides

Only the first phrase of a cluster looks for an antecedent, and indefinite ones never do.
"""

from collections.abc import Callable, Iterator

from corefbench.errors import UsageError
from corefbench.preprocess.discourse import Discourse
from corefbench.preprocess.phrase import Phrase
from corefbench.resolvers import make, signature
from corefbench.resolvers.base import Parameter, ResolverCard
from corefbench.resolvers.resolution import Decision, Resolution
from corefbench.resolvers.rules.clusters import (
    Clusters,
    content_words,
    head_word,
    possessor,
)
from corefbench.resolvers.rules.descriptions import described
from corefbench.resolvers.rules.names import Names
from corefbench.resolvers.rules.speakers import speaker_links

_INTRODUCING = frozenset({"a", "an", "another", "some", "any", "no", "every", "each"})
"""Words that begin a phrase which is not about anything known."""
_STAND_INS = frozenset({"one", "other", "former", "latter", "same", "rest", "first", "second"})
"""Heads that stand for another noun, so that two of them say nothing."""


class Sieve:
    """Links names, nouns and pronouns in passes of falling precision."""

    card = ResolverCard(
        name="sieve",
        title="Sieve",
        description="Deterministic passes over all noun phrases: speakers, strings, heads, "
        "names, pronouns.",
        resolves="chains",
        parameters=(
            Parameter(
                name="pronouns",
                default="lappin-leass",
                meaning="the resolver of the pronoun pass",
            ),
            Parameter(
                name="appositions", default=True, meaning="whether an apposition is a mention"
            ),
            Parameter(
                name="predicates",
                default=False,
                meaning="whether *is a doctor* corefers with its subject",
            ),
            Parameter(
                name="loose_heads",
                default=False,
                meaning="whether the same head and no new word are enough",
            ),
            Parameter(
                name="singletons",
                default=False,
                meaning="whether phrases without a partner are mentions too",
            ),
        ),
        cites=("lee2013",),
    )

    def __init__(
        self,
        *,
        pronouns: str = "lappin-leass",
        appositions: bool = True,
        predicates: bool = False,
        loose_heads: bool = False,
        singletons: bool = False,
    ) -> None:
        self.pronouns = pronouns
        self.appositions = appositions
        self.predicates = predicates
        self.loose_heads = loose_heads
        self.singletons = singletons
        self._pronouns = make(pronouns)
        if self._pronouns.card.name == self.card.name:
            raise UsageError("the sieve cannot be its own pronoun pass", found=pronouns)

    def resolve(self, discourse: Discourse) -> Resolution:
        """Resolve one document."""
        run = _Run(discourse)
        run.speakers()
        run.by_string()
        run.descriptions(self.appositions, self.predicates)
        run.by_name()
        run.by_head("strict head", run.no_other_modifier)
        if self.loose_heads:
            run.by_head("loose head", lambda anaphor, antecedent: True)
        pronouns = self._pronouns.resolve(discourse)
        decided = {d.anaphor for d in pronouns.decisions}
        nouns = [d for d in run.decisions if d.anaphor not in decided]
        return Resolution(
            resolver=signature(self),
            discourse=discourse,
            decisions=tuple(sorted((*pronouns.decisions, *nouns), key=lambda d: d.anaphor)),
            mentions=tuple(p.index for p in discourse.phrases if run.clusters.holds(p))
            if self.singletons
            else None,
        )


class _Run:
    """The passes over one discourse."""

    def __init__(self, discourse: Discourse) -> None:
        self.discourse = discourse
        self.clusters = Clusters(discourse)
        self.decisions: list[Decision] = []

    def link(self, anaphor: Phrase, antecedent: Phrase, rule: str) -> None:
        """Put two clusters together and say why."""
        self.clusters.merge(antecedent, anaphor)
        self.decisions.append(
            Decision(anaphor=anaphor.index, antecedent=antecedent.index, rule=rule)
        )

    def speakers(self) -> None:
        """First and second person inside quotations and turns."""
        for anaphor, antecedent in speaker_links(self.discourse):
            self.link(anaphor, antecedent, "speaker")

    def by_string(self) -> None:
        """The same words in the same order."""
        last: dict[tuple[str, ...], Phrase] = {}
        for phrase in self._nouns():
            words = tuple(word.lower() for word in self.discourse.words_of(phrase))
            earlier = last.get(words)
            fresh = words[0] in _INTRODUCING
            if earlier is not None and not fresh and self._may_join(phrase, earlier):
                self.link(phrase, earlier, "exact")
            last[words] = phrase

    def descriptions(self, appositions: bool, predicates: bool) -> None:
        """What describes another phrase in its own sentence."""
        relations = self.discourse.analysis.relations
        for number, subject in described(self.discourse).items():
            phrase = self.discourse.phrases[number]
            apposed = relations[phrase.head] == "appos"
            if (appositions if apposed else predicates) and self.clusters.holds(subject):
                self.link(phrase, subject, "apposition" if apposed else "predicate")

    def by_name(self) -> None:
        """Names that are equal or part of each other, and acronyms."""
        names = Names(self.discourse)
        long: dict[str, Phrase] = {}
        for phrase, earlier in names.matches():
            if not self.clusters.holds(phrase):
                continue
            parts = names.parts[phrase.index]
            short = parts[0].replace(".", "") if len(parts) == 1 else ""
            found = next((one for one in earlier if self._may_join(phrase, one)), None)
            if found is None and len(short) > 1 and short in long:
                found = long[short]
            if found is not None:
                self.link(phrase, found, "name")
            if len(parts) > 1:
                long["".join(part[:1] for part in parts)] = phrase

    def by_head(self, rule: str, test: Callable[[Phrase, Phrase], bool]) -> None:
        """Definite nouns with the head of an earlier cluster and none but its words."""
        earlier: dict[str, list[Phrase]] = {}
        for phrase in self._nouns():
            head = head_word(self.discourse, phrase)
            cluster = self.clusters.of(phrase)
            if cluster.first is phrase and self._looks_back(phrase):
                for candidate in reversed(earlier.get(head, ())):
                    if self._joins(phrase, candidate) and test(phrase, candidate):
                        self.link(phrase, candidate, rule)
                        break
            earlier.setdefault(head, []).append(phrase)

    def no_other_modifier(self, anaphor: Phrase, antecedent: Phrase) -> bool:
        """Whether the antecedent has every modifier of the anaphor, those after its head too."""
        mine = content_words(self.discourse, anaphor, whole=True)
        return mine <= content_words(self.discourse, antecedent, whole=True)

    def _joins(self, phrase: Phrase, candidate: Phrase) -> bool:
        words = self.clusters.of(phrase).words
        return words <= self.clusters.of(candidate).words and self._may_join(phrase, candidate)

    def _may_join(self, phrase: Phrase, candidate: Phrase) -> bool:
        """Whether nothing speaks against it: agreement, one inside the other."""
        one, other = self.clusters.of(phrase), self.clusters.of(candidate)
        apart = candidate.end <= phrase.start or phrase.end <= candidate.start
        return (
            one is not other
            and apart
            and not one.agreement.clash(other.agreement)
            and not self._owned_by_others(phrase, candidate)
        )

    def _owned_by_others(self, phrase: Phrase, candidate: Phrase) -> bool:
        """Whether both have possessors, and these are different words."""
        one, other = possessor(self.discourse, phrase), possessor(self.discourse, candidate)
        return bool(one) and bool(other) and one != other

    def _looks_back(self, phrase: Phrase) -> bool:
        """Whether a phrase can refer back: names do, of nouns only the definite."""
        definite = phrase.kind == "nominal" and phrase.definiteness == "definite"
        return definite and head_word(self.discourse, phrase) not in _STAND_INS

    def _nouns(self) -> Iterator[Phrase]:
        """The phrases that are not pronouns; indefinite ones can only be antecedents."""
        for phrase in self.discourse.phrases:
            if phrase.pronoun is None and not phrase.coordination and self.clusters.holds(phrase):
                yield phrase
