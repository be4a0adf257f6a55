"""Every registered measure with every combination of its parameters, and how it is scored."""

from collections.abc import Iterable
from itertools import product
from typing import Literal, get_args, get_origin, get_type_hints

import corefbench as cb
from corefbench.scoring.measures import Score, measures, parse
from corefbench.scoring.profiles import Profile
from tests.properties.documents import Pair, corpora


def variants() -> list[str]:
    """The printed names, the plain ones first among their own.

    >>> variants()[2:5]
    ['b_cubed', 'b_cubed(twinless=credit)', 'b_cubed(twinless=skip)']
    """
    found: list[str] = []
    for name in measures:
        kind = measures[name]
        choices = [
            [(field, value) for value in get_args(hint)]
            for field, hint in get_type_hints(kind).items()
            if field in kind.__struct_fields__ and get_origin(hint) is Literal
        ]
        found += (
            str(parse(f"{name}({', '.join(f'{field}={value}' for field, value in some)})"))
            for some in product(*choices)
        )
    return list(dict.fromkeys(found))


PROFILE = Profile(
    name="all",
    title="All measures",
    description="Every measure with all its parameters, on exact mentions.",
    measures={name: name for name in variants()},
    exceptions={"non_referring": {"referring": "all"}},
    conll=(),
)


def result(documents: list[Pair], **choices: str) -> cb.Result:
    """All measures of the documents."""
    key, response = corpora(documents)
    return cb.score(key, response, PROFILE, **choices)


def values(score: Score) -> tuple[float, float, float]:
    return score.recall, score.precision, score.f1


def same(one: Iterable[float], other: Iterable[float], tolerance: float = 1e-12) -> bool:
    return all(abs(a - b) <= tolerance for a, b in zip(one, other, strict=True))
