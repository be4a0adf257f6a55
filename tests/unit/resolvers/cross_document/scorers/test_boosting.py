import numpy as np
import pytest

from corefbench.resolvers.cross_document.scorers.boosting import BoostedTrees

ensemble = pytest.importorskip("sklearn.ensemble")


@pytest.fixture
def fitted():
    random = np.random.default_rng(7)
    features = random.normal(size=(3_000, 6)).astype(np.float32)
    labels = features[:, 0] * features[:, 1] + features[:, 2] > 0.3
    features[random.random(features.shape) < 0.15] = np.nan
    estimator = ensemble.HistGradientBoostingClassifier(max_iter=40, max_features=0.5, random_state=3).fit(
        features, labels
    )
    return estimator, features


def test_the_arrays_say_what_scikit_learn_says(fitted):
    estimator, features = fitted
    trees = BoostedTrees.from_estimator(estimator)
    np.testing.assert_allclose(trees.log_odds(features), estimator.decision_function(features))
    np.testing.assert_allclose(trees.probabilities(features), estimator.predict_proba(features)[:, 1])


def test_missing_and_extreme_values_fall_where_scikit_learn_has_them_fall(fitted):
    estimator, features = fitted
    strange = features[:200].copy()
    strange[::2], strange[1::4, 0] = np.nan, np.inf
    trees = BoostedTrees.from_estimator(estimator)
    np.testing.assert_allclose(trees.log_odds(strange), estimator.decision_function(strange))


def test_trees_survive_as_arrays(fitted):
    estimator, features = fitted
    trees = BoostedTrees.from_estimator(estimator)
    again = BoostedTrees.load(trees.arrays())
    assert (again.log_odds(features) == trees.log_odds(features)).all()


def test_no_rows_get_no_scores(fitted):
    trees = BoostedTrees.from_estimator(fitted[0])
    assert trees.log_odds(np.zeros((0, 6), np.float32)).shape == (0,)
