"""Trained mention-pair model: classifier, vocabulary and settings."""

from collections.abc import Mapping
from pathlib import Path

import msgspec
import numpy as np

from corefbench.errors import FormatError, Place, UsageError
from corefbench.records import Record
from corefbench.resolvers.checkpoint import ModelCard, load_model, save_model
from corefbench.resolvers.mention_pair.classifiers import PairClassifier, PairPredictions, classifiers
from corefbench.resolvers.mention_pair.pairs import MAX_WINDOW, WINDOW, Pairs

KIND = "ubiu"


class PairSettings(Record, frozen=True):
    """How pairs are made and classified, in training and in use."""

    classifier: str = "memory"
    """``memory``, ``logistic`` or ``boosting``."""
    k: int = 3
    """Number of nearest distances that vote, for the memory."""
    window: int = WINDOW
    """Sentences between the two mentions of a pair, at most."""
    verbs: bool = False
    """Whether verbs are mentions too."""

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
