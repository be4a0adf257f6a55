"""Blocked linking: held against SciPy's average linkage of all pairs, and against itself."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from corefbench.resolvers.across.blocked import link
from corefbench.resolvers.across.blocking import Blocking
from corefbench.resolvers.across.candidates import Points, candidates
from corefbench.resolvers.across.judging import Judge
from corefbench.resolvers.across.pairs import all_pairs
from corefbench.resolvers.across.workers import Workers
from tests.unit.resolvers.across.points import Given, as_sets, context_of, crowd, shuffled

EXACT = Blocking(index="exact")


def whole(judge, count):
    """The chances of all pairs, as a matrix."""
    one, other = all_pairs(np.zeros(count, np.int64))
    matrix = np.zeros((count, count))
    matrix[one, other] = matrix[other, one] = judge.score(one, other)
    return matrix


def by_scipy(matrix, threshold):
    distance = 1 - matrix
    np.fill_diagonal(distance, 0)
    made = linkage(squareform(distance, checks=False), "average")
    return as_sets(fcluster(made, 1 - threshold, "distance"))


@pytest.mark.parametrize("unscored", ["scored", "zero"])
@pytest.mark.parametrize("seed", range(3))
def test_with_every_pair_a_candidate_clusters_are_those_of_exact_linking(seed, unscored):
    points, judge, _ = crowd(90, 12, seed)
    blocking = Blocking(neighbours=100, same_lemma=100, unscored=unscored)
    forest, account = link(points, judge, blocking, 0.5)
    assert account.pairs == 90 * 89 // 2
    matrix = whole(judge, 90)
    for threshold in (0.5, 0.6, 0.7, 0.8, 0.9):
        assert as_sets(forest.clusters(threshold)) == by_scipy(matrix, threshold)


@given(
    count=st.integers(2, 24),
    seed=st.integers(0, 2**32 - 1),
    density=st.floats(0.02, 0.6),
    floor=st.floats(0.05, 0.9),
)
@settings(max_examples=60, deadline=None)
def test_pairs_without_a_chance_do_not_keep_components_from_being_clustered_apart(
    count, seed, density, floor
):
    random = np.random.default_rng(seed)
    matrix = np.triu(random.random((count, count)) * (random.random((count, count)) < density), 1)
    matrix = (matrix + matrix.T).astype(np.float32)
    own = np.arange(count)
    context = context_of(np.eye(count, dtype=np.float32), own, own)
    points = Points(vectors=context.views[0].rows, lemma=own, group=own * 0)
    judge = Judge(scorer=Given(matrix), context=context)
    for unscored in ("scored", "zero"):
        blocking = Blocking(neighbours=count, index="exact", unscored=unscored)
        forest, _ = link(points, judge, blocking, floor)
        for threshold in (floor, (1 + floor) / 2):
            assert as_sets(forest.clusters(threshold)) == by_scipy(matrix, threshold)


def test_few_candidates_suffice_where_those_above_the_threshold_are_among_them():
    points, judge, chain = crowd(300, 60, noise=0.25)
    blocking = Blocking(neighbours=30, same_lemma=0, index="exact")
    one, other = candidates(points, blocking, Workers())
    matrix = whole(judge, 300)
    among = np.zeros((300, 300), np.bool_)
    among[one, other] = among[other, one] = True
    assert among[matrix >= 0.85].all()  # what the claim supposes
    forest, account = link(points, judge, blocking, 0.85, chain=chain)
    assert account.pairs < 300 * 30
    assert as_sets(forest.clusters(0.85)) == by_scipy(matrix, 0.85)


def test_pairs_that_are_no_candidates_are_taken_for_nought_only_if_asked_to():
    vectors = np.ones((40, 4), np.float32) / 2
    points = Points(vectors=vectors, lemma=np.zeros(40, np.int64), group=np.zeros(40, np.int64))
    judge = Judge(
        scorer=Given(np.full((40, 40), 0.9, np.float32)),
        context=context_of(vectors, points.lemma, points.lemma),
    )
    few = Blocking(neighbours=3, same_lemma=3, index="exact")
    forest, account = link(points, judge, few, 0.5)
    assert len(np.unique(forest.clusters(0.5))) == account.components == 1
    few = Blocking(neighbours=3, same_lemma=3, index="exact", unscored="zero")
    assert len(np.unique(link(points, judge, few, 0.5)[0].clusters(0.5))) > 1


def test_groups_are_never_joined():
    points, judge, _ = crowd(80, 4)
    group = np.arange(80) % 2
    apart = Points(vectors=points.vectors, lemma=points.lemma, group=group)
    clusters = link(apart, judge, EXACT, 0.5)[0].clusters(0.5)
    assert not set(clusters[group == 0].tolist()) & set(clusters[group == 1].tolist())


@pytest.mark.parametrize("index", ["exact", "hnsw"])
def test_the_order_of_the_mentions_is_nothing_to_the_clusters(index, monkeypatch):
    if index == "hnsw":
        pytest.importorskip("hnswlib")
        monkeypatch.setattr("corefbench.resolvers.across.neighbours.SMALL", 50)
        monkeypatch.setattr("corefbench.resolvers.across.graph.SHARD", 150)
    points, judge, chain = crowd(400, 60, noise=0.4)
    blocking = Blocking(neighbours=5, same_lemma=5, index=index, largest=30)
    forest, account = link(points, judge, blocking, 0.6, chain=chain)
    order = np.random.default_rng(7).permutation(400)
    other, again = shuffled(points, judge, order)
    mixed, second = link(other, again, blocking, 0.6, chain=chain[order])
    assert as_sets(mixed.clusters(0.7), order) == as_sets(forest.clusters(0.7))
    same = ("pairs", "components", "largest", "capped", "recall", "together", "scored")
    assert [getattr(second, n) for n in same] == [getattr(account, n) for n in same]


@pytest.mark.parametrize("engine", ["processes", pytest.param("dask", marks=pytest.mark.slow)])
def test_the_number_of_workers_is_nothing_to_the_clusters(engine, monkeypatch):
    for place, value in (("judging.AT_ONCE", 500), ("bundles.AT_ONCE", 500)):
        monkeypatch.setattr(f"corefbench.resolvers.across.{place}", value)
    monkeypatch.setattr("corefbench.resolvers.across.neighbours._BUNDLE", 100)
    points, judge, _ = crowd(300, 40, noise=0.4)
    told = []
    blocking = Blocking(neighbours=5, same_lemma=5, index="exact")
    alone, _ = link(points, judge, blocking, 0.6)
    workers = Workers(engine, 2, step=lambda stage, done, total: told.append((stage, done, total)))
    shared, _ = link(points, judge, blocking, 0.6, workers=workers)
    assert [m.tolist() for m in alone.members] == [m.tolist() for m in shared.members]
    assert [t.tobytes() for t in alone.trees] == [t.tobytes() for t in shared.trees]
    for stage in ("candidates", "scoring", "linkage"):
        steps = [(done, total) for name, done, total in told if name == stage]
        assert len(steps) > 2, f"{stage} was not shared out"
        assert steps[-1][0] == steps[-1][1]


def test_the_account_says_what_was_looked_at_and_what_was_lost():
    points, judge, chain = crowd(120, 10)
    blocking = Blocking(neighbours=4, same_lemma=0, index="exact")
    forest, account = link(points, judge, blocking, 0.6, chain=chain)
    one, other = candidates(points, blocking, Workers())
    sizes = np.bincount(chain)
    total = int((sizes * (sizes - 1) // 2).sum())
    assert account.pairs == len(one)
    assert account.recall == pytest.approx((chain[one] == chain[other]).sum() / total)
    inside = [np.bincount(chain[m]) for m in forest.members]
    kept = sum(int((s * (s - 1) // 2).sum()) for s in inside)
    assert account.together == pytest.approx(kept / total)
    alone = 120 - sum(map(len, forest.members))
    assert account.components == len(forest.members) + alone
    assert account.largest == max(map(len, forest.members))
    assert account.scored == sum(len(m) * (len(m) - 1) // 2 for m in forest.members)
    assert account.linking == "blocked:exact,neighbours=4,same-lemma=0,unscored=scored,largest=4000"
    assert list(account.seconds) == ["candidates", "scoring", "components", "linkage"]
    assert any("of coreferent pairs are candidates" in line for line in account.lines())


def test_no_mentions_and_one_mention_are_linked_too():
    for count in (0, 1):
        points, judge, _ = crowd(count, 1)
        forest, account = link(points, judge, EXACT, 0.5)
        assert forest.clusters(0.5).tolist() == list(range(count))
        assert account.pairs == 0
