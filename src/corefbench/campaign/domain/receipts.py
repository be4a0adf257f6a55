"""Receipts: what arrived and when, with a seal that only the server can make."""

import hashlib
import hmac

import msgspec

from corefbench.records import Record


class Receipt(Record, frozen=True):
    """Proof of a submission or a download."""

    what: str
    """``submission`` or ``download``."""
    number: str
    """Id of the submission or download."""
    team: str
    phase: str
    task: str
    sha256: str
    bytes: int
    time: str
    """UTC, to the microsecond: the time that is compared with the deadline."""
    seal: str = ""


def sign_receipt(receipt: Receipt, secret: bytes) -> Receipt:
    """Return the receipt with its seal: HMAC-SHA256 over all other fields."""
    return msgspec.structs.replace(receipt, seal=_compute_seal(receipt, secret))


def is_genuine(receipt: Receipt, secret: bytes) -> bool:
    """Return whether the seal was made by the server for these fields.

    >>> receipt = Receipt(what="submission", number="s1", team="t", phase="p", task="a",
    ...                   sha256="00", bytes=1, time="2026-03-01T00:00:00.000000Z")
    >>> is_genuine(sign_receipt(receipt, b"secret"), b"secret"), is_genuine(receipt, b"secret")
    (True, False)
    """
    return hmac.compare_digest(receipt.seal.encode(), _compute_seal(receipt, secret).encode())


def _compute_seal(receipt: Receipt, secret: bytes) -> str:
    bare = msgspec.json.encode(msgspec.structs.replace(receipt, seal=""))
    return hmac.new(secret, bare, hashlib.sha256).hexdigest()
