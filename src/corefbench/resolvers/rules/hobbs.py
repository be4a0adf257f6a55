"""Hobbs' naive algorithm (1978) over constituents or dependencies.

Over phrase-structure trees the search follows the nine steps of Tetreault (2001). Nodes are
compared by identity and the path to the pronoun is a list of nodes, because sentences contain equal
subtrees. Penn trees have no N-bar, which steps 3 and 6 ask about: the first noun phrase of ``(NP
(NP the man) (PP in the park))`` stands for it, and is one candidate with the whole. A possessive
pronoun is taken to be in a noun phrase of its own.

Over dependencies the search is restated after Lappin & Leass (1994, §6.1). The nodes are clauses
and noun phrases. From the pronoun upwards, the dependents of each node to the left of the pronoun
are searched breadth first, then the node itself is proposed. Hobbs keeps co-arguments apart by the
shape of the tree; here binding filters them.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias

from corefbench.errors import DataError, Place
from corefbench.preprocess.analysis import Constituent, Tree
from corefbench.preprocess.discourse import Discourse, Phrase
from corefbench.resolvers.base import (
    Candidate,
    Decision,
    Dropped,
    ResolverCard,
    RuleResolver,
    choice,
    parameter,
)
from corefbench.resolvers.rules.binding import Binding, find_reflexive_antecedent, is_bound
from corefbench.resolvers.rules.candidates import REFERENCE_WINDOW, drop_reason, iter_preceding

NodeProposal: TypeAlias = tuple[int, Constituent]
"""The step of the algorithm and the noun phrase that it proposes."""
_CLAUSES = frozenset({"S", "SINV", "SQ", "SBARQ"})
_TOPS = frozenset({"", "TOP", "ROOT", "S1"})
_REDUCED = frozenset({"VP", "S", "RRC", "ADJP"})
"""Relative clauses without relative pronoun."""
_Visit: TypeAlias = tuple[Constituent, Constituent | None, bool]
"""A node, its parent, and whether a noun phrase or clause lies between it and the start."""
Proposal: TypeAlias = tuple[str, Phrase]
"""The step that proposes a phrase, and the phrase."""
_SUBJECTS = frozenset({"nsubj", "csubj", "expl"})


class Hobbs(RuleResolver):
    """Search phrase-structure trees where the document has them, else dependencies."""

    card = ResolverCard(
        name="hobbs",
        title="Hobbs' naive algorithm",
        description="A search through the syntax tree, left to right and breadth first.",
        cites=("hobbs1978", "tetreault2001", "lappin1994"),
    )

    trees = choice(
        "",
        ("auto", "constituents", "dependencies"),
        "constituents, dependencies, or auto: constituents where there are any",
    )
    window = parameter("H4", 0, "how many sentences to look back; 0: to the beginning of the text")

    def decisions(self, discourse: Discourse) -> Iterator[Decision]:
        """Search for the antecedent of each anaphor."""
        if self.trees == "constituents" and discourse.analysis.trees is None:
            raise DataError(
                "the document has no phrase-structure trees",
                code="CB211",
                place=Place(document=discourse.analysis.name),
                remedy="hobbs(trees=dependencies)",
            )
        return map(_HobbsSearch(discourse, self.trees, self.window).decide, discourse.anaphors)


class _HobbsSearch:
    """Search through one document."""

    def __init__(self, discourse: Discourse, trees: str, window: int) -> None:
        self.discourse = discourse
        self.window = window
        self.binding = Binding(discourse)
        self.dependencies = DependencySearch(discourse)
        self.nodes = NodePhraseIndex(discourse)
        constituents = None if trees == "dependencies" else discourse.analysis.trees
        self.trees = constituents or (None,) * len(discourse.analysis.sentences)

    def decide(self, anaphor: Phrase) -> Decision:
        """Return the first proposal that passes all filters; reflexives have their own rule."""
        if is_bound(anaphor):
            return self._reflexive(anaphor)
        chosen: Proposal | None = None
        seen: dict[int, Dropped] = {}
        for step, phrase in self._proposals(anaphor):
            # The search goes on after the choice, so that decisions list the same candidates as
            # other resolvers do.
            beyond = anaphor.sentence - phrase.sentence > REFERENCE_WINDOW
            if chosen is not None and beyond:
                break
            if phrase.index == anaphor.index or phrase.index in seen or phrase.pleonastic:
                continue
            reason = seen[phrase.index] = self._dropped(anaphor, phrase, step)
            if not reason and chosen is None:
                chosen = step, phrase
        return self._decision(anaphor, chosen, seen)

    def _dropped(self, anaphor: Phrase, phrase: Phrase, step: str) -> Dropped:
        """Return why a proposed phrase cannot be the antecedent.

        Over constituents the search itself excludes what binding would, and only step 6 may propose
        a phrase that the pronoun is part of.
        """
        if self.trees[anaphor.sentence] is None:
            return drop_reason(anaphor, phrase, self.binding)
        clash = anaphor.agreement.clash(phrase.agreement)
        return clash or ("binding" if phrase.contains(anaphor) and step != "step 6" else "")

    def _proposals(self, anaphor: Phrase) -> Iterator[Proposal]:
        yield from self._in_sentence(anaphor)
        first = max(0, anaphor.sentence - self.window) if self.window else 0
        for sentence in range(anaphor.sentence - 1, first - 1, -1):
            tree = self.trees[sentence]
            if tree is None:
                yield from self.dependencies.in_previous_sentence(sentence)
            else:
                yield from self.nodes.phrases(propose_nodes_of_sentence(tree))

    def _in_sentence(self, anaphor: Phrase) -> Iterator[Proposal]:
        tree = self.trees[anaphor.sentence]
        if tree is None:
            return self.dependencies.proposals(anaphor)
        words = self.discourse.analysis.words
        return self.nodes.phrases(propose_nodes(tree, anaphor.head, words))

    def _reflexive(self, anaphor: Phrase) -> Decision:
        near = list(iter_preceding(self.discourse, anaphor, 0))
        agreeing = [phrase for phrase in near if not anaphor.agreement.clash(phrase.agreement)]
        antecedent = find_reflexive_antecedent(self.discourse, self.binding, anaphor, agreeing)
        seen: dict[int, Dropped] = {phrase.index: anaphor.agreement.clash(phrase.agreement) for phrase in near}
        return self._decision(anaphor, None if antecedent is None else ("reflexive", antecedent), seen)

    def _decision(self, anaphor: Phrase, chosen: Proposal | None, seen: dict[int, Dropped]) -> Decision:
        return Decision(
            anaphor=anaphor.index,
            antecedent=None if chosen is None else chosen[1].index,
            candidates=tuple(Candidate(phrase=phrase, dropped=seen[phrase]) for phrase in sorted(seen)),
            rule="no candidate" if chosen is None else chosen[0],
        )


def propose_nodes(tree: Constituent, pronoun: int, words: Sequence[str]) -> Iterator[NodeProposal]:
    """Yield the noun phrases of the pronoun's own sentence in the order of Hobbs' search."""
    path = path_to_token(tree, pronoun)
    start = _start_node(path, pronoun)
    x = _node_above(path, start)
    if x is None:
        return
    # Step 3: left of the path, a noun phrase or clause must lie between it and X. This keeps
    # the subject from binding an object pronoun of its own clause.
    for node, parent, between in _breadth_first(path[x : start + 1], right=False):
        if between and is_noun_phrase(node, parent):
            yield 3, node
    while (higher := _node_above(path, x)) is not None:
        branch, x = path[higher : x + 1], higher
        # Steps 5 to 8: climb to the next noun phrase or clause and search left, then right.
        if _proposes_itself(path, x, words):
            yield 6, path[x]
        for node, parent, _ in _breadth_first(branch, right=False):
            if is_noun_phrase(node, parent):
                yield 7, node
        if _is_clause(path, x):
            # Step 8: to the right, do not go below any noun phrase or clause.
            for node, parent, between in _breadth_first(branch, right=True):
                if not between and is_noun_phrase(node, parent):
                    yield 8, node


def propose_nodes_of_sentence(tree: Constituent) -> Iterator[NodeProposal]:
    """Step 4: all noun phrases of a sentence, from left to right and breadth first."""
    if is_noun_phrase(tree, None):
        yield 4, tree
    for node, parent, _ in _breadth_first([tree], right=False):
        if is_noun_phrase(node, parent):
            yield 4, node


def category(node: Constituent) -> str:
    """The label without function tags.

    >>> category(Constituent(label="NP-SBJ=2", start=0, end=1))
    'NP'
    """
    label = node.label
    return label if label.startswith("-") else label.partition("-")[0].partition("=")[0]


def is_noun_phrase(node: Constituent, parent: Constituent | None) -> bool:
    """Whether a node is a noun phrase and not the N-bar of one."""
    return category(node) == "NP" and bool(node.children) and not (parent is not None and _is_bar(node, parent))


def path_to_token(tree: Constituent, token: int) -> list[Constituent]:
    """The nodes from the top down to a word."""
    path = [tree]
    while path[-1].children:
        below = (node for node in path[-1].children if node.start <= token < node.end)
        node = next(below, None)
        if node is None:
            break
        path.append(node)
    return path


def _start_node(path: list[Constituent], pronoun: int) -> int:
    """Step 1: return the noun phrase that is only the pronoun, else the index of the word."""
    for index, node in enumerate(path):
        if category(node) == "NP" and (node.start, node.end) == (pronoun, pronoun + 1):
            return index
    return len(path) - 1


def _node_above(path: list[Constituent], index: int) -> int | None:
    """Steps 2 and 5: the first noun phrase or clause above a node."""
    for higher in range(index - 1, -1, -1):
        parent = path[higher - 1] if higher else None
        if _is_clause(path, higher) or is_noun_phrase(path[higher], parent):
            return higher
    return None


def _is_clause(path: list[Constituent], index: int) -> bool:
    """Return whether a node is a clause: S and the like, or a fragment that is the sentence."""
    label = category(path[index])
    if label == "FRAG":
        return index == 0 or (index == 1 and category(path[0]) in _TOPS)
    return label in _CLAUSES


def _is_bar(node: Constituent, parent: Constituent) -> bool:
    """Whether a noun phrase is the head part of its parent, not a conjunct or possessor."""
    if category(parent) != "NP" or category(node) != "NP" or _is_possessor(node):
        return False
    labels = [category(child) for child in parent.children]
    if "CC" in labels or any(label.startswith("NN") for label in labels):
        return False
    return node is next(child for child in parent.children if category(child) == "NP")


def _is_possessor(node: Constituent) -> bool:
    return bool(node.children) and category(node.children[-1]) == "POS"


def _proposes_itself(path: list[Constituent], index: int, words: Sequence[str]) -> bool:
    """Step 6: a noun phrase whose adjunct has the pronoun in it.

    Complements belong to the N-bar: *of* phrases and clauses that a subordinator opens. Possessors
    and conjuncts are part of what the phrase refers to, so it is never proposed for them.
    """
    x, below = path[index], path[index + 1]
    if not is_noun_phrase(x, path[index - 1] if index else None) or not below.children:
        return False
    label, opener = category(below), below.children[0]
    # A clause with a subordinator is a complement (*the fact that he left*), a relative
    # clause an adjunct.
    if label == "SBAR":
        return category(opener) != "IN"
    if label == "PP":
        return words[opener.start].lower() != "of"
    return label in _REDUCED


def _breadth_first(path: Sequence[Constituent], *, right: bool) -> Iterator[_Visit]:
    """Yield the nodes below the first of a path, to the left or right of it, breadth first.

    Branches leave the path at each of its nodes but the last, where the search came from.
    """
    below = {id(node): branch for node, branch in pairwise(path)}
    queue: deque[_Visit] = deque([(path[0], None, False)])
    while queue:
        node, parent, between = queue.popleft()
        branch = below.get(id(node))
        # Nodes on the path itself are not proposed: they contain the pronoun.
        if node is not path[0] and branch is None:
            yield node, parent, between
            between = between or category(node) in _CLAUSES or is_noun_phrase(node, parent)
        for child in node.children:
            is_beside = branch is None or (child is not branch and (child.start > branch.start) == right)
            if is_beside or id(child) in below:
                queue.append((child, node, between))


class DependencySearch:
    """Hobbs' search over the dependency trees of a discourse."""

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
        """Yield the phrases of the pronoun's sentence in the order of the search."""
        path = [pronoun.head]
        for token in self._tree.above(pronoun.head):
            path.append(token)
            within = [outer for outer in self._phrases.get(token, ()) if outer.contains(pronoun)]
            if within or token in self._clauses:
                for phrase in self._breadth_first([token], dict(zip(path[1:], path, strict=False))):
                    if phrase.start < pronoun.start and not phrase.contains(pronoun):
                        yield "left", phrase
                if self._in_adjunct(path[-2], pronoun):
                    yield from (("containing", outer) for outer in within if outer.start < pronoun.start)
                path = [token]

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
        return relation == "nmod" and tree.relations[branch] != "nmod:poss" and (not self._has(branch, "case", "of"))

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
        """Yield the phrases of tokens and their dependents, level by level.

        ``branches`` is the path to the pronoun: of its tokens only what is to the left of the path
        is searched, at every level. A predicate comes in its position among the words.
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
                below = [item for item in below if item[0] < branch or item == keep]
            queue.extend(below)

    def _is_predicate(self, token: int) -> bool:
        """Whether a phrase's head is the predicate of a clause with a subject of its own."""
        tree = self._tree
        return token in self._phrases and any(tree.base[child] in _SUBJECTS for child in tree.children[token])


class NodePhraseIndex:
    """Index from noun phrase nodes to phrases, by span or else by head."""

    def __init__(self, discourse: Discourse) -> None:
        self._heads = discourse.analysis.heads
        self._by_span: dict[tuple[int, int], Phrase] = {}
        self._by_head: dict[int, list[Phrase]] = {}
        for phrase in discourse.phrases:
            self._by_span.setdefault((phrase.start, phrase.end), phrase)
            self._by_head.setdefault(phrase.head, []).append(phrase)

    def phrases(self, nodes: Iterable[tuple[int, Constituent]]) -> Iterator[tuple[str, Phrase]]:
        """Yield the steps and phrases of proposals; nodes without a phrase are skipped."""
        for step, node in nodes:
            phrase = self.phrase(node)
            if phrase is not None:
                yield f"step {step}", phrase

    def phrase(self, node: Constituent) -> Phrase | None:
        """Return the phrase of a node: that of its span, else the longest inside with its head."""
        exact = self._by_span.get((node.start, node.end))
        if exact is not None:
            return exact
        same_head = self._by_head.get(self._head(node), [])
        fitting = [phrase for phrase in same_head if node.start <= phrase.start and phrase.end <= node.end]
        return next(iter(fitting or same_head), None)

    def _head(self, node: Constituent) -> int:
        """The first word of a node that a word outside it governs."""
        for token in range(node.start, node.end):
            if not node.start <= self._heads[token] < node.end and token in self._by_head:
                return token
        return -1
