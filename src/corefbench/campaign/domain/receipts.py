"""Receipts: what arrived, when, and a seal that only the server can have made."""

import hashlib
import hmac

import msgspec

from corefbench.record import Record


class Receipt(Record, frozen=True):
    """Proof that answers arrived, or that data was handed out."""

    what: str
    """``submission`` or ``download``."""
    number: str
    """Of the submission or download."""
    team: str
    phase: str
    task: str
    sha256: str
    bytes: int
    time: str
    """UTC, to the microsecond: the time that the deadline is held against."""
    seal: str = ""


def sealed(receipt: Receipt, secret: bytes) -> Receipt:
    """The receipt with its seal: HMAC-SHA256 over all other fields."""
    return msgspec.structs.replace(receipt, seal=_seal(receipt, secret))


def is_genuine(receipt: Receipt, secret: bytes) -> bool:
    """Whether the seal is the server's, over just these fields.

    >>> receipt = Receipt(what="submission", number="s1", team="t", phase="p", task="a",
    ...                   sha256="00", bytes=1, time="2026-03-01T00:00:00.000000Z")
    >>> is_genuine(sealed(receipt, b"secret"), b"secret"), is_genuine(receipt, b"secret")
    (True, False)
    """
    return hmac.compare_digest(receipt.seal.encode(), _seal(receipt, secret).encode())


def _seal(receipt: Receipt, secret: bytes) -> str:
    bare = msgspec.json.encode(msgspec.structs.replace(receipt, seal=""))
    return hmac.new(secret, bare, hashlib.sha256).hexdigest()
