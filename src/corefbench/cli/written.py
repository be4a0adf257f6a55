"""Writing a corpus that a command has made, and saying what the format cannot hold."""

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from corefbench.model.corpus import Corpus


def write_corpus(corpus: "Corpus", output: str, format: str | None, *, quiet: bool) -> None:
    """Write to a file, a folder or standard output (``-``), in any format that can be written."""
    from corefbench.cli.convert import standard_output
    from corefbench.formats.convert import convert

    with standard_output(output) as place:
        account = convert(corpus, place, output_format=format)
    if not quiet:
        for line in account.lines():
            typer.echo(line, err=True)
