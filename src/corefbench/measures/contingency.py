"""The contingency table: after matching, all that every coreference measure looks at.

For the whole corpus at once, documents as segments: the sizes of the chains on both sides and, for
each key chain *k* and response chain *r* that meet, the number of mentions they share, |k∩r|.
"""

import numpy as np

from corefbench.record import Columns, Floats, Ints, Longs


class Contingency(Columns, frozen=True, eq=False):
    """A sparse table: cell *i* says that chains ``key[i]`` and ``response[i]`` share ``count[i]``.

    Chains without mentions do not occur. Cells are sorted by key chain, then response chain.
    """

    documents: int
    key_size: Longs
    key_document: Ints
    response_size: Longs
    response_document: Ints
    key: Longs
    response: Longs
    count: Longs
    """How many mentions of the response chain stand in the key chain."""
    indexed: Longs
    """The same, where a mention that stands in several key chains counts only for the last of
    them: the reference scorer's index. Equal to ``count`` unless the key repeats mentions."""

    def per_document(self, cell_values: np.ndarray) -> Floats:
        """The sum over the cells of each document."""
        return self._sum(self.key_document[self.key], cell_values)

    def per_key_document(self, chain_values: np.ndarray) -> Floats:
        """The sum over the key chains of each document."""
        return self._sum(self.key_document, chain_values)

    def per_response_document(self, chain_values: np.ndarray) -> Floats:
        """The sum over the response chains of each document."""
        return self._sum(self.response_document, chain_values)

    def _sum(self, document: Ints, values: np.ndarray) -> Floats:
        return np.bincount(document, values, minlength=self.documents)

    @property
    def key_mentions(self) -> Floats:
        """The number of key mentions of each document."""
        return self.per_key_document(self.key_size)

    @property
    def response_mentions(self) -> Floats:
        """The number of response mentions of each document."""
        return self.per_response_document(self.response_size)

    @property
    def key_matched(self) -> Longs:
        """For each key chain, how many of its mentions have a twin."""
        return np.bincount(self.key, self.count, minlength=len(self.key_size)).astype(np.int64)

    @property
    def response_matched(self) -> Longs:
        """For each response chain, how many of its mentions have a twin."""
        matched = np.bincount(self.response, self.indexed, minlength=len(self.response_size))
        return matched.astype(np.int64)


def pairs(count: np.ndarray) -> np.ndarray:
    """n (n − 1) / 2, the number of links among n mentions."""
    return count * (count - 1) // 2
