"""The token columns of a block of a bracket-column file."""

import numpy as np

from corefbench.formats.conll_documents import Block, TokenLines
from corefbench.formats.lines import Fields, Lines
from corefbench.model.corpus import Tokens
from corefbench.model.digest import sum_of_words
from corefbench.model.strings import Strings
from corefbench.model.windows import SPARE, windows
from corefbench.record import Hashes, Longs

_CONLL_2012 = {
    3: "word", 4: "pos", 5: "parse", 6: "lemma", 7: "frameset", 8: "sense", 9: "speaker", 10: "ne",
}  # fmt: skip
_SEMEVAL = {
    0: "id", 1: "word", 2: "lemma", 3: "plemma", 4: "pos", 5: "ppos", 6: "feat", 7: "pfeat",
    8: "head", 9: "phead", 10: "deprel", 11: "pdeprel", 12: "ne", 13: "pne",
}  # fmt: skip


def column_names(lines: Lines, token_line: Longs, *, semeval: bool) -> dict[int, str]:
    """What the columns are called, judged by how many the first token line has."""
    if not len(token_line):
        return {0: "word"}
    text = lines.text(int(token_line[0]))
    count = len(text.split("\t")) if "\t" in text else len(text.split())
    if semeval and count > 2:
        return {i: name for i, name in _SEMEVAL.items() if i < count - 1}
    if count >= 11:
        return {i: name for i, name in _CONLL_2012.items() if i < count - 1}
    return {3: "word"} if count >= 5 else {1: "word"} if count >= 3 else {0: "word"}


def read_tokens(block: Block, tokens: TokenLines, names: dict[int, str]) -> Tokens:
    """Sentences and digests, and the named columns where they are asked for."""
    lines, keep = block.lines, block.reading.words
    word = next(index for index, name in names.items() if name == "word")
    skipped = 2 if min(names) >= 2 else 0
    start = _after_common_columns(lines, tokens, skipped)
    fields = Fields(lines, tokens.line, start)
    columns: dict[str, Strings] = {}
    digests = np.zeros(len(tokens.offsets) - 1, np.uint64)
    for index in range(0 if start is None else skipped, (max(names) if keep else word) + 1):
        start, end = fields.take()
        if index == word:
            digests = _digests(lines, tokens, start, end)
        if keep and index in names:
            columns[names[index]] = Strings.between(lines.data, start, end)
    words = columns.pop("word", None)
    return Tokens(
        offsets=tokens.offsets,
        sentences=_sentences(tokens),
        digests=digests,
        words=words,
        columns=columns,
    )


def _after_common_columns(lines: Lines, tokens: TokenLines, columns: int) -> Longs | None:
    """Past the first few columns of every line, if these are the same throughout a document.

    Document and part stand in front of every line; they are as wide as in the document's first
    line if they end with the same eight bytes. None where that does not hold.
    """
    counts = np.diff(tokens.offsets)
    first = tokens.line[tokens.offsets[:-1][counts > 0]]
    if not columns or not len(first):
        return None
    fields = Fields(lines, first)
    for _ in range(columns):
        _, end = fields.take()
    after = np.minimum(end + 1, lines.end[first])
    width = after - lines.start[first]
    if width.min() < SPARE:
        return None
    window = windows(lines.data)
    counts = counts[counts > 0]
    position = lines.start[tokens.line] + np.repeat(width, counts)
    if position.max() - SPARE >= len(window):  # the last line is cut off
        return None
    same = window[position - SPARE] == np.repeat(window[after - SPARE], counts)
    return position if same.all() else None


def _sentences(tokens: TokenLines) -> Longs:
    """A token begins a sentence where the line before it holds none."""
    begins = np.ones(len(tokens.line), np.bool_)
    begins[1:] = np.diff(tokens.line) > 1
    first = tokens.offsets[:-1]
    begins[first[first < len(begins)]] = True
    return np.flatnonzero(begins)


def _digests(lines: Lines, tokens: TokenLines, start: Longs, end: Longs) -> Hashes:
    position = np.arange(len(start)) - tokens.offsets[tokens.document]
    running = np.zeros(len(start) + 1, np.uint64)
    np.cumsum(sum_of_words(lines.data, start, end, position), out=running[1:])
    return running[tokens.offsets[1:]] - running[tokens.offsets[:-1]]
