"""Merge annotations by votes and by the decisions of a person."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import starmap
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from corefbench.analysis.annotation.annotations import (
    Annotations,
    AnnotationSources,
    SpanTable,
    read_annotations,
    span_tables,
)
from corefbench.analysis.annotation.conflicts import (
    Conflict,
    Grouping,
    Question,
    find_questions,
    format_conflicts,
    format_grouping,
    make_conflict,
    parse_grouping,
    read_decisions,
)
from corefbench.analysis.annotation.voting import (
    Rule,
    Ties,
    cluster_pieces,
    connect_pieces,
    elect_mentions,
)
from corefbench.corpus.arrays import number_by_appearance
from corefbench.corpus.combine import concatenate, empty_corpus, take_mentions
from corefbench.corpus.corpus import Chains, Corpus, Relations
from corefbench.corpus.scope import SCOPES, Scope
from corefbench.diagnostics import Finding
from corefbench.errors import Place, UsageError
from corefbench.records import Additive, Columns, Longs, Record

RULES: Mapping[str, Rule] = {
    "vote": Rule(mentions="majority", links="majority"),
    "union": Rule(mentions="any", links="any"),
    "intersection": Rule(mentions="all", links="all"),
}


class MergeCounts(Additive, frozen=True):
    """Mentions or links of one annotator: marked = kept + dropped, merged = kept + added."""

    marked: int = 0
    kept: int = 0
    added: int = 0

    @property
    def dropped(self) -> int:
        return self.marked - self.kept


class AnnotatorSummary(Record, frozen=True):
    """What became of the mentions and links of one annotator; a link is a pair within a chain."""

    annotator: str
    documents: int = 0
    mentions: MergeCounts = MergeCounts()
    links: MergeCounts = MergeCounts()


class Merge(Columns, frozen=True, eq=False):
    """The merged annotation, its conflicts, and a summary for each annotator."""

    corpus: Corpus
    names: tuple[str, ...]
    rule: Rule
    conflicts: tuple[Conflict, ...]
    accounts: tuple[AnnotatorSummary, ...]
    digest: str
    """Hash of the annotations; decisions are valid for these only."""
    findings: tuple[Finding, ...] = ()

    @property
    def open(self) -> tuple[Conflict, ...]:
        """The conflicts without a decision."""
        return tuple(conflict for conflict in self.conflicts if not conflict.decision)

    def write_conflicts(self, path: str | Path) -> None:
        """Write the conflicts to a file, to be completed with decisions."""
        lines = format_conflicts(self.conflicts, self.names, self.corpus, self.digest)
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


def merge(
    annotations: AnnotationSources,
    *,
    rule: str | None = None,
    mentions: str | int | None = None,
    links: str | int | None = None,
    ties: Ties = "split",
    decisions: str | Path | None = None,
    scope: Scope = "document",
    format: str | None = None,
    lenient: bool = False,
) -> Merge:
    """Merge annotations of the same texts by votes, and by the decisions of an adjudicator.

    ``rule`` is ``vote`` (majorities; the default for three and more), ``union`` (whatever one marks
    and none contradicts; the default for two) or ``intersection``; ``mentions`` and ``links`` set
    other quorums: ``any``, ``majority``, ``all`` or a number. See ``voting`` for the details.

        >>> text = "#begin document (d); part 000\\nd 0 0 Ann (1)\\nd 0 1 saw -\\nd 0 2 her {}\\n"
        >>> a, b = ((text + "\\n#end document\\n").format(cell).encode() for cell in ("(1)", "(2)"))
        >>> merged = merge([a, b])
        >>> [conflict.kind for conflict in merged.conflicts], len(merged.corpus.chains)
        (['chains'], 2)
    """
    chosen = _make_rule(rule, mentions, links, ties, len(annotations))
    if scope not in SCOPES:
        raise UsageError(f"there is no scope {scope!r}", expected=", ".join(SCOPES))
    gathered = read_annotations(annotations, format=format, lenient=lenient)
    findings = list(gathered.findings)
    tables = list(span_tables(gathered, scope=scope, report=findings.append))
    questions = [list(find_questions(table)) for table in tables]
    conflicts = _find_conflicts(tables, questions, chosen)
    digest = _digest_annotations(gathered, tables)
    answers = read_decisions(decisions, digest, conflicts) if decisions is not None else {}
    conflicts = [replace(c, decision=answers.get(c.number, "")) for c in conflicts]
    chains = _apply_decisions(tables, questions, conflicts, chosen)
    if decisions is not None:
        findings += _report_unanswered(conflicts, str(decisions))
    return Merge(
        corpus=_build_corpus(gathered, tables, chains, numbered_by_group=scope == "document"),
        names=gathered.names,
        rule=chosen,
        conflicts=tuple(conflicts),
        accounts=_summarize_annotators(gathered, tables, chains),
        digest=digest,
        findings=(*findings, *_report_lost(gathered)),
    )


def _summarize_annotators(
    annotations: Annotations, tables: Sequence[SpanTable], chains: Sequence[Longs]
) -> tuple[AnnotatorSummary, ...]:
    """Summarize annotators, given the merged chain of every row of every table, -1 if dropped."""
    summaries = []
    for annotator, name in enumerate(annotations.names):
        own = [(table.chains[:, annotator], merged) for table, merged in zip(tables, chains, strict=True)]
        summaries.append(
            AnnotatorSummary(
                annotator=name,
                documents=int((annotations.documents[:, annotator] >= 0).sum()),
                mentions=sum(starmap(_count_mentions, own), MergeCounts()),
                links=sum(starmap(_count_links, own), MergeCounts()),
            )
        )
    return tuple(summaries)


def _count_mentions(chains: Longs, merged: Longs) -> MergeCounts:
    kept = int(((chains >= 0) & (merged >= 0)).sum())
    return MergeCounts(marked=int((chains >= 0).sum()), kept=kept, added=int((merged >= 0).sum()) - kept)


def _count_links(chains: Longs, merged: Longs) -> MergeCounts:
    both = np.flatnonzero((chains >= 0) & (merged >= 0))
    kept = _count_pairs(zip(chains[both].tolist(), merged[both].tolist(), strict=True))
    return MergeCounts(
        marked=_count_pairs(chains[chains >= 0].tolist()),
        kept=kept,
        added=_count_pairs(merged[merged >= 0].tolist()) - kept,
    )


def _count_pairs(labels: Iterable[object]) -> int:
    """Count the pairs of equal labels.

    >>> _count_pairs("aabaa")
    6
    """
    return sum(count * (count - 1) // 2 for count in Counter(labels).values())


def _build_corpus(
    annotations: Annotations, tables: Sequence[SpanTable], chains: Sequence[Longs], *, numbered_by_group: bool
) -> Corpus:
    """Build the merged corpus.

    Attributes of a mention (head, minimal span, type) are those of its first annotator. Chains are
    numbered within each document, or over the corpus where documents share chains. A chain lies in
    one document, so that one of several documents becomes several with one label.
    """
    rows, chain_offset = [], 0
    for table, merged in zip(tables, chains, strict=True):
        kept = np.flatnonzero(merged >= 0)
        document = np.array([table.spans[row][0] for row in kept.tolist()], np.int64)
        annotator = (table.mentions[kept] >= 0).argmax(axis=1)
        entity = merged[kept] + chain_offset
        label = merged[kept] if numbered_by_group else entity
        rows.append(np.stack([document, annotator, table.mentions[kept, annotator], entity, label]))
        chain_offset += int(merged.max(initial=-1)) + 1
    columns = np.concatenate(rows, axis=1)
    # Groups may have their documents in any order; mentions and chains are sorted by document.
    document, annotator, number, entity, label = columns[:, np.argsort(columns[0], kind="stable")]
    first, chain = number_by_appearance(document * (chain_offset + 1) + entity)
    pieces, order = [], []
    for owner, corpus in enumerate(annotations.corpora):
        own = np.flatnonzero(annotator == owner)
        zeros = np.zeros(len(own), np.int32)
        own_mentions = replace(take_mentions(corpus.mentions, number[own]), document=zeros, chain=zeros)
        # Corpora of mentions only: ``concatenate`` joins columns of any format.
        pieces.append(replace(empty_corpus(annotations.base.name), mentions=own_mentions))
        order.append(own)
    mentions = take_mentions(concatenate("", pieces).mentions, np.argsort(np.concatenate(order), kind="stable"))
    return replace(
        annotations.base,
        mentions=replace(mentions, document=document.astype(np.int32), chain=chain),
        chains=Chains(document=document[first].astype(np.int32), labels=label[first]),
        relations=Relations.none(),
    )


def _report_lost(annotations: Annotations) -> list[Finding]:
    findings = []
    for name, corpus in zip(annotations.names, annotations.corpora, strict=True):
        relations = corpus.relations
        counts = {"bridging relations": len(relations.bridging_anaphor), "split antecedents": len(relations.plural)}
        lost = ", ".join(f"{count} {relation}" for relation, count in counts.items() if count)
        if lost:
            findings.append(
                Finding(
                    code="CB238",
                    severity="warning",
                    message="relations are not merged and are not in the result",
                    place=Place(source=name),
                    found=lost,
                )
            )
    return findings


def _make_rule(
    name: str | None, mentions: str | int | None, links: str | int | None, ties: Ties, annotators: int
) -> Rule:
    name = name or ("union" if annotators == 2 else "vote")
    if name not in RULES:
        raise UsageError(f"there is no rule {name!r}", expected=", ".join(RULES))
    if ties not in ("split", "join"):
        raise UsageError(f"ties cannot be decided by {ties!r}", expected="split or join")
    rule = RULES[name]
    return Rule(
        mentions=rule.mentions if mentions is None else str(mentions),
        links=rule.links if links is None else str(links),
        ties=ties,
    )


def _find_conflicts(tables: Sequence[SpanTable], questions: Sequence[Sequence[Question]], rule: Rule) -> list[Conflict]:
    conflicts: list[Conflict] = []
    for table, own_questions in zip(tables, questions, strict=True):
        keep = elect_mentions(table, rule, {})
        # The rule is shown for all pieces of a conflict, kept or not.
        everything = np.ones_like(keep)
        for question in own_questions:
            if question.kind == "mention":
                rule_answer = "keep" if keep[question.family[0].rows[0]] else "drop"
            else:
                chains = cluster_pieces(question.family, everything, rule)
                chain_of_row = {row: number for number, rows in enumerate(chains, 1) for row in rows}
                rule_answer = format_grouping([chain_of_row[piece.rows[0]] for piece in question.family])
            conflicts.append(make_conflict(table, question, len(conflicts) + 1, rule_answer))
    return conflicts


def _apply_decisions(
    tables: Sequence[SpanTable], questions: Sequence[Sequence[Question]], conflicts: Sequence[Conflict], rule: Rule
) -> list[Longs]:
    """Return the merged chain of every row of every table, -1 if dropped."""
    numbers = iter(conflicts)
    merged_chains = []
    for table, own_questions in zip(tables, questions, strict=True):
        kept: dict[int, bool] = {}
        groups: dict[tuple[int, ...], Grouping] = {}
        for question, conflict in zip(own_questions, numbers, strict=False):
            if conflict.decision and question.kind == "mention":
                kept[question.family[0].rows[0]] = conflict.decision == "keep"
            elif conflict.decision:
                grouping = parse_grouping(conflict, conflict.decision)
                groups[question.family[0].rows] = grouping
        merged_chains.append(_merge_table(table, rule, kept, groups))
    return merged_chains


def _merge_table(
    table: SpanTable, rule: Rule, kept: Mapping[int, bool], groups: Mapping[tuple[int, ...], Grouping]
) -> Longs:
    keep = elect_mentions(table, rule, kept)
    clusters = [
        rows
        for family in connect_pieces(table)
        for rows in cluster_pieces(family, keep, rule, groups.get(family[0].rows))
    ]
    chains = np.full(len(table.spans), -1, np.int64)
    for number, rows in enumerate(sorted(clusters)):
        chains[rows] = number
    return chains


def _digest_annotations(gathered: Annotations, tables: Sequence[SpanTable]) -> str:
    """Hash everything that a decision depends on; names of files and chains do not count."""
    state, labels = hashlib.sha256(), gathered.labels
    for table in tables:
        rows = [(labels[document], parts) for document, parts in table.spans]
        chains = [np.unique(c, return_inverse=True)[1].tolist() for c in table.chains.T]
        marked = (table.chains >= 0).tolist()
        state.update(repr((table.label, rows, chains, marked)).encode())
    return state.hexdigest()[:16]


def _report_unanswered(conflicts: Sequence[Conflict], source: str) -> list[Finding]:
    unanswered = [str(c.number) for c in conflicts if not c.decision]
    if not unanswered:
        return []
    shown = ", ".join(unanswered[:10]) + (" …" if len(unanswered) > 10 else "")
    return [
        Finding(
            code="CB237",
            severity="note",
            message=f"{len(unanswered)} of {len(conflicts)} conflicts have no answer; the rule decided",
            place=Place(source=source),
            found=f"conflicts {shown}",
        )
    ]
