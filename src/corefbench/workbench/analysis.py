"""Cached analyses of a run: comparisons, errors, counts.

A run whose file has changed is opened as a new object, and is analysed again.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec.structs import asdict, replace

from corefbench.errors import UnknownName, UsageError
from corefbench.records import Additive
from corefbench.runs import Corpora, Run
from corefbench.runs.matching import Mark, mark_mentions
from corefbench.runs.schema import RunDocument

if TYPE_CHECKING:
    from corefbench.analysis.comparison import Comparison, Settings
    from corefbench.analysis.errors import ErrorAnalysis, RepairScore
    from corefbench.analysis.singletons import SingletonStudy
    from corefbench.analysis.statistics import Description
    from corefbench.bench.judge import Verdict

_MAX_WORK = 60_000_000
"""Pairs × samples × documents that a page can wait for."""
_MIN_SAMPLES = 1_000


class OutcomeCounts(Additive, frozen=True):
    """Outcomes of mentions, or of the pronouns of a comparison of resolvers."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    spurious: int = 0

    @property
    def errors(self) -> int:
        """All that differs from the key."""
        return self.wrong + self.missed + self.spurious


def select_response(run: Run, name: str | None) -> str:
    """Return the response of that name, or the first one if none is given."""
    names = response_names(run)
    response = name or (names[0] if names else "")
    if response not in names:
        raise UnknownName("response", response, list(names))
    return response


def response_names(run: Run) -> tuple[str, ...]:
    """Return the names of the responses or resolvers."""
    if run.header.results:
        return tuple(result.name for result in run.header.results)
    return tuple(performance.resolver for performance in run.bench.performances)


def require_documents(run: Run) -> None:
    """Raise if a run has numbers only."""
    if not run.header.inputs:
        raise UsageError(
            "this run has no documents",
            found=f"a run file of schema {run.header.schema}",
            remedy="make the run again with this version of corefbench",
        )


@lru_cache(maxsize=4)
def load_corpora(run: Run) -> Corpora:
    """Return key and responses."""
    require_documents(run)
    return run.corpora()


@lru_cache(maxsize=16)
def compare_scores(run: Run) -> "Comparison | None":
    """Return coreference scores with intervals and tests; None if there are none."""
    from corefbench.analysis.comparison import compare

    if not run.results:
        return None
    settings = _comparison_settings(len(run.results), len(next(iter(run.results.values())).documents))
    return compare(run.results, **asdict(settings))


@lru_cache(maxsize=16)
def compare_pronouns(run: Run) -> "Comparison | None":
    """Return success rates with intervals and tests; None if no resolvers were compared."""
    from corefbench.bench.run import compare_benches

    if run.kind != "bench":
        return None
    bench = run.bench
    settings = _comparison_settings(len(bench.performances), len(bench.documents))
    return compare_benches({"": bench}, settings)


def _comparison_settings(systems: int, documents: int) -> "Settings":
    """Return the settings of ``corefbench compare``, with fewer samples if it would take long."""
    from corefbench.analysis.comparison import Settings

    default = Settings()
    pairs = max(systems * (systems - 1) // 2, 1)
    affordable = _MAX_WORK // (pairs * max(documents, 1))
    if affordable >= default.samples:
        return default
    return Settings(samples=max(affordable // _MIN_SAMPLES * _MIN_SAMPLES, _MIN_SAMPLES))


@lru_cache(maxsize=16)
def count_outcomes(run: Run) -> dict[str, tuple[OutcomeCounts, ...]]:
    """Return by response the outcomes of the pronouns or mentions of every document."""
    return _count_pronouns(run) if run.kind == "bench" else _survey_documents(run)[0]


def describe_key(run: Run) -> "Description | None":
    """Return the statistics of the key; None if the run does not have it."""
    return _survey_documents(run)[1]


@lru_cache(maxsize=16)
def _survey_documents(run: Run) -> "tuple[dict[str, tuple[OutcomeCounts, ...]], Description | None]":
    """Count outcomes and describe the key, reading every document once."""
    from corefbench.analysis.statistics import describe

    documents = [run.document(number) for number in range(len(run.documents))]
    keys = tuple(source for source in run.header.inputs if source.role == "key")
    key_only = Run(replace(run.header, inputs=keys), run.entries)
    return (
        _count_mentions(run, documents) if run.kind != "bench" else {},
        describe(key_only.corpora(documents).key) if keys else None,
    )


def _count_pronouns(run: Run) -> dict[str, tuple[OutcomeCounts, ...]]:
    outcomes = {}
    for performance in run.bench.performances:
        counts: dict[str, Counter[Mark]] = {label: Counter() for label in run.bench.documents}
        for verdict in performance.verdicts:
            mark = verdict_mark(verdict)
            if mark is not None:
                counts[verdict.document][mark] += 1
        outcomes[performance.resolver] = tuple(map(_to_counts, counts.values()))
    return outcomes


def verdict_mark(verdict: "Verdict") -> Mark | None:
    """Return the mark of a pronoun; None if it is not anaphoric and was not resolved."""
    if not verdict.anaphoric:
        return "spurious" if verdict.attempted else None
    if not verdict.attempted:
        return "missed"
    return "right" if verdict.correct else "wrong"


def _count_mentions(run: Run, documents: Sequence[RunDocument]) -> dict[str, tuple[OutcomeCounts, ...]]:
    names = response_names(run)
    outcomes: dict[str, list[OutcomeCounts]] = {name: [] for name in names}
    for document in documents:
        for name in names:
            marks = mark_mentions(document, name)
            counts = Counter(marks.key)
            counts["spurious"] = marks.response.count("spurious")
            outcomes[name].append(_to_counts(counts) if document.key is not None else OutcomeCounts())
    return {name: tuple(counts_by_document) for name, counts_by_document in outcomes.items()}


def _to_counts(counts: Counter[Mark]) -> OutcomeCounts:
    return OutcomeCounts(**{mark: counts[mark] for mark in ("right", "wrong", "missed", "spurious")})


@lru_cache(maxsize=8)
def analyse_errors(run: Run, response: str) -> "ErrorAnalysis":
    """Analyse the errors of a response with the profile it was scored with."""
    from corefbench.analysis.errors import error_analysis

    corpora = load_corpora(run)
    return error_analysis(corpora.key, corpora.responses[response], run.results[response].profile)


@lru_cache(maxsize=8)
def repaired_scores(run: Run, response: str) -> "tuple[RepairScore, ...]":
    """Return the scores of a response with each class of its errors repaired."""
    return tuple(analyse_errors(run, response).if_fixed())


@lru_cache(maxsize=8)
def study_singletons(run: Run, response: str, profiles: tuple[str, ...]) -> "SingletonStudy":
    """Study the effect of singletons on the scores of a response."""
    from corefbench.analysis.singletons import singletons

    corpora = load_corpora(run)
    return singletons(corpora.key, corpora.responses[response], profiles)
