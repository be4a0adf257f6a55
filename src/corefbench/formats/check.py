"""Check corpora for errors and for annotation that scorers treat differently."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from corefbench.corpus.corpus import Corpus
from corefbench.corpus.spans import mention_codes
from corefbench.diagnostics import Finding, Severity, Strictness
from corefbench.engine import is_parallel, map_documents
from corefbench.errors import DataError, Place
from corefbench.formats.base import Format, Reading
from corefbench.formats.capabilities import crossing_in_chains, repeated_mentions
from corefbench.formats.load import detect_format, find_readers
from corefbench.formats.source import Source
from corefbench.records import Flags

LONG_SENTENCE = 1_000
"""A sentence of more tokens is more likely a missing empty line."""

_WHITE_SPACE = np.frombuffer(b" \t\n\r\v\f\0", np.uint8)

LIMIT = 100
"""How many findings of one rule are listed; the rest are only counted."""


def check_corpus(corpus: Corpus, source: str) -> Iterator[Finding]:
    """Yield the findings on the documents of one piece of a source."""
    for document in np.flatnonzero(corpus.token_counts() == 0).tolist():
        message, remedy = "the document has no tokens", "leave it out, or look for lost lines"
        yield _finding("CB151", "warning", message, corpus, source, document, "", remedy)
    for rule, code, message, remedy in _MENTION_RULES:
        yield from _mention_findings(corpus, source, rule, code, message, remedy)
    yield from _long_sentences(corpus, source)
    yield from _malformed_words(corpus, source)


def _finding(
    code: str, severity: Severity, message: str, corpus: Corpus, source: str, document: int, found: str, remedy: str
) -> Finding:
    place = Place(source=source, document=corpus[document].label)
    return Finding(code=code, severity=severity, message=message, place=place, found=found, remedy=remedy)


def _shared_spans(corpus: Corpus) -> Flags:
    """Flag mentions that have the same words as a mention of an earlier chain."""
    codes, chain = mention_codes(corpus), corpus.mentions.chain
    order = np.lexsort((chain, codes))
    same_span = codes[order][1:] == codes[order][:-1]
    other_chain = chain[order][1:] != chain[order][:-1]
    flags = np.zeros(len(order), np.bool_)
    flags[order[1:][same_span & other_chain]] = True
    return flags


_MENTION_RULES: tuple[tuple[Callable[[Corpus], Flags], str, str, str], ...] = (
    (
        repeated_mentions,
        "CB113",
        "the chain has the mention twice",
        "leave one out; scorers count it twice or refuse the file",
    ),
    (
        crossing_in_chains,
        "CB152",
        "the mention crosses another of its chain",
        "check both spans: formats with brackets cannot tell them apart",
    ),
    (
        _shared_spans,
        "CB157",
        "the span belongs to another chain too",
        "keep it in one chain; scorers differ in which of them they believe",
    ),
)


def _mention_findings(
    corpus: Corpus, source: str, rule: Callable[[Corpus], Flags], code: str, message: str, remedy: str
) -> Iterator[Finding]:
    mentions = corpus.mentions
    for mention in np.flatnonzero(rule(corpus)).tolist():
        start, last = int(mentions.start[mention]), int(mentions.end[mention]) - 1
        found = f"tokens {start}–{last} of chain {corpus.chains.label(mentions.chain[mention])}"
        document = int(mentions.document[mention])
        yield _finding(code, "warning", message, corpus, source, document, found, remedy)


def _long_sentences(corpus: Corpus, source: str) -> Iterator[Finding]:
    tokens = corpus.tokens
    edges = np.append(tokens.sentences, len(tokens))
    for sentence in np.flatnonzero(np.diff(edges) > LONG_SENTENCE).tolist():
        first = int(tokens.sentences[sentence])
        document = _document_of(corpus, first)
        message = f"a sentence has more than {LONG_SENTENCE:,} tokens"
        found = f"{int(edges[sentence + 1]) - first:,} tokens from token {first - int(tokens.offsets[document])}"
        yield _finding("CB155", "note", message, corpus, source, document, found, "look for lost ends of sentences")


def _malformed_words(corpus: Corpus, source: str) -> Iterator[Finding]:
    words, offsets = corpus.tokens.words, corpus.tokens.offsets
    if words is None:
        return
    blank = np.flatnonzero(np.isin(np.frombuffer(words.blob, np.uint8), _WHITE_SPACE))
    spaced = np.searchsorted(words.offsets, blank, "right") - 1
    empty = np.flatnonzero(np.diff(words.offsets) == 0)
    message, remedy = "a word is empty or has white space in it", "column formats cannot hold it as it is"
    for token in np.union1d(spaced, empty).tolist():
        document = _document_of(corpus, token)
        found = f"{words[token][:40]!r}, token {token - int(offsets[document])}"
        yield _finding("CB156", "note", message, corpus, source, document, found, remedy)


def _document_of(corpus: Corpus, token: int) -> int:
    return int(np.searchsorted(corpus.tokens.offsets, token, "right")) - 1


def check(
    source: str | Path | bytes,
    format: str | None = None,
    *,
    limit: int = LIMIT,
    advance: Callable[[int], None] | None = None,
    engine: str = "",
    jobs: int = 1,
) -> list[Finding]:
    """Return every finding, in the order of the files.

    Errors are what a strict reader refuses: the file is read leniently, and what the reader repairs
    is an error whose remedy is the repair; what it cannot repair ends the file. Warnings and notes
    are about what the format allows and scorers may not agree on. ``jobs`` workers of an ``engine``
    share the files of a folder.

    >>> found = check(b"#begin document (a);\\nAnn (1)\\nleft 1)\\n\\n#end document\\n")
    >>> [(f.code, f.severity, str(f.place)) for f in found]
    [('CB104', 'error', 'memory:3:6'), ('CB153', 'note', 'memory')]
    """
    if is_parallel(engine, jobs):
        return _check_in_parallel(list(find_readers(source, format)), limit, advance, engine, jobs)
    return check_files(find_readers(source, format), limit=limit, advance=advance)


def check_files(
    files: Iterable[tuple[Source, Format | None]], *, limit: int = LIMIT, advance: Callable[[int], None] | None = None
) -> list[Finding]:
    """``check`` of several files, each with its reader, or None to recognise its format."""
    findings, names = _FindingList(limit), set[str]()
    try:
        for file, reader in files:
            _check_file(file, reader, findings, names, advance)
    except DataError as error:
        findings.add(Finding.of(error))
    return findings.all()


def _check_in_parallel(
    files: list[tuple[Source, Format | None]], limit: int, advance: Callable[[int], None] | None, engine: str, jobs: int
) -> list[Finding]:
    """Check the files of a folder by several workers.

    No worker sees a name that two files share; if there is one, all is checked in one piece.
    """
    findings, names = _FindingList(limit), set[str]()
    checked = map_documents(partial(_check_one, limit), files, engine=engine, jobs=jobs)
    for (file, _), (some, labels) in zip(files, checked, strict=True):
        if names & labels:
            return check_files(files, limit=limit)
        names |= labels
        findings.merge(some)
        if advance is not None:
            advance(file.size)
    return findings.all()


def _check_one(limit: int, file: tuple[Source, Format | None]) -> "tuple[_FindingList, set[str]]":
    findings, names = _FindingList(limit), set[str]()
    _check_file(*file, findings, names, None)
    return findings, names


class _FindingList:
    """Findings, so many of each rule."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._kept: list[Finding] = []
        self._count: Counter[str] = Counter()
        self._last: dict[str, Finding] = {}

    def add(self, finding: Finding) -> None:
        if finding.severity == "repair":
            repaired = f"--lenient reads it with: {finding.remedy}" if finding.remedy else ""
            finding = replace(finding, severity="error", remedy=repaired)
        self._count[finding.code] += 1
        if self._count[finding.code] <= self._limit:
            self._kept.append(finding)
        else:
            self._last[finding.code] = finding

    def merge(self, later: "_FindingList") -> None:
        """Add what was found in later files, by the same limit."""
        for finding in later._kept:
            self.add(finding)
        for code, last in later._last.items():
            self._count[code] += later._count[code] - self._limit
            self._last[code] = last

    def all(self) -> list[Finding]:
        more = [
            Finding(
                code=code,
                severity=last.severity,
                message=f"{self._count[code] - self._limit:,} more findings of this kind",
                place=Place(source=last.place.source),
            )
            for code, last in self._last.items()
        ]
        return self._kept + more


def _check_file(
    source: Source,
    reader: Format | None,
    findings: _FindingList,
    names: set[str],
    advance: Callable[[int], None] | None,
) -> None:
    reading = Reading(strictness=Strictness(lenient=True, report=findings.add), advance=advance)
    documents = mentions = largest = 0
    try:
        for piece in (reader or detect_format(source)).read(source, reading):
            for finding in (*_repeated_document_names(piece, source.name, names), *check_corpus(piece, source.name)):
                findings.add(finding)
            documents, mentions = documents + len(piece), mentions + len(piece.mentions)
            largest = max([largest, *piece.chain_sizes().tolist()])
    except DataError as error:
        findings.add(Finding.of(error))
        return
    for finding in _file_findings(source.name, documents, mentions, largest):
        findings.add(finding)


def _repeated_document_names(corpus: Corpus, source: str, names: set[str]) -> Iterator[Finding]:
    for label in corpus.documents.labels():
        if label in names:
            yield Finding(
                code="CB109",
                severity="error",
                message="the document's name occurs twice",
                place=Place(source=source, document=label),
                found=label,
                remedy="give every document a name of its own",
            )
        names.add(label)


def _file_findings(source: str, documents: int, mentions: int, largest: int) -> Iterator[Finding]:
    place = Place(source=source)
    if not documents:
        yield Finding(code="CB102", severity="error", message="there are no documents", place=place)
    elif not mentions:
        yield Finding(code="CB154", severity="warning", message="there are no mentions", place=place)
    elif largest == 1:
        yield Finding(
            code="CB153",
            severity="note",
            message="every chain is a singleton",
            place=place,
            found=f"{mentions:,} mentions, none linked to another",
        )
