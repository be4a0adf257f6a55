"""The kit for authors of plug-ins: checks that a format, measure, resolver or pre-processor keeps
the rules that the rest of corefbench relies on.

Each check is a plain function that raises ``Nonconformance``, an ``AssertionError`` that says which
rule is broken and what was found; call them from the tests of a plug-in. They need no more than
corefbench itself.
"""

from corefbench.testing.corpora import corpus_for
from corefbench.testing.damage import damaged
from corefbench.testing.formats import check_damaged, check_format, check_round_trip
from corefbench.testing.measures import check_measure
from corefbench.testing.preprocessors import check_analysis, check_preprocessor
from corefbench.testing.resolvers import check_resolver
from corefbench.testing.rule import Nonconformance

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
