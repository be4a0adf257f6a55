"""Coreference cells, mentions and chains of bracket-column files."""

from collections.abc import Mapping, Sequence

import numpy as np

from corefbench.corpus.byte_search import Bytes
from corefbench.corpus.combine import take_mentions
from corefbench.corpus.corpus import Chains, Mentions
from corefbench.formats.common.brackets import Pairing, Runs, find_runs, number_chains, pair_brackets
from corefbench.formats.common.lines import Lines
from corefbench.formats.conll.tokens import Block, TokenLines
from corefbench.records import Columns, Longs

_TAB, _BLANK = b"\t "
_IS_EMPTY_MARK = np.zeros(256, np.bool_)
_IS_EMPTY_MARK[list(b"-_*")] = True
_IS_SPACE = np.zeros(256, np.bool_)
_IS_SPACE[list(b" \t\r\x0b\x0c\n")] = True
_IS_TAB = np.zeros(256, np.bool_)
_IS_TAB[_TAB] = True
_MAX_QUOTED_BYTES = 200
"""So many bytes of a cell are quoted: it may have as many faults as brackets, each quoting it."""


class Cells(Columns, frozen=True, eq=False):
    """The cells that say something: the token each belongs to and where its bytes are."""

    token: Longs
    start: Longs
    end: Longs


def find_cells(lines: Lines, token_line: Longs) -> Cells:
    """Look at the byte before the newline first; only other lines need work."""
    data = lines.data
    end = lines.end[token_line]
    last = data[end - 1]
    trailing = np.flatnonzero((last == _TAB) | (last == _BLANK))
    if len(trailing):
        end = _strip_trailing_blanks(lines, token_line, end, trailing)
        last = data[end - 1]
    says = ~(_IS_EMPTY_MARK[last] & _IS_SPACE[data[end - 2]])
    says &= end > lines.start[token_line]
    token = np.flatnonzero(says)
    stop = end[token]
    is_tabbed = len(end) > 0 and _count_tabs(data, int(lines.start[token_line[0]]), int(end[0])) > 0
    return Cells(token=token, start=_last_field(data, lines.start[token_line[token]], stop, is_tabbed), end=stop)


def _last_field(data: Bytes, line_start: Longs, end: Longs, is_tabbed: bool) -> Longs:
    """Where the last field of each line starts; after the last tab where tabs separate columns."""
    start = end - 1
    live = np.arange(len(end))
    separates = _IS_TAB if is_tabbed else _IS_SPACE
    while len(live):
        live = live[(start[live] > line_start[live]) & ~separates[data[start[live] - 1]]]
        start[live] -= 1
    if is_tabbed:
        untabbed = np.flatnonzero(start == line_start)
        start[untabbed] = _last_field(data, line_start[untabbed], end[untabbed], is_tabbed=False)
    return start


def _strip_trailing_blanks(lines: Lines, token_line: Longs, end: Longs, trailing: Longs) -> Longs:
    """Leave out white space at the end of lines; a last column that is empty stays empty.

    An empty last column ends in a tab, as does a line with a tab too many. They are told apart by
    the number of columns of the first token line.
    """
    end = end.copy()
    data, start = lines.data, lines.start[token_line]
    was = end[trailing]
    live = trailing
    while len(live):
        end[live] -= 1
        live = live[(end[live] > start[live]) & _IS_SPACE[data[end[live] - 1]]]
    field = data[end[trailing] - 1]
    doubtful = trailing[~(_IS_EMPTY_MARK[field] & _IS_SPACE[data[end[trailing] - 2]])]
    if len(doubtful):
        columns = _count_tabs(data, int(start[0]), int(lines.end[token_line[0]]))
        for token in doubtful.tolist():
            stop = int(was[np.searchsorted(trailing, token)])
            if data[stop - 1] == _TAB and _count_tabs(data, int(start[token]), stop) == columns:
                end[token] = start[token]
    return end


def _count_tabs(data: Bytes, start: int, end: int) -> int:
    return int(np.count_nonzero(data[start:end] == _TAB))


def read_mentions(block: Block, tokens: TokenLines, cells: Cells) -> tuple[Mentions, Chains]:
    """Mentions and chains of the bracket cells."""
    runs = find_runs(block.lines.data, cells.start, cells.end)
    token = cells.token[runs.cell]
    document = tokens.document[token]
    first_of_group, group = _number_groups(document, runs.label)
    pairing = pair_brackets(runs, token, group)
    _FaultReporter(block, tokens, cells, runs).report(pairing, group)
    order = np.argsort(pairing.opening, kind="stable")
    opening, closing = pairing.opening[order], pairing.closing[order]
    chain, used = number_chains(opening, token[opening], opening != closing, group[opening], len(first_of_group))
    first_token = tokens.offsets[document[opening]]
    mentions = Mentions(
        document=document[opening].astype(np.int32),
        start=(token[opening] - first_token).astype(np.int32),
        end=(token[closing] + 1 - first_token).astype(np.int32),
        chain=chain,
    )
    sample = first_of_group[used]
    chains = Chains(document=document[sample].astype(np.int32), labels=runs.label[sample])
    if block.reading.strictness.lenient:
        mentions = _drop_repeated_mentions(block, tokens, mentions, chains)
    return mentions, chains


def restore_labels(chains: Chains, labels: Sequence[Mapping[str, str]]) -> Chains:
    """Give the chains the labels that comments of their documents say, by number."""
    if not any(labels):
        return chains
    numbers = [chains.label(chain) for chain in range(len(chains))]
    texts = [labels[d].get(number, number) for d, number in zip(chains.document.tolist(), numbers, strict=True)]
    return (
        chains if texts == numbers else Chains(document=chains.document, labels=np.array([t.encode() for t in texts]))
    )


def _number_groups(document: Longs, label: np.ndarray) -> tuple[Longs, Longs]:
    """Number the chains of all documents; returns a run of each and the number of every run."""
    # Document and label share one 64-bit key; labels that do not fit are numbered first.
    if label.dtype != np.int64 or (len(label) and label.max() >= 1 << 32):
        _, label = np.unique(label, return_inverse=True)
    _, first, group = np.unique((document << 32) + label, return_index=True, return_inverse=True)
    return first, group


class _FaultReporter:
    """Says, with line and column, what is wrong with the brackets."""

    def __init__(self, block: Block, tokens: TokenLines, cells: Cells, runs: Runs) -> None:
        self._block = block
        self._tokens = tokens
        self._cells = cells
        self._runs = runs

    def report(self, pairing: Pairing, group: Longs) -> None:
        for cell in self._runs.malformed.tolist():
            self._fault("CB106", "a bracket has no identifier", cell, "brackets like (1, 1) or (1)")
        alone = self._cells.start == self._block.lines.start[self._tokens.line[self._cells.token]]
        for cell in np.flatnonzero(alone).tolist():
            self._fault("CB110", "a token line has only one column", cell, "at least two columns")
        for run in pairing.unopened.tolist():
            cell = int(self._runs.cell[run])
            expected = f"an opening ({self._label(run)} before it in the document"
            self._fault("CB104", "a bracket is closed that was never opened", cell, expected)
        for run in pairing.unclosed.tolist():
            cell = int(self._runs.cell[run])
            expected = f"a closing {self._label(run)}) before the document ends"
            self._fault("CB105", "a bracket is opened and never closed", cell, expected)
        bare = np.flatnonzero(~(self._runs.opens | self._runs.closes))
        if len(bare):
            self._check_bare(bare, pairing, group)

    def _check_bare(self, bare: Longs, pairing: Pairing, group: Longs) -> None:
        """An identifier without brackets must stand inside a mention of its chain."""
        token = self._cells.token[self._runs.cell]
        order = np.lexsort((token[pairing.opening], group[pairing.opening]))
        opening, closing = pairing.opening[order], pairing.closing[order]
        width = int(token.max()) + 2
        code = group[opening] * width + token[opening]
        before = np.searchsorted(code, group[bare] * width + token[bare], "right") - 1
        inside = before >= 0
        inside &= group[opening[before]] == group[bare] if len(opening) else False
        inside &= token[closing[before]] > token[bare] if len(opening) else False
        for run in bare[~inside].tolist():
            expected = "-, _, * or nothing, or brackets like (1, 1) or (1)"
            message = "a coreference cell is neither empty nor brackets"
            self._fault("CB106", message, int(self._runs.cell[run]), expected)

    def _label(self, run: int) -> str:
        label = self._runs.label[run]
        return label.decode("utf-8", "replace") if isinstance(label, bytes) else str(label)

    def _fault(self, code: str, message: str, cell: int, expected: str) -> None:
        cells, lines = self._cells, self._block.lines
        start, end = int(cells.start[cell]), int(cells.end[cell])
        line = int(self._tokens.line[cells.token[cell]])
        self._block.reading.fault(
            code,
            message,
            self._block.place(line, start),
            _quote_cell(lines.data[start : min(end, start + _MAX_QUOTED_BYTES)].tobytes(), end - start),
            "the bracket was left out",
            expected=expected,
        )


def _quote_cell(cell: bytes, length: int) -> str:
    """A cell, or how it begins."""
    return cell.decode("utf-8", "replace") + ("…" if length > _MAX_QUOTED_BYTES else "")


def _drop_repeated_mentions(block: Block, tokens: TokenLines, mentions: Mentions, chains: Chains) -> Mentions:
    """Drop mentions that one chain has twice, and say so."""
    key = np.stack([mentions.chain, mentions.start, mentions.end], axis=1)
    _, first = np.unique(key, axis=0, return_index=True)
    repeated = np.setdiff1d(np.arange(len(mentions)), first)
    for mention in repeated.tolist():
        token = tokens.offsets[mentions.document[mention]] + mentions.start[mention]
        block.reading.fault(
            "CB113",
            "a mention occurs twice in one chain",
            block.place(int(tokens.line[token])),
            f"chain {chains.label(int(mentions.chain[mention]))}",
            "the second was left out",
        )
    return take_mentions(mentions, np.sort(first)) if len(repeated) else mentions
