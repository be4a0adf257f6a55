"""Where nothing is repeated, nothing changes: the very same corpus comes back."""

from corefbench.policy.repeats import distinct_in_chains, drop_repeats
from corefbench.scoring.clusters import corpus_of_clusters
from tests.clusters import clusters
from tests.tables import alignment


def test_a_corpus_without_repeats_is_itself():
    corpus = corpus_of_clusters(clusters("AB C"), "x")
    assert distinct_in_chains(corpus) is corpus


def test_an_alignment_without_repeated_answers_is_itself():
    given = alignment("AB C", "AB D")
    assert drop_repeats(given) is given
