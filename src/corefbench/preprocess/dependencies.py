"""From phrase structure to Universal Dependencies: every phrase hangs on the head of its parent."""

from collections.abc import Sequence

from corefbench.preprocess.analysis import Constituent
from corefbench.preprocess.head_rules import VERBS, conjuncts, head_child, is_mark
from corefbench.preprocess.relations import BE, Labels, is_there


class Dependencies:
    """The dependencies of one sentence while its tree is walked."""

    def __init__(self, words: Sequence[str], tags: Sequence[str]) -> None:
        self.words, self.tags = words, tags
        """Of the whole document: nodes have its token numbers."""
        self.heads: dict[int, int] = {}
        self.relations: dict[int, str] = {}
        self.labels = Labels(words, tags)

    def walk(self, tree: Constituent) -> None:
        """Find the governor and relation of every word of a tree."""
        root = self._head(tree, there=False)
        self.heads[root], self.relations[root] = -1, "root"
        for token in range(tree.start, tree.end):
            if self.words[token].lower() == "by" and self.relations[token] == "case":
                self._agent(self.heads[token])

    def _agent(self, token: int) -> None:
        """Whether a verb is passive is known only when its auxiliary was met."""
        if self.relations[token] == "obl" and self.heads[token] in self.labels.passive:
            self.relations[token] = "obl:agent"

    @property
    def relative(self) -> set[int]:
        """The relative pronouns."""
        return self.labels.relative

    def _head(self, node: Constituent, *, there: bool) -> int:
        """The head word of a node, after all other words in it were attached."""
        if not node.children:
            return node.start
        children = node.children
        there = there or any(is_there(child) for child in children)
        tokens = [self._head(child, there=there and child.label == "VP") for child in children]
        parts = conjuncts(node.label, children)
        if parts:
            return self._coordination(node, tokens, parts)
        place = self._place(node, there)
        self._attach(node, tokens, range(len(children)), place)
        return tokens[place]

    def _place(self, node: Constituent, there: bool) -> int:
        """The place of the head: a predicate rather than *be*."""
        place = head_child(node.label, node.children)
        head = node.children[place]
        is_be = not head.children and self.words[head.start].lower() in BE
        if is_be and head.label in VERBS and not there and node.label in ("VP", "SQ", "SINV"):
            predicates = [
                p
                for p, child in enumerate(node.children)
                if p > place and child.label in ("NP", "ADJP", "QP", "UCP")
            ]
            if node.label != "VP":
                predicates = predicates[1:]
            if predicates:
                return predicates[0]
        return place

    def _coordination(self, node: Constituent, tokens: list[int], parts: list[list[int]]) -> int:
        heads = []
        for part in parts:
            inner = part[head_child(node.label, [node.children[p] for p in part])]
            self._attach(node, tokens, part, inner)
            heads.append(tokens[inner])
        for token in heads[1:]:
            self._set(token, heads[0], "conj")
        inside = {place for part in parts for place in part}
        for place, child in enumerate(node.children):
            if place not in inside:
                after = [token for token in heads[1:] if token > tokens[place]]
                relation = "punct" if is_mark(child) else "cc"
                self._set(tokens[place], after[0] if after else heads[0], relation)
        if heads[0] in self.labels.passive:
            self.labels.passive.update(heads)
        return heads[0]

    def _attach(
        self, node: Constituent, tokens: list[int], places: Sequence[int], head: int
    ) -> None:
        """Attach the heads of children to that of the head child."""
        for place in places:
            if place != head:
                relation = self.labels.relation(node, tokens, place, head)
                self._set(tokens[place], tokens[head], relation)

    def _set(self, token: int, head: int, relation: str) -> None:
        self.heads[token], self.relations[token] = head, relation
