"""``corefbench resolve``: run a resolver on text."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corefbench.cli.options import HOW, OUTPUT, EngineName, Jobs, Preprocess, say
from corefbench.cli.told import watched

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefbench.preprocess.discourse import Discourse
    from corefbench.resolvers.resolution import Resolution


def resolve(
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="[FILE]",
            help="Text or a corpus: a file, a folder, a pattern, or - for standard input.",
        ),
    ] = None,
    text: Annotated[str | None, typer.Option(help="The text itself, in place of a file.")] = None,
    resolver: Annotated[
        str,
        typer.Option("--resolver", "-r", help="Such as kb, mitkov or cogniac; see --list."),
    ] = "sieve",
    preprocess: Preprocess = "",
    given: Annotated[
        str,
        typer.Option(
            help="What of the file to keep: nothing (raw text), tokens, sentences, mentions.",
            rich_help_panel=HOW,
        ),
    ] = "nothing",
    input_format: Annotated[
        str | None,
        typer.Option(help="The format of the input; else recognised, else text."),
    ] = None,
    to: Annotated[
        str | None,
        typer.Option(help="Write in this format; else by extension.", rich_help_panel=OUTPUT),
    ] = None,
    jobs: Jobs = 1,
    engine: EngineName = "",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A file.", rich_help_panel=OUTPUT)
    ] = None,
    explain: Annotated[
        bool,
        typer.Option("--explain", help="Show candidates and reasons.", rich_help_panel=OUTPUT),
    ] = False,
    list_all: Annotated[
        bool, typer.Option("--list", help="List the resolvers and leave.", rich_help_panel=OUTPUT)
    ] = False,
) -> None:
    """Resolve the anaphors of a text, and show or write the chains.

    Example: corefbench resolve story.txt --resolver mitkov --explain
    """
    if list_all:
        _list()
        return
    from corefbench.engine import is_shared
    from corefbench.errors import UsageError
    from corefbench.preprocess import DEFAULT
    from corefbench.resolvers import make
    from corefbench.resolvers.resolve import resolve_each, resolve_shared

    if (source is None) == (text is None):
        raise UsageError("there is nothing to resolve", expected="a file, or --text TEXT")
    if given not in ("nothing", "tokens", "sentences", "mentions"):
        raise UsageError(
            f"nothing of a file is called {given!r}",
            expected="nothing, tokens, sentences or mentions",
        )
    chosen = make(resolver)
    pipeline = preprocess or chosen.card.preprocess
    if text is None and is_shared(engine, jobs):
        answers = resolve_shared(
            resolver,
            source or "-",
            preprocess=pipeline or DEFAULT,
            given="sentences" if given == "mentions" else given,  # type: ignore[arg-type]
            mentions=given == "mentions",
            format=_format(source or "-", input_format),
            engine=engine,
            jobs=jobs,
        )
    else:
        answers = resolve_each(chosen, _discourses(source, text, pipeline, given, input_format))
    written = output is not None or to is not None
    resolutions = _said(watched(answers, printed=not written))
    if written:
        _write(resolutions, output, to)
    else:
        many = source is not None and source != "-" and not source.endswith(".txt")
        for resolution in resolutions:
            _show(resolution, explain, titled=many)


def _said(resolutions: "Iterator[Resolution]") -> "Iterator[Resolution]":
    """The same, saying what the resolver has to say of each."""
    for resolution in resolutions:
        say(resolution.findings)
        yield resolution


def _discourses(
    source: str | None, text: str | None, preprocess: str, given: str, format: str | None
) -> "Iterator[Discourse]":
    from corefbench.preprocess import DEFAULT
    from corefbench.resolvers.resolve import discourses, read_text

    preprocess = preprocess or DEFAULT
    if text is not None:
        return iter([read_text(text, preprocess=preprocess)])
    keep = "sentences" if given == "mentions" else given
    return discourses(
        source or "-",
        preprocess=preprocess,
        given=keep,  # type: ignore[arg-type]
        mentions=given == "mentions",
        format=_format(source or "-", format),
    )


def _format(source: str, given: str | None) -> str | None:
    """Plain text is never recognised: a file that ends in .txt, and standard input, are text."""
    if given is not None:
        return given
    if source == "-":
        return "text"
    from corefbench.formats.patterns import places

    endings = {file.suffix.lower() for place in places(source) for file in _files(Path(str(place)))}
    return "text" if endings and endings <= {".txt", ".text", ""} else None


def _files(path: Path) -> list[Path]:
    return [p for p in path.rglob("[!.]*") if p.is_file()] if path.is_dir() else [path]


def _write(resolutions: "Iterator[Resolution]", output: Path | None, to: str | None) -> None:
    import sys
    import tempfile

    from corefbench.formats.convert import convert
    from corefbench.resolvers.response import response

    corpus = response(resolutions)
    if output is not None:
        convert(corpus, output, output_format=to)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "output"
        convert(corpus, path, output_format=to)
        sys.stdout.buffer.write(path.read_bytes())
        sys.stdout.buffer.flush()


def _show(resolution: "Resolution", explain: bool, *, titled: bool) -> None:
    from rich.console import Console

    from corefbench.report.chains import explained, marked

    console = Console(soft_wrap=True, highlight=False)
    if titled:
        console.print(f"# {resolution.discourse.analysis.name}", markup=False)
    shown = marked(resolution)
    shown.rstrip()
    console.print(shown)
    if explain:
        console.print()
        console.print(explained(resolution), markup=False)


def _list() -> None:
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
