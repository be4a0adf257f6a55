"""The plug-in keeps the rules of corefbench, and is found by name."""

import corefbench as cb
from corefbench.formats import formats
from corefbench.preprocess import preprocessors
from corefbench.resolvers import resolvers
from corefbench.scoring.measures import measures
from corefbench.testing import check_format, check_measure, check_preprocessor, check_resolver

from corefbench_example.line_sentences import LineSentences
from corefbench_example.links import Links
from corefbench_example.previous_sentence import PreviousSentence
from corefbench_example.span_lines import SpanLines

TEXT = b"document\tletters\nsentence\tAnn fed her cat .\nmention\t1\t0\t1\nmention\t1\t2\t3\n"


def test_the_format_keeps_the_rules() -> None:
    check_format(SpanLines)


def test_the_measure_keeps_the_rules() -> None:
    check_measure(Links)


def test_the_resolver_keeps_the_rules() -> None:
    check_resolver(PreviousSentence)


def test_the_preprocessor_keeps_the_rules() -> None:
    check_preprocessor(LineSentences)


def test_each_is_found_by_its_entry_point() -> None:
    assert formats["span-lines"] is SpanLines
    assert measures["links"] is Links
    assert resolvers["previous-sentence"] is PreviousSentence
    assert preprocessors["line-sentences"] is LineSentences


def test_they_work_together() -> None:
    key = cb.load(TEXT)
    assert key[0].clusters() == [[(0, 1), (2, 3)]]
    assert cb.score(key, key, measures="links")["links"].f1 == 1.0
    discourse = cb.read_text("Ann slept\nShe dreamt", preprocess="line-sentences")
    assert len(discourse.analysis.sentences) == 2
    assert cb.resolver("previous-sentence").resolve(discourse).resolver == "previous-sentence"
