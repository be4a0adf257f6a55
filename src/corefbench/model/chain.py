"""One chain of a corpus, as a light view."""

from typing import TYPE_CHECKING

import numpy as np

from corefbench.model.mention import Mention
from corefbench.record import Columns

if TYPE_CHECKING:
    from corefbench.model.corpus import Corpus


class Chain(Columns, frozen=True, eq=False):
    """The mentions of one entity in one document."""

    corpus: "Corpus"
    index: int

    @property
    def label(self) -> str:
        return self.corpus.chains.label(self.index)

    @property
    def mentions(self) -> list[Mention]:
        where = np.flatnonzero(self.corpus.mentions.chain == self.index)
        return [Mention(corpus=self.corpus, index=int(i)) for i in where]

    def __len__(self) -> int:
        return int(np.count_nonzero(self.corpus.mentions.chain == self.index))

    @property
    def is_singleton(self) -> bool:
        return len(self) == 1

    def __repr__(self) -> str:
        return f"<Chain {self.label}: {len(self)} mentions>"
