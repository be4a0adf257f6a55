"""Which mentions have a twin, and what the others are: the twinless breakdown."""

import numpy as np

from corefbench.matching import Alignment
from corefbench.record import Flags, Record


class Side(Record, frozen=True):
    """The mentions of key or response: matched + twinless = mentions."""

    mentions: int
    singletons: int
    matched_singletons: int
    matched_chained: int
    twinless_singletons: int
    twinless_chained: int

    @property
    def matched(self) -> int:
        return self.matched_singletons + self.matched_chained

    @property
    def twinless(self) -> int:
        return self.twinless_singletons + self.twinless_chained


class Breakdown(Record, frozen=True):
    """Both sides, and what the matched mentions are on either."""

    key: Side
    response: Side
    only_key_singletons: int
    """Matched mentions that are singletons in the key and in chains of the response."""
    only_response_singletons: int
    """Matched mentions that are singletons in the response and in chains of the key."""


def break_down(alignment: Alignment) -> Breakdown:
    """Count the mentions of an alignment in which singletons were kept."""
    twin = alignment.twins.key
    key_alone, response_alone = (
        side.chain_sizes()[side.mentions.chain] == 1 for side in (alignment.key, alignment.response)
    )
    found = np.zeros(len(key_alone), np.bool_)
    found[twin[twin >= 0]] = True
    ours, theirs = key_alone[twin[twin >= 0]], response_alone[twin >= 0]
    return Breakdown(
        key=_side(key_alone, found),
        response=_side(response_alone, twin >= 0),
        only_key_singletons=int(np.count_nonzero(ours & ~theirs)),
        only_response_singletons=int(np.count_nonzero(~ours & theirs)),
    )


def _side(alone: Flags, found: Flags) -> Side:
    def count(which: Flags) -> int:
        return int(np.count_nonzero(which))

    return Side(
        mentions=len(alone),
        singletons=count(alone),
        matched_singletons=count(alone & found),
        matched_chained=count(~alone & found),
        twinless_singletons=count(alone & ~found),
        twinless_chained=count(~alone & ~found),
    )
