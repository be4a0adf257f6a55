"""Try a text: the form and its answers."""

from collections.abc import Iterable, Sequence
from shlex import join
from typing import Any

from msgspec.structs import replace

from corefbench.bench.reasons import Span
from corefbench.errors import CorefbenchError, UnknownName, UsageError
from corefbench.preprocess import DEFAULT
from corefbench.records import Record
from corefbench.report.chains import split_at_chains
from corefbench.web.forms import SubmittedForm
from corefbench.web.pages import Page, Query
from corefbench.workbench import choices
from corefbench.workbench.routes import url_for
from corefbench.workbench.storage import Workbench
from corefbench.workbench.trials import MAX_CHARACTERS, Answer, Trial, load_trial, recent_trials, save_trial, try_text

EXAMPLE_TEXT = """\
The old ferry left the harbour before sunrise, and the captain blew its horn twice. Maria had \
promised her brother that she would meet him on deck, but he could not find her there. He asked \
the captain whether she had seen his sister.

"She is below," the captain said. "Tell her that the coffee is ready. It is hot, and she should \
drink it before the wind gets up." When he found Maria, she was reading a letter. He gave it back \
to her after he had read it himself.
"""
DEFAULT_RESOLVERS = ("kennedy-boguraev", "mitkov", "sieve")
"""Resolvers that are selected at first."""
_CONTEXT_WORDS = 6
"""Words shown on either side of a pronoun."""


class TryTextForm(Record, frozen=True):
    """The form as it was filled in."""

    text: str = ""
    resolvers: tuple[str, ...] = DEFAULT_RESOLVERS
    preprocess: str = DEFAULT


def try_text_page(workbench: Workbench, query: Query) -> Page:
    """Show the form; ``again`` is a trial to start from, ``example`` fills in a text."""
    filled = TryTextForm(text=query.get("text", "")[:MAX_CHARACTERS])
    if "again" in query:
        previous = load_trial(query["again"], workbench.folder / "trials")
        resolvers = tuple(answer.resolver for answer in previous.answers)
        filled = TryTextForm(text=previous.text, resolvers=resolvers, preprocess=previous.preprocess)
    elif "example" in query:
        filled = TryTextForm(text=EXAMPLE_TEXT)
    return build_try_text_page(workbench, filled)


def build_try_text_page(workbench: Workbench, filled: TryTextForm, problem: str = "") -> Page:
    """Return the page with the form as it was filled in."""
    resolvers = choices.resolver_choices()
    pipelines = [choice for choice in choices.preprocessor_choices() if choice.group == "text"]
    model = {
        "filled": filled,
        "problem": problem,
        "most": MAX_CHARACTERS,
        "example": not filled.text,
        "resolvers": [choice for choice in resolvers if not choice.install],
        "preprocessors": [choice for choice in pipelines if not choice.install],
        "missing": [choice for choice in (*resolvers, *pipelines) if choice.install],
        "earlier": [_trial_entry(trial) for trial in recent_trials(workbench.folder / "trials")],
    }
    return Page(template="try_text.html", title="Try a text", model=model, status=422 if problem else 200)


def _trial_entry(trial: Trial) -> dict[str, Any]:
    start_of_text = " ".join(trial.text.split())
    return {
        "name": trial.name,
        "begins": start_of_text if len(start_of_text) < 80 else f"{start_of_text[:79]}…",
        "words": len(trial.offsets),
        "resolvers": [answer.resolver for answer in trial.answers],
    }


class Cell(Record, frozen=True):
    """The antecedent of a pronoun by one resolver."""

    resolver: str
    antecedent: str = ""
    """Empty if the pronoun was not resolved."""
    name: str = ""
    """The noun phrase behind an antecedent that is itself a pronoun."""
    chain: int = 0
    """Number of its chain, from 1; 0 for none."""
    rule: str = ""
    confidence: float | None = None
    explained: bool = False


class Row(Record, frozen=True):
    """A pronoun with the answers of all resolvers."""

    token: int
    pronoun: str
    around: tuple[str, str]
    """Words before and after it."""
    cells: tuple[Cell, ...]
    agreed: bool
    """Whether all resolvers give the same answer."""


def trial_page(workbench: Workbench, query: Query) -> Page:
    """Show a trial; ``resolver`` selects the chains, ``why`` the pronoun to explain."""
    trial = load_trial(query["trial"], workbench.folder / "trials")
    selected = _selected_answer(trial, query.get("resolver", ""))
    rows = [_make_row(trial, span) for span in trial.pronouns]
    model = {
        "trial": trial,
        "words": len(trial.offsets),
        "resolvers": [_summarize_resolver(trial, answer, rows) for answer in trial.answers],
        "rows": rows,
        "differ": sum(not row.agreed for row in rows),
        "shown": selected.resolver,
        "pieces": list(split_at_chains(trial.text, trial.offsets, selected.chains)),
        "chains": [[trial.text_of(span) for span in chain] for chain in selected.chains],
        "why": _explain(trial, selected, query["why"]) if query.get("why") else None,
    }
    return Page(
        template="trial.html",
        title="What the pronouns stand for",
        model=model,
        breadcrumbs=(("Try it", url_for("try")),),
    )


def _selected_answer(trial: Trial, resolver: str) -> Answer:
    answers = {answer.resolver: answer for answer in trial.answers}
    if resolver and resolver not in answers:
        raise UnknownName("answer of a resolver", resolver, list(answers))
    if resolver:
        return answers[resolver]
    return next((answer for answer in trial.answers if not answer.problem), trial.answers[0])


def _make_row(trial: Trial, span: Span) -> Row:
    cells = tuple(_make_cell(trial, answer, span) for answer in trial.answers if not answer.problem)
    start, end = span
    before = trial.text_of((max(0, start - _CONTEXT_WORDS), start)).lstrip(".,;:!?\"'”’ ")
    after = trial.text_of((end, min(len(trial.offsets), end + _CONTEXT_WORDS)))
    return Row(
        token=start,
        pronoun=trial.text_of(span),
        around=(before, after),
        cells=cells,
        agreed=len({cell.name or cell.antecedent for cell in cells}) < 2,
    )


def _make_cell(trial: Trial, answer: Answer, pronoun: Span) -> Cell:
    reason = next((reason for reason in answer.reasons if reason.anaphor == pronoun), None)
    number = next((n for n, chain in enumerate(answer.chains, 1) if pronoun in chain), 0)
    before = [span for span in answer.chains[number - 1] if span < pronoun] if number else []
    antecedent = (reason.antecedent if reason else None) or (before[-1] if before else None)
    cell = Cell(resolver=answer.resolver, rule=reason.rule if reason else "", explained=reason is not None)
    if antecedent is None:
        return cell
    return replace(
        cell,
        antecedent=trial.text_of(antecedent),
        name=_underlying_name(trial, antecedent, before),
        chain=number,
        confidence=reason.confidence if reason else None,
    )


def _underlying_name(trial: Trial, antecedent: Span, before: Iterable[Span]) -> str:
    """Return the last mention before that is not a pronoun, if the antecedent is one."""
    if antecedent not in trial.pronouns:
        return ""
    names = [span for span in before if span not in trial.pronouns]
    return trial.text_of(names[-1]) if names else ""


def _summarize_resolver(trial: Trial, answer: Answer, rows: Sequence[Row]) -> dict[str, Any]:
    cells = [cell for row in rows for cell in row.cells if cell.resolver == answer.resolver]
    pipeline = [] if trial.preprocess == DEFAULT else ["--preprocess", trial.preprocess]
    return {
        "resolver": answer.resolver,
        "title": answer.title,
        "resolved": sum(bool(cell.antecedent) for cell in cells),
        "chains": len(answer.chains),
        "seconds": answer.seconds,
        "problem": answer.problem,
        "findings": answer.findings,
        "command": join(["corefbench", "resolve", "text.txt", "-r", answer.resolver, *pipeline]),
    }


def _explain(trial: Trial, answer: Answer, token: str) -> dict[str, Any]:
    """Return the decision on a pronoun with its candidates, the best first, the dropped last."""
    reasons = {str(reason.anaphor[0]): reason for reason in answer.reasons}
    if token not in reasons:
        raise UsageError("this resolver explains no decision for this word", found=f"word {token[:20]}")
    reason = reasons[token]
    candidates = sorted(
        reason.candidates,
        key=lambda candidate: (bool(candidate.dropped), -(candidate.score or 0.0), -candidate.span[0]),
    )
    return {
        "token": reason.anaphor[0],
        "pronoun": trial.text_of(reason.anaphor),
        "answer": trial.text_of(reason.antecedent) if reason.antecedent else "",
        "rule": reason.rule,
        "confidence": reason.confidence,
        "candidates": [
            {
                "text": trial.text_of(candidate.span),
                "chosen": candidate.span == reason.antecedent,
                "dropped": candidate.dropped,
                "score": candidate.score,
                "factors": candidate.factors,
            }
            for candidate in candidates
        ],
    }


def try_text_form(workbench: Workbench, form: SubmittedForm) -> str | Page:
    """Resolve a text; show the form again if something is wrong."""
    filled = TryTextForm(
        text=form.get("text"), resolvers=tuple(form.fields.get("resolvers", ())), preprocess=form.get("preprocess")
    )
    try:
        trial = try_text(filled.text, filled.resolvers, filled.preprocess)
    except CorefbenchError as error:
        return build_try_text_page(workbench, filled, str(error))
    save_trial(trial, workbench.folder / "trials")
    return url_for("trial", trial=trial.name)
