"""The Anaphora Resolution Exercise: tables and JSON."""

from typing import Any

from corefbench.report.renderers import ReportFormat, render_json, render_tables
from corefbench.report.table import Table, make_table
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
    dropped = tasks.dropped
    counts = {task: _task_counts(tasks, task) for task in tasks.tasks}
    table = make_table(
        "The exercise",
        ["Task", "What", *(name.capitalize() for name in counts[1])],
        ([task, TASKS[task].title, *(f"{n:,}" for n in sizes.values())] for task, sizes in counts.items()),
        [
            f"{dropped.links:,} links and {dropped.mentions:,} mentions left out by the filters; "
            f"{tasks.crossing:,} mentions cross another and cannot be marked in tasks 1 and 2"
        ],
    )
    return render_tables([table], format)


def score_table(result: TaskResult) -> Table:
    """Tabulate both averages."""
    other = "micro" if result.average == "macro" else "macro"
    return make_table(
        f"{_caption(result.task)}; {len(result.documents):,} documents",
        ["Average", *task_headers(result.task)],
        (
            [_MEANS[average], *_score_values(result.task, getattr(result, average)).values()]
            for average in (result.average, other)
        ),
        [result.signature],
    )


def document_table(result: TaskResult) -> Table:
    """Tabulate scores by document, then the average."""
    task, documents = result.task, result.documents
    rows = [(d.document, d.score, d.hits, d.key_total) for d in documents]
    rows.append(
        (_MEANS[result.average], result.score, sum(d.hits for d in documents), sum(d.key_total for d in documents))
    )
    return make_table(
        _caption(task),
        ["Document", *task_headers(task), "Earned", "Of"],
        ([name, *_score_values(task, score).values(), f"{hits:.2f}", total] for name, score, hits, total in rows),
        [result.signature],
    )


def exercise_table(exercise: Exercise) -> Table:
    """Tabulate scores by participant, those of the paper below."""
    average = next(iter(exercise.results.values())).average
    rows = {name: _score_values(exercise.task, result.score) for name, result in exercise.results.items()}
    rows |= {f"2007: {name}": values for name, values in _printed_values(exercise).items()}
    return make_table(
        f"{_caption(exercise.task)}, on {exercise.corpus}; {_MEANS[average]}; "
        "below, other texts: what Orăsan et al. (2008) print",
        ["Participant", *task_headers(exercise.task)],
        ([name, *values.values()] for name, values in rows.items()),
        [exercise.signature(name) for name in exercise.results],
    )


def score_to_dict(result: TaskResult) -> dict[str, Any]:
    """Return the score as a dictionary for JSON; programs may rely on the keys."""
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
        "findings": list(result.findings),
    }


def exercise_to_dict(exercise: Exercise) -> dict[str, Any]:
    """Return the exercise as a dictionary for JSON; programs may rely on the keys."""
    return {
        "task": exercise.task.number,
        "corpus": exercise.corpus,
        "documents": len(exercise.documents),
        "preprocessing": exercise.preprocessing,
        "participants": {
            name: {**score_to_dict(result), "signature": exercise.signature(name)}
            for name, result in exercise.results.items()
        },
        "printed": _printed_values(exercise),
    }


def tasks_to_dict(tasks: TaskCorpora) -> dict[str, Any]:
    """Return the size of the tasks as a dictionary for JSON."""
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


def _score_values(task: Task, score: Score) -> dict[str, float]:
    if task.number == 1:
        return {"success_rate": score.recall}
    return {"recall": score.recall, "precision": score.precision, "f1": score.f1}


def _printed_values(exercise: Exercise) -> dict[str, dict[str, float]]:
    """Return the scores that the paper prints, by participant; what it leaves out is 0."""
    zeros = {"recall": 0.0, "precision": 0.0, "f1": 0.0}
    return {
        name: _score_values(exercise.task, Score(**{**zeros, **printed}))
        for name, printed in printed_scores(exercise.task.number).items()
    }
