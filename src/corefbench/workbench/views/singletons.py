"""Effect of singletons on the scores of a response."""

from corefbench.analysis.singletons import PROFILES, SingletonStudy
from corefbench.errors import UsageError
from corefbench.report.charts import can_draw
from corefbench.report.studies import measure_titles, singletons_to_dict, study_tables
from corefbench.scoring.profiles import profiles as registry
from corefbench.web.pages import Chart, Page, Query, make_chart
from corefbench.workbench.analysis import require_documents, response_names, select_response, study_singletons
from corefbench.workbench.storage import Workbench

_TABLE_NAMES = ("settings", "variants", "baselines", "mentions", "movements")


def singletons_page(workbench: Workbench, query: Query) -> Page:
    """Show the study; ``profiles`` is a comma-separated list, ``details=1`` adds R and P."""
    name = query["run"]
    run = workbench.run(name)
    require_documents(run)
    response = select_response(run, query.get("response"))
    profiles = _parse_profiles(query.get("profiles", ""))
    details = query.get("details", "")
    if details not in ("", "0", "1"):
        raise UsageError("the value of details is not valid", found=details, expected="1 or 0")
    study = study_singletons(run, response, profiles)
    tables = study_tables(study, response, details == "1")
    model = {
        "run": name,
        "response": response,
        "responses": response_names(run),
        "profiles": profiles,
        "known": tuple(registry),
        "details": details == "1",
        "explanation": study.explanation(),
        "signatures": {profile: str(results["G+S/S+S"].signature) for profile, results in study.results.items()},
        "tables": dict(zip(_TABLE_NAMES, tables, strict=True)),
        "study": singletons_to_dict(study),
        "findings": tuple(map(str, study.findings)),
    }
    return Page(
        template="singletons.html", title=f"Singletons and {response}", model=model, charts=_charts(study, response)
    )


def _parse_profiles(text: str) -> tuple[str, ...]:
    """Return the named profiles, or those of the paper; raise if one is unknown."""
    names = tuple(dict.fromkeys(filter(None, (part.strip() for part in text.split(",")))))
    return tuple(registry[name].name for name in names) or PROFILES


def _charts(study: SingletonStudy, response: str) -> dict[str, Chart]:
    if not can_draw():
        return {}
    from corefbench.report.studies import singleton_charts

    measures = ", ".join(measure_titles(study).values())
    descriptions = {
        "settings": f"F1 of {response} with and without singletons, by profile: {measures}.",
        "variants": f"F1 of {response} by what it keeps, by profile: {measures}.",
    }
    return {name: make_chart(chart, descriptions[name]) for name, chart in singleton_charts(study).items()}
