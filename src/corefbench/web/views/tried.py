"""A tried text: what every pronoun stands for, resolver by resolver, and why."""

from collections.abc import Iterable
from shlex import join

from corefbench.bench.reasons import Reason, Span, Weighed
from corefbench.errors import UnknownName, UsageError
from corefbench.preprocess import DEFAULT
from corefbench.record import Record
from corefbench.report.pieces import Piece, pieces
from corefbench.web.page import Page, Query
from corefbench.web.routes import address
from corefbench.web.trials import Answer, Trial, find
from corefbench.web.workbench import Workbench


class Cell(Record, frozen=True):
    """What a resolver takes a pronoun to stand for."""

    resolver: str
    antecedent: str = ""
    """Empty where the pronoun was left alone."""
    name: str = ""
    """The noun phrase behind an antecedent that is itself a pronoun."""
    chain: int = 0
    """Its number, from 1; 0 where it is in none."""
    rule: str = ""
    confidence: float | None = None
    explained: bool = False


class Row(Record, frozen=True):
    """A pronoun."""

    token: int
    pronoun: str
    around: tuple[str, str]
    """The words before and after it."""
    cells: tuple[Cell, ...]
    agreed: bool
    """Whether all resolvers give the same answer."""


class Shown(Record, frozen=True):
    """A candidate, or a mention, in words."""

    text: str
    chosen: bool = False
    dropped: str = ""
    score: float | None = None
    factors: tuple[tuple[str, float], ...] = ()


class Why(Record, frozen=True):
    """One decision in full."""

    token: int
    pronoun: str
    answer: str
    rule: str
    confidence: float | None
    candidates: tuple[Shown, ...]


class Summary(Record, frozen=True):
    """A resolver in few words."""

    resolver: str
    title: str
    resolved: int
    """Pronouns that it gives an antecedent."""
    chains: int
    seconds: float
    problem: str
    findings: tuple[str, ...]
    command: str


class Tried(Record, frozen=True):
    """The page."""

    trial: Trial
    words: int
    resolvers: tuple[Summary, ...]
    rows: tuple[Row, ...]
    differ: int
    shown: str
    """The resolver whose chains are in the text."""
    pieces: tuple[Piece, ...]
    chains: tuple[tuple[str, ...], ...]
    why: Why | None


def view(workbench: Workbench, query: Query) -> Page:
    """The page; ``resolver`` says whose chains to show, ``why`` which pronoun to explain."""
    trial = find(query["trial"], workbench.folder / "trials")
    shown = _shown(trial, query.get("resolver", ""))
    rows = tuple(_row(trial, span) for span in trial.pronouns)
    model = Tried(
        trial=trial,
        words=len(trial.offsets),
        resolvers=tuple(_summary(trial, answer, rows) for answer in trial.answers),
        rows=rows,
        differ=sum(not row.agreed for row in rows),
        shown=shown.resolver,
        pieces=tuple(pieces(trial.text, trial.offsets, shown.chains)),
        chains=tuple(tuple(_words(trial, span) for span in chain) for chain in shown.chains),
        why=_why(trial, shown, query["why"]) if query.get("why") else None,
    )
    return Page(
        template="tried.html",
        title="What the pronouns stand for",
        model=model,
        crumbs=(("Try it", address("trial")),),
    )


def _shown(trial: Trial, wanted: str) -> Answer:
    known = {answer.resolver: answer for answer in trial.answers}
    if wanted and wanted not in known:
        raise UnknownName("answer of a resolver", wanted, list(known))
    if wanted:
        return known[wanted]
    return next((answer for answer in trial.answers if not answer.problem), trial.answers[0])


def _row(trial: Trial, span: Span) -> Row:
    cells = tuple(_cell(trial, answer, span) for answer in trial.answers if not answer.problem)
    first, end = max(0, span[0] - 6), min(len(trial.offsets), span[1] + 6)
    begin, finish = trial.offsets[span[0]][0], trial.offsets[span[1] - 1][1]
    return Row(
        token=span[0],
        pronoun=_words(trial, span),
        around=(
            " ".join(trial.text[trial.offsets[first][0] : begin].split()).lstrip(".,;:!?\"'”’ "),
            " ".join(trial.text[finish : trial.offsets[end - 1][1]].split()),
        ),
        cells=cells,
        agreed=len({cell.name or cell.antecedent for cell in cells}) < 2,
    )


def _cell(trial: Trial, answer: Answer, pronoun: Span) -> Cell:
    reason = next((one for one in answer.reasons if one.anaphor == pronoun), None)
    number = next((n for n, chain in enumerate(answer.chains, 1) if pronoun in chain), 0)
    before = [span for span in answer.chains[number - 1] if span < pronoun] if number else []
    chosen = reason.antecedent if reason is not None else None
    antecedent = chosen or (before[-1] if before else None)
    if antecedent is None:
        rule = reason.rule if reason is not None else ""
        return Cell(resolver=answer.resolver, rule=rule, explained=reason is not None)
    return Cell(
        resolver=answer.resolver,
        antecedent=_words(trial, antecedent),
        name=_name_behind(trial, antecedent, before),
        chain=number,
        rule=reason.rule if reason is not None else "",
        confidence=reason.confidence if reason is not None else None,
        explained=reason is not None,
    )


def _name_behind(trial: Trial, antecedent: Span, before: Iterable[Span]) -> str:
    """The last mention before that is no pronoun, where the antecedent is one."""
    pronouns = set(trial.pronouns)
    if antecedent not in pronouns:
        return ""
    named = [span for span in before if span not in pronouns]
    return _words(trial, named[-1]) if named else ""


def _summary(trial: Trial, answer: Answer, rows: tuple[Row, ...]) -> Summary:
    own = [cell for row in rows for cell in row.cells if cell.resolver == answer.resolver]
    pipeline = [] if trial.preprocess == DEFAULT else ["--preprocess", trial.preprocess]
    return Summary(
        resolver=answer.resolver,
        title=answer.title,
        resolved=sum(bool(cell.antecedent) for cell in own),
        chains=len(answer.chains),
        seconds=answer.seconds,
        problem=answer.problem,
        findings=answer.findings,
        command=join(["corefbench", "resolve", "text.txt", "-r", answer.resolver, *pipeline]),
    )


def _why(trial: Trial, answer: Answer, token: str) -> Why:
    decided = {str(reason.anaphor[0]): reason for reason in answer.reasons}
    if token not in decided:
        raise UsageError("this resolver explains no decision here", found=f"word {token[:20]}")
    reason = decided[token]
    return Why(
        token=reason.anaphor[0],
        pronoun=_words(trial, reason.anaphor),
        answer=_words(trial, reason.antecedent) if reason.antecedent else "",
        rule=reason.rule,
        confidence=reason.confidence,
        candidates=tuple(_candidate(trial, reason, one) for one in _ranked(reason)),
    )


def _ranked(reason: Reason) -> list[Weighed]:
    """The best first, the dropped last."""
    return sorted(
        reason.candidates, key=lambda one: (bool(one.dropped), -(one.score or 0.0), -one.span[0])
    )


def _candidate(trial: Trial, reason: Reason, one: Weighed) -> Shown:
    return Shown(
        text=_words(trial, one.span),
        chosen=one.span == reason.antecedent,
        dropped=one.dropped,
        score=one.score,
        factors=one.factors,
    )


def _words(trial: Trial, span: Span) -> str:
    begin, finish = trial.offsets[span[0]][0], trial.offsets[span[1] - 1][1]
    return " ".join(trial.text[begin:finish].split())
