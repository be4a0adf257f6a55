"""``corefbench convert``: from one format to another, and what is lost on the way."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corefbench.cli.options import EngineName, Jobs

if TYPE_CHECKING:
    from corefbench.formats.account import Account, Size


def convert(
    source: Annotated[
        str,
        typer.Argument(metavar="IN", help="A file, a folder, a pattern, or - for standard input."),
    ],
    output: Annotated[
        str,
        typer.Argument(metavar="OUT", help="A file, a folder (or a name that ends in /), or -."),
    ],
    input_format: Annotated[
        str | None, typer.Option(help="The format of the input; else recognised.")
    ] = None,
    output_format: Annotated[
        str | None, typer.Option(help="The format to write; else by the extension of OUT.")
    ] = None,
    lenient: Annotated[
        bool, typer.Option("--lenient", help="Repair what can be repaired and report it.")
    ] = False,
    fail_on_loss: Annotated[
        bool,
        typer.Option(
            "--fail-on-loss", help="Write nothing, and exit with 1, unless everything is kept."
        ),
    ] = False,
    shard_size: Annotated[
        int | None,
        typer.Option(min=1, help="With a folder as OUT: numbered files of so many documents each."),
    ] = None,
    format: Annotated[
        str, typer.Option("--format", "-f", help="The account as text or json.")
    ] = "text",
    jobs: Jobs = 1,
    engine: EngineName = "",
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No account.")] = False,
) -> None:
    """Convert a file or a whole corpus, and say what the output format cannot hold.

    A folder or a quoted pattern becomes a folder, file by file, or one file; a file becomes a file,
    or a folder with a file for each document. A name that ends in .gz is packed.

    Example: corefbench convert gold.conllu gold.conll
    """
    from corefbench.cli.choice import one_of
    from corefbench.cli.progress import reading_progress
    from corefbench.findings import Finding, Strictness
    from corefbench.formats.convert import convert as convert_source

    one_of(format, "text", "json")

    def say(finding: Finding) -> None:
        if not quiet:
            typer.echo(str(finding), err=True)

    with reading_progress(source) as advance, standard_output(output) as place:
        account = convert_source(
            source,
            place,
            input_format=input_format,
            output_format=output_format,
            strictness=Strictness(lenient=lenient, report=say),
            fail_on_loss=fail_on_loss,
            shard_size=shard_size,
            advance=advance,
            engine=engine,
            jobs=jobs,
        )
    if not quiet:
        text = _as_json(account) if format == "json" else _as_text(account)
        typer.echo(text, err=output == "-")


@contextmanager
def standard_output(output: str) -> Iterator[str | Path]:
    """The output; where it is ``-``, a file that goes to standard output when it is complete."""
    if output != "-":
        yield output
        return
    import shutil
    import sys
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "output"
        yield path
        with open(path, "rb") as made:
            shutil.copyfileobj(made, sys.stdout.buffer)
        sys.stdout.buffer.flush()


def _as_json(account: "Account") -> str:
    import msgspec

    content = {**msgspec.to_builtins(account), "lossless": account.is_lossless}
    return msgspec.json.format(msgspec.json.encode(content), indent=2).decode()


def _as_text(account: "Account") -> str:
    files = len(account.files)
    wrote = f"{files} files in {account.output_format}" if files > 1 else account.output_format
    return "\n".join(
        [f"wrote {wrote}: {_size(account.written)}", *account.lines()]
        + (["nothing is lost"] if account.is_lossless else [])
    )


def _size(size: "Size") -> str:
    import msgspec

    return ", ".join(f"{count:,} {name}" for name, count in msgspec.to_builtins(size).items())
