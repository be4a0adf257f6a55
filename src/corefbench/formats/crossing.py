"""Which mentions cross, by a sweep over their edges."""

import numpy as np

from corefbench.model.corpus import Corpus
from corefbench.record import Flags, Ints, Longs


def crossing_mentions(corpus: Corpus) -> Flags:
    """The mentions that must go if those of a document are to nest."""
    mentions = corpus.mentions
    return crossing(mentions.document, mentions.start, mentions.end)


def crossing_in_chains(corpus: Corpus) -> Flags:
    """The mentions that must go if brackets with a chain's label are to tell its mentions apart:
    those that cross another of their chain, and those that interleave with a discontinuous one."""
    mentions = corpus.mentions
    return crossing(mentions.chain, mentions.start, mentions.end) | _interleaving(corpus)


def crossing(group: Ints, start: Ints, end: Ints) -> Flags:
    """The spans that do not nest in those before them; of two of a group that cross the earlier
    stays, at one beginning the longer. Spans stand in opening order within their group.

    >>> spans = np.array([(0, 3), (1, 2), (2, 5), (3, 6)])
    >>> crossing(np.zeros(4, np.int32), spans[:, 0], spans[:, 1]).tolist()
    [False, False, True, False]
    """
    flags = np.zeros(len(start), np.bool_)
    order = np.lexsort((-end, start, group))
    doubtful = np.isin(group, np.unique(group[_crossed(group, start, end)]))
    last, open_ends = -1, [0]
    for span in order[doubtful[order]].tolist():
        if group[span] != last:
            last, open_ends = int(group[span]), []
        while open_ends and open_ends[-1] <= start[span]:
            open_ends.pop()
        if open_ends and end[span] > open_ends[-1]:
            flags[span] = True
        else:
            open_ends.append(int(end[span]))
    return flags


def _crossed(group: Ints, start: Ints, end: Ints) -> Longs:
    """Some spans of every group that has crossing ones, none of any other.

    Edges are paired as brackets on a stack; where nothing crosses every span gets its own end.
    """
    count = len(start)
    span = np.tile(np.arange(count), 2)
    place = np.concatenate([start, end]).astype(np.int64)
    opens = np.repeat([1, 0], count)
    longest = np.concatenate([-end, np.zeros_like(end)])
    order = np.lexsort((longest, opens, place, group[span]))
    step = np.where(opens[order] == 1, 1, -1)
    level = np.cumsum(step) - (step == 1)
    paired = order[np.lexsort((level,))]
    opening, closing = span[paired[0::2]], span[paired[1::2]]
    return np.asarray(opening[end[opening] != end[closing]])


def _interleaving(corpus: Corpus) -> Flags:
    """Discontinuous mentions whose hull meets that of another of their chain, the first apart."""
    mentions = corpus.mentions
    flags = np.zeros(len(mentions), np.bool_)
    if mentions.parts is None:
        return flags
    split = np.diff(mentions.parts.offsets) > 1
    some = np.flatnonzero(np.isin(mentions.chain, mentions.chain[split]))
    reach: dict[int, tuple[int, bool]] = {}
    for mention in some[np.lexsort((some, mentions.chain[some]))].tolist():
        end, before = reach.get(int(mentions.chain[mention]), (0, False))
        if mentions.start[mention] < end and (split[mention] or before):
            flags[mention] = True
        elif mentions.end[mention] > end:
            reach[int(mentions.chain[mention])] = (int(mentions.end[mention]), bool(split[mention]))
    return flags
