"""Results compared: every score and every difference, with intervals and p-values.

Documents are what is resampled. Intervals are percentiles of a paired bootstrap, whatever the test;
p-values are those of the test, adjusted within their family. With one document nothing can be
resampled: there are no intervals and no p-values.
"""

from collections.abc import Callable, Mapping

from corefbench.analysis.comparison.alike import check_alike
from corefbench.analysis.comparison.assemble import About, assembled
from corefbench.analysis.comparison.decisions import Decisions
from corefbench.analysis.comparison.records import Comparison
from corefbench.analysis.comparison.sampled import CONLL, sampled
from corefbench.analysis.comparison.settings import Family, Settings, Test
from corefbench.scoring.result import Result
from corefbench.stats.corrections import Correction


def compare(
    results: Mapping[str, Result],
    *,
    test: Test = "randomization",
    samples: int = 10_000,
    seed: int = 0,
    confidence: float = 0.95,
    alpha: float = 0.05,
    correction: Correction = "holm",
    family: Family = "measure",
    decisions: Mapping[str, Decisions] | None = None,
    advance: Callable[[int], None] | None = None,
) -> Comparison:
    """Compare results of one key and one profile, document by document.

    ``decisions`` are those of ``pronoun_decisions``, for McNemar's test; ``advance`` is told how
    many resamples are done.

    >>> from corefbench.scoring.api import score_clusters
    >>> key = {"a": [[(0, 0), (1, 1)]], "b": [[(0, 0), (1, 1)]]}
    >>> results = {"all": score_clusters(key, key), "none": score_clusters(key, {"a": [], "b": []})}
    >>> found = compare(results).pair("all", "none").scores["lea"]["f1"]
    >>> found.value, found.p, found.wins
    (1.0, 0.5, 2)
    """
    settings = Settings(
        test=test,
        samples=samples,
        seed=seed,
        confidence=confidence,
        alpha=alpha,
        correction=correction,
        family=family,
    )
    settings.check()
    check_alike(results)
    first = next(iter(results.values()))
    about = About(
        title=first.profile.title,
        rounding=first.profile.rounding,
        titles={name: _title(first, name) for name in first} | {CONLL: "CoNLL"},
        signatures={name: str(result.signature) for name, result in results.items()},
        cites=_cites(first),
    )
    systems = {name: sampled(result) for name, result in results.items()}
    return assembled(systems, settings, about, decisions or {}, advance)


def _title(result: Result, name: str) -> str:
    """The measure's title; the score's own name where a profile has several of one measure."""
    measure = result.measures[name]
    return measure.card.title if measure.card.name == name else name.replace("_", " ")


def _cites(result: Result) -> tuple[str, ...]:
    of_measures = [key for m in result.measures.values() for key in m.card.cites]
    return tuple(dict.fromkeys([*result.profile.cites, *of_measures]))
