"""The result of matching: two corpora with the same documents, and which mentions are twins."""

import numpy as np

from corefbench.model.corpus import Corpus
from corefbench.record import Columns, Floats, Ints


class Twins(Columns, frozen=True, eq=False):
    """For every response mention its twin in the key, or -1, and its credit as a detection."""

    key: Ints
    """The number of the key mention, for each response mention; -1: twinless."""
    credit: Floats | None = None
    """What each match is worth in mention detection; None where every match is worth 1."""

    def credits(self) -> Floats:
        return (self.key >= 0).astype(np.float64) if self.credit is None else self.credit


class Alignment(Columns, frozen=True, eq=False):
    """Key and response, document by document the same, with their twins."""

    key: Corpus
    response: Corpus
    twins: Twins

    def response_of_key(self) -> Ints:
        """For every key mention its response twin, or -1."""
        inverse = np.full(len(self.key.mentions), -1, np.int32)
        matched = np.flatnonzero(self.twins.key >= 0)
        inverse[self.twins.key[matched]] = matched
        return inverse
