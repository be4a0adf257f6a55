"""Documents as text for prompts: marked mentions, overlapping windows, questions about pronouns."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Literal, TypeAlias

from corefbench.corpus.views import Document
from corefbench.errors import UsageError
from corefbench.formats.common.spans import select_nested
from corefbench.preprocess.documents import TokenColumns, make_input
from corefbench.preprocess.english.pronouns import lookup_pronoun
from corefbench.records import Record

Span = tuple[int, int]
LabelledSpan = tuple[int, int, str]
"""Start and end of a mention, half-open, and the label of its chain."""
Notation: TypeAlias = Literal["links", "brackets"]
"""``[Ann](#1)``, as in Markdown, or the project's own ``[Ann]1``."""
UNKNOWN_LABEL = "?"
"""What stands for the number of a chain that is asked for."""
_NO_ANTECEDENT = frozenset(("none", "nothing", "no antecedent", "unclear", "unknown", "n/a"))
_ARTICLES = frozenset(("the", "a", "an"))
_LEAD = re.compile(
    r"""^\W*(?:answer\s*:|the\ pronoun\b.*?\b(?:refers?\ to|stands?\ for)\b
        |.{0,40}?\b(?:refers?\ to|stands?\ for)\b)\s*""",
    re.IGNORECASE | re.VERBOSE,
)
_QUOTED = re.compile(r"[\"“'‘`*]{1,2}([^\"”`*]{2,}?)[\"”'’`*]{1,2}[.!]?$")
_LETTER = re.compile(r"\w")


class Passage(Record, frozen=True):
    """A document as text, with the character offsets of its words and its mentions."""

    label: str
    words: tuple[str, ...]
    text: str
    offsets: tuple[Span, ...]
    sentences: tuple[Span, ...]
    mentions: tuple[LabelledSpan, ...]
    """In opening order; labels number the chains from 1. Zeros, non-referring and repeated mentions
    are left out; gaps of discontinuous mentions are filled.
    """

    def text_of(self, start: int, end: int) -> str:
        """Return the text from one word to before another."""
        return self.text[self.offsets[start][0] : self.offsets[end - 1][1]] if start < end else ""

    def within(self, start: int, end: int) -> list[LabelledSpan]:
        """Return the mentions that lie between two words."""
        return [mention for mention in self.mentions if start <= mention[0] and mention[1] <= end]


def make_passage(document: Document, *, singletons: bool = True) -> Passage:
    """Return the passage of a document, with or without chains that have one mention.

    >>> from corefbench.formats.load import load
    >>> made = make_passage(load(b"[Ann]7 fed [[her]7 cat]9.", format="inline")[0])
    >>> made.text, made.mentions
    ('Ann fed her cat.', ((0, 1, '1'), (2, 4, '2'), (2, 3, '1')))
    """
    text_input = make_input(document)
    columns = TokenColumns(document)
    return Passage(
        label=document.label,
        words=columns.words,
        text=text_input.text,
        offsets=text_input.offsets or (),
        sentences=columns.sentences(),
        mentions=_passage_mentions(document, columns, singletons),
    )


def _passage_mentions(document: Document, columns: TokenColumns, singletons: bool) -> tuple[LabelledSpan, ...]:
    referring = document.corpus.mentions.referring
    spans: dict[Span, int] = {}
    for mention in document.mentions:
        start, end = columns.span(mention.start, mention.end)
        if start < end and (referring is None or referring[mention.index]):
            spans.setdefault((start, end), mention.chain.index)
    if not singletons:
        sizes = Counter(spans.values())
        spans = {span: chain for span, chain in spans.items() if sizes[chain] > 1}
    # Numbered as the document has them, which with empty nodes is not always the order of the words.
    return tuple(sorted(number_chains((*span, chain) for span, chain in spans.items()), key=text_order))


def text_order(mention: tuple[int, int, *tuple[str, ...]]) -> tuple[int, int]:
    """Sort key: by start, longer mentions first."""
    return mention[0], -mention[1]


def number_chains(mentions: Iterable[tuple[int, int, Hashable]]) -> list[LabelledSpan]:
    """Label chains ``1``, ``2`` … in order of appearance.

    >>> number_chains([(0, 1, "b"), (2, 3, "a"), (4, 5, "b")])
    [(0, 1, '1'), (2, 3, '2'), (4, 5, '1')]
    """
    numbers: dict[Hashable, str] = {}
    return [(start, end, numbers.setdefault(chain, str(len(numbers) + 1))) for start, end, chain in mentions]


def mark_mentions(passage: Passage, start: int, end: int, mentions: Sequence[LabelledSpan], notation: Notation) -> str:
    """Return the words from ``start`` to before ``end``, with these mentions marked.

    Brackets cannot cross: of two mentions that do, the later is left out.

    >>> from corefbench.formats.load import load
    >>> ann = make_passage(load(b"[Ann]7 fed [[her]7 cat]9.", format="inline")[0])
    >>> mark_mentions(ann, 0, 5, ann.mentions, "links")
    '[Ann](#1) fed [[her](#1) cat](#2).'
    >>> mark_mentions(ann, 2, 4, ann.mentions[1:], "brackets")
    '[[her]1 cat]2'
    """
    kept = [mentions[number] for number in select_nested([mention[:2] for mention in mentions])]
    opening: dict[int, int] = {}
    closing: dict[int, list[str]] = {}
    for first, last, label in kept:
        begin, finish = passage.offsets[first][0], passage.offsets[last - 1][1]
        opening[begin] = opening.get(begin, 0) + 1
        # Of mentions that end together, the inner one closes first.
        closing.setdefault(finish, []).insert(0, label)
    text, pieces = passage.text, list[str]()
    done_until, last_place = passage.offsets[start][0], passage.offsets[end - 1][1]
    for position in sorted({*opening, *closing}):
        pieces.append(escape_brackets(text[done_until:position]))
        following = "[" if position in opening else text[position : position + 1]
        pieces += [_closing_mark(label, following, notation) for label in closing.get(position, ())]
        pieces.append("[" * opening.get(position, 0))
        done_until = position
    return "".join((*pieces, escape_brackets(text[done_until:last_place])))


def escape_brackets(text: str) -> str:
    r"""Escape brackets, so that they are not read as marks.

    >>> escape_brackets("see [1]")
    'see \\[1\\]'
    """
    return re.sub(r"([\[\]\\])", r"\\\1", text)


def _closing_mark(label: str, following: str, notation: Notation) -> str:
    if notation == "links":
        return f"](#{label})"
    return f"]{{{label}}}" if label == UNKNOWN_LABEL or _LETTER.match(following) else f"]{label}"


def cut_windows(length: int, sentences: Sequence[Span], size: int, overlap: int) -> list[Span]:
    """Cut a document into windows of at most ``size`` words with about ``overlap`` words overlap.

    A window ends with a sentence if one ends in its second half, and begins with the first sentence
    of the overlap, if one begins there. Size 0 is the whole document.

    >>> cut_windows(10, [(0, 4), (4, 7), (7, 10)], 8, 3)
    [(0, 7), (4, 10)]
    >>> cut_windows(10, [(0, 10)], 6, 2), cut_windows(10, [(0, 10)], 0, 0)
    ([(0, 6), (4, 10)], [(0, 10)])
    """
    if size < 0 or overlap < 0 or (size and overlap >= size):
        raise UsageError(
            "invalid window size or overlap",
            found=f"windows of {size} words that overlap by {overlap}",
            expected="a size, and an overlap smaller than it",
        )
    if not size or length <= size:
        return [(0, length)] if length else []
    begins = [start for start, _ in sentences]
    windows: list[Span] = []
    start = before = 0
    while True:
        end = start + size
        if end >= length:
            return [*windows, (start, length)]
        end = before = _last_start(begins, max(start + size // 2, before), end) or end
        windows.append((start, end))
        start = _first_start(begins, max(end - overlap, start + 1), end) or max(end - overlap, start + 1)


def _last_start(begins: Sequence[int], low: int, high: int) -> int | None:
    """Return the last sentence that begins after ``low`` and not after ``high``."""
    index = bisect_right(begins, high) - 1
    return begins[index] if index >= 0 and begins[index] > low else None


def _first_start(begins: Sequence[int], low: int, high: int) -> int | None:
    """Return the first sentence that begins not before ``low``, and before ``high``."""
    index = bisect_left(begins, low)
    return begins[index] if index < len(begins) and begins[index] < high else None


def find_questions(passage: Passage, start: int, end: int) -> list[LabelledSpan]:
    """Return the third-person pronouns of a window with an earlier mention of their chain in it.

    >>> from corefbench.formats.load import load
    >>> text = b"[Ann]1 fed [[her]1 cat]2. [It]3 snowed."
    >>> find_questions(make_passage(load(text, format="inline")[0]), 0, 8)
    [(2, 3, '1')]
    """
    ends: dict[str, int] = {}  # where the first mention to end in each chain ends
    pronouns = []
    for first, last, label in passage.within(start, end):
        before = ends.get(label, end) <= first
        if before and last - first == 1 and _is_anaphor(passage.words[first]):
            pronouns.append((first, last, label))
        ends[label] = min(last, ends.get(label, end))
    return pronouns


def _is_anaphor(word: str) -> bool:
    row = lookup_pronoun(word)
    return row is not None and row.is_anaphor


def extract_answer(answer: str) -> str:
    """Return the antecedent in an answer, without text around it; empty for none.

    >>> answers = "It refers to **the old dog**.", "Answer: Ann\\n\\nBecause …", "None."
    >>> [extract_answer(answer) for answer in answers]
    ['the old dog', 'Ann', '']
    """
    first = next((line for line in answer.splitlines() if line.strip(" `*\"'")), "").strip()
    text = _LEAD.sub("", first)
    quoted = _QUOTED.search(text)
    text = (quoted[1] if quoted else text).strip(" \t.,;:!?\"'“”‘’`*()[]")
    return "" if text.lower() in _NO_ANTECEDENT else text


def find_answer(words: Sequence[str], answer: str, pronoun: int, start: int, end: int) -> Span | None:
    """Find the answer in a window: nearest before the pronoun, else nearest after it.

    Case and tokenization do not matter; if the answer is not found, it is searched without its
    article.

    >>> find_answer("Ann saw a dog . It saw Ann 's dog".split(), "The dog", 5, 0, 9)
    (3, 4)
    >>> find_answer("Ann 's dog saw it".split(), "Ann's dog", 4, 0, 5)
    (0, 3)
    """
    wanted = [word.casefold() for word in answer.split()]
    for tried in (wanted, wanted[1:] if wanted and wanted[0] in _ARTICLES else []):
        spans = [
            (start + first, start + last)
            for first, last in _find_letters(words[start:end], "".join(tried))
            if not start + first <= pronoun < start + last
        ]
        before = [span for span in spans if span[1] <= pronoun]
        if spans:
            return before[-1] if before else spans[0]
    return None


def _find_letters(words: Sequence[str], letters: str) -> Iterator[Span]:
    """Yield the spans of words that consist of these letters."""
    begins, text = dict[int, int](), ""
    for number, word in enumerate(words):
        begins[len(text)] = number
        text += "".join(word.casefold().split())
    begins[len(text)] = len(words)
    position = text.find(letters) if letters else -1
    while position >= 0:
        first, last = begins.get(position), begins.get(position + len(letters))
        if first is not None and last is not None:
            yield first, last
        position = text.find(letters, position + 1)


def is_correct_antecedent(passage: Passage, span: Span, pronoun: LabelledSpan) -> bool:
    """Whether a span is a mention of the pronoun's chain.

    That is, whether the mention that it overlaps most, 2 |a∩b| ÷ (|a| + |b|), is in the chain.
    """
    best, right = 0.0, False
    for first, last, label in passage.mentions:
        if (first, last) == pronoun[:2]:
            continue
        shared = min(last, span[1]) - max(first, span[0])
        share = 2 * shared / (last - first + span[1] - span[0])
        if share > best or (share == best and label == pronoun[2]):
            best, right = share, label == pronoun[2]
    return right and best > 0
