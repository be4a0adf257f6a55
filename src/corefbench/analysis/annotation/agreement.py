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
from corefbench.records import Columns, Record
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
        alphas=compute_alphas([table.chains for table in tables], missing),
        by_document={table.label: compute_alphas([table.chains], missing) for table in tables},
        missing=missing,
        quality=None if key is None else _measure_quality(read, key, profile, format, lenient, scope),
        findings=tuple(findings),
    )


def _measure_quality(
    read: Annotations, key: CorpusSource, profile: str | Profile, format: str | None, lenient: bool, scope: Scope
) -> Quality:
    """Score every annotator, every merge of two and the vote of all against a key."""
    sources = dict(zip(read.names, read.corpora, strict=True))

    def merged(*names: str) -> Corpus:
        return merge({name: sources[name] for name in names}, lenient=lenient, scope=scope).corpus

    merges = {f"{a} + {b}": merged(a, b) for a, b in combinations(sources, 2)}
    responses = {**sources, **merges}
    processes = {"once": list(sources), "merge of two": list(merges)}
    if len(sources) > 2:
        voted = f"vote of {len(sources)}"
        responses[voted], processes[voted] = merged(*sources), [voted]
    results = score_each(key, responses, profile, format=format, lenient=lenient, scope=_scope_choice(scope))
    return Quality(
        annotators=tuple(_quality_row(name, [results[name]]) for name in sources),
        processes=tuple(_quality_row(name, [results[r] for r in own]) for name, own in processes.items()),
        averaged=_averaged_measures(next(iter(results.values()))),
    )


def _scope_choice(scope: Scope) -> Scope | None:
    """Return the scope as a choice that overrides a profile; ``document`` leaves it to the profile."""
    return None if scope == "document" else scope


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
    for a, b in combinations(range(len(read.names)), 2):
        first, second = _shared_documents(read, a, b)
        if not len(first):  # when lenient, two may have no document in common
            continue
        chains = [table.chains[:, [a, b]] for table in tables]
        # Spans that only others mark say nothing about these two.
        chains = [own_chains[(own_chains >= 0).any(axis=1)] for own_chains in chains]
        pairs.append(
            AnnotatorPair(
                one=read.names[a],
                other=read.names[b],
                result=score_each(first, {"other": second}, profile, scope=_scope_choice(scope))["other"],
                alphas=compute_alphas(chains, missing),
            )
        )
    return pairs


def _shared_documents(read: Annotations, a: int, b: int) -> tuple[Corpus, Corpus]:
    """Return the documents that two annotators share, in one order and under the same names."""
    both = (read.documents[:, [a, b]] >= 0).all(axis=1)
    named = take_documents(read.base, np.flatnonzero(both)).documents

    def take(annotator: int) -> Corpus:
        taken = take_documents(read.corpora[annotator], read.documents[both, annotator])
        return replace(taken, documents=replace(taken.documents, names=named.names, parts=named.parts))

    return take(a), take(b)


def _count_spans(tables: Sequence[SpanTable]) -> SpanCounts:
    votes = np.concatenate([(table.chains >= 0).sum(axis=1) for table in tables])
    voters = np.concatenate([(table.chains > ABSENT).sum(axis=1) for table in tables])
    return SpanCounts(marked=len(votes), by_all=int((votes == voters).sum()), by_one=int((votes == 1).sum()))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
