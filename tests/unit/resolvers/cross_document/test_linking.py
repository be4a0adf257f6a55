"""Blocked linking: held against SciPy's average linkage of all pairs, and against itself."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from benchmarks.synthetic_mentions import build_context
from corefbench.resolvers.cross_document.blocking import MentionVectors, candidate_pairs
from corefbench.resolvers.cross_document.clustering import all_pairs
from corefbench.resolvers.cross_document.config import BlockingConfig
from corefbench.resolvers.cross_document.linking import BoundScorer, link_blocked
from corefbench.resolvers.cross_document.workers import Workers
from tests.unit.resolvers.cross_document.points import Given, as_sets, crowd, shuffled

EXACT = BlockingConfig(index="exact")


def whole(scorer, count):
    """The chances of all pairs, as a matrix."""
    left, right = all_pairs(np.zeros(count, np.int64))
    matrix = np.zeros((count, count))
    matrix[left, right] = matrix[right, left] = scorer.score(left, right)
    return matrix


def by_scipy(matrix, threshold):
    distance = 1 - matrix
    np.fill_diagonal(distance, 0)
    made = linkage(squareform(distance, checks=False), "average")
    return as_sets(fcluster(made, 1 - threshold, "distance"))


@pytest.mark.parametrize("unscored", ["scored", "zero"])
@pytest.mark.parametrize("seed", range(3))
def test_blocking_with_all_pairs_equals_exact_linking(seed, unscored):
    points, scorer, _ = crowd(90, 12, seed)
    blocking = BlockingConfig(neighbours=100, same_lemma=100, unscored=unscored)
    forest, stats = link_blocked(points, scorer, blocking, 0.5)
    assert stats.pairs == 90 * 89 // 2
    matrix = whole(scorer, 90)
    for threshold in (0.5, 0.6, 0.7, 0.8, 0.9):
        assert as_sets(forest.clusters(threshold)) == by_scipy(matrix, threshold)


@given(
    count=st.integers(2, 24), seed=st.integers(0, 2**32 - 1), density=st.floats(0.02, 0.6), floor=st.floats(0.05, 0.9)
)
@settings(max_examples=60, deadline=None)
def test_components_can_be_clustered_separately(count, seed, density, floor):
    random = np.random.default_rng(seed)
    matrix = np.triu(random.random((count, count)) * (random.random((count, count)) < density), 1)
    matrix = (matrix + matrix.T).astype(np.float32)
    own = np.arange(count)
    context = build_context(np.eye(count, dtype=np.float32), own, own)
    points = MentionVectors(vectors=context.views[0].rows, lemma=own, group=own * 0)
    scorer = BoundScorer(scorer=Given(matrix), context=context)
    for unscored in ("scored", "zero"):
        blocking = BlockingConfig(neighbours=count, index="exact", unscored=unscored)
        forest, _ = link_blocked(points, scorer, blocking, floor)
        for threshold in (floor, (1 + floor) / 2):
            assert as_sets(forest.clusters(threshold)) == by_scipy(matrix, threshold)


def test_candidates_above_the_threshold_suffice():
    points, scorer, chain = crowd(300, 60, noise=0.25)
    blocking = BlockingConfig(neighbours=30, same_lemma=0, index="exact")
    left, right = candidate_pairs(points, blocking, Workers())
    matrix = whole(scorer, 300)
    among = np.zeros((300, 300), np.bool_)
    among[left, right] = among[right, left] = True
    assert among[matrix >= 0.85].all()  # what the claim supposes
    forest, stats = link_blocked(points, scorer, blocking, 0.85, chain=chain)
    assert stats.pairs < 300 * 30
    assert as_sets(forest.clusters(0.85)) == by_scipy(matrix, 0.85)


def test_unscored_pairs_are_zero_only_if_configured():
    vectors = np.ones((40, 4), np.float32) / 2
    points = MentionVectors(vectors=vectors, lemma=np.zeros(40, np.int64), group=np.zeros(40, np.int64))
    scorer = BoundScorer(
        scorer=Given(np.full((40, 40), 0.9, np.float32)), context=build_context(vectors, points.lemma, points.lemma)
    )
    few = BlockingConfig(neighbours=3, same_lemma=3, index="exact")
    forest, stats = link_blocked(points, scorer, few, 0.5)
    assert len(np.unique(forest.clusters(0.5))) == stats.components == 1
    few = BlockingConfig(neighbours=3, same_lemma=3, index="exact", unscored="zero")
    assert len(np.unique(link_blocked(points, scorer, few, 0.5)[0].clusters(0.5))) > 1


def test_groups_are_never_joined():
    points, scorer, _ = crowd(80, 4)
    group = np.arange(80) % 2
    apart = MentionVectors(vectors=points.vectors, lemma=points.lemma, group=group)
    clusters = link_blocked(apart, scorer, EXACT, 0.5)[0].clusters(0.5)
    assert not set(clusters[group == 0].tolist()) & set(clusters[group == 1].tolist())


@pytest.mark.parametrize("index", ["exact", "hnsw"])
def test_clusters_do_not_depend_on_the_order_of_mentions(index, monkeypatch):
    if index == "hnsw":
        pytest.importorskip("hnswlib")
        monkeypatch.setattr("corefbench.resolvers.cross_document.blocking.MAX_EXACT_SEARCH", 50)
        monkeypatch.setattr("corefbench.resolvers.cross_document.blocking.SHARD_SIZE", 150)
    points, scorer, chain = crowd(400, 60, noise=0.4)
    blocking = BlockingConfig(neighbours=5, same_lemma=5, index=index, largest=30)
    forest, stats = link_blocked(points, scorer, blocking, 0.6, chain=chain)
    order = np.random.default_rng(7).permutation(400)
    others, other_scorer = shuffled(points, scorer, order)
    mixed, second = link_blocked(others, other_scorer, blocking, 0.6, chain=chain[order])
    assert as_sets(mixed.clusters(0.7), order) == as_sets(forest.clusters(0.7))
    assert replace(second, seconds={}) == replace(stats, seconds={})


@pytest.mark.parametrize("engine", ["processes", pytest.param("dask", marks=pytest.mark.slow)])
def test_clusters_do_not_depend_on_the_number_of_workers(engine, monkeypatch):
    monkeypatch.setattr("corefbench.resolvers.cross_document.linking.PAIRS_PER_TASK", 500)
    monkeypatch.setattr("corefbench.resolvers.cross_document.blocking._MENTIONS_PER_TASK", 100)
    points, scorer, _ = crowd(300, 40, noise=0.4)
    calls = []
    blocking = BlockingConfig(neighbours=5, same_lemma=5, index="exact")
    alone, _ = link_blocked(points, scorer, blocking, 0.6)
    workers = Workers(engine, 2, progress=lambda *call: calls.append(call))
    shared, _ = link_blocked(points, scorer, blocking, 0.6, workers=workers)
    assert [m.tolist() for m in alone.members] == [m.tolist() for m in shared.members]
    assert [t.tobytes() for t in alone.trees] == [t.tobytes() for t in shared.trees]
    for stage in ("candidates", "scoring", "linkage"):
        steps = [(done, total) for name, done, total in calls if name == stage]
        assert len(steps) > 2, f"{stage} was not shared out"
        assert steps[-1][0] == steps[-1][1]


def test_statistics_follow_their_definitions():
    points, scorer, chain = crowd(120, 10)
    blocking = BlockingConfig(neighbours=4, same_lemma=0, index="exact")
    forest, stats = link_blocked(points, scorer, blocking, 0.6, chain=chain)
    left, right = candidate_pairs(points, blocking, Workers())
    sizes = np.bincount(chain)
    total = int((sizes * (sizes - 1) // 2).sum())
    assert stats.pairs == len(left)
    assert stats.blocking_recall == pytest.approx((chain[left] == chain[right]).sum() / total)
    inside = [np.bincount(chain[m]) for m in forest.members]
    kept = sum(int((s * (s - 1) // 2).sum()) for s in inside)
    assert stats.component_recall == pytest.approx(kept / total)
    alone = 120 - sum(map(len, forest.members))
    assert stats.components == len(forest.members) + alone
    assert stats.largest == max(map(len, forest.members))
    assert stats.scored == sum(len(m) * (len(m) - 1) // 2 for m in forest.members)
    assert stats.linking == "blocked:exact,neighbours=4,same-lemma=0,unscored=scored,largest=4000"
    assert list(stats.seconds) == ["candidates", "scoring", "components", "linkage"]
    assert any("of coreferent pairs are candidates" in line for line in stats.lines())


def test_zero_and_one_mentions():
    for count in (0, 1):
        points, scorer, _ = crowd(count, 1)
        forest, stats = link_blocked(points, scorer, EXACT, 0.5)
        assert forest.clusters(0.5).tolist() == list(range(count))
        assert stats.pairs == 0
