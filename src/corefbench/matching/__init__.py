"""Matching: which response mention is which key mention, one file a rule."""

from collections.abc import Callable
from typing import TypeAlias

from corefbench.matching.alignment import Alignment, Twins
from corefbench.model.corpus import Corpus
from corefbench.registry import Registry

Matching: TypeAlias = Callable[[Corpus, Corpus], Twins]
"""Takes key and response with the same documents in the same order."""

matchings: Registry[Matching] = Registry(
    "matching rule",
    built_in={
        "exact": "corefbench.matching.exact:match",
        "head": "corefbench.matching.head:match",
        "partial": "corefbench.matching.partial:match",
        "minimum": "corefbench.matching.minimum:match",
        "craft": "corefbench.matching.craft:match",
        "mina": "corefbench.matching.mina:match",
        "semeval": "corefbench.matching.semeval:match",
        "exact-linear": "corefbench.matching.exact:match_linear",
        "head-linear": "corefbench.matching.head:match_linear",
        "partial-linear": "corefbench.matching.partial:match_linear",
    },
    aliases={"min": "minimum", "head-greedy": "semeval"},
    entry_points="corefbench.matchings",
)

__all__ = ["Alignment", "Matching", "Twins", "matchings"]
