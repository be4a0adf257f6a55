"""What a corpus is like: sizes, densities, pronouns and their distances."""

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from corefbench.errors import UsageError
from corefbench.findings import Finding, Strictness
from corefbench.record import Record
from corefbench.report.charts.inline import can_draw
from corefbench.report.statistics import as_object, statistics_table
from corefbench.report.table import Table
from corefbench.scope import SCOPES, Scope
from corefbench.stats import Description, describe
from corefbench.web.corpora import Choice, choices, chosen, stamp
from corefbench.web.page import Drawing, Page, Query, drawing
from corefbench.web.workbench import Workbench

if TYPE_CHECKING:
    from corefbench.report.charts import AnyChart

GROUPS = ("genre", "topic", "subtopic", "document")
_MOST_GROUPS = 60


class Statistics(Record, frozen=True):
    """The page; without a corpus only the form."""

    corpus: str
    train: str
    by: str
    scope: str
    choices: tuple[Choice, ...]
    groups: tuple[str, ...]
    scopes: tuple[str, ...]
    command: str
    values: dict[str, Any] | None = None
    table: Table | None = None
    findings: tuple[str, ...] = ()


def view(workbench: Workbench, query: Query) -> Page:
    """The page: ``corpus`` and ``train`` are names or paths, ``by`` and ``scope`` as in the CLI."""
    model, description = described(workbench, query)
    if description is None:
        return Page(template="statistics.html", title="Statistics", model=model)
    return Page(
        template="statistics.html",
        title=f"Statistics of {description.name}",
        model=model,
        drawings=_drawings(description),
    )


def described(workbench: Workbench, query: Query) -> tuple[Statistics, Description | None]:
    """What is asked for, and the corpus in numbers."""
    corpus = (query.get("path") or query.get("corpus") or "").strip()
    train = (query.get("train_path") or query.get("train") or "").strip()
    by, scope = (query.get("by") or "").strip(), query.get("scope") or "document"
    if scope not in SCOPES:
        raise UsageError(f"there is no scope {scope!r}", expected=", ".join(SCOPES))
    form = Statistics(
        corpus=corpus,
        train=train,
        by=by,
        scope=scope,
        choices=choices(workbench),
        groups=GROUPS,
        scopes=tuple(SCOPES),
        command=_command(corpus, train, by, scope),
    )
    if not corpus:
        return form, None
    stamps = (stamp(workbench, corpus), stamp(workbench, train) if train else 0)
    description, heard = _counted(workbench, corpus, train, by, scope, stamps)
    from msgspec.structs import replace

    model = replace(
        form,
        values=as_object(description),
        table=statistics_table(description),
        findings=tuple(dict.fromkeys(map(str, heard))),
    )
    return model, description


@lru_cache(maxsize=16)
def _counted(
    workbench: Workbench, corpus: str, train: str, by: str, scope: Scope, stamps: tuple[int, int]
) -> tuple[Description, tuple[Finding, ...]]:
    heard: list[Finding] = []
    description = describe(
        chosen(workbench, corpus),
        train=chosen(workbench, train) if train else None,
        by=by,
        scope=scope,
        strictness=Strictness(lenient=True, report=heard.append),
    )
    return description, tuple(heard)


def _command(corpus: str, train: str, by: str, scope: str) -> str:
    from shlex import join

    from corefbench.web.corpora import UPLOAD

    if not corpus:
        return ""

    def name(text: str) -> str:
        return text.removeprefix(UPLOAD).rpartition("/")[2] if text.startswith(UPLOAD) else text

    words = ["corefbench", "stats", name(corpus), "--lenient"]
    words += ["--train", name(train)] if train else []
    words += ["--by", by] if by else []
    words += ["--scope", scope] if scope != "document" else []
    return join(words)


def _drawings(description: Description) -> dict[str, Drawing]:
    if not can_draw() or len(description.groups) > _MOST_GROUPS:
        return {}
    from corefbench.report.charts.distances import distance_chart
    from corefbench.report.charts.sizes import size_chart

    made: dict[str, tuple[AnyChart, str]] = {}
    sizes = description.counts.inventory.chain_sizes
    if sizes.total() > sizes[1]:
        two = f"{sizes[2]:,} of {sizes.total() - sizes[1]:,} coreferent chains have two mentions"
        made["sizes"] = (size_chart(description), f"Chains by size: {two}.")
    distances = description.counts.pronouns.sentence_distances
    if distances.total():
        near = f"{distances[0]:,} of {distances.total():,} pronouns"
        about = f"Pronouns by distance: {near} have their antecedent in the same sentence."
        made["distances"] = (distance_chart(description), about)
    return {name: drawing(chart, alt) for name, (chart, alt) in made.items()}
