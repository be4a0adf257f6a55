"""What users call: ``agreement``."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from msgspec.structs import replace

from corefbench.analysis.annotation.alpha import MISSING, Missing, alphas
from corefbench.analysis.annotation.gathering import Annotations, Many, Where, gather
from corefbench.analysis.annotation.quality import Quality, quality
from corefbench.analysis.annotation.sheets import ABSENT, Sheet, sheets
from corefbench.errors import UsageError
from corefbench.findings import Finding
from corefbench.model.assemble import take_documents
from corefbench.model.corpus import Corpus
from corefbench.profiles import Profile
from corefbench.record import Columns, Flags, Longs, Record
from corefbench.scope import SCOPES, Scope
from corefbench.scoring.api import DEFAULT_PROFILE, score_each
from corefbench.scoring.result import Result


class Pair(Columns, frozen=True, eq=False):
    """Two annotators: the second scored against the first. F1 is the same the other way round,
    recall and precision change places."""

    one: str
    other: str
    result: Result
    alphas: dict[str, float | None]


class Spans(Record, frozen=True):
    """Spans by how many annotators mark them."""

    marked: int
    """By at least one."""
    by_all: int
    by_one: int


class Agreement(Columns, frozen=True, eq=False):
    """How far annotators agree."""

    names: tuple[str, ...]
    documents: tuple[str, ...]
    spans: Spans
    pairs: tuple[Pair, ...]
    f1: dict[str, float]
    """The mean F1 of all pairs, by measure."""
    conll: float | None
    """The mean of the CoNLL averages, where the profile has one."""
    alphas: dict[str, float | None]
    """Krippendorff's α of all annotators over all documents, by distance."""
    by_document: dict[str, dict[str, float | None]]
    """α of each document."""
    missing: Missing
    quality: Quality | None = None
    """Each annotator, and merges of them, against a key."""
    findings: tuple[Finding, ...] = ()


def agreement(
    annotations: Many,
    *,
    key: Where | None = None,
    profile: str | Profile = DEFAULT_PROFILE,
    missing: Missing = "singleton",
    scope: Scope = "document",
    format: str | None = None,
    lenient: bool = False,
) -> Agreement:
    """Compare annotations of the same texts, two by two and all at once.

    ``missing`` says what a span that an annotator does not mark counts as in α: a ``singleton``, or
    ``absent``, a missing value. With a ``key`` there is also the quality of each annotation and of
    merges of them, as in Table 2 of Chen et al. 2018.

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
    gathered = gather(annotations, format=format, lenient=lenient)
    findings = list(gathered.findings)
    made = list(sheets(gathered, scope=scope, report=findings.append))
    pairs = tuple(_pairs(gathered, made, profile, scope, missing))
    results = [pair.result for pair in pairs]
    averages = [result.conll.f1 for result in results if result.conll is not None]
    return Agreement(
        names=gathered.names,
        documents=gathered.labels,
        spans=_spans(made),
        pairs=pairs,
        f1={name: _mean([result[name].f1 for result in results]) for name in results[0]},
        conll=_mean(averages) if averages else None,
        alphas=alphas(made, missing),
        by_document={sheet.label: alphas([sheet], missing) for sheet in made},
        missing=missing,
        quality=None if key is None else quality(gathered, key, profile, format, lenient, scope),
        findings=tuple(findings),
    )


def _pairs(
    gathered: Annotations,
    made: Sequence[Sheet],
    profile: str | Profile,
    scope: Scope,
    missing: Missing,
) -> list[Pair]:
    pairs = []
    chosen = None if scope == "document" else scope
    for a, b in combinations(range(len(gathered.names)), 2):
        one, other = shared(gathered, a, b)
        if not len(one):  # when lenient, two may have no document in common
            continue
        result = score_each(one, {"other": other}, profile, scope=chosen)["other"]
        two = [sheet_of(sheet, (a, b)) for sheet in made]
        pairs.append(
            Pair(
                one=gathered.names[a],
                other=gathered.names[b],
                result=result,
                alphas=alphas(two, missing),
            )
        )
    return pairs


def shared(gathered: Annotations, a: int, b: int) -> tuple[Corpus, Corpus]:
    """The documents that two annotators have, in the same order and under the same names."""
    both = (gathered.documents[:, [a, b]] >= 0).all(axis=1)
    documents = gathered.base.documents
    names = [(documents.names[d], int(documents.parts[d])) for d in np.flatnonzero(both).tolist()]
    return (
        renamed(gathered.corpora[a], gathered.documents[both, a], names),
        renamed(gathered.corpora[b], gathered.documents[both, b], names),
    )


def renamed(corpus: Corpus, wanted: Longs, names: Sequence[tuple[str, int]]) -> Corpus:
    """Some documents of a corpus, under given names."""
    taken = take_documents(corpus, wanted, names)
    parts = np.array([part for _, part in names], np.int32)
    known = replace(taken.documents, names=tuple(name for name, _ in names), parts=parts)
    return replace(taken, documents=known)


def sheet_of(sheet: Sheet, annotators: Sequence[int]) -> Sheet:
    """What some of the annotators say: the spans that one of them marks."""
    chains, mentions = sheet.chains[:, annotators], sheet.mentions[:, annotators]
    marked: Flags = (chains >= 0).max(axis=1, initial=False)
    spots = tuple(
        spot for spot, is_marked in zip(sheet.spots, marked.tolist(), strict=True) if is_marked
    )
    return Sheet(label=sheet.label, spots=spots, chains=chains[marked], mentions=mentions[marked])


def _spans(made: Sequence[Sheet]) -> Spans:
    votes = np.concatenate([(sheet.chains >= 0).sum(axis=1) for sheet in made])
    voters = np.concatenate([(sheet.chains > ABSENT).sum(axis=1) for sheet in made])
    return Spans(
        marked=len(votes), by_all=int((votes == voters).sum()), by_one=int((votes == 1).sum())
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
