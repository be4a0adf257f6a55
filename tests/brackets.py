"""Penn trees written by hand, for tests: ``(S (NP (PRP He)) (VP (VBD slept)))``."""

import re

from msgspec.structs import replace

from corefbench.preprocess.analysis import Constituent
from corefbench.preprocess.discourse import Discourse

_PIECES = re.compile(r"[()]|[^\s()]+")


def constituents(text: str, start: int = 0) -> Constituent:
    """The tree of one sentence whose first word has a given number."""
    pieces = _PIECES.findall(text)
    node, _, _ = _node(pieces, 0, start)
    return node


def _node(pieces: list[str], place: int, token: int) -> tuple[Constituent, int, int]:
    label, place = pieces[place + 1], place + 2
    begin, children = token, []
    while pieces[place] != ")":
        if pieces[place] == "(":
            child, place, token = _node(pieces, place, token)
            children.append(child)
        else:
            token, place = token + 1, place + 1
    return (Constituent(label=label, start=begin, end=token, children=tuple(children)), place + 1, token)


def with_trees(discourse: Discourse, *texts: str) -> Discourse:
    """The discourse with one Penn tree for each of its sentences."""
    starts = [start for start, _ in discourse.analysis.sentences]
    trees = tuple(constituents(text, start) if text else None for text, start in zip(texts, starts, strict=True))
    analysis = replace(discourse.analysis, trees=trees)
    return replace(discourse, analysis=analysis)
