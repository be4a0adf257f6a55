"""A merge: how far the annotators agree, what became of what they said, where they differ."""

from collections.abc import Sequence
from math import ceil
from typing import Any

import numpy as np

from corefbench.analysis.annotation.agreement import Agreement
from corefbench.analysis.annotation.marking import text_of
from corefbench.analysis.annotation.merge import Merge
from corefbench.errors import UnknownName, UsageError
from corefbench.model.corpus import Corpus
from corefbench.record import Record
from corefbench.report import agreement as of_agreement
from corefbench.report import merge as of_merge
from corefbench.report.charts.inline import can_draw
from corefbench.report.table import Table
from corefbench.web.disagreements import Disagreement, disagreement
from corefbench.web.merging import Choices, agreement_of, commands, merged_of, opened
from corefbench.web.page import Drawing, Page, Query, drawing
from corefbench.web.views.errors import page_number
from corefbench.web.workbench import Workbench
from corefbench.web.writing import Target, targets

KINDS = ("mention", "chains")
_SIZE = 20
_CHAINS = 15


class Chain(Record, frozen=True):
    """A chain of the merged annotation."""

    document: str
    size: int
    mentions: tuple[str, ...]
    """The first of them."""


class Merged(Record, frozen=True):
    """The page."""

    merge: str
    annotations: tuple[str, ...]
    created: str
    choices: Choices
    rule: dict[str, str]
    decided: bool
    documents: int
    mentions: int
    chains: int
    agreement: dict[str, Any]
    account: list[dict[str, Any]]
    conflicts: dict[str, int]
    """By kind."""
    kind: str
    page: int
    pages: int
    found: int
    disagreements: tuple[Disagreement, ...]
    largest: tuple[Chain, ...]
    tables: dict[str, Table]
    formats: tuple[Target, ...]
    commands: tuple[str, str]
    findings: tuple[str, ...]


def view(workbench: Workbench, query: Query) -> Page:
    """The page; ``kind`` and ``page`` say which disagreements are listed."""
    kept = opened(workbench, query["merge"])
    kind, number = query.get("kind", ""), page_number(query)
    if kind and kind not in KINDS:
        raise UnknownName("kind of disagreement", kind, list(KINDS))
    made, agreed = merged_of(kept), agreement_of(kept)
    some = [one for one in made.conflicts if not kind or one.kind == kind]
    pages = max(1, ceil(len(some) / _SIZE))
    if number > pages:
        raise UsageError("there is no such page", found=str(number), expected=f"1 to {pages}")
    account = of_merge.as_object(made)
    findings = dict.fromkeys(map(str, (*agreed.findings, *made.findings)))
    model = Merged(
        merge=kept.name,
        annotations=kept.manifest.annotations,
        created=kept.manifest.created,
        choices=kept.manifest.choices,
        rule=account["rule"],
        decided=kept.manifest.decided,
        documents=len(made.corpus),
        mentions=len(made.corpus.mentions),
        chains=len(made.corpus.chains),
        agreement=of_agreement.as_object(agreed),
        account=account["accounts"],
        conflicts={one: sum(c.kind == one for c in made.conflicts) for one in KINDS},
        kind=kind,
        page=number,
        pages=pages,
        found=len(some),
        disagreements=tuple(
            disagreement(conflict, made.names, made.corpus)
            for conflict in some[(number - 1) * _SIZE : number * _SIZE]
        ),
        largest=_largest(made.corpus),
        tables=_tables(made, agreed),
        formats=targets(next(iter(kept.annotations().values()))),
        commands=commands(kept),
        findings=tuple(findings),
    )
    return Page(
        template="merged.html",
        title=f"Merge of {_joined(kept.manifest.annotations)}",
        model=model,
        drawings=_drawings(made, agreed),
    )


def _joined(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) < 5 else f"{len(names)} files"


def _tables(made: Merge, agreed: Agreement) -> dict[str, Table]:
    tables = {
        "pairs": of_agreement.pair_table(agreed),
        "alpha": of_agreement.alpha_table(agreed),
        "documents": of_agreement.document_table(agreed),
        "account": of_merge.account_table(made),
        "conflicts": of_merge.conflict_table(made),
    }
    if agreed.quality is not None:
        tables["quality"] = of_agreement.quality_table(agreed.quality)
        tables["annotators"] = of_agreement.annotator_table(agreed.quality)
    return tables


def _largest(corpus: Corpus) -> tuple[Chain, ...]:
    """The largest chains, with their first mentions."""
    mentions = corpus.mentions
    sizes = np.bincount(mentions.chain, minlength=len(corpus.chains))
    labels = corpus.documents.labels()
    made = []
    for chain in np.argsort(-sizes, kind="stable")[:_CHAINS].tolist():
        some = np.flatnonzero(mentions.chain == chain).tolist()
        spots = [
            (int(mentions.document[m]), ((int(mentions.start[m]), int(mentions.end[m])),))
            for m in some[:8]
        ]
        if spots:
            made.append(
                Chain(
                    document=labels[spots[0][0]],
                    size=len(some),
                    mentions=tuple(text_of(corpus, spot) for spot in spots),
                )
            )
    return tuple(made)


def _drawings(made: Merge, agreed: Agreement) -> dict[str, Drawing]:
    if not can_draw():
        return {}
    from corefbench.report.charts.agreement import agreement_chart
    from corefbench.report.charts.merge import merge_chart

    mean = "" if agreed.conll is None else f" The mean CoNLL F1 is {100 * agreed.conll:.1f} %."
    return {
        "agreement": drawing(
            agreement_chart(agreed), f"Agreement of every two annotators, by measure.{mean}"
        ),
        "merge": drawing(
            merge_chart(made),
            "Mentions and links of each annotator that were kept, dropped and added by others.",
        ),
    }
