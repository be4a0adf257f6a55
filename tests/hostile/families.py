"""All families of hostile files; ``python -m tests.hostile.families`` counts them."""

from collections.abc import Callable, Iterator
from itertools import islice

from tests.hostile import characters, collection
from tests.hostile.collection import Case

FAMILIES: dict[str, Callable[..., Iterator[Case]]] = {**collection.FAMILIES, **characters.FAMILIES}

_SMALLER: dict[str, dict[str, object]] = {
    "deep": {"depth": 3_000},
    "long_lines": {"size": 1 << 13},
    "packed": {"zeros_in": (), "megabytes": 5},
    "identities": {"length": 10_000},
}
# Steps that do not divide the number of cases per format, so that every kind is seen in some format.
_EVERY = {"names": 7, "numbers": 7, "line_ends": 3, "encodings": 5}
LARGE = (*_SMALLER, *_EVERY)


def small(family: str) -> Iterator[Case]:
    """The family in a size that takes about a second: smaller files, or every nth of them."""
    return islice(FAMILIES[family](**_SMALLER.get(family, {})), 0, None, _EVERY.get(family, 1))


def sizes() -> dict[str, int]:
    """The number of files of each family."""
    return {name: len(list(family())) for name, family in FAMILIES.items()}


if __name__ == "__main__":
    for name, size in sizes().items():
        print(f"{size:6,} {name}")
    print(f"{sum(sizes().values()):6,} in {len(FAMILIES)} families")
