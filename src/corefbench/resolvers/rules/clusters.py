"""Chains as the sieve builds them: each knows its words, heads and merged agreement."""

from collections.abc import Iterator

from corefbench.language.agreement import Agreement
from corefbench.preprocess.discourse import Discourse
from corefbench.preprocess.phrase import Phrase
from corefbench.resolvers.rules.entities import both

_POINTERS = "a an the this that these those my your his her its our their some any"
_EMPTY = frozenset(_POINTERS.split())
"""Words that say nothing about what a phrase refers to."""
_FUNCTION_TAGS = frozenset({"DET", "PUNCT", "PART", "ADP", "CCONJ", "SCONJ", "AUX"})


class Cluster:
    """Phrases taken to be one entity, in text order."""

    __slots__ = ("agreement", "heads", "phrases", "words")

    def __init__(self, discourse: Discourse, phrase: Phrase) -> None:
        self.phrases = [phrase]
        self.agreement: Agreement = phrase.agreement
        nominal = phrase.pronoun is None
        self.heads = {head_word(discourse, phrase)} if nominal else set[str]()
        self.words = content_words(discourse, phrase) if nominal else set[str]()

    @property
    def first(self) -> Phrase:
        """The phrase that speaks for the cluster when it looks for an antecedent."""
        return self.phrases[0]

    def take(self, other: "Cluster") -> None:
        """Make the other's phrases this one's."""
        self.phrases = sorted([*self.phrases, *other.phrases], key=lambda phrase: phrase.index)
        self.agreement = both(self.agreement, other.agreement)
        self.heads |= other.heads
        self.words |= other.words


class Clusters:
    """All phrases of a discourse, each at first a cluster of its own."""

    def __init__(self, discourse: Discourse) -> None:
        self._of = {
            phrase.index: Cluster(discourse, phrase)
            for phrase in discourse.phrases
            if not phrase.pleonastic
        }

    def __iter__(self) -> Iterator[Cluster]:
        """The clusters in the order of their first phrases."""
        return iter(list({id(cluster): cluster for cluster in self._of.values()}.values()))

    def of(self, phrase: Phrase) -> Cluster:
        return self._of[phrase.index]

    def holds(self, phrase: Phrase) -> bool:
        return phrase.index in self._of

    def merge(self, one: Phrase, other: Phrase) -> None:
        """Put the clusters of two phrases together."""
        kept, gone = self._of[one.index], self._of[other.index]
        if kept is not gone:
            kept.take(gone)
            for phrase in gone.phrases:
                self._of[phrase.index] = kept


def head_word(discourse: Discourse, phrase: Phrase) -> str:
    """The lemma of the head, in lower case."""
    return discourse.analysis.lemmas[phrase.head].lower()


def content_words(discourse: Discourse, phrase: Phrase, *, whole: bool = False) -> set[str]:
    """The words of the base phrase that say what it refers to; with ``whole`` of all of it."""
    analysis = discourse.analysis
    tokens = range(phrase.start, phrase.end) if whole else range(*phrase.core)
    return {
        analysis.lemmas[token].lower()
        for token in tokens
        if analysis.upos[token] not in _FUNCTION_TAGS
        and analysis.words[token].lower() not in _EMPTY
    }


def possessor(discourse: Discourse, phrase: Phrase) -> str:
    """The word that says whose a phrase is, in lower case; empty where nothing does."""
    analysis = discourse.analysis
    for token in range(phrase.start, phrase.head):
        if analysis.heads[token] == phrase.head and analysis.relations[token] == "nmod:poss":
            return analysis.words[token].lower()
    return ""
