"""Inter-annotator agreement, and the quality of annotations against a key."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from msgspec.structs import replace

from corefbench.analysis.annotation.annotations import (
    ABSENT,
    Annotations,
    AnnotationSources,
    SpanTable,
    read_annotations,
    span_tables,
)
from corefbench.analysis.annotation.krippendorff import MISSING, Missing, compute_alphas
from corefbench.analysis.annotation.merge import merge
from corefbench.corpus.combine import take_documents
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.scope import SCOPES, Scope
from corefbench.diagnostics import Finding
from corefbench.errors import UsageError
from corefbench.formats.load import CorpusSource
from corefbench.records import Columns, Flags, Longs, Record
from corefbench.scoring.api import DEFAULT_PROFILE, score_each
from corefbench.scoring.measures import Score
from corefbench.scoring.profiles import Profile
from corefbench.scoring.result import Result


class AnnotatorPair(Columns, frozen=True, eq=False):
    """Two annotators, the second scored against the first.

    The other way round F1 is the same; recall and precision swap.
    """

    one: str
    other: str
    result: Result
    alphas: dict[str, float | None]


class SpanCounts(Record, frozen=True):
    """The number of spans by the annotators who mark them."""

    marked: int
    """Marked by at least one annotator."""
    by_all: int
    by_one: int


class QualityRow(Record, frozen=True):
    """The mean scores of the annotations that one process of annotation yields."""

    process: str
    annotations: int
    scores: dict[str, Score]
    """By measure; ``average`` is the mean of the measures of the CoNLL average."""


class Quality(Columns, frozen=True, eq=False):
    """The quality of annotations before and after merging (Chen et al. 2018, Table 2)."""

    annotators: tuple[QualityRow, ...]
    """Scores of each annotator."""
    processes: tuple[QualityRow, ...]
    """Scores of single annotation, of merges of two, and of the vote of all."""
    averaged: tuple[str, ...]
    """The measures that ``average`` is the mean of."""


class Agreement(Columns, frozen=True, eq=False):
    """Agreement of annotators, pairwise and overall."""

    names: tuple[str, ...]
    documents: tuple[str, ...]
    spans: SpanCounts
    pairs: tuple[AnnotatorPair, ...]
    f1: dict[str, float]
    """The mean F1 of all pairs, by measure."""
    conll: float | None
    """The mean CoNLL average of all pairs, if the profile has one."""
    alphas: dict[str, float | None]
    """Krippendorff's α of all annotators over all documents, by distance."""
    by_document: dict[str, dict[str, float | None]]
    """α by document."""
    missing: Missing
    quality: Quality | None = None
    """The scores of each annotator, and of merges of them, against a key."""
    findings: tuple[Finding, ...] = ()


def agreement(
    annotations: AnnotationSources,
    *,
    key: CorpusSource | None = None,
    profile: str | Profile = DEFAULT_PROFILE,
    missing: Missing = "singleton",
    scope: Scope = "document",
    format: str | None = None,
    lenient: bool = False,
) -> Agreement:
    """Measure the agreement of annotations of the same texts, pairwise and overall.

    ``missing`` decides how a span that an annotator does not mark counts in α: as a ``singleton``,
    or as ``absent``, a missing value. With a ``key``, the quality of each annotation and of merges
    is measured too, as in Table 2 of Chen et al. 2018.

    >>> text = "#begin document (d); part 000\\nd 0 0 Ann (1)\\nd 0 1 saw -\\nd 0 2 her {}\\n"
    >>> a, b = ((text + "\\n#end document\\n").format(cell).encode() for cell in ("(1)", "(2)"))
    >>> both = agreement([a, b])
    >>> both.f1["mentions"], round(both.alphas["masi"], 4)
    (1.0, -0.0909)
    """
    if missing not in MISSING:
        raise UsageError(f"a missing mention cannot be {missing!r}", expected=", ".join(MISSING))
    if scope not in SCOPES:
        raise UsageError(f"there is no scope {scope!r}", expected=", ".join(SCOPES))
    read = read_annotations(annotations, format=format, lenient=lenient)
    findings = list(read.findings)
    tables = list(span_tables(read, scope=scope, report=findings.append))
    pairs = tuple(_compare_pairs(read, tables, profile, scope, missing))
    results = [pair.result for pair in pairs]
    averages = [result.conll.f1 for result in results if result.conll is not None]
    return Agreement(
        names=read.names,
        documents=read.labels,
        spans=_count_spans(tables),
        pairs=pairs,
        f1={name: _mean([result[name].f1 for result in results]) for name in results[0]},
        conll=_mean(averages) if averages else None,
        alphas=compute_alphas(tables, missing),
        by_document={table.label: compute_alphas([table], missing) for table in tables},
        missing=missing,
        quality=None if key is None else measure_quality(read, key, profile, format, lenient, scope),
        findings=tuple(findings),
    )


def measure_quality(
    read: Annotations,
    key: CorpusSource,
    profile: str | Profile,
    format: str | None,
    lenient: bool,
    scope: Scope = "document",
) -> Quality:
    """Score every annotator, every merge of two and the vote of all against a key."""
    sources = dict(zip(read.names, read.corpora, strict=True))
    alone: dict[str, Corpus] = dict(sources)
    merges = {
        f"{a} + {b}": merge({a: sources[a], b: sources[b]}, lenient=lenient, scope=scope).corpus
        for a, b in combinations(sources, 2)
    }
    responses = {**alone, **merges}
    voted = f"vote of {len(sources)}"
    if len(sources) > 2:
        responses[voted] = merge(sources, lenient=lenient, scope=scope).corpus
    results = score_each(
        key, responses, profile, format=format, lenient=lenient, scope=None if scope == "document" else scope
    )
    rows = {name: _quality_row(name, [result]) for name, result in results.items()}
    processes = [
        _quality_row("once", [results[name] for name in alone]),
        _quality_row("merge of two", [results[name] for name in merges]),
    ]
    if len(sources) > 2:
        processes.append(_quality_row(voted, [results[voted]]))
    first = next(iter(results.values()))
    return Quality(
        annotators=tuple(rows[name] for name in alone), processes=tuple(processes), averaged=_averaged_measures(first)
    )


def _averaged_measures(result: Result) -> tuple[str, ...]:
    """Return the measures of the CoNLL average, or all but mentions without one."""
    names = tuple(name for name in result.profile.conll if name in result.tallies)
    return names or tuple(name for name in result if name != "mentions")


def _quality_row(process: str, results: list[Result]) -> QualityRow:
    scores = {name: _mean_score([result[name] for result in results]) for name in results[0]}
    averaged = _averaged_measures(results[0])
    if averaged:
        scores["average"] = _mean_score([scores[name] for name in averaged])
    return QualityRow(process=process, annotations=len(results), scores=scores)


def _mean_score(scores: list[Score]) -> Score:
    count = len(scores)
    return Score(
        recall=sum(score.recall for score in scores) / count,
        precision=sum(score.precision for score in scores) / count,
        f1=sum(score.f1 for score in scores) / count,
    )


def _compare_pairs(
    read: Annotations, tables: Sequence[SpanTable], profile: str | Profile, scope: Scope, missing: Missing
) -> list[AnnotatorPair]:
    pairs = []
    chosen = None if scope == "document" else scope
    for a, b in combinations(range(len(read.names)), 2):
        first, second = shared_documents(read, a, b)
        if not len(first):  # when lenient, two may have no document in common
            continue
        result = score_each(first, {"other": second}, profile, scope=chosen)["other"]
        pair_tables = [restrict_table(table, (a, b)) for table in tables]
        pairs.append(
            AnnotatorPair(
                one=read.names[a], other=read.names[b], result=result, alphas=compute_alphas(pair_tables, missing)
            )
        )
    return pairs


def shared_documents(read: Annotations, a: int, b: int) -> tuple[Corpus, Corpus]:
    """Return the documents that two annotators share, in one order and under the same names."""
    both = (read.documents[:, [a, b]] >= 0).all(axis=1)
    documents = read.base.documents
    names = [(documents.names[d], int(documents.parts[d])) for d in np.flatnonzero(both).tolist()]
    return (
        rename_documents(read.corpora[a], read.documents[both, a], names),
        rename_documents(read.corpora[b], read.documents[both, b], names),
    )


def rename_documents(corpus: Corpus, wanted: Longs, names: Sequence[tuple[str, int]]) -> Corpus:
    """Take documents of a corpus under new names."""
    taken = take_documents(corpus, wanted, names)
    parts = np.array([part for _, part in names], np.int32)
    documents = replace(taken.documents, names=tuple(name for name, _ in names), parts=parts)
    return replace(taken, documents=documents)


def restrict_table(table: SpanTable, annotators: Sequence[int]) -> SpanTable:
    """Restrict a table to some annotators and the spans that at least one of them marks."""
    chains, mentions = table.chains[:, annotators], table.mentions[:, annotators]
    marked: Flags = (chains >= 0).max(axis=1, initial=False)
    spans = tuple(span for span, is_marked in zip(table.spans, marked.tolist(), strict=True) if is_marked)
    return SpanTable(label=table.label, spans=spans, chains=chains[marked], mentions=mentions[marked])


def _count_spans(tables: Sequence[SpanTable]) -> SpanCounts:
    votes = np.concatenate([(table.chains >= 0).sum(axis=1) for table in tables])
    voters = np.concatenate([(table.chains > ABSENT).sum(axis=1) for table in tables])
    return SpanCounts(marked=len(votes), by_all=int((votes == voters).sum()), by_one=int((votes == 1).sum()))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
