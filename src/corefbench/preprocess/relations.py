"""The relation of a phrase to the head of the phrase around it, by label, order and first word.

CoNLL-2012 has no function tags, so objects, obliques and subordinate clauses are told apart by
these. What they do not tell is ``dep``.
"""

from collections.abc import Sequence

from corefbench.language.words import words
from corefbench.preprocess.analysis import Constituent
from corefbench.preprocess.head_rules import (
    CLAUSES,
    NOMINAL,
    NOUNS,
    PREPOSITIONAL,
    VERBS,
    head_child,
    is_mark,
)

_LEAVES = {
    "DT": "det", "PDT": "det:predet", "WDT": "det", "PRP$": "nmod:poss", "WP$": "nmod:poss",
    "POS": "case", "CD": "nummod", "JJ": "amod", "JJR": "amod", "JJS": "amod", "RB": "advmod",
    "RBR": "advmod", "RBS": "advmod", "WRB": "advmod", "RP": "compound:prt", "MD": "aux",
    "CC": "cc", "CONJP": "cc", "EX": "expl", "UH": "discourse", "INTJ": "discourse",
    "PRT": "compound:prt", "ADVP": "advmod", "WHADVP": "advmod", "PRN": "parataxis", "TO": "mark",
}  # fmt: skip
BE = words("be is are was were am been being 's ’s 're ’re 'm ’m")
_TIMES = words("""
    today yesterday tomorrow tonight monday tuesday wednesday thursday friday saturday sunday
    january february march april june july august september october november december day week
    month year morning evening night afternoon time minute hour days weeks months years times
    minutes hours""")
_ADVERBIAL = words("""
    because if when while although though as since after before until unless once so where
    whereas whenever wherever for lest till by with without""")
_SUBJECTLESS = frozenset({"VP", "ADVP", "RB", "CC", "PP"})


def is_there(node: Constituent) -> bool:
    """Whether a phrase is the *there* of *there is*."""
    return len(node.children) == 1 and node.children[0].label == "EX"


class Labels:
    """Names relations, and notes passives and relative pronouns on the way."""

    def __init__(self, words: Sequence[str], tags: Sequence[str]) -> None:
        self.words, self.tags = words, tags
        self.passive: set[int] = set()
        """The verbs that are known to be passive so far."""
        self.relative: set[int] = set()
        """The relative pronouns."""

    def relation(self, node: Constituent, tokens: list[int], place: int, head: int) -> str:
        """The relation of the child at ``place`` to the one at ``head``."""
        child = node.children[place]
        if is_mark(child):
            return "punct"
        if node.label in NOMINAL:
            return self._in_noun_phrase(node, place, head)
        if node.label in PREPOSITIONAL:
            return self._in_prepositional_phrase(node, place, head)
        if node.label in ("SBAR", "SBARQ") and child.label[:2] in ("WH", "IN", "DT", "TO"):
            return self._opening(node, tokens, place, head)
        if node.label == "VP":
            return self._in_verb_phrase(node, tokens, place, head)
        if node.label in CLAUSES or node.label in ("TOP", "ROOT", "S1", "FRAG"):
            return self._in_clause(node, tokens, place, head)
        return self._modifier(child)

    def _modifier(self, child: Constituent) -> str:
        label = child.label
        if label in PREPOSITIONAL:
            return self._oblique(child, "obl")
        if label in ("NP", "NX", "NML", *NOUNS):
            return "obl:unmarked"
        if label in ("SBAR", "S"):
            return "advcl"
        return _LEAVES.get(label, "dep")

    def _in_noun_phrase(self, node: Constituent, place: int, head: int) -> str:
        child = node.children[place]
        label = child.label
        if label in PREPOSITIONAL:
            return self._oblique(child, "nmod")
        if label == "SBAR":
            return "acl:relcl" if self._is_relative(child) else "acl"
        if label in ("S", "VP", "RRC"):
            return "acl"
        if label in ("NP", "WHNP", *NOUNS):
            return self._noun_in_noun_phrase(node, place, head)
        if label in ("VBG", "VBN", "ADJP", "UCP", "FW"):
            return "amod"
        if label == "QP":
            return "nummod"
        return _LEAVES.get(label, "dep")

    def _noun_in_noun_phrase(self, node: Constituent, place: int, head: int) -> str:
        child = node.children[place]
        if child.children and child.children[-1].label == "POS":
            return "nmod:poss"
        if place > head:
            return "appos" if child.label == "NP" else "nmod:unmarked"
        return "compound" if child.label != "NP" else "nmod:unmarked"

    def _oblique(self, node: Constituent, relation: str) -> str:
        """A prepositional phrase around a noun is an oblique, around a clause a clause."""
        inner = node.children[head_child(node.label, node.children)]
        if inner.label in ("S", "SBAR", "VP"):
            return "acl" if relation == "nmod" else "advcl"
        return relation

    def _in_prepositional_phrase(self, node: Constituent, place: int, head: int) -> str:
        child = node.children[place]
        if child.label in ("IN", "TO", "VBG", "RP", "VBN", "JJ") and place < head:
            return "mark" if node.children[head].label in ("S", "SBAR", "VP") else "case"
        return "case" if child.label in ("IN", "TO") else self._modifier(child)

    def _opening(self, node: Constituent, tokens: list[int], place: int, head: int) -> str:
        """What opens a subordinate clause: a conjunction, or what is asked or related to."""
        label = node.children[place].label
        if label == "WHNP":
            clause = node.children[head]
            subject = any(child.label in ("NP", "EX") for child in clause.children)
            passive = tokens[head] in self.passive
            return "obj" if subject else "nsubj:pass" if passive else "nsubj"
        if label == "WHPP":
            return "obl"
        return "advmod" if label in ("WHADVP", "WHADJP") else "mark"

    def _is_relative(self, node: Constituent) -> bool:
        """Whether a clause after a noun is relative; notes its pronoun."""
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

    def _in_verb_phrase(self, node: Constituent, tokens: list[int], place: int, head: int) -> str:
        child, verb = node.children[place], node.children[head]
        label = child.label
        if label in VERBS or label == "TO":
            return self._auxiliary(child, tokens[head], verb)
        if label in ("NP", "QP", "NML", *NOUNS):
            return self._object(node, place, head)
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

    def _object(self, node: Constituent, place: int, head: int) -> str:
        children = node.children
        if place < head:
            return "obl:unmarked"
        if children[head].label in NOMINAL:
            return "obl:unmarked"
        verb = children[head].start
        if not children[head].children and self.words[verb].lower() in BE:
            return "nsubj"  # "there is …": otherwise the predicate is the head
        objects = [
            p for p, child in enumerate(children) if p > head and child.label == "NP"
            and self.words[child.end - 1].lower() not in _TIMES
        ]  # fmt: skip
        if place not in objects:
            return "obl:unmarked"
        if len(objects) > 1 and place == objects[0]:
            return "iobj"
        return "obj" if place in objects[:2] else "obl:unmarked"

    def _in_clause(self, node: Constituent, tokens: list[int], place: int, head: int) -> str:
        child = node.children[place]
        label = child.label
        if is_there(child):
            return "expl"
        if label in ("NP", "QP", "WHNP", "EX", *NOUNS):
            return self._subject(node, tokens, place, head)
        if label in VERBS:
            verb = node.children[head]
            return self._auxiliary(child, tokens[head], verb)
        if label == "SBAR":
            before = [c.label for c in node.children[:head]]
            return "csubj" if place < head and "NP" not in before and "," not in before else "advcl"
        if label in ("S", "SINV", "SQ"):
            bare = all(c.label in _SUBJECTLESS or is_mark(c) for c in child.children)
            return "advcl" if bare else "ccomp" if place < head else "parataxis"
        if label == "VP":
            return "parataxis"
        return self._modifier(child)

    def _subject(self, node: Constituent, tokens: list[int], place: int, head: int) -> str:
        """The noun phrase next before the predicate, or after the verb in an inversion."""
        children = node.children
        phrases = [
            p for p, child in enumerate(children)
            if p != head and child.label in ("NP", "QP", "WHNP")
            and self.words[child.end - 1].lower() not in _TIMES
        ]  # fmt: skip
        before = [p for p in phrases if p < head]
        subject = before[-1] if before else phrases[0] if phrases else place
        if place != subject:
            return "obl:unmarked"
        return "nsubj:pass" if tokens[head] in self.passive else "nsubj"
