"""The score that ranks, from what documents count: over all of them, a share, or resamples.

micro  documents' counts add up and the sums are scored
macro  documents' own scores add up, beside the number of documents that have one, and the mean is
       the one ÷ the other

Of ARE's first task the success rate ranks, which is recall; of all others it is F1. A document on
which neither side says anything has no score in ARE.
"""

from collections.abc import Collection, Mapping

import numpy as np

from corefbench.campaign.domain.definition import Task
from corefbench.campaign.domain.evaluation import Evaluation
from corefbench.campaign.domain.scores import are_number
from corefbench.measures import parse
from corefbench.measures.tally import Scores, harmonics, ratios, scores_of_ratios
from corefbench.profiles import Profile
from corefbench.record import Columns, Flags, Floats
from corefbench.scoring.choosing import customised
from corefbench.stats.significance import Statistic

CONLL = "conll"


class Headline(Columns, frozen=True, eq=False):
    """A system as the tests see it."""

    documents: tuple[str, ...]
    tallies: Floats
    """Documents × columns."""
    statistic: Statistic
    """From sums (rows × columns) to the score that ranks (rows × 1)."""
    answered: int
    """Documents that the system has anything on."""

    @property
    def value(self) -> float:
        """The score over these documents."""
        return float(self.statistic(self.tallies.sum(axis=0, keepdims=True))[0, 0])


def headline(
    task: Task, evaluation: Evaluation, documents: Collection[str] | None = None
) -> Headline:
    """The score that ranks, over these documents or all."""
    kept = None if documents is None else frozenset(documents)
    rows = [row for row in evaluation.rows if kept is None or row.document in kept]
    names = _counted(task, evaluation)
    counts = {
        name: np.array([row.counts[name] for row in rows], np.float64).reshape(
            len(rows), len(evaluation.columns[name])
        )
        for name in names
    }
    scored = _Scored(task, evaluation, names)
    tallies = np.concatenate(list(counts.values()), axis=1)
    macro = _is_macro(task)
    return Headline(
        documents=tuple(row.document for row in rows),
        tallies=scored.as_means(tallies) if macro else tallies,
        statistic=_mean if macro else scored,
        answered=sum(row.answered for row in rows),
    )


def _counted(task: Task, evaluation: Evaluation) -> tuple[str, ...]:
    """The scores that the ranking one is made of."""
    if evaluation.ranking == CONLL and CONLL not in evaluation.columns:
        return _profile(task).conll
    return (evaluation.ranking,)


def _is_macro(task: Task) -> bool:
    if are_number(task):
        return task.choices.get("average", "macro") == "macro"
    return _profile(task).average == "macro"


def _profile(task: Task) -> Profile:
    return customised(task.scored, task.choices)


def _mean(sums: Floats) -> Floats:
    return ratios(sums[:, 0], sums[:, 1])[:, np.newaxis]


class _Scored:
    """The score that ranks, of sums of the columns that it counts."""

    def __init__(self, task: Task, evaluation: Evaluation, names: tuple[str, ...]) -> None:
        self._task = task
        self._columns = {name: evaluation.columns[name] for name in names}

    def __call__(self, sums: Floats) -> Floats:
        figures, first = [], 0
        for name, columns in self._columns.items():
            totals = {column: sums[:, first + n] for n, column in enumerate(columns)}
            figures.append(self._figure(name, totals))
            first += len(columns)
        return np.asarray(np.mean(figures, axis=0)[:, np.newaxis])

    def _figure(self, name: str, totals: Mapping[str, Floats]) -> Floats:
        if are_number(self._task):
            scores = are_scores(totals)
            return scores.recall if are_number(self._task) == 1 else scores.f1
        return parse(_profile(self._task).measures[name]).scores(totals).f1

    def as_means(self, tallies: Floats) -> Floats:
        """Documents' scores, and whether they have one."""
        counted = self._has_score(tallies)
        return np.stack([self(tallies)[:, 0] * counted, counted.astype(np.float64)], axis=1)

    def _has_score(self, tallies: Floats) -> Flags:
        if not are_number(self._task):
            return np.ones(len(tallies), np.bool_)
        (columns,) = self._columns.values()
        looked_at = (
            ["key_total"] if self._task.scored == "are-1" else ["key_total", "response_total"]
        )
        return np.asarray(tallies[:, [columns.index(name) for name in looked_at]].any(axis=1))


def are_scores(totals: Mapping[str, Floats]) -> Scores:
    """Recall, precision and F1 of what ARE counts: hits, key_total, response_total."""
    if "hits" not in totals:
        return scores_of_ratios(totals)
    recall = ratios(totals["hits"], totals["key_total"])
    precision = ratios(totals["hits"], totals["response_total"])
    return Scores(recall=recall, precision=precision, f1=harmonics(recall, precision))
