"""Cross-document scoring: the same files scored by subtopic, topic and corpus."""

import pytest

import corefbench as cb
from tests.clusters import percent
from tests.conll import conll

KEY = conll("(1)", "-", "(1)", name="36_1ecb") + conll("(2)", "(2)", name="36_1ecbplus")
MERGED = conll("(5)", "-", "(5)", name="36_1ecb") + conll("(5)", "(5)", name="36_1ecbplus")
MEASURES = ("muc", "b_cubed", "ceaf_e", "lea")
LEVELS = {
    "document": ((100, 100), (100, 100), (100, 100), (100, 100)),
    "subtopic": ((100, 100), (100, 100), (100, 100), (100, 100)),
    "topic": ((100, 66.7), (100, 50), (33.3, 66.7), (100, 33.3)),
    "corpus": ((100, 66.7), (100, 50), (33.3, 66.7), (100, 33.3)),
}


@pytest.mark.parametrize("scope", LEVELS)
def test_what_the_system_merged_shows_only_where_both_subtopics_are_one(scope: str) -> None:
    result = cb.score(KEY, MERGED, scope=scope)
    assert tuple(percent(result[name])[:2] for name in MEASURES) == LEVELS[scope]


@pytest.mark.parametrize("scope", ["topic", "corpus"])
def test_only_blanc_sees_the_level_where_no_chain_crosses(scope: str) -> None:
    near = conll("(1)", "(3)", "(1)", name="36_1ecb") + conll("(2)", "(4)", name="36_1ecbplus")
    fine, coarse = cb.score(KEY, near), cb.score(KEY, near, scope=scope)
    for name in (*MEASURES, "mentions", "ceaf_m"):
        assert coarse[name] == fine[name]
    assert coarse["blanc"] != fine["blanc"]
