"""Resolvers of bench runs compared by how they resolve pronouns."""

from collections.abc import Callable, Mapping

from corefbench.analysis.comparison.assemble import About, assembled
from corefbench.analysis.comparison.decisions import performed
from corefbench.analysis.comparison.records import Comparison
from corefbench.analysis.comparison.sampled import PRONOUNS, sampled_performance
from corefbench.analysis.comparison.settings import Settings
from corefbench.bench.result import Bench
from corefbench.errors import MismatchError, UsageError


def compare_benches(
    benches: Mapping[str, Bench],
    settings: Settings = Settings(),
    *,
    advance: Callable[[int], None] | None = None,
) -> Comparison:
    """Compare the resolvers of bench runs: recall C/G, their success rate, precision C/A, and F1.

    Of several runs, a resolver is called by its run and its name. McNemar's test takes the gold
    anaphors that both have a verdict for, as ``Bench.mcnemar`` does.
    """
    settings.check()
    if not benches:
        raise UsageError("there is nothing to compare", expected="at least one run")
    _check_corpora(benches)
    several = len(benches) > 1
    named = {
        f"{run}: {one.resolver}" if several else one.resolver: (bench, one)
        for run, bench in benches.items()
        for one in bench.performances
    }
    about = About(
        title="pronoun resolution",
        titles={PRONOUNS: "Pronouns"},
        signatures={name: bench.signature(one.resolver) for name, (bench, one) in named.items()},
        cites=("aone1995", "barbu2001"),
    )
    systems = {name: sampled_performance(bench, one) for name, (bench, one) in named.items()}
    decisions = {name: performed(one) for name, (_, one) in named.items()}
    return assembled(systems, settings, about, decisions, advance)


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
