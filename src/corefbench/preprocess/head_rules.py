"""Which child of a phrase has its head, as Universal Dependencies see it: the content word."""

from collections.abc import Sequence

from corefbench.preprocess.analysis import Constituent

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
"""For each label, in order: from the left or not, and the children that are looked for."""
_NOUN_PHRASE = (
    (False, tuple(sorted(NOUNS))),
    (True, ("NP", "WHNP")),
    (False, ("PRP", "WP", "WDT", "EX", "CD", "QP", "JJ", "JJS", "JJR", "ADJP", "VBG", "VBN", "DT")),
    (False, ("PRP$", "$", "RB", "FW", "PDT")),
)


def head_child(label: str, children: Sequence[Constituent]) -> int:
    """The place of the head among the children of a phrase."""
    rules = _NOUN_PHRASE if label in NOMINAL and label != "QP" else _RULES.get(label, ())
    for from_left, wanted in rules:
        order = range(len(children)) if from_left else range(len(children) - 1, -1, -1)
        for place in order:
            if children[place].label in wanted:
                return place
    return next((place for place, child in enumerate(children) if not is_mark(child)), 0)


def is_mark(node: Constituent) -> bool:
    """Whether a node is punctuation, which has no letters in its tag, or a bracket."""
    return (
        not node.children
        and (not node.label[:1].isalpha() or node.label in ("HYPH", "NFP", "LRB", "RRB"))
        and node.label not in ("$", "#")
    )


def conjuncts(label: str, children: Sequence[Constituent]) -> list[list[int]]:
    """The children of a coordination, conjunct by conjunct, with what joins them left out; empty
    where a phrase is none."""
    if not any(child.label in ("CC", "CONJP") for child in children[1:]):
        return []
    parts: list[list[int]] = [[]]
    for place, child in enumerate(children):
        if child.label in ("CC", "CONJP") or (is_mark(child) and child.label in (",", ":")):
            parts.append([])
        elif not is_mark(child):
            parts[-1].append(place)
    parts = [part for part in parts if part]
    if len(parts) < 2:
        return []
    return parts if all(_can_join(label, [children[p] for p in part]) for part in parts) else []


def _can_join(label: str, part: list[Constituent]) -> bool:
    """Whether a conjunct could be a phrase of that kind: "red" in "red and blue cars" is not."""
    if label in NOMINAL:
        return any(node.label in NOUNS or node.label in ("NP", "PRP", "CD", "QP") for node in part)
    if label in ("S", "SBAR", "SINV"):
        return any(node.label in CLAUSES for node in part)
    if label == "VP":
        return any(node.label == "VP" or node.label in VERBS for node in part)
    return len(part) == 1 or label in ("UCP", "ADJP", "ADVP", "PP", "QP")
