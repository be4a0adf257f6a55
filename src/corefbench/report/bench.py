"""Comparisons of resolvers as tables: the rates, and the two tables of Barbu & Mitkov 2001."""

from collections import Counter
from typing import Any

import msgspec

from corefbench.bench.result import Bench, Performance
from corefbench.judging.success import Rate
from corefbench.report import ReportFormat, render_table
from corefbench.report.table import Table, percent
from corefbench.stats.additive import mean
from corefbench.stats.pronouns import Pronouns

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
_NONE = "–"


def report_bench(bench: Bench, format: ReportFormat = "table", *, tables: bool = True) -> str:
    """The comparison as text; with ``tables`` also those of the paper and the differences."""
    if format == "json":
        return msgspec.json.format(msgspec.json.encode(as_object(bench)), indent=2).decode()
    shown = bench_tables(bench) if tables else [comparison(bench)]
    if format == "html":
        from corefbench.report.bench_page import render

        return render(bench, shown)
    return "\n\n".join(render_table(table, format) for table in shown)


def bench_tables(bench: Bench) -> list[Table]:
    """Every table of a comparison."""
    return [
        comparison(bench),
        by_file(bench),
        statistics(bench),
        by_form(bench),
        disclosure(bench),
        differences(bench),
    ]


def as_object(bench: Bench) -> dict[str, Any]:
    """The comparison in plain values; programs may rely on the keys."""
    return {
        "corpus": bench.corpus,
        "documents": len(bench.documents),
        "words": sum(bench.words),
        "mode": bench.plan.mode,
        "preprocessing": bench.preprocessing,
        "preprocessing_words_per_second": _speed(sum(bench.words), bench.seconds),
        "resolvers": {
            performance.resolver: _values(bench, performance) for performance in bench.performances
        },
    }


def _values(bench: Bench, performance: Performance) -> dict[str, Any]:
    rates = performance.rates
    made: dict[str, Any] = {name: getattr(rates, name).value for name in rates.__struct_fields__}
    made["anaphors"] = rates.success_rate.total
    made["scores"] = performance.scores
    made["conll"] = performance.conll
    if performance.gap is not None:
        gap = performance.gap
        made["gap"] = {
            "f1": gap.overall.f1,
            "precision": gap.overall.precision,
            "recall": gap.overall.recall,
            "masculine_f1": gap.masculine.f1,
            "feminine_f1": gap.feminine.f1,
            "bias": gap.bias,
        }
    made["words_per_second"] = _speed(performance.words, performance.seconds)
    made["signature"] = bench.signature(performance.resolver)
    return made


def comparison(bench: Bench) -> Table:
    """A row a resolver."""
    gap = any(performance.gap is not None for performance in bench.performances)
    headers = ["Resolver", *(title for _, title in _RATES), "CoNLL F1"]
    headers += ["GAP F1", "GAP bias"] if gap else []
    rows = []
    for performance in bench.performances:
        cells = [_share(getattr(performance.rates, name)) for name, _ in _RATES]
        cells.append(_NONE if performance.conll is None else percent(performance.conll))
        if performance.gap is not None:
            bias = performance.gap.bias
            cells += [percent(performance.gap.overall.f1), _NONE if bias is None else f"{bias:.2f}"]
        speed = _speed(performance.words, performance.seconds)
        rows.append((performance.resolver, *cells, _NONE if speed is None else f"{speed:,.0f}"))
    mode = (
        f"{bench.plan.mode} mode, {'gold' if bench.plan.takes_mentions else 'predicted'} mentions"
    )
    return Table(
        caption=f"Resolvers on {bench.corpus}: {mode}, pre-processing {bench.preprocessing}",
        headers=(*headers, "Words/s"),
        rows=tuple(rows),
        notes=tuple(bench.signature(p.resolver) for p in bench.performances),
    )


def by_file(bench: Bench) -> Table:
    """Table 1 of the paper: success rate and precision, file by file."""
    names = [performance.resolver for performance in bench.performances]
    groups = [performance.by_document() for performance in bench.performances]
    rows = []
    for document, words in zip(bench.documents, bench.words, strict=True):
        some = [group.get(document) for group in groups]
        seen = [v for v in bench.performances[0].verdicts if v.document == document]
        gold = sum(v.anaphoric for v in seen)
        success = (_NONE if r is None else _share(r.success_rate) for r in some)
        precision = (_NONE if r is None else _share(r.precision) for r in some)
        rows.append((document, f"{words:,}", str(len(seen)), str(gold), *success, *precision))
    every = bench.performances[0].verdicts
    rows.append(
        (
            "Total",
            f"{sum(bench.words):,}",
            str(len(every)),
            str(sum(v.anaphoric for v in every)),
            *(_share(p.rates.success_rate) for p in bench.performances),
            *(_share(p.rates.precision) for p in bench.performances),
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


def statistics(bench: Bench) -> Table:
    """Table 2 of the paper: what the pronouns of each file are like."""
    rows = [
        (document, *_statistics(counts))
        for document, counts in zip(bench.documents, bench.statistics, strict=True)
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
        rows=(*rows, ("Total", *_statistics(total))),
    )


def _statistics(counts: Pronouns) -> tuple[str, ...]:
    distances = counts.sentence_distances
    between = Counter({value: count for value, count in distances.items() if value > 0})
    kinds = (str(counts.kinds[kind]) for kind in ("personal", "possessive", "reflexive"))
    averages = (between, distances, counts.noun_phrase_distances, counts.candidates)
    return (
        str(counts.kinds.total()),
        *kinds,
        str(distances.total()),
        str(distances[0]),
        *(_NONE if (value := mean(some)) is None else f"{value:.2f}" for some in averages),
    )


def by_form(bench: Bench) -> Table:
    """Success rate by pronoun, and inside and across sentences."""
    forms = list(bench.performances[0].disclosure.forms)
    rows = []
    for performance in bench.performances:
        rows_of = performance.disclosure
        cells = [rows_of.intrasentential, rows_of.intersentential]
        cells += [rows_of.forms.get(form, Rate()) for form in forms]
        rows.append((performance.resolver, *map(_share, cells)))
    return Table(
        caption="Success rate by place and form of the pronoun",
        headers=("Resolver", "Intrasentential", "Intersentential", *forms),
        rows=tuple(rows),
    )


def disclosure(bench: Bench) -> Table:
    """Byron's rows: what was evaluated, and what was not."""
    rows = []
    for performance in bench.performances:
        d = performance.disclosure
        counts = (d.raw, d.non_referential, d.referential, d.excluded, d.evaluated, d.correct)
        rows.append((performance.resolver, *map(str, counts), _share(d.recall), _share(d.rate)))
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


def differences(bench: Bench) -> Table:
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


def _share(rate: Rate) -> str:
    return _NONE if rate.value is None else percent(rate.value)


def _speed(words: int, seconds: float) -> float | None:
    return words / seconds if seconds > 0 else None
