"""``corefbench resolve``: run a resolver on text."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from corefbench.cli import options
from corefbench.cli.output import print_findings, standard_output
from corefbench.progress import track_documents

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefbench.resolvers.base import Resolution


def resolve(
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="[FILE]", help="Text or a corpus: a file, a folder, a pattern, or - for standard input."
        ),
    ] = None,
    text: Annotated[str | None, typer.Option(help="The text itself instead of a file.")] = None,
    resolver: Annotated[
        str, typer.Option("--resolver", "-r", help="Such as kb, mitkov or cogniac; see --list.")
    ] = "sieve",
    preprocess: options.Preprocess = "",
    given: Annotated[
        str, options.method_option("What to keep of the file: nothing (raw text), tokens, sentences, mentions.")
    ] = "nothing",
    input_format: Annotated[
        str | None, typer.Option(help="The format of the input; detected by default, else text.")
    ] = None,
    to: Annotated[str | None, options.output_option("The output format; by default from the extension.")] = None,
    jobs: options.Jobs = 1,
    engine: options.EngineName = "",
    output: Annotated[Path | None, options.output_option("Write to a file.", "--output", "-o")] = None,
    explain: Annotated[bool, options.output_option("Show candidates and reasons.", "--explain")] = False,
    list_all: Annotated[bool, options.output_option("List the resolvers and exit.", "--list")] = False,
) -> None:
    """Resolve the anaphors of a text, and show or write the chains.

    Example: corefbench resolve story.txt --resolver mitkov --explain
    """
    if list_all:
        _print_resolvers()
        return
    from corefbench.engine import is_parallel
    from corefbench.errors import UsageError
    from corefbench.formats.convert import convert
    from corefbench.preprocess import DEFAULT
    from corefbench.resolvers import make
    from corefbench.resolvers.resolve import read_discourses, read_text, resolve_corpus, resolve_each
    from corefbench.resolvers.response import to_corpus

    if (source is None) == (text is None):
        raise UsageError("there is nothing to resolve", expected="a file, or --text TEXT")
    if given not in ("nothing", "tokens", "sentences", "mentions"):
        raise UsageError(f"nothing of a file is called {given!r}", expected="nothing, tokens, sentences or mentions")
    chosen = make(resolver)
    pipeline = preprocess or chosen.card.preprocess or DEFAULT
    reading: dict[str, Any] = {
        "preprocess": pipeline,
        "keep": "sentences" if given == "mentions" else given,
        "mentions": given == "mentions",
        "format": input_format,
    }
    if source is None:
        answers = resolve_each(chosen, [read_text(text or "", preprocess=pipeline)])
    else:
        reading["format"] = input_format or _default_format(source)
        if is_parallel(engine, jobs):
            answers = resolve_corpus(resolver, source, **reading, engine=engine, jobs=jobs)
        else:
            answers = resolve_each(chosen, read_discourses(source, **reading))
    are_written = output is not None or to is not None
    resolutions = _print_findings_of(track_documents(answers, are_printed=not are_written))
    if are_written:
        with standard_output("-" if output is None else str(output)) as path:
            convert(to_corpus(resolutions), path, output_format=to)
    else:
        has_titles = source not in (None, "-") and not str(source).endswith(".txt")
        for resolution in resolutions:
            _print_resolution(resolution, explain, has_title=has_titles)


def _print_findings_of(resolutions: "Iterator[Resolution]") -> "Iterator[Resolution]":
    for resolution in resolutions:
        print_findings(resolution.findings)
        yield resolution


def _default_format(source: str) -> str | None:
    """Return ``text`` for .txt files and standard input, since plain text is never detected."""
    if source == "-":
        return "text"
    from corefbench.formats.load import expand_pattern

    paths = [Path(str(path)) for path in expand_pattern(source)]
    suffixes = {file.suffix.lower() for path in paths for file in _files_below(path)}
    return "text" if suffixes and suffixes <= {".txt", ".text", ""} else None


def _files_below(path: Path) -> list[Path]:
    return [p for p in path.rglob("[!.]*") if p.is_file()] if path.is_dir() else [path]


def _print_resolution(resolution: "Resolution", explain: bool, *, has_title: bool) -> None:
    from rich.console import Console

    from corefbench.report.chains import explain_decisions, mark_chains

    console = Console(soft_wrap=True, highlight=False)
    if has_title:
        console.print(f"# {resolution.discourse.analysis.name}", markup=False)
    text = mark_chains(resolution)
    text.rstrip()
    console.print(text)
    if explain:
        console.print()
        console.print(explain_decisions(resolution), markup=False)


def _print_resolvers() -> None:
    from corefbench.resolvers import resolvers

    for name in resolvers:
        card = resolvers[name].card  # type: ignore[attr-defined]
        also = ", ".join(resolvers.aliases_of(name))
        typer.echo(f"{name + (f' ({also})' if also else ''):28} {card.description}")
        for parameter in card.parameters:
            default = parameter.default
            shown = str(default).lower() if isinstance(default, bool) else default
            typer.echo(f"    {parameter.name}={shown}: {parameter.meaning}")
        if card.needs:
            typer.echo(f"    needs: {card.needs}")
