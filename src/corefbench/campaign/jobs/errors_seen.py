"""The errors of answers, for phases in which participants are to learn from them."""

from collections import Counter, defaultdict

import numpy as np

from corefbench.analysis.errors import ErrorAnalysis, error_analysis
from corefbench.analysis.errors.error import Example
from corefbench.campaign.domain.definition import Task
from corefbench.campaign.domain.errors_seen import DocumentSeen, ErrorsSeen
from corefbench.campaign.domain.evaluation import Evaluation, Row
from corefbench.campaign.domain.headline import are_scores
from corefbench.campaign.domain.scores import are_number
from corefbench.campaign.jobs.pronouns_seen import CLASSES, pronoun_errors
from corefbench.measures import parse
from corefbench.measures.tally import Score
from corefbench.model.corpus import Corpus
from corefbench.record import Record
from corefbench.scoring.choosing import customised

_EXAMPLES = 5


def errors_seen(task: Task, key: Corpus, answers: Corpus, evaluation: Evaluation) -> ErrorsSeen:
    """Scores and classes of errors by document, and some errors of every class in their text.

    Of the exercise, the tasks about pronouns have classes of their own; those about chains, and
    profiles that score several documents as one, have scores by document only.
    """
    found = _found(task, key, answers)
    return ErrorsSeen(
        documents=tuple(
            DocumentSeen(
                document=row.document,
                scores=_scores(task, evaluation, row),
                errors=found.documents.get(row.document, {}),
            )
            for row in evaluation.rows
        ),
        counts=found.counts,
        examples=found.examples,
    )


class _Found(Record, frozen=True):
    documents: dict[str, dict[str, int]] = {}  # noqa: RUF012
    counts: dict[str, dict[str, int]] = {}  # noqa: RUF012
    examples: tuple[Example, ...] = ()


def _found(task: Task, key: Corpus, answers: Corpus) -> _Found:
    number = are_number(task)
    if number in (1, 3):
        return _pronouns(key, answers, number)
    analysed = None if number else _analysed(task, key, answers)
    if analysed is None:
        return _Found()
    documents: dict[str, Counter[str]] = defaultdict(Counter)
    for error in analysed.errors:
        documents[error.document][error.kind] += 1
    return _Found(
        documents={name: dict(found) for name, found in documents.items()},
        counts=analysed.counts,
        examples=tuple(analysed.examples(_EXAMPLES)),
    )


def _pronouns(key: Corpus, answers: Corpus, number: int) -> _Found:
    made = pronoun_errors(key, answers, number, _EXAMPLES)
    total = Counter[str]()
    for found in made.documents.values():
        total.update(found)
    counts = {"pronouns": {kind: total[kind] for kind in CLASSES}}
    return _Found(documents=made.documents, counts=counts, examples=made.examples)


def _analysed(task: Task, key: Corpus, answers: Corpus) -> ErrorAnalysis | None:
    profile = customised(task.scored, task.choices)
    return error_analysis(key, answers, profile) if profile.scope == "document" else None


def _scores(task: Task, evaluation: Evaluation, row: Row) -> dict[str, Score]:
    made = {}
    for name, counts in row.counts.items():
        total = dict(zip(evaluation.columns[name], counts, strict=True))
        if are_number(task):
            scores = are_scores({column: np.array([value]) for column, value in total.items()})
            made[name] = Score(
                recall=float(scores.recall[0]),
                precision=float(scores.precision[0]),
                f1=float(scores.f1[0]),
            )
        else:
            measures = customised(task.scored, task.choices).measures
            made[name] = parse(measures[name]).score(total)
    return made
