"""``corefbench prompts``: from a corpus to prompts for a language model."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corefbench.cli.options import HOW, INPUT, OUTPUT, InputFormat, Lenient, Quiet

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corefbench.model.corpus import Corpus


def prompts(
    corpus: Annotated[
        str | None,
        typer.Argument(
            metavar="CORPUS", help="A file, a folder, a pattern, or a name such as bundled."
        ),
    ] = None,
    output: Annotated[
        str, typer.Argument(metavar="OUT", help="A file of JSON lines, or - to print them.")
    ] = "-",
    template: Annotated[
        str,
        typer.Option(
            "--template",
            "-t",
            help="mark-all, mark-all-brackets, given-mentions, answer-pronoun, or FILE.toml.",
            rich_help_panel=HOW,
        ),
    ] = "mark-all",
    window: Annotated[
        int,
        typer.Option(
            min=0, help="The longest window in words; 0: whole documents.", rich_help_panel=HOW
        ),
    ] = 0,
    overlap: Annotated[
        int | None,
        typer.Option(
            min=0, help="How many words windows share; else a fifth.", rich_help_panel=HOW
        ),
    ] = None,
    examples: Annotated[
        int,
        typer.Option(min=0, help="How many examples every prompt has.", rich_help_panel=HOW),
    ] = 0,
    train: Annotated[
        str | None,
        typer.Option(help="The corpus to take the examples from.", rich_help_panel=INPUT),
    ] = None,
    seed: Annotated[int, typer.Option(help="Which examples are drawn.", rich_help_panel=HOW)] = 0,
    singletons: Annotated[
        str,
        typer.Option(
            help="keep or strip: whether what is mentioned once is to be marked.",
            rich_help_panel=HOW,
        ),
    ] = "keep",
    shape: Annotated[
        str,
        typer.Option(
            help="lines, or openai-batch: a batch file of chat completions.",
            rich_help_panel=OUTPUT,
        ),
    ] = "lines",
    model: Annotated[
        str, typer.Option(help="The model that a batch file names.", rich_help_panel=OUTPUT)
    ] = "",
    ceiling: Annotated[
        Path | None,
        typer.Option(
            help="Write what the key answers: the best that such windows allow.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    list_all: Annotated[
        bool, typer.Option("--list", help="List the templates and leave.", rich_help_panel=OUTPUT)
    ] = False,
    input_format: InputFormat = None,
    lenient: Lenient = False,
    quiet: Quiet = False,
) -> None:
    """Make prompts for a language model, which you run yourself: nothing is sent anywhere.

    `corefbench answers` reads the answers back.

    Example: corefbench prompts gold.conll prompts.jsonl --template mark-all --window 500
    """
    from corefbench.cli.choice import one_of
    from corefbench.errors import UsageError
    from corefbench.language_models import lines
    from corefbench.language_models import prompts as make_prompts
    from corefbench.language_models import template as read_template
    from corefbench.language_models.prompt import digest
    from corefbench.language_models.prompting import key_answers

    if list_all:
        _list()
        return
    if corpus is None:
        raise UsageError("there is nothing to make prompts from", expected="a corpus")
    one_of(singletons, "keep", "strip")
    one_of(shape, "lines", "openai-batch")
    if shape == "openai-batch" and not model:
        raise UsageError("a batch file names its model", expected="--model NAME")
    given = loaded(corpus, input_format, lenient=lenient, quiet=quiet)
    chosen = read_template(template)
    made = list(
        make_prompts(
            given,
            chosen,
            size=window,
            overlap=overlap,
            examples=examples,
            train=loaded(train, None, lenient=lenient, quiet=quiet) if train else None,
            seed=seed,
            singletons=singletons == "keep",
        )
    )
    rows = list(lines(made, shape, model))  # type: ignore[arg-type]
    if output == "-":
        typer.echo(b"".join(rows), nl=False)
    else:
        Path(output).parent.mkdir(parents=True, exist_ok=True)
        Path(output).write_bytes(b"".join(rows))
    if ceiling is not None:
        _write_ceiling(
            ceiling, key_answers(given, made, chosen.notation, singletons=singletons == "keep")
        )
    if not quiet:
        said = f"{len(rows):,} prompts from {len(given):,} documents, sha256 {digest(rows)}"
        typer.echo(said, err=output == "-")


def loaded(corpus: str, format: str | None, *, lenient: bool, quiet: bool) -> "Corpus":
    """The corpus of a path or name, its findings said."""
    from corefbench.cli.corpus import named
    from corefbench.cli.options import say
    from corefbench.findings import Finding, Strictness
    from corefbench.formats.load import load

    heard: list[Finding] = []
    found = named(corpus)
    if isinstance(found, str):
        strictness = Strictness(lenient=lenient, report=heard.append)
        found = load(found, format=format, strictness=strictness)
    if not quiet:
        say(heard)
    return found


def _write_ceiling(path: Path, answers: "Iterable[tuple[str, str]]") -> None:
    import msgspec

    rows = [msgspec.json.encode({"id": name, "answer": text}) + b"\n" for name, text in answers]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(rows))


def _list() -> None:
    from corefbench.language_models.templates import names, template

    for name in names():
        typer.echo(f"{name:20} {template(name).description}")
