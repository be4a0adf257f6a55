"""How good is every resolver on every corpus? ``python -m benchmarks.resolvers``.

GUM (dev and test) with gold mentions and syntax, and as raw text; LitBank, NP4E and GAP (test) as
raw text. All resolvers run over one pre-processing. Writes docs/results/resolvers.md.
"""

import argparse
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from benchmarks.inputs import corpus
from benchmarks.pages import RESULTS

if TYPE_CHECKING:
    from corefbench.bench.result import Bench

_CHAINS = ("same-head", "singletons", "all-in-one")
_BASELINES = ("most-recent", "most-recent-subject", "random", "same-head")


def main() -> None:
    """Run, print and write the page."""
    arguments = _arguments()
    sections = []
    for title, bench in _benches(arguments.only, arguments.jobs):
        sections.append(_section(title, bench))
        print(sections[-1], file=sys.stderr)
    text = _HEAD + "\n".join(sections)
    print(text)
    if not arguments.only:
        (RESULTS / "resolvers.md").write_text(text, encoding="utf-8")


_HEAD = """# Resolvers

`python -m benchmarks.resolvers`

Success rate (correct ÷ gold anaphors), critical success rate in each resolver's own window and in
one window for all, precision, recall over the pronouns the resolver took for anaphors, etiquette,
and the CoNLL F1 of the chains, in percent. A phrase is a mention of the key if they share a head.
No resolver was tuned on a corpus or part of one that is shown here as test data.

"""


def _benches(only: str, jobs: int) -> Iterator[tuple[str, "Bench"]]:
    from corefbench.bench.plan import PRONOUN_RESOLVERS, Plan
    from corefbench.bench.run import run_bench
    from corefbench.datasets import load_dataset

    names = (*PRONOUN_RESOLVERS, *_CHAINS)
    automatic, annotated = Plan(resolvers=names), Plan(resolvers=names, mode="annotated")
    root = corpus("gum").parent
    for name, title, plan in (
        ("gum/dev", "GUM dev, gold mentions and syntax", annotated),
        ("gum/dev", "GUM dev, raw text", automatic),
        ("gum/test", "GUM test, gold mentions and syntax", annotated),
        ("gum/test", "GUM test, raw text", automatic),
        ("litbank", "LitBank, raw text", automatic),
        ("np4e", "NP4E, raw text", automatic),
        ("gap/development", "GAP development, raw text", automatic),
        ("gap/test", "GAP test, raw text", automatic),
    ):
        if only.lower() in title.lower():
            yield title, run_bench(load_dataset(name, root=root), plan, jobs=jobs)


def _section(title: str, bench: "Bench") -> str:
    from corefbench.report.bench import comparison
    from corefbench.report.markdown import render

    return f"## {title}\n\n{render(comparison(bench))}\n{_verdict(bench)}\n"


def _verdict(bench: "Bench") -> str:
    """Whether Kennedy & Boguraev and MARS are above every pronoun baseline."""
    values = {p.resolver: p.rates.success_rate.value or 0.0 for p in bench.performances}
    best = max((name for name in _BASELINES if name in values), key=lambda name: values[name])
    said = []
    for name in ("kennedy-boguraev", "mars"):
        if name in values:
            test = bench.mcnemar(name, best)
            ahead = 100 * (values[name] - values[best])
            said.append(f"{name} {ahead:+.2f} points against {best} (McNemar p = {test.p:.4f})")
    return "Success rate: " + "; ".join(said) + "."


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="corpora whose title has this in it")
    parser.add_argument("--jobs", type=int, default=2)
    return parser.parse_args()


if __name__ == "__main__":
    main()
