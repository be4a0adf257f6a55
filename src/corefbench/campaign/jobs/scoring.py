"""Score answers against the key of a task, by a profile or as ARE does."""

import hashlib
from collections.abc import Sequence
from math import ceil
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from corefbench.campaign.domain.config import Data, Task
from corefbench.campaign.domain.evaluation import DocumentRow, Evaluation
from corefbench.campaign.domain.ranking import compute_headline, get_are_task_number, get_ranking_score
from corefbench.campaign.jobs.redaction import redact_findings
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.scope import apply_scope
from corefbench.formats.load import load
from corefbench.scoring.api import score
from corefbench.scoring.overrides import customise_profile
from corefbench.scoring.result import Result
from corefbench.tasks.are.result import Average
from corefbench.tasks.are.result import TaskResult as AreResult

_ARE_COLUMNS = ("hits", "key_total", "response_total")


def read_key(folder: Path, task: Task, data: Data) -> Corpus:
    """Read the key; for ARE tasks, in the form in which they are scored."""
    corpus = load(folder / data.key, format=data.format or None)
    if not get_are_task_number(task):
        return corpus
    from corefbench.tasks.are.make import make_task_corpus

    return make_task_corpus(corpus, get_are_task_number(task))


def score_answers(
    folder: Path, task: Task, data: Data, public: float, answers: Corpus, key: Corpus | None = None
) -> Evaluation:
    """Return the scores of answers, with the counts of every document.

    Findings are redacted: they quote the answers, not the key.
    """
    key = key if key is not None else read_key(folder, task, data)
    evaluation = (
        _score_are_task(task, key, answers) if get_are_task_number(task) else _score_by_profile(task, key, answers)
    )
    shown = select_public_documents([row.document for row in evaluation.rows], public)
    own = answers.documents.labels()
    return replace(
        evaluation,
        headline=compute_headline(task, evaluation).value,
        public=compute_headline(task, evaluation, shown).value,
        public_documents=shown,
        findings=redact_findings(evaluation.findings, own, answers.name),
    )


def select_public_documents(documents: Sequence[str], share: float) -> tuple[str, ...]:
    """Return the documents that the board shows before publication, at least one, in their order.

    The choice depends on their names alone: those with the smallest SHA-256.

    >>> select_public_documents(["a", "b", "c", "d"], 0.5)
    ('c', 'd')
    """
    count = max(ceil(share * len(documents)), 1)
    order = sorted(documents, key=lambda name: hashlib.sha256(name.encode()).digest())
    chosen = set(order[:count])
    return tuple(name for name in documents if name in chosen)


def _score_by_profile(task: Task, key: Corpus, answers: Corpus) -> Evaluation:
    result = score(key, answers, customise_profile(task.scored, task.choices))
    answered = _find_answered(result, answers)
    values = {name: tally.values.tolist() for name, tally in result.tallies.items()}
    return Evaluation(
        signature=str(result.signature),
        scores=result.scores,
        ranking=get_ranking_score(task),
        headline=0.0,
        public=0.0,
        columns={name: tally.columns for name, tally in result.tallies.items()},
        rows=tuple(
            DocumentRow(
                document=document,
                counts={name: tuple(rows[number]) for name, rows in values.items()},
                answered=answered[number],
            )
            for number, document in enumerate(result.documents)
        ),
        findings=result.findings,
    )


def _find_answered(result: Result, answers: Corpus) -> list[bool]:
    """Return for every scored document whether the answers have a mention in it."""
    scoped = apply_scope(answers, result.profile.scope)
    labels = scoped.documents.labels()
    if len(labels) == len(result.documents) == 1:
        labels = result.documents
    mention_counts = np.bincount(scoped.mentions.document, minlength=len(labels))
    answered = {label for label, count in zip(labels, mention_counts.tolist(), strict=True) if count}
    return [document in answered for document in result.documents]


def _score_are_task(task: Task, key: Corpus, answers: Corpus) -> Evaluation:
    result = _run_are_scorer(task, key, answers)
    name = get_ranking_score(task)
    return Evaluation(
        signature=result.signature,
        scores={name: result.score},
        ranking=name,
        headline=0.0,
        public=0.0,
        columns={name: _ARE_COLUMNS},
        rows=tuple(
            DocumentRow(
                document=one.document,
                counts={name: (one.hits, float(one.key_total), float(one.response_total))},
                answered=one.response_total > 0,
            )
            for one in result.documents
        ),
        findings=result.findings,
    )


def _run_are_scorer(task: Task, key: Corpus, answers: Corpus) -> AreResult:
    from typing import cast

    from corefbench.tasks.are.overlap import Weighting
    from corefbench.tasks.are.score import score_task

    return score_task(
        get_are_task_number(task),
        key,
        answers,
        average=cast(Average, task.choices.get("average", "macro")),
        weighting=cast(Weighting, task.choices.get("weighting", "mean")),
    )
