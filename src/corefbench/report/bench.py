"""Comparisons of resolvers: rates, the tables of Barbu & Mitkov 2001, page and chart."""

from collections import Counter
from html import escape
from typing import TYPE_CHECKING, Any

from corefbench.analysis.comparison import Comparison, Part
from corefbench.analysis.statistics.counts import Rate, mean
from corefbench.analysis.statistics.pronouns import Pronouns
from corefbench.bench.judge import Verdict
from corefbench.bench.run import Bench, Performance
from corefbench.report.charts import interval_chart, interval_row
from corefbench.report.renderers import ReportFormat, render_json, render_page, render_tables
from corefbench.report.table import Table, percent

if TYPE_CHECKING:
    import altair

_RATES = (
    ("success_rate", "Success"),
    ("critical_success_rate", "Critical"),
    ("critical_success_rate_shared", "Critical, shared"),
    ("non_trivial_success_rate", "Non-trivial"),
    ("precision", "Precision"),
    ("recall_identified", "Recall, identified"),
    ("etiquette", "Etiquette"),
    ("resolution_rate", "Resolution rate"),
    ("anchor_recall", "Anchors"),
)
_DASH = "–"
_MAX_PRONOUNS = 2000
"""Largest number of pronouns that a page lists and can still be read."""
_STYLE = """
body { max-width: 110rem; }
.wide > table:not(.pronouns) th[scope=row] { white-space: nowrap; }
.pronouns th, .pronouns td { text-align: left; vertical-align: top; min-width: 7rem; }
.pronouns th[scope=row] { min-width: 24rem; font-weight: normal; }
.pronouns .right { color: light-dark(#0a6b2d, #6fd08c); }
.pronouns .wrong { color: light-dark(#a11a1a, #ff9d9d); }
summary { cursor: pointer; padding: .3rem 0; }
"""
_RATE_TITLES: dict[Part, str] = {"recall": "Success rate", "precision": "Precision", "f1": "F1"}


def report_bench(bench: Bench, format: ReportFormat = "table", *, tables: bool = True) -> str:
    """Render the rates; ``tables`` adds those of Barbu & Mitkov 2001 and the differences."""
    if format == "json":
        return render_json(bench_to_dict(bench))
    chosen = bench_tables(bench) if tables else [rate_table(bench)]
    if format == "html":
        return render_page(chosen, more=_pronoun_sections(bench), style=_STYLE)
    return render_tables(chosen, format)


def bench_tables(bench: Bench) -> list[Table]:
    """Return all tables of a bench."""
    return [
        rate_table(bench),
        file_table(bench),
        pronoun_table(bench),
        form_table(bench),
        disclosure_table(bench),
        difference_table(bench),
    ]


def bench_to_dict(bench: Bench) -> dict[str, Any]:
    """Return the comparison in plain values; programs may rely on the keys."""
    return {
        "corpus": bench.corpus,
        "documents": len(bench.documents),
        "words": sum(bench.words),
        "mode": bench.plan.mode,
        "preprocessing": bench.preprocessing,
        "preprocessing_words_per_second": _words_per_second(sum(bench.words), bench.seconds),
        "resolvers": {
            performance.resolver: _performance_to_dict(bench, performance) for performance in bench.performances
        },
    }


def _performance_to_dict(bench: Bench, performance: Performance) -> dict[str, Any]:
    rates = performance.rates
    values: dict[str, Any] = {name: getattr(rates, name).value for name in rates.__struct_fields__}
    values["anaphors"] = rates.success_rate.total
    values["scores"] = performance.scores
    values["conll"] = performance.conll
    if performance.gap is not None:
        gap = performance.gap
        values["gap"] = {
            "f1": gap.overall.f1,
            "precision": gap.overall.precision,
            "recall": gap.overall.recall,
            "masculine_f1": gap.masculine.f1,
            "feminine_f1": gap.feminine.f1,
            "bias": gap.bias,
        }
    values["words_per_second"] = _words_per_second(performance.words, performance.seconds)
    values["signature"] = bench.signature(performance.resolver)
    return values


def rate_table(bench: Bench) -> Table:
    """Tabulate rates and speed by resolver."""
    gap = any(performance.gap is not None for performance in bench.performances)
    headers = ["Resolver", *(title for _, title in _RATES), "CoNLL F1"]
    headers += ["GAP F1", "GAP bias"] if gap else []
    rows = []
    for performance in bench.performances:
        cells = [_format_rate(getattr(performance.rates, name)) for name, _ in _RATES]
        cells.append(_DASH if performance.conll is None else percent(performance.conll))
        if performance.gap is not None:
            bias = performance.gap.bias
            cells += [percent(performance.gap.overall.f1), _DASH if bias is None else f"{bias:.2f}"]
        speed = _words_per_second(performance.words, performance.seconds)
        rows.append((performance.resolver, *cells, _DASH if speed is None else f"{speed:,.0f}"))
    mode = f"{bench.plan.mode} mode, {'gold' if bench.plan.takes_mentions else 'predicted'} mentions"
    return Table(
        caption=f"Resolvers on {bench.corpus}: {mode}, pre-processing {bench.preprocessing}",
        headers=(*headers, "Words/s"),
        rows=tuple(rows),
        notes=tuple(bench.signature(p.resolver) for p in bench.performances),
    )


def file_table(bench: Bench) -> Table:
    """Tabulate success rate and precision by file, as Table 1 of the paper."""
    names = [performance.resolver for performance in bench.performances]
    groups = [performance.by_document() for performance in bench.performances]
    all_verdicts = bench.performances[0].verdicts
    rows = []
    for document, words in zip(bench.documents, bench.words, strict=True):
        rates = [group.get(document) for group in groups]
        verdicts = [v for v in all_verdicts if v.document == document]
        anaphoric = sum(v.anaphoric for v in verdicts)
        success = (_DASH if r is None else _format_rate(r.success_rate) for r in rates)
        precision = (_DASH if r is None else _format_rate(r.precision) for r in rates)
        counts = f"{words:,}", str(len(verdicts)), str(anaphoric)
        rows.append((document, *counts, *success, *precision))
    rows.append(
        (
            "Total",
            f"{sum(bench.words):,}",
            str(len(all_verdicts)),
            str(sum(v.anaphoric for v in all_verdicts)),
            *(_format_rate(p.rates.success_rate) for p in bench.performances),
            *(_format_rate(p.rates.precision) for p in bench.performances),
        )
    )
    return Table(
        caption="Success rate and precision by file (Barbu & Mitkov 2001, Table 1)",
        headers=(
            "File",
            "Words",
            "Pronouns",
            "Anaphoric",
            *(f"Success {name}" for name in names),
            *(f"Precision {name}" for name in names),
        ),
        rows=tuple(rows),
    )


def pronoun_table(bench: Bench) -> Table:
    """Table 2 of the paper: what the pronouns of each file are like."""
    rows = [
        (document, *_pronoun_cells(counts)) for document, counts in zip(bench.documents, bench.statistics, strict=True)
    ]
    total = sum(bench.statistics, Pronouns())
    return Table(
        caption="Pronouns by file, as the key has them (Barbu & Mitkov 2001, Table 2)",
        headers=(
            "File",
            "Pronouns",
            "Personal",
            "Possessive",
            "Reflexive",
            "Anaphoric",
            "Intrasentential",
            "Sentences, intersentential",
            "Sentences, all",
            "NPs",
            "Candidates",
        ),
        rows=(*rows, ("Total", *_pronoun_cells(total))),
    )


def _pronoun_cells(counts: Pronouns) -> tuple[str, ...]:
    distances = counts.sentence_distances
    between = Counter({value: count for value, count in distances.items() if value > 0})
    kinds = (str(counts.kinds[kind]) for kind in ("personal", "possessive", "reflexive"))
    histograms = (between, distances, counts.noun_phrase_distances, counts.candidates)
    return (
        str(counts.kinds.total()),
        *kinds,
        str(distances.total()),
        str(distances[0]),
        *(_DASH if (value := mean(histogram)) is None else f"{value:.2f}" for histogram in histograms),
    )


def form_table(bench: Bench) -> Table:
    """Success rate by pronoun, and inside and across sentences."""
    forms = list(bench.performances[0].disclosure.forms)
    rows = []
    for performance in bench.performances:
        rows_of = performance.disclosure
        cells = [rows_of.intrasentential, rows_of.intersentential]
        cells += [rows_of.forms.get(form, Rate()) for form in forms]
        rows.append((performance.resolver, *map(_format_rate, cells)))
    return Table(
        caption="Success rate by place and form of the pronoun",
        headers=("Resolver", "Intrasentential", "Intersentential", *forms),
        rows=tuple(rows),
    )


def disclosure_table(bench: Bench) -> Table:
    """Byron's rows: what was evaluated, and what was not."""
    rows = []
    for performance in bench.performances:
        d = performance.disclosure
        counts = (d.raw, d.non_referential, d.referential, d.excluded, d.evaluated, d.correct)
        rows.append((performance.resolver, *map(str, counts), _format_rate(d.recall), _format_rate(d.rate)))
    return Table(
        caption="What was evaluated (Byron 2001)",
        headers=(
            "Resolver",
            "A pronouns",
            "B non-referential",
            "C referential",
            "D excluded",
            "E evaluated",
            "Correct",
            "Recall",
            "Resolution rate",
        ),
        rows=tuple(rows),
    )


def difference_table(bench: Bench) -> Table:
    """McNemar's exact test between every two resolvers."""
    names = [performance.resolver for performance in bench.performances]
    rows = []
    for number, first in enumerate(names):
        for second in names[number + 1 :]:
            test = bench.mcnemar(first, second)
            counts = (str(test.only_first), str(test.only_second))
            p = f"{test.p:.4f}" if test.p >= 0.0001 else "< 0.0001"
            rows.append((f"{first} : {second}", *counts, p, _stars(test.p)))
    return Table(
        caption="Differences on gold anaphors, McNemar's exact test",
        headers=("Pair", "Only first right", "Only second right", "p", ""),
        rows=tuple(rows),
    )


def _stars(p: float) -> str:
    return "***" if p < 0.001 else "**" if p < 0.01 else "*" if p < 0.05 else ""


def _format_rate(rate: Rate) -> str:
    return _DASH if rate.value is None else percent(rate.value)


def _words_per_second(words: int, seconds: float) -> float | None:
    return words / seconds if seconds > 0 else None


def _pronoun_sections(bench: Bench) -> str:
    answers = [
        {(verdict.document, verdict.token): verdict for verdict in performance.verdicts}
        for performance in bench.performances
    ]
    names = "".join(f'<th scope="col">{escape(performance.resolver)}</th>' for performance in bench.performances)
    listed, parts = 0, ["<h2>Pronouns</h2><p>✓ right, ✗ wrong, ○ left alone, + not anaphoric.</p>"]
    for document in bench.documents:
        rows = [place for place in answers[0] if place[0] == document] if answers else []
        if not rows:
            continue
        if listed + len(rows) > _MAX_PRONOUNS:
            parts.append(f"<p>Only the first {listed:,} pronouns are listed.</p>")
            break
        listed += len(rows)
        body = "".join(_pronoun_row(bench, place, [verdicts[place] for verdicts in answers]) for place in rows)
        parts.append(
            f"<details><summary>{escape(document)}, {len(rows)} pronouns</summary>"
            '<div class="wide"><table class="pronouns"><thead><tr><th scope="col">Pronoun</th>'
            f'<th scope="col">Key</th>{names}</tr></thead><tbody>{body}</tbody></table></div>'
            "</details>"
        )
    return "".join(parts)


def _pronoun_row(bench: Bench, place: tuple[str, int], verdicts: list[Verdict]) -> str:
    document, token = place
    snippet = escape(bench.snippets.get(document, {}).get(token, verdicts[0].form))
    cells = "".join(map(_answer_cell, verdicts))
    return f'<tr><th scope="row">{snippet}</th><td>{escape(verdicts[0].expected)}</td>{cells}</tr>'


def _answer_cell(verdict: Verdict) -> str:
    if not verdict.attempted:
        return "<td>○</td>"
    if not verdict.anaphoric:
        return f"<td>+ {escape(verdict.answer)}</td>"
    kind, mark = ("right", "✓") if verdict.correct else ("wrong", "✗")
    return f'<td class="{kind}">{mark} {escape(verdict.answer)}</td>'


def rate_rows(comparison: Comparison) -> list[dict[str, object]]:
    """Return resolver, rate, value and interval, in per cent."""
    return [
        {"resolver": system.name, "rate": _RATE_TITLES[part], **interval_row(estimate, "value")}
        for system in comparison.systems
        for figures in system.scores.values()
        for part, estimate in figures.items()
    ]


def rate_chart(comparison: Comparison) -> "altair.FacetChart":
    """Draw success rate, precision and F1 of every resolver with their intervals."""
    return interval_chart(
        comparison,
        rate_rows(comparison),
        list(_RATE_TITLES.values()),
        line="resolver",
        quantity="rate",
        value="value",
        unit="%",
        head="Pronouns",
        width=240,
        columns=3,
    )
