"""Contingency tables for tests, from letters: ``table("ABC DE", "BC ADE")``."""

from corefbench.matching.alignment import Alignment
from corefbench.matching.exact import match
from corefbench.measures.contingency import Contingency, contingency
from corefbench.scoring.clusters import corpus_of_clusters
from tests.clusters import clusters


def alignment(key: str, response: str) -> Alignment:
    """Documents are divided by a bar."""
    sides = [
        corpus_of_clusters({str(i): clusters(d) for i, d in enumerate(side.split("|"))}, name)
        for name, side in (("key", key), ("response", response))
    ]
    return Alignment(key=sides[0], response=sides[1], twins=match(*sides))


def table(key: str, response: str) -> Contingency:
    return contingency(alignment(key, response))
