"""The command line: parse, call the library, render. Exit codes: 0 done, 1 the answer is no,
2 usage, 3 bad data, 4 a package is missing."""

import os
import sys
from typing import NoReturn

import typer

from corefbench.cli import (
    agreement,
    answers,
    are,
    bench,
    bundle,
    campaign,
    check,
    compare,
    convert,
    datasets,
    deduplicate,
    doctor,
    errors,
    levels,
    merge,
    oracle,
    predict,
    profiles,
    prompts,
    reproduce,
    resolve,
    score,
    show,
    singletons,
    stats,
    train,
    ui,
    verify,
)
from corefbench.cli.workers import spare_workers_the_command_line
from corefbench.version import __version__

app = typer.Typer(
    name="corefbench",
    help="An evaluation workbench for coreference and anaphora resolution.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("score")(score.score)
app.command("resolve")(resolve.resolve)
app.command("train")(train.train)
app.command("predict")(predict.predict)
app.command("bench")(bench.bench)
app.command("compare")(compare.compare)
app.command("errors")(errors.errors)
app.command("singletons")(singletons.singletons)
app.command("levels")(levels.levels)
app.add_typer(are.app)
app.add_typer(campaign.app)
app.command("prompts")(prompts.prompts)
app.command("answers")(answers.answers)
app.command("reproduce")(reproduce.reproduce)
app.command("oracle")(oracle.oracle)
app.command("merge")(merge.merge)
app.command("agreement")(agreement.agreement)
app.command("deduplicate")(deduplicate.deduplicate)
app.command("profiles")(profiles.profiles)
app.command("stats")(stats.stats)
app.command("show")(show.show)
app.command("verify")(verify.verify)
app.command("check")(check.check)
app.command("convert")(convert.convert)
app.command("datasets")(datasets.datasets)
app.command("doctor")(doctor.doctor)
app.command("ui")(ui.ui)
app.command("bundle")(bundle.bundle)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"corefbench {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version and leave."
    ),
) -> None:
    """Options before any command."""


def main() -> NoReturn:
    """Run the command line and leave with its exit code."""
    spare_workers_the_command_line()
    code = _run()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        pass
    # Taking every module down again would cost more than many a command.
    os._exit(code)


def _run() -> int:
    """Turn every error into a message and an exit code."""
    try:
        app(standalone_mode=True)
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return 0  # the reader of our output has gone: say nothing, as other Unix tools do
    except Exception as error:
        return _explain(error)
    return 0


def _explain(error: Exception) -> int:
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
