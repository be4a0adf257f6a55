"""The result of matching: two corpora with the same documents, and which mentions are twins."""

import numpy as np

from corefbench.corpus.corpus import Corpus
from corefbench.corpus.spans import last_same_span
from corefbench.records import Columns, Floats, Ints


class Twins(Columns, frozen=True, eq=False):
    """For every response mention its twin in the key, or -1, and its credit as a detection."""

    key: Ints
    """The number of the key mention, for each response mention; -1: twinless."""
    credit: Floats | None = None
    """What each match is worth in mention detection; None if every match is worth 1."""
    key_same: Ints | None = None
    """For every key mention the last one that the rule takes for the same; None: by their spans."""
    response_same: Ints | None = None
    """The same of the response mentions."""


class Alignment(Columns, frozen=True, eq=False):
    """Key and response, document by document the same, with their twins."""

    key: Corpus
    response: Corpus
    twins: Twins

    def key_identity(self) -> Ints | None:
        """Return for every key mention the last that is the same; None if none is repeated."""
        same = self.twins.key_same
        return last_same_span(self.key) if same is None else _unless_distinct(same)

    def response_identity(self) -> Ints | None:
        """Return for every response mention the last that is the same; None if none is repeated."""
        same = self.twins.response_same
        return last_same_span(self.response) if same is None else _unless_distinct(same)

    def response_of_key(self) -> Ints:
        """Return for every key mention its response twin, or -1."""
        inverse = np.full(len(self.key.mentions), -1, np.int32)
        matched = np.flatnonzero(self.twins.key >= 0)
        inverse[self.twins.key[matched]] = matched
        return inverse


def _unless_distinct(same: Ints) -> Ints | None:
    return None if (same == np.arange(len(same))).all() else same
