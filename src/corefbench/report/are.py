"""The Anaphora Resolution Exercise: tables and JSON."""

from collections.abc import Mapping
from typing import Any

import msgspec

from corefbench.report.renderers import ReportFormat, render_json, render_tables
from corefbench.report.table import Table, percent
from corefbench.scoring.measures.tally import Score
from corefbench.tasks.are.make import TaskCorpora
from corefbench.tasks.are.result import TASKS, Task, TaskResult, printed_scores
from corefbench.tasks.are.run import Exercise

_MEANS = {"macro": "means over documents", "micro": "sums over documents"}


def report_score(result: TaskResult, format: ReportFormat = "table", *, by_document: bool = False) -> str:
    """Render the score of one participant."""
    if format == "json":
        return render_json(score_to_dict(result))
    table = document_table(result) if by_document else score_table(result)
    return render_tables([table], format)


def report_exercise(exercise: Exercise, format: ReportFormat = "table") -> str:
    """Render participants side by side, above those of 2007."""
    if format == "json":
        return render_json(exercise_to_dict(exercise))
    return render_tables([exercise_table(exercise)], format)


def report_tasks(tasks: TaskCorpora, format: ReportFormat = "table") -> str:
    """Render the size of the tasks, and what the filters left out."""
    if format == "json":
        return render_json(tasks_to_dict(tasks))
    rows = tuple(
        (str(task), TASKS[task].title, *(f"{count:,}" for count in _task_counts(tasks, task).values()))
        for task in tasks.tasks
    )
    dropped = tasks.dropped
    notes = (
        f"{dropped.links:,} links and {dropped.mentions:,} mentions left out by the filters; "
        f"{tasks.crossing:,} mentions cross another and cannot be marked in tasks 1 and 2",
    )
    headers = ("Task", "What", *(name.capitalize() for name in _task_counts(tasks, 1)))
    table = Table(caption="The exercise", headers=headers, rows=rows, notes=notes)
    return render_tables([table], format)


def score_table(result: TaskResult) -> Table:
    """Tabulate both averages."""
    rows = [
        (_MEANS[name], *_score_cells(result.task, score))
        for name, score in (("macro", result.macro), ("micro", result.micro))
    ]
    rows.sort(key=lambda row: row[0] != _MEANS[result.average])
    return Table(
        caption=_caption(result.task) + f"; {len(result.documents):,} documents",
        headers=("Average", *task_headers(result.task)),
        rows=tuple(rows),
        notes=(result.signature,),
    )


def document_table(result: TaskResult) -> Table:
    """Tabulate scores by document, then the average."""
    rows = [
        (d.document, *_score_cells(result.task, d.score), f"{d.hits:.2f}", str(d.key_total)) for d in result.documents
    ]
    total = sum(d.key_total for d in result.documents)
    hits = sum(d.hits for d in result.documents)
    rows.append((_MEANS[result.average], *_score_cells(result.task, result.score), f"{hits:.2f}", str(total)))
    return Table(
        caption=_caption(result.task),
        headers=("Document", *task_headers(result.task), "Earned", "Of"),
        rows=tuple(rows),
        notes=(result.signature,),
    )


def exercise_table(exercise: Exercise) -> Table:
    """Tabulate scores by participant, those of the paper below."""
    average = next(iter(exercise.results.values())).average
    rows = [(name, *_score_cells(exercise.task, result.score)) for name, result in exercise.results.items()]
    rows += [
        (f"2007: {name}", *_score_cells(exercise.task, Score(**_with_zeros(printed))))
        for name, printed in printed_scores(exercise.task.number).items()
    ]
    return Table(
        caption=f"{_caption(exercise.task)}, on {exercise.corpus}; {_MEANS[average]}; "
        "below, other texts: what Orăsan et al. (2008) print",
        headers=("Participant", *task_headers(exercise.task)),
        rows=tuple(rows),
        notes=tuple(exercise.signature(name) for name in exercise.results),
    )


def score_to_dict(result: TaskResult) -> dict[str, Any]:
    """Return the score in plain values; programs may rely on the keys."""
    return {
        "task": result.task.number,
        **_score_values(result.task, result.score),
        "average": result.average,
        "weighting": result.weighting,
        "macro": _score_values(result.task, result.macro),
        "micro": _score_values(result.task, result.micro),
        "documents": len(result.documents),
        "by_document": {
            d.document: {
                **_score_values(result.task, d.score),
                "hits": d.hits,
                "key_total": d.key_total,
                "response_total": d.response_total,
            }
            for d in result.documents
        },
        "signature": result.signature,
        "findings": [msgspec.to_builtins(finding) for finding in result.findings],
    }


def exercise_to_dict(exercise: Exercise) -> dict[str, Any]:
    """Return the exercise in plain values; programs may rely on the keys."""
    return {
        "task": exercise.task.number,
        "corpus": exercise.corpus,
        "documents": len(exercise.documents),
        "preprocessing": exercise.preprocessing,
        "participants": {
            name: {**score_to_dict(result), "signature": exercise.signature(name)}
            for name, result in exercise.results.items()
        },
        "printed": {
            name: _score_values(exercise.task, Score(**_with_zeros(printed)))
            for name, printed in printed_scores(exercise.task.number).items()
        },
    }


def tasks_to_dict(tasks: TaskCorpora) -> dict[str, Any]:
    """Return the size of the tasks in plain values."""
    return {
        "tasks": {str(task): _task_counts(tasks, task) for task in tasks.tasks},
        "links_dropped": tasks.dropped.links,
        "mentions_dropped": tasks.dropped.mentions,
        "crossing": tasks.crossing,
    }


def _task_counts(tasks: TaskCorpora, task: int) -> dict[str, int]:
    corpus = tasks.tasks[task]
    return {
        "documents": len(corpus),
        "words": len(corpus.tokens),
        "entities": len(corpus.mentions),
        "chains": int((corpus.chain_sizes() > 1).sum()),
        "pronouns": tasks.pronouns(task),
    }


def _caption(task: Task) -> str:
    return f"ARE task {task.number}, {task.title}"


def task_headers(task: Task) -> tuple[str, ...]:
    """Return the headers of the scores of a task."""
    return ("Success rate",) if task.number == 1 else ("Recall", "Precision", "F1")


def _score_cells(task: Task, score: Score) -> tuple[str, ...]:
    return tuple(percent(value) for value in _score_values(task, score).values())


def _score_values(task: Task, score: Score) -> dict[str, float]:
    if task.number == 1:
        return {"success_rate": score.recall}
    return {"recall": score.recall, "precision": score.precision, "f1": score.f1}


def _with_zeros(printed: Mapping[str, float]) -> dict[str, float]:
    return {name: printed.get(name, 0.0) for name in ("recall", "precision", "f1")}
