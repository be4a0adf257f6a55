"""Documents and mentions that only one side has, measure by measure."""

from corefbench.matching.alignment import Alignment
from corefbench.matching.exact import match
from corefbench.measures.blanc import BLANC
from corefbench.measures.non_referring import NonReferring
from corefbench.model.builder import CorpusBuilder
from tests.tables import table


def test_pairs_of_an_empty_response_are_none():
    assert BLANC(links="response").tally(table("AB", "")).values.tolist() == [[0] * 6]


def test_what_a_document_without_key_chains_has_goes_to_one_chain_of_its_own():
    """C and D of the second document are then one key chain and one response chain."""
    counts = BLANC(links="response").tally(table("AB|", "AB|CD"))
    assert counts.values.tolist() == [[1, 1, 1, 0, 0, 0]] * 2


def test_the_first_mention_of_a_text_may_refer_to_nothing():
    build = CorpusBuilder("test")
    build.begin_document("d")
    build.sentence(["it", "rains"])
    build.mention("e", [(0, 1)], referring=False)
    corpus = build.finish()
    aligned = Alignment(key=corpus, response=corpus, twins=match(corpus, corpus))
    assert NonReferring().tally(aligned).values.tolist() == [[1, 1, 1, 1]]
