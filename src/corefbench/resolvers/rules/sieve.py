"""A deterministic sieve for all noun phrases, after Lee et al. (2013).

Passes run from the most to the least certain; each sees the clusters that earlier ones made:

    speaker       *I* and *me* in quotations are those who say them; *you* among *you*
    exact         the same words, unless indefinite
    apposition    *Ann, a doctor*
    name          equal names, parts of names, and acronyms
    strict head   the same head, no new word, no other modifier
    loose head    the same head and no new word
    pronoun       what the chosen pronoun resolver decides

Only the first phrase of a cluster looks for an antecedent, and indefinite ones never do.
"""

from collections.abc import Callable, Iterator

from corefbench.errors import UsageError
from corefbench.preprocess.discourse import Discourse, Phrase
from corefbench.preprocess.english.pronouns import Agreement
from corefbench.resolvers import make
from corefbench.resolvers.base import Decision, Resolution, ResolverCard, RuleResolver, Value, parameter
from corefbench.resolvers.rules.links import Names, find_descriptions, find_speaker_links

_DETERMINER_LIST = "a an the this that these those my your his her its our their some any"
_DETERMINERS = frozenset(_DETERMINER_LIST.split())
"""Words that say nothing about what a phrase refers to."""
_FUNCTION_TAGS = frozenset({"DET", "PUNCT", "PART", "ADP", "CCONJ", "SCONJ", "AUX"})
_INDEFINITES = frozenset({"a", "an", "another", "some", "any", "no", "every", "each"})
"""Words that begin a phrase which is not about anything known."""
_ANAPHORIC_HEADS = frozenset({"one", "other", "former", "latter", "same", "rest", "first", "second"})
"""Heads that stand for another noun, so that two of them say nothing."""


class Sieve(RuleResolver):
    """Links names, nouns and pronouns in passes of falling precision."""

    card = ResolverCard(
        name="sieve",
        title="Sieve",
        description="Deterministic passes over all noun phrases: speakers, strings, heads, names, pronouns.",
        resolves="chains",
        cites=("lee2013",),
    )

    pronouns = parameter("", "lappin-leass", "the resolver of the pronoun pass")
    appositions = parameter("", True, "whether an apposition is a mention")
    predicates = parameter("", False, "whether *is a doctor* corefers with its subject")
    loose_heads = parameter("", False, "whether the same head and no new word are enough")
    singletons = parameter("", False, "whether phrases without a partner are mentions too")

    def __init__(self, **values: Value) -> None:
        super().__init__(**values)
        self._pronouns = make(self.pronouns)
        if self._pronouns.card.name == self.card.name:
            raise UsageError("the sieve cannot be its own pronoun pass", found=self.pronouns)

    def resolve(self, discourse: Discourse) -> Resolution:
        """Resolve one document."""
        passes = _Passes(discourse)
        passes.speakers()
        passes.by_string()
        passes.descriptions(self.appositions, self.predicates)
        passes.by_name()
        passes.by_head("strict head", passes.no_other_modifier)
        if self.loose_heads:
            passes.by_head("loose head", lambda anaphor, antecedent: True)
        pronouns = self._pronouns.resolve(discourse)
        # The pronoun pass wins over earlier passes, which see pronouns only as speakers.
        decided = {decision.anaphor for decision in pronouns.decisions}
        nouns = [decision for decision in passes.decisions if decision.anaphor not in decided]
        mentions = [phrase.index for phrase in discourse.phrases if not phrase.pleonastic]
        return self.resolution(
            discourse,
            sorted((*pronouns.decisions, *nouns), key=lambda decision: decision.anaphor),
            mentions=mentions if self.singletons else None,
        )


class _Passes:
    """The passes over one discourse."""

    def __init__(self, discourse: Discourse) -> None:
        self.discourse = discourse
        self.clusters = {
            phrase.index: Cluster(discourse, phrase) for phrase in discourse.phrases if not phrase.pleonastic
        }
        """The cluster of every phrase, at first its own."""
        self.decisions: list[Decision] = []

    def link(self, anaphor: Phrase, antecedent: Phrase, rule: str) -> None:
        """Merge the clusters of two phrases and record the rule."""
        cluster, merged = self.clusters[antecedent.index], self.clusters[anaphor.index]
        if cluster is not merged:
            cluster.take(merged)
            self.clusters |= {phrase.index: cluster for phrase in merged.phrases}
        self.decisions.append(Decision(anaphor=anaphor.index, antecedent=antecedent.index, rule=rule))

    def speakers(self) -> None:
        """Link first and second person inside quotations and turns."""
        for anaphor, antecedent in find_speaker_links(self.discourse):
            self.link(anaphor, antecedent, "speaker")

    def by_string(self) -> None:
        """Link phrases with the same words in the same order."""
        last: dict[tuple[str, ...], Phrase] = {}
        for phrase in self._nouns():
            words = tuple(word.lower() for word in self.discourse.words_of(phrase))
            earlier = last.get(words)
            is_indefinite = words[0] in _INDEFINITES
            if earlier is not None and not is_indefinite and self._may_join(phrase, earlier):
                self.link(phrase, earlier, "exact")
            last[words] = phrase

    def descriptions(self, appositions: bool, predicates: bool) -> None:
        """Link phrases that describe another in their sentence."""
        relations = self.discourse.analysis.relations
        for number, subject in find_descriptions(self.discourse).items():
            phrase = self.discourse.phrases[number]
            apposed = relations[phrase.head] == "appos"
            if (appositions if apposed else predicates) and not subject.pleonastic:
                self.link(phrase, subject, "apposition" if apposed else "predicate")

    def by_name(self) -> None:
        """Link names that are equal or part of each other, and acronyms."""
        names = Names(self.discourse)
        long: dict[str, Phrase] = {}
        for phrase, earlier in names.matches():
            parts = names.parts[phrase.index]
            short = parts[0].replace(".", "") if len(parts) == 1 else ""
            antecedent = next((name for name in earlier if self._may_join(phrase, name)), None)
            # An acronym: *IBM* after *International Business Machines*.
            if antecedent is None and len(short) > 1 and short in long:
                antecedent = long[short]
            if antecedent is not None:
                self.link(phrase, antecedent, "name")
            if len(parts) > 1:
                long["".join(part[:1] for part in parts)] = phrase

    def by_head(self, rule: str, test: Callable[[Phrase, Phrase], bool]) -> None:
        """Link definite nouns to an earlier cluster with the same head and all their words."""
        earlier: dict[str, list[Phrase]] = {}
        for phrase in self._nouns():
            head = head_word(self.discourse, phrase)
            # Only the first phrase of a cluster looks back (Lee et al. 2013).
            if self.clusters[phrase.index].phrases[0] is phrase and self._looks_back(phrase):
                for candidate in reversed(earlier.get(head, ())):
                    if self._joins(phrase, candidate) and test(phrase, candidate):
                        self.link(phrase, candidate, rule)
                        break
            earlier.setdefault(head, []).append(phrase)

    def no_other_modifier(self, anaphor: Phrase, antecedent: Phrase) -> bool:
        """Whether the antecedent has every modifier of the anaphor, those after its head too."""
        words = content_words(self.discourse, anaphor, whole=True)
        return words <= content_words(self.discourse, antecedent, whole=True)

    def _joins(self, phrase: Phrase, candidate: Phrase) -> bool:
        words = self.clusters[phrase.index].words
        return words <= self.clusters[candidate.index].words and self._may_join(phrase, candidate)

    def _may_join(self, phrase: Phrase, candidate: Phrase) -> bool:
        """Return whether two phrases agree, are apart and have no different possessors."""
        cluster, other_cluster = self.clusters[phrase.index], self.clusters[candidate.index]
        apart = candidate.end <= phrase.start or phrase.end <= candidate.start
        return (
            cluster is not other_cluster
            and apart
            and not cluster.agreement.clash(other_cluster.agreement)
            and not self._owned_by_others(phrase, candidate)
        )

    def _owned_by_others(self, phrase: Phrase, candidate: Phrase) -> bool:
        """Whether both have possessors, and these are different words."""
        owner, other_owner = possessor(self.discourse, phrase), possessor(self.discourse, candidate)
        return bool(owner) and bool(other_owner) and owner != other_owner

    def _looks_back(self, phrase: Phrase) -> bool:
        """Whether a phrase can refer back: names do, of nouns only the definite."""
        definite = phrase.kind == "nominal" and phrase.definiteness == "definite"
        return definite and head_word(self.discourse, phrase) not in _ANAPHORIC_HEADS

    def _nouns(self) -> Iterator[Phrase]:
        """The phrases that are not pronouns; indefinite ones can only be antecedents."""
        for phrase in self.discourse.phrases:
            if phrase.pronoun is None and not phrase.coordination:
                yield phrase


class Cluster:
    """Phrases taken to be one entity, in text order."""

    __slots__ = ("agreement", "phrases", "words")

    def __init__(self, discourse: Discourse, phrase: Phrase) -> None:
        self.phrases = [phrase]
        self.agreement: Agreement = phrase.agreement
        self.words = set[str]() if phrase.pronoun else content_words(discourse, phrase)

    def take(self, other: "Cluster") -> None:
        """Merge another cluster into this one."""
        self.phrases = sorted([*self.phrases, *other.phrases], key=lambda phrase: phrase.index)
        self.agreement = self.agreement.merge(other.agreement)
        self.words |= other.words


def head_word(discourse: Discourse, phrase: Phrase) -> str:
    """Return the lemma of the head in lower case."""
    return discourse.analysis.lemmas[phrase.head].lower()


def content_words(discourse: Discourse, phrase: Phrase, *, whole: bool = False) -> set[str]:
    """Return the content words of the base phrase, or of the ``whole`` phrase."""
    analysis = discourse.analysis
    tokens = range(phrase.start, phrase.end) if whole else range(*phrase.core)
    return {
        analysis.lemmas[token].lower()
        for token in tokens
        if analysis.upos[token] not in _FUNCTION_TAGS and analysis.words[token].lower() not in _DETERMINERS
    }


def possessor(discourse: Discourse, phrase: Phrase) -> str:
    """Return the possessor of a phrase in lower case; empty if there is none."""
    analysis = discourse.analysis
    for token in range(phrase.start, phrase.head):
        if analysis.heads[token] == phrase.head and analysis.relations[token] == "nmod:poss":
            return analysis.words[token].lower()
    return ""
