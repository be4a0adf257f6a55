"""Studies of responses: singletons, cross-document levels and the mention-detection oracle.

Each has tables, sentences, JSON and a chart.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import astuple

from corefbench.analysis.levels import LevelStudy
from corefbench.analysis.singletons import BASELINES, SETTINGS, Side, SingletonStudy, rank_changes
from corefbench.analysis.studies import ScoreChange, measure_title
from corefbench.bench.oracle import Oracle
from corefbench.report.charts import Bar, bars_by_measure
from corefbench.report.renderers import ReportFormat, render_explained, render_json
from corefbench.report.scores import f1_by_title, f1_cells, f1_headers, result_to_dict
from corefbench.report.table import DASH, Cell, Table, make_table, percent, tabulate
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
    by_setting = f"{name}: singletons in the key (G) and in the response (S)"
    by_variant = f"{name}: what the response keeps, against the key {against} singletons"
    return [
        _score_table(study, tuple(SETTINGS), by_setting, details, signatures),
        _score_table(study, study.variants, by_variant, details),
        _score_table(study, BASELINES, "Baselines on the mentions of the key", details),
        _mention_table(study, name),
        _movement_table(study.movements()[:_MAX_MOVEMENTS], name),
    ]


def _score_table(
    study: SingletonStudy, settings: Sequence[str], caption: str, details: bool, notes: Sequence[str] = ()
) -> Table:
    names = measure_titles(study)
    parts = ("R", "P", "F1") if details else ("",)
    headers = [f"{title} {part}".strip() for title in names.values() for part in parts]
    return make_table(
        caption if details else f"{caption}, F1",
        ["Profile", "Setting", *headers, "CoNLL"],
        (
            [profile, setting, *_score_cells(results[setting], names, details)]
            for profile, results in study.results.items()
            for setting in settings
        ),
        notes,
    )


def measure_titles(study: SingletonStudy) -> dict[str, str]:
    """Return the titles of the scores that any of the profiles has."""
    return {
        name: measure_title(result, name)
        for results in study.results.values()
        for result in results.values()
        for name in result
    }


def _score_cells(result: Result, names: Iterable[str], details: bool) -> list[Cell]:
    cells: list[Cell] = []
    for name in names:
        if name not in result.tallies:
            cells += [None] * (3 if details else 1)
            continue
        score = result[name]
        values = (score.recall, score.precision, score.f1) if details else (score.f1,)
        cells += [percent(value, result.profile.rounding) for value in values]
    return [*cells, result.conll.f1 if result.conll else None]


def _mention_table(study: SingletonStudy, name: str) -> Table:
    titles = [field.replace("_", " ").capitalize() for field in Side.__struct_fields__]
    return make_table(
        f"{name}: mentions with and without a twin",
        ["Profile", "Side", *titles],
        (
            [profile, side, *astuple(getattr(counts, side))]
            for profile, counts in study.breakdown.items()
            for side in ("key", "response")
        ),
    )


def _movement_table(movements: Iterable[ScoreChange], name: str) -> Table:
    return tabulate(
        f"{name}: the largest movements of F1",
        movements,
        {
            "Profile": "under",
            "Change": lambda move: f"{move.before} → {move.after}",
            "Measure": "measure",
            "From": lambda move: percent(move.old.f1, move.rounding),
            "To": lambda move: percent(move.new.f1, move.rounding),
            "Points": lambda move: f"{move.points:+.2f}".replace("-", "−"),
        },
    )


def singletons_to_dict(study: SingletonStudy) -> dict[str, Any]:
    """Return the study as a dictionary for JSON; programs may rely on the keys."""
    return {
        "key": study.key,
        "response": study.response,
        "variants_against_key_singletons": study.key_singletons,
        "results": {
            profile: {setting: result_to_dict(result) for setting, result in results.items()}
            for profile, results in study.results.items()
        },
        "mentions": dict(study.breakdown),
        "movements": [
            {
                "profile": move.under,
                "before": move.before,
                "after": move.after,
                "change": move.change,
                "measure": move.measure,
                "old": move.old,
                "new": move.new,
                "points": move.points,
            }
            for move in study.movements()
        ],
        "explanation": list(study.explanation()),
        "findings": list(study.findings),
    }


def singleton_chart(study: SingletonStudy, name: str) -> "altair.VConcatChart":
    """Draw F1 by setting above F1 by what the response keeps."""
    import altair

    title = altair.TitleParams(f"One response, scored in every setting: {name}", anchor="start", offset=12)
    chart: altair.VConcatChart = altair.vconcat(*singleton_charts(study).values(), spacing=24).properties(title=title)
    return chart


def singleton_charts(study: SingletonStudy) -> "dict[str, altair.FacetChart]":
    """Draw F1 by setting and by what the response keeps, one colour per profile."""
    against = "without" if study.key_singletons == "strip" else "with"
    titles = measure_titles(study)

    def draw(settings: Sequence[str], title: str) -> "altair.FacetChart":
        bars = [
            Bar(measure=titles[measure], setting=setting, series=profile, f1=results[setting][measure].f1)
            for profile, results in study.results.items()
            for setting in settings
            for measure in results[setting]
        ]
        return bars_by_measure(bars, title)

    return {
        "settings": draw(tuple(SETTINGS), "Singletons in the key (G) and in the response (S)"),
        "variants": draw(study.variants, f"What the response keeps, key {against} singletons"),
    }


def report_levels(study: LevelStudy, format: ReportFormat = "table", *, more: str = "") -> str:
    """Render the study; ``more`` is HTML for the end of a page."""
    if format == "json":
        return render_json(levels_to_dict(study))
    tables = [chain_table(study), detection_table(study)]
    return render_explained(tables, {"In words": list(study.explanation())}, format, more=more)


def chain_table(study: LevelStudy) -> Table:
    """Tabulate F1 of the chains by response, mentions, level and singletons."""
    first = study.rows[0].result
    return make_table(
        f"Chains, F1 by {first.profile.title}",
        ["Response", "Mentions", "Clustering", "Level", "Singletons", *f1_headers(first, leave_out="mentions")],
        (
            [
                row.response,
                row.mentions,
                row.clustering_scope,
                row.level,
                "with" if row.singletons else "without",
                *f1_cells(row.result, leave_out="mentions"),
            ]
            for row in study.rows
        ),
        _signatures(study),
    )


def _signatures(study: LevelStudy) -> tuple[str, ...]:
    """Return one signature per response: the widest level without singletons, as in papers."""
    last = study.rows[-1].level
    return tuple(
        f"{row.response}: {row.result.signature}"
        for row in study.rows
        if row.level == last and not row.singletons and row.mentions != "projected" and row.response in study.detection
    )


def detection_table(study: LevelStudy) -> Table:
    """Tabulate mention detection, which does not depend on level and singletons."""
    return make_table(
        "Mention detection, all mentions, singletons included",
        ["Response", "Recall", "Precision", "F1"],
        ([name, score.recall, score.precision, score.f1] for name, score in study.detection.items()),
    )


def levels_to_dict(study: LevelStudy) -> dict[str, Any]:
    """Return the study as a dictionary for JSON; programs may rely on the keys."""
    return {
        "key": study.key,
        "detection": dict(study.detection),
        "rows": [
            {
                "response": row.response,
                "mentions": row.mentions,
                "clustering_scope": row.clustering_scope,
                "clustering_scope_derived": row.response in study.derived,
                "level": row.level,
                "singletons": row.singletons,
                **result_to_dict(row.result),
            }
            for row in study.rows
        ],
        "explanation": list(study.explanation()),
        "findings": list(study.findings),
    }


def level_chart(study: LevelStudy) -> "altair.FacetChart":
    """Draw a group of bars per level, one colour per response and set of mentions."""
    title = "F1 by level, with (+S) and without (−S) singletons"
    return bars_by_measure(level_bars(study), title, columns=3, width=240)


def level_bars(study: LevelStudy) -> list[Bar]:
    """Return the bars: every measure of the chains, and the CoNLL average."""
    return [
        Bar(
            measure=measure,
            setting=f"{row.level} {'+' if row.singletons else '−'}S",
            series=f"{row.response}, {row.mentions} mentions",
            f1=f1,
        )
        for row in study.rows
        for measure, f1 in f1_by_title(row.result, leave_out="mentions").items()
    ]


def report_oracle(study: Oracle, format: ReportFormat = "table", *, more: str = "") -> str:
    """Render the study; ``more`` is HTML for the end of a page."""
    if format == "json":
        return render_json(oracle_to_dict(study))
    explanations = {"In words": list(study.explanation())}
    return render_explained([oracle_table(study)], explanations, format, more=more)


def oracle_table(study: Oracle) -> Table:
    """Tabulate F1 by resolver and set of mentions."""
    first = next(iter(next(iter(study.results.values())).values()))
    rows = [
        [resolver, mentions, f"{study.mentions[mentions]:,}" if study.mentions[mentions] else DASH, *f1_cells(result)]
        for resolver, results in study.results.items()
        for mentions, result in results.items()
    ]
    return make_table(
        f"Mention detection on {study.corpus}, {study.mode} mode; F1 by {first.profile.title}",
        ["Resolver", "Mentions given", "How many", *f1_headers(first)],
        rows,
        [study.signature(name, "gold") for name in study.results],
    )


def oracle_to_dict(study: Oracle) -> dict[str, Any]:
    """Return the study as a dictionary for JSON; programs may rely on the keys."""
    return {
        "corpus": study.corpus,
        "mode": study.mode,
        "preprocessing": study.preprocessing,
        "mentions_given": dict(study.mentions),
        "own_mentions": list(study.own_mentions),
        "resolvers": {
            resolver: {
                mentions: {**result_to_dict(result), "signature": study.signature(resolver, mentions)}
                for mentions, result in results.items()
            }
            for resolver, results in study.results.items()
        },
        "explanation": list(study.explanation()),
    }


def oracle_chart(study: Oracle) -> "altair.FacetChart":
    """Draw a group of bars per set of mentions, one colour per resolver."""
    return bars_by_measure(oracle_bars(study), f"F1 by the mentions given: {study.corpus}", columns=4, width=130)


def oracle_bars(study: Oracle) -> list[Bar]:
    """Return the bars: every measure, and the CoNLL average."""
    return [
        Bar(measure=measure, setting=mentions, series=resolver, f1=f1)
        for resolver, results in study.results.items()
        for mentions, result in results.items()
        for measure, f1 in f1_by_title(result).items()
    ]
