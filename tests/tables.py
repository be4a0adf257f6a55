"""Contingency tables for tests, from letters: ``table("ABC DE", "BC ADE")``."""

from corefbench.scoring.clusters import corpus_from_clusters
from corefbench.scoring.matching.alignment import Alignment
from corefbench.scoring.matching.exact import match
from corefbench.scoring.measures.contingency import Contingency, contingency
from tests.clusters import clusters


def alignment(key: str, response: str) -> Alignment:
    """Documents are divided by a bar."""
    sides = [
        corpus_from_clusters({str(i): clusters(d) for i, d in enumerate(side.split("|"))}, name)
        for name, side in (("key", key), ("response", response))
    ]
    return Alignment(key=sides[0], response=sides[1], twins=match(*sides))


def table(key: str, response: str) -> Contingency:
    return contingency(alignment(key, response))
