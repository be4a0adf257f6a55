"""The pairs of training documents, gathered one document after another."""

from collections.abc import Sequence

import numpy as np

from corefbench.errors import UsageError
from corefbench.preprocess.discourse import Discourse
from corefbench.resolvers.learned.mentions import mention_table
from corefbench.resolvers.learned.pairs import WINDOW, pairs_of


class Instances:
    """All pairs in the window, none left out: undersampling did not help (Zhekova & Kübler 2011).

    A pair is positive where both mentions are of one chain of the key.
    """

    def __init__(self, *, window: int = WINDOW, verbs: bool = False) -> None:
        self.window, self.verbs = window, verbs
        self.words: dict[str, int] = {}
        """The heads met so far, numbered."""
        self._codes: list[np.ndarray] = []
        self._labels: list[np.ndarray] = []

    def add(self, discourse: Discourse, chains: Sequence[Sequence[tuple[int, int]]]) -> None:
        """The pairs of one document, with the chains of its key."""
        table = mention_table(discourse, verbs=self.verbs)
        for head in table.heads:
            self.words.setdefault(head, len(self.words))
        pairs = pairs_of(table, self.words, window=self.window)
        chain_of = {span: number for number, chain in enumerate(chains) for span in chain}
        spans = [(phrase.start, phrase.end) for phrase in table.discourse.phrases]
        chain = np.array([chain_of.get(span, -1) for span in spans], np.int64)
        one, two = chain[pairs.antecedent], chain[pairs.mention]
        self._codes.append(pairs.codes)
        self._labels.append((one == two) & (one >= 0))

    def arrays(self) -> tuple[np.ndarray, np.ndarray]:
        """Codes and labels of all documents."""
        if not any(map(len, self._codes)):
            raise UsageError(
                "there is nothing to learn from", expected="documents with two mentions or more"
            )
        return np.concatenate(self._codes), np.concatenate(self._labels)
