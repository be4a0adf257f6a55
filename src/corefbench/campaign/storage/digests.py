"""Secrets that are handed out: only their SHA-256 is kept."""

import hashlib
import secrets


def new_secret(prefix: str = "") -> str:
    """256 bits by lot, as a word for cookies and headers."""
    return prefix + secrets.token_urlsafe(32)


def digest(clear: str) -> str:
    """What is kept of a secret. No salt: it has 256 bits of its own.

    >>> digest("abc")[:8]
    'ba7816bf'
    """
    return hashlib.sha256(clear.encode()).hexdigest()
