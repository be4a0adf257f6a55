"""``corefbench campaign verify-receipt``: whether a receipt is genuine."""

from pathlib import Path
from typing import Annotated

import typer

from corefbench.cli.campaign.options import Server, client_of


def verify_receipt(
    receipt: Annotated[
        Path,
        typer.Argument(
            metavar="RECEIPT", exists=True, dir_okay=False, help="The JSON that `submit` printed."
        ),
    ],
    answers: Annotated[
        Path | None,
        typer.Argument(
            metavar="[ANSWERS]", exists=True, dir_okay=False, help="The file that it is about."
        ),
    ] = None,
    server: Server = "",
) -> None:
    """Ask the server whether it gave a receipt, and compare a file with it. Exits with 1 if not.

    Example: corefbench campaign verify-receipt receipt.json answers.xml --server https://example.org
    """
    import msgspec

    from corefbench.campaign.domain.receipts import Receipt
    from corefbench.errors import DataError, Place, VerificationFailed

    try:
        shown = msgspec.json.decode(receipt.read_bytes(), type=Receipt)
    except msgspec.DecodeError as error:
        raise DataError(
            "that is no receipt", code="CB313", place=Place(source=str(receipt)), found=str(error)
        ) from error
    if answers is not None and _sha256(answers) != shown.sha256:
        raise VerificationFailed(
            "the receipt is about another file", code="CB313", found=_sha256(answers)
        )
    if not client_of(server, "").is_genuine(shown):
        raise VerificationFailed("the server did not give this receipt", code="CB313")
    typer.echo(f"genuine: {shown.what} {shown.number}, {shown.time}")


def _sha256(path: Path) -> str:
    import hashlib

    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
