"""``corefbench answers``: the answers of a language model as a response."""

from pathlib import Path
from typing import Annotated

import typer

from corefbench.cli.options import (
    HOW,
    INPUT,
    OUTPUT,
    Format,
    InputFormat,
    Lenient,
    OutputFormat,
    Profile,
    Quiet,
    report_format,
    say,
)


def answers(
    corpus: Annotated[
        str,
        typer.Argument(metavar="CORPUS", help="The corpus that the prompts were made from."),
    ],
    recorded: Annotated[
        str,
        typer.Argument(
            metavar="ANSWERS",
            help='JSON lines with "id" and "answer", or what a batch service gave back.',
        ),
    ],
    output: Annotated[
        str, typer.Argument(metavar="OUT", help="Where the response goes; - prints it.")
    ],
    prompts: Annotated[
        Path | None,
        typer.Option(help="The prompts: tells which answers are missing.", rich_help_panel=INPUT),
    ] = None,
    score: Annotated[
        bool,
        typer.Option("--score", help="Score the response against the corpus.", rich_help_panel=HOW),
    ] = False,
    profile: Profile = "conll-2012",
    by: Annotated[
        str | None, typer.Option(help="`answer`: a row an answer.", rich_help_panel=OUTPUT)
    ] = None,
    input_format: InputFormat = None,
    lenient: Lenient = False,
    output_format: OutputFormat = None,
    format: Format = "table",
    quiet: Quiet = False,
) -> None:
    """Read the answers of a language model back, and say what of them could not be used.

    Answers may have changed, dropped or added words, broken brackets, text around them, or be cut
    off: what can be aligned with the source is used, and all else is in the account.

    Example: corefbench answers gold.conll answers.jsonl response.conll --prompts prompts.jsonl
    """
    from corefbench.cli.prompts import loaded
    from corefbench.cli.written import write_corpus
    from corefbench.errors import UsageError
    from corefbench.findings import Finding, Strictness
    from corefbench.language_models import read_answers
    from corefbench.report.language_models import report_account
    from corefbench.scoring.api import score as score_response

    shape = report_format(format)
    if by not in (None, "answer"):
        raise UsageError(f"cannot report by {by!r}", expected="--by answer")
    key = loaded(corpus, input_format, lenient=lenient, quiet=quiet)
    heard: list[Finding] = []
    strictness = Strictness(lenient=lenient, report=heard.append)
    made = read_answers(key, recorded, prompts=prompts, strictness=strictness)
    write_corpus(made.corpus, output, output_format, quiet=True)
    result = score_response(key, made.corpus, profile) if score else None
    if not quiet:
        say((*heard, *(result.findings if result else ())))
    text = report_account(made.account, shape, by_answer=by == "answer", result=result)
    typer.echo(text, err=output == "-")
