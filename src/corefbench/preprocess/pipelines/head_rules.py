"""Convert phrase structure to Universal Dependencies by head rules."""

from collections.abc import Sequence

from corefbench.preprocess.analysis import Constituent
from corefbench.preprocess.english.word_lists import word_set

NOMINAL = frozenset({"NP", "NX", "NML", "NAC", "WHNP", "QP", "WHADJP", "NNP"})
CLAUSES = frozenset({"S", "SINV", "SQ", "SBARQ", "SBAR", "RRC"})
PREPOSITIONAL = frozenset({"PP", "WHPP"})
VERBS = frozenset({"VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "MD"})
NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS", "NML", "NX", "NAC"})
_RULES: dict[str, tuple[tuple[bool, tuple[str, ...]], ...]] = {
    "VP": ((True, ("VP",)), (True, tuple(sorted(VERBS))), (True, ("ADJP", "NP", "S", "SBAR"))),
    "S": ((True, ("VP",)), (True, ("S", "SINV", "SBAR", "ADJP", "UCP", "NP", "PP"))),
    "SINV": ((True, ("VP",)), (True, ("VBZ", "VBD", "VBP", "VB", "MD", "S", "SINV", "ADJP", "NP"))),
    "SQ": ((True, ("VP",)), (True, ("VBZ", "VBD", "VBP", "VB", "MD", "SQ"))),
    "SBARQ": ((True, ("SQ", "S", "SINV", "SBARQ", "FRAG")),),
    "SBAR": ((True, ("S", "SQ", "SINV", "SBAR", "FRAG", "VP")),),
    "RRC": ((True, ("VP", "NP", "ADVP", "ADJP", "PP")),),
    "PP": ((False, ("NP", "NX", "QP", "NNP", "S", "SBAR", "VP", "ADJP", "ADVP", "PP")),),
    "WHPP": ((False, ("WHNP", "WHADVP", "NP", "SBAR")),),
    "ADJP": ((False, ("JJ", "JJR", "JJS", "VBN", "VBG", "ADJP", "NN", "CD", "QP", "RB")),),
    "ADVP": ((False, ("RB", "RBR", "RBS", "WRB", "ADVP", "RP", "IN", "NP", "JJ")),),
    "WHADVP": ((False, ("WRB", "RB", "WHADVP")),),
    "PRN": ((True, ("S", "SINV", "SBAR", "NP", "PP", "VP", "ADVP")),),
    "QP": ((False, ("CD", "NN", "JJ", "RB", "$")),),
}
"""For each label, in order: whether to search from the left, and the wanted children."""
_NOUN_PHRASE = (
    (False, tuple(sorted(NOUNS))),
    (True, ("NP", "WHNP")),
    (False, ("PRP", "WP", "WDT", "EX", "CD", "QP", "JJ", "JJS", "JJR", "ADJP", "VBG", "VBN", "DT")),
    (False, ("PRP$", "$", "RB", "FW", "PDT")),
)
_RELATION_BY_LABEL = {
    "DT": "det", "PDT": "det:predet", "WDT": "det", "PRP$": "nmod:poss", "WP$": "nmod:poss",
    "POS": "case", "CD": "nummod", "JJ": "amod", "JJR": "amod", "JJS": "amod", "RB": "advmod",
    "RBR": "advmod", "RBS": "advmod", "WRB": "advmod", "RP": "compound:prt", "MD": "aux",
    "CC": "cc", "CONJP": "cc", "EX": "expl", "UH": "discourse", "INTJ": "discourse",
    "PRT": "compound:prt", "ADVP": "advmod", "WHADVP": "advmod", "PRN": "parataxis", "TO": "mark",
}  # fmt: skip
BE = word_set("be is are was were am been being 's ’s 're ’re 'm ’m")
_TIMES = word_set("""
    today yesterday tomorrow tonight monday tuesday wednesday thursday friday saturday sunday
    january february march april june july august september october november december day week
    month year morning evening night afternoon time minute hour days weeks months years times
    minutes hours""")
_ADVERBIAL = word_set("""
    because if when while although though as since after before until unless once so where
    whereas whenever wherever for lest till by with without""")
_SUBJECTLESS = frozenset({"VP", "ADVP", "RB", "CC", "PP"})


class RelationLabeller:
    """Labels relations, and records passives and relative pronouns.

    The relation of a phrase to the head of the phrase around it depends on labels, order and first
    word. CoNLL-2012 has no function tags, so these distinguish objects, obliques and subordinate
    clauses. Everything else is ``dep``.
    """

    def __init__(self, words: Sequence[str], tags: Sequence[str]) -> None:
        self.words, self.tags = words, tags
        """Of the whole document: nodes have its token numbers."""
        self.passive: set[int] = set()
        """The verbs that are known to be passive so far."""
        self.relative: set[int] = set()
        """The relative pronouns."""

    def relation(self, node: Constituent, tokens: list[int], index: int, head: int) -> str:
        """Return the relation of the child at ``index`` to the one at ``head``."""
        child = node.children[index]
        if is_mark(child):
            return "punct"
        if node.label in NOMINAL:
            return self._in_noun_phrase(node, index, head)
        if node.label in PREPOSITIONAL:
            return self._in_prepositional_phrase(node, index, head)
        if node.label in ("SBAR", "SBARQ") and child.label[:2] in ("WH", "IN", "DT", "TO"):
            return self._opening(node, tokens, index, head)
        if node.label == "VP":
            return self._in_verb_phrase(node, tokens, index, head)
        if node.label in CLAUSES or node.label in ("TOP", "ROOT", "S1", "FRAG"):
            return self._in_clause(node, tokens, index, head)
        return self._modifier(child)

    def _modifier(self, child: Constituent) -> str:
        label = child.label
        if label in PREPOSITIONAL:
            return self._oblique(child, "obl")
        if label in ("NP", "NX", "NML", *NOUNS):
            return "obl:unmarked"
        if label in ("SBAR", "S"):
            return "advcl"
        return _RELATION_BY_LABEL.get(label, "dep")

    def _in_noun_phrase(self, node: Constituent, index: int, head: int) -> str:
        child = node.children[index]
        label = child.label
        if label in PREPOSITIONAL:
            return self._oblique(child, "nmod")
        if label == "SBAR":
            return "acl:relcl" if self._is_relative(child) else "acl"
        if label in ("S", "VP", "RRC"):
            return "acl"
        if label in ("NP", "WHNP", *NOUNS):
            return self._noun_in_noun_phrase(node, index, head)
        if label in ("VBG", "VBN", "ADJP", "UCP", "FW"):
            return "amod"
        if label == "QP":
            return "nummod"
        return _RELATION_BY_LABEL.get(label, "dep")

    def _noun_in_noun_phrase(self, node: Constituent, index: int, head: int) -> str:
        child = node.children[index]
        if child.children and child.children[-1].label == "POS":
            return "nmod:poss"
        if index > head:
            return "appos" if child.label == "NP" else "nmod:unmarked"
        return "compound" if child.label != "NP" else "nmod:unmarked"

    def _oblique(self, node: Constituent, relation: str) -> str:
        """Return the relation of a prepositional phrase, which may contain a clause."""
        inner = node.children[head_child(node.label, node.children)]
        if inner.label in ("S", "SBAR", "VP"):
            return "acl" if relation == "nmod" else "advcl"
        return relation

    def _in_prepositional_phrase(self, node: Constituent, index: int, head: int) -> str:
        child = node.children[index]
        if child.label in ("IN", "TO", "VBG", "RP", "VBN", "JJ") and index < head:
            return "mark" if node.children[head].label in ("S", "SBAR", "VP") else "case"
        return "case" if child.label in ("IN", "TO") else self._modifier(child)

    def _opening(self, node: Constituent, tokens: list[int], index: int, head: int) -> str:
        """Return the relation of what opens a subordinate clause: conjunction or WH phrase."""
        label = node.children[index].label
        if label == "WHNP":
            clause = node.children[head]
            subject = any(child.label in ("NP", "EX") for child in clause.children)
            passive = tokens[head] in self.passive
            return "obj" if subject else "nsubj:pass" if passive else "nsubj"
        if label == "WHPP":
            return "obl"
        return "advmod" if label in ("WHADVP", "WHADJP") else "mark"

    def _is_relative(self, node: Constituent) -> bool:
        """Return whether a clause after a noun is relative; record its pronoun."""
        first = node.children[0]
        if first.label in ("WHNP", "WHPP"):
            self.relative.update(
                token
                for token in range(first.start, first.end)
                if self.tags[token] in ("WDT", "WP", "WP$", "IN")
                and self.words[token].lower() in ("who", "whom", "whose", "which", "that")
            )
            return True
        return first.label in ("WHADVP", "S")

    def _in_verb_phrase(self, node: Constituent, tokens: list[int], index: int, head: int) -> str:
        child, verb = node.children[index], node.children[head]
        label = child.label
        if label in VERBS or label == "TO":
            return self._auxiliary(child, tokens[head], verb)
        if label in ("NP", "QP", "NML", *NOUNS):
            return self._object(node, index, head)
        if label == "SBAR":
            first = child.children[0]
            opener = self.words[first.start].lower() if not first.children else ""
            return "advcl" if opener in _ADVERBIAL or first.label == "WHADVP" else "ccomp"
        if label in ("S", "VP", "SINV", "SQ"):
            return "ccomp" if any(c.label == "NP" for c in child.children) else "xcomp"
        if label in ("ADJP", "JJ", "UCP"):
            return "xcomp"
        return self._modifier(child)

    def _auxiliary(self, child: Constituent, head: int, verb: Constituent) -> str:
        if child.label == "TO":
            return "mark"
        is_be = self.words[child.start].lower() in BE
        if verb.label in NOMINAL or verb.label in ("ADJP", "UCP", "PP"):
            return "cop" if is_be else "aux"
        if is_be and self.tags[head] in ("VBN", "VBD") and verb.label == "VP":
            self.passive.add(head)
            return "aux:pass"
        return "aux"

    def _object(self, node: Constituent, index: int, head: int) -> str:
        children = node.children
        if index < head:
            return "obl:unmarked"
        if children[head].label in NOMINAL:
            return "obl:unmarked"
        verb = children[head].start
        if not children[head].children and self.words[verb].lower() in BE:
            return "nsubj"  # "there is …": otherwise the predicate is the head
        # "gave Ann a book": two noun phrases after the verb are indirect and direct object, but
        # "slept all day" has none, so words of time do not count.
        objects = [
            p for p, child in enumerate(children) if p > head and child.label == "NP"
            and self.words[child.end - 1].lower() not in _TIMES
        ]  # fmt: skip
        if index not in objects:
            return "obl:unmarked"
        if len(objects) > 1 and index == objects[0]:
            return "iobj"
        return "obj" if index in objects[:2] else "obl:unmarked"

    def _in_clause(self, node: Constituent, tokens: list[int], index: int, head: int) -> str:
        child = node.children[index]
        label = child.label
        if is_there(child):
            return "expl"
        if label in ("NP", "QP", "WHNP", "EX", *NOUNS):
            return self._subject(node, tokens, index, head)
        if label in VERBS:
            verb = node.children[head]
            return self._auxiliary(child, tokens[head], verb)
        if label == "SBAR":
            before = [c.label for c in node.children[:head]]
            return "csubj" if index < head and "NP" not in before and "," not in before else "advcl"
        if label in ("S", "SINV", "SQ"):
            bare = all(c.label in _SUBJECTLESS or is_mark(c) for c in child.children)
            return "advcl" if bare else "ccomp" if index < head else "parataxis"
        if label == "VP":
            return "parataxis"
        return self._modifier(child)

    def _subject(self, node: Constituent, tokens: list[int], index: int, head: int) -> str:
        """Label the last noun phrase before the predicate, or after the verb in an inversion."""
        children = node.children
        phrases = [
            p for p, child in enumerate(children)
            if p != head and child.label in ("NP", "QP", "WHNP")
            and self.words[child.end - 1].lower() not in _TIMES
        ]  # fmt: skip
        before = [p for p in phrases if p < head]
        subject = before[-1] if before else phrases[0] if phrases else index
        if index != subject:
            return "obl:unmarked"
        return "nsubj:pass" if tokens[head] in self.passive else "nsubj"


class DependencyConverter(RelationLabeller):
    """Converts the trees of a document: every phrase depends on the head of its parent."""

    def __init__(self, words: Sequence[str], tags: Sequence[str]) -> None:
        super().__init__(words, tags)
        self.heads: dict[int, int] = {}
        self.relations: dict[int, str] = {}

    def walk(self, tree: Constituent) -> None:
        """Find the governor and relation of every word of a tree."""
        root = self._head(tree, is_existential=False)
        self.heads[root], self.relations[root] = -1, "root"
        for token in range(tree.start, tree.end):
            if self.words[token].lower() == "by" and self.relations[token] == "case":
                self._agent(self.heads[token])

    def _agent(self, token: int) -> None:
        """Label agents; whether a verb is passive is known only after its auxiliary."""
        if self.relations[token] == "obl" and self.heads[token] in self.passive:
            self.relations[token] = "obl:agent"

    def _head(self, node: Constituent, *, is_existential: bool) -> int:
        """Return the head word of a node, after attaching all other words in it."""
        if not node.children:
            return node.start
        children = node.children
        is_existential = is_existential or any(is_there(child) for child in children)
        tokens = [self._head(child, is_existential=is_existential and child.label == "VP") for child in children]
        parts = conjuncts(node.label, children)
        if parts:
            return self._coordination(node, tokens, parts)
        index = self._head_index(node, is_existential)
        self._attach(node, tokens, range(len(children)), index)
        return tokens[index]

    def _head_index(self, node: Constituent, is_existential: bool) -> int:
        """Return the index of the head: a predicate rather than *be*."""
        index = head_child(node.label, node.children)
        head = node.children[index]
        is_be = not head.children and self.words[head.start].lower() in BE
        # UD makes the predicate the head of a copular clause; of *there is* the verb stays the head.
        if is_be and head.label in VERBS and not is_existential and node.label in ("VP", "SQ", "SINV"):
            predicates = [
                p for p, child in enumerate(node.children) if p > index and child.label in ("NP", "ADJP", "QP", "UCP")
            ]
            if node.label != "VP":
                predicates = predicates[1:]
            if predicates:
                return predicates[0]
        return index

    def _coordination(self, node: Constituent, tokens: list[int], parts: list[list[int]]) -> int:
        heads = []
        for part in parts:
            inner = part[head_child(node.label, [node.children[p] for p in part])]
            self._attach(node, tokens, part, inner)
            heads.append(tokens[inner])
        for token in heads[1:]:
            self._set(token, heads[0], "conj")
        inside = {index for part in parts for index in part}
        for index, child in enumerate(node.children):
            if index not in inside:
                after = [token for token in heads[1:] if token > tokens[index]]
                relation = "punct" if is_mark(child) else "cc"
                self._set(tokens[index], after[0] if after else heads[0], relation)
        if heads[0] in self.passive:
            self.passive.update(heads)
        return heads[0]

    def _attach(self, node: Constituent, tokens: list[int], indices: Sequence[int], head: int) -> None:
        """Attach the heads of children to that of the head child."""
        for index in indices:
            if index != head:
                relation = self.relation(node, tokens, index, head)
                self._set(tokens[index], tokens[head], relation)

    def _set(self, token: int, head: int, relation: str) -> None:
        self.heads[token], self.relations[token] = head, relation


def head_child(label: str, children: Sequence[Constituent]) -> int:
    """Return the index of the head among the children of a phrase."""
    rules = _NOUN_PHRASE if label in NOMINAL and label != "QP" else _RULES.get(label, ())
    for from_left, wanted in rules:
        order = range(len(children)) if from_left else range(len(children) - 1, -1, -1)
        for index in order:
            if children[index].label in wanted:
                return index
    return next((index for index, child in enumerate(children) if not is_mark(child)), 0)


def is_mark(node: Constituent) -> bool:
    """Return whether a node is punctuation, whose tag has no letters, or a bracket."""
    return (
        not node.children
        and (not node.label[:1].isalpha() or node.label in ("HYPH", "NFP", "LRB", "RRB"))
        and node.label not in ("$", "#")
    )


def conjuncts(label: str, children: Sequence[Constituent]) -> list[list[int]]:
    """Return the children of a coordination by conjunct; empty if the phrase is none."""
    if not any(child.label in ("CC", "CONJP") for child in children[1:]):
        return []
    parts: list[list[int]] = [[]]
    for index, child in enumerate(children):
        if child.label in ("CC", "CONJP") or (is_mark(child) and child.label in (",", ":")):
            parts.append([])
        elif not is_mark(child):
            parts[-1].append(index)
    parts = [part for part in parts if part]
    if len(parts) < 2:
        return []
    return parts if all(_can_join(label, [children[p] for p in part]) for part in parts) else []


def _can_join(label: str, part: list[Constituent]) -> bool:
    """Return whether a conjunct could be such a phrase: "red" in "red and blue cars" is not."""
    if label in NOMINAL:
        return any(node.label in NOUNS or node.label in ("NP", "PRP", "CD", "QP") for node in part)
    if label in ("S", "SBAR", "SINV"):
        return any(node.label in CLAUSES for node in part)
    if label == "VP":
        return any(node.label == "VP" or node.label in VERBS for node in part)
    return len(part) == 1 or label in ("UCP", "ADJP", "ADVP", "PP", "QP")


def is_there(node: Constituent) -> bool:
    """Whether a phrase is the *there* of *there is*."""
    return len(node.children) == 1 and node.children[0].label == "EX"
