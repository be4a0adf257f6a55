"""Align the mentions of key and response.

Rows are in the order of the text, longer mentions first. A mention that both sides have is one row,
at the position of the key. Words that neither side has can be rows, too. A response may have other
empty nodes than the key: its mentions are mapped to the tokens that are shown.
"""

from collections.abc import Sequence

import numpy as np

from corefbench.records import Columns, Flags, Longs
from corefbench.runs.schema import Layer, LayerMentions, LayerTokens, Span


class MentionSpans(Columns, frozen=True, eq=False):
    """The mentions of key or response."""

    start: Longs
    end: Longs
    parts: Sequence[tuple[Span, ...]] | None = None
    """None if all are contiguous."""

    def spans(self) -> list[Span]:
        """Return the spans from first to last token."""
        return list(zip(self.start.tolist(), self.end.tolist(), strict=True))


def locate_mentions(marked: LayerMentions, layer: Layer | None, shown: Layer | None) -> MentionSpans:
    """Return the mentions of a layer in the tokens of the layer that is shown."""
    if layer is not None and shown is not None and layer.tokens.count != shown.tokens.count:
        return _spans_of_parts(_map_parts(marked, layer.tokens, shown.tokens))
    if marked.parts is not None:
        return _spans_of_parts(marked.parts)
    return MentionSpans(start=_to_longs(marked.start), end=_to_longs(marked.end))


def _spans_of_parts(parts: Sequence[tuple[Span, ...]]) -> MentionSpans:
    return MentionSpans(
        start=_to_longs([spans[0][0] for spans in parts]), end=_to_longs([spans[-1][1] for spans in parts]), parts=parts
    )


def _to_longs(numbers: Sequence[int]) -> Longs:
    return np.array(numbers, np.int64)


def _map_parts(marked: LayerMentions, own: LayerTokens, shown: LayerTokens) -> list[tuple[Span, ...]]:
    spans = zip(marked.start, marked.end, strict=True)
    parts = marked.parts if marked.parts is not None else [(span,) for span in spans]
    last = shown.count - 1
    token_of_ordinal = {ordinal: token for token, ordinal in enumerate(_token_ordinals(shown))}
    mapped = [min(token_of_ordinal.get(ordinal, last), last) for ordinal in _token_ordinals(own)]
    return [tuple((mapped[a], mapped[b - 1] + 1) for a, b in spans) for spans in parts]


def _token_ordinals(tokens: LayerTokens) -> list[float]:
    """Return the number of each token among the written ones; empty nodes are between."""
    empty, seen, ordinals = set(tokens.empty or ()), 0, []
    for token in range(tokens.count):
        ordinals.append(seen - 0.5 if token in empty else float(seen))
        seen += token not in empty
    return ordinals


class AlignedMentions(Columns, frozen=True, eq=False):
    """Rows of mentions; all columns have the same length."""

    start: Longs
    end: Longs
    key: Longs
    """Number among the mentions of the key, -1 for none …"""
    response: Longs
    """… and among those of the response."""

    def __len__(self) -> int:
        return len(self.start)

    def of_key(self, size: int) -> Longs:
        """Return the row of each mention of the key; the last element, -1, stands for none."""
        return _inverse(self.key, size)

    def of_response(self, size: int) -> Longs:
        """Return the row of each mention of the response."""
        return _inverse(self.response, size)

    def parts(self, key: MentionSpans, response: MentionSpans) -> dict[int, tuple[Span, ...]]:
        """Return the parts of discontinuous mentions by row."""
        by_row = {}
        if key.parts is not None or response.parts is not None:
            for row, (key_mention, response_mention) in enumerate(zip(self.key, self.response, strict=True)):
                side, mention = (key, key_mention) if key_mention >= 0 else (response, response_mention)
                parts = side.parts[mention] if mention >= 0 and side.parts is not None else ()
                if len(parts) > 1:
                    by_row[row] = parts
        return by_row


def align_mentions(
    key: MentionSpans, response: MentionSpans, twins: Sequence[int], uncounted: Flags, words: Longs
) -> AlignedMentions:
    """Align key and response.

    ``uncounted`` are mentions of the key that the profile ignores. ``words`` become rows unless
    they are mentions.
    """
    twin_of_key = _first_twins(len(key.start), twins)
    is_placed = _is_aligned(twin_of_key, len(response.start))
    _align_uncounted(key, response, uncounted, twin_of_key, is_placed)
    response_only = np.flatnonzero(~_is_aligned(twin_of_key, len(response.start)))
    start = np.concatenate((key.start, response.start[response_only]))
    end = np.concatenate((key.end, response.end[response_only]))
    free_words = words[~np.isin(words, start[end - start == 1])]
    none = np.full(len(free_words), -1)
    start, end = np.concatenate((start, free_words)), np.concatenate((end, free_words + 1))
    of_key = np.concatenate((np.arange(len(twin_of_key)), np.full(len(response_only), -1), none))
    of_response = np.concatenate((twin_of_key, response_only, none))
    order = np.lexsort((of_response, of_key, -end, start))
    return AlignedMentions(start=start[order], end=end[order], key=of_key[order], response=of_response[order])


def _first_twins(size: int, twins: Sequence[int]) -> Longs:
    """Return for each mention of the key its first twin in the response, -1 for none."""
    first = np.full(size, -1)
    twin = np.array(twins, np.int64)
    twinned = np.flatnonzero(twin >= 0)[::-1]  # the last assignment wins: the first twin
    first[twin[twinned]] = twinned
    return first


def _is_aligned(twin_of_key: Longs, size: int) -> Flags:
    """Return which mentions of the response are aligned."""
    aligned = np.zeros(size, np.bool_)
    aligned[twin_of_key[twin_of_key >= 0]] = True
    return aligned


def _align_uncounted(
    key: MentionSpans, response: MentionSpans, uncounted: Flags, twin_of_key: Longs, is_placed: Flags
) -> None:
    """Align key singletons that the profile strips with equal spans of the response."""
    numbers = np.flatnonzero(uncounted).tolist()
    if not numbers:
        return
    spans = zip(key.start[uncounted].tolist(), key.end[uncounted].tolist(), strict=True)
    by_span = dict(zip(spans, numbers, strict=True))
    for mention in np.flatnonzero(~is_placed).tolist():
        number = by_span.pop((int(response.start[mention]), int(response.end[mention])), None)
        if number is not None and twin_of_key[number] < 0:
            twin_of_key[number] = mention


def _inverse(mentions: Longs, size: int) -> Longs:
    inverse = np.full(size + 1, -1)
    is_present = mentions >= 0
    inverse[mentions[is_present]] = np.flatnonzero(is_present)
    return inverse
