"""Matching: which response mention corresponds to which key mention, one module per rule."""

from collections.abc import Callable
from typing import TypeAlias

from corefbench.corpus.corpus import Corpus
from corefbench.registry import Registry
from corefbench.scoring.matching.alignment import Alignment, Twins

Matching: TypeAlias = Callable[[Corpus, Corpus], Twins]
"""Takes key and response with the same documents in the same order."""

matchings: Registry[Matching] = Registry(
    "matching rule",
    built_in={
        "exact": "corefbench.scoring.matching.exact:match",
        "head": "corefbench.scoring.matching.head:match",
        "partial": "corefbench.scoring.matching.partial:match",
        "minimum": "corefbench.scoring.matching.minimum:match",
        "craft": "corefbench.scoring.matching.craft:match",
        "mina": "corefbench.scoring.matching.mina:match",
        "semeval": "corefbench.scoring.matching.semeval:match",
        "exact-linear": "corefbench.scoring.matching.exact:match_linear",
        "head-linear": "corefbench.scoring.matching.head:match_linear",
        "partial-linear": "corefbench.scoring.matching.partial:match_linear",
    },
    aliases={"min": "minimum", "head-greedy": "semeval"},
    entry_points="corefbench.matchings",
)

__all__ = ["Alignment", "Matching", "Twins", "matchings"]
