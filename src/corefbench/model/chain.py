"""One chain of a corpus, as a light view."""

from typing import TYPE_CHECKING

import numpy as np

from corefbench.model.mention import Mention
from corefbench.model.places import places
from corefbench.record import Columns, Longs

if TYPE_CHECKING:
    from corefbench.model.corpus import Corpus


class Chain(Columns, frozen=True, eq=False):
    """The mentions of one entity in one document."""

    corpus: "Corpus"
    index: int
    members: Longs | None = None
    """The numbers of its mentions, where whoever made the view had them at hand."""

    @property
    def label(self) -> str:
        return self.corpus.chains.label(self.index)

    @property
    def _where(self) -> Longs:
        """The numbers of its mentions, looked for among those of its document only."""
        if self.members is not None:
            return self.members
        document, mentions = int(self.corpus.chains.document[self.index]), self.corpus.mentions
        first, last = places(mentions.document, document, document + 1)
        return np.asarray(np.flatnonzero(mentions.chain[first:last] == self.index) + first)

    @property
    def mentions(self) -> list[Mention]:
        return [Mention(corpus=self.corpus, index=i) for i in self._where.tolist()]

    def __len__(self) -> int:
        return len(self._where)

    @property
    def is_singleton(self) -> bool:
        return len(self) == 1

    def __repr__(self) -> str:
        return f"<Chain {self.label}: {len(self)} mentions>"
