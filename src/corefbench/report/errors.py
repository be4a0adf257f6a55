"""The errors of a response as tables."""

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from corefbench.analysis.errors import (
    CLASSES,
    ErrorAnalysis,
    Example,
    Fixed,
    Passage,
    StratumScore,
    Taxonomy,
)
from corefbench.analysis.strata import STRATA, stratum_named
from corefbench.record import Record
from corefbench.report import ReportFormat, render_tables
from corefbench.report.table import Table, percent
from corefbench.scoring.choosing import described

TITLES: dict[Taxonomy, str] = {
    "decisions": "Antecedent decisions (Chen et al. 2018)",
    "operations": "Operations from response to key (Kummerfeld & Klein 2013)",
    "links": "Links of spanning trees (Martschat & Strube 2014)",
}


class ErrorReport(Record, frozen=True):
    """What of an analysis is shown."""

    name: str
    """Of the response."""
    taxonomies: tuple[Taxonomy, ...] = tuple(CLASSES)
    by: str = ""
    """A stratum to break errors and scores down by."""
    examples: int = 0
    """Of each class."""
    width: int = 8
    """Words around a mention."""


def report_errors(
    analysis: ErrorAnalysis, shown: ErrorReport, format: ReportFormat = "table", *, more: str = ""
) -> str:
    """The analysis as text of the given format; ``more`` is HTML that follows on a page."""
    chosen = analysis.filter(taxonomy=shown.taxonomies)
    if format == "json":
        from corefbench.report.errors_object import as_object

        made = msgspec.json.encode(as_object(chosen, shown))
        return msgspec.json.format(made, indent=2).decode()
    tables = error_tables(chosen, shown)
    examples = chosen.examples(shown.examples, width=shown.width)
    if format == "html":
        from corefbench.report import errors_page

        return errors_page.render(tables, examples, more=more)
    if examples:
        tables.append(example_table(examples))
    return render_tables(tables, format)


def error_tables(analysis: ErrorAnalysis, shown: ErrorReport) -> list[Table]:
    """Counts by class for every taxonomy, and by stratum where one is asked for."""
    makers = {"decisions": _decisions, "operations": _operations, "links": _links}
    tables = [makers[taxonomy](analysis, shown) for taxonomy in shown.taxonomies]
    tables[0] = replace(tables[0], notes=(*tables[0].notes, _choices(analysis)))
    if shown.by:
        by = stratum_named(shown.by)
        tables.append(score_table(analysis, by))
        tables += [_strata(analysis, taxonomy, by) for taxonomy in shown.taxonomies]
    return tables


def _decisions(analysis: ErrorAnalysis, shown: ErrorReport) -> Table:
    score = analysis.overall
    links = f"{score.found} of {score.anaphoric} anaphors, {score.right} of {score.linked} links"
    rates = ", ".join(
        f"{name} {percent(value)}"
        for name, value in (("R", score.recall), ("P", score.precision), ("F1", score.f1))
    )
    return _counted(analysis, "decisions", shown, f"right: {links}: {rates}")


def _links(analysis: ErrorAnalysis, shown: ErrorReport) -> Table:
    return _counted(analysis, "links", shown, "")


def _counted(analysis: ErrorAnalysis, taxonomy: Taxonomy, shown: ErrorReport, note: str) -> Table:
    """Class, errors, share; and the share of low-frequency words where training is known."""
    some = analysis.filter(taxonomy=taxonomy)
    rare = is_trained(some)
    rows = [
        (kind, str(count), *_shares(some.filter(kind=kind), len(some), rare))
        for kind, count in some.counts[taxonomy].items()
    ]
    rows.append(("all", str(len(some)), *_shares(some, len(some), rare)))
    return Table(
        caption=f"{shown.name}: {TITLES[taxonomy]}",
        headers=("Class", "Errors", "Share", *(("Low-frequency",) if rare else ())),
        rows=tuple(rows),
        notes=(note,) if note else (),
    )


def _operations(analysis: ErrorAnalysis, shown: ErrorReport) -> Table:
    """Class, errors, share, and what the response would score with the class repaired."""
    some = analysis.filter(taxonomy="operations")
    rare = is_trained(some)
    fixed = analysis.if_fixed()
    score = headline(fixed[0])
    before = fixed[0].alone[score]
    rows = []
    selected = len(some) < fixed[-1].errors
    for row in fixed:
        if selected and not some.counts["operations"].get(row.kind, 1):
            continue
        kind = some if row.kind == "all" else some.filter(kind=row.kind)
        rows.append(
            (
                row.kind,
                str(len(kind)),
                *_shares(kind, len(some), rare),
                percent(row.alone[score]),
                f"{100 * (row.alone[score] - before):+.2f}",
                percent(row.together[score]),
            )
        )
    title = "CoNLL" if score == "conll" else score.replace("_", " ")
    return Table(
        caption=f"{shown.name}: {TITLES['operations']}",
        headers=(
            "Class", "Errors", "Share", *(("Low-frequency",) if rare else ()),
            f"{title} F1 if fixed", "Gain", "With those above",
        ),
        rows=tuple(rows),
        notes=("scores are with all errors of a class repaired, not those selected alone",)
        if selected
        else (),
    )  # fmt: skip


def headline(fixed: Fixed) -> str:
    """The score that stands for all: the CoNLL average, else the first after mentions."""
    return next((name for name in fixed.alone if name != "mentions"), "mentions")


def _shares(some: ErrorAnalysis, total: int, rare: bool) -> tuple[str, ...]:
    share = percent(len(some) / total if total else 0.0)
    return (share, percent(low_frequency_share(some))) if rare else (share,)


def is_trained(analysis: ErrorAnalysis) -> bool:
    """Whether training told which errors have words of low frequency."""
    return any(error.low_frequency is not None for error in analysis.errors)


def low_frequency_share(some: ErrorAnalysis) -> float:
    """The share of the errors that have a word of low frequency."""
    return sum(bool(error.low_frequency) for error in some.errors) / max(len(some), 1)


def score_table(analysis: ErrorAnalysis, by: str) -> Table:
    """Right antecedent decisions by stratum, and of all."""
    scores = {**analysis.scores(by), "all": analysis.overall}
    bias = analysis.bias if by == "gender" else None
    return Table(
        caption=f"Right antecedent decisions by {STRATA[by].lower()}",
        headers=(STRATA[by], "Anaphors", "Recall", "Links", "Precision", "F1"),
        rows=tuple((value, *_score_cells(score)) for value, score in scores.items()),
        notes=() if bias is None else (f"bias, F1 feminine ÷ masculine: {bias:.2f}",),
    )


def _score_cells(score: StratumScore) -> tuple[str, ...]:
    return (
        str(score.anaphoric),
        percent(score.recall) if score.anaphoric else "",
        str(score.linked),
        percent(score.precision) if score.linked else "",
        percent(score.f1) if score.anaphoric and score.linked else "",
    )


def _strata(analysis: ErrorAnalysis, taxonomy: Taxonomy, by: str) -> Table:
    """Errors by stratum and class; sums in the last row and column."""
    some = analysis.filter(taxonomy=taxonomy)
    groups = {**some.categorize(by), "all": some}
    rows = []
    for value, group in groups.items():
        counts = group.counts[taxonomy].values()
        rows.append((value, *map(str, counts), str(len(group))))
    return Table(
        caption=f"{TITLES[taxonomy]} by {STRATA[by].lower()}",
        headers=(STRATA[by], *CLASSES[taxonomy], "all"),
        rows=tuple(rows),
    )


def example_table(examples: Sequence[Example]) -> Table:
    """An example a row: the mention in its text, what the key has, what the response has."""
    return Table(
        caption="Examples",
        headers=("Class", "Document", "Sentence", "In context", "Key", "Response"),
        rows=tuple(
            (
                example.kind,
                example.mention.document,
                str(example.mention.sentence),
                str(example.mention),
                _cell(example.key),
                _cell(example.response),
            )
            for example in examples
        ),
    )


def _cell(passage: Passage | None) -> str:
    return "" if passage is None else f"{passage.text} ({passage.sentence})"


def _choices(analysis: ErrorAnalysis) -> str:
    chosen = described(analysis.profile)
    return "|".join([analysis.profile.name, *(f"{n}:{v}" for n, v in chosen.items())])
