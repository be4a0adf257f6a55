"""Singleton studies: tables, sentences, JSON and chart."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from corefbench.analysis.singletons import BASELINES, SETTINGS, Side, SingletonStudy, rank_changes
from corefbench.analysis.studies import ScoreChange
from corefbench.report.charts import Bar, bars_by_measure
from corefbench.report.renderers import ReportFormat, render_explained, render_json
from corefbench.report.scores import measure_title, result_to_dict
from corefbench.report.table import Table, percent
from corefbench.scoring.result import Result

if TYPE_CHECKING:
    import altair


_MAX_MOVEMENTS = 10


def report_singletons(
    studies: Mapping[str, SingletonStudy], format: ReportFormat = "table", *, details: bool = False, more: str = ""
) -> str:
    """Render studies by response name; ``details`` adds recall and precision to F1.

    ``more`` is HTML for the end of a page.
    """
    if format == "json":
        values = {name: singletons_to_dict(study) for name, study in studies.items()}
        if len(values) == 1:
            return render_json(next(iter(values.values())))
        return render_json({"studies": values, "rank_changes": list(rank_changes(studies))})
    tables = [t for name, study in studies.items() for t in study_tables(study, name, details)]
    explanations = {f"{name}, in words": study.explanation() for name, study in studies.items()}
    explanations["What changes the ranking of the responses"] = rank_changes(studies)
    return render_explained(tables, explanations, format, more=more)


def study_tables(study: SingletonStudy, name: str, details: bool = False) -> list[Table]:
    """Return scores by setting and by what the response keeps, baselines, mentions, changes."""
    against = "without" if study.key_singletons == "strip" else "with"
    signatures = [str(results["G+S/S+S"].signature) for results in study.results.values()]
    return [
        _score_table(
            study,
            tuple(SETTINGS),
            f"{name}: singletons in the key (G) and in the response (S)",
            details,
            tuple(signatures),
        ),
        _score_table(
            study, study.variants, f"{name}: what the response keeps, against the key {against} singletons", details
        ),
        _score_table(study, BASELINES, "Baselines on the mentions of the key", details),
        _mention_table(study, name),
        _movement_table(study.movements()[:_MAX_MOVEMENTS], name),
    ]


def _score_table(
    study: SingletonStudy, settings: Sequence[str], caption: str, details: bool, notes: tuple[str, ...] = ()
) -> Table:
    names = measure_titles(study)
    rows = [
        (profile, setting, *_score_cells(results[setting], names, details))
        for profile, results in study.results.items()
        for setting in settings
    ]
    parts = ("R", "P", "F1") if details else ("",)
    headers = tuple(f"{t} {part}".strip() for t in names.values() for part in parts)
    what = caption if details else f"{caption}, F1"
    return Table(caption=what, headers=("Profile", "Setting", *headers, "CoNLL"), rows=tuple(rows), notes=notes)


def measure_titles(study: SingletonStudy) -> dict[str, str]:
    """Return the titles of the scores that any of the profiles has."""
    return {
        name: measure_title(result, name)
        for results in study.results.values()
        for result in results.values()
        for name in result
    }


def _score_cells(result: Result, names: Iterable[str], details: bool) -> list[str]:
    cells = []
    for name in names:
        if name not in result.tallies:
            cells += ["–"] * (3 if details else 1)
            continue
        score = result[name]
        values = (score.recall, score.precision, score.f1) if details else (score.f1,)
        cells += [percent(value, result.profile.rounding) for value in values]
    return [*cells, "–" if result.conll is None else percent(result.conll.f1)]


def _mention_table(study: SingletonStudy, name: str) -> Table:
    rows = [
        (profile, side, *map(str, _side_counts(getattr(counts, side))))
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


def _side_counts(side: Side) -> tuple[int, ...]:
    return (
        side.mentions,
        side.singletons,
        side.matched_singletons,
        side.matched_chained,
        side.twinless_singletons,
        side.twinless_chained,
    )


def _movement_table(movements: Iterable[ScoreChange], name: str) -> Table:
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


def singletons_to_dict(study: SingletonStudy) -> dict[str, Any]:
    """Return the study in plain values; programs may rely on the keys."""
    return {
        "key": study.key,
        "response": study.response,
        "variants_against_key_singletons": study.key_singletons,
        "results": {
            profile: {setting: result_to_dict(result) for setting, result in results.items()}
            for profile, results in study.results.items()
        },
        "mentions": {p: msgspec.to_builtins(counts) for p, counts in study.breakdown.items()},
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


def singleton_chart(study: SingletonStudy, name: str) -> "altair.VConcatChart":
    """Draw F1 by setting above F1 by what the response keeps."""
    import altair

    against = "without" if study.key_singletons == "strip" else "with"
    chart: altair.VConcatChart = altair.vconcat(
        bars_by_measure(singleton_bars(study, tuple(SETTINGS)), "Singletons in the key (G) and in the response (S)"),
        bars_by_measure(singleton_bars(study, study.variants), f"What the response keeps, key {against} singletons"),
        spacing=24,
    ).properties(title=altair.TitleParams(f"One response, scored in every setting: {name}", anchor="start", offset=12))
    return chart


def singleton_bars(study: SingletonStudy, settings: Sequence[str]) -> list[Bar]:
    """Return the bars: F1 of every measure by setting, one colour per profile."""
    titles = measure_titles(study)
    return [
        Bar(measure=titles[measure], setting=setting, series=profile, f1=results[setting][measure].f1)
        for profile, results in study.results.items()
        for setting in settings
        for measure in results[setting]
    ]
