"""Comparisons of systems: tables, significance letters, CSV, JSON and chart.

Letters above a score name the systems that it is significantly better than. A cell holds them
between private characters that no text has, and each renderer puts its own superscripts there.
"""

import csv
import io
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from corefbench.analysis.comparison import CONLL, PARTS, Comparison, Difference, Estimate, Part, PronounTest, System
from corefbench.citations import bibtex
from corefbench.report.charts import interval_chart, interval_row
from corefbench.report.renderers import (
    ReportFormat,
    escape_formula,
    render_json,
    render_latex,
    render_markdown,
    render_page,
    render_text,
)
from corefbench.report.table import DASH, Cell, Table, count_noun, make_table, percent, tabulate

if TYPE_CHECKING:
    import altair

_SYSTEM_COLUMNS = ("system", "score", "part", *Estimate.__struct_fields__)
_PAIR_COLUMNS = ("first", "second", "score", "part", "first_value", "second_value", *Difference.__struct_fields__)
_ENOUGH_DOCUMENTS = 20
"""Documents from which on the bootstrap is near its level; see docs/compare.md."""
_CORRECTIONS = {"holm": "adjusted after Holm", "bh": "adjusted after Benjamini and Hochberg", "none": "not adjusted"}
_BEGIN, _END, _PADDING = "\ue000", "\ue001", "\ue002"
_SUPERSCRIPT = re.compile(f"{_BEGIN}([^{_PADDING}]*){_PADDING}([^{_END}]*){_END}")
_PART_TITLES: dict[Part, str] = {"recall": "Recall", "precision": "Precision", "f1": "F1"}
_LATEX_SYMBOLS = {"−": "$-$", "≤": r"$\le$"}
_STAR = re.compile(r"(?<=\d) \*")
_STYLE = "sup { display: inline-block; min-width: .8em; text-align: left; font-size: .7em; }"


def report_comparison(
    comparison: Comparison,
    format: ReportFormat = "table",
    *,
    by_document: bool = False,
    brief: bool = False,
    cite: bool = False,
    more: str = "",
) -> str:
    """Render the comparison; ``brief`` omits intervals and differences, ``cite`` adds BibTeX.

    ``more`` is HTML that follows the tables on a page.
    """
    if format == "json":
        return render_json(comparison_to_dict(comparison, by_document=by_document, cite=cite))
    if format == "csv":
        return render_csv_rows(comparison)
    tables = comparison_tables(comparison, brief=brief, by_document=by_document)
    if format == "html":
        tables += [difference_table(comparison, part) for part in PARTS[:2] if not brief]
    text = _render(comparison, [table for table in tables if table.rows], format, more)
    return f"{text}\n\n{bibtex(comparison.cites)}" if cite and format != "html" else text


def comparison_tables(comparison: Comparison, *, brief: bool = False, by_document: bool = False) -> list[Table]:
    """Return all tables, including those without rows."""
    tables = [comparison_score_table(comparison)]
    if not brief:
        tables += [interval_table(comparison), difference_table(comparison), pronoun_table(comparison)]
    return tables + ([comparison_document_table(comparison)] if by_document else [])


def _render(comparison: Comparison, tables: list[Table], format: ReportFormat, more: str) -> str:
    explanation = explain_letters(comparison)
    first, *rest = tables
    if format == "table":
        signatures = first.notes
        first = superscripts_as_text(replace(first, notes=(explanation,) if explanation else ()))
        return "\n\n".join([*map(render_text, (first, *rest)), "\n".join(signatures)])
    if explanation:
        first = replace(first, caption=f"{first.caption}. {explanation}")
    tables = [first, *rest]
    if format == "html":
        return superscripts_as_html(render_page(tables, more=more, style=_STYLE))
    if format == "latex":
        return "\n\n".join(map(_render_latex, tables))
    return "\n\n".join(superscripts_as_markdown(render_markdown(table)) for table in tables)


def _render_latex(table: Table) -> str:
    text = superscripts_as_latex(render_latex(table))
    for symbol, command in _LATEX_SYMBOLS.items():
        text = text.replace(symbol, command)
    return _STAR.sub(r"\\textsuperscript{*}", text)


def render_csv_rows(comparison: Comparison) -> str:
    """Render one unrounded figure per row, for programs: of all pairs, or of a single system."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_PAIR_COLUMNS if comparison.pairs else _SYSTEM_COLUMNS)
    writer.writerows(_pair_rows(comparison) if comparison.pairs else _system_rows(comparison))
    return out.getvalue().rstrip("\n")


def _system_rows(comparison: Comparison) -> Iterator[tuple[object, ...]]:
    for system in comparison.systems:
        for score, figures in system.scores.items():
            for part, estimate in figures.items():
                name = escape_formula(system.name)
                yield name, score, part, *msgspec.structs.astuple(estimate)


def _pair_rows(comparison: Comparison) -> Iterator[tuple[object, ...]]:
    systems = {system.name: system.scores for system in comparison.systems}
    for pair in comparison.pairs:
        names = escape_formula(pair.first), escape_formula(pair.second)
        for score, figures in pair.scores.items():
            for part, difference in figures.items():
                values = (systems[name][score][part].value for name in (pair.first, pair.second))
                yield *names, score, part, *values, *msgspec.structs.astuple(difference)


def describe_test(comparison: Comparison) -> str:
    """Describe the test, its samples, the correction and the level, as in a caption."""
    settings = comparison.settings
    if not comparison.is_tested:
        return "one document: nothing to resample, no test possible"
    if comparison.exact:
        ways = count_noun(2 ** len(comparison.documents), "swap")
        test = f"exact paired randomisation over documents, all {ways}"
    elif settings.test == "randomization":
        samples = count_noun(settings.samples, "sample")
        test = f"paired approximate randomisation over documents, {samples}"
    else:
        test = f"paired bootstrap over documents, {count_noun(settings.samples, 'sample')}"
    return f"{test}, p {_describe_correction(comparison)}, * p ≤ {settings.alpha:g}"


def _describe_correction(comparison: Comparison) -> str:
    settings = comparison.settings
    family = count_noun(len(comparison.pairs), "pair")
    if settings.family == "all":
        family += f" and {count_noun(len(comparison.titles), 'measure')}"
    correction = _CORRECTIONS[settings.correction]
    return correction if settings.correction == "none" else f"{correction} for {family}"


def explain_letters(comparison: Comparison) -> str:
    """Explain the letters above scores; empty if there are none."""
    if len(comparison.systems) < 2:
        return ""
    if not comparison.is_tested:
        return describe_test(comparison).capitalize() + "."
    test = describe_test(comparison).replace("* p", "p")
    return f"Letters after a score: significantly better than the systems of these letters ({test})."


def warn_few_documents(comparison: Comparison) -> tuple[str, ...]:
    """Return a warning if there are too few documents for the test."""
    documents, settings = len(comparison.documents), comparison.settings
    if documents < 2:
        return ()
    if settings.test == "bootstrap" and documents < _ENOUGH_DOCUMENTS:
        return (
            f"With {count_noun(documents, 'document')} the bootstrap finds differences too easily: "
            "use --test randomization.",
        )
    smallest_p = 2.0 ** (1 - documents)
    if settings.test == "randomization" and smallest_p > settings.alpha:
        return (f"With {count_noun(documents, 'document')} no p can be less than {smallest_p:g}.",)
    return ()


def superscript(text: str, marks: str, longest: str) -> str:
    """Add marks to a text; ``longest`` are the longest marks of the column."""
    return f"{text}{_BEGIN}{marks}{_PADDING}{longest[len(marks) :]}{_END}" if longest else text


def superscripts_as_text(table: Table) -> Table:
    """Write marks after a blank, one under the other.

    >>> rows = ((superscript("9.50", "", "ab"),), (superscript("81.20", "ab", "ab"),))
    >>> superscripts_as_text(Table(caption="", headers=("F1",), rows=rows)).rows
    ((' 9.50   ',), ('81.20 ab',))
    """
    columns = [_text_column(column) for column in zip(*table.rows, strict=True)]
    return replace(table, rows=tuple(zip(*columns, strict=True)))


def _text_column(cells: tuple[str, ...]) -> list[str]:
    matches = [_SUPERSCRIPT.search(cell) for cell in cells]
    if not all(matches):
        return list(cells)
    texts = [cell.partition(_BEGIN)[0] for cell in cells]
    marks = [match[1] for match in matches if match]
    text_width, mark_width = max(map(len, texts)), max(map(len, marks))
    are_numbers = all(text.replace(".", "", 1).isdigit() for text in texts)
    padded = [text.rjust(text_width) if are_numbers else text.ljust(text_width) for text in texts]
    return [f"{text} {mark.ljust(mark_width)}" for text, mark in zip(padded, marks, strict=True)]


def superscripts_as_markdown(text: str) -> str:
    """Write marks in ``<sup>``, as Markdown takes them."""
    return _SUPERSCRIPT.sub(_html_superscript, text)


def superscripts_as_html(page: str) -> str:
    """Write marks in ``<sup>``, empty ones too so that columns stay aligned."""
    return _SUPERSCRIPT.sub(r"<sup>\1</sup>", page)


def superscripts_as_latex(text: str) -> str:
    r"""Write marks in ``\textsuperscript``, each as wide as the longest.

    >>> superscripts_as_latex(superscript("81.2", "a", "ab"))
    '81.2\\textsuperscript{a}\\hphantom{\\textsuperscript{b}}'
    """
    return _SUPERSCRIPT.sub(_latex_superscript, text)


def _latex_superscript(match: re.Match[str]) -> str:
    # An invisible rest makes all cells of a column equally wide: numbers stay aligned.
    marks = rf"\textsuperscript{{{match[1]}}}" if match[1] else ""
    return marks + (rf"\hphantom{{\textsuperscript{{{match[2]}}}}}" if match[2] else "")


def _html_superscript(match: re.Match[str]) -> str:
    return f"<sup>{match[1]}</sup>" if match[1] else ""


def comparison_score_table(comparison: Comparison) -> Table:
    """Tabulate F1 with the letters of the systems that each is significantly better than."""
    marks = {system.name: system.mark for system in comparison.systems}
    separator = "," if len(marks) > 26 else ""
    longest = max(marks.values(), key=len) if len(marks) > 1 else ""
    columns = [[superscript(system.name, system.mark, longest) for system in comparison.systems]]
    for score in comparison.titles:
        letters = [
            separator.join(marks[name] for name in comparison.beaten(system.name, score))
            for system in comparison.systems
        ]
        widest = max(letters, key=len)
        columns.append(
            [
                superscript(format_score(comparison, score, system.scores[score]["f1"].value), above, widest)
                for system, above in zip(comparison.systems, letters, strict=True)
            ]
        )
    return make_table(
        f"F1, {comparison.title}; {count_noun(len(comparison.documents), 'document')}",
        ["System", *comparison.titles.values()],
        zip(*columns, strict=True),
        [comparison.signature, *(f"{system.name}: {system.signature}" for system in comparison.systems)],
    )


def interval_table(comparison: Comparison) -> Table:
    """Tabulate recall, precision and F1 with their intervals."""
    return make_table(
        f"Scores with {100 * comparison.settings.confidence:g} % confidence intervals, paired bootstrap over documents",
        ["System", "Measure", *_PART_TITLES.values()],
        (
            [
                system.name,
                title,
                *(_format_interval(comparison, score, system.scores[score].get(part)) for part in _PART_TITLES),
            ]
            for system in comparison.systems
            for score, title in comparison.titles.items()
        ),
    )


def difference_table(comparison: Comparison, part: Part = "f1") -> Table:
    """Tabulate the differences of every pair by every measure: the first minus the second."""
    rows = [
        [f"{pair.first} − {pair.second}", title, *_difference_cells(comparison, pair.scores[score][part])]
        for pair in comparison.pairs
        for score, title in comparison.titles.items()
        if part in pair.scores[score]
    ]
    level = f"{100 * comparison.settings.confidence:g} % interval"
    return make_table(
        f"Differences of {_PART_TITLES[part]}; {describe_test(comparison)}",
        ["Pair", "Measure", "Difference", level, "p", "p adjusted", "Wins", "Ties", "Losses"],
        rows,
        warn_few_documents(comparison),
    )


def pronoun_table(comparison: Comparison) -> Table:
    """Tabulate McNemar's test on the pronouns of every pair."""
    return tabulate(
        "Pronouns resolved correctly; McNemar's exact test",
        [pair for pair in comparison.pairs if pair.pronouns is not None],
        {
            "Pair": lambda pair: f"{pair.first} − {pair.second}",
            "First": lambda pair: _pronoun_rate(comparison[pair.first]),
            "Second": lambda pair: _pronoun_rate(comparison[pair.second]),
            "Only first": "pronouns.only_first",
            "Only second": "pronouns.only_second",
            "p": lambda pair: format_p(pair.pronouns.p),
            "p adjusted": lambda pair: _adjusted_p(comparison, pair.pronouns),
        },
    )


def comparison_document_table(comparison: Comparison) -> Table:
    """Tabulate F1 by document: the CoNLL average if there is one, else the first score."""
    score = CONLL if CONLL in comparison.titles else next(iter(comparison.titles))
    columns = [system.by_document[score] for system in comparison.systems]
    return make_table(
        f"{comparison.titles[score]} F1 by document",
        ["Document", *(system.name for system in comparison.systems)],
        (
            [document, *(format_score(comparison, score, value) for value in values)]
            for document, *values in zip(comparison.documents, *columns, strict=True)
        ),
    )


def format_score(comparison: Comparison, score: str, value: float) -> str:
    """Format a score as ``corefbench score`` does: the CoNLL average is never truncated."""
    return percent(value, "half-up" if score == CONLL else comparison.rounding)


def format_difference(fraction: float) -> str:
    """Format a difference in percentage points.

    >>> format_difference(0.0123), format_difference(-0.5), format_difference(-0.00001)
    ('+1.23', '−50.00', '0.00')
    """
    text = percent(abs(fraction))
    if text == "0.00":
        return text
    return f"{'+' if fraction > 0 else '−'}{text}"


def format_p(p: float | None) -> str:
    """Format p with four decimals; a dash if there was no test.

    >>> format_p(0.25), format_p(0.00001), format_p(1.0), format_p(None)
    ('0.2500', '<0.0001', '1.0000', '–')
    """
    if p is None:
        return DASH
    return "<0.0001" if p < 0.00005 else f"{p:.4f}"


def _format_interval(comparison: Comparison, score: str, estimate: Estimate | None) -> str:
    if estimate is None:
        return ""
    value = format_score(comparison, score, estimate.value)
    if estimate.low is None or estimate.high is None:
        return value
    return f"{value} [{percent(estimate.low)}, {percent(estimate.high)}]"


def _difference_cells(comparison: Comparison, difference: Difference) -> list[Cell]:
    bounds = None
    if difference.low is not None and difference.high is not None:
        bounds = f"[{format_difference(difference.low)}, {format_difference(difference.high)}]"
    counts = (difference.wins, difference.ties, difference.losses)
    p_values = (format_p(difference.p), _adjusted_p(comparison, difference))
    return [format_difference(difference.value), bounds, *p_values, *counts]


def _adjusted_p(comparison: Comparison, test: Difference | PronounTest) -> str:
    return format_p(test.adjusted) + (" *" if comparison.is_significant(test) else "")


def _pronoun_rate(system: System) -> str | None:
    return None if system.pronouns is None else f"{system.pronouns.hits}/{system.pronouns.total}"


def comparison_to_dict(comparison: Comparison, *, by_document: bool = False, cite: bool = False) -> dict[str, Any]:
    """Return the comparison as a dictionary for JSON; programs may rely on the keys."""
    values: dict[str, Any] = {"signature": comparison.signature}
    values |= msgspec.to_builtins(comparison)
    values["documents"] = len(comparison.documents)
    for system in values["systems"]:
        rows = system.pop("by_document")
        system["beats"] = {
            score: {part: list(comparison.beaten(system["name"], score, part)) for part in figures}
            for score, figures in system["scores"].items()
        }
        if by_document:
            system["by_document"] = {
                score: dict(zip(comparison.documents, row, strict=True)) for score, row in rows.items()
            }
    return {**values, "bibtex": bibtex(comparison.cites)} if cite else values


def comparison_chart(comparison: Comparison) -> "altair.FacetChart":
    """Draw F1 of every system with its interval, a small chart per measure.

    Intervals of two systems may overlap although their difference is significant: the tests are
    paired, the intervals are not.
    """
    return interval_chart(
        comparison,
        _interval_rows(comparison),
        list(comparison.titles.values()),
        line="system",
        quantity="measure",
        value="F1",
        unit="F1 (%)",
        head=comparison.title,
        width=180,
        columns=4,
    )


def _interval_rows(comparison: Comparison) -> list[dict[str, object]]:
    return [
        {"system": system.name, "measure": title, **interval_row(system.scores[score]["f1"], "F1")}
        for system in comparison.systems
        for score, title in comparison.titles.items()
    ]
