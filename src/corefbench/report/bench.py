"""Comparisons of resolvers: rates, the tables of Barbu & Mitkov 2001, page and chart."""

from collections import Counter
from collections.abc import Sequence
from html import escape
from itertools import combinations
from typing import TYPE_CHECKING, Any

from corefbench.analysis.comparison import Comparison, Part
from corefbench.analysis.statistics.counts import Rate, mean
from corefbench.analysis.statistics.pronouns import Pronouns
from corefbench.bench.judge import Rates, Verdict
from corefbench.bench.run import Bench, Performance
from corefbench.report.charts import interval_chart, interval_row
from corefbench.report.renderers import ReportFormat, render_json, render_page, render_tables
from corefbench.report.table import Cell, Column, Table, make_table, tabulate

if TYPE_CHECKING:
    import altair

RATES = {
    "success_rate": ("Success", "right ÷ all anaphoric pronouns of the key"),
    "critical_success_rate": ("Critical", "success where several candidates agree in gender and number"),
    "critical_success_rate_shared": (
        "Critical, shared",
        "the same with one window of candidates for all methods",
    ),
    "non_trivial_success_rate": ("Non-trivial", "success where there is more than one candidate"),
    "precision": ("Precision", "right ÷ pronouns that were resolved"),
    "recall_identified": (
        "Recall, identified",
        "right ÷ pronouns that the method took for anaphoric (Aone & Bennett 1995)",
    ),
    "etiquette": (
        "Etiquette",
        "pronouns treated as they should be, left alone where they are not anaphoric",
    ),
    "resolution_rate": ("Resolution rate", "right ÷ pronouns that are mentions of the key (Byron 2001)"),
    "anchor_recall": (
        "Anchors",
        "pronouns whose links end at a name or noun of their chain (Stuckardt 2001)",
    ),
}
"""Titles and definitions of the rates that tables show."""
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
    """Return the comparison as a dictionary for JSON; programs may rely on the keys."""
    return {
        "corpus": bench.corpus,
        "documents": len(bench.documents),
        "words": sum(bench.words),
        "mode": bench.plan.mode,
        "preprocessing": bench.preprocessing,
        "preprocessing_words_per_second": words_per_second(sum(bench.words), bench.seconds),
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
    gap = performance.gap
    if gap is not None:
        values["gap"] = {
            "f1": gap.overall.f1,
            "precision": gap.overall.precision,
            "recall": gap.overall.recall,
            "masculine_f1": gap.masculine.f1,
            "feminine_f1": gap.feminine.f1,
            "bias": gap.bias,
        }
    values["words_per_second"] = words_per_second(performance.words, performance.seconds)
    values["signature"] = bench.signature(performance.resolver)
    return values


def rate_table(bench: Bench) -> Table:
    """Tabulate rates and speed by resolver."""
    columns: dict[str, Column] = {"Resolver": "resolver"}
    columns |= {title: f"rates.{name}.value" for name, (title, _) in RATES.items()}
    columns["CoNLL F1"] = "conll"
    if any(performance.gap is not None for performance in bench.performances):
        columns |= {"GAP F1": "gap.overall.f1", "GAP bias": _bias_cell}
    columns["Words/s"] = _speed_cell
    mode = f"{bench.plan.mode} mode, {'gold' if bench.plan.takes_mentions else 'predicted'} mentions"
    return tabulate(
        f"Resolvers on {bench.corpus}: {mode}, pre-processing {bench.preprocessing}",
        bench.performances,
        columns,
        [bench.signature(performance.resolver) for performance in bench.performances],
    )


def _bias_cell(performance: Performance) -> Cell:
    bias = performance.gap.bias if performance.gap else None
    return None if bias is None else f"{bias:.2f}"


def _speed_cell(performance: Performance) -> Cell:
    speed = words_per_second(performance.words, performance.seconds)
    return None if speed is None else f"{speed:,.0f}"


def file_table(bench: Bench) -> Table:
    """Tabulate success rate and precision by file, as Table 1 of the paper."""
    names = [performance.resolver for performance in bench.performances]
    groups = [performance.by_document() for performance in bench.performances]
    verdicts = bench.performances[0].verdicts_by_document()
    rows = [
        _file_row(document, words, verdicts.get(document, ()), [group.get(document) for group in groups])
        for document, words in zip(bench.documents, bench.words, strict=True)
    ]
    totals = [performance.rates for performance in bench.performances]
    rows.append(_file_row("Total", sum(bench.words), bench.performances[0].verdicts, totals))
    rates = [f"{rate} {name}" for rate in ("Success", "Precision") for name in names]
    return make_table(
        "Success rate and precision by file (Barbu & Mitkov 2001, Table 1)",
        ["File", "Words", "Pronouns", "Anaphoric", *rates],
        rows,
    )


def _file_row(name: str, words: int, verdicts: Sequence[Verdict], rates: Sequence[Rates | None]) -> list[Cell]:
    """Return the cells of a file; a resolver without pronouns in it has no rates."""
    anaphoric = sum(verdict.anaphoric for verdict in verdicts)
    success = [rate.success_rate.value if rate else None for rate in rates]
    precision = [rate.precision.value if rate else None for rate in rates]
    return [name, f"{words:,}", len(verdicts), anaphoric, *success, *precision]


def pronoun_table(bench: Bench) -> Table:
    """Tabulate what the pronouns of each file are like, as Table 2 of the paper."""
    rows = dict(zip(bench.documents, bench.statistics, strict=True))
    rows["Total"] = sum(bench.statistics, Pronouns())
    return tabulate(
        "Pronouns by file, as the key has them (Barbu & Mitkov 2001, Table 2)",
        rows.items(),
        {
            "File": lambda row: row[0],
            "Pronouns": lambda row: row[1].kinds.total(),
            "Personal": lambda row: row[1].kinds["personal"],
            "Possessive": lambda row: row[1].kinds["possessive"],
            "Reflexive": lambda row: row[1].kinds["reflexive"],
            "Anaphoric": lambda row: row[1].sentence_distances.total(),
            "Intrasentential": lambda row: row[1].sentence_distances[0],
            "Sentences, intersentential": lambda row: _mean_cell(_without_zero(row[1].sentence_distances)),
            "Sentences, all": lambda row: _mean_cell(row[1].sentence_distances),
            "NPs": lambda row: _mean_cell(row[1].noun_phrase_distances),
            "Candidates": lambda row: _mean_cell(row[1].candidates),
        },
    )


def _without_zero(histogram: Counter[int]) -> Counter[int]:
    return Counter({value: count for value, count in histogram.items() if value > 0})


def _mean_cell(histogram: Counter[int]) -> str | None:
    average = mean(histogram)
    return None if average is None else f"{average:.2f}"


def form_table(bench: Bench) -> Table:
    """Tabulate the success rate by pronoun, and inside and across sentences."""
    forms = list(bench.performances[0].disclosure.forms)
    rows = []
    for performance in bench.performances:
        disclosure = performance.disclosure
        rates = [disclosure.intrasentential, disclosure.intersentential]
        rates += [disclosure.forms.get(form, Rate()) for form in forms]
        rows.append([performance.resolver, *(rate.value for rate in rates)])
    headers = ["Resolver", "Intrasentential", "Intersentential", *forms]
    return make_table("Success rate by place and form of the pronoun", headers, rows)


def disclosure_table(bench: Bench) -> Table:
    """Tabulate what was evaluated and what was not, as Byron's rows."""
    return tabulate(
        "What was evaluated (Byron 2001)",
        bench.performances,
        {
            "Resolver": "resolver",
            "A pronouns": "disclosure.raw",
            "B non-referential": "disclosure.non_referential",
            "C referential": "disclosure.referential",
            "D excluded": "disclosure.excluded",
            "E evaluated": "disclosure.evaluated",
            "Correct": "disclosure.correct",
            "Recall": "disclosure.recall.value",
            "Resolution rate": "disclosure.rate.value",
        },
    )


def difference_table(bench: Bench) -> Table:
    """Tabulate McNemar's exact test between every two resolvers."""
    pairs = combinations((performance.resolver for performance in bench.performances), 2)
    tests = [(f"{first} : {second}", bench.mcnemar(first, second)) for first, second in pairs]
    return tabulate(
        "Differences on gold anaphors, McNemar's exact test",
        tests,
        {
            "Pair": lambda row: row[0],
            "Only first right": lambda row: row[1].only_first,
            "Only second right": lambda row: row[1].only_second,
            "p": lambda row: f"{row[1].p:.4f}" if row[1].p >= 0.0001 else "< 0.0001",
            "": lambda row: _stars(row[1].p),
        },
    )


def _stars(p: float) -> str:
    return "***" if p < 0.001 else "**" if p < 0.01 else "*" if p < 0.05 else ""


def words_per_second(words: int, seconds: float) -> float | None:
    """Return the speed; None if no time was measured."""
    return words / seconds if seconds > 0 else None


def _pronoun_sections(bench: Bench) -> str:
    answers = [
        {(verdict.document, verdict.token): verdict for verdict in performance.verdicts}
        for performance in bench.performances
    ]
    names = "".join(f'<th scope="col">{escape(performance.resolver)}</th>' for performance in bench.performances)
    listed, parts = 0, ["<h2>Pronouns</h2><p>✓ right, ✗ wrong, ○ left alone, + not anaphoric.</p>"]
    pronouns: dict[str, list[tuple[str, int]]] = {}
    for pronoun in answers[0] if answers else ():
        pronouns.setdefault(pronoun[0], []).append(pronoun)
    for document in bench.documents:
        rows = pronouns.get(document)
        if not rows:
            continue
        if listed + len(rows) > _MAX_PRONOUNS:
            parts.append(f"<p>Only the first {listed:,} pronouns are listed.</p>")
            break
        listed += len(rows)
        body = "".join(_pronoun_row(bench, pronoun, [verdicts[pronoun] for verdicts in answers]) for pronoun in rows)
        parts.append(
            f"<details><summary>{escape(document)}, {len(rows)} pronouns</summary>"
            '<div class="wide"><table class="pronouns"><thead><tr><th scope="col">Pronoun</th>'
            f'<th scope="col">Key</th>{names}</tr></thead><tbody>{body}</tbody></table></div>'
            "</details>"
        )
    return "".join(parts)


def _pronoun_row(bench: Bench, pronoun: tuple[str, int], verdicts: list[Verdict]) -> str:
    document, token = pronoun
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
