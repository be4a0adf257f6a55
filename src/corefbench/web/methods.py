"""The methods of a run side by side: what each came to, and how that can be made again."""

from msgspec.structs import replace

from corefbench.analysis.comparison import PARTS, Comparison
from corefbench.record import Record
from corefbench.report.table import percent
from corefbench.runs import Run
from corefbench.web import commands
from corefbench.web.analyses import Tried, tried
from corefbench.web.documents import DocumentRow
from corefbench.web.figures import RATES, TESTED, Figure, best, figure

_PRONOUNS = "pronouns"


class Method(Record, frozen=True):
    """A resolver or response."""

    name: str
    mark: str
    """The letter that stands for it."""
    signatures: dict[str, str]
    """Of its coreference scores and of its pronouns."""
    command: str
    tried: Tried
    """Its pronouns, or its mentions in a run of scores."""
    worst: int | None
    """The document with most errors."""
    rates: dict[str, Figure]
    scores: dict[str, dict[str, Figure]]
    """By measure: recall, precision and f1."""
    words_per_second: float | None = None


def method_of(
    run: Run,
    name: str,
    scores: Comparison | None,
    pronouns: Comparison | None,
    rows: tuple[DocumentRow, ...],
) -> Method:
    """One method, with its figures in both comparisons."""
    counts = [row for row in rows if row.number is not None and row.methods[name].tried.errors]
    worst = max(counts, key=lambda row: row.methods[name].tried.errors, default=None)
    signatures = {}
    if scores is not None:
        signatures["scores"] = scores[name].signature
    if pronouns is not None:
        signatures["pronouns"] = pronouns[name].signature
    comparison = scores or pronouns
    return Method(
        name=name,
        mark=comparison[name].mark if comparison is not None else "",
        signatures=signatures,
        command=commands.of_response(run, name),
        tried=sum(tried(run)[name], Tried()),
        worst=None if worst is None else worst.number,
        rates={} if pronouns is None else _rates(run, name, pronouns),
        scores={} if scores is None else _scores(scores, name),
        words_per_second=_speed(run, name),
    )


def _rates(run: Run, name: str, pronouns: Comparison) -> dict[str, Figure]:
    made = {}
    for column in RATES:
        rate = getattr(run.bench[name].rates, column.name)
        found = Figure(value=rate.value, shown="–" if rate.value is None else percent(rate.value))
        if column.name in TESTED and rate.value is not None:
            found = figure(pronouns, name, _PRONOUNS, TESTED[column.name]) or found
        made[column.name] = replace(found, value=rate.value, hits=rate.hits, total=rate.total)
    return made


def _scores(scores: Comparison, name: str) -> dict[str, dict[str, Figure]]:
    return {
        score: {
            part: found
            for part in PARTS
            if (found := figure(scores, name, score, part)) is not None
        }
        for score in scores.titles
    }


def _speed(run: Run, name: str) -> float | None:
    if run.kind != "bench":
        return None
    performance = run.bench[name]
    return performance.words / performance.seconds if performance.seconds > 0 else None


def highest(methods: tuple[Method, ...]) -> dict[str, float]:
    """The highest of every column, where there is one to choose."""
    columns: dict[str, list[Figure | None]] = {}
    for method in methods:
        for rate, found in method.rates.items():
            columns.setdefault(f"rate {rate}", []).append(found)
        for score, parts in method.scores.items():
            columns.setdefault(score, []).append(parts.get("f1"))
    return {name: top for name, some in columns.items() if (top := best(some)) is not None}
