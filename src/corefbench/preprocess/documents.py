"""Corpus documents as pipeline input and as analysed discourses.

Analyses are cached on disk, so that no text is parsed twice by the same pipeline. The name of an
entry is a hash of the pipeline's identity and its whole input. Entries are written atomically; one
that cannot be read counts as missing.
"""

import hashlib
import os
import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, pairwise
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Literal, TypeAlias

import msgspec

from corefbench.corpus.views import Document
from corefbench.errors import UsageError
from corefbench.paths import cache_folder
from corefbench.preprocess import make
from corefbench.preprocess.analysis import Analysis
from corefbench.preprocess.base import Input, Preprocessor, PreprocessorCard
from corefbench.preprocess.builder import build_discourse
from corefbench.preprocess.discourse import Discourse
from corefbench.preprocess.english.word_lists import word_set
from corefbench.preprocess.segmentation import number_paragraphs

_CLITICS = word_set("'s ’s n't n’t 'll ’ll 're ’re 've ’ve 'd ’d 'm ’m ' ’")
_CLOSING = word_set(". , ; : ? ! ) ] } % … ” '' -RRB- -RSB- -RCB-")
_OPENING = word_set("( [ { $ £ € “ ‘ `` -LRB- -LSB- -LCB-")
_AFTER_THE_END = word_set("\" ' ” ’ '' ) ] -RRB- -RSB-")
_ENDS = word_set(". ! ? … : ; /. /?")
Keep: TypeAlias = Literal["nothing", "tokens", "sentences"]
"""What a pipeline keeps of a document: the text only, its tokens, or tokens and sentences."""
_LONGEST_SENTENCE = 120
"""A document of one longer sentence was never split into sentences."""
Offsets = Sequence[tuple[int, int]]
Span = tuple[int, int]
_FORMAT = b"corefbench analysis 1"
"""Part of every name; raise it when the records or the code shared by all pipelines change."""
_BATCH = 32
_COMPRESSION_LEVEL = 1
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Analysis).decode


class TokenColumns:
    """The token columns of one document without its empty nodes."""

    def __init__(self, document: Document) -> None:
        self.document = document
        tokens = document.corpus.tokens
        self._first = int(tokens.offsets[document.index])
        self._last = int(tokens.offsets[document.index + 1])
        empty = tokens.empty
        self.empty = [] if empty is None else empty[self._first : self._last].tolist()
        if not any(self.empty):
            self.empty = []

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words."""
        return self._without_empty(self.document.words)

    def __contains__(self, name: str) -> bool:
        return name in self.document.corpus.tokens.columns

    def __getitem__(self, name: str) -> tuple[str, ...]:
        """Return a column; empty cells if the corpus does not have it."""
        column = self.document.corpus.tokens.columns.get(name)
        if column is None:
            return ("",) * len(self.words)
        return self._without_empty(column.slice(self._first, self._last))

    def without_underscore(self, name: str) -> tuple[str, ...]:
        """Return a column with ``_`` as empty."""
        return tuple("" if cell == "_" else cell for cell in self[name])

    def _without_empty(self, cells: list[str]) -> tuple[str, ...]:
        if not self.empty:
            return tuple(cells)
        return tuple(cell for cell, empty in zip(cells, self.empty, strict=True) if not empty)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Convert a span of tokens to a span of words, without empty nodes."""
        if not self.empty:
            return start, end
        return self._words_before[start], self._words_before[end]

    @cached_property
    def _words_before(self) -> list[int]:
        """For every token the number of words before it."""
        return list(accumulate((not empty for empty in self.empty), initial=0))

    def sentences(self) -> tuple[tuple[int, int], ...]:
        """Return the sentences that have words."""
        spans = (self.span(start, end) for start, end in self.document.sentences)
        return tuple((start, end) for start, end in spans if start < end)


def make_input(document: Document, keep: Keep = "sentences") -> Input:
    """Make the pipeline input of a document.

    The text is the document's own if the source has it; else the words are detokenized, by
    ``SpaceAfter=No`` in CoNLL-U or by typographic rules. Empty nodes are left out, so tokens are
    numbered without them.
    """
    if document.corpus.tokens.words is None:
        raise UsageError("the corpus was read without its words", remedy="read it with its words")
    columns = TokenColumns(document)
    sentences = columns.sentences()
    marked = _marked_paragraphs(columns, sentences)
    text, offsets = _text_and_offsets(document, columns, sentences, marked)
    has_tokens = keep != "nothing"
    has_sentences = keep == "sentences"
    return Input(
        name=document.label,
        text=text,
        offsets=offsets if has_tokens else None,
        sentences=sentences if has_sentences else None,
        paragraphs=marked or number_paragraphs(text, offsets, sentences) if has_sentences else None,
        speakers=_speakers(columns) if has_tokens else None,
        document=document,
    )


def gold_mentions(document: Document) -> list[tuple[int, int, int | None]]:
    """Return mentions for ``build_discourse``: spans of words, without zeros."""
    columns = TokenColumns(document)
    result: list[tuple[int, int, int | None]] = []
    for mention in document.mentions:
        start, end = columns.span(mention.start, mention.end)
        head = mention.head
        if head is not None:
            first, last = columns.span(head, head + 1)
            head = first if first < last else None
        if start < end:
            result.append((start, end, head))
    return result


def word_chains(document: Document) -> list[list[tuple[int, int]]]:
    """Return the chains as spans of words, without empty nodes."""
    columns = TokenColumns(document)
    spans = ([columns.span(*span) for span in chain] for chain in document.clusters())
    return [[(start, end) for start, end in chain if start < end] for chain in spans]


def analyse_documents(
    documents: Iterable[Document], preprocess: str, *, gold: bool = False
) -> Iterator[tuple[Document, Discourse]]:
    """Yield each document with its discourse; ``gold`` takes the mentions of its key as phrases.

    Analyses of text are cached on disk.
    """
    pipeline = make(preprocess)
    if pipeline.card.raw:  # others read columns of the corpus, which are not part of the cache key
        pipeline = CachedPreprocessor(pipeline)
    for document in documents:
        analysis = next(iter(pipeline.analyse([make_input(document, default_keep(document))])))
        yield document, build_discourse(analysis, gold_mentions(document) if gold else None)


def default_keep(document: Document) -> Keep:
    """Return what to keep: tokens only if the file has no sentences, as OntoGUM's."""
    is_unsplit = len(document.sentences) == 1 and len(document) > _LONGEST_SENTENCE
    return "tokens" if is_unsplit else "sentences"


def _text_and_offsets(
    document: Document, columns: TokenColumns, sentences: Sequence[tuple[int, int]], paragraphs: Sequence[int] | None
) -> tuple[str, tuple[tuple[int, int], ...]]:
    text, offsets = document.text, document.offsets
    if text is not None and offsets is not None and not columns.empty:
        return text, tuple(offsets)
    # The offsets of a document with empty nodes count these as tokens, which pipelines do not see.
    no_space_after = None
    if "misc" in columns:
        no_space_after = ["SpaceAfter=No" in cell for cell in columns["misc"]]
    return detokenize(columns.words, sentences, no_space_after, paragraphs)


def _marked_paragraphs(columns: TokenColumns, sentences: Sequence[tuple[int, int]]) -> tuple[int, ...] | None:
    """Return the paragraphs of the column ``par``; None if it is missing or empty."""
    if "par" not in columns:
        return None
    marks = columns["par"]
    if not any(marks):
        return None
    starts = [start for start, _ in sentences]
    changes = (marks[before] != marks[start] for before, start in pairwise(starts))
    return tuple(accumulate(changes, initial=0))[: len(starts)]


def _speakers(columns: TokenColumns) -> tuple[str, ...] | None:
    speakers = columns["speaker"]
    return speakers if any(speaker not in ("", "-", "_") for speaker in speakers) else None


def detokenize(
    words: Sequence[str],
    sentences: Sequence[tuple[int, int]],
    no_space_after: Sequence[bool] | None = None,
    paragraphs: Sequence[int] | None = None,
) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Return the text of words as English is typed, and the offsets of every word.

    ``no_space_after`` says which words no space follows; without it, typographic rules decide.
    ``paragraphs`` are separated by an empty line; without them, so are sentences without a final
    mark from their neighbours, because they could not be recognised otherwise.

    >>> detokenize(["He", "did", "n't", "go", "."], [(0, 5)])
    ("He didn't go.", ((0, 2), (3, 6), (6, 9), (10, 12), (12, 13)))
    """
    parts: list[str] = []
    offsets: list[tuple[int, int]] = []
    position = 0
    between = _gaps_between_sentences(words, sentences, paragraphs)
    for (start, end), after in zip(sentences, between, strict=True):
        gaps = _gaps_between_words(words[start:end], no_space_after[start:end] if no_space_after is not None else None)
        for token, gap in zip(range(start, end), [*gaps, after], strict=True):
            word = words[token]
            offsets.append((position, position + len(word)))
            parts.append(word + gap)
            position += len(word) + len(gap)
    return "".join(parts), tuple(offsets)


def _gaps_between_sentences(
    words: Sequence[str], sentences: Sequence[tuple[int, int]], paragraphs: Sequence[int] | None
) -> list[str]:
    """Return the white space after every sentence."""
    if paragraphs is not None:
        breaks = [a != b for a, b in pairwise(paragraphs)]
    else:
        finished = [_is_finished(words[start:end]) for start, end in sentences]
        breaks = [not (a and b) for a, b in pairwise(finished)]
    return [*("\n\n" if new else " " for new in breaks), ""][: len(sentences)]


def _is_finished(words: Sequence[str]) -> bool:
    """Whether a sentence ends with a final mark, quotes and brackets aside."""
    last = len(words) - 1
    while last > 0 and words[last] in _AFTER_THE_END:
        last -= 1
    return words[last] in _ENDS


def _gaps_between_words(words: Sequence[str], no_space_after: Sequence[bool] | None) -> list[str]:
    """Return the white space between the words of a sentence."""
    following = words[1:]
    if no_space_after is not None:
        # CoNLL-U does not mark missing spaces inside a word that it splits (*don't*).
        return [
            "" if tight or word.lower() in _CLITICS else " "
            for tight, word in zip(no_space_after[:-1], following, strict=True)
        ]
    gaps, inside = [], False
    for word, after in zip(words, following, strict=False):
        inside ^= word == '"'
        tight = after in _CLOSING or after.lower() in _CLITICS or word in _OPENING
        if '"' in (word, after):
            # A straight quote is set close to what it encloses.
            tight = tight or (inside if word == '"' else inside and after == '"')
        gaps.append("" if tight else " ")
    return gaps


class TokenAlignment:
    """Converts spans of one tokenization to another of the same text.

    A span becomes the tokens that share a character with it; None if there are none.

    >>> ours, theirs = [(0, 2), (2, 5), (6, 9)], [(0, 5), (6, 9)]
    >>> TokenAlignment(ours, theirs).span((1, 3)), TokenAlignment(theirs, ours).span((0, 1))
    ((0, 2), (0, 2))
    """

    def __init__(self, source: Offsets, target: Offsets) -> None:
        self._source = source
        self._same = source is target or list(source) == list(target)
        self._begins = [begin for begin, _ in target]
        self._finishes = [finish for _, finish in target]

    def span(self, span: Span) -> Span | None:
        """Return the target tokens of a source span."""
        if self._same:
            return span
        begin, finish = self._source[span[0]][0], self._source[span[1] - 1][1]
        first, last = bisect_right(self._finishes, begin), bisect_left(self._begins, finish)
        return (first, last) if first < last else None

    def token(self, token: int) -> int | None:
        """Return the target token of a source token; of several the last, as in English heads."""
        span = self.span((token, token + 1))
        return None if span is None else span[1] - 1


class CachedPreprocessor:
    """A pre-processor with a disk cache."""

    def __init__(self, preprocessor: Preprocessor, folder: Path | None = None) -> None:
        self.preprocessor = preprocessor
        self.card: PreprocessorCard = preprocessor.card
        self.folder = folder or cache_folder("analyses")

    @property
    def identity(self) -> str:
        return self.preprocessor.identity

    def analyse(self, inputs: Iterable[Input]) -> Iterator[Analysis]:
        """Yield the analyses in the order of the inputs; only new ones reach the pipeline."""
        batch: list[Input] = []
        for source in inputs:
            batch.append(source)
            if len(batch) == _BATCH:
                yield from self._batch(batch)
                batch = []
        yield from self._batch(batch)

    def _batch(self, batch: list[Input]) -> Iterator[Analysis]:
        # Pipelines are faster on batches, and analyses must come in the order of the inputs.
        paths = [self.folder / entry_name(source, self.identity) for source in batch]
        entries = [read_entry(path) for path in paths]
        missing = [source for source, entry in zip(batch, entries, strict=True) if entry is None]
        analyses = iter(self.preprocessor.analyse(missing)) if missing else iter(())
        for path, entry in zip(paths, entries, strict=True):
            if entry is None:
                entry = next(analyses)
                write_entry(path, entry)
            yield entry


def entry_name(source: Input, identity: str) -> str:
    """Return the path of an entry: a folder of two characters and the rest of the hash."""
    content = (source.name, source.text, source.offsets, source.sentences, source.paragraphs, source.speakers)
    name = hashlib.sha256(b"\0".join((_FORMAT, identity.encode(), _encode(content)))).hexdigest()
    return f"{name[:2]}/{name[2:]}"


def read_entry(path: Path) -> Analysis | None:
    """Return the entry, or None if it is missing or broken."""
    try:
        return _decode(zlib.decompress(path.read_bytes()))
    except (OSError, zlib.error, msgspec.DecodeError, msgspec.ValidationError):
        return None


def write_entry(path: Path, analysis: Analysis) -> None:
    """Write an entry atomically; ignore a full or read-only disk."""
    content = zlib.compress(_encode(analysis), _COMPRESSION_LEVEL)
    scratch = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=path.parent, delete=False) as stream:
            scratch = stream.name
            stream.write(content)
        os.replace(scratch, path)
    except OSError:
        if scratch:
            Path(scratch).unlink(missing_ok=True)
