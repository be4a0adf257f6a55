"""The choices of a profile reach mentions, tables and scores."""

import pytest

import corefbench as cb
from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.scoring.clusters import corpus_from_clusters
from corefbench.scoring.matching import Alignment
from corefbench.scoring.measures import parse
from corefbench.scoring.pipeline import align, evaluate
from corefbench.scoring.profiles import Choices, Profile
from tests.clusters import clusters


def spans(alignment: Alignment) -> tuple[list[int], list[int]]:
    """Where the mentions of key and response start."""
    return alignment.key.mentions.start.tolist(), alignment.response.mentions.start.tolist()


def corpus() -> Corpus:
    """Ann (zero) rains it: the zero at 1 refers, "it" at 3 does not."""
    build = CorpusBuilder("test")
    build.begin_document("d")
    build.sentence(["Ann", "_", "rains", "it"], empty=[False, True, False, False])
    for start in (0, 1, 3):
        build.mention("e", [(start, start + 1)], head=start, referring=start != 3)
    return build.finish()


@pytest.mark.parametrize(
    ("choices", "left"),
    [
        (Choices(), [0, 1]),
        (Choices(referring="all"), [0, 1, 3]),
        (Choices(zeros="drop"), [0]),
        (Choices(referring="all", zeros="drop"), [0, 3]),
    ],
)
def test_mentions_that_the_choices_leave_out_are_out_on_both_sides(choices, left):
    assert spans(align(corpus(), corpus(), choices)) == (left, left)


@pytest.mark.parametrize(
    ("repeats", "key", "response"),
    [
        ("distinct", [0, 1, 0, 2], [0, 1, 0, 2]),
        ("drop", [0, 0, 1, 0, 2], [0, 1, 2]),
        ("keep", [0, 0, 1, 0, 2], [0, 0, 1, 0, 2]),
    ],
)
def test_repeats_are_dropped_in_chains_in_answers_or_not_at_all(repeats, key, response):
    side = corpus_from_clusters(clusters("AAB AC"), "test")
    assert spans(align(side, side, Choices(repeats=repeats))) == (key, response)


@pytest.mark.parametrize(("repeats", "recall"), [("last", 0.5), ("last-opened", 1.0)])
def test_a_repeated_mention_is_of_the_chain_that_is_the_last_to_close_or_to_open(repeats, recall):
    """6 is in both response chains: the first opens first, at 0, the second closes first, at 1.

    With the chain of 1 it shares both of its mentions with the key's, with the other only one.
    """
    key, response = [[(1, 1), (6, 6)]], [[(0, 4), (6, 6)], [(1, 1), (6, 6)]]
    result = cb.score_clusters(key, response, repeats=repeats, measures="b_cubed")
    assert result["b_cubed"].recall == recall


def test_the_mentions_are_those_that_the_first_score_saw():
    """Mention detection keeps singletons, the chain scores do not."""
    profile = Profile(
        name="test",
        title="",
        description="",
        measures={},
        choices=Choices(singletons="strip"),
        exceptions={"mentions": {"singletons": "keep"}},
    )
    side = corpus_from_clusters(clusters("AB C"), "test")
    measures = {name: parse(name) for name in ("mentions", "muc")}
    seen = evaluate(side, side, profile, measures)
    assert list(seen.tallies) == ["mentions", "muc"]
    assert spans(seen.alignment) == ([0, 1, 2], [0, 1, 2])
    seen = evaluate(side, side, profile, dict(reversed(measures.items())))
    assert list(seen.tallies) == ["muc", "mentions"]
    assert spans(seen.alignment) == ([0, 1], [0, 1])
    assert spans(evaluate(side, side, profile, {}).alignment) == ([0, 1], [0, 1])
