"""``corefbench verify``: does a signed number, or a run, come out again?"""

from typing import Annotated

import typer


def verify(
    signature: Annotated[
        str,
        typer.Argument(
            metavar="SIGNATURE|RUN", help="The whole signature, in quotes; or a run file."
        ),
    ],
    key: Annotated[str | None, typer.Argument(help="The key that was scored.")] = None,
    response: Annotated[str | None, typer.Argument(help="The response that was scored.")] = None,
    input_format: Annotated[str | None, typer.Option(help="The format of both inputs.")] = None,
    lenient: Annotated[bool, typer.Option("--lenient", help="Read leniently.")] = False,
) -> None:
    """Score again by the signature and compare data and scores, bit for bit.

    A run file holds all that this needs. Exit code 0: everything agrees. 1: something does not,
    and it is said what.

    Example: corefbench verify system.corefrun
    """
    from corefbench.errors import UsageError
    from corefbench.report import report
    from corefbench.scoring.verification import verify as verify_signature

    if key is None and response is None and "|" not in signature:
        _verify_run(signature)
        return
    if key is None or response is None:
        raise UsageError(
            "a signature is verified with the data that was scored",
            expected="SIGNATURE KEY RESPONSE, or a run file alone",
        )
    result = verify_signature(signature, key, response, format=input_format, lenient=lenient)
    typer.echo(report({response: result}))
    typer.echo("\nverified: data, choices and scores are those of the signature")


def _verify_run(path: str) -> None:
    from corefbench.runs import open_run
    from corefbench.runs.verification import verify_run

    found = verify_run(open_run(path))
    typer.echo(
        f"verified: {found.documents:,} documents scored again, {found.results:,} results, "
        f"{found.tallies:,} counts equal to the last bit"
    )
