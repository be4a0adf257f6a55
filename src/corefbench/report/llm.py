"""Answers of language models: what could be used, as tables and JSON."""

from collections.abc import Iterator
from typing import Any

from corefbench.llm import AnswerReport, Reply
from corefbench.report.renderers import ReportFormat, render_json, render_tables
from corefbench.report.scores import result_to_dict, score_table
from corefbench.report.table import Table, make_table, percent, tabulate
from corefbench.scoring.result import Result

Row = tuple[str, str, str]


def report_answers(
    account: AnswerReport, format: ReportFormat = "table", *, by_answer: bool = False, result: Result | None = None
) -> str:
    """Render what could be used of the answers, and the scores if there are any."""
    if format == "json":
        values = {"account": answers_to_dict(account)}
        if result is not None:
            values["score"] = result_to_dict(result)
        return render_json(values)
    tables = [answers_table(account)]
    if by_answer:
        tables.append(answer_table(account))
    if result is not None:
        tables.append(score_table({"response": result}))
    return render_tables(tables, format)


def answers_table(account: AnswerReport) -> Table:
    """Tabulate all counts."""
    silent = ", ".join(account.silent[:5]) + (" …" if len(account.silent) > 5 else "")
    notes = [f"nothing in: {silent}"] if account.silent else []
    notes += [f"prompts: sha256 {account.prompts}"] if account.prompts else []
    caption = f"{len(account.replies):,} prompts, {len(account.used):,} answers used"
    return make_table(caption, ["What", "Count", "Share"], _count_rows(account), notes)


def _count_rows(account: AnswerReport) -> Iterator[Row]:
    prompts = len(account.replies)
    for state, count in account.states.items():
        yield _row(f"answers {state}", count, prompts)
    yield _row("answers cut off", account.total("cut"), len(account.used))
    yield _row("answers with text around", sum(bool(r.removed) for r in account.used), len(account.used))
    if account.unknown:
        yield _row("answers to no prompt of this corpus", len(account.unknown))
    if account.repeated:
        yield _row("answers replaced by a later one", account.repeated)
    if account.unread:
        yield _row("lines that are no answers", account.unread)
    judged = [reply.right for reply in account.replies if reply.right is not None]
    if judged:
        yield _row("antecedents right", sum(judged), prompts)
    else:
        yield from _alignment_rows(account)
    yield _row("words in no answer used", account.uncovered, account.words)
    yield _row("documents without anything", len(account.silent), account.documents)


def _alignment_rows(account: AnswerReport) -> Iterator[Row]:
    words, marked = account.total("words"), account.total("marked")
    yield _row("words not in the answer", account.total("unaligned"), words)
    yield _row("words added", account.total("added"))
    yield _row("words changed", account.total("changed"), words)
    yield _row("mentions marked", marked)
    yield _row("mentions used", account.total("mentions"), marked)
    yield _row("marks written otherwise, understood", account.total("variants"), marked)
    for reason, count in account.dropped.items():
        yield _row(f"brackets dropped: {reason}", count)
    lost, chains = account.total("lost_chains"), account.total("chains")
    yield _row("chains used", chains, chains + lost)
    yield _row("chains lost", lost, chains + lost)
    if account.joined or account.refused:
        yield _row("chains joined across windows", account.joined)
        yield _row("chains that met two, joined with one", account.refused)


def _row(what: str, count: int, whole: int = 0) -> Row:
    return what, str(count), percent(count / whole) if whole else ""


def answer_table(account: AnswerReport) -> Table:
    """Tabulate the answers."""
    return tabulate(
        "Answer by answer",
        account.replies,
        {
            "Answer": "id",
            "State": "state",
            "Words": "words",
            "Missing": "unaligned",
            "Added": "added",
            "Marked": "marked",
            "Used": "mentions",
            "Remarks": _remarks,
        },
    )


def _remarks(reply: Reply) -> str:
    remarks = [*reply.removed, *(["cut off"] if reply.cut else [])]
    remarks += [f"{count} {reason}" for reason, count in reply.dropped.items()]
    if reply.right is not None:
        remarks.append("right" if reply.right else "wrong")
    return ", ".join(remarks)


def answers_to_dict(account: AnswerReport) -> dict[str, Any]:
    """Return the account as a dictionary for JSON; programs may rely on the keys."""
    names = ("words", "unaligned", "added", "changed", "cut", "marked", "mentions", "variants")
    judged = [reply.right for reply in account.replies if reply.right is not None]
    return {
        "prompts": len(account.replies),
        "used": len(account.used),
        "states": account.states,
        "in_used_answers": {name: account.total(name) for name in names},
        "unaligned_share": account.unaligned_share,
        "brackets_dropped": account.dropped,
        "chains": account.total("chains"),
        "chains_lost": account.total("lost_chains"),
        "chains_joined": account.joined,
        "chains_refused": account.refused,
        "antecedents_right": sum(judged) if judged else None,
        "documents": account.documents,
        "documents_without_anything": account.silent,
        "words": account.words,
        "words_in_no_answer_used": account.uncovered,
        "answers_to_no_prompt": account.unknown,
        "answers_replaced": account.repeated,
        "lines_unread": account.unread,
        "prompts_sha256": account.prompts or None,
        "answers": list(account.replies),
    }
