"""The tables of a comparison: scores with marks, intervals, differences, pronouns, documents."""

from corefbench.analysis.comparison import CONLL, Comparison, Difference, Estimate, Part, System
from corefbench.report.comparison_words import cited_test, count, few_documents
from corefbench.report.superscripts import raised
from corefbench.report.table import Table, percent

NONE = "–"
_PARTS: dict[Part, str] = {"recall": "Recall", "precision": "Precision", "f1": "F1"}


def score_table(comparison: Comparison) -> Table:
    """F1 of every system, with the letters of those it is significantly better than."""
    marks = {system.name: system.mark for system in comparison.systems}
    between = "," if len(marks) > 26 else ""
    several = len(marks) > 1
    longest = max(marks.values(), key=len) if several else ""
    columns = [[raised(system.name, system.mark, longest) for system in comparison.systems]]
    for score in comparison.titles:
        above = [
            between.join(marks[name] for name in comparison.beaten(system.name, score))
            for system in comparison.systems
        ]
        widest = max(above, key=len)
        columns.append(
            [
                raised(shown(comparison, score, system.scores[score]["f1"].value), over, widest)
                for system, over in zip(comparison.systems, above, strict=True)
            ]
        )
    return Table(
        caption=f"F1, {comparison.title}; {count(len(comparison.documents), 'document')}",
        headers=("System", *comparison.titles.values()),
        rows=tuple(zip(*columns, strict=True)),
        notes=(comparison.signature, *(f"{s.name}: {s.signature}" for s in comparison.systems)),
    )


def interval_table(comparison: Comparison) -> Table:
    """R, P and F1 with their intervals."""
    rows = []
    for system in comparison.systems:
        for score, title in comparison.titles.items():
            found = system.scores[score]
            cells = (_interval(comparison, score, found.get(part)) for part in _PARTS)
            rows.append((system.name, title, *cells))
    level = f"{100 * comparison.settings.confidence:g} %"
    return Table(
        caption=f"Scores with {level} confidence intervals, paired bootstrap over documents",
        headers=("System", "Measure", *_PARTS.values()),
        rows=tuple(rows),
    )


def difference_table(comparison: Comparison, part: Part = "f1") -> Table:
    """Every pair by every measure: the first minus the second."""
    rows = []
    for pair in comparison.pairs:
        for score, title in comparison.titles.items():
            found = pair.scores[score].get(part)
            if found is not None:
                versus = f"{pair.first} − {pair.second}"
                rows.append((versus, title, *_difference(comparison, found)))
    level = f"{100 * comparison.settings.confidence:g} % interval"
    return Table(
        caption=f"Differences of {_PARTS[part]}; {cited_test(comparison)}",
        headers=(
            "Pair",
            "Measure",
            "Difference",
            level,
            "p",
            "p adjusted",
            "Wins",
            "Ties",
            "Losses",
        ),
        rows=tuple(rows),
        notes=few_documents(comparison),
    )


def pronoun_table(comparison: Comparison) -> Table:
    """McNemar's test on the pronouns of every pair."""
    rows = []
    for pair in comparison.pairs:
        if pair.pronouns is None:
            continue
        test = pair.pronouns
        rows.append(
            (
                f"{pair.first} − {pair.second}",
                _rate(comparison[pair.first]),
                _rate(comparison[pair.second]),
                str(test.only_first),
                str(test.only_second),
                p_value(test.p),
                p_value(test.adjusted) + _star(comparison.is_significant(test)),
            )
        )
    return Table(
        caption="Pronouns resolved rightly; McNemar's exact test",
        headers=("Pair", "First", "Second", "Only first", "Only second", "p", "p adjusted"),
        rows=tuple(rows),
    )


def document_table(comparison: Comparison) -> Table:
    """The main F1 of every document: the CoNLL average where there is one, else the first score."""
    score = CONLL if CONLL in comparison.titles else next(iter(comparison.titles))
    columns = [system.by_document[score] for system in comparison.systems]
    rows = [
        (document, *(shown(comparison, score, value) for value in values))
        for document, *values in zip(comparison.documents, *columns, strict=True)
    ]
    return Table(
        caption=f"{comparison.titles[score]} F1 by document",
        headers=("Document", *(system.name for system in comparison.systems)),
        rows=tuple(rows),
    )


def shown(comparison: Comparison, score: str, value: float) -> str:
    """A score as ``corefbench score`` shows it: the CoNLL average is never cut."""
    return percent(value, "half-up" if score == CONLL else comparison.rounding)


def signed(fraction: float) -> str:
    """A difference in percentage points.

    >>> signed(0.0123), signed(-0.5), signed(-0.00001)
    ('+1.23', '−50.00', '0.00')
    """
    text = percent(abs(fraction))
    if text == "0.00":
        return text
    return f"{'+' if fraction > 0 else '−'}{text}"


def p_value(p: float | None) -> str:
    """Four decimals, a dash where there was no test.

    >>> p_value(0.25), p_value(0.00001), p_value(1.0), p_value(None)
    ('0.2500', '<0.0001', '1.0000', '–')
    """
    if p is None:
        return NONE
    return "<0.0001" if p < 0.00005 else f"{p:.4f}"


def _interval(comparison: Comparison, score: str, estimate: Estimate | None) -> str:
    if estimate is None:
        return ""
    value = shown(comparison, score, estimate.value)
    if estimate.low is None or estimate.high is None:
        return value
    return f"{value} [{percent(estimate.low)}, {percent(estimate.high)}]"


def _difference(comparison: Comparison, found: Difference) -> tuple[str, ...]:
    bounds = NONE
    if found.low is not None and found.high is not None:
        bounds = f"[{signed(found.low)}, {signed(found.high)}]"
    return (
        signed(found.value),
        bounds,
        p_value(found.p),
        p_value(found.adjusted) + _star(comparison.is_significant(found)),
        *(str(number) for number in (found.wins, found.ties, found.losses)),
    )


def _star(significant: bool) -> str:
    return " *" if significant else ""


def _rate(system: System) -> str:
    return NONE if system.pronouns is None else f"{system.pronouns.hits}/{system.pronouns.total}"
