"""Read a marked copy of a text: clean it and align its mentions with the source."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from corefbench.diagnostics import Finding, Strictness
from corefbench.formats.common.align import align_tokens
from corefbench.formats.common.spans import token_span
from corefbench.formats.common.tokenize import segment
from corefbench.formats.inline import MarkedText, parse_marked
from corefbench.llm.passage import UNKNOWN_LABEL, LabelledSpan, text_order
from corefbench.records import Record

# A thought that was cut off has no end.
_THOUGHT = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL)
_FENCE = re.compile(r"^[ \t]*```[^\n`]*\n(.*?)(?:^[ \t]*```[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_MARK = re.compile(r"\](?:\(#[^)\n]*\)|\{[^}\n]*\}|\d+)|[\[\]]")
_WORD = re.compile(r"\w+")
_MIN_ROW_SIMILARITY = 0.3
"""A line at the beginning or the end is not of the text if fewer of its word pairs are in it."""
MAX_LENGTH_RATIO = 10
"""Of an answer that is so many times as long as the text the rest is left out, …"""
MAX_EXTRA_CHARACTERS = 10_000
"""… after so many more characters."""
_VARIANTS = (
    (re.compile(r"\][ ]?\([ ]{0,3}#[ ]{0,3}(\w[\w -]{0,40}?)[ ]{0,3}\)"), r"](#\1)"),  # ] (# 1 ), ](#chain-1)
    (re.compile(r"\]\((?:chain|cluster|entity)?[ _:-]*(\d+)\)", re.IGNORECASE), r"](#\1)"),
    (re.compile(r"\](?:[_^#]\{?|<su[bp]>)(\d+)(?:\}|</su[bp]>)?"), r"](#\1)"),  # ]_1 ]^{1} ]#1
    (re.compile(r"\](?:\(#?\?\)|\{\?\})"), "]"),  # left as it was asked
)
_REASONS = {"CB104": "never opened", "CB105": "never closed", "CB112": "without words", "CB147": "without a number"}
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_MAX_STRETCH = 3
"""A mention may become so many words longer than twice what it was in the copy."""


class CleanedAnswer(Record, frozen=True):
    """The text of an answer, and what was removed around it."""

    text: str
    removed: tuple[str, ...] = ()
    """``thoughts``, ``excess``, ``fence``, ``preamble``, ``afterword``."""
    variants: int = 0
    """Marks in another notation that were understood."""


def clean_answer(answer: str, source: str) -> CleanedAnswer:
    """Return the part of an answer that is a copy of the source, with normalized marks.

    >>> clean_answer("Sure! Here it is:\\n```\\n[Ann]_1 fed [her]_1 cat.\\n```", "Ann fed her cat.")
    CleanedAnswer(text='[Ann](#1) fed [her](#1) cat.', removed=('fence',), variants=2)
    """
    removed = []
    text = _THOUGHT.sub("", answer)
    if text != answer:
        removed.append("thoughts")
    if len(text) > MAX_LENGTH_RATIO * len(source) + MAX_EXTRA_CHARACTERS:
        text = text[: MAX_LENGTH_RATIO * len(source) + MAX_EXTRA_CHARACTERS]
        removed.append("excess")
    # The longest fenced block is taken for the copy.
    fenced = [block for block in _FENCE.findall(text) if block.strip()]
    if fenced:
        text = max(fenced, key=len)
        removed.append("fence")
    rows = text.strip().split("\n")
    start, end = _copied_rows(rows, source)
    removed += ["preamble"] * (start > 0) + ["afterword"] * (end < len(rows))
    text, variants = _normalize_marks("\n".join(rows[start:end]).strip())
    return CleanedAnswer(text=text, removed=tuple(removed), variants=variants)


def copy_similarity(text: str, source: str) -> float:
    """Return the share of a text's word bigrams that are in the source.

    >>> copy_similarity("[Ann](#1) fed the cat", "So Ann fed the dog")
    0.6666666666666666
    """
    return _SourceWords(source).share(text)


class _SourceWords:
    """The words and word bigrams of a text, in lower case."""

    def __init__(self, source: str) -> None:
        words = _WORD.findall(source.casefold())
        self.words = set(words)
        self.pairs = set(pairwise(words))

    def share(self, text: str) -> float:
        """Return the share of a text's bigrams that are known; a single word may end a sentence."""
        words = _WORD.findall(_MARK.sub("", text).casefold())
        if len(words) < 2:
            return float(bool(words) and words[0] in self.words and not text.rstrip().endswith(":"))
        neighbours = list(pairwise(words))
        return sum(pair in self.pairs for pair in neighbours) / len(neighbours)


def _copied_rows(rows: list[str], source: str) -> tuple[int, int]:
    """Return the range of rows that are copied from the source; all rows if none is."""
    known = _SourceWords(source)
    copied = [number for number, row in enumerate(rows) if known.share(row) >= _MIN_ROW_SIMILARITY]
    return (copied[0], copied[-1] + 1) if copied else (0, len(rows))


def _normalize_marks(text: str) -> tuple[str, int]:
    changed = 0
    for pattern, replacement in _VARIANTS:

        def rewrite(match: re.Match[str], replacement: str = replacement) -> str:
            nonlocal changed
            label = match.expand(replacement)
            label = re.sub(r"[ -]", "_", label)
            changed += label != match[0] and label != "]"
            return label

        text = pattern.sub(rewrite, text)
    return text, changed


class AlignedCopy(Record, frozen=True):
    """The mentions of a copy, aligned with the words of its source."""

    mentions: tuple[LabelledSpan, ...]
    dropped: dict[str, int]
    """Brackets that are no mention, by reason."""
    marked: int
    """The number of mentions of the copy."""
    lost_chains: int
    """Chains of the copy without an aligned mention."""
    unaligned: int
    """Words of the source that the copy does not have."""
    added: int
    """Words of the copy that the source does not have."""
    changed: int
    """Words that differ in the copy."""
    missing_end: int
    """Words of the source after the last one that the copy has."""


def align_copy(copy: str, words: Sequence[str]) -> AlignedCopy:
    """Align the marks of a copy with the source; nothing in a copy is an error.

    >>> source = "So Ann fed her dog .".split()
    >>> copy = align_copy("[Ann](#1) fed [her](#1) small [dog](#2). [", source)
    >>> copy.mentions, copy.dropped, copy.unaligned, copy.added
    (((1, 2, '1'), (3, 4, '1'), (4, 5, '2')), {'never closed': 1}, 1, 1)
    """
    dropped: Counter[str] = Counter()

    def count_drop(finding: Finding) -> None:
        dropped[_REASONS[finding.code]] += 1

    marked = _parse_marks(copy, Strictness(lenient=True, report=count_drop))
    edges = {edge for _, *span in marked.mentions for edge in span}
    tokens = [token for row in segment(marked.text, edges) for token in row]
    copies = [marked.text[a:b] for a, b in tokens]
    source_spans = align_tokens(copies, words)
    mentions = _carry_mentions(marked, [begin for begin, _ in tokens], source_spans, dropped)
    covered = {word for first, last in source_spans for word in range(first, last)}
    labels = {label for label, *_ in marked.mentions if label != UNKNOWN_LABEL}
    return AlignedCopy(
        mentions=tuple(mentions),
        dropped=dict(dropped),
        marked=len(marked.mentions),
        lost_chains=len(labels - {label for *_, label in mentions}),
        unaligned=len(words) - len(covered),
        added=sum(first >= last for first, last in source_spans),
        changed=sum(
            last - first == 1 and not _is_similar(copies[number], words[first])
            for number, (first, last) in enumerate(source_spans)
        ),
        missing_end=len(words) - 1 - max(covered, default=-1),
    )


def _parse_marks(copy: str, strictness: Strictness) -> MarkedText:
    """Return the text without its marks.

    Paragraphs are parsed separately, so that an unmatched bracket does no harm beyond its own.
    """
    pieces: list[str] = []
    mentions: list[tuple[str, int, int]] = []
    length = 0
    for paragraph in _PARAGRAPH.split(copy):
        parsed = parse_marked(paragraph, "", 1, strictness)
        mentions += [(label, length + start, length + end) for label, start, end in parsed.mentions]
        pieces.append(parsed.text)
        length += len(parsed.text) + 2
    return MarkedText(text="\n\n".join(pieces), mentions=mentions, line=1)


def _is_similar(copy: str, word: str) -> bool:
    """Whether two words are equal, or one is part of the other."""
    copy_folded, word_folded = copy.casefold(), word.casefold()
    return copy_folded in word_folded or word_folded in copy_folded


def _carry_mentions(
    marked: MarkedText, begins: Sequence[int], source_spans: Sequence[tuple[int, int]], dropped: Counter[str]
) -> list[LabelledSpan]:
    """Return the mentions that can be aligned; of several with one span, the first."""
    label_by_span: dict[tuple[int, int], str] = {}
    for label, start, end in marked.mentions:
        first, last = token_span(begins, start, end)
        aligned = [source_span for source_span in source_spans[first:last] if source_span[1] > source_span[0]]
        if label == UNKNOWN_LABEL:
            dropped["without a number"] += 1
            continue
        if not aligned:
            dropped["not in the text"] += 1
            continue
        span = aligned[0][0], max(source_span[1] for source_span in aligned)
        if span[1] - span[0] > 2 * (last - first) + _MAX_STRETCH:
            dropped["not in the text"] += 1
        elif span in label_by_span:
            dropped["marked twice"] += 1
        else:
            label_by_span[span] = label
    return sorted(((*span, label) for span, label in label_by_span.items()), key=text_order)
