"""Hash and verify passwords with argon2id (RFC 9106, low-memory parameters)."""

from functools import cache
from secrets import token_hex

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from corefbench.errors import UsageError

MIN_LENGTH, MAX_LENGTH = 10, 256


def hash_password(password: str) -> str:
    """Return the hash of a password; raise if it is too short or too long."""
    if not MIN_LENGTH <= len(password) <= MAX_LENGTH:
        raise UsageError(
            "the password is too short or too long",
            found=f"{len(password)} characters",
            expected=f"{MIN_LENGTH} to {MAX_LENGTH} characters; several words are best",
        )
    return _hasher().hash(password)


def verify_password(password: str, password_hash: str | None) -> bool:
    """Return whether a password is right; it takes as long if there is no such account."""
    try:
        hash_or_dummy = password_hash or _dummy_hash()
        return _hasher().verify(hash_or_dummy, password) and password_hash is not None
    except (VerificationError, InvalidHashError):
        return False


def needs_rehash(password_hash: str) -> bool:
    """Return whether a hash was made with weaker parameters than now."""
    return _hasher().check_needs_rehash(password_hash)


@cache
def _hasher() -> PasswordHasher:
    return PasswordHasher()


@cache
def _dummy_hash() -> str:
    return _hasher().hash(token_hex())
