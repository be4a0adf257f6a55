"""Inter-annotator agreement, and the quality of annotations against a key.

Chains are compared by the scores of every two annotators, and by Krippendorff's α of all, with
several distances between chains:

    α = 1 − Dₒ ÷ Dₑ
    Dₒ = 1/n · Σ_u Σ_{i≠j} δ(v_ui, v_uj) ÷ (m_u − 1)
    Dₑ = 1/(n(n−1)) · Σ_v Σ_w n_v n_w δ(v, w)          (Krippendorff 2004, 2011)

m_u is the number of values of unit u, n = Σ m_u over units with two values and more; others have
nothing to be compared with and are left out. Where Dₑ = 0 there is nothing to disagree on, and α
is not defined.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Literal, TypeAlias

import numpy as np
from msgspec.structs import replace

from corefbench.analysis.annotation.annotations import (
    ABSENT,
    UNMARKED,
    Annotations,
    AnnotationSources,
    SpanTable,
    read_annotations,
    span_tables,
)
from corefbench.analysis.annotation.merge import merge
from corefbench.corpus.combine import take_documents
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.scope import SCOPES, Scope
from corefbench.diagnostics import Finding
from corefbench.errors import UsageError
from corefbench.formats.load import CorpusSource
from corefbench.records import Columns, Flags, Floats, Longs, Record
from corefbench.scoring.api import DEFAULT_PROFILE, score_each
from corefbench.scoring.measures import Score
from corefbench.scoring.profiles import Profile
from corefbench.scoring.result import Result

Similarity: TypeAlias = Callable[[Longs, Longs, Longs], Floats]
"""1 − distance, as a function of |A|, |B| and |A∩B|."""
Missing: TypeAlias = Literal["singleton", "absent"]
MISSING: tuple[Missing, ...] = ("singleton", "absent")
"""How an unmarked span counts for an annotator: as a chain of its own, or as a missing value."""


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


def _jaccard(a: Longs, b: Longs, both: Longs) -> Floats:
    return np.asarray(both / np.maximum(a + b - both, 1), np.float64)


def _binary(a: Longs, b: Longs, both: Longs) -> Floats:
    return np.asarray((both == a) & (both == b) & (both > 0), np.float64)


def _monotony(a: Longs, b: Longs, both: Longs) -> Floats:
    """Return 1, ⅔, ⅓ or 0 for sets that are equal, nested, overlapping or disjoint."""
    thirds = 1 * (both > 0) + ((both == a) | (both == b)) * (both > 0) + _binary(a, b, both)
    return np.asarray(thirds / 3, np.float64)


def _dice(a: Longs, b: Longs, both: Longs) -> Floats:
    return np.asarray(2 * both / np.maximum(a + b, 1), np.float64)


def _masi(a: Longs, b: Longs, both: Longs) -> Floats:
    return _jaccard(a, b, both) * _monotony(a, b, both)


SIMILARITIES: Mapping[str, Similarity] = {
    "passonneau": _monotony,
    "masi": _masi,
    "jaccard": _jaccard,
    "dice": _dice,
    "binary": _binary,
}


def compute_alphas(tables: Sequence[Longs], missing: Missing = "singleton") -> dict[str, float | None]:
    """Compute α by distance over tables of chains (spans × annotators).

    Values are chains; those of different tables or annotators are different values.
    """
    values = _number_values(tables, missing)
    sizes = np.bincount(values[values >= 0])
    count = max(len(sizes), 1)
    # Only pairs of chains that share a span have a similarity above 0, which keeps the sums sparse.
    met = [np.zeros(0, np.int64)]
    for one in values.T:
        for other in values.T:
            both = (one >= 0) & (other >= 0)
            met.append(one[both] * count + other[both])
    pairs, shared = np.unique(np.concatenate(met), return_counts=True)
    first, second = sizes[pairs // count], sizes[pairs % count]
    return {
        name: compute_alpha(values, count, pairs, similarity(first, second, shared))
        for name, similarity in SIMILARITIES.items()
    }


def _number_values(tables: Sequence[Longs], missing: Missing) -> Longs:
    """Number the values of every span and annotator; -1 is a missing value."""
    chains = np.concatenate(tables)
    table = np.repeat(np.arange(len(tables)), [len(table) for table in tables])
    values, first = np.full(chains.shape, -1, np.int64), 0
    for column, own_chains in zip(values.T, chains.T, strict=True):
        marked = own_chains >= 0
        width = int(own_chains.max(initial=0)) + 1
        column[marked] = np.unique((table * width + own_chains)[marked], return_inverse=True)[1] + first
        first = int(column.max(initial=first - 1)) + 1
        if missing == "singleton":
            unmarked = own_chains == UNMARKED
            column[unmarked] = first + np.arange(int(unmarked.sum()))
            first += int(unmarked.sum())
    return values


def compute_alpha(values: Longs, count: int, pairs: Longs, similarity: Floats) -> float | None:
    """Compute α of a table (units × annotators) of values below ``count``; -1 is a missing value.

    ``similarity`` is 1 − δ of the ``pairs`` of values, each coded as one · count + other, in
    ascending order; pairs that are left out have similarity 0.

    >>> compute_alpha(np.array([[0, 0], [1, 1], [0, 1]]), 2, np.array([0, 3]), np.ones(2))
    0.4444444444444444
    """
    value_counts = (values >= 0).sum(axis=1)
    values, value_counts = values[value_counts > 1], value_counts[value_counts > 1]
    n = int(value_counts.sum())
    frequency = np.bincount(values[values >= 0], minlength=count).astype(np.float64)
    expected = n * n - float((frequency[pairs // count] * frequency[pairs % count] * similarity).sum())
    # Σ_u Σ_{i≠j} (1 − δ) ÷ (m_u − 1); each unit has Σ_{i≠j} 1 ÷ (m_u − 1) = m_u.
    agreement = 0.0
    for i, one in enumerate(values.T):
        for j, other in enumerate(values.T):
            if i != j:
                both: Flags = (one >= 0) & (other >= 0)
                wanted = one[both] * count + other[both]
                index = np.minimum(np.searchsorted(pairs, wanted), len(pairs) - 1)
                matched = np.where(pairs[index] == wanted, similarity[index], 0.0)
                agreement += float((matched / (value_counts[both] - 1)).sum())
    return None if expected <= 0 else 1 - (n - agreement) * (n - 1) / expected
