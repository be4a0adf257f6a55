"""Everything that is wrong with a file or a folder, or worth knowing before it is scored."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from corefbench.engine import is_shared, map_documents
from corefbench.errors import DataError, Place
from corefbench.findings import Finding, Strictness
from corefbench.formats.base import Format, Reading
from corefbench.formats.load import readers
from corefbench.formats.rules import remarks
from corefbench.formats.sniff import sniff
from corefbench.formats.source import Source
from corefbench.model.corpus import Corpus

LIMIT = 100
"""So many findings of one rule are listed; of the rest only the number."""


def check(
    source: str | Path | bytes,
    format: str | None = None,
    *,
    limit: int = LIMIT,
    advance: Callable[[int], None] | None = None,
    engine: str = "",
    jobs: int = 1,
) -> list[Finding]:
    """Every finding, in the order of the files.

    Errors are what a strict reader refuses: the file is read leniently, and what the reader repairs
    is an error whose remedy is the repair; what it cannot repair ends the file. Warnings and notes
    are about what the format allows and scorers may not agree on. ``jobs`` workers of an ``engine``
    share the files of a folder.

    >>> found = check(b"#begin document (a);\\nAnn (1)\\nleft 1)\\n\\n#end document\\n")
    >>> [(f.code, f.severity, str(f.place)) for f in found]
    [('CB104', 'error', 'memory:3:6'), ('CB153', 'note', 'memory')]
    """
    if is_shared(engine, jobs):
        return _check_shared(list(readers(source, format)), limit, advance, engine, jobs)
    return check_files(readers(source, format), limit=limit, advance=advance)


def check_files(
    files: Iterable[tuple[Source, Format | None]],
    *,
    limit: int = LIMIT,
    advance: Callable[[int], None] | None = None,
) -> list[Finding]:
    """``check`` of several files, each with its reader, or None to recognise its format."""
    findings = _Findings(limit)
    names: set[str] = set()
    try:
        for file, reader in files:
            _check_file(file, reader, findings, names, advance)
    except DataError as error:
        findings.add(Finding.of(error))
    return findings.all()


def _check_shared(
    files: list[tuple[Source, Format | None]],
    limit: int,
    advance: Callable[[int], None] | None,
    engine: str,
    jobs: int,
) -> list[Finding]:
    """The files of a folder by several workers; names that two files share are seen by none of
    them, and then all is checked in one piece."""
    findings, names = _Findings(limit), set[str]()
    checked = map_documents(partial(_check_alone, limit), files, engine=engine, jobs=jobs)
    for (file, _), (some, labels) in zip(files, checked, strict=True):
        if names & labels:
            return check_files(files, limit=limit)
        names |= labels
        findings.merge(some)
        if advance is not None:
            advance(file.size)
    return findings.all()


def _check_alone(limit: int, file: tuple[Source, Format | None]) -> "tuple[_Findings, set[str]]":
    findings, names = _Findings(limit), set[str]()
    try:
        _check_file(*file, findings, names, None)
    except DataError as error:
        findings.add(Finding.of(error))
    return findings, names


class _Findings:
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

    def merge(self, later: "_Findings") -> None:
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
    findings: _Findings,
    names: set[str],
    advance: Callable[[int], None] | None,
) -> None:
    reading = Reading(strictness=Strictness(lenient=True, report=findings.add), advance=advance)
    documents = mentions = largest = 0
    try:
        for piece in (reader or sniff(source)).read(source, reading):
            for finding in (
                *_repeated_names(piece, source.name, names),
                *remarks(piece, source.name),
            ):
                findings.add(finding)
            documents, mentions = documents + len(piece), mentions + len(piece.mentions)
            largest = max([largest, *piece.chain_sizes().tolist()])
    except DataError as error:
        findings.add(Finding.of(error))
        return
    for finding in _on_the_whole(source.name, documents, mentions, largest):
        findings.add(finding)


def _repeated_names(corpus: Corpus, source: str, names: set[str]) -> Iterator[Finding]:
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


def _on_the_whole(source: str, documents: int, mentions: int, largest: int) -> Iterator[Finding]:
    place = Place(source=source)
    if not documents:
        yield Finding(code="CB102", severity="error", message="there are no documents", place=place)
    elif not mentions:
        yield Finding(
            code="CB154", severity="warning", message="there are no mentions", place=place
        )
    elif largest == 1:
        yield Finding(
            code="CB153",
            severity="note",
            message="every chain is a singleton",
            place=place,
            found=f"{mentions:,} mentions, none linked to another",
        )
