import pytest

from corefbench.scoring.clusters import corpus_from_clusters
from corefbench.scoring.policy.singletons import apply_singletons, without_singletons
from tests.clusters import clusters


def test_chains_of_one_mention_go() -> None:
    corpus = without_singletons(corpus_from_clusters(clusters("AB C DEF G"), "key"))
    assert [len(chain) for chain in corpus[0].chains if len(chain)] == [2, 3]


@pytest.mark.parametrize(
    ("choice", "key_left", "response_left"),
    [("keep", 3, 4), ("strip", 2, 2), ("strip-response", 3, 2), ("strip-key", 2, 4)],
)
def test_what_is_stripped_is_a_choice(choice: str, key_left: int, response_left: int) -> None:
    key = corpus_from_clusters(clusters("AB C"), "key")
    response = corpus_from_clusters(clusters("AB C D"), "response")
    sides = apply_singletons(key, response, choice)
    assert [len(side.mentions) for side in sides] == [key_left, response_left]
