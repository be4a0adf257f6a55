"""Hobbs' naive algorithm (1978): search the tree in a fixed order, take the first that agrees."""

from collections.abc import Iterator
from typing import TypeAlias

from corefbench.errors import DataError, Place, UsageError
from corefbench.preprocess.discourse import Discourse
from corefbench.preprocess.phrase import Phrase
from corefbench.resolvers import signature
from corefbench.resolvers.base import Parameter, ResolverCard
from corefbench.resolvers.resolution import Candidate, Decision, Dropped, Resolution
from corefbench.resolvers.rules import hobbs_constituents as constituents
from corefbench.resolvers.rules.binding import Binding, is_bound
from corefbench.resolvers.rules.candidates import REFERENCE_WINDOW, preceding, reason
from corefbench.resolvers.rules.hobbs_dependencies import Dependencies
from corefbench.resolvers.rules.hobbs_phrases import NodePhrases
from corefbench.resolvers.rules.reflexives import bound_by

Proposal: TypeAlias = tuple[str, Phrase]
"""The step that proposes, and the phrase."""

_TREES = ("auto", "constituents", "dependencies")


class Hobbs:
    """Phrase-structure trees where the document has them, else dependencies."""

    card = ResolverCard(
        name="hobbs",
        title="Hobbs' naive algorithm",
        description="A search through the syntax tree, left to right and breadth first.",
        parameters=(
            Parameter(
                name="trees",
                default="auto",
                meaning="constituents, dependencies, or auto: constituents where there are any",
            ),
            Parameter(
                name="window",
                default=0,
                meaning="how many sentences to look back; 0: to the beginning of the text",
                decision="H4",
            ),
        ),
        cites=("hobbs1978", "tetreault2001", "lappin1994"),
    )

    def __init__(self, *, trees: str = "auto", window: int = 0) -> None:
        if trees not in _TREES:
            raise UsageError(
                "Hobbs cannot search this", found=str(trees), expected=" or ".join(_TREES)
            )
        if window < 0:
            raise UsageError("a window cannot be negative", found=str(window), expected="0 or more")
        self.trees = trees
        self.window = window

    def resolve(self, discourse: Discourse) -> Resolution:
        """Resolve one document."""
        if self.trees == "constituents" and discourse.analysis.trees is None:
            raise DataError(
                "there are no phrase-structure trees",
                code="CB211",
                place=Place(document=discourse.analysis.name),
                remedy="hobbs(trees=dependencies)",
            )
        search = _Search(discourse, self.trees, self.window)
        return Resolution(
            resolver=signature(self),
            discourse=discourse,
            decisions=tuple(search.decide(anaphor) for anaphor in discourse.anaphors),
        )


class _Search:
    """The search through one document."""

    def __init__(self, discourse: Discourse, trees: str, window: int) -> None:
        self.discourse = discourse
        self.window = window
        self.binding = Binding(discourse)
        self.dependencies = Dependencies(discourse)
        self.nodes = NodePhrases(discourse)
        known = None if trees == "dependencies" else discourse.analysis.trees
        self.trees = known or (None,) * len(discourse.analysis.sentences)

    def decide(self, anaphor: Phrase) -> Decision:
        """The first proposal that nothing speaks against; reflexives have a rule of their own."""
        if is_bound(anaphor):
            return self._reflexive(anaphor)
        chosen: Proposal | None = None
        seen: dict[int, Dropped] = {}
        for step, phrase in self._proposals(anaphor):
            beyond = anaphor.sentence - phrase.sentence > REFERENCE_WINDOW
            if chosen is not None and beyond:
                break
            if phrase.index == anaphor.index or phrase.index in seen or phrase.pleonastic:
                continue
            why = seen[phrase.index] = self._dropped(anaphor, phrase, step)
            if not why and chosen is None:
                chosen = step, phrase
        return self._decision(anaphor, chosen, seen)

    def _dropped(self, anaphor: Phrase, phrase: Phrase, step: str) -> Dropped:
        """Over constituents the search itself keeps apart what binding would.

        Only step 6 proposes what the pronoun is part of.
        """
        if self.trees[anaphor.sentence] is None:
            return reason(anaphor, phrase, self.binding)
        inside = phrase.start <= anaphor.start and anaphor.end <= phrase.end
        clash = anaphor.agreement.clash(phrase.agreement)
        return clash or ("binding" if inside and step != "step 6" else "")

    def _proposals(self, anaphor: Phrase) -> Iterator[Proposal]:
        yield from self._in_sentence(anaphor)
        first = max(0, anaphor.sentence - self.window) if self.window else 0
        for sentence in range(anaphor.sentence - 1, first - 1, -1):
            tree = self.trees[sentence]
            if tree is None:
                yield from self.dependencies.in_previous_sentence(sentence)
            else:
                yield from self.nodes.phrases(constituents.in_previous_sentence(tree))

    def _in_sentence(self, anaphor: Phrase) -> Iterator[Proposal]:
        tree = self.trees[anaphor.sentence]
        if tree is None:
            return self.dependencies.proposals(anaphor)
        words = self.discourse.analysis.words
        return self.nodes.phrases(constituents.proposals(tree, anaphor.head, words))

    def _reflexive(self, anaphor: Phrase) -> Decision:
        near = list(preceding(self.discourse, anaphor, 0))
        agreeing = [one for one in near if not anaphor.agreement.clash(one.agreement)]
        found = bound_by(self.discourse, self.binding, anaphor, agreeing)
        seen: dict[int, Dropped] = {
            one.index: anaphor.agreement.clash(one.agreement) for one in near
        }
        return self._decision(anaphor, None if found is None else ("reflexive", found), seen)

    def _decision(
        self, anaphor: Phrase, chosen: Proposal | None, seen: dict[int, Dropped]
    ) -> Decision:
        return Decision(
            anaphor=anaphor.index,
            antecedent=None if chosen is None else chosen[1].index,
            candidates=tuple(
                Candidate(phrase=phrase, dropped=seen[phrase]) for phrase in sorted(seen)
            ),
            rule="no candidate" if chosen is None else chosen[0],
        )
