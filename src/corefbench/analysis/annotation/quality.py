"""Annotation quality: annotators, and merges of them, against a key (Chen et al. 2018, Table 2)."""

from itertools import combinations

from corefbench.analysis.annotation.gathering import Annotations, Where
from corefbench.analysis.annotation.merge import merge
from corefbench.measures import Score
from corefbench.model.corpus import Corpus
from corefbench.profiles import Profile
from corefbench.record import Columns, Record
from corefbench.scope import Scope
from corefbench.scoring.api import score_each
from corefbench.scoring.result import Result


class Row(Record, frozen=True):
    """A process of annotation: its scores, means over the annotations that were made by it."""

    process: str
    annotations: int
    scores: dict[str, Score]
    """By measure; ``average`` is the mean of the measures of the CoNLL average."""


class Quality(Columns, frozen=True, eq=False):
    """Before and after merging."""

    annotators: tuple[Row, ...]
    """Each annotator alone."""
    processes: tuple[Row, ...]
    """Once, merged two by two, and by the votes of all."""
    averaged: tuple[str, ...]
    """The measures whose mean ``average`` is."""


def quality(
    gathered: Annotations,
    key: Where,
    profile: str | Profile,
    format: str | None,
    lenient: bool,
    scope: Scope = "document",
) -> Quality:
    """Score every annotator, every merge of two and the vote of all against a key."""
    given = dict(zip(gathered.names, gathered.corpora, strict=True))
    alone: dict[str, Corpus] = dict(given)
    merges = {
        f"{a} + {b}": merge({a: given[a], b: given[b]}, lenient=lenient, scope=scope).corpus
        for a, b in combinations(given, 2)
    }
    responses = {**alone, **merges}
    voted = f"vote of {len(given)}"
    if len(given) > 2:
        responses[voted] = merge(given, lenient=lenient, scope=scope).corpus
    results = score_each(
        key,
        responses,
        profile,
        format=format,
        lenient=lenient,
        scope=None if scope == "document" else scope,
    )
    rows = {name: _row(name, [result]) for name, result in results.items()}
    processes = [
        _row("once", [results[name] for name in alone]),
        _row("merge of two", [results[name] for name in merges]),
    ]
    if len(given) > 2:
        processes.append(_row(voted, [results[voted]]))
    first = next(iter(results.values()))
    return Quality(
        annotators=tuple(rows[name] for name in alone),
        processes=tuple(processes),
        averaged=_averaged(first),
    )


def _averaged(result: Result) -> tuple[str, ...]:
    """The measures of the CoNLL average, or all but mentions where the profile has none."""
    names = tuple(name for name in result.profile.conll if name in result.tallies)
    return names or tuple(name for name in result if name != "mentions")


def _row(process: str, results: list[Result]) -> Row:
    scores = {name: _mean([result[name] for result in results]) for name in results[0]}
    averaged = _averaged(results[0])
    if averaged:
        scores["average"] = _mean([scores[name] for name in averaged])
    return Row(process=process, annotations=len(results), scores=scores)


def _mean(scores: list[Score]) -> Score:
    count = len(scores)
    return Score(
        recall=sum(score.recall for score in scores) / count,
        precision=sum(score.precision for score in scores) / count,
        f1=sum(score.f1 for score in scores) / count,
    )
