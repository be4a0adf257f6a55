"""Tallies document by document; zeros that only one side has."""

import numpy as np

from corefbench.matching.alignment import Alignment
from corefbench.matching.exact import match
from corefbench.measures.tally import Tally
from corefbench.measures.zero_anaphora import ZeroAnaphora
from corefbench.model.builder import CorpusBuilder
from corefbench.model.corpus import Corpus


def test_a_tally_gives_its_documents_as_rows():
    tally = Tally.of(hits=np.array([1.0, 2.0]), total=np.array([3.0, 4.0]))
    assert list(tally.rows()) == [{"hits": 1, "total": 3}, {"hits": 2, "total": 4}]


def corpus(ids: str, *mentions: int) -> Corpus:
    build = CorpusBuilder("test")
    build.begin_document("d")
    names = ids.split()
    has_empty = "." in ids
    build.sentence(
        names,
        empty=["." in name for name in names] if has_empty else None,
        columns={"id": names, "deps": ["1:obj"] * len(names)},
    )
    for at in mentions:
        build.mention("e", [(at, at + 1)], head=at)
    return build.finish()


WITHOUT, WITH = corpus("1 2", 0), corpus("1 1.1 2", 0, 1)


def counts(key: Corpus, response: Corpus) -> list[float]:
    aligned = Alignment(key=key, response=response, twins=match(key, response))
    return ZeroAnaphora().tally(aligned).values.sum(axis=0).tolist()


def test_a_zero_that_only_the_response_has_is_spurious():
    assert counts(WITHOUT, WITH) == [0, 0, 0, 1]


def test_a_zero_that_only_the_key_has_is_missed():
    assert counts(WITH, WITHOUT) == [0, 1, 0, 0]


def test_where_neither_side_has_zeros_nothing_is_counted():
    assert counts(WITHOUT, WITHOUT) == [0, 0, 0, 0]
    assert counts(WITH, WITH) == [1, 1, 1, 1]
