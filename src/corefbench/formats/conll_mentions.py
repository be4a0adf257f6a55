"""The mentions and chains of a block of a bracket-column file."""

import numpy as np

from corefbench.formats.brackets import Pairing, Runs, number_chains, pair, runs_of
from corefbench.formats.conll_cells import Cells
from corefbench.formats.conll_documents import Block, TokenLines
from corefbench.model.assemble import take_mentions
from corefbench.model.corpus import Chains, Mentions
from corefbench.record import Longs

_SHOWN = 200
"""So many bytes of a cell are quoted: it may have as many faults as brackets, each quoting it."""


def read_mentions(block: Block, tokens: TokenLines, cells: Cells) -> tuple[Mentions, Chains]:
    """Mentions and chains of the bracket cells."""
    runs = runs_of(block.lines.data, cells.start, cells.end)
    token = cells.token[runs.cell]
    document = tokens.document[token]
    first_of_group, group = _groups(document, runs.label)
    pairing = pair(runs, token, group)
    _Faults(block, tokens, cells, runs).report(pairing, group)
    order = np.argsort(pairing.opening, kind="stable")
    opening, closing = pairing.opening[order], pairing.closing[order]
    chain, used = number_chains(
        opening, token[opening], opening != closing, group[opening], len(first_of_group)
    )
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
        mentions = _without_repeats(block, tokens, mentions, chains)
    return mentions, chains


def _groups(document: Longs, label: np.ndarray) -> tuple[Longs, Longs]:
    """Number the chains of all documents; returns a run of each and the number of every run."""
    if label.dtype != np.int64 or (len(label) and label.max() >= 1 << 32):
        _, label = np.unique(label, return_inverse=True)
    _, first, group = np.unique((document << 32) + label, return_index=True, return_inverse=True)
    return first, group


class _Faults:
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
        self._block.reading.strictness.fault(
            code,
            message,
            place=self._block.place(line, start),
            found=_shown(lines.data[start : min(end, start + _SHOWN)].tobytes(), end - start),
            expected=expected,
            repair="the bracket was left out",
        )


def _shown(cell: bytes, length: int) -> str:
    """A cell, or how it begins."""
    return cell.decode("utf-8", "replace") + ("…" if length > _SHOWN else "")


def _without_repeats(
    block: Block, tokens: TokenLines, mentions: Mentions, chains: Chains
) -> Mentions:
    """Drop mentions that one chain has twice, and say so."""
    key = np.stack([mentions.chain, mentions.start, mentions.end], axis=1)
    _, first = np.unique(key, axis=0, return_index=True)
    repeated = np.setdiff1d(np.arange(len(mentions)), first)
    for mention in repeated.tolist():
        token = tokens.offsets[mentions.document[mention]] + mentions.start[mention]
        block.reading.strictness.fault(
            "CB113",
            "a mention occurs twice in one chain",
            place=block.place(int(tokens.line[token])),
            found=f"chain {chains.label(int(mentions.chain[mention]))}",
            repair="the second was left out",
        )
    return take_mentions(mentions, np.sort(first)) if len(repeated) else mentions
