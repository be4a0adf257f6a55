"""Error analyses: tables, JSON, page with examples, and charts."""

from collections.abc import Collection, Sequence
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from corefbench.analysis.errors import CLASSES, ErrorAnalysis, Example, Passage, RepairScore, StratumScore, Taxonomy
from corefbench.analysis.errors.strata import STRATA, parse_stratum
from corefbench.errors import UsageError
from corefbench.records import Record
from corefbench.report.charts import PALETTE, chart_title
from corefbench.report.renderers import ReportFormat, render_json, render_page, render_tables
from corefbench.report.table import Cell, Table, make_table, percent, tabulate
from corefbench.scoring.overrides import describe_choices

if TYPE_CHECKING:
    import altair

TITLES: dict[Taxonomy, str] = {
    "decisions": "Antecedent decisions (Chen et al. 2018)",
    "operations": "Operations from response to key (Kummerfeld & Klein 2013)",
    "links": "Links of spanning trees (Martschat & Strube 2014)",
}
_STYLE = """
.examples li { margin: .6rem 0; }
.examples ul { list-style: none; padding-left: 1rem; }
mark { padding: 0 .25rem; border-radius: .2rem; color: CanvasText; }
mark.at { background: light-dark(#ffe9a8, #5c4a00); border-bottom: 2px solid currentColor; }
mark.right { background: light-dark(#cdeedd, #0d4a2c); border-bottom: 2px solid currentColor; }
mark.wrong { background: light-dark(#fbd3cf, #5e1a14); border-bottom: 2px dashed currentColor; }
.place { opacity: .8; font-size: .85rem; }
summary { cursor: pointer; padding: .3rem 0; font-weight: 600; }
"""
MAX_STRATA = 60
_ORDERED = ("sentences", "mentions", "length", "size")
_RATES = ("Recall", "Precision", "F1")


class ErrorReport(Record, frozen=True):
    """What a report shows of an analysis."""

    name: str
    """Name of the response."""
    taxonomies: tuple[Taxonomy, ...] = tuple(CLASSES)
    by: str = ""
    """Stratum to break down errors and scores by."""
    examples: int = 0
    """Number of examples of each class."""
    width: int = 8
    """Number of words shown around a mention."""


def report_errors(
    analysis: ErrorAnalysis, contents: ErrorReport, format: ReportFormat = "table", *, more: str = ""
) -> str:
    """Render the analysis; ``more`` is HTML that follows the tables on a page."""
    chosen = analysis.filter(taxonomy=contents.taxonomies)
    if format == "json":
        return render_json(errors_to_dict(chosen, contents))
    tables = error_tables(chosen, contents)
    examples = chosen.examples(contents.examples, width=contents.width)
    if format == "html":
        return render_page(tables, more=more + _example_section(examples), style=_STYLE)
    if examples:
        tables.append(example_table(examples))
    return render_tables(tables, format)


def error_tables(analysis: ErrorAnalysis, contents: ErrorReport) -> list[Table]:
    """Return counts by class for every taxonomy, and by stratum if one is given."""
    makers = {"decisions": _decision_table, "operations": _operation_table, "links": _link_table}
    tables = [makers[taxonomy](analysis, contents) for taxonomy in contents.taxonomies]
    tables[0] = replace(tables[0], notes=(*tables[0].notes, _choices_note(analysis)))
    if contents.by:
        by = parse_stratum(contents.by)
        tables.append(strata_score_table(analysis, by))
        tables += [_strata_table(analysis, taxonomy, by) for taxonomy in contents.taxonomies]
    return tables


def _decision_table(analysis: ErrorAnalysis, contents: ErrorReport) -> Table:
    score = analysis.overall
    links = f"{score.found} of {score.anaphoric} anaphors, {score.right} of {score.linked} links"
    rates = f"R {percent(score.recall)}, P {percent(score.precision)}, F1 {percent(score.f1)}"
    return _class_table(analysis, "decisions", contents, [f"right: {links}: {rates}"])


def _link_table(analysis: ErrorAnalysis, contents: ErrorReport) -> Table:
    return _class_table(analysis, "links", contents)


def _class_table(
    analysis: ErrorAnalysis, taxonomy: Taxonomy, contents: ErrorReport, notes: Sequence[str] = ()
) -> Table:
    """Count errors by class, with the share of low-frequency words if training is known."""
    errors = analysis.filter(taxonomy=taxonomy)
    groups = {kind: errors.filter(kind=kind) for kind in errors.counts[taxonomy]} | {"all": errors}
    return make_table(
        f"{contents.name}: {TITLES[taxonomy]}",
        _class_headers(errors),
        ([kind, *_class_cells(group, errors)] for kind, group in groups.items()),
        notes,
    )


def _operation_table(analysis: ErrorAnalysis, contents: ErrorReport) -> Table:
    """Count errors by class, with the score if all errors of the class were repaired."""
    errors = analysis.filter(taxonomy="operations")
    fixed = analysis.if_fixed()
    score = headline(fixed[0])
    before = fixed[0].alone[score]
    is_selection = len(errors) < fixed[-1].errors
    rows = [
        [
            row.kind,
            *_class_cells(errors if row.kind == "all" else errors.filter(kind=row.kind), errors),
            row.alone[score],
            f"{100 * (row.alone[score] - before):+.2f}",
            row.together[score],
        ]
        for row in fixed
        if not is_selection or errors.counts["operations"].get(row.kind, 1)
    ]
    return make_table(
        f"{contents.name}: {TITLES['operations']}",
        [*_class_headers(errors), f"{score_title(score)} F1 if fixed", "Gain", "With those above"],
        rows,
        ["scores are with all errors of a class repaired, not those selected alone"] if is_selection else (),
    )


def score_title(score: str) -> str:
    """Return the name of a score as titles have it."""
    return "CoNLL" if score == "conll" else score.replace("_", " ")


def headline(fixed: RepairScore) -> str:
    """Return the main score: the CoNLL average, else the first after mentions."""
    return next((name for name in fixed.alone if name != "mentions"), "mentions")


def _class_headers(errors: ErrorAnalysis) -> list[str]:
    return ["Class", "Errors", "Share", *(["Low-frequency"] if has_frequencies(errors) else [])]


def _class_cells(group: ErrorAnalysis, errors: ErrorAnalysis) -> list[Cell]:
    """Return the number of errors of a class, their share, and that of low-frequency words."""
    cells: list[Cell] = [len(group), len(group) / len(errors) if len(errors) else 0.0]
    return [*cells, low_frequency_share(group)] if has_frequencies(errors) else cells


def has_frequencies(analysis: ErrorAnalysis) -> bool:
    """Whether a training corpus told which words are of low frequency."""
    return any(error.low_frequency is not None for error in analysis.errors)


def low_frequency_share(analysis: ErrorAnalysis) -> float:
    """Return the share of errors with a low-frequency word."""
    return sum(bool(error.low_frequency) for error in analysis.errors) / max(len(analysis), 1)


def strata_score_table(analysis: ErrorAnalysis, by: str) -> Table:
    """Tabulate correct antecedent decisions by stratum and overall."""
    scores = {**analysis.scores(by), "all": analysis.overall}
    bias = analysis.bias if by == "gender" else None
    return tabulate(
        f"Correct antecedent decisions by {STRATA[by].lower()}",
        scores.items(),
        {
            STRATA[by]: lambda row: row[0],
            "Anaphors": lambda row: row[1].anaphoric,
            "Recall": lambda row: row[1].recall if row[1].anaphoric else "",
            "Links": lambda row: row[1].linked,
            "Precision": lambda row: row[1].precision if row[1].linked else "",
            "F1": lambda row: row[1].f1 if row[1].anaphoric and row[1].linked else "",
        },
        [] if bias is None else [f"bias, F1 feminine ÷ masculine: {bias:.2f}"],
    )


def _strata_table(analysis: ErrorAnalysis, taxonomy: Taxonomy, by: str) -> Table:
    """Count errors by stratum and class, with totals."""
    errors = analysis.filter(taxonomy=taxonomy)
    groups = {**errors.categorize(by), "all": errors}
    return make_table(
        f"{TITLES[taxonomy]} by {STRATA[by].lower()}",
        [STRATA[by], *CLASSES[taxonomy], "all"],
        ([value, *group.counts[taxonomy].values(), len(group)] for value, group in groups.items()),
    )


def example_table(examples: Sequence[Example]) -> Table:
    """Tabulate examples: the mention in context, the key, the response."""
    return tabulate(
        "Examples",
        examples,
        {
            "Class": "kind",
            "Document": "mention.document",
            "Sentence": "mention.sentence",
            "In context": lambda example: str(example.mention),
            "Key": lambda example: _passage_cell(example.key),
            "Response": lambda example: _passage_cell(example.response),
        },
    )


def _passage_cell(passage: Passage | None) -> str:
    return "" if passage is None else f"{passage.text} ({passage.sentence})"


def _choices_note(analysis: ErrorAnalysis) -> str:
    chosen = describe_choices(analysis.profile)
    return "|".join([analysis.profile.name, *(f"{n}:{v}" for n, v in chosen.items())])


def _example_section(examples: Sequence[Example]) -> str:
    if not examples:
        return ""
    parts = [
        '<section class="examples"><h2>Examples</h2><p>'
        f"{_mark_html('at', 'the mention')} {_mark_html('right', 'what the key has')} "
        f"{_mark_html('wrong', 'what the response has')}</p>"
    ]
    for kind, group in groupby(examples, key=lambda example: example.kind):
        rows = "".join(map(_example_item, group))
        parts.append(f"<details open><summary>{escape(kind)}</summary><ul>{rows}</ul></details>")
    return "".join(parts) + "</section>"


def _example_item(example: Example) -> str:
    mention = example.mention
    html = (
        f'<span class="place">{escape(mention.document)}, sentence {mention.sentence}, '
        f"words {mention.span[0]}–{mention.span[1]}</span><br>{_passage_html('at', mention)}"
    )
    if example.key is not None:
        html += f"<br>key: {_passage_html('right', example.key)}"
    if example.response is not None:
        html += f"<br>response: {_passage_html('wrong', example.response)}"
    if example.members:
        members = ", ".join(escape(member.text) for member in example.members)
        html += f"<br>mentions: {members}"
    return f"<li>{html}</li>"


def _passage_html(role: str, passage: Passage) -> str:
    return f"… {escape(passage.before)} {_mark_html(role, passage.text)} {escape(passage.after)} …"


def _mark_html(role: str, text: str) -> str:
    symbol = {"at": "▸", "right": "✓", "wrong": "✗"}[role]
    return f'<mark class="{role}">{symbol} {escape(text)}</mark>'


def errors_to_dict(analysis: ErrorAnalysis, contents: ErrorReport) -> dict[str, Any]:
    """Return the analysis as a dictionary for JSON; programs may rely on the keys."""
    values: dict[str, Any] = {
        "response": contents.name,
        "profile": analysis.profile.name,
        "choices": describe_choices(analysis.profile),
        "documents": len(analysis.pair.key.corpus),
        "errors": {taxonomy: analysis.counts[taxonomy] for taxonomy in contents.taxonomies},
        "decisions": _stratum_score_to_dict(analysis.overall),
    }
    if "operations" in contents.taxonomies:
        values["if_fixed"] = list(analysis.if_fixed())
    if has_frequencies(analysis):
        values["low_frequency"] = {
            kind: low_frequency_share(errors) for kind, errors in analysis.categorize("kind").items()
        }
    if contents.by:
        values |= _strata_to_dict(analysis, contents.taxonomies, parse_stratum(contents.by))
    if contents.examples:
        examples = analysis.examples(contents.examples, width=contents.width)
        values["examples"] = [_example_to_dict(example) for example in examples]
    return values


def _strata_to_dict(analysis: ErrorAnalysis, taxonomies: Collection[Taxonomy], by: str) -> dict[str, Any]:
    values: dict[str, Any] = {
        "by": by,
        "strata": {value: _stratum_score_to_dict(score) for value, score in analysis.scores(by).items()},
        "errors_by_stratum": {
            value: {taxonomy: errors.counts[taxonomy] for taxonomy in taxonomies}
            for value, errors in analysis.categorize(by).items()
        },
    }
    return {**values, "bias": analysis.bias} if by == "gender" else values


def _stratum_score_to_dict(score: StratumScore) -> dict[str, float]:
    rates = {"recall": score.recall, "precision": score.precision, "f1": score.f1}
    return {**msgspec.to_builtins(score), **rates}


def _example_to_dict(example: Example) -> dict[str, Any]:
    values: dict[str, Any] = msgspec.to_builtins(example)
    return {"class": values.pop("kind"), **values}


def strata_rows(analysis: ErrorAnalysis, by: str) -> list[dict[str, str | float]]:
    """Return stratum, measure, per cent and number of links for every value that has links."""
    rows: list[dict[str, str | float]] = []
    for value, score in analysis.scores(by).items():
        rates = (
            ("Recall", score.recall, score.anaphoric),
            ("Precision", score.precision, score.linked),
            ("F1", score.f1, min(score.anaphoric, score.linked)),
        )
        rows += [
            {"stratum": value, "measure": name, "score": 100 * number, "links": count}
            for name, number, count in rates
            if count
        ]
    return rows


def strata_chart(analysis: ErrorAnalysis, by: str, name: str) -> "altair.Chart | altair.LayerChart":
    """Draw lines for ordered strata such as distances, bars for the others."""
    import altair

    by = parse_stratum(by)
    rows = strata_rows(analysis, by)
    order = list(dict.fromkeys(str(row["stratum"]) for row in rows))
    if len(order) > MAX_STRATA:
        raise UsageError(
            "there are too many strata to draw", found=f"{len(order)} by {by}", expected=f"at most {MAX_STRATA}"
        )
    base = altair.Chart(altair.InlineData(rows)).encode(
        x=altair.X("stratum:N", sort=order, title=STRATA[by], axis=altair.Axis(labelAngle=0)),
        y=altair.Y("score:Q", title="%", scale=altair.Scale(domain=[0, 100])),
        color=altair.Color("measure:N", title=None).scale(domain=list(_RATES), range=PALETTE[:3]),
    )
    marks: altair.Chart | altair.LayerChart
    if by in _ORDERED:
        # Shapes tell lines apart for readers who do not see the colours.
        marks = base.mark_line(point=altair.OverlayMarkDef(filled=True, size=80, opacity=1)).encode(
            shape=altair.Shape("measure:N", title=None).scale(domain=list(_RATES))
        )
    else:
        offset = altair.XOffset("measure:N", sort=list(_RATES))
        numbers = base.mark_text(dy=-6, fontSize=9, color="#333").encode(
            xOffset=offset, text=altair.Text("score:Q", format=".0f"), color=altair.value("#333")
        )
        marks = base.mark_bar().encode(xOffset=offset) + numbers
    score = analysis.overall
    about = f"{name}: {score.anaphoric:,} anaphors in the key, {score.linked:,} links in the response"
    if by == "gender" and analysis.bias is not None:
        about += f"; bias F/M {analysis.bias:.2f}"
    title = chart_title(f"Correct antecedent decisions by {STRATA[by].lower()}", about)
    chart: altair.Chart | altair.LayerChart = marks.properties(width=max(360, 70 * len(order)), height=280, title=title)
    return chart


def fixing_rows(fixed: Sequence[RepairScore], score: str) -> list[dict[str, object]]:
    """Return a bar per class, from the present score to that without its errors, in per cent."""
    before = fixed[0].alone[score]
    return [
        {
            "class": row.kind.replace("-", " "),
            "before": 100 * before,
            "after": 100 * row.alone[score],
            "gain": f"{100 * (row.alone[score] - before):+.1f}".replace("-", "−"),
            "errors": row.errors,
        }
        for row in fixed
        if row.kind not in ("none", "all")
    ]


def fixing_chart(fixed: Sequence[RepairScore], score: str, title: str) -> "altair.LayerChart":
    """Draw what repairing each class of errors would gain; bars begin at the present score."""
    import altair

    rows = fixing_rows(fixed, score)
    order = [str(row["class"]) for row in rows]
    base = altair.Chart(altair.InlineData(rows)).encode(
        y=altair.Y("class:N", sort=order, title=None).axis(domain=False, ticks=False),
        tooltip=["class:N", "errors:Q", altair.Tooltip("after:Q", format=".2f")],
    )
    bars = base.mark_bar(color=PALETTE[0], height=14).encode(
        x=altair.X("before:Q", title=f"{title} F1 (%)", scale=altair.Scale(zero=False, nice=True)), x2="after:Q"
    )
    gains = base.mark_text(align="left", dx=4, fontSize=11).encode(x="after:Q", text="gain:N")
    points = base.mark_tick(color=PALETTE[4], thickness=2, size=18).encode(x="after:Q")
    about = f"{title} F1 {100 * fixed[0].alone[score]:.2f} as it is; all repaired: "
    about += f"{100 * fixed[-1].alone[score]:.2f}"
    chart: altair.LayerChart = bars + points + gains
    return chart.properties(
        width=420,
        height=26 * len(rows),
        title=chart_title("If one class of errors were repaired", about),
    )
