"""Hobbs' search restated for dependency trees, after Lappin & Leass (1994, §6.1).

The nodes are clauses and noun phrases. From the pronoun upwards, what hangs on each node to the
left of the pronoun is searched breadth first, then the node itself is proposed. Where Hobbs keeps
co-arguments apart by the shape of the tree, the caller filters by binding.
"""

from collections import deque
from collections.abc import Iterator
from typing import TypeAlias

from corefbench.preprocess.discourse import Discourse
from corefbench.preprocess.phrase import Phrase
from corefbench.preprocess.tree import Tree

Proposal: TypeAlias = tuple[str, Phrase]
"""What the phrase is to the pronoun's sentence, and the phrase."""

_SUBJECTS = frozenset({"nsubj", "csubj", "expl"})


class Dependencies:
    """The trees of a discourse, ready to be searched."""

    def __init__(self, discourse: Discourse) -> None:
        self._tree = Tree(discourse.analysis)
        self._phrases: dict[int, list[Phrase]] = {}
        for phrase in discourse.phrases:
            self._phrases.setdefault(phrase.head, []).append(phrase)
        self._clauses = {clause.head for clause in discourse.clauses}
        self._roots = [
            [token for token in range(start, end) if self._tree.heads[token] < 0]
            for start, end in discourse.analysis.sentences
        ]

    def proposals(self, pronoun: Phrase) -> Iterator[Proposal]:
        """The phrases of the pronoun's sentence, in the order in which they are proposed."""
        way = [pronoun.head]
        for token in self._tree.above(pronoun.head):
            way.append(token)
            within = [one for one in self._phrases.get(token, ()) if _contains(one, pronoun)]
            if within or token in self._clauses:
                for phrase in self._breadth_first([token], dict(zip(way[1:], way, strict=False))):
                    if phrase.start < pronoun.start and not _contains(phrase, pronoun):
                        yield "left", phrase
                if self._in_adjunct(way[-2], pronoun):
                    yield from (("containing", one) for one in within if one.start < pronoun.start)
                way = [token]

    def _in_adjunct(self, branch: int, pronoun: Phrase) -> bool:
        """Whether a noun's dependent that a pronoun is in is an adjunct: Hobbs' step 6.

        *Of* phrases and clauses that a subordinator opens are complements. A pronoun that is itself
        an argument of a relative clause has the noun beside it there: "the cake that she ate".
        """
        tree = self._tree
        relation = tree.base[branch]
        if relation == "acl":
            beside = tree.heads[pronoun.head] == branch
            return not beside and not self._has(branch, "mark")
        return (
            relation == "nmod"
            and tree.relations[branch] != "nmod:poss"
            and (not self._has(branch, "case", "of"))
        )

    def _has(self, token: int, relation: str, word: str = "") -> bool:
        tree, words = self._tree, self._tree.analysis.words
        return any(
            tree.base[child] == relation and (not word or words[child].lower() == word)
            for child in tree.children[token]
        )

    def in_previous_sentence(self, sentence: int) -> Iterator[Proposal]:
        """All phrases of a sentence, from its root, breadth first in the order of the words."""
        for phrase in self._breadth_first(self._roots[sentence], {}):
            yield "previous sentence", phrase

    def _breadth_first(self, tokens: list[int], branches: dict[int, int]) -> Iterator[Phrase]:
        """The phrases of tokens and of what hangs on them, level by level.

        ``branches`` has the way to the pronoun: of its tokens only what is to the left of the way
        is searched, at every level of it. A predicate comes in its place among the words.
        """
        children = self._tree.children
        queue: deque[tuple[int, bool]] = deque((token, False) for token in tokens)
        while queue:
            token, alone = queue.popleft()
            branch = branches.get(token)
            is_predicate = self._is_predicate(token)
            if alone or not (is_predicate or (branch is not None and token > branch)):
                yield from self._phrases.get(token, ())
            if alone:
                continue
            below = [(child, False) for child in children[token]]
            if is_predicate:
                below = sorted([*below, (token, True)])
            if branch is not None:
                keep = (branch, False) if branch in branches else None
                below = [one for one in below if one[0] < branch or one == keep]
            queue.extend(below)

    def _is_predicate(self, token: int) -> bool:
        """Whether a phrase's head is the predicate of a clause with a subject of its own."""
        tree = self._tree
        return token in self._phrases and any(
            tree.base[child] in _SUBJECTS for child in tree.children[token]
        )


def _contains(outer: Phrase, inner: Phrase) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end and outer.index != inner.index
