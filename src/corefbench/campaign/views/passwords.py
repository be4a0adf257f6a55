"""Passwords: argon2id, with the parameters of RFC 9106 for little memory."""

from functools import cache
from secrets import token_hex

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from corefbench.errors import UsageError

SHORTEST, LONGEST = 10, 256


def hashed(password: str) -> str:
    """What is kept of a password; an error where it is too short to be one."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise UsageError(
            "the password is too short or too long",
            found=f"{len(password)} signs",
            expected=f"{SHORTEST} to {LONGEST} signs; several words are best",
        )
    return _hasher().hash(password)


def is_right(password: str, kept: str | None) -> bool:
    """Whether it is the password; takes as long where nobody has the address."""
    try:
        return _hasher().verify(kept or _of_nobody(), password) and kept is not None
    except (VerificationError, InvalidHashError):
        return False


def is_dated(kept: str) -> bool:
    """Whether a hash was made with weaker parameters than now."""
    return _hasher().check_needs_rehash(kept)


@cache
def _hasher() -> PasswordHasher:
    return PasswordHasher()


@cache
def _of_nobody() -> str:
    return _hasher().hash(token_hex())
