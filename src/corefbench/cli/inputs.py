"""Inputs named on the command line: files, corpora by name, lists of names."""

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from corefbench.progress import ProgressBar

if TYPE_CHECKING:
    from corefbench.corpus.corpus import Corpus


def corpus_source(corpus: str) -> "str | Corpus":
    """Return a path or pattern as it is, and the corpus that another name stands for.

    Names are ``bundled`` and those of the catalogue; a file of the same name comes first.
    """
    from corefbench.formats.load import is_dataset_name, load

    return load(corpus) if is_dataset_name(corpus) else corpus


def load_corpus(corpus: str, format: str | None = None, *, lenient: bool = False, quiet: bool = False) -> "Corpus":
    """Load the corpus of a path or name, and print its findings."""
    from corefbench.cli.output import print_findings
    from corefbench.diagnostics import Finding, Strictness
    from corefbench.formats.load import load

    source = corpus_source(corpus)
    if not isinstance(source, str):
        return source
    findings: list[Finding] = []
    loaded = load(source, format=format, strictness=Strictness(lenient=lenient, report=findings.append))
    if not quiet:
        print_findings(findings)
    return loaded


def require_one_standard_input(*inputs: str | None) -> None:
    """Raise if more than one input is ``-``: standard input can be read only once."""
    if inputs.count("-") > 1:
        from corefbench.errors import UsageError

        raise UsageError("standard input can be read only once", found="- given twice")


def corpus_sources(paths: Sequence[str]) -> "dict[str, str | Corpus]":
    """Return the corpora of paths or names, by short name."""
    return dict(zip(short_names(paths), map(corpus_source, paths), strict=True))


def short_names(paths: Sequence[str]) -> list[str]:
    """Name inputs by their file names if these differ, and else by their paths.

    >>> short_names(["a/one.conll", "b/two.conll"]), short_names(["a/x.conll", "b/x.conll"])
    (['one.conll', 'two.conll'], ['a/x.conll', 'b/x.conll'])
    """
    names = [Path(path).name or path for path in paths]
    return names if len(set(names)) == len(names) else list(paths)


def split_names(names: str) -> tuple[str, ...]:
    """Split at commas, except inside brackets, where they separate parameters.

    >>> split_names("kb, random(seed=1,window=2),mitkov")
    ('kb', 'random(seed=1,window=2)', 'mitkov')
    """
    return tuple(name.strip() for name in re.split(r",(?![^()]*\))", names) if name.strip())


def reading_bar(*inputs: str) -> ProgressBar:
    """Return a bar for the bytes that are read from the inputs."""
    # Walking a folder for its size is wasted where no bar is shown.
    total = sum(map(_input_size, inputs)) if sys.stderr.isatty() else 0
    return ProgressBar("reading", total=total or None, unit="bytes")


def _input_size(where: str) -> int:
    from corefbench.formats.load import is_pattern, matching_paths

    if is_pattern(where):
        return sum(_input_size(str(path)) for path in matching_paths(where))
    path = Path(where)
    if path.is_dir():
        return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    return path.stat().st_size if path.is_file() else 0
