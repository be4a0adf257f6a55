"""Tokenise plain text by rules, and write tokens as text again.

A token is a run of letters and digits, with apostrophes and hyphens inside it and points and
commas between digits (``o'clock``, ``well-known``, ``1,000.5``), a run of points or dashes, or any
other single character. A sentence ends at a blank line; after ``.``, ``!``, ``?`` (and closing
quotes) before white space and anything but a lower-case letter, unless an initial or a common
title stands before the point; and at a line break, unless the text looks wrapped. Text that has
been tokenised already keeps its tokens, and its lines are its sentences.
"""

import itertools
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.views import Document
from corefbench.formats.common.spans import Span, split_spans
from corefbench.records import Columns, Longs

# Vowel signs and other combining marks belong to words, but Python's \w leaves them out.
_MARKS = (
    "\u0300-\u036f\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u0900-\u0963\u0966-\u0dff\u0e31-\u0e3a\u0e47-\u0e4e\u200c\u200d\ufe00-\ufe0f"
)
_WORD = rf"[\w{_MARKS}]++"
# Possessive quantifiers keep the time linear, whatever the text.
_TOKEN = re.compile(rf"{_WORD}(?:(?:['’-]|(?<=\d)[.,](?=\d)){_WORD})*+|-++|\.++|\S")
_CHUNK = re.compile(r"\S++")
_SENTENCE_END = re.compile(r"[.!?…。！？][\"'”’»)\]]*+(?=\s)")
_OPENING_QUOTES = re.compile(r"[\"'“‘«(\[¿¡—-]*+")
_TITLE = re.compile(r"\b(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|Gen|Col|Capt|Lt|Sgt|Rev|Hon|vs|No)$")
_TITLE_WINDOW = 5
"""Characters before a point in which a title can stand: the longest one and a line break."""
_END_MARKS = frozenset(".!?…。！？")
_LINE_ENDINGS = _END_MARKS | frozenset("\"'”’»)]:;")
"""Characters after which a line break ends a sentence."""
_SEPARATE_MARK = re.compile(r"(?<!\S)[.,;:?!](?!\S)")
# A point at the end of a word may be that of an abbreviation, except at the end of the text.
_ATTACHED_MARK = re.compile(r"\w(?:[,;:?!](?!\S)|\.\s*+\Z)")


class TokenColumns(Columns, frozen=True, eq=False):
    """Tokens and sentences of several texts; positions count in the texts joined by line ends.

    >>> tokens = segment_texts(["No. Yes .", "He hid. Why?"])
    >>> tokens.words, tokens.first.tolist(), tokens.offsets.tolist()
    (['No.', 'Yes', '.', 'He', 'hid', '.', 'Why', '?'], [0, 3, 6], [0, 3, 8])
    """

    words: list[str]
    begin: Longs
    end: Longs
    first: Longs
    """First token of every sentence."""
    starts: Longs
    """Position at which every text starts."""
    offsets: Longs
    """Text *t* has the tokens ``offsets[t]`` to ``offsets[t + 1]``."""


def tokenize(text: str, breaks: Iterable[int] = (), *, lines: bool | None = None) -> list[list[Span]]:
    """Return the sentences of a text, each as the half-open character spans of its tokens.

    ``breaks`` are offsets at which a token must break, such as the edges of annotated spans.
    ``lines`` tells whether every line break ends a sentence; by default it does unless most of the
    lines that are followed by others end in the middle of a sentence.

    >>> text = "Mr. Poe's cat ran. It hid!"
    >>> [[text[a:b] for a, b in sentence] for sentence in tokenize(text)]
    [['Mr', '.', "Poe's", 'cat', 'ran', '.'], ['It', 'hid', '!']]
    >>> [text[a:b] for a, b in tokenize(text, breaks=[7])[0]][2:4]
    ['Poe', "'s"]
    """
    return _sentences(text, breaks, tokenized=False, lines=lines)


def split_at_blanks(text: str, breaks: Iterable[int] = ()) -> list[list[Span]]:
    """Return the tokens of a tokenised text: one sentence per line, blanks between tokens.

    >>> split_at_blanks("Do n't !\\nNo .")
    [[(0, 2), (3, 6), (7, 8)], [(9, 11), (12, 13)]]
    """
    return _sentences(text, breaks, tokenized=True)


def segment(text: str, breaks: Iterable[int] = ()) -> list[list[Span]]:
    """Return the tokens that a tokenised text has, or those that ``tokenize`` finds.

    >>> len(segment("a-b c . d")[0]), len(segment("a, b.")[0])
    (4, 4)
    """
    return _sentences(text, breaks)


def segment_texts(
    texts: Sequence[str],
    breaks: Iterable[int] | Longs = (),
    *,
    tokenized: bool | None = None,
    lines: bool | None = None,
) -> TokenColumns:
    """Return what ``segment`` finds in each of several texts, as columns.

    Positions, those of ``breaks`` too, count in the texts joined by line ends. ``tokenized`` tells
    whether the texts are; by default each is examined.
    """
    cuts = sorted({int(position) for position in breaks})
    words: list[str] = []
    spans: list[Span] = []
    first: list[int] = []
    starts: list[int] = []
    offsets = [0]
    position = 0
    for text in texts:
        low, high = bisect_left(cuts, position), bisect_left(cuts, position + len(text))
        inner = [cut - position for cut in cuts[low:high]]
        found, begins = _segment(text, inner, tokenized, lines)
        words += [text[a:b] for a, b in found]
        first += [len(spans) + begin for begin in begins]
        spans += [(position + a, position + b) for a, b in found]
        starts.append(position)
        offsets.append(len(spans))
        position += len(text) + 1
    begin, end = np.array(spans, np.int64).reshape(-1, 2).T
    return TokenColumns(
        words=words,
        begin=begin,
        end=end,
        first=np.array(first, np.int64),
        starts=np.array(starts, np.int64),
        offsets=np.array(offsets, np.int64),
    )


def text_starts(texts: Sequence[str]) -> Longs:
    """Return where texts start that are joined by line ends.

    >>> text_starts(["No.", "", "Yes"]).tolist()
    [0, 4, 5]
    """
    lengths = np.fromiter(map(len, texts), np.int64, len(texts)) + 1
    return np.cumsum(lengths) - lengths


def is_tokenized(text: str) -> bool:
    """Whether a text has been tokenised.

    Punctuation is separated from words everywhere, or every line begins and ends with a blank (as
    ``join_tokens`` leaves it where the punctuation alone does not tell).

    >>> is_tokenized("Yes , he did ."), is_tokenized("Yes, he did.")
    (True, False)
    """
    if _SEPARATE_MARK.search(text) and not _ATTACHED_MARK.search(text):
        return True
    lines = [line for line in text.split("\n") if line.strip()]
    return bool(lines) and all(line[0] == line[-1] == " " for line in lines)


def sentence_starts(text: str, spans: Sequence[Span], *, lines: bool | None = None, marks: bool = True) -> list[int]:
    """Return the first token of every sentence, given the character spans of the tokens.

    ``lines`` is that of ``tokenize``; without ``marks``, punctuation does not end a sentence.

    >>> sentence_starts("Oh. Yes", [(0, 2), (2, 3), (4, 7)])
    [0, 2]
    """
    begins = [begin for begin, _ in spans]
    line_begins = [0, *(match.end() for match in re.finditer("\n", text))]
    first_in_line = [*(bisect_left(begins, begin) for begin in line_begins), len(begins)]
    if lines is None:
        lines = not _looks_wrapped(text, spans, first_in_line)
    starts: set[int] = set()
    after_blank_line = True
    for first, past in itertools.pairwise(first_in_line):
        if first < past and (lines or after_blank_line):
            starts.add(first)
        after_blank_line = first == past
    for end in _SENTENCE_END.finditer(text) if marks else ():
        following = bisect_left(begins, end.end())
        if following < len(begins) and not _continues(text, end, begins[following]):
            starts.add(following)
    return sorted(starts)


def add_text_document(
    build: CorpusBuilder,
    name: str,
    text: str,
    *,
    part: int = -1,
    columns: Mapping[str, str] | None = None,
    breaks: Iterable[int] = (),
    tokenized: bool | None = None,
    lines: bool | None = None,
) -> list[Span]:
    """Append a document with the tokens and sentences of a text; return the tokens' spans.

    >>> build = CorpusBuilder("one")
    >>> add_text_document(build, "a", "I am.")
    [(0, 1), (2, 4), (4, 5)]
    """
    spans, starts = _segment(text, sorted({*breaks}), tokenized, lines)
    begin, end = np.array(spans, np.int64).reshape(-1, 2).T
    build.begin_document(name, part, columns, text)
    words = [text[a:b] for a, b in spans]
    build.sentences(words, np.array(starts, np.int64), offsets=(begin, end))
    return spans


def add_text_documents(
    build: CorpusBuilder,
    names: Sequence[str],
    texts: Sequence[str],
    tokens: TokenColumns,
    *,
    parts: Sequence[int] = (),
    columns: Mapping[str, Sequence[str]] | None = None,
) -> None:
    """Append one document per text, with its tokens and sentences.

    >>> texts = ["I am. No!", "Yes."]
    >>> build = CorpusBuilder("two")
    >>> add_text_documents(build, ["a", "b"], texts, segment_texts(texts))
    >>> [document.words for document in build.finish()]
    [['I', 'am', '.', 'No', '!'], ['Yes', '.']]
    """
    sizes = np.diff(tokens.offsets)
    start = np.repeat(tokens.starts, sizes)
    build.begin_documents(names, sizes, parts=parts, columns=columns, texts=texts)
    offsets = (tokens.begin - start, tokens.end - start)
    build.sentences(tokens.words, tokens.first, offsets=offsets)


def detokenize(
    document: Document,
    split: Callable[[str, set[int]], list[list[Span]]] = segment,
    *,
    spans: Iterable[Span] | None = None,
) -> tuple[str, list[Span]]:
    """Return the text of a document and the character span of every token.

    That is the original text if a reader that splits it by ``split`` finds the same tokens and
    sentences again; else the words with blanks between them, one sentence per line. ``spans`` are
    the token spans that will be marked, at whose edges readers break tokens; by default those of
    all mentions.
    """
    text, offsets = document.text, document.offsets
    if text is not None and offsets is not None:
        if spans is None:
            spans = [part for mention in document.mentions for part in mention.parts]
        breaks = {edge for start, end in spans for edge in (offsets[start][0], offsets[end - 1][1])}
        sentences = [offsets[start:end] for start, end in document.sentences if end > start]
        if split(text, breaks) == sentences:
            return text, offsets
    return join_words(document)


def join_words(document: Document) -> tuple[str, list[Span]]:
    """Return the words with blanks between them, one sentence per line, and their spans."""
    words = document.words
    text = join_tokens(words[start:end] for start, end in document.sentences)
    return text, list(itertools.chain.from_iterable(split_at_blanks(text)))


def join_tokens(sentences: Iterable[list[str]]) -> str:
    """Return words as a text that ``segment`` splits into the same words and sentences again.

    >>> join_tokens([["I", "am", "."], ["No", "!"]]), join_tokens([["a,b"]])
    ('I am .\\nNo !\\n', ' a,b \\n')
    """
    # White space divides words here, so a word can neither contain it nor be empty.
    rows = [["_".join(word.split()) or "_" for word in row] for row in sentences if row]
    text = "".join(" ".join(row) + "\n" for row in rows)
    if [[text[a:b] for a, b in row] for row in segment(text)] == rows:
        return text
    return "".join(f" {' '.join(row)} \n" for row in rows)


def _sentences(
    text: str, breaks: Iterable[int], tokenized: bool | None = None, lines: bool | None = None
) -> list[list[Span]]:
    spans, starts = _segment(text, sorted({*breaks}), tokenized, lines)
    return [spans[a:b] for a, b in itertools.pairwise([*starts, len(spans)])]


def _segment(
    text: str, breaks: Sequence[int], tokenized: bool | None, lines: bool | None
) -> tuple[list[Span], list[int]]:
    """Return the spans of the tokens, and the first token of every sentence."""
    if tokenized is None:
        tokenized = is_tokenized(text)
    pattern = _CHUNK if tokenized else _TOKEN
    spans = [match.span() for match in pattern.finditer(text)]
    if breaks:
        spans = split_spans(spans, breaks)
    return spans, sentence_starts(text, spans, lines=tokenized or lines, marks=not tokenized)


def _continues(text: str, end: re.Match[str], following: int) -> bool:
    """Whether a sentence goes on behind an end mark, with the token at ``following``."""
    quotes = _OPENING_QUOTES.match(text, following)
    letter = quotes.end() if quotes else following
    if text[letter : letter + 1].islower():
        return True
    point = end.start()
    if end[0] != "." or text[point - 1 : point] in _END_MARKS:
        return False
    return _TITLE.search(text, max(0, point - _TITLE_WINDOW), point) is not None


def _looks_wrapped(text: str, spans: Sequence[Span], first_in_line: Sequence[int]) -> bool:
    """Whether most lines that another line follows end in the middle of a sentence."""
    followed = finished = 0
    for first, past, next_past in zip(first_in_line, first_in_line[1:], first_in_line[2:], strict=False):
        if first < past < next_past:
            followed += 1
            finished += text[spans[past - 1][1] - 1] in _LINE_ENDINGS
    return 2 * finished < followed
