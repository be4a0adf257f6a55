"""Command line: parse options, call the library, print results.

Exit codes: 0 success, 1 a negative result, 2 wrong usage, 3 bad data, 4 a missing package.
"""

import os
import sys
from typing import NoReturn

import typer

from corefbench.cli import campaign
from corefbench.cli.commands import (
    analysis,
    annotation,
    are,
    catalogues,
    compare,
    corpora,
    doctor,
    llm,
    reproduce,
    resolvers,
    runs,
    score,
    workbench,
)
from corefbench.cli.options import make_app
from corefbench.version import __version__

app = make_app("corefbench", "An evaluation workbench for coreference and anaphora resolution.")
app.command("score")(score.score)
app.command("resolve")(resolvers.resolve)
app.command("train")(resolvers.train)
app.command("predict")(resolvers.predict)
app.command("bench")(resolvers.bench)
app.command("compare")(compare.compare)
app.command("errors")(analysis.errors)
app.command("singletons")(analysis.singletons)
app.command("levels")(analysis.levels)
app.add_typer(are.app)
app.add_typer(campaign.app)
app.command("prompts")(llm.prompts)
app.command("answers")(llm.answers)
app.command("reproduce")(reproduce.reproduce)
app.command("oracle")(analysis.oracle)
app.command("merge")(annotation.merge)
app.command("agreement")(annotation.agreement)
app.command("deduplicate")(corpora.deduplicate)
app.command("profiles")(catalogues.profiles)
app.command("stats")(corpora.stats)
app.command("show")(runs.show)
app.command("verify")(runs.verify)
app.command("check")(corpora.check)
app.command("convert")(corpora.convert)
app.command("datasets")(catalogues.datasets)
app.command("doctor")(doctor.doctor)
app.command("ui")(workbench.ui)
app.command("bundle")(workbench.bundle)


def _print_version(is_given: bool) -> None:
    if is_given:
        typer.echo(f"corefbench {__version__}")
        raise typer.Exit


@app.callback()
def _global_options(
    version: bool = typer.Option(
        False, "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
    ),
) -> None:
    """Options that come before the command."""


def main() -> NoReturn:
    """Run the command line and exit with its code."""
    code = _run()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        pass
    # Tearing down all modules takes longer than many a command.
    os._exit(code)


def _run() -> int:
    """Turn every error into a message and an exit code."""
    try:
        app(standalone_mode=True)
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else int(error.code is not None)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return 0  # the reader of the pipe has gone: exit silently, as other Unix tools do
    except Exception as error:
        return _print_error(error)
    return 0


def _print_error(error: Exception) -> int:
    from corefbench.errors import CorefbenchError

    if isinstance(error, CorefbenchError):
        typer.echo(str(error), err=True)
        return error.exit_code
    if os.environ.get("COREFBENCH_DEBUG"):
        raise error
    typer.echo(
        f"CB001 something failed inside corefbench: {type(error).__name__}: {error}\n"
        "  try: COREFBENCH_DEBUG=1 shows where; please report it with the file that caused it",
        err=True,
    )
    return 1
