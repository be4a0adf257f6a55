"""Statistics of a corpus."""

from functools import lru_cache
from shlex import join
from typing import Any

from corefbench.analysis.statistics import Description, describe
from corefbench.corpus.scope import SCOPES, Scope
from corefbench.diagnostics import Finding, Strictness
from corefbench.errors import UnknownName, UsageError
from corefbench.report.charts import can_draw
from corefbench.report.renderers import ReportFormat
from corefbench.report.statistics import report_statistics, statistics_table, statistics_to_dict
from corefbench.web.pages import Chart, Page, Query, make_chart
from corefbench.web.responses import FileContent
from corefbench.workbench.exports import text_file
from corefbench.workbench.inputs import UPLOAD_PREFIX, corpus_choices, corpus_mtime, open_corpus
from corefbench.workbench.jobs import command_options
from corefbench.workbench.storage import Workbench

GROUPINGS = ("genre", "topic", "subtopic", "document")
_MAX_CHART_GROUPS = 60
_EXPORT_FORMATS: dict[str, ReportFormat] = {
    "statistics.tex": "latex",
    "statistics.csv": "csv",
    "statistics.md": "markdown",
    "statistics.json": "json",
}


def statistics_page(workbench: Workbench, query: Query) -> Page:
    """Show statistics; ``corpus`` and ``train`` are names or paths, the rest is as in the CLI."""
    model, description = describe_request(workbench, query)
    return Page(
        template="statistics.html",
        title=f"Statistics of {description.name}" if description else "Statistics",
        model=model,
        charts=_charts(description) if description else {},
    )


def describe_request(workbench: Workbench, query: Query) -> tuple[dict[str, Any], Description | None]:
    """Return the content of the page and the statistics; None without a corpus."""
    corpus = (query.get("path") or query.get("corpus") or "").strip()
    train = (query.get("train_path") or query.get("train") or "").strip()
    by, scope = (query.get("by") or "").strip(), query.get("scope") or "document"
    if scope not in SCOPES:
        raise UsageError(f"there is no scope {scope!r}", expected=", ".join(SCOPES))
    form: dict[str, Any] = {
        "corpus": corpus,
        "train": train,
        "by": by,
        "scope": scope,
        "choices": corpus_choices(workbench),
        "groups": GROUPINGS,
        "scopes": tuple(SCOPES),
        "command": _stats_command(corpus, train, by, scope),
        "values": None,
        "table": None,
        "findings": (),
    }
    if not corpus:
        return form, None
    mtimes = (corpus_mtime(workbench, corpus), corpus_mtime(workbench, train) if train else 0)
    description, findings = _describe_corpus(workbench, corpus, train, by, scope, mtimes)
    form["values"] = statistics_to_dict(description)
    form["table"] = statistics_table(description)
    form["findings"] = list(dict.fromkeys(map(str, findings)))
    return form, description


@lru_cache(maxsize=16)
def _describe_corpus(
    workbench: Workbench, corpus: str, train: str, by: str, scope: Scope, mtimes: tuple[int, int]
) -> tuple[Description, tuple[Finding, ...]]:
    findings: list[Finding] = []
    description = describe(
        open_corpus(workbench, corpus),
        train=open_corpus(workbench, train) if train else None,
        by=by,
        scope=scope,
        strictness=Strictness(lenient=True, report=findings.append),
    )
    return description, tuple(findings)


def _stats_command(corpus: str, train: str, by: str, scope: str) -> str:
    if not corpus:
        return ""

    def name(text: str) -> str:
        return text.rpartition("/")[2] if text.startswith(UPLOAD_PREFIX) else text

    options = command_options({"train": name(train), "by": by, "scope": scope}, {"scope": "document"})
    return join(["corefbench", "stats", name(corpus), "--lenient", *options])


def _charts(description: Description) -> dict[str, Chart]:
    if not can_draw() or len(description.groups) > _MAX_CHART_GROUPS:
        return {}
    from corefbench.report.statistics import distance_chart, size_chart

    charts = {}
    sizes = description.counts.inventory.chain_sizes
    if sizes.total() > sizes[1]:
        pairs = f"{sizes[2]:,} of {sizes.total() - sizes[1]:,} coreferent chains have two mentions"
        charts["sizes"] = make_chart(size_chart(description), f"Chains by size: {pairs}.")
    distances = description.counts.pronouns.sentence_distances
    if distances.total():
        same_sentence = f"{distances[0]:,} of {distances.total():,} pronouns"
        about = f"Pronouns by distance: {same_sentence} have their antecedent in the same sentence."
        charts["distances"] = make_chart(distance_chart(description), about)
    return charts


def export_statistics(workbench: Workbench, query: Query) -> FileContent:
    """Return the statistics of a corpus as a file."""
    what = query["what"]
    if what not in _EXPORT_FORMATS:
        raise UnknownName("export", what, list(_EXPORT_FORMATS))
    _, description = describe_request(workbench, query)
    if description is None:
        raise UnknownName("corpus", "", ["bundled"])
    return text_file(what, report_statistics(description, _EXPORT_FORMATS[what]))
