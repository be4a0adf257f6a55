"""Scores answers against the key of a task: by a profile, or as the exercise does."""

import hashlib
from collections.abc import Sequence
from math import ceil
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from corefbench.are.result import Mean
from corefbench.are.result import Result as AreResult
from corefbench.campaign.domain.definition import Data, Task
from corefbench.campaign.domain.evaluation import Evaluation, Row
from corefbench.campaign.domain.headline import headline
from corefbench.campaign.domain.scores import are_number, ranking_score
from corefbench.campaign.jobs.discreet import discreet_findings
from corefbench.formats.load import load
from corefbench.model.corpus import Corpus
from corefbench.scope import apply_scope
from corefbench.scoring.api import score
from corefbench.scoring.choosing import customised
from corefbench.scoring.result import Result

_ARE_COLUMNS = ("hits", "key_total", "response_total")


def read_key(folder: Path, task: Task, data: Data) -> Corpus:
    """The key; of the exercise's tasks in the shape that they are scored in."""
    corpus = load(folder / data.key, format=data.format or None)
    if not are_number(task):
        return corpus
    from corefbench.are.make import task_corpus

    return task_corpus(corpus, are_number(task))


def evaluate(
    folder: Path, task: Task, data: Data, public: float, answers: Corpus, key: Corpus | None = None
) -> Evaluation:
    """The scores of answers, with what every document counts.

    Findings are discreet: they quote the answers, not the key.
    """
    key = key if key is not None else read_key(folder, task, data)
    made = _of_task(task, key, answers) if are_number(task) else _of_profile(task, key, answers)
    shown = public_share([row.document for row in made.rows], public)
    own = answers.documents.labels()
    return replace(
        made,
        headline=headline(task, made).value,
        public=headline(task, made, shown).value,
        public_documents=shown,
        findings=discreet_findings(made.findings, own, answers.name),
    )


def public_share(documents: Sequence[str], share: float) -> tuple[str, ...]:
    """The documents that the board shows before publication, in their order.

    Which they are depends on their names alone: those with the least SHA-256. At least one is.

    >>> public_share(["a", "b", "c", "d"], 0.5)
    ('c', 'd')
    """
    wanted = max(ceil(share * len(documents)), 1)
    order = sorted(documents, key=lambda name: hashlib.sha256(name.encode()).digest())
    chosen = set(order[:wanted])
    return tuple(name for name in documents if name in chosen)


def _of_profile(task: Task, key: Corpus, answers: Corpus) -> Evaluation:
    result = score(key, answers, customised(task.scored, task.choices))
    answered = _answered(result, answers)
    values = {name: tally.values.tolist() for name, tally in result.tallies.items()}
    return Evaluation(
        signature=str(result.signature),
        scores=result.scores,
        ranking=ranking_score(task),
        headline=0.0,
        public=0.0,
        columns={name: tally.columns for name, tally in result.tallies.items()},
        rows=tuple(
            Row(
                document=document,
                counts={name: tuple(rows[number]) for name, rows in values.items()},
                answered=answered[number],
            )
            for number, document in enumerate(result.documents)
        ),
        findings=result.findings,
    )


def _answered(result: Result, answers: Corpus) -> list[bool]:
    """Of every document, or what is scored as one, whether the answers mark anything in it."""
    scoped = apply_scope(answers, result.profile.scope)
    labels = scoped.documents.labels()
    if len(labels) == len(result.documents) == 1:
        labels = result.documents
    marked = np.bincount(scoped.mentions.document, minlength=len(labels))
    known = {label for label, count in zip(labels, marked.tolist(), strict=True) if count}
    return [document in known for document in result.documents]


def _of_task(task: Task, key: Corpus, answers: Corpus) -> Evaluation:
    result = _are_result(task, key, answers)
    name = ranking_score(task)
    return Evaluation(
        signature=result.signature,
        scores={name: result.score},
        ranking=name,
        headline=0.0,
        public=0.0,
        columns={name: _ARE_COLUMNS},
        rows=tuple(
            Row(
                document=one.document,
                counts={name: (one.hits, float(one.key_total), float(one.response_total))},
                answered=one.response_total > 0,
            )
            for one in result.documents
        ),
        findings=result.findings,
    )


def _are_result(task: Task, key: Corpus, answers: Corpus) -> AreResult:
    from typing import cast

    from corefbench.are.overlap import Weighting
    from corefbench.are.score import score_task

    return score_task(
        are_number(task),
        key,
        answers,
        average=cast(Mean, task.choices.get("average", "macro")),
        weighting=cast(Weighting, task.choices.get("weighting", "mean")),
    )
