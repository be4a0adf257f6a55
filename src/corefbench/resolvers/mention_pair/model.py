"""Trained mention-pair models: classifiers, vocabulary and settings.

All classifiers see the same pairs, so that they can be compared.
"""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

import msgspec
import numpy as np

from corefbench.errors import FormatError, MissingExtra, Place, UsageError
from corefbench.records import Columns, Flags, Floats, Record
from corefbench.registry import Registry
from corefbench.resolvers.checkpoint import ModelCard, load_model, save_model
from corefbench.resolvers.mention_pair.memory import Memory
from corefbench.resolvers.mention_pair.pairs import MAX_WINDOW, WINDOW, Pairs

KIND = "ubiu"


class PairPredictions(Columns, frozen=True, eq=False):
    """Predictions of a classifier for every pair."""

    positive: Flags
    confidence: Floats
    """The share of votes for coreference."""
    distance: Floats
    """To the nearest instance in memory; 0 for classifiers without distances."""


class PairClassifier(Protocol):
    """Learns on construction; codes are pairs × features, labels say which pairs corefer."""

    def __init__(self, codes: np.ndarray, labels: np.ndarray, *, k: int, seed: int) -> None: ...

    def predict(self, codes: np.ndarray) -> PairPredictions:
        """Return the predictions for further pairs."""
        ...


class MemoryBased:
    """IB1: the k nearest distances vote."""

    def __init__(self, codes: np.ndarray, labels: np.ndarray, *, k: int = 3, seed: int = 0) -> None:
        self.memory = Memory(codes, labels.astype(np.int64), k=k)

    def predict(self, codes: np.ndarray) -> PairPredictions:
        """The confidence is the share of votes for coreference."""
        votes = self.memory.classify(codes)
        share = votes.counts[:, -1] / np.maximum(votes.counts.sum(axis=1), 1)
        # A memory without positive pairs has a single class.
        has_positives = self.memory.classes > 1
        return PairPredictions(
            positive=(votes.label == 1) & has_positives,
            confidence=share if has_positives else np.zeros(len(share)),
            distance=votes.distance,
        )


class _Estimator:
    """A classifier of scikit-learn; its confidence is the probability."""

    first_feature = 0

    def __init__(self, codes: np.ndarray, labels: np.ndarray, *, k: int = 3, seed: int = 0) -> None:
        try:
            self.estimator = self.make_estimator(seed)
        except ImportError as error:
            raise MissingExtra("scikit-learn", "learned") from error
        self.has_both_classes = len(np.unique(labels)) > 1
        if self.has_both_classes:  # one class leaves nothing to learn
            with _single_thread():
                self.estimator.fit(codes[:, self.first_feature :], labels)
        self.only_label = bool(len(labels) and labels[0])

    def make_estimator(self, seed: int) -> Any:
        raise NotImplementedError

    def predict(self, codes: np.ndarray) -> PairPredictions:
        share = np.full(len(codes), float(self.only_label))
        if self.has_both_classes and len(codes):
            with _single_thread():
                share = self.estimator.predict_proba(codes[:, self.first_feature :])[:, 1]
        return PairPredictions(positive=share > 0.5, confidence=share, distance=np.zeros(len(share)))


def _single_thread() -> AbstractContextManager[object]:
    """Limit BLAS and OpenMP to one thread.

    Sums then do not depend on the number of cores, and idle threads do not slow others down.
    """
    from threadpoolctl import threadpool_limits

    limits: AbstractContextManager[object] = threadpool_limits(limits=1)
    return limits


class LogisticRegression(_Estimator):
    """A weight for every value of every feature; unknown words weigh nothing."""

    def make_estimator(self, seed: int) -> Any:
        """Make a one-hot encoder followed by the regression."""
        from sklearn.linear_model import LogisticRegression as Regression
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import OneHotEncoder

        return make_pipeline(
            OneHotEncoder(handle_unknown="ignore", dtype=np.float32),
            Regression(max_iter=200, random_state=seed, solver="liblinear"),
        )


class GradientBoosting(_Estimator):
    """Boosted trees over the twelve features that are not words: those have too many values."""

    first_feature = 2

    def make_estimator(self, seed: int) -> Any:
        """Make boosted trees with categorical features only."""
        from sklearn.ensemble import HistGradientBoostingClassifier

        return HistGradientBoostingClassifier(categorical_features=list(range(12)), random_state=seed, max_iter=150)


classifiers: Registry[type[PairClassifier]] = Registry(
    "pair classifier",
    built_in={
        "memory": f"{__name__}:MemoryBased",
        "logistic": f"{__name__}:LogisticRegression",
        "boosting": f"{__name__}:GradientBoosting",
    },
    aliases={"ib1": "memory", "timbl": "memory"},
)


class PairSettings(Record, frozen=True):
    """How pairs are made and classified, in training and in use."""

    classifier: str = "memory"
    """``memory``, ``logistic`` or ``boosting``."""
    k: int = 3
    """Number of nearest distances that vote, for the memory."""
    window: int = WINDOW
    """Sentences between the two mentions of a pair, at most."""
    verbs: bool = False
    """Whether verbs with a predicate lemma are mentions too."""

    def validated(self) -> "PairSettings":
        """Return the settings with the canonical classifier name; raise if they are invalid."""
        if self.k < 1:
            raise UsageError("k must be at least 1", found=str(self.k))
        if not 0 <= self.window <= MAX_WINDOW:
            raise UsageError(f"a window has 0 to {MAX_WINDOW} sentences", found=str(self.window))
        return msgspec.structs.replace(self, classifier=classifiers.canonical(self.classifier))


class PairModel:
    """A classifier of pairs with its vocabulary of head words."""

    def __init__(
        self,
        codes: np.ndarray,
        labels: np.ndarray,
        words: Mapping[str, int],
        *,
        settings: PairSettings = PairSettings(),
        seed: int = 0,
    ) -> None:
        self.codes, self.labels, self.words = codes, labels, words
        self.settings = settings.validated()
        make = classifiers[self.settings.classifier]
        self.trained: PairClassifier = make(codes, labels, k=self.settings.k, seed=seed)

    def predict(self, pairs: Pairs) -> PairPredictions:
        """Return the predictions for the pairs of a document."""
        return self.trained.predict(pairs.codes)

    def save(self, folder: Path, card: ModelCard) -> None:
        """Save the training instances, from which every classifier is rebuilt."""
        words = msgspec.json.encode(list(self.words))
        arrays: dict[str, np.ndarray] = {
            "heads": self.codes[:, :2].astype(np.int32),
            "features": self.codes[:, 2:].astype(np.int8),
            "labels": self.labels.astype(np.uint8),
            "words": np.frombuffer(words, np.uint8),
        }
        save_model(folder, card, arrays)

    @classmethod
    def load(cls, folder: Path) -> "PairModel":
        """Load a saved model."""
        card, arrays = load_model(folder)
        if card.kind != KIND:
            raise UsageError("this model is of another kind", found=card.kind, expected=KIND)
        try:
            settings = msgspec.convert(card.config, PairSettings)
            words = msgspec.json.decode(arrays["words"].tobytes(), type=list[str])
            codes = np.concatenate([arrays["heads"], arrays["features"].astype(np.int32)], axis=1)
            labels = arrays["labels"].astype(np.bool_)
        except (KeyError, ValueError, msgspec.MsgspecError) as error:
            raise FormatError(
                "the model is incomplete",
                code="CB251",
                place=Place(source=str(folder)),
                found=str(error),
                remedy="train it again",
            ) from error
        numbers = {word: number for number, word in enumerate(words)}
        return cls(codes, labels, numbers, settings=settings, seed=card.seed)
