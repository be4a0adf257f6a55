"""Read several annotations of the same texts and tabulate their spans and chains."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np

from corefbench.analysis.studies import column_letters
from corefbench.corpus.combine import concatenate, take_documents
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.scope import Scope, group_names
from corefbench.diagnostics import Finding, Report, Strictness
from corefbench.errors import MismatchError, Place, UsageError
from corefbench.formats.load import CorpusSource, load
from corefbench.records import Columns, Longs

AnnotationSources: TypeAlias = Sequence[CorpusSource] | Mapping[str, CorpusSource]
"""Annotations in order, or by the name of their annotator."""

Parts: TypeAlias = tuple[tuple[int, int], ...]
DocumentSpan: TypeAlias = tuple[int, Parts]
"""A document of the base, and the half-open parts of a span in it."""

MarkedSpan: TypeAlias = tuple[Parts, int, int]
"""The parts, the chain and the number of a mention."""
UNMARKED = -1
ABSENT = -2
"""The annotation does not have the document; its annotator has no vote."""
_SAME_FILE = "annotations can only be put together if they were made on one and the same file"


class Annotations(Columns, frozen=True, eq=False):
    """Several annotations of the same documents."""

    names: tuple[str, ...]
    corpora: tuple[Corpus, ...]
    base: Corpus
    """All documents, with text and tokens of the first annotation that has them."""
    documents: Longs
    """For each document of the base its number in each annotation, or -1."""
    findings: tuple[Finding, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        return self.base.documents.labels()


def read_annotations(
    annotations: AnnotationSources, *, format: str | None = None, lenient: bool = False
) -> Annotations:
    """Read annotations and pair their documents by name; their tokens must be equal.

    A document that an annotation lacks is an error or, if lenient, has fewer voters.
    """
    findings: list[Finding] = []
    strictness = Strictness(lenient=lenient, report=findings.append)
    sources = name_annotations(annotations)
    if len(sources) < 2:
        raise UsageError("at least 2 annotations are needed", found=str(len(sources)))
    corpora = tuple(load(source, format=format, strictness=strictness) for source in sources.values())
    names = tuple(sources)
    labels = _document_labels(corpora, names, findings.append)
    positions = [{label: number for number, label in enumerate(own_labels)} for own_labels in labels]
    all_labels = list(dict.fromkeys(label for own_labels in labels for label in own_labels))
    documents = np.array([[position.get(label, -1) for position in positions] for label in all_labels], np.int64)
    documents = documents.reshape(-1, len(names))
    _check_documents(all_labels, documents, names, strictness)
    _check_tokens(all_labels, documents, corpora, names)
    return Annotations(
        names=names,
        corpora=corpora,
        base=_base_corpus(corpora, documents),
        documents=documents,
        findings=tuple(findings),
    )


def name_annotations(annotations: AnnotationSources) -> dict[str, CorpusSource]:
    """Name annotations by their files, or by letters where there is no file.

    >>> list(name_annotations([b"", "some/b.conll"]))
    ['A', 'b.conll']
    """
    if isinstance(annotations, Mapping):
        return dict(annotations)
    sources: dict[str, CorpusSource] = {}
    for number, source in enumerate(annotations):
        name = Path(source).name if isinstance(source, str | Path) else annotator_letter(number)
        sources[name if name not in sources else f"{name} ({annotator_letter(number)})"] = source
    return sources


def annotator_letter(number: int) -> str:
    """Return the letters of the n-th annotator, counted from 0: A … Z, AA …"""
    return column_letters(number).upper()


def _document_labels(
    corpora: Sequence[Corpus], names: Sequence[str], report: Callable[[Finding], None]
) -> list[tuple[str, ...]]:
    labels = [corpus.documents.labels() for corpus in corpora]
    for name, own_labels in zip(names, labels, strict=True):
        if len(set(own_labels)) < len(own_labels):
            repeated = next(label for label in own_labels if own_labels.count(label) > 1)
            raise MismatchError(
                "an annotation has two documents of one name",
                code="CB109",
                place=Place(source=name, document=repeated),
                remedy="give every document (and part) a name of its own",
            )
    # Single documents are paired whatever their names.
    if all(len(own_labels) == 1 for own_labels in labels) and len(set(labels)) > 1:
        for name, own_labels in zip(names[1:], labels[1:], strict=True):
            if own_labels != labels[0]:
                report(
                    Finding(
                        code="CB203",
                        severity="note",
                        message="the only documents have different names; they are paired",
                        place=Place(source=name, document=own_labels[0]),
                        found=f"{own_labels[0]!r} for {labels[0][0]!r}",
                    )
                )
        return [labels[0]] * len(labels)
    return labels


def _check_documents(wanted: Sequence[str], documents: Longs, names: Sequence[str], strictness: Strictness) -> None:
    if len(names) > 1 and not ((documents >= 0).sum(axis=1) > 1).any():
        raise MismatchError(
            "the annotations have no document in common",
            found=f"{len(wanted)} documents, each in one annotation only",
            remedy="documents are paired by name: check that they are named alike",
        )
    for document, annotator in np.argwhere(documents < 0).tolist():
        if not strictness.lenient:
            raise MismatchError(
                "an annotation lacks a document that another one has",
                code="CB202",
                place=Place(source=names[annotator], document=wanted[document]),
                remedy="--lenient lets those vote who have the document",
            )
        strictness.report(
            Finding(
                code="CB202",
                severity="warning",
                message="the annotation has no such document and has no vote on it",
                place=Place(source=names[annotator], document=wanted[document]),
            )
        )


def _check_tokens(wanted: Sequence[str], documents: Longs, corpora: Sequence[Corpus], names: Sequence[str]) -> None:
    counts = [corpus.token_counts() for corpus in corpora]
    digests = [corpus.tokens.digests for corpus in corpora]
    for label, row in zip(wanted, documents.tolist(), strict=True):
        have = [annotator for annotator, number in enumerate(row) if number >= 0]
        first = have[0]
        for other in have[1:]:
            sizes = int(counts[first][row[first]]), int(counts[other][row[other]])
            place = Place(source=names[other], document=label)
            if sizes[0] != sizes[1]:
                raise MismatchError(
                    f"the number of tokens differs from that of {names[first]}",
                    code="CB204",
                    place=place,
                    found=f"{sizes[1]} tokens",
                    expected=f"{sizes[0]} tokens",
                    remedy=_SAME_FILE,
                )
            # A format without words has no digests: the number of tokens must do.
            a, b = digests[first], digests[other]
            if a is not None and b is not None and a[row[first]] != b[row[other]]:
                raise _token_mismatch(
                    corpora[first][row[first]].words, corpora[other][row[other]].words, names[first], place
                )


def _token_mismatch(words: list[str], others: list[str], name: str, place: Place) -> MismatchError:
    pairs = enumerate(zip(words, others, strict=False))
    index, (word, other) = next(((n, p) for n, p in pairs if p[0] != p[1]), (0, ("", "")))
    return MismatchError(
        f"the tokens differ from those of {name}",
        code="CB205",
        place=place,
        found=f"{other!r} as token {index}",
        expected=f"{word!r}",
        remedy=_SAME_FILE,
    )


def _base_corpus(corpora: Sequence[Corpus], documents: Longs) -> Corpus:
    """Return the documents in order, each from the first annotation that has it."""
    owner = (documents >= 0).argmax(axis=1)
    owned = [
        take_documents(corpus, documents[owner == number, number])
        for number, corpus in enumerate(corpora)
        if (owner == number).any()
    ]
    return concatenate(corpora[0].name, owned)


class SpanTable(Columns, frozen=True, eq=False):
    """All spans that any annotator marked in a document: spans as rows, annotators as columns."""

    label: str
    """The label of the document, or the name of the group of documents."""
    spans: tuple[DocumentSpan, ...]
    chains: Longs
    """The chain number in the annotation, UNMARKED or ABSENT."""
    mentions: Longs
    """The mention number in the annotation, UNMARKED or ABSENT."""


def span_tables(
    annotations: Annotations, *, scope: Scope = "document", report: Report | None = None
) -> Iterator[SpanTable]:
    """Yield a table per document, or per group of the scope.

    A span that an annotation has twice keeps its first chain; that is reported.
    """
    units, groups = _group_documents(annotations, scope)
    rows = [
        _spans_by_document(corpus, _join_chains(corpus, units[documents], documents))
        for corpus, documents in zip(annotations.corpora, _base_numbers(annotations), strict=True)
    ]
    for unit, label in enumerate(groups):
        yield _span_table(annotations, label, np.flatnonzero(units == unit).tolist(), rows, report)


def _group_documents(annotations: Annotations, scope: Scope) -> tuple[Longs, tuple[str, ...]]:
    """Return the group of every document of the base, and the names of groups."""
    base = annotations.base
    if scope == "document":
        return np.arange(len(base)), base.documents.labels()
    names = group_names(base, scope)
    groups = tuple(dict.fromkeys(names))
    return np.array([groups.index(name) for name in names], np.int64), groups


def _base_numbers(annotations: Annotations) -> list[Longs]:
    """Return, for each annotation, the number in the base of each of its documents."""
    numbers = []
    for number, corpus in enumerate(annotations.corpora):
        column = annotations.documents[:, number]
        base_number = np.zeros(len(corpus), np.int64)
        base_number[column[column >= 0]] = np.flatnonzero(column >= 0)
        numbers.append(base_number)
    return numbers


def _join_chains(corpus: Corpus, unit: Longs, documents: Longs) -> Longs:
    """Return the chain of every mention; chains of one label are joined within a group."""
    chains = corpus.chains
    if len(set(unit.tolist())) == len(documents):
        return corpus.mentions.chain.astype(np.int64)
    _, label = np.unique(chains.labels, return_inverse=True)
    _, joined = np.unique(unit[chains.document] * (len(chains) + 1) + label, return_inverse=True)
    return np.asarray(joined[corpus.mentions.chain], np.int64)


def _spans_by_document(corpus: Corpus, chains: Longs) -> list[list[MarkedSpan]]:
    """Return the mentions of each document: parts, chain, number."""
    spans: list[list[MarkedSpan]] = [[] for _ in range(len(corpus))]
    mentions = corpus.mentions
    columns = (mentions.document, mentions.start, mentions.end, chains)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    for number, (document, start, end, chain) in enumerate(rows):
        parts = ((start, end),) if mentions.parts is None else tuple(mentions.parts.of(number))
        spans[document].append((parts, chain, number))
    return spans


def _span_table(
    annotations: Annotations,
    label: str,
    documents: Sequence[int],
    rows: Sequence[list[list[MarkedSpan]]],
    report: Report | None,
) -> SpanTable:
    cells_by_span: dict[DocumentSpan, list[tuple[int, int]]] = {}
    for document in documents:
        numbers = annotations.documents[document].tolist()
        blank = [(UNMARKED, UNMARKED) if own_number >= 0 else (ABSENT, ABSENT) for own_number in numbers]
        for annotator, own_number in enumerate(numbers):
            for parts, chain, number in rows[annotator][own_number] if own_number >= 0 else ():
                cells = cells_by_span.setdefault((document, parts), list(blank))
                if cells[annotator][0] < 0:
                    cells[annotator] = (chain, number)
                elif report is not None:
                    report(_repeated_span(annotations, annotator, document, parts))
    # By document and start, longer spans first.
    spans = sorted(cells_by_span, key=lambda span: (span[0], span[1][0][0], -span[1][-1][1], span[1]))
    table = np.array([cells_by_span[span] for span in spans], np.int64)
    table = table.reshape(-1, len(annotations.names), 2)
    return SpanTable(label=label, spans=tuple(spans), chains=table[:, :, 0], mentions=table[:, :, 1])


def _repeated_span(annotations: Annotations, annotator: int, document: int, parts: Parts) -> Finding:
    return Finding(
        code="CB113",
        severity="warning",
        message="a mention occurs twice; its first chain counts",
        place=Place(source=annotations.names[annotator], document=annotations.labels[document]),
        found=f"words {format_span(parts)}",
    )


def format_span(parts: Parts) -> str:
    """Format a span by its half-open token numbers.

    >>> format_span(((3, 5),)), format_span(((3, 4), (6, 8)))
    ('3:5', '3:4+6:8')
    """
    return "+".join(f"{start}:{end}" for start, end in parts)
