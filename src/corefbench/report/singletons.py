"""The singleton study as tables, as sentences and as plain values."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

import msgspec

from corefbench.analysis.movement import Movement
from corefbench.analysis.singletons.baselines import BASELINES
from corefbench.analysis.singletons.breakdown import Breakdown, Side
from corefbench.analysis.singletons.ranks import rank_changes
from corefbench.analysis.singletons.study import SETTINGS, SingletonStudy
from corefbench.analysis.singletons.words import title
from corefbench.report import ReportFormat, machine, render_tables
from corefbench.report.table import Table, percent
from corefbench.scoring.result import Result

_MOVEMENTS = 10


def report_singletons(
    studies: Mapping[str, SingletonStudy],
    format: ReportFormat = "table",
    *,
    details: bool = False,
    more: str = "",
) -> str:
    """Studies by response name, as text; ``details`` shows recall and precision beside F1, and
    ``more`` is HTML for the end of a page."""
    if format == "json":
        objects = {name: as_object(study) for name, study in studies.items()}
        several = {"studies": objects, "rank_changes": list(rank_changes(studies))}
        whole = next(iter(objects.values())) if len(objects) == 1 else several
        return msgspec.json.format(msgspec.json.encode(whole), indent=2).decode()
    tables = [t for name, study in studies.items() for t in study_tables(study, name, details)]
    if format == "html":
        items = {f"{name}, in words": s.explanation() for name, s in studies.items()}
        items["What turns the order of the responses over"] = rank_changes(studies)
        words = "".join(_paragraphs(head, some) for head, some in items.items() if some)
        return render_tables(tables, format, more=words + more)
    text = render_tables(tables, format)
    if format in ("table", "markdown"):
        said = [_in_words(f"{name}, in words", s.explanation()) for name, s in studies.items()]
        turned = rank_changes(studies)
        said += [_in_words("What turns the order of the responses over", turned)] if turned else []
        return "\n\n".join([text, *said])
    return text


def study_tables(study: SingletonStudy, name: str, details: bool = False) -> list[Table]:
    """Gold and system with and without singletons, what the response keeps, the baselines, the
    mentions, and what moved."""
    against = "without" if study.key_singletons == "strip" else "with"
    as_given = (some["G+S/S+S"].signature for some in study.results.values())
    return [
        _scores(
            study,
            tuple(SETTINGS),
            f"{name}: singletons in the key (G) and in the response (S)",
            details,
            tuple(map(str, as_given)),
        ),
        _scores(
            study,
            study.variants,
            f"{name}: what the response keeps, against the key {against} singletons",
            details,
        ),
        _scores(study, BASELINES, "Baselines on the mentions of the key", details),
        _mentions(study, name),
        _moved(study.movements()[:_MOVEMENTS], name),
    ]


def _scores(
    study: SingletonStudy,
    settings: Sequence[str],
    caption: str,
    details: bool,
    notes: tuple[str, ...] = (),
) -> Table:
    names = measure_titles(study)
    rows = [
        (profile, setting, *_cells(results[setting], names, details))
        for profile, results in study.results.items()
        for setting in settings
    ]
    parts = ("R", "P", "F1") if details else ("",)
    headers = tuple(f"{t} {part}".strip() for t in names.values() for part in parts)
    what = caption if details else f"{caption}, F1"
    return Table(
        caption=what,
        headers=("Profile", "Setting", *headers, "CoNLL"),
        rows=tuple(rows),
        notes=notes,
    )


def measure_titles(study: SingletonStudy) -> dict[str, str]:
    """The scores that any of the profiles has, with their titles."""
    return {
        name: title(result, name)
        for some in study.results.values()
        for result in some.values()
        for name in result
    }


def _cells(result: Result, names: Iterable[str], details: bool) -> list[str]:
    cells = []
    for name in names:
        if name not in result.tallies:
            cells += ["–"] * (3 if details else 1)
            continue
        score = result[name]
        values = (score.recall, score.precision, score.f1) if details else (score.f1,)
        cells += [percent(value, result.profile.rounding) for value in values]
    return [*cells, "–" if result.conll is None else percent(result.conll.f1)]


def _mentions(study: SingletonStudy, name: str) -> Table:
    rows = [
        (profile, side, *map(str, _counts(getattr(counts, side))))
        for profile, counts in study.breakdown.items()
        for side in ("key", "response")
    ]
    return Table(
        caption=f"{name}: mentions with and without a twin",
        headers=(
            "Profile",
            "Side",
            "Mentions",
            "Singletons",
            "Matched singletons",
            "Matched chained",
            "Twinless singletons",
            "Twinless chained",
        ),
        rows=tuple(rows),
    )


def _counts(side: Side) -> tuple[int, ...]:
    return (
        side.mentions,
        side.singletons,
        side.matched_singletons,
        side.matched_chained,
        side.twinless_singletons,
        side.twinless_chained,
    )


def _moved(movements: Iterable[Movement], name: str) -> Table:
    rows = [
        (
            m.under,
            f"{m.before} → {m.after}",
            m.measure,
            percent(m.old.f1, m.rounding),
            percent(m.new.f1, m.rounding),
            f"{m.points:+.2f}".replace("-", "−"),
        )
        for m in movements
    ]
    return Table(
        caption=f"{name}: the largest movements of F1",
        headers=("Profile", "Change", "Measure", "From", "To", "Points"),
        rows=tuple(rows),
    )


def _in_words(head: str, sentences: Sequence[str]) -> str:
    return "\n".join([f"{head}:", "", *(f"- {sentence}" for sentence in sentences)])


def _paragraphs(head: str, sentences: Sequence[str]) -> str:
    items = "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences)
    return f"<h2>{escape(head)}</h2><ul>{items}</ul>"


def as_object(study: SingletonStudy) -> dict[str, Any]:
    """The study in plain values; programs may rely on the keys."""
    return {
        "key": study.key,
        "response": study.response,
        "variants_against_key_singletons": study.key_singletons,
        "results": {
            profile: {setting: machine.as_object(result) for setting, result in some.items()}
            for profile, some in study.results.items()
        },
        "mentions": {p: _breakdown(counts) for p, counts in study.breakdown.items()},
        "movements": [
            {
                "profile": m.under,
                "before": m.before,
                "after": m.after,
                "change": m.change,
                "measure": m.measure,
                "old": msgspec.to_builtins(m.old),
                "new": msgspec.to_builtins(m.new),
                "points": m.points,
            }
            for m in study.movements()
        ],
        "explanation": list(study.explanation()),
        "findings": [msgspec.to_builtins(finding) for finding in study.findings],
    }


def _breakdown(counts: Breakdown) -> dict[str, Any]:
    return dict(msgspec.to_builtins(counts))
