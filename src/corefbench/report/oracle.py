"""The mention-detection oracle as a table, as sentences and as plain values."""

from html import escape
from typing import Any

import msgspec

from corefbench.analysis.oracle.study import Oracle
from corefbench.analysis.singletons.words import title
from corefbench.report import ReportFormat, machine, render_tables
from corefbench.report.table import Table, percent


def report_oracle(made: Oracle, format: ReportFormat = "table", *, more: str = "") -> str:
    """The study as text; ``more`` is HTML for the end of a page."""
    if format == "json":
        return msgspec.json.format(msgspec.json.encode(as_object(made)), indent=2).decode()
    if format == "html":
        items = "".join(f"<li>{escape(sentence)}</li>" for sentence in made.explanation())
        said = f"<h2>In words</h2><ul>{items}</ul>{more}"
        return render_tables([oracle_table(made)], format, more=said)
    text = render_tables([oracle_table(made)], format)
    if format in ("table", "markdown"):
        words = "\n".join(f"- {sentence}" for sentence in made.explanation())
        return f"{text}\n\nIn words:\n\n{words}"
    return text


def oracle_table(made: Oracle) -> Table:
    """F1: a row for every resolver and every set of mentions."""
    first = next(iter(next(iter(made.results.values())).values()))
    rows = []
    for resolver, results in made.results.items():
        for given, result in results.items():
            count = made.mentions[given]
            cells = [percent(s.f1, result.profile.rounding) for s in result.scores.values()]
            cells += [percent(result.conll.f1)] if result.conll else []
            rows.append((resolver, given, f"{count:,}" if count else "–", *cells))
    return Table(
        caption=f"Mention detection on {made.corpus}, {made.mode} mode; F1 by "
        f"{first.profile.title}",
        headers=(
            "Resolver",
            "Mentions given",
            "How many",
            *(title(first, name) for name in first),
            *(("CoNLL",) if first.conll else ()),
        ),
        rows=tuple(rows),
        notes=tuple(made.signature(name, "gold") for name in made.results),
    )


def as_object(made: Oracle) -> dict[str, Any]:
    """The study in plain values; programs may rely on the keys."""
    return {
        "corpus": made.corpus,
        "mode": made.mode,
        "preprocessing": made.preprocessing,
        "mentions_given": dict(made.mentions),
        "own_mentions": list(made.strangers),
        "resolvers": {
            resolver: {
                given: {
                    **machine.as_object(result),
                    "signature": made.signature(resolver, given),
                }
                for given, result in results.items()
            }
            for resolver, results in made.results.items()
        },
        "explanation": list(made.explanation()),
    }
