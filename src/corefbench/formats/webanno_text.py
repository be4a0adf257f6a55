"""Plain sentences of WebAnno: the words are all that their texts have but white space."""

import itertools
from typing import Self

import numpy as np

from corefbench.formats.conllu_rows import Rows
from corefbench.formats.plain import require
from corefbench.formats.webanno_lines import unescaped
from corefbench.model.builder import firsts
from corefbench.model.strings import Strings
from corefbench.model.windows import windows
from corefbench.record import Columns, Flags, Longs

_TEXT = b"#Text="
_SPACE = np.array([chr(code).isspace() for code in range(0x3001)])


class Frame(Columns, frozen=True, eq=False):
    """Documents, the texts of their sentences, and where words stand in the documents' texts."""

    offsets: Longs
    """Document *d* has the rows ``offsets[d]`` to ``offsets[d + 1]``."""
    document: Longs
    """That of each row."""
    words: Strings
    texts: list[str]
    begin: Longs
    finish: Longs

    @classmethod
    def of(cls, rows: Rows, starts: Longs) -> Self:
        """Documents begin at the places ``starts``; each sentence has one line of text."""
        begin, end = _text_lines(rows, starts)
        edges = np.append(np.searchsorted(begin, starts), len(begin))  # in sentences
        offsets = rows.first[edges]
        document = np.repeat(np.arange(len(starts)), np.diff(offsets))
        texts = _unescaped(rows.texts(begin + len(_TEXT), end))
        words = rows.texts(*rows.cells(2))
        escaped = any("\\" in word for word in words) if b"\\" in rows.content else False
        words = _unescaped(words) if escaped else words
        first = firsts([len(text) + 1 for text in texts])
        a, b = _placed(words, texts, np.append(first[1:], _length(texts)), rows.first[1:])
        shift = np.append(first, 0)[edges[document]]
        return cls(
            offsets=offsets,
            document=document,
            words=Strings.of(words) if escaped else rows.column(2),
            texts=[
                "".join(f"{text}\n" for text in texts[one:other])
                for one, other in itertools.pairwise(edges.tolist())
            ],
            begin=a - shift,
            finish=b - shift,
        )


def _length(texts: list[str]) -> int:
    return sum(map(len, texts)) + len(texts)


def _text_lines(rows: Rows, starts: Longs) -> tuple[Longs, Longs]:
    """Where the lines of text begin and end: a line before each sentence, the headers before."""
    lines = rows.lines
    comment = np.flatnonzero(lines.comment)
    six = windows(rows.data)[lines.start[comment]] & np.uint64((1 << 48) - 1)
    told = six == int.from_bytes(_TEXT, "little")
    begin, end = lines.start[comment[told]], lines.end[comment[told]]
    require(len(begin) == len(rows.first) - 1)
    row = lines.start[rows.line]
    require((begin < row[rows.first[:-1]]).all() and (begin[1:] > row[rows.first[1:-1] - 1]).all())
    header = lines.start[comment[~told]]
    first = np.append(begin, len(rows.data))[np.searchsorted(begin, starts)]
    require((header < first[np.searchsorted(starts, header, "right") - 1]).all())
    return begin, end


def _unescaped(texts: list[str]) -> list[str]:
    return [unescaped(text) for text in texts]


def _placed(
    words: list[str], texts: list[str], text_ends: Longs, word_ends: Longs
) -> tuple[Longs, Longs]:
    """Where the words begin and end in the texts, one after another, each with a newline.

    Where nothing but white space stands between them, the first place from the end of one word on
    at which the next can be found is where it stands.
    """
    whole, joined = _codes("\n".join([*texts, ""])), _codes("".join(words))
    written = np.flatnonzero(~_spaces(whole))
    require(np.array_equal(whole[written], joined))
    after = np.cumsum(np.fromiter(map(len, words), np.int64, len(words)))
    require((np.diff(after, prepend=0) > 0).all())
    # The texts end where the sentences do.
    require(np.array_equal(np.searchsorted(written, text_ends), after[word_ends - 1]))
    return written[np.append(0, after[:-1])], written[after - 1] + 1


def _codes(text: str) -> np.ndarray:
    if text.isascii():
        return np.frombuffer(text.encode(), np.uint8)
    return np.frombuffer(text.encode("utf-32-le"), np.uint32)


def _spaces(codes: np.ndarray) -> Flags:
    return _SPACE[np.where(codes > 0x3000, 0, codes)]
