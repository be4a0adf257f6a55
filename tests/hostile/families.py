"""All families of hostile files; ``python -m tests.hostile.families`` counts them."""

from collections.abc import Callable, Iterator

from tests.hostile import characters, collection
from tests.hostile.collection import Case

FAMILIES: dict[str, Callable[[], Iterator[Case]]] = {**collection.FAMILIES, **characters.FAMILIES}


def sizes() -> dict[str, int]:
    """The number of files of each family."""
    return {name: len(list(family())) for name, family in FAMILIES.items()}


if __name__ == "__main__":
    for name, size in sizes().items():
        print(f"{size:6,} {name}")
    print(f"{sum(sizes().values()):6,} in {len(FAMILIES)} families")
