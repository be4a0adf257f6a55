"""Analyses of shapes that once took the square of their mentions do so no more.

Eight times the mentions would cost sixty-four times as much, and cost about eight times as much;
the bound lies far from both, so that a busy machine cannot cross it.
"""

from collections.abc import Callable

import pytest

from benchmarks.growth import Work, least_time
from benchmarks.shapes import SHAPES, Shape, shaped_corpus
from corefbench.analysis.errors import error_analysis
from corefbench.analysis.statistics.describe import count_corpus
from corefbench.analysis.statistics.describe import split_documents as split_by_attribute
from corefbench.corpus.combine import split_documents
from corefbench.corpus.corpus import Corpus

ONE_CHAIN = Shape("deep chain", "all nested, one chain", per_sentence=0, nested=True, chains="one")


@pytest.mark.parametrize(
    ("work", "shape", "few", "times"),
    [
        (count_corpus, ONE_CHAIN, 2_500, 8),
        (lambda corpus: error_analysis(corpus, corpus), ONE_CHAIN, 1_000, 8),
        (lambda corpus: list(split_documents(corpus)), SHAPES[0], 50 * 500, 8),
        (lambda corpus: split_by_attribute(corpus, "document"), SHAPES[0], 50 * 500, 8),
    ],
    ids=["statistics", "errors", "split documents", "split by attribute"],
)
def test_eight_times_the_mentions_cost_far_less_than_the_square(
    work: Callable[[Corpus], object], shape: Shape, few: int, times: int
) -> None:
    seconds = []
    for size in (few, times * few):
        corpus = shaped_corpus(shape, size)
        seconds.append(least_time(Work(lambda corpus=corpus: work(corpus))))
    assert seconds[1] < 2.5 * times * seconds[0]
