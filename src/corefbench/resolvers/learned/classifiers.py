"""What may classify pairs: memory-based learning, logistic regression, gradient boosting.

A classifier learns from codes and labels and gives a ``Judgement`` of further codes. All of them
see the same pairs, so that they can be compared.
"""

from contextlib import AbstractContextManager
from typing import Any, Protocol

import numpy as np

from corefbench.errors import MissingExtra
from corefbench.registry import Registry
from corefbench.resolvers.learned.best_first import Judgement
from corefbench.resolvers.learned.memory import Memory


class PairClassifier(Protocol):
    """Learns on construction; codes are pairs × features, labels say which pairs corefer."""

    def __init__(self, codes: np.ndarray, labels: np.ndarray, *, k: int, seed: int) -> None: ...

    def judge(self, codes: np.ndarray) -> Judgement:
        """What it says of further pairs."""
        ...


class MemoryBased:
    """IB1: the k nearest distances vote."""

    def __init__(self, codes: np.ndarray, labels: np.ndarray, *, k: int = 3, seed: int = 0) -> None:
        self.memory = Memory(codes, labels.astype(np.int64), k=k)

    def judge(self, codes: np.ndarray) -> Judgement:
        """The confidence is the share of votes for coreference."""
        votes = self.memory.classify(codes)
        share = votes.counts[:, -1] / np.maximum(votes.counts.sum(axis=1), 1)
        # A memory without positive pairs knows one class only.
        known = self.memory.classes > 1
        return Judgement(
            positive=(votes.label == 1) & known,
            confidence=share if known else np.zeros(len(share)),
            distance=votes.distance,
        )


class _Estimator:
    """A classifier of scikit-learn."""

    def __init__(self, codes: np.ndarray, labels: np.ndarray, *, k: int = 3, seed: int = 0) -> None:
        self.estimator = self.made(seed)
        self.knows_both = len(np.unique(labels)) > 1
        if self.knows_both:  # of one class there is nothing to learn
            with _one_thread():
                self.estimator.fit(self.seen(codes), labels)
        self.only = bool(len(labels) and labels[0])

    def made(self, seed: int) -> Any:
        raise NotImplementedError

    def seen(self, codes: np.ndarray) -> np.ndarray:
        return codes

    def judge(self, codes: np.ndarray) -> Judgement:
        """The confidence is the probability."""
        if self.knows_both and len(codes):
            with _one_thread():
                share = self.estimator.predict_proba(self.seen(codes))[:, 1]
        else:
            share = np.full(len(codes), float(self.only))
        return Judgement(positive=share > 0.5, confidence=share, distance=np.zeros(len(share)))


def _one_thread() -> AbstractContextManager[object]:
    """Sums do not depend on the number of cores, and threads that wait do not slow others down."""
    from threadpoolctl import threadpool_limits

    limits: AbstractContextManager[object] = threadpool_limits(limits=1)
    return limits


class LogisticRegression(_Estimator):
    """A weight for every value of every feature; words that training lacked weigh nothing."""

    def made(self, seed: int) -> Any:
        """One column a value, then the regression."""
        try:
            from sklearn.linear_model import LogisticRegression as Regression
            from sklearn.pipeline import make_pipeline
            from sklearn.preprocessing import OneHotEncoder
        except ImportError as error:
            raise MissingExtra("scikit-learn", "learned") from error
        return make_pipeline(
            OneHotEncoder(handle_unknown="ignore", dtype=np.float32),
            Regression(max_iter=200, random_state=seed, solver="liblinear"),
        )


class GradientBoosting(_Estimator):
    """Boosted trees over the twelve features that are not words."""

    def made(self, seed: int) -> Any:
        """Every feature is categorical."""
        try:
            from sklearn.ensemble import HistGradientBoostingClassifier
        except ImportError as error:
            raise MissingExtra("scikit-learn", "learned") from error
        return HistGradientBoostingClassifier(
            categorical_features=list(range(12)), random_state=seed, max_iter=150
        )

    def seen(self, codes: np.ndarray) -> np.ndarray:
        """Words have more values than trees can split."""
        return codes[:, 2:]


classifiers: Registry[type[PairClassifier]] = Registry(
    "pair classifier",
    built_in={
        "memory": f"{__name__}:MemoryBased",
        "logistic": f"{__name__}:LogisticRegression",
        "boosting": f"{__name__}:GradientBoosting",
    },
    aliases={"ib1": "memory", "timbl": "memory"},
)
