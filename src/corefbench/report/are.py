"""The Anaphora Resolution Exercise as tables and as plain values."""

from collections.abc import Mapping
from typing import Any

import msgspec

from corefbench.are.make import Made
from corefbench.are.paper import printed_scores
from corefbench.are.result import Result
from corefbench.are.run import Exercise
from corefbench.are.tasks import TASKS, Task
from corefbench.measures.tally import Score
from corefbench.report import ReportFormat, render_tables
from corefbench.report.table import Table, percent

_MEANS = {"macro": "means over documents", "micro": "sums over documents"}


def report_score(
    result: Result, format: ReportFormat = "table", *, by_document: bool = False
) -> str:
    """The score of one participant as text."""
    if format == "json":
        return _json(score_object(result))
    table = document_table(result) if by_document else score_table(result)
    return render_tables([table], format)


def report_exercise(made: Exercise, format: ReportFormat = "table") -> str:
    """Participants side by side, above those of 2007."""
    if format == "json":
        return _json(exercise_object(made))
    return render_tables([exercise_table(made)], format)


def report_made(made: Made, format: ReportFormat = "table") -> str:
    """What was made, and what was left out."""
    if format == "json":
        return _json(made_object(made))
    rows = tuple(
        (str(task), TASKS[task].title, *(f"{count:,}" for count in _counts(made, task).values()))
        for task in made.tasks
    )
    dropped = made.dropped
    notes = (
        f"{dropped.links:,} links and {dropped.mentions:,} mentions left out by the filters; "
        f"{made.crossing:,} mentions cross another and cannot be marked in tasks 1 and 2",
    )
    headers = ("Task", "What", *(name.capitalize() for name in _counts(made, 1)))
    table = Table(caption="The exercise", headers=headers, rows=rows, notes=notes)
    return render_tables([table], format)


def score_table(result: Result) -> Table:
    """Both averages."""
    rows = [
        (_MEANS[name], *_cells(result.task, score))
        for name, score in (("macro", result.macro), ("micro", result.micro))
    ]
    rows.sort(key=lambda row: row[0] != _MEANS[result.average])
    return Table(
        caption=_caption(result.task) + f"; {len(result.documents):,} documents",
        headers=("Average", *task_headers(result.task)),
        rows=tuple(rows),
        notes=(result.signature,),
    )


def document_table(result: Result) -> Table:
    """A row a document, then the average."""
    rows = [
        (d.document, *_cells(result.task, d.score), f"{d.hits:.2f}", str(d.key_total))
        for d in result.documents
    ]
    total = sum(d.key_total for d in result.documents)
    hits = sum(d.hits for d in result.documents)
    rows.append(
        (_MEANS[result.average], *_cells(result.task, result.score), f"{hits:.2f}", str(total))
    )
    return Table(
        caption=_caption(result.task),
        headers=("Document", *task_headers(result.task), "Earned", "Of"),
        rows=tuple(rows),
        notes=(result.signature,),
    )


def exercise_table(made: Exercise) -> Table:
    """A row a participant, the paper's own below."""
    average = next(iter(made.results.values())).average
    rows = [(name, *_cells(made.task, result.score)) for name, result in made.results.items()]
    rows += [
        (f"2007: {name}", *_cells(made.task, Score(**_whole(printed))))
        for name, printed in printed_scores(made.task.number).items()
    ]
    return Table(
        caption=f"{_caption(made.task)}, on {made.corpus}; {_MEANS[average]}; "
        "below, other texts: what Orăsan et al. (2008) print",
        headers=("Participant", *task_headers(made.task)),
        rows=tuple(rows),
        notes=tuple(made.signature(name) for name in made.results),
    )


def score_object(result: Result) -> dict[str, Any]:
    """The score in plain values; programs may rely on the keys."""
    return {
        "task": result.task.number,
        **_values(result.task, result.score),
        "average": result.average,
        "weighting": result.weighting,
        "macro": _values(result.task, result.macro),
        "micro": _values(result.task, result.micro),
        "documents": len(result.documents),
        "by_document": {
            d.document: {
                **_values(result.task, d.score),
                "hits": d.hits,
                "key_total": d.key_total,
                "response_total": d.response_total,
            }
            for d in result.documents
        },
        "signature": result.signature,
        "findings": [msgspec.to_builtins(finding) for finding in result.findings],
    }


def exercise_object(made: Exercise) -> dict[str, Any]:
    """The exercise in plain values; programs may rely on the keys."""
    return {
        "task": made.task.number,
        "corpus": made.corpus,
        "documents": len(made.documents),
        "preprocessing": made.preprocessing,
        "participants": {
            name: {**score_object(result), "signature": made.signature(name)}
            for name, result in made.results.items()
        },
        "printed": {
            name: _values(made.task, Score(**_whole(printed)))
            for name, printed in printed_scores(made.task.number).items()
        },
    }


def made_object(made: Made) -> dict[str, Any]:
    """What was made, in plain values."""
    return {
        "tasks": {str(task): _counts(made, task) for task in made.tasks},
        "links_dropped": made.dropped.links,
        "mentions_dropped": made.dropped.mentions,
        "crossing": made.crossing,
    }


def _counts(made: Made, task: int) -> dict[str, int]:
    corpus = made.tasks[task]
    return {
        "documents": len(corpus),
        "words": len(corpus.tokens),
        "entities": len(corpus.mentions),
        "chains": int((corpus.chain_sizes() > 1).sum()),
        "pronouns": made.pronouns(task),
    }


def _caption(task: Task) -> str:
    return f"ARE task {task.number}, {task.title}"


def task_headers(task: Task) -> tuple[str, ...]:
    """What a task is scored by."""
    return ("Success rate",) if task.number == 1 else ("Recall", "Precision", "F1")


def _cells(task: Task, score: Score) -> tuple[str, ...]:
    return tuple(percent(value) for value in _values(task, score).values())


def _values(task: Task, score: Score) -> dict[str, float]:
    if task.number == 1:
        return {"success_rate": score.recall}
    return {"recall": score.recall, "precision": score.precision, "f1": score.f1}


def _whole(printed: Mapping[str, float]) -> dict[str, float]:
    return {name: printed.get(name, 0.0) for name in ("recall", "precision", "f1")}


def _json(made: dict[str, Any]) -> str:
    return msgspec.json.format(msgspec.json.encode(made), indent=2).decode()
