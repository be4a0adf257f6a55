"""Writer of CorefUD files."""

import re
from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import BinaryIO

import numpy as np

from corefbench.corpus.builder import Span
from corefbench.corpus.corpus import Corpus, Mentions
from corefbench.errors import FormatError, Place
from corefbench.formats.base import require_words
from corefbench.formats.common.conllu import COLUMNS, one_line, percent_encode
from corefbench.formats.corefud.brackets import word_indices
from corefbench.formats.corefud.tokens import ITEM_KEYS, NEWPAR, CommentWriter

_UNSAFE = re.compile(r"[()|\s]")
_UNSAFE_INSIDE = re.compile(r"[-()|\s]")
_UNSAFE_LABEL = re.compile(r"[-()\[\]|,<>:=\s]")
_HEAD, _MISC = COLUMNS.index("head"), COLUMNS.index("misc")
_BREAK = re.compile(r"[\t\n\r]")


def parts_of(mentions: Mentions, mention: int) -> list[Span]:
    """The parts of a mention as the corpus has them."""
    if mentions.parts is not None:
        return mentions.parts.of(mention)
    return [(int(mentions.start[mention]), int(mentions.end[mention]))]


def parts_to_write(corpus: Corpus, numbers: Iterable[int]) -> Iterator[tuple[int, list[Span]]]:
    """The parts to write: where two mentions of one chain cross, the later is written in adjoining
    parts, which readers put together again."""
    open_spans: dict[int, list[Span]] = {}
    broken: dict[tuple[int, int], list[Span]] = {}
    for mention in numbers:
        parts, chain = parts_of(corpus.mentions, mention), int(corpus.mentions.chain[mention])
        # A closing bracket names only its entity, so crossing mentions of one entity cannot be told apart.
        spans = open_spans.setdefault(chain, [])
        cuts = _crossed_ends(spans, parts)
        for span in parts:
            insort(spans, span, key=_latest_end_first)
        written = _cut_spans(parts, cuts) if cuts else parts
        if len(written) > 1:
            last = broken.get((chain, len(written)), [])
            # Parts go to the mention that waits longest: all of one come before the other's.
            if any(a[1] > b[0] for a, b in zip(last, written, strict=False)):
                message = "two broken mentions of one chain cannot be told apart in CorefUD"
                raise unwritable_error(corpus, "CB116", message, mention)
            broken[chain, len(written)] = written
        yield mention, written


def _latest_end_first(span: Span) -> tuple[int, int]:
    return -span[1], span[0]


def _crossed_ends(spans: list[Span], parts: list[Span]) -> set[int]:
    """The ends of spans that cross a part; drops the spans that end before the parts begin.

    The spans are sorted, latest end first: only those that end within a part are looked at, which
    are none where mentions are nested.
    """
    while spans and spans[-1][1] <= parts[0][0]:
        spans.pop()
    cuts = set()
    for a, b in parts:
        first = bisect_right(spans, -b, key=lambda span: -span[1])
        last = bisect_left(spans, -a, key=lambda span: -span[1])
        cuts |= {end for start, end in spans[first:last] if start < a}
    return cuts


def unwritable_error(corpus: Corpus, code: str, message: str, mention: int) -> FormatError:
    """The error for a mention that CorefUD cannot say."""
    return FormatError(
        message,
        code=code,
        place=Place(document=corpus[int(corpus.mentions.document[mention])].label),
        found=f"the mention at tokens {parts_of(corpus.mentions, mention)}",
        remedy="write another format, such as jsonlines",
    )


def _cut_spans(spans: list[Span], cuts: set[int]) -> list[Span]:
    """The spans, cut at the given places.

    >>> _cut_spans([(0, 5)], {2})
    [(0, 2), (2, 5)]
    """
    pieces = []
    for start, end in spans:
        edges = [start, *sorted(cut for cut in cuts if start < cut < end), end]
        pieces += list(pairwise(edges))
    return pieces


class EntityCells:
    """The items of every token, document by document."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self.labels = [
            _UNSAFE_LABEL.sub(percent_encode, corpus.chains.label(chain)) for chain in range(len(corpus.chains))
        ]
        self.names = _field_names(corpus, self.labels)
        self._edges = np.searchsorted(corpus.mentions.document, np.arange(len(corpus) + 1))
        self._bridges = self._bridge_links()
        self._splits = self._split_links()

    def _bridge_links(self) -> dict[int, list[str]]:
        """The links of each anaphor."""
        relations, chain = self.corpus.relations, self.corpus.mentions.chain
        links: dict[int, list[str]] = {}
        for row, anaphor in enumerate(relations.bridging_anaphor.tolist()):
            target = int(relations.bridging_chain[row])
            if target < 0:
                target = int(chain[relations.bridging_mention[row]])
            link = f"{self.labels[target]}<{self.labels[chain[anaphor]]}"
            label = _UNSAFE.sub(percent_encode, relations.bridging_label[row]).replace(",", "%2C")
            links.setdefault(anaphor, []).append(f"{link}:{label}" if label else link)
        return links

    def _split_links(self) -> dict[int, list[str]]:
        """The links of each plural, at the first mention of its chain."""
        relations = self.corpus.relations
        chains = self.corpus.mentions.chain.tolist()
        first = {chain: mention for mention, chain in reversed(list(enumerate(chains)))}
        links: dict[int, list[str]] = {}
        pairs = zip(relations.plural.tolist(), relations.element.tolist(), strict=True)
        for plural, element in pairs:
            if plural in first:
                link = f"{self.labels[element]}<{self.labels[plural]}"
                links.setdefault(first[plural], []).append(link)
        return links

    def of_document(self, document: int, ends: list[int]) -> dict[int, list[str]]:
        """For each token its items; ``ends`` are those of the sentences."""
        brackets = _DocumentBrackets()
        bridges: dict[int, list[str]] = {}
        splits: dict[int, list[str]] = {}
        numbers = range(int(self._edges[document]), int(self._edges[document + 1]))
        for mention, parts in parts_to_write(self.corpus, numbers):
            if bisect_right(ends, parts[0][0]) != bisect_right(ends, parts[-1][1] - 1):
                message = "a mention crosses the end of a sentence, which CorefUD does not allow"
                raise unwritable_error(self.corpus, "CB105", message, mention)
            label = self.labels[self.corpus.mentions.chain[mention]]
            brackets.add(mention, label, self._values(mention), parts)
            bridges.setdefault(parts[0][0], []).extend(self._bridges.get(mention, ()))
            splits.setdefault(parts[0][0], []).extend(self._splits.get(mention, ()))
        items = {}
        for token, entity in brackets.cells():
            texts = (entity, ",".join(bridges.get(token, ())), ",".join(splits.get(token, ())))
            items[token] = [key + text for key, text in zip(ITEM_KEYS, texts, strict=True) if text]
        return items

    def _values(self, mention: int) -> list[str]:
        """The fields after the entity, without the empty ones at the end."""
        values = [self._value(name, mention) for name in self.names[1:]]
        unsafe = [_UNSAFE_INSIDE] * (len(values) - 1) + [_UNSAFE]
        while values and not values[-1]:
            values.pop()
        return [bad.sub(percent_encode, value) for bad, value in zip(unsafe, values, strict=False)]

    def _value(self, name: str, mention: int) -> str:
        mentions = self.corpus.mentions
        if name not in ("head", "minspan"):
            return mentions.columns[name][mention]
        words = word_indices(parts_of(mentions, mention))
        if name == "head":
            head = -1 if mentions.head is None else int(mentions.head[mention])
            return str(words.index(head) + 1) if head in words else ""
        spans = [] if mentions.minimum is None else mentions.minimum.of(mention)
        wanted = {word for a, b in spans for word in range(a, b)}
        return ",".join(str(n) for n, word in enumerate(words, 1) if word in wanted)


class _DocumentBrackets:
    """The brackets of a document's tokens.

    >>> brackets = _DocumentBrackets()
    >>> brackets.add(0, "e1", ["x"], [(0, 2)]); brackets.add(1, "e2", [], [(1, 2)])
    >>> list(brackets.cells())
    [(0, '(e1-x'), (1, '(e2)e1)')]
    """

    def __init__(self) -> None:
        self._opened: dict[int, list[str]] = {}
        self._closed: dict[int, list[tuple[int, int, str]]] = {}

    def add(self, mention: int, label: str, values: list[str], parts: list[Span]) -> None:
        for number, (start, end) in enumerate(parts, 1):
            name = f"{label}[{number}/{len(parts)}]" if len(parts) > 1 else label
            text = "-".join(["(" + name, *values])
            self._opened.setdefault(start, []).append(text + ")" if end == start + 1 else text)
            if end > start + 1:
                self._closed.setdefault(end - 1, []).append((-start, -mention, f"{name})"))

    def cells(self) -> Iterable[tuple[int, str]]:
        for token in sorted({*self._opened, *self._closed}):
            opens = self._opened.get(token, ())
            closes = "".join(text for *_, text in sorted(self._closed.get(token, ())))
            # Single words come before closing brackets, and after those that open here.
            singles = all(text[-1] == ")" for text in opens)
            yield token, "".join(opens) + closes if singles else closes + "".join(opens)


def _field_names(corpus: Corpus, labels: list[str]) -> list[str]:
    mentions = corpus.mentions
    others = [name for name in mentions.columns if name not in ("head", "minspan")]
    return [
        # An eid is unique in its file, a GRP in its document only.
        "GRP" if len(set(labels)) < len(labels) else "eid",
        *(name for name in others if name == "etype"),
        *(["head"] if mentions.head is not None else []),
        *(["minspan"] if mentions.minimum is not None else []),
        *(name for name in others if name != "etype"),
    ]


def write_corpus(corpus: Corpus, stream: BinaryIO) -> None:
    """Write every document."""
    require_words(corpus)
    cells = EntityCells(corpus)
    for document in range(len(corpus)):
        stream.write("".join(_document_lines(cells, document)).encode())


def _document_lines(cells: EntityCells, document: int) -> Iterator[str]:
    corpus = cells.corpus
    view = corpus[document]
    first = int(corpus.tokens.offsets[document])
    rows = _rows(corpus, first, first + len(view))
    items = cells.of_document(document, [end for _, end in view.sentences])
    comments = CommentWriter(corpus, first, [row[_MISC] for row in rows])
    yield f"# newdoc id = {one_line(view.label)}\n# global.Entity = {'-'.join(cells.names)}\n"
    for name, values in corpus.documents.columns.items():
        if values[document]:
            yield f"# meta::{name} = {one_line(values[document])}\n"
    for number, (start, end) in enumerate(view.sentences, 1):
        if start == end:
            continue
        _fill_missing_cells(corpus, rows[start:end], first + start)
        yield from comments.before(start)
        yield f"# sent_id = {one_line(view.label)}-{number}\n"
        yield f"# text = {_text(rows[start:end])}\n"
        for token in range(start, end):
            *others, misc = rows[token]
            cell = [*items.get(token, ()), *([misc] if misc != "_" else [])]
            cell += [NEWPAR] if token > start and comments.begins_paragraph(token) else []
            yield "\t".join([*others, "|".join(cell) or "_"]) + "\n"
        yield "\n"


def _rows(corpus: Corpus, start: int, end: int) -> list[list[str]]:
    """The cells of tokens, as the corpus has them."""
    tokens = corpus.tokens
    columns = []
    for name in COLUMNS:
        column = tokens.words if name == "form" else tokens.columns.get(name)
        texts = column.slice(start, end) if column is not None else [""] * (end - start)
        columns.append([_BREAK.sub(" ", text) or "_" for text in texts])
    return [list(row) for row in zip(*columns, strict=True)]


def _fill_missing_cells(corpus: Corpus, rows: list[list[str]], first: int) -> None:
    """Number the tokens of a sentence where the corpus has not, and say 0 for their governors
    where it has no trees: readers of CoNLL-U want a number."""
    tokens, words, empties = corpus.tokens, 0, 0
    for token, row in enumerate(rows, first):
        empty = tokens.empty is not None and bool(tokens.empty[token])
        words, empties = (words, empties + 1) if empty else (words + 1, 0)
        if row[0] == "_":
            row[0] = f"{words}.{empties}" if empty else str(words)
        if not empty and "head" not in tokens.columns:
            row[_HEAD] = "0"


def _text(rows: list[list[str]]) -> str:
    """The sentence as it was printed, as far as SpaceAfter=No tells."""
    surface = [row for row in rows if "." not in row[0]]
    return "".join(row[1] + ("" if "SpaceAfter=No" in row[_MISC].split("|") else " ") for row in surface).strip()
