"""Conformance checks for plug-ins: formats, measures, resolvers and pre-processors.

Each check is a function that raises ``Nonconformance``, an ``AssertionError`` that says which rule
is broken and what was found. Call them from the tests of a plug-in; they need only corefbench.
"""

from corefbench.testing.corpora import corpus_for
from corefbench.testing.formats import check_damaged, check_format, check_round_trip, damaged
from corefbench.testing.measures import check_measure
from corefbench.testing.preprocessors import check_analysis, check_preprocessor
from corefbench.testing.resolvers import check_resolver
from corefbench.testing.rules import Nonconformance

__all__ = [
    "Nonconformance",
    "check_analysis",
    "check_damaged",
    "check_format",
    "check_measure",
    "check_preprocessor",
    "check_resolver",
    "check_round_trip",
    "corpus_for",
    "damaged",
]
