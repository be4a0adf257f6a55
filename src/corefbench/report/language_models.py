"""What became of the answers of a language model, as tables and as plain values."""

from collections.abc import Iterator
from typing import Any

import msgspec

from corefbench.language_models import Account, Reply
from corefbench.report import ReportFormat, machine, render_tables
from corefbench.report.table import Table, percent, score_table
from corefbench.scoring.result import Result

Row = tuple[str, str, str]


def report_account(
    account: Account,
    format: ReportFormat = "table",
    *,
    by_answer: bool = False,
    result: Result | None = None,
) -> str:
    """The account, and beside it the scores where there are some."""
    if format == "json":
        made = {"account": as_object(account)}
        if result is not None:
            made["score"] = machine.as_object(result)
        return msgspec.json.format(msgspec.json.encode(made), indent=2).decode()
    tables = [account_table(account)]
    if by_answer:
        tables.append(answer_table(account))
    if result is not None:
        tables.append(score_table({"response": result}))
    return render_tables(tables, format)


def account_table(account: Account) -> Table:
    """A row for everything that was counted."""
    silent = ", ".join(account.silent[:5]) + (" …" if len(account.silent) > 5 else "")
    notes = [f"nothing in: {silent}"] if account.silent else []
    notes += [f"prompts: sha256 {account.prompts}"] if account.prompts else []
    return Table(
        caption=f"{len(account.replies):,} prompts, {len(account.used):,} answers used",
        headers=("What", "Count", "Share"),
        rows=tuple(_rows(account)),
        notes=tuple(notes),
    )


def _rows(account: Account) -> Iterator[Row]:
    prompts = len(account.replies)
    for state, count in account.states.items():
        yield _row(f"answers {state}", count, prompts)
    yield _row("answers cut off", account.total("cut"), len(account.used))
    yield _row(
        "answers with text around", sum(bool(r.removed) for r in account.used), len(account.used)
    )
    if account.unknown:
        yield _row("answers to no prompt of this corpus", len(account.unknown))
    if account.repeated:
        yield _row("answers replaced by a later one", account.repeated)
    if account.unread:
        yield _row("lines that are no answers", account.unread)
    asked = [reply.right for reply in account.replies if reply.right is not None]
    if asked:
        yield _row("antecedents right", sum(asked), prompts)
    else:
        yield from _words_and_marks(account)
    yield _row("words in no answer used", account.uncovered, account.words)
    yield _row("documents without anything", len(account.silent), account.documents)


def _words_and_marks(account: Account) -> Iterator[Row]:
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


def answer_table(account: Account) -> Table:
    """A row an answer."""
    return Table(
        caption="Answer by answer",
        headers=("Answer", "State", "Words", "Missing", "Added", "Marked", "Used", "Remarks"),
        rows=tuple(
            (
                reply.id,
                reply.state,
                str(reply.words),
                str(reply.unaligned),
                str(reply.added),
                str(reply.marked),
                str(reply.mentions),
                _remarks(reply),
            )
            for reply in account.replies
        ),
    )


def _remarks(reply: Reply) -> str:
    said = [*reply.removed, *(["cut off"] if reply.cut else [])]
    said += [f"{count} {reason}" for reason, count in reply.dropped.items()]
    if reply.right is not None:
        said.append("right" if reply.right else "wrong")
    return ", ".join(said)


def as_object(account: Account) -> dict[str, Any]:
    """The account in plain values; programs may rely on the keys."""
    names = ("words", "unaligned", "added", "changed", "cut", "marked", "mentions", "variants")
    asked = [reply.right for reply in account.replies if reply.right is not None]
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
        "antecedents_right": sum(asked) if asked else None,
        "documents": account.documents,
        "documents_without_anything": account.silent,
        "words": account.words,
        "words_in_no_answer_used": account.uncovered,
        "answers_to_no_prompt": account.unknown,
        "answers_replaced": account.repeated,
        "lines_unread": account.unread,
        "prompts_sha256": account.prompts or None,
        "answers": [msgspec.to_builtins(reply) for reply in account.replies],
    }
