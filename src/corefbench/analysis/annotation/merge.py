"""What users call: ``merge``."""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np
from msgspec.structs import replace

from corefbench.analysis.annotation.accounts import Account, account
from corefbench.analysis.annotation.conflict_file import conflict_lines
from corefbench.analysis.annotation.conflicts import (
    Conflict,
    Grouping,
    Question,
    as_conflict,
    questions,
    written,
)
from corefbench.analysis.annotation.decisions import grouping_of, read_decisions
from corefbench.analysis.annotation.gathering import Annotations, Many, gather
from corefbench.analysis.annotation.merged import merged_corpus
from corefbench.analysis.annotation.sheets import Sheet, sheets
from corefbench.analysis.annotation.voting import Rule, Ties, cluster, elected, families, pieces
from corefbench.errors import Place, UsageError
from corefbench.findings import Finding
from corefbench.model.corpus import Corpus
from corefbench.record import Columns, Longs
from corefbench.scope import SCOPES, Scope

RuleName: TypeAlias = Literal["vote", "union", "intersection"]
RULES: Mapping[str, Rule] = {
    "vote": Rule(mentions="majority", links="majority"),
    "union": Rule(mentions="any", links="any"),
    "intersection": Rule(mentions="all", links="all"),
}


class Merge(Columns, frozen=True, eq=False):
    """The merged annotation, its conflicts, and what became of what each annotator said."""

    corpus: Corpus
    names: tuple[str, ...]
    rule: Rule
    conflicts: tuple[Conflict, ...]
    accounts: tuple[Account, ...]
    digest: str
    """Of the annotations: decisions hold for these only."""
    findings: tuple[Finding, ...] = ()

    @property
    def open(self) -> tuple[Conflict, ...]:
        """The conflicts that no person has decided."""
        return tuple(conflict for conflict in self.conflicts if not conflict.decision)

    def write_conflicts(self, path: str | Path) -> None:
        """Write the file that a person answers."""
        lines = conflict_lines(self.conflicts, self.names, self.corpus, self.digest)
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


def merge(
    annotations: Many,
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
    """Merge annotations of the same texts by votes, and by the decisions of a person.

    ``rule`` is ``vote`` (majorities; the default for three and more), ``union`` (whatever one says
    and none denies; the default for two) or ``intersection``; ``mentions`` and ``links`` set other
    quorums: ``any``, ``majority``, ``all`` or a number. See ``voting`` for how votes decide.

    >>> text = "#begin document (d); part 000\\nd 0 0 Ann (1)\\nd 0 1 saw -\\nd 0 2 her {}\\n"
    >>> a, b = ((text + "\\n#end document\\n").format(cell).encode() for cell in ("(1)", "(2)"))
    >>> merged = merge([a, b])
    >>> [conflict.kind for conflict in merged.conflicts], len(merged.corpus.chains)
    (['chains'], 2)
    """
    chosen = _rule(rule, mentions, links, ties, len(annotations))
    if scope not in SCOPES:
        raise UsageError(f"there is no scope {scope!r}", expected=", ".join(SCOPES))
    gathered = gather(annotations, format=format, lenient=lenient)
    findings = list(gathered.findings)
    made = list(sheets(gathered, scope=scope, report=findings.append))
    asked = [list(questions(sheet)) for sheet in made]
    conflicts = _conflicts(made, asked, chosen)
    digest = _digest(gathered, made)
    answers = read_decisions(decisions, digest, conflicts) if decisions is not None else {}
    conflicts = [replace(c, decision=answers.get(c.number, "")) for c in conflicts]
    chains = _decided(made, asked, conflicts, chosen)
    if answers or decisions is not None:
        findings += _unanswered(conflicts, str(decisions))
    counts = (gathered.documents >= 0).sum(axis=0).tolist()
    corpus, lost = merged_corpus(gathered, made, chains, numbered_by_unit=scope == "document")
    return Merge(
        corpus=corpus,
        names=gathered.names,
        rule=chosen,
        conflicts=tuple(conflicts),
        accounts=account(gathered.names, counts, zip(made, chains, strict=True)),
        digest=digest,
        findings=(*findings, *lost),
    )


def _rule(
    name: str | None,
    mentions: str | int | None,
    links: str | int | None,
    ties: Ties,
    annotators: int,
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


def _conflicts(
    made: Sequence[Sheet], asked: Sequence[Sequence[Question]], rule: Rule
) -> list[Conflict]:
    conflicts: list[Conflict] = []
    for sheet, some in zip(made, asked, strict=True):
        keep = elected(sheet, rule, {})
        everything = np.ones_like(keep)
        for question in some:
            if question.kind == "mention":
                said = "keep" if keep[question.family[0].rows[0]] else "drop"
            else:
                chains = cluster(question.family, everything, rule)
                said = written(_grouping(question, chains))
            conflicts.append(as_conflict(sheet, question, len(conflicts) + 1, said))
    return conflicts


def _grouping(question: Question, chains: Sequence[Sequence[int]]) -> Grouping:
    """The chain of each piece, by that of its first span."""
    where = {row: number for number, rows in enumerate(chains, 1) for row in rows}
    return tuple(where[piece.rows[0]] for piece in question.family)


def _decided(
    made: Sequence[Sheet],
    asked: Sequence[Sequence[Question]],
    conflicts: Sequence[Conflict],
    rule: Rule,
) -> list[Longs]:
    """For each sheet the merged chain of its rows, -1 where dropped."""
    numbers = iter(conflicts)
    done = []
    for sheet, some in zip(made, asked, strict=True):
        kept: dict[int, bool] = {}
        groups: dict[tuple[int, ...], Grouping] = {}
        for question, conflict in zip(some, numbers, strict=False):
            if conflict.decision and question.kind == "mention":
                kept[question.family[0].rows[0]] = conflict.decision == "keep"
            elif conflict.decision:
                said = grouping_of(conflict, conflict.decision)
                groups[question.family[0].rows] = said
        done.append(_merged(sheet, rule, kept, groups))
    return done


def _merged(
    sheet: Sheet,
    rule: Rule,
    kept: Mapping[int, bool],
    groups: Mapping[tuple[int, ...], Grouping],
) -> Longs:
    keep = elected(sheet, rule, kept)
    some = pieces(sheet)
    found = []
    for numbers in families(some):
        family = [some[number] for number in numbers]
        found += cluster(family, keep, rule, groups.get(family[0].rows))
    chains = np.full(len(sheet.spots), -1, np.int64)
    for number, rows in enumerate(sorted(found)):
        chains[rows] = number
    return chains


def _digest(gathered: Annotations, made: Sequence[Sheet]) -> str:
    """Changes with anything that a decision depends on; not with the names of files or chains."""
    state, labels = hashlib.sha256(), gathered.labels
    for sheet in made:
        rows = [(labels[document], parts) for document, parts in sheet.spots]
        chains = [np.unique(c, return_inverse=True)[1].tolist() for c in sheet.chains.T]
        marked = (sheet.chains >= 0).tolist()
        state.update(repr((sheet.label, rows, chains, marked)).encode())
    return state.hexdigest()[:16]


def _unanswered(conflicts: Sequence[Conflict], source: str) -> list[Finding]:
    left = [str(c.number) for c in conflicts if not c.decision]
    if not left:
        return []
    shown = ", ".join(left[:10]) + (" …" if len(left) > 10 else "")
    return [
        Finding(
            code="CB237",
            severity="note",
            message=f"{len(left)} of {len(conflicts)} conflicts have no answer; the rule decided",
            place=Place(source=source),
            found=f"conflicts {shown}",
        )
    ]
