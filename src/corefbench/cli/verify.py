"""``corefbench verify``: does a signed number come out again?"""

from typing import Annotated

import typer


def verify(
    signature: Annotated[str, typer.Argument(help="The whole signature, in quotes.")],
    key: Annotated[str, typer.Argument(help="The key that was scored.")],
    response: Annotated[str, typer.Argument(help="The response that was scored.")],
    input_format: Annotated[str | None, typer.Option(help="The format of both inputs.")] = None,
    lenient: Annotated[bool, typer.Option("--lenient", help="Read leniently.")] = False,
) -> None:
    """Score again by the signature and compare data and scores, bit for bit.

    Exit code 0: everything agrees. 1: something does not, and it is said what.
    """
    from corefbench.report import report
    from corefbench.scoring.verification import verify as verify_signature

    result = verify_signature(signature, key, response, format=input_format, lenient=lenient)
    typer.echo(report({response: result}))
    typer.echo("\nverified: data, choices and scores are those of the signature")
