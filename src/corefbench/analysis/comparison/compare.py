"""Compare results, or the resolvers of bench runs, document by document.

Documents are resampled. Intervals are percentiles of a paired bootstrap, whatever the test;
p-values are those of the test, adjusted within their family. With one document nothing can be
resampled: there are no intervals and no p-values.
"""

from collections.abc import Callable, Mapping

from corefbench.analysis.comparison.pronoun_decisions import Decisions
from corefbench.analysis.comparison.resampling import (
    ResampledFigures,
    SystemSample,
    compare_pairs,
    resample,
    sample_performance,
    sample_result,
)
from corefbench.analysis.comparison.result import (
    CONLL,
    PRONOUNS,
    Comparison,
    Estimate,
    Family,
    Part,
    Settings,
    System,
    Test,
    system_letters,
)
from corefbench.analysis.score_changes import measure_title
from corefbench.analysis.significance import Correction
from corefbench.bench.rates import Rate
from corefbench.bench.run import Bench
from corefbench.errors import MismatchError, UsageError
from corefbench.records import Record
from corefbench.scoring.profiles.profile import Rounding
from corefbench.scoring.result import Result


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

    ``decisions`` are those of ``pronoun_decisions``, for McNemar's test; ``advance`` is called
    with the number of resamples done.

    >>> from corefbench.scoring.api import score_clusters
    >>> key = {"a": [[(0, 0), (1, 1)]], "b": [[(0, 0), (1, 1)]]}
    >>> results = {"all": score_clusters(key, key), "none": score_clusters(key, {"a": [], "b": []})}
    >>> difference = compare(results).pair("all", "none").scores["lea"]["f1"]
    >>> difference.value, difference.p, difference.wins
    (1.0, 0.5, 2)
    """
    settings = Settings(
        test=test, samples=samples, seed=seed, confidence=confidence, alpha=alpha, correction=correction, family=family
    )
    settings.check()
    check_comparable(results)
    first = next(iter(results.values()))
    about = ComparisonMetadata(
        title=first.profile.title,
        rounding=first.profile.rounding,
        titles={name: measure_title(first, name) for name in first} | {CONLL: "CoNLL"},
        signatures={name: str(result.signature) for name, result in results.items()},
        cites=_list_citations(first),
    )
    systems = {name: sample_result(result) for name, result in results.items()}
    return assemble_comparison(systems, settings, about, decisions or {}, advance)


def compare_benches(
    benches: Mapping[str, Bench], settings: Settings = Settings(), *, advance: Callable[[int], None] | None = None
) -> Comparison:
    """Compare the resolvers of bench runs: recall C/G, their success rate, precision C/A, and F1.

    With several runs, resolvers are named by their run and their own name. McNemar's test uses the
    gold anaphors that both have a verdict for, as ``Bench.mcnemar`` does.
    """
    settings.check()
    if not benches:
        raise UsageError("there is nothing to compare", expected="at least one run")
    _check_corpora(benches)
    several = len(benches) > 1
    named = {
        f"{run}: {performance.resolver}" if several else performance.resolver: (bench, performance)
        for run, bench in benches.items()
        for performance in bench.performances
    }
    about = ComparisonMetadata(
        title="pronoun resolution",
        titles={PRONOUNS: "Pronouns"},
        signatures={name: bench.signature(performance.resolver) for name, (bench, performance) in named.items()},
        cites=("aone1995", "barbu2001"),
    )
    systems = {name: sample_performance(bench, performance) for name, (bench, performance) in named.items()}
    decisions = {name: performance.decisions for name, (_, performance) in named.items()}
    return assemble_comparison(systems, settings, about, decisions, advance)


def check_comparable(results: Mapping[str, Result]) -> None:
    """Raise if results cannot be paired document by document."""
    if not results:
        raise UsageError("there is nothing to compare", expected="at least one system")
    (name, first), *others = results.items()
    for other, result in others:
        _check_profile(name, first, other, result)
        _check_key(name, first, other, result)
        _check_documents(name, first, other, result)


def _check_profile(name: str, first: Result, other: str, result: Result) -> None:
    ours, theirs = first.signature.choices, result.signature.choices
    different = [
        f"{choice} {ours.get(choice, '–')} and {theirs.get(choice, '–')}"
        for choice in {**ours, **theirs}
        if ours.get(choice) != theirs.get(choice)
    ]
    profiles = first.signature.profile, result.signature.profile
    if profiles[0] != profiles[1]:
        different.insert(0, f"profile {profiles[0]} and {profiles[1]}")
    if list(first.tallies) != list(result.tallies):
        different.append(f"measures {'+'.join(first.tallies)} and {'+'.join(result.tallies)}")
    if different:
        raise MismatchError(
            f"{name} and {other} were not scored alike",
            code="CB220",
            found="; ".join(dict.fromkeys(different)),
            expected="one profile with the same choices",
            remedy="score both again with the same profile and choices",
        )


def _check_key(name: str, first: Result, other: str, result: Result) -> None:
    first_hash, other_hash = (r.signature.key.rpartition("@")[2] for r in (first, result))
    if first_hash != other_hash:
        raise MismatchError(
            f"{name} and {other} were scored against different keys",
            code="CB221",
            found=f"{first.signature.key} and {result.signature.key}",
            expected="keys with the same content",
            remedy="score both against the same key",
        )


def _check_documents(name: str, first: Result, other: str, result: Result) -> None:
    """Raise if documents differ: rows of one would be paired with those of other documents.

    Results of one key have the same documents in its order, but results may be built otherwise.
    """
    if first.documents != result.documents:
        differing = sorted({*first.documents} ^ {*result.documents})
        raise MismatchError(
            f"{name} and {other} do not have the same documents",
            code="CB222",
            found=f"only one has {differing[0]}" if differing else "another order",
            expected="the same documents in the same order",
            remedy="score both against the same key",
        )


class ComparisonMetadata(Record, frozen=True):
    """The parts of a comparison that do not depend on the tests."""

    title: str
    titles: dict[str, str]
    """Titles of the scores."""
    signatures: dict[str, str]
    """Signatures of the systems."""
    cites: tuple[str, ...]
    rounding: Rounding = "half-up"


def assemble_comparison(
    systems: Mapping[str, SystemSample],
    settings: Settings,
    about: ComparisonMetadata,
    decisions: Mapping[str, Decisions],
    advance: Callable[[int], None] | None = None,
) -> Comparison:
    """Resample the systems and collect their scores, differences and tests."""
    names, samples = list(systems), list(systems.values())
    resampled = resample(samples, settings, advance)
    scores = dict.fromkeys(figure.score for figure in samples[0].figures)
    mcnemar = any(decisions.values())
    return Comparison(
        title=about.title,
        settings=settings,
        exact=resampled.exact,
        documents=samples[0].documents,
        titles={score: about.titles.get(score, score) for score in scores},
        systems=tuple(
            _make_system(number, name, about.signatures[name], samples[number], resampled, decisions.get(name))
            for number, name in enumerate(names)
        ),
        pairs=compare_pairs(names, samples, resampled, settings, decisions if mcnemar else {}),
        cites=tuple(dict.fromkeys([*about.cites, *settings.cites, *(["mcnemar1947"] if mcnemar else [])])),
        rounding=about.rounding,
    )


def _make_system(
    number: int,
    name: str,
    signature: str,
    sample: SystemSample,
    resampled: ResampledFigures,
    decisions: Decisions | None,
) -> System:
    by_figure = zip(sample.figures, resampled.estimates(number), strict=True)
    scores: dict[str, dict[Part, Estimate]] = {}
    for figure, estimate in by_figure:
        scores.setdefault(figure.score, {})[figure.part] = estimate
    return System(
        name=name,
        mark=system_letters(number),
        signature=signature,
        scores=scores,
        by_document={
            figure.score: tuple(column)
            for figure, column in zip(sample.figures, sample.by_document.T.tolist(), strict=True)
            if figure.part == "f1"
        },
        pronouns=Rate(hits=sum(decisions.values()), total=len(decisions)) if decisions else None,
    )


def _check_corpora(benches: Mapping[str, Bench]) -> None:
    (name, first), *others = benches.items()
    for other, bench in others:
        if (bench.corpus, bench.documents) != (first.corpus, first.documents):
            raise MismatchError(
                f"{name} and {other} are runs on different corpora",
                code="CB221",
                found=f"{first.corpus} and {bench.corpus}",
                expected="runs on one corpus",
                remedy="run both on the same corpus",
            )


def _list_citations(result: Result) -> tuple[str, ...]:
    of_measures = [key for m in result.measures.values() for key in m.card.cites]
    return tuple(dict.fromkeys([*result.profile.cites, *of_measures]))
