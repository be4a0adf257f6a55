"""Only what was scored alike can be compared: same profile, same key, same documents."""

from collections.abc import Mapping

from corefbench.errors import MismatchError, UsageError
from corefbench.scoring.result import Result


def check_alike(results: Mapping[str, Result]) -> None:
    """Refuse results that cannot be paired, document by document."""
    if not results:
        raise UsageError("there is nothing to compare", expected="at least one system")
    (name, first), *others = results.items()
    for other, result in others:
        _check_profile(name, first, other, result)
        _check_key(name, first, other, result)
        _check_documents(name, first, other, result)


def _check_profile(name: str, first: Result, other: str, result: Result) -> None:
    ours, theirs = first.signature, result.signature
    different = [
        f"{choice} {ours.choices.get(choice, '–')} and {theirs.choices.get(choice, '–')}"
        for choice in {**ours.choices, **theirs.choices}
        if ours.choices.get(choice) != theirs.choices.get(choice)
    ]
    if ours.profile != theirs.profile:
        different.insert(0, f"profile {ours.profile} and {theirs.profile}")
    if list(first.tallies) != list(result.tallies):
        different.append(f"measures {'+'.join(first.tallies)} and {'+'.join(result.tallies)}")
    if different:
        raise MismatchError(
            f"{name} and {other} were not scored alike",
            code="CB220",
            found="; ".join(dict.fromkeys(different)),
            expected="one profile with the same choices",
            remedy="score both again with the same profile and choices",
        )


def _check_key(name: str, first: Result, other: str, result: Result) -> None:
    ours, theirs = (r.signature.key.rpartition("@")[2] for r in (first, result))
    if ours != theirs:
        raise MismatchError(
            f"{name} and {other} were scored against different keys",
            code="CB221",
            found=f"{first.signature.key} and {result.signature.key}",
            expected="keys with the same content",
            remedy="score both against the same key",
        )


def _check_documents(name: str, first: Result, other: str, result: Result) -> None:
    """Of one key all results have the same documents in its order; a result made otherwise may
    not, and its rows would be paired with those of other documents."""
    if first.documents != result.documents:
        differing = sorted({*first.documents} ^ {*result.documents})
        raise MismatchError(
            f"{name} and {other} do not have the same documents",
            code="CB222",
            found=f"only one has {differing[0]}" if differing else "another order",
            expected="the same documents in the same order",
            remedy="score both against the same key",
        )
