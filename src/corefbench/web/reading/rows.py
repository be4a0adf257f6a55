"""Key and response as rows, in the order of the text, longer mentions first.

A mention that both sides have is one row; it stands where the key has it. Words that neither side
has can be rows, too.
"""

from collections.abc import Sequence

import numpy as np

from corefbench.record import Columns, Flags, Longs
from corefbench.runs.schema import Span
from corefbench.web.reading.places import Places


class Rows(Columns, frozen=True, eq=False):
    """All arrays are in step."""

    start: Longs
    end: Longs
    key: Longs
    """The number of the mention among those of the key, -1 for none …"""
    response: Longs
    """… and among those of the response."""

    def __len__(self) -> int:
        return len(self.start)

    def of_key(self, size: int) -> Longs:
        """For each mention of the key its row; one more stands for none."""
        return _inverse(self.key, size)

    def of_response(self, size: int) -> Longs:
        """The same of the response."""
        return _inverse(self.response, size)

    def parts(self, key: Places, response: Places) -> dict[int, tuple[Span, ...]]:
        """The parts of rows that have several."""
        made = {}
        if key.parts is not None or response.parts is not None:
            for row, (one, other) in enumerate(zip(self.key, self.response, strict=True)):
                side, mention = (key, one) if one >= 0 else (response, other)
                parts = side.parts[mention] if mention >= 0 and side.parts is not None else ()
                if len(parts) > 1:
                    made[row] = parts
        return made


def rows(
    key: Places, response: Places, twins: Sequence[int], uncounted: Flags, words: Longs
) -> Rows:
    """``uncounted`` are mentions of the key; ``words`` that no mention is made of are rows."""
    answers = _answers(len(key.start), twins)
    placed = _placed(answers, len(response.start))
    _join_uncounted(key, response, uncounted, answers, placed)
    alone = np.flatnonzero(~_placed(answers, len(response.start)))
    start = np.concatenate((key.start, response.start[alone]))
    end = np.concatenate((key.end, response.end[alone]))
    free = words[~np.isin(words, start[end - start == 1])]
    none = np.full(len(free), -1)
    start, end = np.concatenate((start, free)), np.concatenate((end, free + 1))
    of_key = np.concatenate((np.arange(len(answers)), np.full(len(alone), -1), none))
    of_response = np.concatenate((answers, alone, none))
    order = np.lexsort((of_response, of_key, -end, start))
    return Rows(start=start[order], end=end[order], key=of_key[order], response=of_response[order])


def _answers(size: int, twins: Sequence[int]) -> Longs:
    """For each mention of the key the first of the response that is its twin, -1 for none."""
    made = np.full(size, -1)
    twin = np.array(twins, np.int64)
    twinned = np.flatnonzero(twin >= 0)[::-1]  # what is written last stays: the first
    made[twin[twinned]] = twinned
    return made


def _placed(answers: Longs, size: int) -> Flags:
    """Which mentions of the response answer one of the key."""
    made = np.zeros(size, np.bool_)
    made[answers[answers >= 0]] = True
    return made


def _join_uncounted(
    key: Places, response: Places, uncounted: Flags, answers: Longs, placed: Flags
) -> None:
    """A singleton of the key that the profile strips is the same as one that is answered."""
    numbers = np.flatnonzero(uncounted).tolist()
    if not numbers:
        return
    spans = zip(key.start[uncounted].tolist(), key.end[uncounted].tolist(), strict=True)
    out = dict(zip(spans, numbers, strict=True))
    for mention in np.flatnonzero(~placed).tolist():
        number = out.pop((int(response.start[mention]), int(response.end[mention])), None)
        if number is not None and answers[number] < 0:
            answers[number] = mention


def _inverse(mentions: Longs, size: int) -> Longs:
    made = np.full(size + 1, -1)
    there = mentions >= 0
    made[mentions[there]] = np.flatnonzero(there)
    return made
