"""Agreement and merging of annotations: tables, JSON and charts."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from corefbench.analysis.annotation.agreement import Agreement, AnnotatorPair, Quality
from corefbench.analysis.annotation.annotations import format_span
from corefbench.analysis.annotation.conflicts import Conflict
from corefbench.analysis.annotation.merge import Merge, MergeCounts
from corefbench.report.charts import PALETTE
from corefbench.report.renderers import ReportFormat, render_json, render_tables
from corefbench.report.scores import f1_cells, f1_headers
from corefbench.report.table import Cell, Table, make_table
from corefbench.scoring.measures import Score, measures

if TYPE_CHECKING:
    import altair

_DISTANCES = {"passonneau": "Passonneau", "masi": "MASI", "jaccard": "Jaccard", "dice": "Dice", "binary": "binary"}
_MEASURE_TITLES = {"mentions": "Mentions (F1)", "muc": "MUC (F1)", "conll": "CoNLL (F1)", "masi": "α (MASI)"}
_OUTCOMES = ("kept", "dropped", "from others")


def report_agreement(
    agreement: Agreement, format: ReportFormat = "table", *, by_document: bool = False, more: str = ""
) -> str:
    """Render agreement; ``more`` is HTML for the end of a page."""
    if format == "json":
        return render_json(agreement_to_dict(agreement))
    tables = [pair_table(agreement), alpha_table(agreement)]
    if by_document:
        tables.append(document_alpha_table(agreement))
    if agreement.quality is not None:
        tables += [quality_table(agreement.quality), annotator_table(agreement.quality)]
    return render_tables(tables, format, more=more)


def pair_table(agreement: Agreement) -> Table:
    """Tabulate F1 of every two annotators, and the mean."""
    first = agreement.pairs[0].result
    rows = [[pair.one, pair.other, *f1_cells(pair.result)] for pair in agreement.pairs]
    mean = list(agreement.f1.values()) + ([] if agreement.conll is None else [agreement.conll])
    return make_table(
        f"F1 of every two annotators by {first.profile.title}",
        ["One", "Other", *f1_headers(first)],
        [*rows, ["mean", "", *mean]],
        [str(pair.result.signature) for pair in agreement.pairs],
    )


def alpha_table(agreement: Agreement) -> Table:
    """Tabulate Krippendorff's α of every two annotators and of all."""
    rows = {f"{pair.one}, {pair.other}": pair.alphas for pair in agreement.pairs}
    missing = {"singleton": "a singleton", "absent": "no value"}[agreement.missing]
    caption = f"Krippendorff's α by distance between chains; not marked is {missing}"
    spans = agreement.spans
    note = f"{spans.marked:,} spans; marked by all: {spans.by_all:,}, by one: {spans.by_one:,}"
    # Of two annotators, the only pair is all of them.
    return _alpha_table(
        caption, "Annotators", {**(rows if len(agreement.names) > 2 else {}), "all": agreement.alphas}, [note]
    )


def document_alpha_table(agreement: Agreement) -> Table:
    """Tabulate α of all annotators by document."""
    return _alpha_table("Krippendorff's α by document", "Document", agreement.by_document)


def _alpha_table(
    caption: str, header: str, rows: Mapping[str, Mapping[str, float | None]], notes: Sequence[str] = ()
) -> Table:
    def format_alpha(value: float | None) -> str | None:
        return None if value is None else f"{value:.3f}"

    cells = ([name, *map(format_alpha, map(values.get, _DISTANCES))] for name, values in rows.items())
    return make_table(caption, [header, *_DISTANCES.values()], cells, notes)


def quality_table(quality: Quality) -> Table:
    """Tabulate precision, recall and F1 of each process, as Table 2 of Chen et al. 2018."""
    averaged = ", ".join(measures[name].card.title if name in measures else name for name in quality.averaged)
    return make_table(
        f"Annotation quality: mean of {averaged} against the key",
        ["Process", "Annotations", "Avg. Prec", "Avg. Rec", "Avg. F1"],
        ([row.process, row.annotations, *_score_cells(row.scores["average"])] for row in quality.processes),
    )


def annotator_table(quality: Quality) -> Table:
    """Tabulate mentions, MUC and the average of every annotator and process."""
    titles = {"mentions": "Mentions", "muc": "MUC", "average": "Avg."}
    names = [name for name in titles if name in (*quality.processes[0].scores, "average")]
    return make_table(
        "Annotators and merges of them against the key",
        ["Annotation", *(f"{titles[name]} {part}" for name in names for part in ("Prec", "Rec", "F1"))],
        (
            [row.process, *(cell for name in names for cell in _score_cells(row.scores[name]))]
            for row in (*quality.annotators, *quality.processes)
        ),
    )


def agreement_to_dict(agreement: Agreement) -> dict[str, Any]:
    """Return agreement as a dictionary for JSON; programs may rely on the keys."""
    values: dict[str, Any] = {
        "annotators": list(agreement.names),
        "documents": len(agreement.documents),
        "spans": agreement.spans,
        "pairs": [_pair_to_dict(pair) for pair in agreement.pairs],
        "mean": {"f1": agreement.f1, "conll": agreement.conll},
        "alpha": agreement.alphas,
        "missing": agreement.missing,
        "by_document": agreement.by_document,
        "findings": list(agreement.findings),
    }
    if agreement.quality is not None:
        values["quality"] = {
            "averaged": list(agreement.quality.averaged),
            "annotators": list(agreement.quality.annotators),
            "processes": list(agreement.quality.processes),
        }
    return values


def _pair_to_dict(pair: AnnotatorPair) -> dict[str, Any]:
    return {
        "one": pair.one,
        "other": pair.other,
        "signature": str(pair.result.signature),
        "scores": pair.result.scores,
        "conll": None if pair.result.conll is None else pair.result.conll.f1,
        "alpha": pair.alphas,
    }


def _score_cells(score: Score) -> tuple[float, float, float]:
    return score.precision, score.recall, score.f1


def report_merge(merge: Merge, format: ReportFormat = "table", *, more: str = "") -> str:
    """Render the outcome of a merge; ``more`` is HTML for the end of a page."""
    if format == "json":
        return render_json(merge_to_dict(merge))
    if format == "csv":  # one table, so that programs can read it
        return render_tables([merge_table(merge)], format)
    return render_tables([merge_table(merge), conflict_table(merge)], format, more=more)


def merge_table(merge: Merge) -> Table:
    """Tabulate what became of each annotator's mentions and links."""
    rule, corpus = merge.rule, merge.corpus
    outcomes = ["Kept", "Dropped", "From others"]
    return make_table(
        f"Merged: {len(corpus.mentions):,} mentions in {len(corpus.chains):,} chains of {len(corpus):,} documents",
        ["Annotator", "Documents", "Mentions", *outcomes, "Links", *outcomes],
        (
            [account.annotator, account.documents, *_count_cells(account.mentions), *_count_cells(account.links)]
            for account in merge.accounts
        ),
        [f"mentions: {rule.mentions}; links: {rule.links}; ties: {rule.ties}"],
    )


def conflict_table(merge: Merge) -> Table:
    """Tabulate conflicts, and whether a person or the rule decided them."""
    rows: list[list[Cell]] = []
    for kind, title in (("mention", "Mentions"), ("chains", "Chains")):
        decided = [bool(conflict.decision) for conflict in merge.conflicts if conflict.kind == kind]
        rows.append([title, len(decided), sum(decided), len(decided) - sum(decided)])
    return make_table("Conflicts", ["About", "Conflicts", "Decided by a person", "Decided by the rule"], rows)


def merge_to_dict(merge: Merge) -> dict[str, Any]:
    """Return the merge as a dictionary for JSON; programs may rely on the keys."""
    return {
        "documents": len(merge.corpus),
        "mentions": len(merge.corpus.mentions),
        "chains": len(merge.corpus.chains),
        "rule": msgspec.to_builtins(merge.rule),
        "annotations": merge.digest,
        "accounts": [
            {
                "annotator": account.annotator,
                "documents": account.documents,
                "mentions": _counts_to_dict(account.mentions),
                "links": _counts_to_dict(account.links),
            }
            for account in merge.accounts
        ],
        "conflicts": [_conflict_to_dict(conflict) for conflict in merge.conflicts],
        "findings": list(merge.findings),
    }


def _count_cells(counts: MergeCounts) -> tuple[str, ...]:
    return tuple(f"{number:,}" for number in _counts_to_dict(counts).values())


def _counts_to_dict(counts: MergeCounts) -> dict[str, int]:
    return {name: getattr(counts, name) for name in ("marked", "kept", "dropped", "added")}


def _conflict_to_dict(conflict: Conflict) -> dict[str, Any]:
    return {
        "number": conflict.number,
        "kind": conflict.kind,
        "document": conflict.document,
        "pieces": [[format_span(parts) for _, parts in spots] for spots in conflict.pieces],
        "says": conflict.groupings,
        "rule": conflict.rule,
        "decision": conflict.decision or None,
    }


def heat_map_rows(agreement: Agreement) -> list[dict[str, object]]:
    """Return a cell per pair and measure, in both directions: per cent, α times 100."""
    rows: list[dict[str, object]] = []
    for pair in agreement.pairs:
        values = {name: pair.result[name].f1 for name in ("mentions", "muc") if name in pair.result}
        if pair.result.conll is not None:
            values["conll"] = pair.result.conll.f1
        alpha = pair.alphas["masi"]
        if alpha is not None:
            values["masi"] = alpha
        rows += [
            {"measure": _MEASURE_TITLES[name], "one": one, "other": other, "value": round(100 * value, 2)}
            for name, value in values.items()
            for one, other in ((pair.one, pair.other), (pair.other, pair.one))
        ]
    return rows


def agreement_chart(agreement: Agreement) -> "altair.FacetChart":
    """Draw a heat map per measure: darker cells agree more."""
    import altair

    size = 110 + 46 * len(agreement.names)
    names = list(agreement.names)
    base = altair.Chart(altair.InlineData(heat_map_rows(agreement))).encode(
        x=altair.X("one:N", sort=names, title=None).axis(labelAngle=-30, domain=False, ticks=False, grid=False),
        y=altair.Y("other:N", sort=names, title=None).axis(domain=False, ticks=False, grid=False),
    )
    scale = altair.Scale(scheme="blues", domain=[0, 100], clamp=True)
    cells = base.mark_rect(stroke="white", strokeWidth=2).encode(
        color=altair.Color("value:Q", scale=scale, legend=None),
        tooltip=["measure:N", "one:N", "other:N", altair.Tooltip("value:Q", format=".2f")],
    )
    figures = base.mark_text(fontSize=13).encode(
        text=altair.Text("value:Q", format=".1f"),
        color=altair.condition("datum.value > 60", altair.value("white"), altair.value("black")),
    )
    order = list(_MEASURE_TITLES.values())
    facet = altair.Facet("measure:N", sort=order, title=None).header(labelFontSize=13, labelFontWeight="bold")
    panels = (cells + figures).properties(width=size, height=size).facet(facet, columns=2)
    about = f"{len(agreement.documents):,} documents, {agreement.spans.marked:,} spans marked by anyone"
    chart: altair.FacetChart = panels.properties(
        title=altair.TitleParams("Agreement of annotators", subtitle=about, anchor="start")
    )
    return chart


def outcome_rows(merge: Merge) -> list[dict[str, object]]:
    """Return how many mentions and links of each annotator were kept, dropped and added."""
    return [
        {"what": what, "annotator": account.annotator, "fate": fate, "count": count}
        for account in merge.accounts
        for what, counts in (("Mentions", account.mentions), ("Links", account.links))
        for fate, count in zip(_OUTCOMES, (counts.kept, counts.dropped, counts.added), strict=True)
    ]


def merge_chart(merge: Merge) -> "altair.FacetChart":
    """Draw a bar per annotator: kept and dropped are their own, the rest came from others."""
    import altair

    colours = altair.Scale(domain=list(_OUTCOMES), range=[PALETTE[0], PALETTE[4], PALETTE[6]])
    bars = (
        altair.Chart(altair.InlineData(outcome_rows(merge)))
        .mark_bar()
        .transform_calculate(order=f"indexof({list(_OUTCOMES)}, datum.fate)")
        .encode(
            x=altair.X("count:Q", title=None).axis(format="~s", grid=False),
            y=altair.Y("annotator:N", sort=list(merge.names), title=None).axis(grid=False),
            color=altair.Color("fate:N", scale=colours, title=None).legend(orient="top"),
            order=altair.Order("order:Q"),
            tooltip=["annotator:N", "what:N", "fate:N", "count:Q"],
        )
        .properties(width=260, height=36 * len(merge.names))
    )
    facet = altair.Facet("what:N", sort=["Mentions", "Links"], title=None)
    panels = bars.facet(facet.header(labelFontSize=13, labelFontWeight="bold"), columns=2)
    about = f"{len(merge.corpus.mentions):,} mentions, {len(merge.conflicts):,} conflicts"
    chart: altair.FacetChart = panels.resolve_scale(x="independent").properties(
        title=altair.TitleParams("Merged annotation", subtitle=about, anchor="start")
    )
    return chart
