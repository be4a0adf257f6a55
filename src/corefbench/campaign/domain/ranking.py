"""Order of systems, the score that ranks them, and whether it is up to date.

One submission per team counts: its best, or its last. Systems with equal scores share a rank, and
the next rank is skipped (1, 2, 2, 4); among equals the earlier submission comes first.

The score that ranks is computed from the counts of documents: over all of them, a share, or
resamples.

micro  sum the counts of the documents, then score the sums
macro  sum the scores of the documents and the number of documents that have one, then divide

The first ARE task is ranked by its success rate, which is recall; everything else by F1. In ARE, a
document in which neither side has anything has no score.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime

import numpy as np

from corefbench.analysis.significance import Statistic
from corefbench.campaign.domain.config import RankingRule, Task
from corefbench.campaign.domain.evaluation import Evaluation
from corefbench.errors import UnknownName, UsageError
from corefbench.records import Columns, Flags, Floats, Record
from corefbench.scoring.measures import parse
from corefbench.scoring.measures.tally import Scores, harmonics, ratios, scores_of_ratios
from corefbench.scoring.overrides import customise_profile, describe_choices
from corefbench.scoring.profiles import Profile
from corefbench.scoring.signature import Signature
from corefbench.version import __version__

_TOLERANCE = 1e-12  # the same counts may be summed in another order
_ARE_SCORES = {"are-1": "success_rate", "are-2": "muc", "are-3": "overlap", "are-4": "overlap"}
"""ARE counts answered pronouns, links, and both weighted by overlap."""
CONLL = "conll"
_ARE_DEFAULTS = {"average": "macro", "weighting": "mean"}


class Entry(Record, frozen=True):
    """A scored submission."""

    submission: str
    team: str
    score: float
    arrived: datetime


class RankedEntry(Record, frozen=True):
    """An entry with its rank, from 1."""

    rank: int
    entry: Entry


class HeadlineScore(Columns, frozen=True, eq=False):
    """The score that ranks, in a form that can be resampled."""

    documents: tuple[str, ...]
    tallies: Floats
    """Documents × columns."""
    statistic: Statistic
    """From sums (rows × columns) to the score that ranks (rows × 1)."""
    answered: int
    """Documents in which the system has mentions."""

    @property
    def value(self) -> float:
        """Return the score over these documents."""
        return float(self.statistic(self.tallies.sum(axis=0, keepdims=True))[0, 0])


def rank_entries(entries: Iterable[Entry], rule: RankingRule) -> list[RankedEntry]:
    """Rank one entry per team, best first."""
    order = sorted(select_entries(entries, rule), key=lambda entry: (-entry.score, entry.arrived, entry.submission))
    board: list[RankedEntry] = []
    for position, entry in enumerate(order, start=1):
        is_tied = board and board[-1].entry.score - entry.score <= _TOLERANCE
        board.append(RankedEntry(rank=board[-1].rank if is_tied else position, entry=entry))
    return board


def select_entries(entries: Iterable[Entry], rule: RankingRule) -> list[Entry]:
    """Select one entry per team: its best (the earlier of equals), or its last."""
    chosen: dict[str, Entry] = {}
    for entry in sorted(entries, key=lambda entry: (entry.arrived, entry.submission)):
        earlier = chosen.get(entry.team)
        if earlier is None or rule == "last" or entry.score > earlier.score + _TOLERANCE:
            chosen[entry.team] = entry
    return list(chosen.values())


def get_are_task_number(task: Task) -> int:
    """Return the number of an ARE task; 0 for any other task.

    >>> get_are_task_number(Task(name="a", title="A", scored="are-3"))
    3
    """
    return int(task.scored.removeprefix("are-")) if task.scored in _ARE_SCORES else 0


def list_score_names(task: Task) -> list[str]:
    """Return the scores that may rank, the default first.

    >>> list_score_names(Task(name="a", title="A", scored="are-1"))
    ['success_rate']
    """
    if task.scored in _ARE_SCORES:
        return [_ARE_SCORES[task.scored]]
    profile = customise_profile(task.scored, task.choices)
    names = list(profile.measures)
    has_average = bool(profile.conll) and set(profile.conll) <= set(names)
    return ["conll", *names] if has_average else names


def get_ranking_score(task: Task) -> str:
    """Return the name of the score that ranks."""
    known = list_score_names(task)
    if task.rank and task.rank not in known:
        raise UnknownName("score to rank by", task.rank, known)
    return task.rank or known[0]


def compute_headline(task: Task, evaluation: Evaluation, documents: Collection[str] | None = None) -> HeadlineScore:
    """Return the score that ranks, over these documents or all."""
    chosen = None if documents is None else frozenset(documents)
    rows = [row for row in evaluation.rows if chosen is None or row.document in chosen]
    names = _list_component_scores(task, evaluation)
    counts = {
        name: np.array([row.counts[name] for row in rows], np.float64).reshape(len(rows), len(evaluation.columns[name]))
        for name in names
    }
    statistic = _RankingStatistic(task, evaluation, names)
    tallies = np.concatenate(list(counts.values()), axis=1)
    is_macro = _is_macro(task)
    return HeadlineScore(
        documents=tuple(row.document for row in rows),
        tallies=statistic.score_documents(tallies) if is_macro else tallies,
        statistic=_macro_mean if is_macro else statistic,
        answered=sum(row.answered for row in rows),
    )


def _list_component_scores(task: Task, evaluation: Evaluation) -> tuple[str, ...]:
    """Return the scores that the ranking one is the mean of."""
    if evaluation.ranking == CONLL and CONLL not in evaluation.columns:
        return _make_profile(task).conll
    return (evaluation.ranking,)


def _is_macro(task: Task) -> bool:
    if get_are_task_number(task):
        return task.choices.get("average", "macro") == "macro"
    return _make_profile(task).average == "macro"


def _make_profile(task: Task) -> Profile:
    return customise_profile(task.scored, task.choices)


def _macro_mean(sums: Floats) -> Floats:
    return ratios(sums[:, 0], sums[:, 1])[:, np.newaxis]


class _RankingStatistic:
    """Computes the score that ranks from sums of the columns that it counts."""

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
        if get_are_task_number(self._task):
            scores = compute_are_scores(totals)
            return scores.recall if get_are_task_number(self._task) == 1 else scores.f1
        return parse(_make_profile(self._task).measures[name]).scores(totals).f1

    def score_documents(self, tallies: Floats) -> Floats:
        """Return the score of each document, and 1 or 0 for whether it has one."""
        has_score = self._has_score(tallies)
        return np.stack([self(tallies)[:, 0] * has_score, has_score.astype(np.float64)], axis=1)

    def _has_score(self, tallies: Floats) -> Flags:
        if not get_are_task_number(self._task):
            return np.ones(len(tallies), np.bool_)
        (columns,) = self._columns.values()
        counted = ["key_total"] if self._task.scored == "are-1" else ["key_total", "response_total"]
        return np.asarray(tallies[:, [columns.index(name) for name in counted]].any(axis=1))


def compute_are_scores(totals: Mapping[str, Floats]) -> Scores:
    """Return recall, precision and F1 from ARE's hits, key_total and response_total."""
    if "hits" not in totals:
        return scores_of_ratios(totals)
    recall = ratios(totals["hits"], totals["key_total"])
    precision = ratios(totals["hits"], totals["response_total"])
    return Scores(recall=recall, precision=precision, f1=harmonics(recall, precision))


def is_current(task: Task, signature: str, *, any_version: bool = False) -> bool:
    """Return whether rescoring would be done in the same way, by the same version or by any.

    >>> task = Task(name="a", title="A", scored="are-1")
    >>> signature = f"are-1|average:macro|key:k@1|version:{__version__}"
    >>> is_current(task, signature), is_current(task, signature.replace("macro", "micro"))
    (True, False)
    """
    if not any_version and f"|version:{__version__}" not in signature:
        return False
    if get_are_task_number(task):
        return _is_current_are(task, signature)
    profile = customise_profile(task.scored, task.choices)
    try:
        parsed = Signature.parse(signature)
    except UsageError:
        return False
    return (parsed.profile, parsed.choices) == (profile.name, describe_choices(profile))


def _is_current_are(task: Task, signature: str) -> bool:
    name, *rest = signature.split("|")
    fields: Mapping[str, str] = dict(field.partition(":")[::2] for field in rest)
    choices = {choice: task.choices.get(choice, usual) for choice, usual in _ARE_DEFAULTS.items()}
    return name == task.scored and all(fields.get(choice, value) == value for choice, value in choices.items())
