"""Key and response matched, for those who look at mentions."""

import pytest

import corefbench as cb
from corefbench.findings import Finding
from corefbench.scoring.aligned import alignments
from tests.conll import conll

KEY, BROKEN = conll("(1)", "(2)", "(1)"), conll("(1)", "(2)", "(1)|(3")


def test_corpora_are_matched_as_files_are():
    for where in (KEY, cb.load(KEY)):
        (found,) = alignments(where, where)
        assert found.twins.key.tolist() == [0, 1, 2]


def test_words_are_read_too():
    (found,) = alignments(KEY, KEY)
    assert [*found.response.tokens.words] == ["w0", "w1", "w2"]


def test_repairs_are_made_and_reported_where_they_are_asked_for():
    with pytest.raises(cb.FormatError):
        list(alignments(KEY, BROKEN))
    heard: list[Finding] = []
    (found,) = alignments(KEY, BROKEN, lenient=True, report=heard.append)
    assert [finding.severity for finding in heard] == ["repair"]
    (unheard,) = alignments(KEY, BROKEN, lenient=True)
    assert unheard.twins.key.tolist() == found.twins.key.tolist() == [0, 1, 2]
