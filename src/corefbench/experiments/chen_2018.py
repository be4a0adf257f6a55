"""Chen et al. 2018, *PreCo*.

PreCo's single annotations and the models are not public, and OntoNotes is licensed. What follows
from the printed cells is computed; the paper's definitions (densities, OOV rate, error classes,
words of low frequency, oracles of mention detection, duplicates) are applied to free corpora.
"""

from collections.abc import Sequence

from corefbench.experiments import definitions
from corefbench.experiments.arithmetic import f1_table
from corefbench.experiments.base import Paper, Rebuilt, Recipe, Setting
from corefbench.experiments.printed import Printed, PrintedTable, Row, Value
from corefbench.experiments.verdict import Bounds, cell


def table_2(printed: Printed, setting: Setting) -> Sequence[Rebuilt]:
    """Annotation quality: F1 from P and R."""
    return [f1_table(printed, "2")]


def table_3(printed: Printed, setting: Setting) -> Sequence[Rebuilt]:
    """Models: F1 from P and R."""
    return [f1_table(printed, "3")]


def table_4(printed: Printed, setting: Setting) -> Sequence[Rebuilt]:
    """Properties of corpora: three of them follow from others."""
    table = printed["4"]
    cells = []
    for row in table.rows:
        for column in row.values:
            ours, bounds = _derived(table, row, column)
            cells.append(cell(printed, table, row, column, ours, bounds=bounds))
    how = "what follows from other printed cells, as far as their digits say"
    rebuilt = Rebuilt(number="4", title=table.title, how=how, cells=tuple(cells), needs=table.needs)
    return [rebuilt, definitions.properties(table, setting)]


def _derived(table: PrintedTable, row: Row, column: str) -> tuple[float | None, Bounds | None]:
    def value(name: str) -> Value:
        return table[name].values[column]

    match row.given["figure"]:
        case "tokens_per_document":
            tokens = [value("Training tokens"), value("Dev-test tokens")]
            return _quotient(tokens, [value("Training documents"), value("Dev-test documents")])
        case "coreferent_chain_size":
            mentions = [value("Mention density, coreferent")]
            return _quotient(mentions, [value("Cluster density, coreferent")])
        case "singleton_rate":
            coreferent = [value("Mention density, coreferent")]
            share, (low, high) = _quotient(coreferent, [value("Mention density, singletons")])
            return 100 / (1 + share), (100 / (1 + high), 100 / (1 + low))
    return None, None


def _quotient(above: list[Value], below: list[Value]) -> tuple[float, Bounds]:
    """A quotient of sums, and the least and greatest that the printed digits allow."""
    (a, x), (b, y) = ((sum(v.value for v in s), sum(v.unit for v in s) / 2) for s in (above, below))
    return a / b, ((a - x) / (b + y), (a + x) / (b - y))


def table_6(printed: Printed, setting: Setting) -> Sequence[Rebuilt]:
    """Mentions detected, all of the key, and those of the key that are no singletons."""
    table = printed["6"]
    cells = [cell(printed, table, row, c, None) for row in table.rows for c in row.values]
    return [
        Rebuilt(number="6", title=table.title, how="", cells=tuple(cells), needs=table.needs),
        definitions.oracles(setting),
    ]


def errors(printed: Printed, setting: Setting) -> Sequence[Rebuilt]:
    """False-new, false-link, wrong-link, and the share with a word of low frequency."""
    table = printed["errors"]
    cells = [cell(printed, table, row, c, None) for row in table.rows for c in row.values]
    return [
        Rebuilt(number="errors", title=table.title, how="", cells=tuple(cells), needs=table.needs),
        definitions.error_classes(setting),
    ]


def duplicates(printed: Printed, setting: Setting) -> Sequence[Rebuilt]:
    """Documents of which more than 0.9 of the words stand in another (section 3.1)."""
    return [definitions.duplicates(setting)]


RECIPE = Recipe(
    paper=Paper(
        number="002",
        name="chen-2018",
        cite="chen2018",
        without_numbers="Table 1 compares annotation rules, Table 5 shows examples of errors",
    ),
    tables={
        "2": table_2,
        "3": table_3,
        "4": table_4,
        "6": table_6,
        "errors": errors,
        "duplicates": duplicates,
    },
)
