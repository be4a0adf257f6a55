"""What several indicators look up in a text: words of phrases, paragraphs, verbs and objects."""

from collections.abc import Iterator
from functools import cached_property

from corefbench.preprocess.discourse import Discourse
from corefbench.preprocess.phrase import Phrase
from corefbench.preprocess.tree import Tree
from corefbench.resolvers.rules.names import Names

_SUBJECTS = frozenset({"nsubj", "csubj"})
_COMPLEMENTS = frozenset({"obj", "iobj", "obl"})


class Text:
    """A discourse as the indicators read it.

    With ``bearers`` the names of one bearer are one word (*Mary McDonagh … Mary*), those of others
    are not (*Edwin McDonagh*); without, names are told by their last word.
    """

    def __init__(self, discourse: Discourse, *, bearers: bool = True) -> None:
        self.discourse = discourse
        self.analysis = discourse.analysis
        self.tree = Tree(discourse.analysis)
        self.lemmas = [lemma.lower() for lemma in discourse.analysis.lemmas]
        self.words = [self._word(phrase) for phrase in discourse.phrases]
        """For every phrase the word by which it is recognised."""
        if bearers:
            self._join_names()
        self._resolved: dict[int, Phrase] = {}

    def _word(self, phrase: Phrase) -> str:
        """The lemma of the head; of a name its last word, which stands without the first."""
        token = phrase.head
        if phrase.kind == "name":
            base, heads = self.tree.base, self.tree.heads
            while (
                token + 1 < phrase.core[1]
                and heads[token + 1] == phrase.head
                and base[token + 1] == "flat"
            ):
                token += 1
        return self.lemmas[token]

    def _join_names(self) -> None:
        """Give the names of one bearer one word: all parts of the first of them."""
        names = Names(self.discourse)
        for name, earlier in names.matches():
            own = " ".join(names.parts[name.index])
            self.words[name.index] = self.words[earlier[0].index] if earlier else own

    def note(self, anaphor: Phrase, antecedent: Phrase) -> None:
        """Remember what a pronoun stands for."""
        self._resolved[anaphor.index] = self.noun(antecedent)

    def noun(self, phrase: Phrase) -> Phrase:
        """The phrase whose words count: of a pronoun that was noted, its antecedent."""
        return self._resolved.get(phrase.index, phrase)

    def paragraph(self, phrase: Phrase) -> int:
        """The paragraph that a phrase stands in."""
        return self.analysis.paragraphs[phrase.sentence]

    @cached_property
    def nouns(self) -> list[Phrase]:
        """The phrases with a noun or name of their own, each head once: no pronouns, no sums."""
        seen: set[int] = set()
        found = []
        for phrase in self.discourse.phrases:
            if phrase.pronoun is None and not phrase.coordination and phrase.head not in seen:
                seen.add(phrase.head)
                found.append(phrase)
        return found

    def first_words(self) -> Iterator[int]:
        """The first word of every sentence, after what is punctuation; -1 where there is none."""
        for start, end in self.analysis.sentences:
            tokens = range(start, end)
            yield next((t for t in tokens if self.analysis.upos[t] != "PUNCT"), -1)

    def verb(self, phrase: Phrase) -> int:
        """The verb that a phrase is object or adverbial of, or -1."""
        head = self.tree.heads[phrase.head]
        if head < 0 or self.tree.base[phrase.head] not in _COMPLEMENTS:
            return -1
        return head if self.analysis.upos[head] == "VERB" else -1

    def subject(self, verb: int) -> str:
        """The subject of a verb, in lower case; empty where it has none."""
        for child in self.tree.children[verb]:
            if self.tree.base[child] in _SUBJECTS:
                return self.analysis.words[child].lower()
        return ""

    @cached_property
    def direct_objects(self) -> dict[int, int]:
        """For verbs the phrase that follows them at once, or after a particle, as their object."""
        found: dict[int, int] = {}
        for phrase in self.discourse.phrases:
            verb = self.verb(phrase)
            if verb >= 0 and self.tree.base[phrase.head] == "obj" and self._adjoins(verb, phrase):
                found.setdefault(verb, phrase.index)
        return found

    def _adjoins(self, verb: int, phrase: Phrase) -> bool:
        gap = range(verb + 1, phrase.start)
        return verb < phrase.start and all(self.analysis.xpos[t] in ("RP", "RB") for t in gap)
