"""Phrase structure from the bracket bits of a parse column: ``(S(NP*``, ``*)``, ``(VP*))``."""

import re
from collections.abc import Sequence

from corefbench.preprocess.analysis import Constituent

_PIECES = re.compile(r"\(([^()*\s]*)|(\*)|(\))")
_DEEPEST = 150
"""Brackets inside one another; deeper ones are left out, for trees are walked recursively."""


def tree_of(bits: Sequence[str], tags: Sequence[str], first: int) -> Constituent | None:
    """The tree of a sentence that begins at token ``first``; None where it has no brackets.

    Brackets that nothing closes end with the sentence, closing ones without partner are left out,
    and several roots are put under one.

    >>> tree = tree_of(["(S(NP*)", "(VP*))"], ["PRP", "VBD"], 7)
    >>> tree.label, [(child.label, child.start) for child in tree.children]
    ('S', [('NP', 7), ('VP', 8)])
    """
    if not any("(" in bit for bit in bits):
        return None
    open_nodes: list[tuple[str, int, list[Constituent]]] = [("TOP", first, [])]
    ignored = 0
    for token, (bit, tag) in enumerate(zip(bits, tags, strict=True), first):
        for label, star, close in _PIECES.findall(bit if "*" in bit else bit + "*"):
            if star:
                open_nodes[-1][2].append(Constituent(label=tag, start=token, end=token + 1))
            elif not close:
                if len(open_nodes) > _DEEPEST:
                    ignored += 1
                else:
                    open_nodes.append((_plain(label), token, []))
            elif ignored:
                ignored -= 1
            elif len(open_nodes) > 1:
                _close(open_nodes)
    while len(open_nodes) > 1:
        _close(open_nodes)
    children = open_nodes[0][2]
    if len(children) == 1:
        return children[0]
    return Constituent(label="TOP", start=first, end=first + len(bits), children=tuple(children))


def _close(open_nodes: list[tuple[str, int, list[Constituent]]]) -> None:
    label, _, children = open_nodes.pop()
    if children:
        start, end = children[0].start, children[-1].end
        node = Constituent(label=label, start=start, end=end, children=tuple(children))
        open_nodes[-1][2].append(node)


def _plain(label: str) -> str:
    """A label without function tags and numbers: ``NP-SBJ-1`` is NP."""
    return re.split(r"[-=|]", label, maxsplit=1)[0] or label or "X"
