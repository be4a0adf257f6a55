"""Whether the parameters of a resolver make sense, by the types that its class declares."""

from typing import Literal, get_args, get_origin, get_type_hints

from corefbench.errors import UsageError
from corefbench.record import Record


def check_parameters(resolver: Record, **least: float) -> None:
    """Refuse choices that do not exist, and numbers below the least that is given for them.

    >>> class Guess(Record, frozen=True):
    ...     window: int = 4
    >>> check_parameters(Guess(window=0), window=1)
    Traceback (most recent call last):
    corefbench.errors.UsageError: CB002 the parameter window has no such value
      found: 0
      expected: a whole number from 1
    """
    hints = get_type_hints(type(resolver))
    for name in resolver.__struct_fields__:
        value, kind = getattr(resolver, name), hints[name]
        expected = _problem(value, kind, least.get(name, 0))
        if expected:
            raise UsageError(
                f"the parameter {name} has no such value", found=str(value), expected=expected
            )


def _problem(value: object, kind: object, least: float) -> str:
    """What was expected, if the value is not that."""
    if get_origin(kind) is Literal:
        return "" if value in get_args(kind) else " or ".join(map(str, get_args(kind)))
    if kind is bool:
        return "" if isinstance(value, bool) else "true or false"
    if kind is str:
        return "" if isinstance(value, str) else "text"
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if kind is int and not isinstance(value, int):
        is_number = False
    if isinstance(value, int | float) and is_number and least <= value < float("inf"):
        return ""
    return f"a {'whole ' if kind is int else ''}number from {least:g}"
