"""Run one benchmark and write its page.

A subject is a module with a function ``run(arguments) -> Page``, and with ``add_arguments(parser)``
if it has options. Its docstring is its help text.
"""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from benchmarks.page import Page

SUBJECTS = {
    "generate": "write seeded inputs to benchmarks/.inputs",
    "speed": "speed and memory of scoring beside other scorers",
    "checkouts": "speed and memory of this checkout and of an earlier one, by turns",
    "scale": "scoring with one and with two workers, by size of corpus",
    "cost": "cost of twice the input for every format, measure and matching rule",
    "reading": "reading speed of every format, and memory of conversions",
    "differential": "scores beside those of the reference scorers on generated documents",
    "reliability": "the proofs of the reliability goals",
    "coverage": "lines and branches that the tests run",
    "calibration": "how often significance tests call equal systems different",
    "significance": "speed of significance tests",
    "error-analysis": "speed of error analysis",
    "deduplication": "speed of de-duplication",
    "run-files": "speed of saving and opening run files",
    "reading-view": "responsiveness of the reading view in a browser",
    "resolvers": "quality of every resolver on every corpus",
    "resolver-speed": "speed and memory of resolving",
    "pipelines": "which built-in pipeline serves resolvers better",
    "are": "every resolver in the Anaphora Resolution Exercise",
    "ubiu": "Tables 5 and 6 of Kübler & Zhekova 2011",
    "memory-based": "memory-based learning beside TiMBL",
    "neural": "quality and speed of the neural resolver",
    "cross-document": "Table 3 of Cattan et al. 2021 on ECB+",
    "clustering": "clusters of up to a million mentions",
    "reproducibility": "whether the same seed gives the same model",
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the subject that the command line names."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if not words or words[0] not in SUBJECTS:
        width = max(map(len, SUBJECTS))
        listed = "\n".join(f"  {name:{width}}  {title}" for name, title in SUBJECTS.items())
        usage = f"usage: python -m benchmarks SUBJECT [options]\n\nsubjects:\n{listed}"
        wants_help = words[:1] in (["-h"], ["--help"])
        print(usage, file=sys.stdout if wants_help else sys.stderr)
        sys.exit(0 if wants_help else 2)
    run_subject(words[0], words[1:])


def run_subject(name: str, words: Sequence[str]) -> None:
    """Run a subject, print its page and write it."""
    module = import_module(f"benchmarks.{name.replace('-', '_')}")
    arguments = build_parser(name).parse_args(words)
    arguments.words = list(words)
    page: Page | None = module.run(arguments)
    if page is None:
        return
    print(page.text)
    if page.name and page.is_complete and not arguments.no_page:
        (arguments.page or page.path).write_text(page.text, encoding="utf-8")
    sys.exit(0 if page.passed else 1)


def build_parser(name: str) -> argparse.ArgumentParser:
    """Return the parser of a subject."""
    module = import_module(f"benchmarks.{name.replace('-', '_')}")
    parser = argparse.ArgumentParser(
        prog=f"python -m benchmarks {name}",
        description=module.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    if hasattr(module, "add_arguments"):
        module.add_arguments(parser)
    parser.add_argument("--page", type=Path, help="write the page here, not to docs/results")
    parser.add_argument("--no-page", action="store_true", help="print only")
    return parser


if __name__ == "__main__":
    main()
