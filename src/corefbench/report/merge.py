"""The account of a merge as tables and as plain values."""

from typing import Any

import msgspec

from corefbench.analysis.annotation.accounts import Tale
from corefbench.analysis.annotation.conflicts import Conflict
from corefbench.analysis.annotation.merge import Merge
from corefbench.analysis.annotation.sheets import in_words
from corefbench.report import ReportFormat, render_tables
from corefbench.report.table import Table


def report_merge(made: Merge, format: ReportFormat = "table", *, more: str = "") -> str:
    """The account as text; ``more`` is HTML for the end of a page."""
    if format == "json":
        return msgspec.json.format(msgspec.json.encode(as_object(made)), indent=2).decode()
    if format == "csv":  # one table, so that programs can read it
        return render_tables([account_table(made)], format)
    return render_tables([account_table(made), conflict_table(made)], format, more=more)


def account_table(made: Merge) -> Table:
    """What became of each annotator's mentions and links."""
    headers: tuple[str, ...] = ("Annotator", "Documents")
    for what in ("Mentions", "Links"):
        headers += (what, "Kept", "Dropped", "From others")
    rows = tuple(
        (one.annotator, str(one.documents), *_cells(one.mentions), *_cells(one.links))
        for one in made.accounts
    )
    rule = made.rule
    return Table(
        caption=f"Merged: {len(made.corpus.mentions):,} mentions in "
        f"{len(made.corpus.chains):,} chains of {len(made.corpus):,} documents",
        headers=headers,
        rows=rows,
        notes=(f"mentions: {rule.mentions}; links: {rule.links}; ties: {rule.ties}",),
    )


def conflict_table(made: Merge) -> Table:
    """How many conflicts there were, and who decided them."""
    rows = []
    for kind, title in (("mention", "Mentions"), ("chains", "Chains")):
        some = [conflict for conflict in made.conflicts if conflict.kind == kind]
        answered = sum(bool(conflict.decision) for conflict in some)
        rows.append((title, str(len(some)), str(answered), str(len(some) - answered)))
    return Table(
        caption="Conflicts",
        headers=("About", "Conflicts", "Decided by a person", "Decided by the rule"),
        rows=tuple(rows),
    )


def as_object(made: Merge) -> dict[str, Any]:
    """The merge in plain values; programs may rely on the keys."""
    return {
        "documents": len(made.corpus),
        "mentions": len(made.corpus.mentions),
        "chains": len(made.corpus.chains),
        "rule": msgspec.to_builtins(made.rule),
        "annotations": made.digest,
        "accounts": [
            {
                "annotator": one.annotator,
                "documents": one.documents,
                "mentions": _values(one.mentions),
                "links": _values(one.links),
            }
            for one in made.accounts
        ],
        "conflicts": [_conflict(conflict) for conflict in made.conflicts],
        "findings": [msgspec.to_builtins(finding) for finding in made.findings],
    }


def _cells(tale: Tale) -> tuple[str, ...]:
    return tuple(f"{n:,}" for n in (tale.marked, tale.kept, tale.dropped, tale.added))


def _values(tale: Tale) -> dict[str, int]:
    return {
        "marked": tale.marked,
        "kept": tale.kept,
        "dropped": tale.dropped,
        "added": tale.added,
    }


def _conflict(conflict: Conflict) -> dict[str, Any]:
    return {
        "number": conflict.number,
        "kind": conflict.kind,
        "document": conflict.document,
        "pieces": [[in_words(parts) for _, parts in spots] for spots in conflict.spots],
        "says": conflict.says,
        "rule": conflict.rule,
        "decision": conflict.decision or None,
    }
