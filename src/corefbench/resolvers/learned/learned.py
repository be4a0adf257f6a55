"""What was learned from pairs: the instances, the words they are made of, and a classifier."""

from collections.abc import Mapping
from pathlib import Path

import msgspec
import numpy as np

from corefbench.errors import FormatError, Place, UsageError
from corefbench.record import Record
from corefbench.resolvers.learned.best_first import Judgement
from corefbench.resolvers.learned.checkpoint import ModelCard, load_model, save_model
from corefbench.resolvers.learned.classifiers import PairClassifier, classifiers
from corefbench.resolvers.learned.pairs import LONGEST_WINDOW, WINDOW, Pairs

KIND = "ubiu"


class Learning(Record, frozen=True):
    """How pairs are made and classified; the same in training and afterwards."""

    classifier: str = "memory"
    """``memory``, ``logistic`` or ``boosting``."""
    k: int = 3
    """Nearest distances that vote, for the memory."""
    window: int = WINDOW
    """Sentences between the two mentions of a pair, at most."""
    verbs: bool = False
    """Whether verbs are mentions too."""

    def checked(self) -> "Learning":
        """The same, if it makes sense; the classifier by its proper name."""
        if self.k < 1:
            raise UsageError("k must be at least 1", found=str(self.k))
        if not 0 <= self.window <= LONGEST_WINDOW:
            raise UsageError(
                f"a window has 0 to {LONGEST_WINDOW} sentences", found=str(self.window)
            )
        return msgspec.structs.replace(self, classifier=classifiers.canonical(self.classifier))


class Learned:
    """A classifier of pairs with its vocabulary of heads."""

    def __init__(
        self,
        codes: np.ndarray,
        labels: np.ndarray,
        words: Mapping[str, int],
        *,
        how: Learning = Learning(),
        seed: int = 0,
    ) -> None:
        self.codes, self.labels, self.words = codes, labels, words
        self.how = how.checked()
        make = classifiers[self.how.classifier]
        self.trained: PairClassifier = make(codes, labels, k=self.how.k, seed=seed)

    def judge(self, pairs: Pairs) -> Judgement:
        """What the classifier says of the pairs of a document."""
        return self.trained.judge(pairs.codes)

    def save(self, folder: Path, card: ModelCard) -> None:
        """The instances are the model: memory keeps them, other classifiers learn again."""
        words = msgspec.json.encode(list(self.words))
        arrays: dict[str, np.ndarray] = {
            "heads": self.codes[:, :2].astype(np.int32),
            "features": self.codes[:, 2:].astype(np.int8),
            "labels": self.labels.astype(np.uint8),
            "words": np.frombuffer(words, np.uint8),
        }
        save_model(folder, card, arrays)

    @classmethod
    def load(cls, folder: Path) -> "Learned":
        """A saved model, as it was."""
        card, arrays = load_model(folder)
        if card.kind != KIND:
            raise UsageError("this model is of another kind", found=card.kind, expected=KIND)
        try:
            how = msgspec.convert(card.config, Learning)
            words = msgspec.json.decode(arrays["words"].tobytes(), type=list[str])
            codes = np.concatenate([arrays["heads"], arrays["features"].astype(np.int32)], axis=1)
            labels = arrays["labels"].astype(np.bool_)
        except (KeyError, ValueError, msgspec.MsgspecError) as error:
            raise FormatError(
                "the model is not whole",
                code="CB251",
                place=Place(source=str(folder)),
                found=str(error),
                remedy="train it again",
            ) from error
        numbers = {word: number for number, word in enumerate(words)}
        return cls(codes, labels, numbers, how=how, seed=card.seed)
